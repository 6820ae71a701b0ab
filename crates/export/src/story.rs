//! The data of a recording that a picture or a page shows: the path of the recorder, level by level,
//! and the events.
//!
//! Memory does not grow with the recording, since the number of kept samples and events is limited to the
//! number that pictures and pages can show.

use crate::Word;
use moviola_analyse::{Event, EventPlayer, Events, PassPosition, Watch, watch};
use moviola_format::{Format, Game, Length, Placement};
use moviola_state::quake2::layout::{run, scores};
use moviola_state::{quake, quake2, quakeworld};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

mod of_match;
use of_match::Match;
mod other_players;
use other_players::OtherPlayers;

/// The recorder at one moment.
///
/// ```
/// let sample = moviola_export::RecorderSample { at: Some([64.0, 0.0, 24.0]), speed: 320.0, ..Default::default() };
/// assert!(moviola_export::RecorderSample::default().at.is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecorderSample {
    /// The block.
    pub block: u64,
    /// The level's clock in seconds.
    pub time: f32,
    /// The player's position, if it is known.
    pub at: Option<[f32; 3]>,
    /// The direction of the view: 0 is east, 90 north.
    pub yaw: f32,
    /// The speed over ground, in units per second.
    pub speed: f32,
    /// Points of health.
    pub health: i16,
    /// The armor points.
    pub armor: i16,
    /// Ammunition for the weapon in hand.
    pub ammo: i16,
    /// Whether no line connects this sample with the one before, because of an intermission, a pause or a
    /// respawn.
    pub begins: bool,
}

/// A player on the scoreboard.
///
/// ```
/// let standing = moviola_export::ScoreboardPlayer { name: "Ranger".into(), frags: Some(12), ..Default::default() };
/// assert!(!standing.is_recorder && standing.colors.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreboardPlayer {
    /// The name.
    pub name: Word,
    /// The bytes of the name in hex, if they differ from its text.
    pub name_hex: Option<Word>,
    /// The score, if it is known.
    pub frags: Option<i32>,
    /// Quake: shirt and trousers.
    pub colors: Option<[u8; 2]>,
    /// Whether this player recorded it.
    pub is_recorder: bool,
}

/// The path of one player of a match.
///
/// ```
/// let way = moviola_export::PlayerPath { name: "Ranger".into(), ..Default::default() };
/// assert!(way.samples.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerPath {
    /// The player's name.
    pub name: Word,
    /// The player, moment by moment.
    pub samples: Vec<RecorderSample>,
}

/// A level as it was played.
///
/// ```
/// let level = moviola_export::StoryLevel { map: "e1m1".into(), title: "the Slipgate Complex".into(), ..Default::default() };
/// assert_eq!(level.name(), "e1m1: the Slipgate Complex");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoryLevel {
    /// The number of the level, counted from 1.
    pub number: u32,
    /// The name of its file, without folder and ending.
    pub map: Word,
    /// Its title.
    pub title: Word,
    /// The bytes of the title in hex, if they differ from its text.
    pub title_hex: Option<Word>,
    /// The number of models in its file, which distinguishes two levels of one name.
    pub parts: usize,
    /// How long it was recorded, in seconds of the game.
    pub length: f64,
    /// The path of the recorder while the level was played; in a server's recording, the path of a visible player.
    pub samples: Vec<RecorderSample>,
    /// The player whose path it is, if no player recorded. In a server's recording of Quake II only the positions are
    /// known.
    pub seen: Option<Word>,
    /// The paths of all players, in the order of their scores, if the recording is of a whole match (MVD).
    pub ways: Vec<PlayerPath>,
    /// The paths of other players as far as the recorder, or the server, saw them.
    pub others: Vec<PlayerPath>,
    /// The players at its end, the best first.
    pub players: Vec<ScoreboardPlayer>,
    /// Monsters killed, and in the level; secrets found, and in the level (Quake).
    pub counts: Option<[[i32; 2]; 2]>,
}

