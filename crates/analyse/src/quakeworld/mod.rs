//! Events of QuakeWorld, from the recording of one client or of a whole match: arrivals, chat, kills and
//! scores.
//!
//! An MVD has a text once for each player who received it, so equal texts to several players at one time are
//! one event. If KTX's line for the recording and the line for the player report the same pickup, one event
//! cites both.

mod arena;
mod dying;
mod items;
mod ktx;
mod phase;
mod pickups;
mod restored;
mod weapons;

pub(crate) use ktx::weapon_of;

use crate::events::chat::{LineMeaning, Roster, recognize};
use crate::events::command::command;
use crate::events::presence::{joins, leaves, slot_changed};
use crate::events::queue::{EventQueue, WaitEnd};
use crate::lines::{Line, Lines};
use crate::obituary::{Class, quake, quakeworld};
use crate::quake::pickup::taken;
use crate::quake::scores;
use crate::quake::tables::map_name;
use crate::standing::Standing;
use crate::{EventKind, EventPlayer, Evidence, GameText, PassPosition};
use dying::{PlayerDeaths, killer_in_team, name_killer};
use items::Items;
use ktx::Note;
use moviola_format::names::quakeworld::PRINT_LEVEL;
use moviola_format::names::value;
use moviola_format::{Coord, OpenCommand};
use moviola_state::Text;
use moviola_state::quakeworld::{Body, Happening, HiddenDamage, Player, Recipients, World};
use phase::{Phase, phase};
use pickups::{BAG, item_name};
use restored::{RestoredMoment, is_whole_info};
use std::collections::BTreeMap;
use std::sync::Arc;
use weapons::CarriedWeapons;

/// The part of the world that is kept between blocks to find changes, and the resulting events.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct QuakeWorldEvents {
    pub(crate) out: EventQueue,
    /// The level of the current events; 0 before the first one.
    level: u32,
    /// Whether the event of the level's beginning was added: the level's file is known some blocks after its
    /// announcement.
    begun: bool,
    map: Option<GameText>,
    /// Whether the client is in the game. Before that, the server introduces all present players, who do not count as
    /// arrivals.
    ready: bool,
    /// The unfinished lines by their recipient; `None` stands for all players.
    lines: BTreeMap<Option<u8>, Lines>,
    commands: OpenCommand,
    roster: Roster,
    /// The server info that was looked at last.
    info: Arc<BTreeMap<Text, Text>>,
    players: Arc<Vec<Player>>,
    /// A bit for each slot whose player is not a spectator. It is computed once, because searching the info of all
    /// players for each of their positions took longer than everything else here.
    playing: u32,
    /// Whether each player was dead at the last position; `None` before the first position.
    dead: Vec<Option<bool>>,
    intermission: bool,
    paused: bool,
    /// Whether the server has sent the message of a pause.
    server_paused: bool,
    disconnected: bool,
    /// The slot of the player who recorded a QWD.
    recorder: Option<u8>,
    /// The texts that single players received at this time, each with the number of copies that every recipient got.
    now: Option<u64>,
    texts: Vec<SentText>,
    /// The texts in the middle of the screen, and when each was last sent: a server repeats a text as long as it should
    /// be visible.
    centers: Vec<(Text, u64)>,
    items: Items,
    dying: PlayerDeaths,
    carried: CarriedWeapons,
    /// The shots and hits of each player's weapons so far.
    accuracy: BTreeMap<(u8, &'static str), (i32, i32)>,
    /// Whether the countdown of a match was reported.
    counts_down: bool,
    /// The number of happenings of the block that were handled when another level was announced in it.
    done: usize,
    /// The recent changes of scores: block, slot, and difference.
    changes: Vec<(u64, u8, i32)>,
    /// The moment that a cut restores.
    restored: RestoredMoment,
}

/// A text that single players received at the same time.
#[derive(Debug)]
struct SentText {
    kind: TextKind,
    text: Text,
    /// The number of times that each recipient got it.
    times: Vec<(Recipients, usize)>,
}

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    Print(u8),
    Command,
}

