//! Makes events of Quake II from the changes of the world in a block, and from its happenings.

mod fights;
mod items;
mod recorder;
pub(crate) mod tables;

use crate::events::boss::{BossSound, Bosses};
use crate::events::chat::{LineMeaning, Roster, recognize};
use crate::events::command::command;
use crate::events::presence::{joins, leaves};
use crate::events::queue::EventQueue;
use crate::lines::{Line, Lines};
use crate::obituary::quake2::ROWS;
use crate::space::spot;
use crate::standing::Standing;
use crate::{EventKind, Evidence, GameText, PassPosition};
use items::LevelItems;
use moviola_format::OpenCommand;
use moviola_format::names::quake2::{PM_TYPE, PRINT_LEVEL};
use moviola_format::names::value;
use moviola_state::Text;
use moviola_state::quake2::layout::{LayoutContent, LayoutItem, Progress, progress, run, scores};
use moviola_state::quake2::{Config, Frame, MomentKind, Stat, World};
use recorder::RecorderState;

/// The state of the world kept between blocks, for comparison, and the events made from it.
#[derive(Debug, Default)]
pub(crate) struct Quake2Events {
    pub(crate) out: EventQueue,
    /// The level whose events are being made; 0 before the first.
    level: u32,
    /// Whether the event of the level's start was added. It waits for the name of the level's file.
    begun: bool,
    handled: usize,
    lines: Lines,
    commands: OpenCommand,
    /// The importance of the open line, and its recipient.
    manner: (u8, Option<u8>),
    roster: Roster,
    skins: Vec<(u8, Vec<u8>, Vec<u8>)>,
    map: Option<GameText>,
    max_clients: u8,
    cast_changes: Option<u64>,
    model_changes: Option<u64>,
    layout: Text,
    progress: Option<Progress>,
    /// The scores of slots.
    scores: Vec<(u8, i32)>,
    /// The block in which the layout last showed these scores.
    scores_block: u64,
    /// The recorder's slot.
    client: Option<u8>,
    /// Secrets that were heard, and monsters that were seen to die.
    secrets: i32,
    kills: i32,
    ending: Option<(&'static str, Option<f64>)>,
    disconnected: bool,
    frame: Option<i32>,
    recorder: RecorderState,
    items: LevelItems,
    bosses: Bosses,
}

/// The number of blocks by which a line may follow its event.
const MAX_LINE_DELAY: u64 = 5;

/// The importance of a print that is chat.
const CHAT: u8 = value(PRINT_LEVEL, "PRINT_CHAT") as u8;

impl Quake2Events {
    /// Handles the end of a block.
    pub(crate) fn step(&mut self, world: &World, here: &PassPosition) {
        self.enter(here);
        self.observe(world, here);
        self.handled = 0;
    }

    /// Handles a new level within a block.
    pub(crate) fn leave(&mut self, world: &World, here: &PassPosition) {
        self.enter(here);
        self.observe(world, here);
        self.handled = world.moment.len();
        self.finish_level(here);
    }

    /// Handles the end of the file.
    pub(crate) fn end(&mut self, here: &PassPosition) {
        self.finish_level(here);
    }

    /// The scores by slot, from the last layout and from the recorder's own number.
    pub(crate) fn board(&self) -> Vec<Standing> {
        let frags = |slot: u8| {
            let shown = self.scores.iter().find(|(of, _)| *of == slot).map(|(_, score)| *score);
            let live = self.recorder.frags.filter(|_| Some(slot) == self.client).map(i32::from);
            // A scoreboard that was shown before the recorder's last kill is out of date.
            if self.scores_block < self.recorder.scored { live.or(shown) } else { shown.or(live) }
        };
        let standing = |(slot, name, _): &(u8, Vec<u8>, Vec<u8>)| Standing {
            slot: *slot,
            name: GameText::new(name).line(),
            name_hex: GameText::new(name).line_hex(),
            frags: frags(*slot),
            colors: None,
        };
        self.skins.iter().filter(|(_, name, _)| !name.is_empty()).map(standing).collect()
    }

    fn enter(&mut self, here: &PassPosition) {
        if self.level == here.level {
            return;
        }
        *self = Self {
            out: std::mem::take(&mut self.out),
            lines: std::mem::take(&mut self.lines),
            handled: self.handled,
            level: here.level,
            ..Self::default()
        };
    }

