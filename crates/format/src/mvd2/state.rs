//! The state of a match after a message. A recording cut out of another one begins with such a state.

use super::{
    ConfigString, FrameMessage, Message, MulticastAllReliable, ServerData, UnicastReliable, part::Player,
};
use crate::context::Context;
use crate::dm2::{self, SpawnBaseline};
use crate::kinds::{
    Angle16, Bits16, ByteOrShort, ConfigStrings, CountedBytes, EntityBits, EntityChanges, Letter,
    MatchVersion, PlayerChanges, Quarters, Short8, StatChanges, Stats, Str, TO_ALL, Volume,
};
use crate::scalar::{Flags, Scalar};
use crate::table::write_message;
use crate::wire::Writer;
use std::collections::BTreeMap;

/// The state of a match: its level, its config strings, the players, the entities, and the texts on the players' screens.
///
/// ```
/// use moviola_format::{Context, Messages, Mvd2, mvd2::{MatchState, Message}};
/// let level = b"\x24\x25\0\0\0\xda\x07\x01\0\0\0\0\0\0\x20\x08\0\xff\0\0";
/// let frame = b"\x06\0\x03\0\x01\x5a\xff\x10\x01\x07\0\0";
/// let mut state = MatchState::default();
/// let context = Context { mvd: true, ..Context::quake2() };
/// for block in [&level[..], frame] {
///     Messages::<Mvd2>::new(block, context).for_each(|it| state.apply(&it.message));
/// }
/// // A recording that begins here has both players and entities in the message that begins its level.
/// let mut start = Vec::new();
/// state.write_beginning(&mut start);
/// let Some(Message::ServerData(it)) = Messages::<Mvd2>::new(&start, context).next().map(|it| it.message) else { panic!() };
/// assert_eq!((it.players.iter().next().unwrap().fov, it.entities.iter().count()), (90, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MatchState {
    level: Option<LevelHead>,
    config: BTreeMap<i16, Vec<u8>>,
    areas: Vec<u8>,
    pub(super) players: BTreeMap<u8, Track<PlayerNow>>,
    pub(super) entities: BTreeMap<u16, Track<SpawnBaseline>>,
    /// The texts on the clients' screens (`None`: all screens): the last message for each id and index.
    texts: BTreeMap<(Option<u8>, u8, i16), Vec<u8>>,
}

/// The values at the beginning of a level, without its lists.
#[derive(Clone, Debug)]
struct LevelHead {
    version: MatchVersion,
    key: i32,
    game: Vec<u8>,
    client: i16,
}

/// A player or an entity. If one is removed and sent again, its record builds on its last state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Track<T> {
    pub(super) now: T,
    pub(super) is_there: bool,
}

/// The state of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PlayerNow {
    pub(super) pm_type: u8,
    pub(super) origin: [Short8; 3],
    pub(super) viewoffset: [Quarters; 3],
    pub(super) viewangles: [Angle16; 3],
    pub(super) kick_angles: [Quarters; 3],
    pub(super) gunindex: u8,
    pub(super) gunframe: u8,
    pub(super) gunoffset: [Quarters; 3],
    pub(super) gunangles: [Quarters; 3],
    pub(super) blend: [Volume; 4],
    pub(super) fov: u8,
    pub(super) rdflags: u8,
    pub(super) stats: [i16; 32],
}

impl PlayerNow {
    fn change(&mut self, it: &Player<'_>) {
        macro_rules! take {
            ($($place:expr => $bit:ident $value:expr;)*) => { $( if it.flags.has(Player::$bit) { $place = $value; } )* };
        }
        let [x, y, z] = &mut self.origin;
        let [pitch, yaw, roll] = &mut self.viewangles;
        take! {
            self.pm_type => pm_type it.pm_type;
            [*x, *y] => origin it.origin;
            *z => origin_z it.origin_z;
            self.viewoffset => viewoffset it.viewoffset;
            [*pitch, *yaw] => viewangles it.viewangles;
            *roll => viewroll it.viewroll;
            self.kick_angles => kick_angles it.kick_angles;
            self.gunindex => gunindex it.gunindex;
            self.gunframe => gunframe it.gunframe;
            self.gunoffset => gunoffset it.gunoffset;
            self.gunangles => gunangles it.gunangles;
            self.blend => blend it.blend;
            self.fov => fov it.fov;
            self.rdflags => rdflags it.rdflags;
        }
        if it.flags.has(Player::stats) {
            for (index, value) in it.stats.0.iter() {
                if let Some(place) = self.stats.get_mut(usize::from(index)) {
                    *place = value;
                }
            }
        }
    }

