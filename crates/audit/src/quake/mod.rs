//! The audit of a Quake recording: passes the recorder's state after each frame to the judges.
//!
//! A frame is a block with a `time`. Messages that servers send separately (texts, commands) are in blocks
//! between the frames.

mod aim;
mod armor;
mod blows;
mod clock;
mod fall;
mod gains;
mod items;
mod motion;
mod tempo;

use super::book::{FindingList, Proof};
use super::findings::AuditCode;
use super::rules::{Bits, GameCode, GameMode, Rules, number};
use super::{Coverage, words};
use items::{ItemAmounts, Texts};
use moviola_analyse::space::length;
use moviola_analyse::{AuditSeverity, PassPosition};
use moviola_format::dem::Message;
use moviola_format::names::quake::{SOUND_CHANNEL, TEMP_ENTITY};
use moviola_format::names::value;
use moviola_state::quake::{Damage, Effect, FinalScreen, Happening, Sound, Stat, Vitals, World};
use std::collections::VecDeque;

/// The player's state after a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tick {
    pub(super) time: f64,
    pub(super) health: i32,
    pub(super) armor: i32,
    /// Shells, nails, rockets, cells.
    pub(super) ammo: [i32; 4],
    /// The number of the weapon in hand, as sent.
    pub(super) weapon: i32,
    pub(super) vitals: Vitals,
    /// The velocity in units per second.
    pub(super) velocity: [f64; 3],
    /// The position; `None` if the player's own entity is not visible.
    pub(super) origin: Option<[f64; 3]>,
    /// Whether the view is from a player's eyes.
    pub(super) own_eyes: bool,
    /// Pitch and yaw.
    pub(super) angles: [f64; 2],
    /// Whether the block has the player's state; if not, it is the state of the frame before.
    pub(super) has_state: bool,
}

impl Tick {
    fn of(world: &World, has_state: bool) -> Self {
        let stat = |stat| world.stats.get(stat);
        let eyes = world.eyes().filter(|it| it.is_shown(&world.clock));
        let players = 1..=i16::from(world.level.max_clients);
        let [pitch, yaw, _] = world.view.angles.map(|angle| f64::from(angle.value()));
        Self {
            time: f64::from(world.clock.now.value()),
            health: stat(Stat::Health),
            armor: stat(Stat::Armor),
            ammo: [Stat::Shells, Stat::Nails, Stat::Rockets, Stat::Cells].map(stat),
            weapon: stat(Stat::Weapon),
            vitals: world.vitals,
            velocity: world.vitals.velocity.map(|part| f64::from(part) * SPEED_UNIT),
            origin: eyes.map(|it| it.place.origin.map(moviola_format::Coord::value)),
            own_eyes: players.contains(&world.view.entity),
            angles: [pitch, yaw],
            has_state,
        }
    }

    /// Whether the player is alive and plays, so that id's rules are valid.
    pub(super) fn in_play(&self) -> bool {
        self.health > 0 && self.own_eyes && self.vitals.view_height > 0
    }

    pub(super) fn speed(&self) -> f64 {
        length(self.velocity)
    }

    pub(super) fn ground_speed(&self) -> f64 {
        let [x, y, _] = self.velocity;
        x.hypot(y)
    }
}

/// The unit of the player's velocity on the wire.
const SPEED_UNIT: f64 = 16.0;

/// The momentary content of a block that matters to the audit.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a sign of its own, and any mix comes")]
pub(super) struct Signs {
    pub(super) blow: Option<Damage>,
    /// Whether the player makes the sound of an item.
    pub(super) item_sound: bool,
    /// The items of id's game in sounds and in texts.
    pub(super) in_sounds: ItemAmounts,
    pub(super) in_texts: ItemAmounts,
    /// Whether the player makes any sound that is not one of the body's.
    pub(super) noise: bool,
    /// Whether the player makes the sound of a wind.
    pub(super) wind: bool,
    /// Whether there is a text on the console or the screen.
    pub(super) words: bool,
    /// Whether the player makes a sound of pain.
    pub(super) pain: bool,
    /// Whether the player shoots.
    pub(super) shot: bool,
    /// Whether there is a teleport effect.
    pub(super) teleport: bool,
    /// Whether a text or a flash announces an item.
    pub(super) item_text: bool,
    /// Whether there is any sound.
    pub(super) sound: bool,
    /// Whether there is any temporary entity.
    pub(super) effect: bool,
}