/// The greatest number of blocks by which a line may lag behind its cause. An MVD has a block for each
/// message, and more than ten blocks in a frame.
const MAX_LINE_DELAY: u64 = 400;

/// The greatest number of blocks between a change of score and the line of the death.
const MAX_SCORE_DELAY: u64 = 40;

/// The level of prints that are chat.
const CHAT: u8 = value(PRINT_LEVEL, "chat") as u8;

/// The level of prints about items.
const LOW: u8 = value(PRINT_LEVEL, "low") as u8;

/// The greatest number of texts of one time that are remembered.
const MOST_TEXTS: usize = 256;

/// How long a text stays in the middle of the screen, in milliseconds. An equal text within this time is a repetition.
const TEXT_MILLISECONDS: u64 = 3000;

impl QuakeWorldEvents {
    /// Handles the end of a block.
    pub(crate) fn step(&mut self, world: &World, here: &PassPosition) {
        self.enter(world, here);
        self.observe(world, here);
        self.done = 0;
    }

    /// Handles the part of a block before it announces another level.
    pub(crate) fn leave(&mut self, world: &World, here: &PassPosition) {
        self.enter(world, here);
        self.observe(world, here);
        self.done = world.moment.len();
        self.close(world, here);
    }

    /// Handles the end of the file.
    pub(crate) fn end(&mut self, here: &PassPosition) {
        self.close(&World::new(), here);
    }

    /// The scores, by slot.
    pub(crate) fn board(&self) -> Vec<Standing> {
        let players = (0..=u8::MAX).zip(self.players.iter());
        let playing = players.filter(|(_, player)| player.is_here() && !player.is_spectator());
        playing
            .map(|(slot, player)| Standing {
                slot,
                name: GameText::new(player.name()).line(),
                name_hex: GameText::new(player.name()).line_hex(),
                frags: Some(player.frags.into()),
                colors: Some(player.colors()),
            })
            .collect()
    }

    /// Begins a level that was announced.
    fn enter(&mut self, world: &World, here: &PassPosition) {
        if self.level == here.level {
            return;
        }
        *self = Self {
            out: std::mem::take(&mut self.out),
            done: self.done,
            level: here.level,
            players: Arc::clone(&world.players),
            playing: playing(&world.players),
            dead: world.bodies.iter().map(Body::is_dead).collect(),
            ..Self::default()
        };
        self.roster.set(named(&self.players));
    }

    /// Adds the event of the level's beginning, once its file is known or the client is in the game.
    fn begin(&mut self, world: &World, here: &PassPosition) {
        let map = world.level.map();
        if self.begun || self.level == 0 || map.is_empty() && !self.ready {
            return;
        }
        self.begun = true;
        self.map = (!map.is_empty()).then(|| GameText::new(map_name(map)));
        // not from SCHEMA: a key of server info
        let clients = std::str::from_utf8(world.value(b"maxclients")).ok().and_then(|it| it.parse().ok());
        let kind = EventKind::LevelStart {
            map: self.map.clone(),
            title: GameText::new(world.level.title.bytes()),
            protocol: world.level.protocol,
            max_clients: clients.unwrap_or_default(),
        };
        self.out.push(here, kind, Evidence::MESSAGE);
    }

    /// Adds the remaining events of the level, and that of its end.
    fn close(&mut self, world: &World, here: &PassPosition) {
        for (_, mut lines) in std::mem::take(&mut self.lines) {
            lines.flush(&mut |line| self.line(&line, None, world, here));
        }
        if self.level == 0 {
            return;
        }
        // not from SCHEMA: an ending of a level
        let how = if self.intermission { "intermission" } else { "left" };
        let kind = EventKind::LevelEnd {
            map: self.map.clone(),
            how,
            seconds: None,
            kills: None,
            total_kills: None,
            secrets: None,
            total_secrets: None,
        };
        let here = PassPosition { level: self.level, ..*here };
        self.out.push(&here, kind, Evidence::MESSAGE);
        self.level = 0;
    }