    /// The numbers of the status bar that differ from those of another state.
    pub(super) fn stats_since<'b>(&self, from: &Self, buffer: &'b mut Vec<u8>) -> Stats<'b> {
        let changed = |place: &(usize, &i16)| from.stats.get(place.0) != Some(place.1);
        let stats = self.stats.iter().enumerate().filter(changed);
        Stats::encode(stats.map(|(index, value)| (index as u8, *value)), buffer)
    }

    /// The record with which a client that has the other state gets this one.
    fn since<'b>(&self, from: &Self, player: u8, buffer: &'b mut Vec<u8>) -> Player<'b> {
        let two = |[first, second, _]: [Short8; 3]| [first, second];
        let turn = |[first, second, _]: [Angle16; 3]| [first, second];
        let mut it =
            Player { player, stats: StatChanges(self.stats_since(from, buffer)), ..Player::default() };
        let mut bits = if it.stats.0.is_empty() { 0 } else { Player::stats };
        macro_rules! fields {
            ($($bit:ident $now:expr, $before:expr;)*) => { $( if $now != $before {
                it.$bit = $now;
                bits |= Player::$bit;
            } )* };
        }
        fields! {
            pm_type self.pm_type, from.pm_type;
            origin two(self.origin), two(from.origin);
            origin_z self.origin[2], from.origin[2];
            viewoffset self.viewoffset, from.viewoffset;
            viewangles turn(self.viewangles), turn(from.viewangles);
            viewroll self.viewangles[2], from.viewangles[2];
            kick_angles self.kick_angles, from.kick_angles;
            gunindex self.gunindex, from.gunindex;
            gunframe self.gunframe, from.gunframe;
            gunoffset self.gunoffset, from.gunoffset;
            gunangles self.gunangles, from.gunangles;
            blend self.blend, from.blend;
            fov self.fov, from.fov;
            rdflags self.rdflags, from.rdflags;
        }
        it.flags = Bits16(bits as u16);
        it
    }
}

/// Puts the fields of a record into an entity.
fn take(now: &mut SpawnBaseline, it: &SpawnBaseline) {
    macro_rules! take {
        ($($field:ident)*) => { $( if it.flags.has(SpawnBaseline::$field) { now.$field = it.$field; } )* };
    }
    take!(modelindex modelindex2 modelindex3 modelindex4 frame skin effects renderfx origin_x origin_y origin_z);
    take!(angles_1 angles_2 angles_3 old_origin sound solid event);
    now.entity = it.entity;
}

/// The bits of the fields in which an entity differs from the entity `from`.
pub(super) fn changed(now: &SpawnBaseline, from: &SpawnBaseline, context: &Context) -> u32 {
    let mut bits = 0;
    macro_rules! fields {
        ($($field:ident)*) => { $( if now.$field != from.$field {
            bits |= now.$field.implied(SpawnBaseline::$field, context);
        } )* };
    }
    fields!(modelindex modelindex2 modelindex3 modelindex4 frame skin effects renderfx origin_x origin_y origin_z);
    fields!(angles_1 angles_2 angles_3 old_origin sound event solid);
    bits
}

/// The context of the messages of a match.
const MATCH: Context = Context { protocol: super::PROTOCOL, mvd: true, ..Context::quake2() };