    fn finish_level(&mut self, here: &PassPosition) {
        self.flush(here);
        if self.level == 0 {
            return;
        }
        let (how, seconds) = self.ending.unwrap_or(("left", None));
        let both = |pair: Option<[u32; 2]>| {
            let [done, all] = pair.map(|pair| pair.map(|it| i32::try_from(it).ok())).unwrap_or_default();
            (done, all)
        };
        let (kills, total_kills) = both(self.progress.map(|it| it.kills));
        // More monsters may have died since the field computer was shown.
        let kills = kills.map(|kills| kills.max(self.kills));
        let (secrets, total_secrets) = both(self.progress.map(|it| it.secrets));
        let map = self.map.clone();
        let kind = EventKind::LevelEnd { map, how, seconds, kills, total_kills, secrets, total_secrets };
        let here = PassPosition { level: self.level, ..*here };
        self.out.push(&here, kind, Evidence::MESSAGE);
        self.level = 0;
    }

    /// Notes the positions of players: of those with a state in the frame, and of visible ones.
    fn observe_places(&mut self, frame: &Frame) {
        let recorder = self.client;
        self.out.own = frame.player(None).map(|state| state.origin.map(|place| place.value() as f32));
        let with_state = frame.players.iter().filter_map(|(client, state)| {
            Some((client.or(recorder)?, state.origin.map(|place| place.value() as f32)))
        });
        let players = frame.entities.iter().take_while(|it| it.number <= u16::from(self.max_clients));
        let seen = players.filter_map(|it| {
            let slot = u8::try_from(it.number.checked_sub(1)?).ok()?;
            Some((slot, it.origin.map(|place| place.value() as f32)))
        });
        self.out.seen.clear();
        self.out.seen.extend(with_state.chain(seen));
    }

    fn observe(&mut self, world: &World, here: &PassPosition) {
        let config_changed = self.cast_changes != Some(world.cast_changes);
        if config_changed {
            self.cast_changes = Some(world.cast_changes);
            self.max_clients = world.config.max_clients();
            self.items.examine_all();
        }
        if self.model_changes != Some(world.model_changes) {
            self.model_changes = Some(world.model_changes);
            if self.map.is_none() {
                self.map = map(&world.config);
            }
            self.items.name_models(&world.config);
        }
        let frame = world.frame();
        self.client = u8::try_from(world.server.client).ok();
        self.observe_places(world.drawn());
        let fresh = frame.validity.is_drawn() && self.frame != Some(frame.number);
        let started = here.level > 0 && !self.begun;
        let talks = world.moment.iter().any(|it| !matches!(it.what, MomentKind::Command(_)));
        if started && (self.map.is_some() || fresh || talks) {
            self.begun = true;
            let kind = EventKind::LevelStart {
                map: self.map.clone(),
                title: GameText::new(world.server.title.bytes()),
                protocol: world.server.protocol,
                max_clients: self.max_clients,
            };
            self.out.push(here, kind, Evidence::MESSAGE);
        }
        if config_changed {
            self.observe_players(&world.config, here);
        }
        if fresh {
            self.frame = Some(frame.number);
            self.items.observe(world, here, &self.roster, &mut self.out);
            for (name, origin) in self.items.fights.end(world) {
                self.kills = self.kills.saturating_add(1);
                let (name, origin) = (Some(name), Some(origin));
                let total = self.progress.and_then(|it| i32::try_from(it.kills[1]).ok());
                let kind = EventKind::Monster { kills: self.kills, total, name, origin };
                self.out.push(here, kind, Evidence::ENTITY);
            }
        }
        self.happen(world, here);
        if fresh {
            let over = self.ending.is_some();
            self.recorder.observe(world, here, &self.roster, &self.items.fights, over, &mut self.out);
            self.observe_end(world, here);
            self.observe_layout(world, here);
        }
        if !self.disconnected && world.disconnected {
            self.disconnected = true;
            self.out.push(here, EventKind::Disconnect {}, Evidence::MESSAGE);
        }
    }

    fn observe_players(&mut self, config: &Config, here: &PassPosition) {
        let players: Vec<(u8, Vec<u8>, Vec<u8>)> =
            config.players().map(|(slot, name, skin)| (slot, name.to_vec(), skin.to_vec())).collect();
        if players == self.skins {
            return;
        }
        let old_skins = std::mem::replace(&mut self.skins, players);
        let old_roster = self.roster.clone();
        self.roster.set(self.skins.iter().map(|(slot, name, _)| (*slot, &name[..])));
        // Before the first frame, all present players are announced.
        if self.frame.is_none() {
            return;
        }
        for (slot, name, skin) in &self.skins {
            let player = self.roster.slot(*slot);
            let Some((_, old_name, old_skin)) = old_skins.iter().find(|(it, ..)| it == slot) else {
                joins(&mut self.out, player, Evidence::PLAYERS, here, MAX_LINE_DELAY);
                continue;
            };
            if old_name != name {
                let kind = EventKind::Rename { player: player.clone(), before: GameText::new(old_name) };
                self.out.push(here, kind, Evidence::PLAYERS);
            }
            if old_skin != skin {
                let skin = Some(GameText::new(skin));
                let kind = EventKind::Recolor { player, shirt: None, pants: None, skin };
                self.out.push(here, kind, Evidence::PLAYERS);
            }
        }
        for (slot, ..) in old_skins.iter().filter(|(slot, ..)| !self.skins.iter().any(|(it, ..)| it == slot))
        {
            leaves(&mut self.out, old_roster.slot(*slot), None, Evidence::PLAYERS, here, MAX_LINE_DELAY);
        }
    }