    /// Compares the world with the one before, and adds the events of the changes and of the happenings.
    fn observe(&mut self, world: &World, here: &PassPosition) {
        self.begin(world, here);
        self.recorder = world.recorder.map(|(slot, _)| slot);
        if self.now != world.now {
            self.now = world.now;
            self.texts.clear();
        }
        let happenings = world.moment.get(self.done..).unwrap_or_default();
        let is_restored = self.restored.has(world, happenings.iter().filter(|_| self.ready));
        if !Arc::ptr_eq(&self.players, &world.players) {
            self.observe_players(world, is_restored, here);
        }
        self.observe_bodies(world, is_restored, here);
        let until = here.block.saturating_add(MAX_SCORE_DELAY);
        self.items.look(world, is_restored, (here, until), &mut self.out);
        self.observe_phase(world, is_restored, here);
        let now = here.time.unwrap_or_default();
        if is_restored {
            self.dying.restore(world);
        } else {
            self.dying.look(world, |slot| self.roster.slot(slot), now, &mut self.out);
        }
        for happening in world.moment.get(self.done..).unwrap_or_default() {
            self.happen(happening, world, here);
        }
        let new = self.carried.look(world).filter(|_| !is_restored);
        for (slot, weapon) in new.into_iter().flat_map(|(slot, all)| all.map(move |weapon| (slot, weapon))) {
            self.gets(slot, weapon, here);
        }
        if !self.intermission && world.intermission {
            self.intermission = true;
            self.out.push(here, EventKind::Intermission {}, Evidence::MESSAGE);
        }
        if !self.disconnected && world.disconnected {
            self.disconnected = true;
            self.out.push(here, EventKind::Disconnect {}, Evidence::MESSAGE);
        }
        // A recording that was cut may lack the command after which a client plays. The first players show that the
        // client plays.
        self.ready |= world.has_bodies();
    }

    /// Adds the events of the countdown and of pauses, which have messages of their own.
    fn observe_phase(&mut self, world: &World, is_restored: bool, here: &PassPosition) {
        if !Arc::ptr_eq(&self.info, &world.info) {
            self.info = Arc::clone(&world.info);
            // not from SCHEMA: a key of server info, and its value
            let counts_down = world.value(b"status") == b"Countdown";
            let has_changed = std::mem::replace(&mut self.counts_down, counts_down) != counts_down;
            if has_changed && counts_down && !is_restored {
                // not from SCHEMA: an event of a match
                self.out.push(here, EventKind::Match { what: "countdown" }, Evidence::MESSAGE);
            }
        }
        if self.server_paused != world.paused {
            self.server_paused = world.paused;
            self.pause(world.paused, Evidence::MESSAGE, here);
        }
    }

    /// Adds the event of a pause, which shows in a message, in a line, or in both.
    fn pause(&mut self, on: bool, evidence: Evidence, here: &PassPosition) {
        if std::mem::replace(&mut self.paused, on) != on {
            self.out.push(here, EventKind::Pause { on }, evidence);
        }
    }

    fn observe_players(&mut self, world: &World, is_restored: bool, here: &PassPosition) {
        let old_players = std::mem::replace(&mut self.players, Arc::clone(&world.players));
        self.playing = playing(&world.players);
        // Most changes are pings, which are sent for all players every few seconds.
        let old_roster = self.roster.clone();
        let is_same = |(one, other): (&Player, &Player)| Arc::ptr_eq(&one.info, &other.info);
        let are_same = old_players.len() == self.players.len()
            && old_players.iter().zip(self.players.iter()).all(is_same);
        if !are_same {
            self.roster.set(named(&self.players));
        }
        if !self.ready || is_restored {
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
            if old.colors() != player.colors() {
                let [shirt, pants] = player.colors().map(Some);
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
                self.changes.retain(|(block, ..)| block.saturating_add(MAX_SCORE_DELAY) >= here.block);
                self.changes.push((here.block, slot, change));
                if change == -1 {
                    name_killer(&mut self.out, world, &self.roster.slot(slot), here.time);
                }
                scores::settle(&mut self.out, &self.roster, slot, change);
            }
        }
    }