/// The audit of a Quake recording.
#[derive(Debug, Default)]
pub(super) struct QuakeAudit {
    level: u32,
    frames: u64,
    rules: Rules,
    bits: Bits,
    code: GameCode,
    teleport: Option<u8>,
    /// The clock of the level's first frame, and the number of frames since then.
    first: Option<f64>,
    frames_since: u64,
    last_tick: Option<Tick>,
    /// Whether the current block has the player's state.
    has_state: bool,
    texts: Texts,
    console: words::Console,
    /// The recent interval between frames without a loss.
    rhythm: f64,
    /// The recent steps of the clock.
    steps: VecDeque<f64>,
    late_frames: LateFrames,
    /// The number of levels in which only texts were judged, since their frames came in any order.
    unjudged: u64,
    blows: blows::BlowJudge,
    gains: gains::Gains,
    armor: armor::Armor,
    motion: motion::MotionJudge,
    clock: clock::Clock,
    tempo: tempo::Tempo,
    fall: fall::FallJudge,
    aim: aim::Aim,
}

/// The frames of a level that a network delivered after later ones.
#[derive(Debug, Default)]
struct LateFrames {
    frames: u64,
    count: u64,
    /// The number of late frames in a row.
    running: u32,
}

/// A few late frames, or one in this many, are left out. More of them mean frames in any order.
const MAX_LATE: u64 = 2;
const RARE: u64 = 200;
/// This many late frames in a row mean a clock that was set back.
const SET_BACK: u32 = 8;

impl LateFrames {
    /// Counts a frame, late or not.
    fn add(&mut self, late: bool) {
        self.frames = self.frames.saturating_add(1);
        self.count = self.count.saturating_add(u64::from(late));
        self.running = if late { self.running.saturating_add(1) } else { 0 };
    }

    fn is_lossy(&self) -> bool {
        self.count > MAX_LATE && self.count.saturating_mul(RARE) > self.frames
    }
}

/// Two consecutive frames, and the signs between them.
pub(super) struct FramePair<'a> {
    pub(super) before: &'a Tick,
    pub(super) now: &'a Tick,
    pub(super) signs: &'a Signs,
    pub(super) rules: Rules,
    pub(super) bits: &'a Bits,
    pub(super) world: &'a World,
    pub(super) here: &'a PassPosition,
    /// The time since the level's first frame.
    pub(super) age: f64,
    /// Whether the level has just begun, when players receive their initial items.
    pub(super) fresh: bool,
    /// Whether a frame may be missing between the two: lost by a network, or in single player cut out.
    pub(super) gap: bool,
    /// The shortest of the recent steps.
    pub(super) short: Option<f64>,
    /// The distance between the two frames, with the distances that clock and speed explain.
    pub(super) gait: Option<tempo::FrameDistance>,
}