    fn happen(&mut self, world: &World, here: &PassPosition) {
        /// The sound of a secret that is found.
        const SECRET: &[u8] = b"misc/secret.wav";
        let moment = world.moment.get(self.handled..).unwrap_or_default();
        let mut secret = Evidence::NONE;
        for happening in moment {
            match &happening.what {
                MomentKind::Print(level, text) => self.print((*level, happening.client), text.bytes(), here),
                MomentKind::CenterPrint(text) => {
                    let centered = GameText::new(text.bytes());
                    if centered.text().to_ascii_lowercase().contains("secret") {
                        secret |= Evidence::CENTERPRINT;
                    }
                    self.out.push(here, EventKind::Centerprint { text: centered }, Evidence::MESSAGE);
                }
                MomentKind::Command(text) => {
                    let kind = command(&mut self.commands, text.bytes(), here.block);
                    self.out.push(here, kind, Evidence::MESSAGE);
                }
                MomentKind::MonsterFlash(entity, _) => self.items.fights.shot(*entity),
                MomentKind::PlayerFlash(entity, flash) => {
                    self.items.fights.shot(*entity);
                    let slot = entity.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
                    if let (Some(weapon), Some(slot)) = (tables::shot(*flash), slot) {
                        let own = i16::from(slot) == world.server.client;
                        let player = self.roster.slot(slot);
                        let kind = EventKind::Shot { player, weapon, own, pellets: None, hits: None };
                        self.out.push(here, kind, Evidence::MESSAGE);
                    }
                }
                MomentKind::Sound(sound) => {
                    let name = world.config.sound(sound.number);
                    if name == SECRET {
                        secret |= Evidence::SOUND;
                    }
                    if let Some(boss) = BossSound::of(name) {
                        let at = sound.origin.map(spot);
                        let source = || world.frame().entity(sound.source.entity());
                        let at = at.or_else(|| source().map(|it| spot(it.origin)));
                        self.bosses.hear(boss, at, here, &mut self.out);
                    }
                    if tables::is_pickup(name) {
                        let entity = sound.source.entity();
                        let own = Some(entity) == world.own_entity();
                        self.recorder.heard_pickup |= own;
                        let at = sound.origin.map(spot);
                        let at = at.or_else(|| world.frame().entity(entity).map(|it| spot(it.origin)));
                        if let Some(at) = at {
                            let own = world.own_entity().map(|_| own);
                            self.items.taken(here, at, own, &mut self.out);
                        }
                    }
                }
                _ => {}
            }
        }
        if secret.has(Evidence::SOUND | Evidence::CENTERPRINT) {
            self.secrets = self.secrets.saturating_add(1);
            self.out.push(here, EventKind::Secret { secrets: self.secrets, total: None }, secret);
        }
    }

    /// The game is over when the player is frozen and has no weapon. A spectator who follows a player is always frozen.
    fn observe_end(&mut self, world: &World, here: &PassPosition) {
        const FREEZE: u8 = value(PM_TYPE, "PM_FREEZE") as u8;
        let Some(player) = world.drawn().player(None) else { return };
        let scores = player.stat(Stat::Layouts) & 1 != 0 || self.max_clients <= 1;
        let over = player.pm_type == FREEZE && player.gun_model == 0 && scores;
        if over && self.recorder.was_playing && self.ending.is_none() {
            // not from SCHEMA: an ending of a level
            self.ending = Some(("intermission", here.time.filter(|_| !is_deathmatch(&world.config))));
            let evidence = Evidence::MOVEMENT.with(Evidence::LAYOUT, self.max_clients > 1);
            self.out.push(here, EventKind::Intermission {}, evidence);
        }
        self.recorder.was_playing = player.pm_type != FREEZE;
    }

