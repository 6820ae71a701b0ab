//! The audit of a Quake recording: a look at the recording player after each frame, handed to the judges.
//!
//! A frame is a block with a `time`; what servers send apart from frames (texts, commands) comes in blocks between.

mod aim;
mod armor;
mod blows;
mod clock;
mod fall;
mod gains;
mod goods;
mod motion;
mod tempo;

use super::book::{Book, Proof};
use super::findings::Code;
use super::rules::{Bits, GameCode, Play, Rules, number};
use super::{Looked, words};
use goods::{Goods, Texts};
use moviola_analyse::space::length;
use moviola_analyse::{Here, Severity};
use moviola_format::dem::Message;
use moviola_format::names::quake::TEMP_ENTITY;
use moviola_state::quake::{Damage, Effect, Happening, Scene, Sound, Stat, Vitals, World};
use std::collections::VecDeque;

/// The player after a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tick {
    pub(super) time: f64,
    pub(super) health: i32,
    pub(super) armor: i32,
    /// Shells, nails, rockets, cells.
    pub(super) ammo: [i32; 4],
    /// The weapon in hand, as sent.
    pub(super) weapon: i32,
    pub(super) vitals: Vitals,
    /// Units a second.
    pub(super) velocity: [f64; 3],
    /// Where the player is; none where the player's own entity is not to be seen.
    pub(super) origin: Option<[f64; 3]>,
    /// The eyes are the player's own.
    pub(super) own_eyes: bool,
    /// Pitch and yaw.
    pub(super) angles: [f64; 2],
    /// The block told this state; if not, all of it is the one before.
    pub(super) told: bool,
}

impl Tick {
    fn of(world: &World, told: bool) -> Self {
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
            told,
        }
    }

    /// Alive and in play, so that id's rules hold.
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

/// The unit in which the player's speed is told.
const SPEED_UNIT: f64 = 16.0;

/// What begins in a block and matters to an audit.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a sign of its own, and any mix comes")]
pub(super) struct Signs {
    pub(super) blow: Option<Damage>,
    /// The player makes the sound of an item.
    pub(super) item_sound: bool,
    /// What items of id's game are heard and read of.
    pub(super) heard: Goods,
    pub(super) read: Goods,
    /// The player makes any other sound than those of the body.
    pub(super) noise: bool,
    /// The player is heard to be in a wind.
    pub(super) wind: bool,
    /// Anything is written on the console or on the screen.
    pub(super) words: bool,
    /// The player cries.
    pub(super) pain: bool,
    /// The player shoots.
    pub(super) shot: bool,
    /// Something teleports.
    pub(super) teleport: bool,
    /// A text or a flash speaks of an item.
    pub(super) item_text: bool,
    /// Anything is heard.
    pub(super) sound: bool,
    /// Anything begins that is seen by itself.
    pub(super) effect: bool,
}

/// The audit of a Quake recording.
#[derive(Debug, Default)]
pub(super) struct Quake {
    level: u32,
    frames: u64,
    rules: Rules,
    bits: Bits,
    code: GameCode,
    teleport: Option<u8>,
    /// When the level's first frame was, by its clock, and how many there were since.
    first: Option<f64>,
    since: u64,
    before: Option<Tick>,
    /// The block told the player's state.
    told: bool,
    texts: Texts,
    console: words::Console,
    /// How far apart frames were lately, where none was lost.
    rhythm: f64,
    /// The last steps.
    steps: VecDeque<f64>,
    late: Late,
    /// Levels of which nothing but words was judged, since their frames came in any order.
    unjudged: u64,
    blows: blows::Blows,
    gains: gains::Gains,
    armor: armor::Armor,
    motion: motion::Motion,
    clock: clock::Clock,
    tempo: tempo::Tempo,
    fall: fall::Fall,
    aim: aim::Aim,
}

/// Frames of a level that a network brought after later ones.
#[derive(Debug, Default)]
struct Late {
    frames: u64,
    count: u64,
    /// How many of them came one after the other.
    running: u32,
}

/// A few late frames, or one in so many, are left out; more are another order.
const FEW: u64 = 2;
const RARE: u64 = 200;
/// So many late frames in a row are a clock that was set back.
const SET_BACK: u32 = 8;

impl Late {
    /// Counts a frame, late or not.
    fn add(&mut self, late: bool) {
        self.frames = self.frames.saturating_add(1);
        self.count = self.count.saturating_add(u64::from(late));
        self.running = if late { self.running.saturating_add(1) } else { 0 };
    }

    fn is_lossy(&self) -> bool {
        self.count > FEW && self.count.saturating_mul(RARE) > self.frames
    }
}

