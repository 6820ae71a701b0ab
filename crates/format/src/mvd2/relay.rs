//! An MVD2 as a recording of Quake II in the form of the Relay modification, which has the states of all players and
//! the messages of each, so that all that reads those reads MVD2s as well.

use super::{Message, Mvd2, ServerData, part::Player};
use crate::context::Context;
use crate::demo::{Block, Demo, Piece};
use crate::dm2::{self, SpawnBaseline};
use crate::game::Game;
use crate::kinds::{
    Angle16, Deltas, EntityBits, EntityChanges, FrameForm, FrameHead, Letter, PlayerChanges, Quarters,
    Short8, SoundBits, Stats, Str, Volume,
};
use crate::messages::Entry;
use crate::names::{bit, quake2};
use crate::scalar::{Flags, Scalar};
use std::collections::BTreeMap;
use std::io::{self, Read};

/// Turns the blocks of an MVD2 into those of a Relay recording, one by one.
///
/// ```
/// use moviola_format::{Block, Context, Format, Messages, Quake2, Stamp, mvd2::Relay};
/// let mut relay = Relay::default();
/// let frame = Block { stamp: Stamp::Mvd2, ..Block::new(b"\x06\0\x03\0\x01\x5a\xff\0\0") };
/// let mut out = Vec::new();
/// relay.block(&frame, &mut out);
/// // A frame's head, the state of player 3, the entities.
/// let names = Messages::<Quake2>::new(&out, Context::quake2()).map(|it| (it.unicast, moviola_format::Message::op(&it.message)));
/// assert_eq!(names.collect::<Vec<_>>(), [(None, 20), (Some(3), 17), (None, 18)]);
/// ```
#[derive(Clone, Debug)]
pub struct Relay {
    context: Context,
    /// The number of the last frame.
    number: i32,
    players: BTreeMap<u8, Track<PlayerNow>>,
    entities: BTreeMap<u16, Track<SpawnBaseline>>,
}

/// A player or an entity. Those that come back build on their last state.
#[derive(Clone, Debug, Default)]
struct Track<T> {
    now: T,
    /// The state of the frame before, if it was in it.
    sent: Option<T>,
    is_there: bool,
}

/// The state of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PlayerNow {
    pm_type: u8,
    origin: [Short8; 3],
    viewoffset: [Quarters; 3],
    viewangles: [Angle16; 3],
    kick_angles: [Quarters; 3],
    gunindex: u8,
    gunframe: u8,
    gunoffset: [Quarters; 3],
    gunangles: [Quarters; 3],
    blend: [Volume; 4],
    fov: u8,
    rdflags: u8,
    stats: [i16; 32],
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

    /// The difference between this state and another one.
    fn since<'b>(&self, from: &Self, buffer: &'b mut Vec<u8>) -> dm2::PlayerInfo<'b> {
        let changed = |place: &(usize, &i16)| from.stats.get(place.0) != Some(place.1);
        let stats = self.stats.iter().enumerate().filter(changed).map(|(index, value)| (index as u8, *value));
        let mut it = dm2::PlayerInfo { stats: Stats::encode(stats, buffer), ..dm2::PlayerInfo::default() };
        macro_rules! tell {
            ($($field:ident)*) => { $( if self.$field != from.$field {
                it.$field = self.$field;
                it.flags.0 |= dm2::PlayerInfo::$field as u16;
            } )* };
        }
        tell!(pm_type origin viewoffset viewangles kick_angles gunindex blend fov rdflags);
        let gun = |it: &Self| (it.gunframe, it.gunoffset, it.gunangles);
        if gun(self) != gun(from) {
            (it.gunframe, it.gunoffset, it.gunangles) = gun(self);
            it.flags.0 |= dm2::PlayerInfo::gunframe as u16;
        }
        it
    }
}

/// The bit of `renderfx` that marks a beam. The other end of a beam is its `old_origin`, which an MVD2 sends only when it
/// changes, and a frame of Quake II each time.
const BEAM: u32 = bit(quake2::RENDERFX, "RF_BEAM") as u32;

/// Puts the fields of a record into an entity.
fn take(now: &mut SpawnBaseline, it: &SpawnBaseline) {
    macro_rules! take {
        ($($field:ident)*) => { $( if it.flags.has(SpawnBaseline::$field) { now.$field = it.$field; } )* };
    }
    take!(modelindex modelindex2 modelindex3 modelindex4 frame skin effects renderfx origin_x origin_y origin_z);
    take!(angles_1 angles_2 angles_3 old_origin sound solid);
    (now.entity, now.event) = (it.entity, if it.flags.has(SpawnBaseline::event) { it.event } else { 0 });
}