impl StoryLevel {
    /// The name of its file and its title.
    pub fn name(&self) -> String {
        match (self.map.as_str(), self.title.as_str()) {
            (map, "") => map.to_owned(),
            ("", title) => title.to_owned(),
            (map, title) => format!("{map}: {title}"),
        }
    }

    /// The greatest value of health and armor that a chart shows. No item gives more than 250. Modified games
    /// start observers with far more for a while, which would flatten the rest of the chart, so larger values
    /// count only if most samples have them.
    pub(crate) fn most_vitals(&self) -> i16 {
        const GIVEN: i16 = 250;
        let all = || self.samples.iter().map(|sample| sample.health.max(sample.armor));
        let usual = all().filter(|most| *most <= GIVEN);
        let is_usual = usual.clone().count().saturating_mul(2) >= self.samples.len();
        if is_usual { usual.max() } else { all().max() }.unwrap_or_default()
    }

    /// Whether any places of the player are known.
    pub(crate) fn is_placed(&self) -> bool {
        self.samples.iter().filter(|sample| sample.at.is_some()).nth(1).is_some()
    }

    /// Whether the health and armor are known of the player whose path is shown.
    pub(crate) fn has_vitals(&self) -> bool {
        self.seen.is_none() || self.samples.iter().any(|sample| sample.health != 0)
    }

    /// The paths of all known players, or the only path.
    pub(crate) fn all_ways(&self) -> impl Iterator<Item = &[RecorderSample]> {
        let one = self.ways.is_empty().then_some(self.samples.as_slice());
        self.ways.iter().map(|way| way.samples.as_slice()).chain(one)
    }

    /// The paths of all players, including the recorder.
    pub(crate) fn everywhere(&self) -> impl Iterator<Item = &[RecorderSample]> {
        self.all_ways().chain(self.others.iter().map(|way| way.samples.as_slice()))
    }

    /// The paths of the players besides the one whose path is shown.
    ///
    /// ```
    /// use moviola_export::{StoryLevel, PlayerPath};
    /// let way = |name: &str| PlayerPath { name: name.into(), ..PlayerPath::default() };
    /// let level = StoryLevel { others: vec![way("Ogre")], ..StoryLevel::default() };
    /// assert_eq!(level.other_paths().count(), 1);
    /// ```
    pub fn other_paths(&self) -> impl Iterator<Item = &PlayerPath> {
        let ways = self.ways.iter().filter(|way| self.seen.as_ref() != Some(&way.name));
        ways.chain(&self.others)
    }

    /// Makes the path of this player the main path; returns whether there is such a player.
    pub fn follow(&mut self, name: &str) -> bool {
        let Some(way) = self.ways.iter().chain(&self.others).find(|way| way.name.as_str() == name) else {
            return self.seen.as_ref().is_some_and(|seen| seen.as_str() == name);
        };
        (self.samples, self.seen) = (way.samples.clone(), Some(way.name.clone()));
        true
    }

    /// Whether the event is about the player of the main path.
    pub(crate) fn is_of(&self, who: &EventPlayer) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.as_str() == who.name.as_line())
    }

    /// The recorder in or before a block.
    pub fn sample(&self, block: u64) -> Option<&RecorderSample> {
        let behind = self.samples.partition_point(|sample| sample.block <= block);
        self.samples.get(behind.saturating_sub(1))
    }
}

