//! Makes events of Quake from the changes of the world in a block, and from its happenings.

mod items;
pub(crate) mod pickup;
mod recorder;
pub(crate) mod scores;
pub(crate) mod tables;

use crate::events::boss::Bosses;
use crate::events::chat::{LineMeaning, Roster, recognize};
use crate::events::command::command;
use crate::events::presence::{joins, leaves, slot_changed};
use crate::events::queue::{EventQueue, WaitEnd};
use crate::lines::{Line, Lines};
use crate::obituary::{quake::ROWS, quakeworld};
use crate::standing::Standing;
use crate::{EventKind, Evidence, GameText, PassPosition};
use items::LevelItems;
use moviola_format::names::quake::TEMP_ENTITY;
use moviola_format::names::value;
use moviola_format::{Coord, OpenCommand, Placement};
use moviola_state::quake::{
    Effect, Entity, FinalScreen, Happening, Level, MissionPack, PLAYING, Player, Sound, Stat, World,
};
use pickup::{by_sound, sort_of, taken};
use recorder::RecorderState;
use std::sync::Arc;
use tables::{ItemKind, ModelMeaning, SoundMeaning, map_name};

/// The state of the world kept between blocks, for comparison, and the events made from it.
#[derive(Debug, Default)]
pub(crate) struct QuakeEvents {
    pub(crate) out: EventQueue,
    /// The level whose events are being made; 0 before the first.
    level: u32,
    files: Files,
    /// The number of happenings of the block that were handled when another level was announced in it.
    done: usize,
    /// Whether the server's version was printed before its level.
    announced: bool,
    lines: Lines,
    commands: OpenCommand,
    roster: Roster,
    players: Arc<Vec<Player>>,
    scene: FinalScreen,
    /// The kind of the level's end, and its time.
    ending: Option<(&'static str, Option<f64>)>,
    /// Where the player was in a cutscene that may have been the end.
    stands: Option<[f32; 3]>,
    counts: Counts,
    paused: bool,
    disconnected: bool,
    recorder: RecorderState,
    items: LevelItems,
    bosses: Bosses,
    /// The number of shots in the block, and of pellets that hit walls and flesh.
    shots: u32,
    pellets: [u8; 2],
    /// Recent changes of scores: block, slot, difference.
    changes: Vec<(u64, u8, i32)>,
}

/// The meanings of a level's numbers of models and sounds.
#[derive(Debug, Default)]
struct Files {
    map: Option<GameText>,
    pack: MissionPack,
    sounds: Vec<SoundMeaning>,
    models: Vec<ModelMeaning>,
}

impl Files {
    fn of(level: &Level) -> Self {
        let map = level.models.get(1);
        Self {
            map: (!map.is_empty()).then(|| GameText::new(map_name(map))),
            pack: MissionPack::of(&level.models),
            sounds: level.sounds.iter().map(|name| SoundMeaning::of(name.bytes())).collect(),
            models: level.models.iter().map(|name| ModelMeaning::of(name.bytes())).collect(),
        }
    }

    fn sound(&self, number: u16) -> SoundMeaning {
        self.sounds.get(usize::from(number)).copied().unwrap_or(SoundMeaning::Nothing)
    }

    fn model(&self, number: u16) -> ModelMeaning {
        self.models.get(usize::from(number)).copied().unwrap_or(ModelMeaning::Nothing)
    }
}

/// Monsters and secrets.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    kills: i32,
    total_kills: i32,
    secrets: i32,
    total_secrets: i32,
}

impl Counts {
    fn of(world: &World) -> Self {
        let get = |stat| world.stats.get(stat);
        Self {
            kills: get(Stat::Monsters),
            total_kills: get(Stat::TotalMonsters),
            secrets: get(Stat::Secrets),
            total_secrets: get(Stat::TotalSecrets),
        }
    }
}

