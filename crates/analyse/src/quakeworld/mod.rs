//! Events of QuakeWorld, from the recording of one client or of a whole match: arrivals, chat, kills and
//! scores.
//!
//! An MVD has a text once for each player who received it, so equal texts to several players at one time are
//! one event.

use crate::events::command::command;
use crate::events::out::{Doubt, Out};
use crate::events::presence::{joins, leaves, renames};
use crate::events::talk::{Roster, Talk, tell};
use crate::lines::{Line, Lines};
use crate::obituary::quake::ROWS;
use crate::quake::scores;
use crate::quake::tables::map_name;
use crate::standing::Standing;
use crate::{Evidence, Here, Kind, Said};
use moviola_format::{Coord, OpenCommand};
use moviola_state::Text;
use moviola_state::quakeworld::{Body, Happening, Player, To, World};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The part of the world that is kept between blocks to find changes, and the resulting events.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct QuakeWorld {
    pub(crate) out: Out,
    /// The level of the current events; 0 before the first one.
    level: u32,
    /// Whether the event of the level's beginning was made: the level's file comes some blocks after its
    /// announcement.
    begun: bool,
    map: Option<Said>,
    /// Whether the client is in the game. Before that, the server introduces all present players, which are
    /// no arrivals.
    ready: bool,
    /// The unfinished lines by their recipient; `None` stands for all players.
    lines: BTreeMap<Option<u8>, Lines>,
    commands: OpenCommand,
    roster: Roster,
    players: Arc<Vec<Player>>,
    bodies: Arc<Vec<Body>>,
    intermission: bool,
    paused: bool,
    disconnected: bool,
    /// The texts that single players received at this time.
    now: Option<u64>,
    said: Vec<(Sort, Text)>,
    /// The number of the block's happenings that are done: those before another level was announced.
    done: usize,
    /// The recent changes of scores: block, slot, and difference.
    changes: Vec<(u64, u8, i32)>,
}

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Print(u8),
    Center,
    Command,
}

/// The greatest number of blocks by which a line may lag behind its cause. An MVD has a block for each
/// message, and more than ten blocks in a frame.
const LATE: u64 = 400;

/// The greatest number of blocks between a change of score and the line of the death.
const SOON: u64 = 40;

/// The level of prints that are chat.
const CHAT: u8 = 3;

/// The greatest number of texts of one time that are remembered.
const SAID: usize = 256;

impl QuakeWorld {
    /// Handles the end of a block.
    pub(crate) fn step(&mut self, world: &World, here: &Here) {
        self.enter(world, here);
        self.see(world, here);
        self.done = 0;
    }

    /// Handles the part of a block before it announces another level.
    pub(crate) fn leave(&mut self, world: &World, here: &Here) {
        self.enter(world, here);
        self.see(world, here);
        self.done = world.moment.len();
        self.close(here);
    }

    /// Handles the end of the file.
    pub(crate) fn end(&mut self, here: &Here) {
        self.close(here);
    }

    /// The scores, by slot.
    pub(crate) fn board(&self) -> Vec<Standing> {
        let players = (0..=u8::MAX).zip(self.players.iter());
        let playing = players.filter(|(_, player)| player.is_here() && !player.is_spectator());
        playing
            .map(|(slot, player)| Standing {
                slot,
                name: Said::new(player.name()).line(),
                name_hex: Said::new(player.name()).line_hex(),
                frags: Some(player.frags.into()),
                colors: Some(player.colors()),
            })
            .collect()
    }

    /// Starts to make the events of a level that was announced.
    fn enter(&mut self, world: &World, here: &Here) {
        if self.level == here.level {
            return;
        }
        *self = Self {
            out: std::mem::take(&mut self.out),
            done: self.done,
            level: here.level,
            players: Arc::clone(&world.players),
            bodies: Arc::clone(&world.bodies),
            ..Self::default()
        };
        self.roster.set(named(&self.players));
    }

    /// Makes the event of the level's beginning, once its file is known or the client is in the game.
    fn begin(&mut self, world: &World, here: &Here) {
        let map = world.level.map();
        if self.begun || self.level == 0 || map.is_empty() && !self.ready {
            return;
        }
        self.begun = true;
        self.map = (!map.is_empty()).then(|| Said::new(map_name(map)));
        // schema-once: a key of server info
        let clients = std::str::from_utf8(world.value(b"maxclients")).ok().and_then(|it| it.parse().ok());
        let kind = Kind::LevelStart {
            map: self.map.clone(),
            title: Said::new(world.level.title.bytes()),
            protocol: world.level.protocol,
            max_clients: clients.unwrap_or_default(),
        };
        self.out.push(here, kind, Evidence::MESSAGE);
    }