    /// Adds the events of deaths and respawns, and updates the positions of all players.
    fn observe_bodies(&mut self, world: &World, is_restored: bool, here: &PassPosition) {
        if !world.has_bodies() {
            return;
        }
        self.dead.resize(world.bodies.len(), None);
        let recorder = world.recorder.map(|(slot, _)| slot);
        self.out.seen.clear();
        for ((slot, body), last) in (0..=u8::MAX).zip(world.bodies.iter()).zip(&mut self.dead) {
            let before = std::mem::replace(last, body.is_dead());
            if body.seen.is_none() {
                continue;
            }
            if self.playing.checked_shr(slot.into()).unwrap_or_default() & 1 == 0 {
                continue;
            }
            self.out.seen.push((slot, body.origin.map(|place| place.value() as f32)));
            let shows = self.ready && !is_restored;
            let Some(was_dead) = before.filter(|before| *before != body.dead && shows) else { continue };
            let (who, own) = (self.roster.slot(slot), recorder == Some(slot));
            let origin = Some(body.origin.map(Coord::value));
            let kind = if was_dead {
                EventKind::Spawn { player: who, origin, own }
            } else {
                EventKind::Death { player: who, origin, own }
            };
            self.out.push(here, kind, Evidence::ENTITY);
        }
    }