/// A recording as pictures and pages show it.
///
/// ```
/// use moviola_export::{RecorderSample, StoryLevel, Story};
/// let story = Story::read(&b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x1ahi\0\x1c\x02"[..], "run.dem").unwrap();
/// assert_eq!((story.file.as_str(), story.levels.len(), story.events.len()), ("run.dem", 0, 3));
/// let samples = vec![RecorderSample { block: 3, time: 1.5, ..RecorderSample::default() }, RecorderSample { block: 9, time: 4.0, ..RecorderSample::default() }];
/// let level = StoryLevel { map: "dm4".into(), samples, ..StoryLevel::default() };
/// assert_eq!(level.name(), "dm4");
/// assert_eq!(level.sample(8).unwrap().time, 1.5);
/// let story = Story { levels: vec![level], ..story };
/// let longest = story.longest().unwrap();
/// assert_eq!((story.events_of(longest).count(), story.recorder()), (3, None));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    /// The name of the file.
    pub file: String,
    /// The game; `None` if the file is not a recording.
    pub game: Option<Game>,
    /// The levels in their order.
    pub levels: Vec<StoryLevel>,
    /// The events, level by level, except the shots of other players. If there are too many, events of the most
    /// frequent kinds are left out.
    pub events: Vec<Event>,
    /// The number of levels that were left out.
    pub more_levels: usize,
}

impl Story {
    /// Reads a recording.
    pub fn read(source: impl Read, file: &str) -> io::Result<Self> {
        let mut tracker = Tracker::default();
        let mut found = KeptEvents::default();
        let mut events = Events::new(|event| found.add(event));
        watch(source, &mut [&mut tracker, &mut events])?;
        drop(events);
        let mut events = found.events;
        events.sort_by_key(|event| event.level);
        Ok(Self { events, ..tracker.story(file) })
    }

    /// Reads the paths of a recording's players alone, in less time: it has no events.
    ///
    /// ```
    /// use moviola_export::Story;
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f";
    /// assert!(Story::read_paths(&file[..], "a.dem").unwrap().events.is_empty());
    /// ```
    pub fn read_paths(source: impl Read, file: &str) -> io::Result<Self> {
        let mut tracker = Tracker::default();
        watch(source, &mut [&mut tracker])?;
        Ok(tracker.story(file))
    }

    /// The level with the most to see.
    pub fn longest(&self) -> Option<&StoryLevel> {
        // Of several levels with equally much to see, the first one is taken.
        self.levels.iter().rev().max_by_key(|level| (level.samples.len(), self.events_of(level).count()))
    }

    /// The events of a level.
    pub fn events_of(&self, level: &StoryLevel) -> impl Iterator<Item = &Event> {
        let number = level.number;
        let from = self.events.partition_point(|event| event.level < number);
        self.events.iter().skip(from).take_while(move |event| event.level == number)
    }

    /// The name of the recorder.
    pub fn recorder(&self) -> Option<&str> {
        let mut players = self.levels.iter().flat_map(|level| &level.players);
        players.find(|player| player.is_recorder).map(|player| player.name.as_str())
    }
}

/// The greatest number of levels that are kept.
const MOST_LEVELS: u32 = 1024;

/// The greatest size of the kept events in memory, in bytes.
const MOST_EVENT_BYTES: usize = 8 << 20;

/// Collects events. If they take too much memory, every second event of the largest kind is dropped, so that a million
/// lines of chat displace no death and no secret.
#[derive(Default)]
struct KeptEvents {
    events: Vec<Event>,
    bytes: usize,
}

impl KeptEvents {
    fn add(&mut self, event: Event) {
        let is_of_others = matches!(event.kind, moviola_analyse::EventKind::Shot { own: false, .. });
        if is_of_others || event.level > MOST_LEVELS {
            return;
        }
        self.bytes = self.bytes.saturating_add(bytes_of(&event));
        self.events.push(event);
        while self.bytes > MOST_EVENT_BYTES {
            self.thin_out();
        }
    }

    fn thin_out(&mut self) {
        let mut bytes: BTreeMap<&str, usize> = BTreeMap::new();
        for event in &self.events {
            *bytes.entry(event.name()).or_default() += bytes_of(event);
        }
        let Some((most, _)) = bytes.into_iter().max_by_key(|(_, bytes)| *bytes) else { return };
        // Starts with a drop, so that each call removes at least one event.
        let mut keep = true;
        self.events.retain(|event| {
            if event.name() != most {
                return true;
            }
            keep = !keep;
            keep
        });
        self.bytes = self.events.iter().map(bytes_of).sum();
    }
}