    /// Makes the remaining events of the level, and that of its end.
    fn close(&mut self, here: &Here) {
        for (_, mut lines) in std::mem::take(&mut self.lines) {
            lines.flush(&mut |line| self.line(&line, None, here));
        }
        if self.level == 0 {
            return;
        }
        // schema-once: how a level ended
        let how = if self.intermission { "intermission" } else { "left" };
        let kind = Kind::LevelEnd {
            map: self.map.clone(),
            how,
            seconds: None,
            kills: None,
            total_kills: None,
            secrets: None,
            total_secrets: None,
        };
        let here = Here { level: self.level, ..*here };
        self.out.push(&here, kind, Evidence::MESSAGE);
        self.level = 0;
    }

    /// Compares the world with the last one, and makes the events of the changes and of the happenings.
    fn see(&mut self, world: &World, here: &Here) {
        self.begin(world, here);
        if self.now != world.now {
            self.now = world.now;
            self.said.clear();
        }
        if !Arc::ptr_eq(&self.players, &world.players) {
            self.see_players(world, here);
        }
        self.see_bodies(world, here);
        for happening in world.moment.get(self.done..).unwrap_or_default() {
            self.happen(happening, here);
        }
        if !self.intermission && world.intermission {
            self.intermission = true;
            self.out.push(here, Kind::Intermission {}, Evidence::MESSAGE);
        }
        if self.paused != world.paused {
            self.paused = world.paused;
            self.out.push(here, Kind::Pause { on: world.paused }, Evidence::MESSAGE);
        }
        if !self.disconnected && world.disconnected {
            self.disconnected = true;
            self.out.push(here, Kind::Disconnect {}, Evidence::MESSAGE);
        }
    }

    fn see_players(&mut self, world: &World, here: &Here) {
        let before = std::mem::replace(&mut self.players, Arc::clone(&world.players));
        let old_roster = self.roster.clone();
        self.roster.set(named(&self.players));
        if !self.ready {
            return;
        }
        let none = Player::default();
        let players = Arc::clone(&self.players);
        for (slot, player) in (0..=u8::MAX).zip(players.iter()) {
            let old = before.get(usize::from(slot)).unwrap_or(&none);
            if old == player {
                continue;
            }
            let who = self.roster.slot(slot);
            match (old.name().is_empty(), player.name().is_empty()) {
                (true, false) => joins(&mut self.out, who.clone(), Evidence::PLAYERS, here, LATE),
                (false, true) => {
                    leaves(&mut self.out, old_roster.slot(slot), None, Evidence::PLAYERS, here, LATE);
                }
                (false, false) if old.name() != player.name() => {
                    renames(&mut self.out, who.clone(), Said::new(old.name()), here, LATE);
                }
                _ => {}
            }
            if old.name().is_empty() || player.name().is_empty() {
                continue;
            }
            if old.colors() != player.colors() {
                let [shirt, pants] = player.colors().map(Some);
                let kind = Kind::Recolor { player: who.clone(), shirt, pants, skin: None };
                self.out.push(here, kind, Evidence::PLAYERS);
            }
            if old.frags != player.frags {
                let frags = i32::from(player.frags);
                let change = frags.saturating_sub(old.frags.into());
                self.out.push(here, Kind::Frags { player: who, frags, change }, Evidence::FRAGS);
                self.changes.retain(|(block, ..)| block.saturating_add(SOON) >= here.block);
                self.changes.push((here.block, slot, change));
                scores::settle(&mut self.out, &self.roster, slot, change);
            }
        }
    }