    fn happen(&mut self, happening: &Happening, world: &World, here: &PassPosition) {
        match happening {
            Happening::Print { level, text, to } => {
                // Pickup lines (level LOW) go to one player each, so two equal ones at one time are two
                // pickups, not copies: do not drop the second.
                if *level == LOW || self.is_new(TextKind::Print(*level), text, *to) {
                    self.print(text.bytes(), (*level, *to), world, here);
                }
            }
            Happening::CenterPrint { text, .. } => {
                if self.is_shown_anew(text) {
                    let kind = EventKind::Centerprint { text: GameText::new(text.bytes()) };
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
            }
            Happening::Command { text, to } => {
                if text.bytes().trim_ascii() == b"skins" {
                    self.ready = true;
                }
                if let Some(note) = Note::of(text.bytes())
                    && self.is_new(TextKind::Command, text, *to)
                {
                    self.ktx_note(note, *to, world, here);
                }
                // A command that begins like a comment is data for newer clients, and so is the whole server info that
                // a cut inserts.
                let is_data = text.bytes().starts_with(b"//") || self.ready && is_whole_info(text);
                if !is_data && self.is_new(TextKind::Command, text, *to) {
                    let kind = command(&mut self.commands, text.bytes(), here.block);
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
            }
            Happening::Hurt(hurt) => self.damage(hurt, here),
            Happening::Sound { .. } | Happening::Pressed { .. } => {}
        }
    }

    /// A player of an MVD by his slot; in a QWD the recorder needs no name.
    fn taker(&self, slot: Option<u8>) -> Option<EventPlayer> {
        slot.filter(|slot| Some(*slot) != self.recorder).map(|slot| self.roster.slot(slot))
    }

    /// Adds the event of a line that KTX writes for recordings.
    fn ktx_note(&mut self, note: Note<'_>, to: Recipients, world: &World, here: &PassPosition) {
        match note {
            // not from SCHEMA: an event of a match
            Note::Start => self.out.push(here, EventKind::Match { what: "start" }, Evidence::MESSAGE),
            // not from SCHEMA: an event of a match
            Note::Scores => self.out.push(here, EventKind::Match { what: "end" }, Evidence::MESSAGE),
            Note::Mark(words) => {
                let player = if let Recipients::Player(slot) = to { self.taker(Some(slot)) } else { None };
                let text = GameText::new(words);
                self.out.push(here, EventKind::Bookmark { player, text }, Evidence::MESSAGE);
            }
            Note::Took { item, respawn, player } => {
                let (name, respawn) = (item_name(world, item), (respawn > 0.0).then_some(respawn));
                self.picks(ktx::slot(player), name, (item, respawn), here);
            }
            Note::Pack { pack, player } => self.picks(ktx::slot(player), BAG, (pack, None), here),
            Note::Expire { pack } => {
                self.out.push(here, EventKind::Expire { entity: pack }, Evidence::MESSAGE);
            }
            Note::Timer { item, seconds } => {
                let name = GameText::new(item_name(world, item).as_bytes());
                let kind = EventKind::Timer { item: name, entity: item, seconds };
                self.out.push(here, kind, Evidence::MESSAGE);
            }
            Note::Accuracy { slot, weapon, attacks, hits } => {
                self.shoots(slot, weapon, (attacks, hits), here);
            }
            Note::Drop { pack, weapon, player } => {
                let Some(slot) = ktx::slot(player) else { return };
                let kind = EventKind::Drop { player: self.roster.slot(slot), weapon, entity: pack };
                self.out.push(here, kind, Evidence::MESSAGE);
            }
        }
    }

    /// Adds the events of the shots and hits that KTX counts for a player.
    fn shoots(&mut self, slot: u8, weapon: &'static str, (attacks, hits): (i32, i32), here: &PassPosition) {
        let before = self.accuracy.insert((slot, weapon), (attacks, hits)).unwrap_or_default();
        if before == (attacks, hits) {
            return;
        }
        let player = self.roster.slot(slot);
        let more = (attacks.saturating_sub(before.0), hits.saturating_sub(before.1));
        if let Some((pellets, hit)) = ktx::shot(weapon, more.0, more.1) {
            let own = self.recorder == Some(slot);
            let kind = EventKind::Shot { player: player.clone(), weapon, own, pellets, hits: hit };
            self.out.push(here, kind, Evidence::MESSAGE);
        }
        self.out.push(here, EventKind::Accuracy { player, weapon, attacks, hits }, Evidence::MESSAGE);
    }

    fn damage(&mut self, hurt: &HiddenDamage, here: &PassPosition) {
        let player_of = |entity: i16| {
            let slot = u16::try_from(entity).ok().and_then(ktx::slot)?;
            self.players
                .get(usize::from(slot))
                .filter(|player| player.is_here())
                .map(|_| self.roster.slot(slot))
        };
        // Doors and boxes are hurt as well.
        let Some(victim) = player_of(hurt.victim) else { return };
        let kind = EventKind::Hit {
            attacker: player_of(hurt.attacker),
            victim,
            weapon: ktx::cause(hurt.with, hurt.damage),
            damage: hurt.damage.into(),
            splash: hurt.splash,
        };
        self.out.push(here, kind, Evidence::MESSAGE);
    }

    /// Whether a text is not a copy of one that another player received at the same time. A server sends lines in
    /// pieces, so a player may receive the same text several times. The text is new if no other player has received it
    /// that often.
    fn is_new(&mut self, kind: TextKind, text: &Text, to: Recipients) -> bool {
        if to == Recipients::All {
            return true;
        }
        let Some(sent) = self.texts.iter_mut().find(|sent| sent.kind == kind && sent.text == *text) else {
            if self.texts.len() < MOST_TEXTS {
                self.texts.push(SentText { kind, text: text.clone(), times: vec![(to, 1)] });
            }
            return true;
        };
        let most = sent.times.iter().map(|(_, times)| *times).max().unwrap_or_default();
        if !sent.times.iter().any(|(who, _)| *who == to) {
            sent.times.push((to, 0));
        }
        sent.times.iter_mut().filter(|(who, _)| *who == to).any(|(_, times)| {
            *times = times.saturating_add(1);
            *times > most
        })
    }

    /// Whether a text in the middle of the screen is new, and not a repetition of a text that a player already sees.
    fn is_shown_anew(&mut self, text: &Text) -> bool {
        let now = self.now.unwrap_or_default();
        self.centers.retain(|(_, last)| last.saturating_add(TEXT_MILLISECONDS) >= now);
        if let Some((_, last)) = self.centers.iter_mut().find(|(shown, _)| shown == text) {
            *last = now;
            return false;
        }
        if self.centers.len() < MOST_TEXTS {
            self.centers.push((text.clone(), now));
        }
        true
    }

    fn print(&mut self, bytes: &[u8], (level, to): (u8, Recipients), world: &World, here: &PassPosition) {
        let whose = match to {
            Recipients::All => None,
            Recipients::Player(slot) => Some(slot),
            // Texts to several players are always whole lines.
            Recipients::Several(_) => Some(u8::MAX),
        };
        let mut lines = self.lines.remove(&whose).unwrap_or_default();
        let mut ended = Vec::new();
        lines.add(bytes, |piece| self.roster.has(piece), &mut |line| ended.push(line));
        self.lines.insert(whose, lines);
        for line in &ended {
            // Lines about items go to the player who took them; in a QWD that is the recorder.
            let taker = match to {
                Recipients::Player(slot) => Some(slot),
                Recipients::All => self.recorder,
                Recipients::Several(_) => None,
            };
            match taken(&crate::lines::plain(&line.bytes)).filter(|_| level == LOW && taker.is_some()) {
                Some(it) => self.receive(it.item, it.amount, taker, here),
                None => self.line(line, Some(level), world, here),
            }
        }
    }

    /// Adds the event of a complete console line.
    fn line(&mut self, line: &Line, level: Option<u8>, world: &World, here: &PassPosition) {
        let text = || GameText::new(&line.bytes);
        match recognize(
            line,
            &self.roster,
            &[quake::ROWS, quakeworld::ROWS],
            level.map(|level| level == CHAT),
        ) {
            LineMeaning::Chat { player, text, team, talk } => {
                let text = GameText::of_chat(text.bytes());
                self.out.push(here, EventKind::Chat { player, text, team, talk }, Evidence::PRINT);
            }
            LineMeaning::Death { victim, attacker, class, weapon } => {
                self.roster.remember_name(victim.as_ref());
                self.roster.remember_name(attacker.as_ref());
                let both = (victim.as_ref(), attacker.as_ref());
                let fell = self.dying.line(world, both, here.time.unwrap_or_default());
                let victim = victim.or_else(|| fell.map(|slot| self.roster.slot(slot)));
                let is_unnamed = class == Class::Teamkill && attacker.is_none();
                let slot = victim.as_ref().filter(|_| is_unnamed).and_then(|it| it.slot);
                let now = self.changes.iter().filter(|(block, ..)| *block == here.block);
                let found = killer_in_team(world, slot, now.map(|(_, slot, change)| (*slot, *change)));
                let evidence = found.map_or(Evidence::PRINT, |(_, evidence)| Evidence::PRINT | evidence);
                let attacker = attacker.or_else(|| found.map(|(slot, _)| self.roster.slot(slot)));
                let kind = EventKind::Kill { victim, attacker, class: class.word(), weapon, text: text() };
                let until = here.block.saturating_add(MAX_SCORE_DELAY);
                self.out.hold(here, kind, evidence, until, WaitEnd::Stands);
                for (_, slot, change) in self.changes.clone() {
                    scores::settle(&mut self.out, &self.roster, slot, change);
                }
                self.changes.clear();
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
            LineMeaning::Other
                if arena::ends_death(&line.plain(), |name| self.roster.who(name), &mut self.out) => {}
            LineMeaning::Other => match phase(&line.plain()) {
                Some(Phase::Match(what)) => self.out.push(here, EventKind::Match { what }, Evidence::PRINT),
                Some(Phase::Pause(on)) => self.pause(on, Evidence::PRINT, here),
                None => self.out.push(here, EventKind::Console { text: text() }, Evidence::PRINT),
            },
        }
    }
}

/// The slots of the players who are connected and not spectators, one bit for each.
fn playing(players: &[Player]) -> u32 {
    let plays = |(slot, player): (u32, &Player)| {
        let is_one = player.is_here() && !player.is_spectator();
        u32::from(is_one).checked_shl(slot).unwrap_or_default()
    };
    (0..).zip(players).map(plays).fold(0, |all, one| all | one)
}

/// The players with a name.
fn named(players: &[Player]) -> impl Iterator<Item = (u8, &[u8])> {
    (0..=u8::MAX).zip(players.iter().map(Player::name))
}