/// The approximate size of an event in memory: the value and its texts, which are stored as text and as
/// bytes.
fn bytes_of(event: &Event) -> usize {
    size_of::<Event>() + 2 * event.kind.to_string().len()
}

/// The units per second of one step of Quake's velocity.
const SPEED: f32 = 16.0;

/// Quake II: the model number that means the model of the player's skin.
const PLAYER_MODEL: u8 = 255;

/// The speed, in units per second, that no player reaches by moving.
const FASTEST: f32 = 1600.0;

/// The number of frames of Quake II in a second.
const FRAMES: f32 = 10.0;

/// The kind of movement in an intermission of Quake II. Some games freeze players as well, but leave the
/// weapon there.
const FROZEN: u8 = 4;

#[derive(Debug, Default)]
struct Tracker {
    game: Option<Game>,
    levels: Vec<StoryLevel>,
    /// The last scoreboard; keeping it is cheap.
    players: Arc<Vec<quake::Player>>,
    layout: moviola_state::Text,
    /// The number of last samples that were seen from the ground, as in an intermission that is not announced
    /// yet.
    low: usize,
    /// In a server's recording, the entity of the player whose path is shown.
    followed: Option<u16>,
    length: Length,
    /// The number of samples, the step of thinning (0 keeps all), and how many samples were passed over.
    sample_count: usize,
    thinning: usize,
    passed_count: usize,
    /// Whether the next sample begins a new line.
    is_torn: bool,
    more_levels: usize,
    /// The players of a QuakeWorld match.
    crowd: Match,
    /// The other players who are visible in a recording of Quake or Quake II.
    others: OtherPlayers,
}

/// The greatest number of samples of all levels together. If there are more, every second one is dropped, repeatedly if
/// necessary.
const MOST_SAMPLES: usize = 1 << 17;

impl Tracker {
    /// The current level of the pass; `None` before the first one and if there are too many.
    fn level(&mut self, here: &PassPosition) -> Option<&mut StoryLevel> {
        if here.level == 0 || here.level > MOST_LEVELS {
            self.more_levels = here.level.saturating_sub(MOST_LEVELS) as usize;
            return None;
        }
        if self.levels.last().is_none_or(|level| level.number != here.level) {
            self.levels.push(StoryLevel { number: here.level, ..StoryLevel::default() });
            self.players = Arc::default();
            self.layout = moviola_state::Text::default();
            (self.low, self.followed) = (0, None);
            self.length = self.game.map(Length::of).unwrap_or_default();
        }
        self.levels.last_mut()
    }

    /// Updates the time of the current level.
    fn tick(&mut self, here: &PassPosition) {
        let Some(level) = self.levels.last_mut().filter(|level| level.number == here.level) else { return };
        if let Some(now) = here.time {
            self.length.tick(now);
            level.length = self.length.seconds().unwrap_or_default();
        }
    }
}

impl Tracker {
    /// Adds a sample to the current level; returns whether it was kept.
    fn push(&mut self, sample: RecorderSample) -> bool {
        let (torn, every) = (self.is_torn, self.thinning);
        self.passed_count = self.passed_count.saturating_add(1);
        if self.passed_count < every && !torn {
            return false;
        }
        let Some(level) = self.levels.last_mut() else { return false };
        if !level
            .push(RecorderSample { begins: torn || sample.begins, ..sample }, PAUSE * every.max(1) as f32)
        {
            return false;
        }
        self.is_torn = false;
        (self.passed_count, self.sample_count) = (0, self.sample_count.saturating_add(1));
        if self.sample_count >= MOST_SAMPLES {
            for level in &mut self.levels {
                let (mut keep, mut begins) = (false, false);
                level.samples.retain_mut(|sample| {
                    keep = !keep;
                    // If a dropped sample begins a new line, the next sample that is kept begins it.
                    begins |= sample.begins;
                    if keep {
                        sample.begins = std::mem::take(&mut begins);
                    }
                    keep
                });
            }
            self.sample_count = self.levels.iter().map(|level| level.samples.len()).sum();
            self.low /= 2;
            self.thinning = self.thinning.max(1).saturating_mul(2);
        }
        true
    }
}