/// Two frames that follow each other, and what happened between them.
pub(super) struct Pair<'a> {
    pub(super) before: &'a Tick,
    pub(super) now: &'a Tick,
    pub(super) signs: &'a Signs,
    pub(super) rules: Rules,
    pub(super) bits: &'a Bits,
    pub(super) world: &'a World,
    pub(super) here: &'a Here,
    /// How long after the level's first frame.
    pub(super) age: f64,
    /// The level has just begun: what players get comes with the game.
    pub(super) fresh: bool,
    /// A frame may be missing between the two: a network lost it, or alone, somebody cut it out.
    pub(super) gap: bool,
    /// The shortest of the last steps.
    pub(super) short: Option<f64>,
    /// How the way fits clock and speed.
    pub(super) gait: Option<tempo::Gait>,
}

impl Pair<'_> {
    /// How much time went by.
    pub(super) fn step(&self) -> f64 {
        self.now.time - self.before.time
    }

    /// Neither a frame is missing between the two nor another order possible.
    pub(super) fn is_close(&self) -> bool {
        (0.0..=LONGEST_STEP).contains(&self.step())
    }

    pub(super) fn proof(&self, says: String, numbers: &[(&'static str, f64)]) -> Proof {
        Proof::new(self.here, says, numbers)
    }
}

/// What players get in the first moments of a level, and in its first frames, comes with the game.
const GIFTS: f64 = 0.15;
const FIRST: u64 = 8;
/// Two frames that are farther apart have lost something between them.
const LONGEST_STEP: f64 = 0.25;
/// Where a frame was lost, the next one comes after twice the time, or nearly so.
const LATE: f64 = 1.75;
/// How fast it is forgotten that frames came in quick succession.
const EASE: f64 = 1.02;
/// A step may have been two if it is as long as two of the shortest one lately, or nearly so.
const LATELY: usize = 7;
const TWO: f64 = 1.8;

/// Whether a step may be two, between which a frame is missing.
fn may_be_two(step: f64, short: f64) -> bool {
    step > short * TWO
}

impl Quake {
    /// A message, before the look at its block.
    pub(super) fn message(&mut self, message: &Message<'_>) {
        self.told |= matches!(message, Message::ClientData(_));
    }

    /// A look at the world after a block.
    pub(super) fn look(&mut self, world: &World, here: &Here, book: &mut Book, looked: &mut Looked) {
        let told = std::mem::take(&mut self.told);
        let new_level = here.level != self.level;
        let signs = self.signs(world, here, book);
        if new_level {
            self.leave(book);
            self.level = here.level;
            self.rules = Rules::of(world, self.code);
            self.bits = Bits::of(world);
        }
        self.gains.notice(&signs, self.code);
        self.motion.notice(&signs);
        let is_frame = here.frames != self.frames;
        self.frames = here.frames;
        if !is_frame || world.level.protocol == 0 || here.from_client {
            return;
        }
        looked.frames = looked.frames.saturating_add(1);
        let now = Tick::of(world, told);
        let playing = world.ending.scene == Scene::Play && here.fault.is_none() && now.time.is_finite();
        if !playing {
            self.before = None;
            return;
        }
        // Only a network brings frames in another order; in a game for one player somebody cut.
        let several = self.rules.play != Play::Solo;
        let late = several && self.before.is_some_and(|before| now.time < before.time);
        self.late.add(late);
        self.rules.lossy = several && self.late.is_lossy();
        if late {
            self.gains.late();
            if self.late.running > SET_BACK {
                self.before = None;
            }
            return;
        }
        let first = *self.first.get_or_insert(now.time);
        let gap = self.gap(&now);
        if let Some(before) = self.before.replace(now) {
            let bits = self.bits;
            let age = now.time - first;
            self.since = self.since.saturating_add(1);
            let pair = Pair {
                before: &before,
                now: &now,
                signs: &signs,
                rules: self.rules,
                bits: &bits,
                world,
                here,
                age,
                fresh: age < GIFTS || self.since < FIRST,
                gap,
                short: self.steps.iter().copied().min_by(f64::total_cmp),
                gait: tempo::Gait::of(&before, &now),
            };
            self.judge(&pair, book, looked);
        }
    }

    fn judge(&mut self, pair: &Pair<'_>, book: &mut Book, looked: &mut Looked) {
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
        if pair.gap && pair.rules.play != Play::Solo {
            self.pause();
        } else {
            let carried = self.motion.judge(pair, &mut self.tempo, book);
            self.tempo.judge(pair);
            self.fall.judge(pair, carried, self.motion.hears());
        }
        self.aim.judge(pair, looked);
    }

    /// A frame is missing: no way goes on.
    fn pause(&mut self) {
        self.motion.forget();
        self.tempo.stop();
        self.fall.stop();
    }

    /// Whether a frame may be missing before this one, as networks lose them, or somebody cuts them out: the step is
    /// longer than it was lately.
    fn gap(&mut self, now: &Tick) -> bool {
        let step = self.before.map_or(0.0, |before| now.time - before.time);
        if step <= 0.0 {
            return false;
        }
        let missing = self.missing(step);
        if self.rules.play == Play::Solo {
            return missing;
        }
        let late = self.rhythm > 0.0 && step > self.rhythm * LATE;
        self.rhythm = if self.rhythm > 0.0 { step.min(self.rhythm * EASE) } else { step };
        late
    }

    /// Alone, machines have hitches and no losses: a step is as long as two of late, or as one.
    fn missing(&mut self, step: f64) -> bool {
        let was_two = self.steps.iter().any(|short| may_be_two(step, *short));
        if self.steps.len() >= LATELY {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
        was_two
    }

    /// The level is over: what was held back is decided.
    fn leave(&mut self, book: &mut Book) {
        self.blows.leave(self.rules, book);
        self.gains.leave();
        self.armor.leave(self.rules, book);
        // A clock that was written anew makes a cheat of every way, and of itself.
        let sure = self.clock.sure().saturating_add(self.motion.sure());
        let clocked = !self.tempo.leave(self.rules, sure, book);
        self.motion.leave(self.rules, clocked, book);
        self.fall.leave(self.rules, clocked, book);
        self.clock.leave(self.rules, clocked, book);
        self.aim.leave(book);
        self.unjudged = self.unjudged.saturating_add(u64::from(self.rules.lossy));
        self.late = Late::default();
        self.before = None;
        (self.first, self.since) = (None, 0);
        self.rhythm = 0.0;
        self.steps.clear();
    }

    /// The recording is over.
    pub(super) fn end(&mut self, book: &mut Book, looked: &mut Looked) {
        self.leave(book);
        self.gains.end(book);
        looked.game_code = self.code;
        looked.lossy_levels = self.unjudged;
    }

    /// How much a command weighs that the client sent; none is no cheat. Engines and id's game code refuse cheats in
    /// deathmatch, and in other game code the impulses of cheats may choose weapons.
    pub(super) fn weigh_command(&self, text: &[u8]) -> Option<Severity> {
        let (command, impulse) = (words::command(text), words::impulse(text));
        let works = self.rules.play != Play::Deathmatch && (command || self.rules.original);
        let weight = if works { Code::CheatCommand.severity() } else { Severity::Note };
        (command || impulse).then_some(weight)
    }

    fn signs(&mut self, world: &World, here: &Here, book: &mut Book) -> Signs {
        let mut signs = Signs::default();
        for happening in &world.moment {
            match happening {
                Happening::Sound(sound) => {
                    signs.sound = true;
                    self.heard(world, sound, &mut signs);
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
                    signs.read.others = signs.read.others.saturating_add(i32::from(rune));
                }
                Happening::Print(text) => {
                    signs.words = true;
                    let text = text.bytes();
                    if let Some(code) = GameCode::told(text) {
                        self.code = code;
                    }
                    signs.read.add(self.texts.add(text));
                    signs.item_text |= ITEM_TEXTS.iter().any(|start| text.starts_with(start));
                    let names = world.players.iter().map(|player| player.name.bytes());
                    self.console.print(text, names, || said(here, text), book);
                }
                _ => {}
            }
        }
        self.console.flush(book);
        signs
    }

    fn heard(&self, world: &World, sound: &Sound, signs: &mut Signs) {
        if i32::from(sound.source.entity) != i32::from(world.view.entity) {
            return;
        }
        let name = world.level.sounds.get(usize::from(sound.number));
        let starts = |starts: &[&[u8]]| starts.iter().any(|start| name.starts_with(start));
        signs.item_sound |= starts(ITEM_SOUNDS) && !WATER_SOUNDS.contains(&name);
        signs.heard.add(Goods::heard(name, self.rules.play == Play::Solo));
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

/// What the game said.
pub(super) fn said(here: &Here, text: &[u8]) -> Proof {
    Proof::new(here, format!("\"{}\"", text.trim_ascii().escape_ascii()), &[])
}

/// The command by which game code of protocol 15 makes the screen flash for an item.
// schema-once: the command of the console, of which the message is a copy
const FLASH: &[u8] = b"bf";

/// How the texts begin that speak of items; the second of the misspelled is `LibreQuake`'s.
const ITEM_TEXTS: [&[u8]; 4] = [b"You got", b"You get", b"You receive", b"You receieve"];

/// How the text in the middle of the screen begins that speaks of a rune.
const RUNE_TEXT: &[u8] = b"You got the rune";

/// What items sound like, on the player who takes them.
const ITEM_SOUNDS: &[&[u8]] =
    &[b"items/", b"weapons/pkup", b"weapons/lock4", b"misc/", b"hipitems/", b"runes/"];

/// What a player sounds like in water and leaving it, in the same folder as items.
const WATER_SOUNDS: &[&[u8]] =
    &[b"misc/outwater.wav", b"misc/water1.wav", b"misc/water2.wav", b"misc/h2ohit1.wav"];

/// What a player sounds like whom a blow hurts; who is in god mode is silent.
const PAIN_SOUNDS: &[&[u8]] = &[b"player/pain", b"player/axhit", b"player/drown", b"player/lburn"];

/// What a player sounds like in a wind.
const WIND_SOUND: &[u8] = b"ambience/windfly.wav";

/// Where the sounds of a body are: jumps, landings, pain.
const BODY_SOUNDS: &[u8] = b"player/";

/// The channel of shots.
const WEAPON_CHANNEL: u8 = 1;