    /// Makes the events of deaths and respawns, and updates the positions of all players.
    fn see_bodies(&mut self, world: &World, here: &Here) {
        if Arc::ptr_eq(&self.bodies, &world.bodies) {
            return;
        }
        let before = std::mem::replace(&mut self.bodies, Arc::clone(&world.bodies));
        let bodies = Arc::clone(&self.bodies);
        let recorder = world.recorder.map(|(slot, _)| slot);
        self.out.seen.clear();
        for (slot, body) in (0..=u8::MAX).zip(bodies.iter()) {
            let Some(player) = world.players.get(usize::from(slot)) else { continue };
            if body.seen.is_none() || !player.is_here() || player.is_spectator() {
                continue;
            }
            self.out.seen.push((slot, body.origin.map(|place| place.value() as f32)));
            let old = before.get(usize::from(slot)).filter(|old| old.seen.is_some());
            let Some(old) = old.filter(|old| old.dead != body.dead && self.ready) else { continue };
            let (who, own) = (self.roster.slot(slot), recorder == Some(slot));
            let origin = Some(body.origin.map(Coord::value));
            let kind = if old.dead {
                Kind::Spawn { player: who, origin, own }
            } else {
                Kind::Death { player: who, origin, own }
            };
            self.out.push(here, kind, Evidence::ENTITY);
        }
    }

    fn happen(&mut self, happening: &Happening, here: &Here) {
        match happening {
            Happening::Print { level, text, to } => {
                if self.is_new(Sort::Print(*level), text, *to) {
                    self.print(text.bytes(), *level, *to, here);
                }
            }
            Happening::CenterPrint { text, to } => {
                if self.is_new(Sort::Center, text, *to) {
                    let kind = Kind::Centerprint { text: Said::new(text.bytes()) };
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
            }
            Happening::Command { text, to } => {
                if text.bytes().trim_ascii() == b"skins" {
                    self.ready = true;
                }
                // A command that begins like a comment is data for newer clients.
                if !text.bytes().starts_with(b"//") && self.is_new(Sort::Command, text, *to) {
                    let kind = command(&mut self.commands, text.bytes(), here.block);
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
            }
            Happening::Sound { .. } | Happening::Hurt(_) | Happening::Pressed { .. } => {}
        }
    }

    /// Whether a text is not a copy of one that another player received at the same time.
    fn is_new(&mut self, sort: Sort, text: &Text, to: To) -> bool {
        if to == To::All {
            return true;
        }
        let told = (sort, text.clone());
        let is_new = !self.said.contains(&told);
        if is_new && self.said.len() < SAID {
            self.said.push(told);
        }
        is_new
    }

    fn print(&mut self, bytes: &[u8], level: u8, to: To, here: &Here) {
        let whose = match to {
            To::All => None,
            To::Player(slot) => Some(slot),
            // Texts to several players are always whole lines.
            To::Several(_) => Some(u8::MAX),
        };
        let mut lines = self.lines.remove(&whose).unwrap_or_default();
        let mut ended = Vec::new();
        lines.add(bytes, |piece| self.roster.has(piece), &mut |line| ended.push(line));
        self.lines.insert(whose, lines);
        for line in &ended {
            self.line(line, Some(level), here);
        }
    }

    /// Makes the event of a complete line of the console.
    fn line(&mut self, line: &Line, level: Option<u8>, here: &Here) {
        let text = || Said::new(&line.bytes);
        match tell(line, &self.roster, &[ROWS], level.map(|level| level == CHAT)) {
            Talk::Chat { player, text, team, talk } => {
                self.out.push(here, Kind::Chat { player, text, team, talk }, Evidence::PRINT);
            }
            Talk::Death { victim, attacker, class, weapon } => {
                self.roster.learn(victim.as_ref());
                self.roster.learn(attacker.as_ref());
                let kind = Kind::Kill { victim, attacker, class: class.word(), weapon, text: text() };
                let until = here.block.saturating_add(SOON);
                self.out.hold(here, kind, Evidence::PRINT, until, Doubt::Stands);
                for (_, slot, change) in self.changes.clone() {
                    scores::settle(&mut self.out, &self.roster, slot, change);
                }
                self.changes.clear();
            }
            Talk::Join(who) => {
                self.roster.learn(Some(&who));
                joins(&mut self.out, who, Evidence::PRINT, here, LATE);
            }
            Talk::Leave(who, frags) => leaves(&mut self.out, who, frags, Evidence::PRINT, here, LATE),
            Talk::Flag { player, team, what } => {
                self.out.push(here, Kind::Flag { player, team, what, text: text() }, Evidence::PRINT);
            }
            Talk::Other => self.out.push(here, Kind::Console { text: text() }, Evidence::PRINT),
        }
    }
}

/// The players with a name.
fn named(players: &[Player]) -> impl Iterator<Item = (u8, &[u8])> {
    (0..=u8::MAX).zip(players.iter().map(Player::name))
}