/// A gap of more seconds than this without samples begins a new line.
const PAUSE: f32 = 1.0;

impl StoryLevel {
    /// Adds a sample unless it is not newer than the last one or not finite; returns whether it was added. It
    /// begins a new line after a gap of more than `pause` seconds.
    fn push(&mut self, mut sample: RecorderSample, pause: f32) -> bool {
        let is_sound = sample
            .at
            .iter()
            .flatten()
            .chain([&sample.time, &sample.yaw, &sample.speed])
            .all(|it| it.is_finite());
        let last = self.samples.last();
        // A block that does not advance the clock adds no sample.
        let is_new = is_sound && last.is_none_or(|last| last.time < sample.time);
        sample.begins |= last.is_none_or(|last| sample.time - last.time > pause);
        if is_new {
            self.samples.push(sample);
        }
        is_new
    }
}

impl Tracker {
    /// The story of the part of the recording that was watched so far.
    fn story(mut self, file: &str) -> Story {
        self.crowd.settle(&mut self.levels);
        self.others.settle(&mut self.levels);
        let (game, levels, more_levels) = (self.game, self.levels, self.more_levels);
        Story { file: file.into(), game, levels, events: Vec::new(), more_levels }
    }

    /// The player of the main path, with the state. In a client's recording this is the recorder. In a Relay recording
    /// it is the client with the lowest number who has a body, as long as that client stays.
    fn shown_player(&self, frame: &quake2::Frame) -> Option<(Option<u8>, quake2::PlayerState)> {
        let find = |is_it: &dyn Fn(u8) -> bool| frame.players.iter().find(|it| it.0.is_some_and(is_it));
        let is_followed = |client: u8| self.followed == Some(u16::from(client) + 1);
        find(&is_followed).or_else(|| find(&|it| has_body(frame, it))).or(frame.players.first()).copied()
    }

    /// Whether a client without a body, such as the one that stands for a recorder, is shown after a player has left.
    fn is_bystander(&self, frame: &quake2::Frame, client: u8) -> bool {
        self.followed.is_some_and(|it| it != u16::from(client) + 1) && !has_body(frame, client)
    }

    /// Chooses the player of the main path in a server's recording: the first visible player, as long as that player
    /// stays visible.
    fn follow(&mut self, world: &quake2::World, here: &PassPosition) {
        let frame = world.drawn();
        let players = 1..=u16::from(world.config.max_clients());
        let mut visible_players = frame.entities.iter().filter(|it| players.contains(&it.number));
        let is_player = |it: &&quake2::Entity| it.models.first() == Some(&PLAYER_MODEL);
        let own = self.followed.and_then(|number| frame.entity(number)).filter(is_player);
        let Some(entity) = own.or_else(|| visible_players.find(is_player)) else { return };
        let is_same_player = self.followed.replace(entity.number) == Some(entity.number);
        let slot = entity.number.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
        let (at, yaw) = (entity.origin.map(|place| place.value() as f32), entity.angles[1].value() as f32);
        let time = frame.number as f32 / FRAMES;
        let Some(level) = self.level(here) else { return };
        level.seen = slot.map(|slot| Word::of(world.config.player(slot).0));
        let last =
            level.samples.last().filter(|_| is_same_player).and_then(|last| Some((last.time, last.at?)));
        let speed = last.map_or(0.0, |(before, from)| {
            (at[0] - from[0]).hypot(at[1] - from[1]) / (time - before).max(1.0 / FRAMES)
        });
        // A speed above this is a respawn or a teleport, not a movement.
        let begins = !is_same_player || speed > FASTEST;
        let speed = if begins { 0.0 } else { speed };
        self.push(RecorderSample {
            block: here.block,
            time,
            at: Some(at),
            yaw,
            speed,
            begins,
            ..RecorderSample::default()
        });
    }
}