    /// Only the field computer shows monsters and secrets, and only while it is on the screen.
    fn observe_layout(&mut self, world: &World, here: &PassPosition) {
        let Some(screen) = world.screen(None) else { return };
        if screen.layout == self.layout {
            return;
        }
        self.layout = screen.layout.clone();
        let Some(player) = world.drawn().player(None) else { return };
        let screen = run(self.layout.bytes(), player, &world.config);
        let shown: Vec<(u8, i32)> = scores(&screen).map(|score| (score.number, score.score)).collect();
        let shown = if shown.is_empty() { self.layout_scores(&screen) } else { shown };
        if !shown.is_empty() {
            self.scores = shown;
            self.scores_block = here.block;
        }
        let Some(now) = progress(&screen) else { return };
        let number = |it: u32| i32::try_from(it).unwrap_or(i32::MAX);
        let old_progress = self.progress.replace(now);
        let [kills, all] = now.kills.map(number);
        // Monsters that were seen to die already have their events.
        if old_progress.map_or(0, |it| it.kills[0]) != now.kills[0] && kills != self.kills {
            let kind = EventKind::Monster { kills, total: Some(all), name: None, origin: None };
            self.out.push(here, kind, Evidence::LAYOUT);
        }
        self.kills = kills;
        let [secrets, all] = now.secrets.map(number);
        if old_progress.map_or(0, |it| it.secrets[0]) != now.secrets[0] && secrets > self.secrets {
            self.secrets = secrets;
            self.out.push(here, EventKind::Secret { secrets, total: Some(all) }, Evidence::LAYOUT);
        }
    }

    /// The scores in layouts of mods: lines with a player's name and a number. A single such line may mean something
    /// else, so at least two players are required.
    fn layout_scores(&self, screen: &[LayoutItem]) -> Vec<(u8, i32)> {
        let mut scores: Vec<(u8, i32)> = Vec::new();
        for item in screen {
            let LayoutContent::Text { text, .. } = &item.what else { continue };
            let score = |name: &[u8]| {
                let rest = text.bytes().strip_prefix(name).filter(|rest| rest.starts_with(b" "))?;
                let number = rest.split(|byte| *byte == b' ').find(|word| !word.is_empty())?;
                std::str::from_utf8(number).ok()?.parse().ok()
            };
            let named = self.skins.iter().filter(|(_, name, _)| !name.is_empty());
            let found = named.filter_map(|(slot, name, _)| Some((name.len(), *slot, score(name)?))).max();
            if let Some((_, slot, score)) =
                found.filter(|(_, slot, _)| !scores.iter().any(|(of, _)| of == slot))
            {
                scores.push((slot, score));
            }
        }
        if scores.len() > 1 { scores } else { Vec::new() }
    }

    fn print(&mut self, manner: (u8, Option<u8>), bytes: &[u8], here: &PassPosition) {
        if manner != self.manner {
            self.flush(here);
            self.manner = manner;
        }
        let mut whole = Vec::new();
        self.lines.add(bytes, |piece| self.roster.has(piece), &mut |line| whole.push(line));
        for line in &whole {
            self.line(line, here);
        }
    }

    fn flush(&mut self, here: &PassPosition) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.flush(&mut |line| self.line(&line, here));
        self.lines = lines;
    }

    fn line(&mut self, line: &Line, here: &PassPosition) {
        let text = || GameText::new(&line.bytes);
        match recognize(line, &self.roster, &[ROWS], Some(self.manner.0 == CHAT)) {
            LineMeaning::Chat { player, text, team, talk } => {
                self.out.push(here, EventKind::Chat { player, text, team, talk }, Evidence::PRINT);
            }
            LineMeaning::Death { victim, attacker, class, weapon } => {
                self.roster.remember_name(victim.as_ref());
                self.roster.remember_name(attacker.as_ref());
                let kind = EventKind::Kill { victim, attacker, class: class.word(), weapon, text: text() };
                self.out.push(here, kind, Evidence::PRINT);
            }
            LineMeaning::Join(who) => joins(&mut self.out, who, Evidence::PRINT, here, MAX_LINE_DELAY),
            LineMeaning::Leave(who, frags) => {
                leaves(&mut self.out, who, frags, Evidence::PRINT, here, MAX_LINE_DELAY);
            }
            LineMeaning::Flag { player, team, what } => {
                self.out.push(here, EventKind::Flag { player, team, what, text: text() }, Evidence::PRINT);
            }
            LineMeaning::Other => self.out.push(here, EventKind::Console { text: text() }, Evidence::PRINT),
        }
    }
}

/// The level's file, without folder and extension.
fn map(config: &Config) -> Option<GameText> {
    let model = config.model(1);
    let name = model.strip_prefix(b"maps/").unwrap_or(model);
    (!name.is_empty()).then(|| GameText::new(name.strip_suffix(b".bsp").unwrap_or(name)))
}

/// Whether the level is a deathmatch, which its status bar shows by a number of frags (`dm_statusbar`). The duration of
/// a deathmatch is not the time of a run.
fn is_deathmatch(config: &Config) -> bool {
    let bar = config.status_bar();
    let words: Vec<&[u8]> = bar.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    words.windows(3).any(|it| it == [&b"num"[..], b"3", b"14"])
}
