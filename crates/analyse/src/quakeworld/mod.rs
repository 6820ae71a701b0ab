//! Events of QuakeWorld: who comes, talks, kills and scores, of one client's recording or of a whole match.
//!
//! An MVD holds a text once for each player who got it, so what several got at one time is one event.

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

/// What is kept of the world between blocks, and what became of it.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct QuakeWorld {
    pub(crate) out: Out,
    /// The level whose events are being made; 0 is none.
    level: u32,
    /// Whether its beginning was told: the level's file comes some blocks behind its announcement.
    begun: bool,
    map: Option<Said>,
    /// Whether the client is in the game: until then everybody who is there is announced.
    ready: bool,
    /// Lines that are not whole, by for whom they are; everybody's are those of nobody.
    lines: BTreeMap<Option<u8>, Lines>,
    commands: OpenCommand,
    roster: Roster,
    players: Arc<Vec<Player>>,
    bodies: Arc<Vec<Body>>,
    intermission: bool,
    paused: bool,
    disconnected: bool,
    /// What was said to single players at this time.
    now: Option<u64>,
    said: Vec<(Sort, Text)>,
    /// How many of the block's happenings are done: those before another level was announced.
    done: usize,
    /// Scores that changed lately: block, slot, by how much.
    changes: Vec<(u64, u8, i32)>,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Print(u8),
    Center,
    Command,
}

/// For how many blocks a line may be late behind what it tells of. An MVD has a block for each message, and more than
/// ten of them in a frame.
const LATE: u64 = 400;

/// For how many blocks a score may be away from the line of a death.
const SOON: u64 = 40;

/// The level of prints that are chat.
const CHAT: u8 = 3;

/// So many texts of one time are remembered.
const SAID: usize = 256;

impl QuakeWorld {
    /// A block is over.
    pub(crate) fn step(&mut self, world: &World, here: &Here) {
        self.enter(world, here);
        self.see(world, here);
        self.done = 0;
    }

    /// A block goes on with another level.
    pub(crate) fn leave(&mut self, world: &World, here: &Here) {
        self.enter(world, here);
        self.see(world, here);
        self.done = world.moment.len();
        self.close(here);
    }

    /// The file is over.
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

    /// If a level was announced, its events are made from here on.
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

    /// Tells that the level begins, once its file is known or nothing more will come.
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

    /// Everything of the level that is left is said.
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

    /// What changed since it was last looked, and what began.
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

    /// Who dies and who comes back, and where everybody is.
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
                // What begins like a comment is data for newer clients.
                if !text.bytes().starts_with(b"//") && self.is_new(Sort::Command, text, *to) {
                    let kind = command(&mut self.commands, text.bytes(), here.block);
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
            }
            Happening::Sound { .. } | Happening::Hurt(_) | Happening::Pressed { .. } => {}
        }
    }

    /// Whether a text is no copy of one that another player got at the same time.
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
            // Several get whole lines.
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

    /// A line of the console is whole.
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

/// The players who have a name.
fn named(players: &[Player]) -> impl Iterator<Item = (u8, &[u8])> {
    (0..=u8::MAX).zip(players.iter().map(Player::name))
}