impl MatchState {
    /// Applies a message.
    pub fn apply(&mut self, message: &Message<'_>) {
        match message {
            Message::Nop(_) | Message::Sound(_) | Message::Print(_) => {}
            Message::ServerData(it) => {
                let level = LevelHead {
                    version: it.version,
                    key: it.key,
                    game: closed(it.game.bytes()),
                    client: it.client,
                };
                *self = Self { level: Some(level), ..Self::default() };
                it.config.iter().for_each(|it| self.config(it));
                self.frame(it.areas, &it.players, &it.entities);
            }
            Message::ConfigString(it) => {
                self.config(dm2::ConfigString { index: it.index, string: it.string });
            }
            Message::FrameMessage(it) => self.frame(it.areas, &it.players, &it.entities),
            Message::Unicast(it) => self.letter(&it.letter, Some(it.letter.place as u8)),
            Message::UnicastReliable(it) => self.letter(&it.letter, Some(it.letter.place as u8)),
            Message::MulticastAll(it) => self.letter(&it.letter, None),
            Message::MulticastHear(it) => self.letter(&it.letter, None),
            Message::MulticastSee(it) => self.letter(&it.letter, None),
            Message::MulticastAllReliable(it) => self.letter(&it.letter, None),
            Message::MulticastHearReliable(it) => self.letter(&it.letter, None),
            Message::MulticastSeeReliable(it) => self.letter(&it.letter, None),
        }
    }

    /// Whether a level has begun.
    pub fn has_level(&self) -> bool {
        self.level.is_some()
    }

    fn config(&mut self, it: dm2::ConfigString<'_>) {
        self.config.insert(it.index, it.string.bytes().to_vec());
    }

    /// Keeps the texts that stay on a screen until another text replaces them.
    fn letter<const LEAD: usize>(&mut self, letter: &Letter<'_, LEAD>, client: Option<u8>) {
        letter.each(|message, _| {
            let (place, text) = match message {
                dm2::Message::Layout(it) => ((dm2::Layout::OP, 0), it.string),
                dm2::Message::ConfigString(it) => ((dm2::ConfigString::OP, it.index), it.string),
                _ => return,
            };
            let (op, index) = place;
            if client.is_none() {
                self.texts.retain(|(_, other, number), _| (*other, *number) != place);
            }
            self.texts.insert((client, op, index), text.bytes().to_vec());
        });
    }

    pub(super) fn frame(
        &mut self,
        areas: CountedBytes<'_>,
        players: &PlayerChanges<'_>,
        entities: &EntityChanges<'_>,
    ) {
        self.areas = areas.0.to_vec();
        for it in players.iter() {
            let track = self.players.entry(it.player).or_default();
            track.now.change(&it);
            track.is_there = !it.flags.has(Player::remove);
        }
        // An event lasts for one frame.
        self.entities.values_mut().for_each(|track| track.now.event = 0);
        for it in entities.iter() {
            let track = self.entities.entry(it.entity.0).or_default();
            take(&mut track.now, &it);
            track.is_there = !it.flags.has(SpawnBaseline::remove);
        }
    }

    /// Appends the messages with which a recording can begin at this state. Before the first level there are none.
    pub fn write_beginning(&self, out: &mut Vec<u8>) {
        let Some(level) = &self.level else { return };
        let (nothing, mut lists) = (Self::default(), Lists::default());
        let (players, entities) = self.lists(&nothing, &mut lists);
        let mut config = Vec::new();
        for (index, text) in self.config.iter().filter(|(_, text)| !text.is_empty()) {
            let text = closed(text);
            dm2::ConfigString { index: *index, string: Str::new(&text) }
                .walk(&mut Writer::new(&mut config, &MATCH));
        }
        let message = ServerData {
            version: level.version,
            key: level.key,
            game: Str::new(&level.game),
            client: level.client,
            config: ConfigStrings::of(&config),
            areas: CountedBytes(&self.areas),
            players,
            entities,
        };
        write_message(&Message::from(message), out, &MATCH);
        self.screens(&nothing, out);
    }