fn has_body(frame: &quake2::Frame, client: u8) -> bool {
    frame.entity(u16::from(client) + 1).is_some_and(|it| it.models.first() == Some(&PLAYER_MODEL))
}

fn map(file: &[u8]) -> Word {
    let name = file.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default();
    Word::of(name.strip_suffix(b".bsp").unwrap_or(name))
}

fn rank(players: &mut [ScoreboardPlayer]) {
    players.sort_by_key(|player| std::cmp::Reverse(player.frags));
}

impl Watch for Tracker {
    fn begin(&mut self, format: Format) {
        self.game = format.game();
    }

    fn quake(&mut self, world: &quake::World, here: &PassPosition) {
        use quake::Stat;
        let is_renamed = !Arc::ptr_eq(&self.players, &world.players);
        let low = self.low;
        let Some(level) = self.level(here) else { return };
        if level.map.is_empty() {
            level.map = map(world.level.models.get(1));
            level.parts = world.level.models.iter().filter(|name| name.bytes().starts_with(b"*")).count();
            level.title = Word::of(world.level.title.bytes());
            level.title_hex = Word::hex(world.level.title.bytes());
        }
        let recorder_slot = usize::try_from(world.view.entity).ok().and_then(|entity| entity.checked_sub(1));
        if is_renamed {
            let players = world.players.iter().enumerate().filter(|(_, player)| !player.name.is_empty());
            level.players = players
                .map(|(slot, player)| ScoreboardPlayer {
                    name: Word::of(player.name.bytes()),
                    name_hex: Word::hex(player.name.bytes()),
                    frags: Some(i32::from(player.frags)),
                    colors: Some([player.colors.shirt(), player.colors.pants()]),
                    is_recorder: Some(slot) == recorder_slot,
                })
                .collect();
            rank(&mut level.players);
        }
        let stat = |stat| world.stats.get(stat);
        level.counts = Some([
            [stat(Stat::Monsters), stat(Stat::TotalMonsters)],
            [stat(Stat::Secrets), stat(Stat::TotalSecrets)],
        ]);
        let eyes = world.eyes().filter(|eyes| eyes.place != Placement::default());
        let mut low = if level.samples.is_empty() { 0 } else { low };
        if !world.is_played() {
            level.samples.truncate(level.samples.len().saturating_sub(low));
            (low, self.is_torn) = (0, true);
        } else if world.signon >= 3 && (eyes.is_some() || !level.samples.is_empty() || stat(Stat::Health) > 0)
        {
            let [x, y, _] = world.vitals.velocity.map(|step| f32::from(step) * SPEED);
            let is_new = self.push(RecorderSample {
                block: here.block,
                time: world.clock.now.value(),
                at: eyes.map(|eyes| eyes.place.origin.map(|place| place.value() as f32)),
                yaw: world.view.angles[1].value(),
                speed: x.hypot(y),
                health: stat(Stat::Health) as i16,
                armor: stat(Stat::Armor) as i16,
                ammo: stat(Stat::Ammo) as i16,
                begins: false,
            });
            low = if world.vitals.view_height == 0 { low.saturating_add(usize::from(is_new)) } else { 0 };
        }
        self.low = low;
        if is_renamed {
            self.players = Arc::clone(&world.players);
        }
        if world.is_played() {
            self.others.look(world, here);
        }
        self.tick(here);
    }