/// The color of blood, and its amount for a pellet, without and with quad damage.
const BLOOD: u8 = 73;
const PELLET: [u8; 2] = [8, 32];

/// The number of blocks by which a line may follow its event: half a second or more.
const MAX_LINE_DELAY: u64 = 40;

/// The number of blocks by which the sound may follow the line: two frames of a server, each of which can be
/// several blocks on a client with a slow connection.
const MAX_SCORE_DELAY: u64 = 6;

/// Where an entity is.
fn origin_of(entity: &Entity) -> [f32; 3] {
    entity.place.origin.map(|place| place.value() as f32)
}

/// Maps that end with a cutscene instead of an intermission, from `JoeQuake`'s list.
const CUTSCENE_ENDS: [&str; 3] = ["hipend", "mexx8", "r2m8"];

impl QuakeEvents {
    /// Handles the end of a block.
    pub(crate) fn step(&mut self, world: &World, here: &PassPosition) {
        self.enter(world, here);
        self.observe(world, world.moment.len(), here);
        if std::mem::take(&mut self.announced) {
            // Id's servers do not end the line.
            self.flush(here);
        }
        self.done = 0;
    }

    /// Handles a new level within a block.
    pub(crate) fn leave(&mut self, world: &World, here: &PassPosition) {
        self.enter(world, here);
        // The version print precedes the announcement of a level, and belongs to that level.
        self.announced = world.moment.last().is_some_and(
            |it| matches!(it, Happening::Print(text) if moviola_format::names::engine(text.bytes()).is_some()),
        );
        let upto = world.moment.len().saturating_sub(usize::from(self.announced)).max(self.done);
        self.observe(world, upto, here);
        self.done = upto;
        self.close(here);
    }

    /// Handles the end of the file.
    pub(crate) fn end(&mut self, here: &PassPosition) {
        self.close(here);
    }

    /// The scores, by slot.
    pub(crate) fn board(&self) -> Vec<Standing> {
        let players = (0..=u8::MAX).zip(self.players.iter());
        let named = players.filter(|(_, player)| !player.name.is_empty());
        named
            .map(|(slot, player)| Standing {
                slot,
                name: GameText::new(player.name.bytes()).line(),
                name_hex: GameText::new(player.name.bytes()).line_hex(),
                frags: Some(player.frags.into()),
                colors: Some([player.colors.0 >> 4, player.colors.0 & 15]),
            })
            .collect()
    }