    /// Appends the messages that take a viewer from another state of the same level to this one.
    ///
    /// ```
    /// use moviola_format::{Context, Messages, Mvd2, mvd2::MatchState};
    /// let context = Context { mvd: true, ..Context::quake2() };
    /// let state = |bytes: &[u8], from: &MatchState| {
    ///     let mut state = from.clone();
    ///     Messages::<Mvd2>::new(bytes, context).for_each(|it| state.apply(&it.message));
    ///     state
    /// };
    /// // Entity 7 is removed, and player 3 has another field of view.
    /// let before = state(b"\x24\x25\0\0\0\xda\x07\x01\0\0\0\0\0\0\x20\x08\0\x03\0\x01\x5a\xff\x10\x07\x01\0\0", &MatchState::default());
    /// let now = state(b"\x06\0\x03\0\x01\x60\xff\x40\x07\0\0", &before);
    /// let mut bridge = Vec::new();
    /// now.follow(&before, &mut bridge);
    /// assert_eq!(bridge, b"\x06\0\x03\0\x01\x60\xff\x40\x07\0\0");
    /// ```
    pub fn follow(&self, from: &Self, out: &mut Vec<u8>) {
        for (index, text) in &self.config {
            if from.config.get(index) != Some(text) {
                let text = closed(text);
                let message = ConfigString { index: *index, string: Str::new(&text) };
                write_message(&Message::from(message), out, &MATCH);
            }
        }
        self.screens(from, out);
        let mut lists = Lists::default();
        let (players, entities) = self.lists(from, &mut lists);
        let message = FrameMessage { areas: CountedBytes(&self.areas), players, entities };
        write_message(&Message::from(message), out, &MATCH);
    }

    /// The lists of a frame with which a client that has the other state gets this one.
    fn lists<'b>(&self, from: &Self, lists: &'b mut Lists) -> (PlayerChanges<'b>, EntityChanges<'b>) {
        let (nobody, nothing) = (Track::default(), Track::default());
        let (mut stats, mut changes) = (Vec::new(), Vec::new());
        for (number, track) in &self.players {
            let before = from.players.get(number).unwrap_or(&nobody);
            if track == before {
                continue;
            }
            let mut it = track.now.since(&before.now, *number, &mut stats);
            if !track.is_there {
                it.flags.0 |= Player::remove as u16;
            }
            it.walk(&mut Writer::new(&mut lists.players, &MATCH));
        }
        for (number, track) in &self.entities {
            let before = from.entities.get(number).unwrap_or(&nothing);
            let mut bits = changed(&track.now, &before.now, &MATCH);
            if bits == 0 && track.is_there == before.is_there {
                continue;
            }
            if !track.is_there {
                bits |= SpawnBaseline::remove;
            }
            let mut it = SpawnBaseline { entity: ByteOrShort(*number), ..track.now };
            bits |= it.entity.implied(0, &MATCH);
            it.flags = EntityBits::canonical(bits, &MATCH);
            changes.push(it);
        }
        (PlayerChanges::of(&lists.players), EntityChanges::encode(changes, &mut lists.entities))
    }

    /// Appends the texts on screens that differ from those of another state.
    fn screens(&self, from: &Self, out: &mut Vec<u8>) {
        for (place, text) in self.texts.iter().filter(|(place, text)| from.texts.get(place) != Some(text)) {
            let (client, op, index) = *place;
            let (text, mut data) = (closed(text), Vec::new());
            let string = Str::new(&text);
            let message = if op == dm2::Layout::OP {
                dm2::Message::from(dm2::Layout { string })
            } else {
                dm2::Message::from(dm2::ConfigString { index, string })
            };
            write_message(&message, &mut data, &Context::quake2());
            let message = match client {
                Some(client) => {
                    Message::from(UnicastReliable { letter: Letter { place: client.into(), data: &data } })
                }
                None => {
                    Message::from(MulticastAllReliable { letter: Letter::<TO_ALL> { place: 0, data: &data } })
                }
            };
            write_message(&message, out, &MATCH);
        }
    }
}

/// The records of a frame in their wire form.
#[derive(Default)]
struct Lists {
    players: Vec<u8>,
    entities: Vec<u8>,
}

/// A text with its end.
fn closed(text: &[u8]) -> Vec<u8> {
    [text, &[0]].concat()
}