    fn quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        use quake2::Stat;
        let frame = world.drawn();
        // A server's recording has no recorder, and in a Relay recording one of the clients is shown.
        let (client, state) = self.shown_player(frame).unwrap_or_default();
        let layout = world.screen(client).map(|screen| screen.layout.clone()).unwrap_or_default();
        let is_changed = layout != self.layout;
        let Some(level) = self.level(here) else { return };
        if level.map.is_empty() {
            level.map = map(world.config.model(1));
            level.parts = (0..=u8::MAX).filter(|model| world.config.model(*model).starts_with(b"*")).count();
            level.title = Word::of(world.server.title.bytes());
            level.title_hex = Word::hex(world.server.title.bytes());
        }
        if level.players.is_empty() || is_changed {
            let layout_items = run(layout.bytes(), &state, &world.config);
            let recorder_slot = u8::try_from(world.server.client).ok();
            level.players = world
                .config
                .players()
                .map(|(number, name, _)| ScoreboardPlayer {
                    name: Word::of(name),
                    name_hex: Word::hex(name),
                    frags: scores(&layout_items)
                        .find(|score| score.number == number)
                        .map(|score| score.score),
                    colors: None,
                    is_recorder: recorder_slot == Some(number),
                })
                .collect();
            rank(&mut level.players);
        }
        let is_over = state.pm_type == FROZEN && state.gun_model == 0;
        self.is_torn |= is_over;
        let is_bystander = client.is_some_and(|client| self.is_bystander(frame, client));
        if !is_over && frame.number > 0 && !frame.players.is_empty() && !is_bystander {
            let [x, y, _] = state.velocity.map(|speed| speed.value() as f32);
            self.push(RecorderSample {
                block: here.block,
                time: frame.number as f32 / FRAMES,
                at: Some(state.origin.map(|place| place.value() as f32)),
                yaw: state.view_angles[1].value() as f32,
                speed: x.hypot(y),
                health: state.stat(Stat::Health),
                armor: state.stat(Stat::Armor),
                ammo: state.stat(Stat::Ammo),
                begins: false,
            });
        }
        if is_changed {
            self.layout = layout;
        }
        if frame.players.is_empty() {
            self.follow(world, here);
        } else if let Some(client) = client.filter(|_| !is_bystander) {
            self.followed = Some(u16::from(client) + 1);
            if let Some(level) = self.level(here) {
                level.seen = Some(Word::of(world.config.player(client).0));
            }
        }
        if !is_over {
            self.others.look2(world, here, self.followed);
        }
        self.tick(here);
    }

    fn quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        let Some(level) = self.level(here) else { return };
        if level.map.is_empty() {
            level.map = map(world.level.map());
            level.parts = world.level.models.iter().filter(|name| name.bytes().starts_with(b"*")).count();
            level.title = Word::of(world.level.title.bytes());
            level.title_hex = Word::hex(world.level.title.bytes());
        }
        let recorder_slot = world.recorder.map(|(slot, _)| slot);
        if let Some(level) = self.levels.last_mut() {
            self.crowd.look(level, world, recorder_slot);
        }
        self.is_torn |= world.intermission;
        if !world.intermission {
            match recorder_slot {
                Some(slot) => {
                    if let Some(sample) = self.crowd.sample(world, slot, here) {
                        self.push(sample);
                    }
                    self.crowd.step(world, here, recorder_slot);
                }
                None => self.crowd.step(world, here, None),
            }
        }
        self.tick(here);
    }

    fn leave_quakeworld(&mut self, _: &quakeworld::World, here: &PassPosition) {
        self.tick(here);
        self.crowd.settle(&mut self.levels);
    }

    fn leave_quake(&mut self, _: &quake::World, here: &PassPosition) {
        self.tick(here);
        self.others.settle(&mut self.levels);
    }

    fn leave_quake2(&mut self, _: &quake2::World, here: &PassPosition) {
        self.tick(here);
        self.others.settle(&mut self.levels);
    }
}