    /// Ends the open line.
    fn flush(&mut self, here: &PassPosition) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.flush(&mut |line| self.line(&line, here));
        self.lines = lines;
    }

    /// Makes the remaining events of the level.
    fn close(&mut self, here: &PassPosition) {
        self.flush(here);
        if self.level == 0 {
            return;
        }
        let (how, seconds) = self.ending.unwrap_or(("left", None));
        let Counts { kills, total_kills, secrets, total_secrets } = self.counts;
        let (total_kills, total_secrets) = (Some(total_kills), Some(total_secrets));
        let (kills, secrets) = (Some(kills), Some(secrets));
        let kind = EventKind::LevelEnd {
            map: self.files.map.clone(),
            how,
            seconds,
            kills,
            total_kills,
            secrets,
            total_secrets,
        };
        // The rest of the block belongs to the next level, so the event gets the number of the old one.
        let here = PassPosition { level: self.level, ..*here };
        self.out.push(&here, kind, Evidence::MESSAGE);
        self.level = 0;
    }

    /// Begins a level, if one was announced.
    fn enter(&mut self, world: &World, here: &PassPosition) {
        if self.level == here.level {
            return;
        }
        let level = &world.level;
        *self = Self {
            out: std::mem::take(&mut self.out),
            lines: std::mem::take(&mut self.lines),
            done: self.done,
            announced: self.announced,
            level: here.level,
            files: Files::of(level),
            players: Arc::clone(&world.players),
            ..Self::default()
        };
        self.roster.set(named(&self.players));
        let kind = EventKind::LevelStart {
            map: self.files.map.clone(),
            title: GameText::new(level.title.bytes()),
            protocol: level.protocol,
            max_clients: level.max_clients,
        };
        self.out.push(here, kind, Evidence::MESSAGE);
    }

    /// Adds the events of all changes since the last call, and of the happenings up to an index.
    fn observe(&mut self, world: &World, upto: usize, here: &PassPosition) {
        self.counts = Counts::of(world);
        self.note_positions(world);
        if !Arc::ptr_eq(&self.players, &world.players) {
            self.observe_players(world, here);
        }
        self.items.observe(world, here, &self.files, &self.roster, &mut self.out);
        self.recorder.gain(world, self.files.pack, here);
        self.happen(world, upto, here);
        self.recorder.observe(world, here, &self.files, &mut self.out);
        self.observe_scene(world, here);
    }

    /// Notes the positions of players.
    fn note_positions(&mut self, world: &World) {
        /// A player who is moved this far during a cutscene was not standing still.
        const GOES_ON: f32 = 64.0;
        self.out.own = world.eyes().filter(|eyes| eyes.place != Placement::default()).map(origin_of);
        if let Some(stood) = self.stands
            && world.is_played()
            && let Some(here) = world.eyes().map(origin_of)
            && stood.iter().zip(here).any(|(stood, here)| (stood - here).abs() > GOES_ON)
        {
            // The cutscene was not the end: the player walked on.
            (self.stands, self.ending) = (None, None);
        }
        self.out.seen.clear();
        let shown =
            |slot: u8| world.entity(u16::from(slot).saturating_add(1)).filter(|it| it.is_shown(&world.clock));
        let slots = (0..world.level.max_clients).filter_map(|slot| Some((slot, origin_of(shown(slot)?))));
        self.out.seen.extend(slots);
    }

    fn observe_scene(&mut self, world: &World, here: &PassPosition) {
        if self.scene != world.ending.scene {
            self.scene = world.ending.scene;
            let text = GameText::new(world.ending.text.bytes());
            let time = Some(f64::from(world.ending.time.value())).filter(|it| it.is_finite());
            let (kind, how) = match self.scene {
                FinalScreen::Play => return,
                // not from SCHEMA: an ending of a level
                FinalScreen::Intermission => (EventKind::Intermission {}, "intermission"),
                // not from SCHEMA: an ending of a level
                FinalScreen::Finale => (EventKind::Finale { text }, "finale"),
                // not from SCHEMA: an ending of a level
                FinalScreen::Cutscene => (EventKind::Cutscene { text }, "cutscene"),
            };
            self.out.push(here, kind, Evidence::MESSAGE);
            let map = self.files.map.as_ref().map_or("", GameText::text);
            // A deathmatch ends when a limit is reached, so its duration is not the time of a run.
            let is_run = world.level.game_type == 0;
            let counts = is_run && (self.scene != FinalScreen::Cutscene || CUTSCENE_ENDS.contains(&map));
            if self.ending.is_none_or(|(_, seconds)| seconds.is_none() && counts) {
                self.ending = Some((how, time.filter(|_| counts)));
                let may_go_on = self.scene == FinalScreen::Cutscene && !counts;
                self.stands = world.eyes().filter(|_| may_go_on).map(origin_of);
            }
        }
        if self.paused != world.paused {
            self.paused = world.paused;
            self.out.push(here, EventKind::Pause { on: world.paused }, Evidence::MESSAGE);
        }
        if !self.disconnected && world.disconnected {
            self.disconnected = true;
            self.out.push(here, EventKind::Disconnect {}, Evidence::MESSAGE);
        }
    }

    fn observe_players(&mut self, world: &World, here: &PassPosition) {
        let old_players = std::mem::replace(&mut self.players, Arc::clone(&world.players));
        let old_roster = self.roster.clone();
        self.roster.set(named(&self.players));
        // Before the connection is complete, all present players are announced.
        if world.signon < PLAYING {
            return;
        }
        let none = Player::default();
        let players = Arc::clone(&self.players);
        for (slot, player) in (0..=u8::MAX).zip(players.iter()) {
            let old = old_players.get(usize::from(slot)).unwrap_or(&none);
            if old == player {
                continue;
            }
            let event_player = self.roster.slot(slot);
            let before = old_roster.slot(slot);
            if !slot_changed(&mut self.out, before, &event_player, here, MAX_LINE_DELAY) {
                continue;
            }
            if old.colors != player.colors {
                let (shirt, pants) = (Some(player.colors.0 >> 4), Some(player.colors.0 & 15));
                let kind = EventKind::Recolor { player: event_player.clone(), shirt, pants, skin: None };
                self.out.push(here, kind, Evidence::PLAYERS);
            }
            if old.frags != player.frags {
                let frags = i32::from(player.frags);
                let change = frags.saturating_sub(old.frags.into());
                self.out.push(
                    here,
                    EventKind::Frags { player: event_player, frags, change },
                    Evidence::FRAGS,
                );
                self.changes.retain(|(block, ..)| block.saturating_add(1) >= here.block);
                self.changes.push((here.block, slot, change));
                scores::settle(&mut self.out, &self.roster, slot, change);
            }
        }
    }

    /// Adds the events of the block's happenings.
    fn happen(&mut self, world: &World, upto: usize, here: &PassPosition) {
        let mut flash = false;
        self.shots = 0;
        self.pellets = [0; 2];
        let moment = world.moment.get(self.done..upto).unwrap_or_default();
        let count = |one: fn(&Happening) -> bool| {
            i32::try_from(moment.iter().filter(|it| one(it)).count()).unwrap_or_default()
        };
        let mut kills = self.counts.kills.saturating_sub(count(|it| matches!(it, Happening::Kill)));
        let mut secrets = self.counts.secrets.saturating_sub(count(|it| matches!(it, Happening::Secret)));
        for happening in moment {
            match happening {
                Happening::Sound(sound) => self.sound(world, sound, here),
                Happening::Effect(effect) => self.effect(world, effect, here),
                Happening::Print(text) => self.print(text.bytes(), here),
                Happening::CenterPrint(text) => {
                    let kind = EventKind::Centerprint { text: GameText::new(text.bytes()) };
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
                // not from SCHEMA: the command that makes the screen flash
                Happening::Command(text) if text.bytes().trim_ascii() == b"bf" => flash = true,
                Happening::Flash => flash = true,
                Happening::Command(text) => {
                    let kind = command(&mut self.commands, text.bytes(), here.block);
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
                Happening::Particles(it) if it.color == BLOOD && PELLET.contains(&it.count) => {
                    self.pellets[1] = self.pellets[1].saturating_add(1);
                }
                Happening::Damage(damage) => {
                    recorder::damage(world, damage, here, &self.files, &mut self.out);
                }
                Happening::Kill => {
                    // `kills` begins with the count before the block, so that each event has a count of its own.
                    kills = kills.saturating_add(1);
                    let total = Some(self.counts.total_kills);
                    self.items.monster(world, here, &self.files, (kills, total), &mut self.out);
                }
                Happening::Secret => {
                    secrets = secrets.saturating_add(1);
                    let total = Some(self.counts.total_secrets);
                    self.out.push(here, EventKind::Secret { secrets, total }, Evidence::MESSAGE);
                }
                _ => {}
            }
        }
        self.follow_pellets();
        if flash {
            self.out.amend(|event| {
                let is_recent = event.block.saturating_add(2) >= here.block;
                if is_recent && matches!(event.kind, EventKind::Pickup { .. }) {
                    event.evidence |= Evidence::FLASH;
                }
                false
            });
        }
    }

    fn sound(&mut self, world: &World, sound: &Sound, here: &PassPosition) {
        let entity = sound.source.entity;
        let by_player = (1..=u16::from(world.level.max_clients)).contains(&entity);
        match self.files.sound(sound.number) {
            SoundMeaning::Pickup(sort) if by_player => {
                let own = i32::from(entity) == i32::from(world.view.entity);
                let origin = sound.origin.map(Coord::value);
                self.items.taken(here, sort, origin, Some(own), &mut self.out);
                if own {
                    let evidence = Evidence::SOUND | self.recorder.gained(sort, here);
                    // If packets were lost or reordered, the line precedes the sound.
                    let is_amended = self.out.amend(|event| match &event.kind {
                        EventKind::Pickup { item, .. }
                            if !event.evidence.has(Evidence::SOUND) && sort_of(item.bytes()) == sort =>
                        {
                            event.evidence |= evidence;
                            true
                        }
                        _ => false,
                    });
                    if is_amended {
                        return;
                    }
                    let kind = EventKind::pickup(GameText::new(by_sound(sort)), None);
                    let doubt = WaitEnd::NeedsMore(Evidence::SOUND | Evidence::FLASH);
                    self.out.hold(here, kind, evidence, here.block.saturating_add(MAX_LINE_DELAY), doubt);
                }
            }
            SoundMeaning::Shot(weapon) if by_player => {
                self.shot(world, entity, weapon, Evidence::SOUND, here);
            }
            // This shot is a monster's, so its pellets must not count for a player.
            SoundMeaning::Shot(_) => self.shots = self.shots.saturating_add(1),
            SoundMeaning::Nothing | SoundMeaning::Pickup(_) => {}
            SoundMeaning::Back => self.items.mark_return(entity),
            SoundMeaning::Boss(boss) => {
                let origin = Some(sound.origin.map(Coord::value));
                self.bosses.hear(boss, origin, here, &mut self.out);
            }
        }
    }

    /// In a block with a single shot, its pellets can be traced: each that hits a wall is an effect, each
    /// that hits flesh a puff of blood. A pellet that flies into the sky is neither.
    fn follow_pellets(&mut self) {
        let [walls, flesh] = self.pellets;
        if self.shots != 1 {
            return;
        }
        if let Some(EventKind::Shot { weapon, pellets, hits, own: true, .. }) = self.out.last_shot() {
            let fired = match *weapon {
                "Shotgun" => 6,
                "Super Shotgun" => 14,
                _ => return,
            };
            if walls.saturating_add(flesh) <= fired {
                (*pellets, *hits) = (Some(fired), Some(flesh));
            }
        }
    }

    fn shot(
        &mut self,
        world: &World,
        entity: u16,
        weapon: &'static str,
        evidence: Evidence,
        here: &PassPosition,
    ) {
        let own = i32::from(entity) == i32::from(world.view.entity);
        let slot = entity.checked_sub(1).and_then(|slot| u8::try_from(slot).ok()).unwrap_or_default();
        let evidence = evidence.with(Evidence::STATS, own && self.recorder.spent(here));
        let kind = EventKind::Shot { player: self.roster.slot(slot), weapon, own, pellets: None, hits: None };
        self.shots = self.shots.saturating_add(1);
        self.out.push(here, kind, evidence);
    }

    fn effect(&mut self, world: &World, effect: &Effect, here: &PassPosition) {
        /// The bolt of a player's Thunderbolt.
        const LIGHTNING2: u8 = value(TEMP_ENTITY, "TE_LIGHTNING2") as u8;
        /// A pellet in a wall.
        const GUNSHOT: u8 = value(TEMP_ENTITY, "TE_GUNSHOT") as u8;
        /// The sparkles of a teleport.
        const TELEPORT: u8 = value(TEMP_ENTITY, "TE_TELEPORT") as u8;
        match effect.kind {
            LIGHTNING2 => {
                let entity = effect.entity as u16;
                if (1..=u16::from(world.level.max_clients)).contains(&entity) {
                    self.shot(world, entity, "Thunderbolt", Evidence::EFFECT, here);
                }
            }
            GUNSHOT => self.pellets[0] = self.pellets[0].saturating_add(1),
            TELEPORT => self.recorder.sparkles.push(effect.origin.map(Coord::value)),
            _ => {}
        }
    }

    fn print(&mut self, bytes: &[u8], here: &PassPosition) {
        let mut whole = Vec::new();
        self.lines.add(bytes, |piece| self.roster.has(piece), &mut |line| whole.push(line));
        for line in &whole {
            self.line(line, here);
        }
    }
}

impl QuakeEvents {
    /// Handles a complete console line.
    fn line(&mut self, line: &Line, here: &PassPosition) {
        let text = || GameText::new(&line.bytes);
        let plain = line.plain();
        if let Some(taken) = taken(&plain) {
            let item = GameText::new(taken.item);
            return self.picked_up(item, taken.amount, taken.sort, here);
        }
        // A recording that was converted from QuakeWorld contains the lines of QuakeWorld's matches.
        match recognize(line, &self.roster, &[ROWS, quakeworld::ROWS], None) {
            LineMeaning::Chat { player, text, team, talk } => {
                self.out.push(here, EventKind::Chat { player, text, team, talk }, Evidence::PRINT);
            }
            LineMeaning::Death { victim, attacker, class, weapon } => {
                self.roster.remember_name(victim.as_ref());
                self.roster.remember_name(attacker.as_ref());
                let kind = EventKind::Kill { victim, attacker, class: class.word(), weapon, text: text() };
                let until = here.block.saturating_add(1);
                self.out.hold(here, kind, Evidence::PRINT, until, WaitEnd::Stands);
                let recent = self.changes.clone();
                for (_, slot, change) in recent.iter().filter(|(block, ..)| block + 1 >= here.block) {
                    scores::settle(&mut self.out, &self.roster, *slot, *change);
                }
            }
            LineMeaning::Join(who) => {
                self.roster.remember_name(Some(&who));
                joins(&mut self.out, who, Evidence::PRINT, here, MAX_LINE_DELAY);
            }
            LineMeaning::Leave(who, frags) => {
                leaves(&mut self.out, who, frags, Evidence::PRINT, here, MAX_LINE_DELAY);
            }
            LineMeaning::Flag { player, team, what } => {
                self.out.push(here, EventKind::Flag { player, team, what, text: text() }, Evidence::PRINT);
            }
            LineMeaning::Other => self.out.push(here, EventKind::Console { text: text() }, Evidence::PRINT),
        }
    }

    fn picked_up(&mut self, item: GameText, amount: Option<i32>, sort: ItemKind, here: &PassPosition) {
        let by_sound = by_sound(sort);
        let mut unnamed_item = Some(item);
        let is_amended = self.out.amend(|event| match &mut event.kind {
            EventKind::Pickup { item, amount: found, .. }
                if item.bytes() == by_sound && !event.evidence.has(Evidence::PRINT) =>
            {
                *item = unnamed_item.take().unwrap_or_default();
                *found = amount;
                event.evidence |= Evidence::PRINT;
                true
            }
            _ => false,
        });
        if !is_amended {
            let evidence = Evidence::PRINT | self.recorder.gained(sort, here);
            let kind = EventKind::pickup(unnamed_item.unwrap_or_default(), amount);
            self.out.hold(here, kind, evidence, here.block.saturating_add(MAX_SCORE_DELAY), WaitEnd::Stands);
        }
    }
}

/// The players with a name.
fn named(players: &[Player]) -> impl Iterator<Item = (u8, &[u8])> {
    (0..=u8::MAX).zip(players.iter().map(|player| player.name.bytes()))
}