impl FramePair<'_> {
    /// The time between the frames.
    pub(super) fn step(&self) -> f64 {
        self.now.time - self.before.time
    }

    /// Whether no frame is missing between the two, and they are in order.
    pub(super) fn is_close(&self) -> bool {
        (0.0..=LONGEST_STEP).contains(&self.step())
    }

    pub(super) fn proof(&self, description: String, numbers: &[(&'static str, f64)]) -> Proof {
        Proof::new(self.here, description, numbers)
    }
}

/// The seconds and the frames at the start of a level in which players receive their initial items.
const GIFTS: f64 = 0.15;
const FIRST: u64 = 8;
/// Two frames further apart than this lost a frame between them.
const LONGEST_STEP: f64 = 0.25;
/// After a lost frame, the next one comes after about twice the interval, at least this many times.
const LATE_FACTOR: f64 = 1.75;
/// The growth of the remembered interval per frame, so that a short one is forgotten slowly.
const EASE: f64 = 1.02;
/// The number of remembered steps; a step this many times longer than the shortest of them may have been two.
const LATELY: usize = 7;
const TWO: f64 = 1.8;

/// Whether a step may be two steps with a missing frame between them.
fn may_be_two(step: f64, short: f64) -> bool {
    step > short * TWO
}

impl QuakeAudit {
    /// Takes a message, before its block is examined.
    pub(super) fn message(&mut self, message: &Message<'_>) {
        self.has_state |= matches!(message, Message::ClientData(_));
    }

    /// Examines the world after a block.
    pub(super) fn look(
        &mut self,
        world: &World,
        here: &PassPosition,
        book: &mut FindingList,
        looked: &mut Coverage,
    ) {
        let has_state = std::mem::take(&mut self.has_state);
        let new_level = here.level != self.level;
        let signs = self.signs(world, here, book);
        if new_level {
            self.leave(book);
            self.level = here.level;
            self.rules = Rules::of(world, self.code);
            self.bits = Bits::of(world);
        }
        self.gains.take_signs(&signs, self.code);
        self.motion.take_signs(&signs);
        let is_frame = here.frames != self.frames;
        self.frames = here.frames;
        // Of protocols with lists of entities only the texts are judged: nothing is known of how their servers behave.
        let is_known = world.level.protocol != 0 && !world.level.lists_entities;
        if !is_frame || !is_known || here.from_client {
            return;
        }
        looked.frames = looked.frames.saturating_add(1);
        let now = Tick::of(world, has_state);
        let playing = world.ending.scene == FinalScreen::Play && here.fault.is_none() && now.time.is_finite();
        if !playing {
            self.last_tick = None;
            return;
        }
        // Only a network reorders frames; in a single-player game somebody cut them.
        let several = self.rules.play != GameMode::Solo;
        let late = several && self.last_tick.is_some_and(|before| now.time < before.time);
        self.late_frames.add(late);
        self.rules.lossy = several && self.late_frames.is_lossy();
        if late {
            self.gains.late();
            if self.late_frames.running > SET_BACK {
                self.last_tick = None;
            }
            return;
        }
        let first = *self.first.get_or_insert(now.time);
        let gap = self.gap(&now);
        if let Some(before) = self.last_tick.replace(now) {
            let bits = self.bits;
            let age = now.time - first;
            self.frames_since = self.frames_since.saturating_add(1);
            let pair = FramePair {
                before: &before,
                now: &now,
                signs: &signs,
                rules: self.rules,
                bits: &bits,
                world,
                here,
                age,
                fresh: age < GIFTS || self.frames_since < FIRST,
                gap,
                short: self.steps.iter().copied().min_by(f64::total_cmp),
                gait: tempo::FrameDistance::of(&before, &now),
            };
            self.judge(&pair, book, looked);
        }
    }

    fn judge(&mut self, pair: &FramePair<'_>, book: &mut FindingList, looked: &mut Coverage) {
        if pair.step() < 0.0 {
            return;
        }
        self.clock.judge(pair, &mut self.tempo);
        if !pair.is_close() {
            self.pause();
            return;
        }
        let rest = self.blows.judge(pair, looked);
        self.gains.judge(pair, rest, book);
        self.armor.judge(pair);
        if pair.gap && pair.rules.play != GameMode::Solo {
            self.pause();
        } else {
            let carried = self.motion.judge(pair, &mut self.tempo, book);
            self.tempo.judge(pair);
            self.fall.judge(pair, carried, self.motion.has_sounds());
        }
        self.aim.judge(pair, looked);
    }

    /// Stops all measurements across frames, since a frame is missing.
    fn pause(&mut self) {
        self.motion.forget();
        self.tempo.stop();
        self.fall.stop();
    }

    /// Whether a frame may be missing before this one, lost by a network or cut out, since the step is longer
    /// than the recent ones.
    fn gap(&mut self, now: &Tick) -> bool {
        let step = self.last_tick.map_or(0.0, |before| now.time - before.time);
        if step <= 0.0 {
            return false;
        }
        let missing = self.missing(step);
        if self.rules.play == GameMode::Solo {
            return missing;
        }
        let late = self.rhythm > 0.0 && step > self.rhythm * LATE_FACTOR;
        self.rhythm = if self.rhythm > 0.0 { step.min(self.rhythm * EASE) } else { step };
        late
    }

    /// In single player machines have hitches but no losses: a frame is missing if a step is as long as two
    /// recent ones.
    fn missing(&mut self, step: f64) -> bool {
        let was_two = self.steps.iter().any(|short| may_be_two(step, *short));
        if self.steps.len() >= LATELY {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
        was_two
    }

    /// Judges the evidence of the level at its end.
    fn leave(&mut self, book: &mut FindingList) {
        self.blows.finish_level(self.rules, book);
        self.gains.leave();
        self.armor.finish_level(self.rules, book);
        // A rewritten clock makes every movement look like a cheat, so then only the rewriting is reported.
        let sure = self.clock.sure().saturating_add(self.motion.sure());
        let clocked = !self.tempo.leave(self.rules, sure, book);
        self.motion.leave(self.rules, clocked, book);
        self.fall.leave(self.rules, clocked, book);
        self.clock.leave(self.rules, clocked, book);
        self.aim.finish_level(book);
        self.unjudged = self.unjudged.saturating_add(u64::from(self.rules.lossy));
        self.late_frames = LateFrames::default();
        self.last_tick = None;
        (self.first, self.frames_since) = (None, 0);
        self.rhythm = 0.0;
        self.steps.clear();
    }

    /// Handles the end of the recording.
    pub(super) fn end(&mut self, book: &mut FindingList, looked: &mut Coverage) {
        self.leave(book);
        self.gains.end(book);
        looked.game_code = self.code;
        looked.lossy_levels = self.unjudged;
    }

    /// The weight of a command that the client sent; `None` if it is not a cheat. Engines and id's game code
    /// refuse cheats in deathmatch, and in other game code the impulses of cheats may choose weapons.
    pub(super) fn weigh_command(&self, text: &[u8]) -> Option<AuditSeverity> {
        let (command, impulse) = (words::command(text), words::impulse(text));
        let works = self.rules.play != GameMode::Deathmatch && (command || self.rules.original);
        let weight = if works { AuditCode::CheatCommand.severity() } else { AuditSeverity::Note };
        (command || impulse).then_some(weight)
    }

    fn signs(&mut self, world: &World, here: &PassPosition, book: &mut FindingList) -> Signs {
        let mut signs = Signs::default();
        for happening in &world.moment {
            match happening {
                Happening::Sound(sound) => {
                    signs.sound = true;
                    self.own_sound(world, sound, &mut signs);
                }
                Happening::Effect(effect) => {
                    signs.effect = true;
                    signs.teleport |= self.teleports(effect);
                }
                Happening::Damage(blow) => signs.blow = Some(*blow),
                Happening::Flash => signs.item_text = true,
                Happening::Command(text) => signs.item_text |= text.bytes().trim_ascii() == FLASH,
                Happening::CenterPrint(text) => {
                    signs.words = true;
                    let rune = text.bytes().starts_with(RUNE_TEXT);
                    signs.in_texts.others = signs.in_texts.others.saturating_add(i32::from(rune));
                }
                Happening::Print(text) => {
                    signs.words = true;
                    let text = text.bytes();
                    if let Some(code) = GameCode::of_version(text) {
                        self.code = code;
                    }
                    signs.in_texts.add(self.texts.add(text));
                    signs.item_text |= ITEM_TEXTS.iter().any(|start| text.starts_with(start));
                    let names = world.players.iter().map(|player| player.name.bytes());
                    self.console.print(text, names, || text_proof(here, text), book);
                }
                _ => {}
            }
        }
        self.console.flush(book);
        signs
    }

    fn own_sound(&self, world: &World, sound: &Sound, signs: &mut Signs) {
        if i32::from(sound.source.entity) != i32::from(world.view.entity) {
            return;
        }
        let name = world.level.sounds.get(usize::from(sound.number));
        let starts = |starts: &[&[u8]]| starts.iter().any(|start| name.starts_with(start));
        signs.item_sound |= starts(ITEM_SOUNDS) && !WATER_SOUNDS.contains(&name);
        signs.in_sounds.add(ItemAmounts::of_sound(name, self.rules.play == GameMode::Solo));
        signs.pain |= starts(PAIN_SOUNDS);
        signs.wind |= name == WIND_SOUND;
        signs.noise |= !name.starts_with(BODY_SOUNDS);
        signs.shot |= sound.source.channel == WEAPON_CHANNEL;
    }

    fn teleports(&mut self, effect: &Effect) -> bool {
        let teleport = match self.teleport {
            Some(kind) => kind,
            None => *self.teleport.insert(number(TEMP_ENTITY, "TE_TELEPORT").unwrap_or(u8::MAX)),
        };
        effect.kind == teleport
    }
}

/// A proof with a text of the game.
pub(super) fn text_proof(here: &PassPosition, text: &[u8]) -> Proof {
    Proof::new(here, format!("\"{}\"", text.trim_ascii().escape_ascii()), &[])
}

/// The command with which game code of protocol 15 makes the screen flash for an item.
// not from SCHEMA: the command of the console, of which the message is a copy
const FLASH: &[u8] = b"bf";

/// The first words of texts about items; the misspelled one is `LibreQuake`'s.
const ITEM_TEXTS: [&[u8]; 4] = [b"You got", b"You get", b"You receive", b"You receieve"];

/// The first words of the center print about a rune.
const RUNE_TEXT: &[u8] = b"You got the rune";

/// The sounds of items, which the player who takes them makes.
const ITEM_SOUNDS: &[&[u8]] =
    &[b"items/", b"weapons/pkup", b"weapons/lock4", b"misc/", b"hipitems/", b"runes/"];

/// The sounds of a player in water or leaving it, in the same folder as those of items.
const WATER_SOUNDS: &[&[u8]] =
    &[b"misc/outwater.wav", b"misc/water1.wav", b"misc/water2.wav", b"misc/h2ohit1.wav"];

/// The sounds of a player whom a blow hurts; in god mode he is silent.
const PAIN_SOUNDS: &[&[u8]] = &[b"player/pain", b"player/axhit", b"player/drown", b"player/lburn"];

/// The sound of a player in a wind.
const WIND_SOUND: &[u8] = b"ambience/windfly.wav";

/// The folder of the body's sounds: jumps, landings, pain.
const BODY_SOUNDS: &[u8] = b"player/";

/// The channel of shots.
const WEAPON_CHANNEL: u8 = value(SOUND_CHANNEL, "CHAN_WEAPON") as u8;