/// An entity as a record that builds on nothing.
fn whole(now: &SpawnBaseline, context: &Context) -> SpawnBaseline {
    let (mut it, none) = (*now, SpawnBaseline::default());
    if now.renderfx.0 & BEAM == 0 {
        it.old_origin = [now.origin_x, now.origin_y, now.origin_z];
    }
    let mut bits = it.entity.implied(0, context);
    macro_rules! tell {
        ($($field:ident)*) => { $( if it.$field != none.$field {
            bits |= it.$field.implied(SpawnBaseline::$field, context);
        } )* };
    }
    tell!(modelindex modelindex2 modelindex3 modelindex4 frame skin effects renderfx origin_x origin_y origin_z);
    tell!(angles_1 angles_2 angles_3 old_origin sound event solid);
    it.flags = EntityBits::canonical(bits, context);
    it
}

impl Default for Relay {
    fn default() -> Self {
        Self { context: Context::quake2(), number: 0, players: BTreeMap::new(), entities: BTreeMap::new() }
    }
}

impl Relay {
    /// The context of the blocks that it makes.
    fn made() -> Context {
        let mut context = Context::quake2();
        context.set_quake2_protocol(dm2::NEWEST, quake2::RECORD_RELAY);
        context
    }

    /// Appends the messages of a block. Bytes that cannot be read are left out.
    pub fn block(&mut self, block: &Block<'_>, out: &mut Vec<u8>) {
        let mut messages = block.messages::<Mvd2>(self.context);
        for entry in messages.by_ref() {
            self.message(&entry.message, out);
        }
        self.context = *messages.context();
    }

    fn message(&mut self, message: &Message<'_>, out: &mut Vec<u8>) {
        match message {
            Message::Nop(_) => {}
            Message::ServerData(it) => self.level(it, out),
            Message::ConfigString(it) => {
                put(None, dm2::ConfigString { index: it.index, string: it.string }.into(), out);
            }
            Message::FrameMessage(it) => self.frame(&it.players, &it.entities, out),
            Message::Print(it) => put(None, dm2::Print { level: it.level, string: it.string }.into(), out),
            Message::Sound(it) => {
                let Ok(soundnum) = u8::try_from(it.soundnum.0) else { return };
                let fields = dm2::Sound::vol | dm2::Sound::attenuation | dm2::Sound::timeofs;
                let flags = SoundBits((it.flags.bits() & fields | dm2::Sound::source) as u8);
                let (vol, attenuation, timeofs) = (it.vol, it.attenuation, it.timeofs);
                let (source, none) = (it.source.0, dm2::Sound::default());
                put(
                    None,
                    dm2::Sound { flags, soundnum, vol, attenuation, timeofs, source, ..none }.into(),
                    out,
                );
            }
            Message::Unicast(it) => letter(&it.letter, Some(it.letter.place as u8), out),
            Message::UnicastReliable(it) => letter(&it.letter, Some(it.letter.place as u8), out),
            Message::MulticastAll(it) => letter(&it.letter, None, out),
            Message::MulticastHear(it) => letter(&it.letter, None, out),
            Message::MulticastSee(it) => letter(&it.letter, None, out),
            Message::MulticastAllReliable(it) => letter(&it.letter, None, out),
            Message::MulticastHearReliable(it) => letter(&it.letter, None, out),
            Message::MulticastSeeReliable(it) => letter(&it.letter, None, out),
        }
    }

    fn level(&mut self, it: &ServerData<'_>, out: &mut Vec<u8>) {
        *self = Self { context: self.context, ..Self::default() };
        let title = it.config.iter().find(|it| it.index == 0).map_or(Str::new(&[0]), |it| it.string);
        let level = dm2::ServerData {
            serverversion: dm2::NEWEST,
            key: it.key,
            isdemo: quake2::RECORD_RELAY,
            game: it.game,
            client: -1,
            mapname: title,
        };
        put(None, level.into(), out);
        it.config.iter().for_each(|it| put(None, it.into(), out));
        // schema-once: a command of the console
        put(None, dm2::StuffText { string: Str::new(b"precache\n\0") }.into(), out);
        self.frame(&it.players, &it.entities, out);
    }

    fn frame(&mut self, players: &PlayerChanges<'_>, entities: &EntityChanges<'_>, out: &mut Vec<u8>) {
        for it in players.iter() {
            let track = self.players.entry(it.player).or_default();
            track.now.change(&it);
            track.is_there = !it.flags.has(Player::remove);
        }
        let connected: Vec<u8> =
            self.players.iter().filter(|(_, it)| it.is_there).map(|(at, _)| *at).collect();
        let seq2 = if self.number == 0 { -1 } else { self.number };
        self.number = self.number.saturating_add(1);
        let head = FrameHead {
            form: FrameForm::Relay,
            seq1: self.number,
            seq2,
            uk_b1: Some(0),
            areas: &[],
            connected: &connected,
        };
        put(None, dm2::FrameMessage { head }.into(), out);
        let mut buffer = Vec::new();
        for (player, track) in &mut self.players {
            let from = track.sent.take().unwrap_or_default();
            if track.is_there {
                put(Some(*player), track.now.since(&from, &mut buffer).into(), out);
                track.sent = Some(track.now);
            }
        }
        let list = self.list(entities);
        put(None, dm2::PacketEntities { entities: Deltas::encode(list, &mut buffer) }.into(), out);
    }

    /// The records that make the entities of the frame before into those of this one.
    fn list(&mut self, entities: &EntityChanges<'_>) -> Vec<SpawnBaseline> {
        let context = Self::made();
        let records: BTreeMap<u16, SpawnBaseline> = entities.iter().map(|it| (it.entity.0, it)).collect();
        for (number, it) in &records {
            let track = self.entities.entry(*number).or_default();
            take(&mut track.now, it);
            track.is_there = !it.flags.has(SpawnBaseline::remove);
        }
        let mut list = Vec::with_capacity(records.len());
        for (number, track) in &mut self.entities {
            let is_beam = track.now.renderfx.0 & BEAM != 0;
            let was_there = track.sent.is_some();
            match (was_there, track.is_there) {
                (false, true) => list.push(whole(&track.now, &context)),
                (true, false) => {
                    let mut it = SpawnBaseline { entity: track.now.entity, ..SpawnBaseline::default() };
                    let bits = it.entity.implied(SpawnBaseline::remove, &context);
                    it.flags = EntityBits::canonical(bits, &context).listed(&context);
                    list.push(it);
                }
                (true, true) => {
                    let mut it = match records.get(number) {
                        Some(it) => *it,
                        None if is_beam => {
                            SpawnBaseline { entity: track.now.entity, ..SpawnBaseline::default() }
                        }
                        None => continue,
                    };
                    if is_beam {
                        it.old_origin = track.now.old_origin;
                        let bits = it.flags.bits() | it.entity.implied(SpawnBaseline::old_origin, &context);
                        it.flags = EntityBits::canonical(bits, &context);
                    }
                    list.push(it);
                }
                (false, false) => {}
            }
            track.sent = track.is_there.then_some(track.now);
        }
        list
    }
}

/// Appends a message for all clients or for one.
fn put(unicast: Option<u8>, message: dm2::Message<'_>, out: &mut Vec<u8>) {
    Entry { at: 0, unicast, message }.write(out, &Relay::made());
}

/// Appends the messages of a letter.
fn letter<const LEAD: usize>(letter: &Letter<'_, LEAD>, client: Option<u8>, out: &mut Vec<u8>) {
    letter.each(|message, is_open| {
        put(client, *message, out);
        // The last string of a letter may lack its end, and here others follow it.
        out.extend(is_open.then_some(0));
    });
}

/// Reads an MVD2 as a Relay recording, and any other file as it is.
///
/// ```
/// use moviola_format::{Demo, Format, mvd2::AsRelay};
/// let file = b"MVD2\x09\0\x06\0\x03\0\x01\x5a\xff\0\0\0\0";
/// let demo = Demo::new(AsRelay::new(&file[..]).unwrap()).unwrap();
/// assert_eq!(demo.format(), Format::Quake2);
/// ```
#[derive(Debug)]
pub struct AsRelay<R> {
    source: Source<R>,
    ready: Vec<u8>,
    at: usize,
}

#[derive(Debug)]
enum Source<R> {
    Plain(io::Chain<io::Cursor<Vec<u8>>, R>),
    Match(Box<Demo<io::Chain<io::Cursor<Vec<u8>>, R>>>, Box<Relay>),
}

impl<R: Read> AsRelay<R> {
    /// Looks at the first bytes of the source.
    ///
    /// # Errors
    /// When reading fails.
    pub fn new(mut source: R) -> io::Result<Self> {
        let mut start = Vec::new();
        source.by_ref().take(crate::sniff::MVD2.len() as u64).read_to_end(&mut start)?;
        let is_match = start == crate::sniff::MVD2;
        let source = io::Cursor::new(start).chain(source);
        let source = if is_match {
            Source::Match(Box::new(Demo::new(source)?), Box::default())
        } else {
            Source::Plain(source)
        };
        Ok(Self { source, ready: Vec::new(), at: 0 })
    }

    /// Whether the source is an MVD2.
    pub fn is_match(&self) -> bool {
        matches!(self.source, Source::Match(..))
    }
}

impl<R: Read> Read for AsRelay<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (demo, relay) = match &mut self.source {
            Source::Plain(source) => return source.read(buffer),
            Source::Match(demo, relay) => (demo, relay),
        };
        while self.at == self.ready.len() {
            (self.at, self.ready) = (0, Vec::new());
            match demo.next_piece()? {
                None => return Ok(0),
                Some(Piece::Block(block)) => {
                    let mut data = Vec::new();
                    relay.block(&block, &mut data);
                    Piece::Block(Block::new(&data)).write(Game::Quake2, &mut self.ready)?;
                }
                Some(Piece::EndOfMvd2) => Piece::End.write(Game::Quake2, &mut self.ready)?,
                Some(_) => {}
            }
        }
        let rest = self.ready.get(self.at..).unwrap_or_default();
        let mut rest = rest;
        let count = rest.read(buffer)?;
        self.at += count;
        Ok(count)
    }
}
