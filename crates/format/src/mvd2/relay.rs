//! Turns an MVD2 into a recording of Quake II in the form of the Relay modification, which also has the states of all
//! players and the messages of each. So code that reads Relay's recordings reads MVD2s too.

use super::state::{MatchState, PlayerNow, changed};
use super::{Message, Mvd2, ServerData};
use crate::context::Context;
use crate::demo::{Block, Demo, Piece};
use crate::dm2::{self, SpawnBaseline};
use crate::game::Game;
use crate::kinds::{Deltas, EntityBits, EntityChanges, FrameForm, FrameHead, Letter, SoundBits, Str};
use crate::messages::Entry;
use crate::names::{bit, quake2};
use crate::scalar::{Flags, Scalar};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

/// Turns the blocks of an MVD2 into those of a Relay recording, one by one, or into those of one player's recording.
///
/// ```
/// use moviola_format::{Block, Context, Format, Messages, Quake2, Stamp, mvd2::Relay};
/// let frame = Block { stamp: Stamp::Mvd2, ..Block::new(b"\x06\0\x03\0\x01\x5a\xff\0\0") };
/// let names = |mut relay: Relay| {
///     let mut out = Vec::new();
///     relay.block(&frame, &mut out);
///     let messages = Messages::<Quake2>::new(&out, Context::quake2());
///     messages.map(|it| (it.unicast, moviola_format::Message::op(&it.message))).collect::<Vec<_>>()
/// };
/// // A frame's head, the state of player 3, the entities.
/// assert_eq!(names(Relay::default()), [(None, 20), (Some(3), 17), (None, 18)]);
/// assert_eq!(names(Relay::through(3)), [(None, 20), (None, 17), (None, 18)]);
/// ```
#[derive(Clone, Debug)]
pub struct Relay {
    context: Context,
    /// The player whose recording is made.
    eyes: Option<u8>,
    /// The number of the last frame.
    number: i32,
    state: MatchState,
    /// The players and the entities of the last frame.
    players: BTreeMap<u8, PlayerNow>,
    entities: BTreeSet<u16>,
}

/// The changes of a player's state, as Quake II has them.
fn since<'b>(now: &PlayerNow, from: &PlayerNow, buffer: &'b mut Vec<u8>) -> dm2::PlayerInfo<'b> {
    let mut it = dm2::PlayerInfo { stats: now.stats_since(from, buffer), ..dm2::PlayerInfo::default() };
    macro_rules! fields {
        ($($field:ident)*) => { $( if now.$field != from.$field {
            it.$field = now.$field;
            it.flags.0 |= dm2::PlayerInfo::$field as u16;
        } )* };
    }
    fields!(pm_type origin viewoffset viewangles kick_angles gunindex blend fov rdflags);
    let gun = |it: &PlayerNow| (it.gunframe, it.gunoffset, it.gunangles);
    if gun(now) != gun(from) {
        (it.gunframe, it.gunoffset, it.gunangles) = gun(now);
        it.flags.0 |= dm2::PlayerInfo::gunframe as u16;
    }
    it
}

/// The bit of `renderfx` that marks a beam. The other end of a beam is its `old_origin`, which an MVD2 sends only when it
/// changes, and a frame of Quake II each time.
const BEAM: u32 = bit(quake2::RENDERFX, "RF_BEAM") as u32;

/// A record with all fields of an entity, which needs no earlier record.
fn full_record(now: &SpawnBaseline, context: &Context) -> SpawnBaseline {
    let (mut it, none) = (*now, SpawnBaseline::default());
    if now.renderfx.0 & BEAM == 0 {
        it.old_origin = [now.origin_x, now.origin_y, now.origin_z];
    }
    let bits = it.entity.implied(0, context) | changed(&it, &none, context);
    it.flags = EntityBits::canonical(bits, context);
    it
}

impl Default for Relay {
    fn default() -> Self {
        Self {
            context: Context::quake2(),
            eyes: None,
            number: 0,
            state: MatchState::default(),
            players: BTreeMap::new(),
            entities: BTreeSet::new(),
        }
    }
}

impl Relay {
    /// Makes the recording of this player, counted from 0: the states and the messages of others are left out.
    pub fn through(player: u8) -> Self {
        Self { eyes: Some(player), ..Self::default() }
    }

    /// The kind of the recording that is made.
    fn kind(&self) -> u8 {
        if self.eyes.is_some() { quake2::RECORD_CLIENT } else { quake2::RECORD_RELAY }
    }

    /// The context of the blocks that it makes.
    fn output_context() -> Context {
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
            Message::ServerData(it) => self.level(message, it, out),
            Message::ConfigString(it) => {
                put(None, dm2::ConfigString { index: it.index, string: it.string }.into(), out);
            }
            Message::FrameMessage(it) => {
                self.state.apply(message);
                self.frame(&it.entities, out);
            }
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
            Message::Unicast(it) => self.letter(&it.letter, Some(it.letter.place as u8), out),
            Message::UnicastReliable(it) => self.letter(&it.letter, Some(it.letter.place as u8), out),
            Message::MulticastAll(it) => self.letter(&it.letter, None, out),
            Message::MulticastHear(it) => self.letter(&it.letter, None, out),
            Message::MulticastSee(it) => self.letter(&it.letter, None, out),
            Message::MulticastAllReliable(it) => self.letter(&it.letter, None, out),
            Message::MulticastHearReliable(it) => self.letter(&it.letter, None, out),
            Message::MulticastSeeReliable(it) => self.letter(&it.letter, None, out),
        }
    }

    fn level(&mut self, message: &Message<'_>, it: &ServerData<'_>, out: &mut Vec<u8>) {
        *self = Self { context: self.context, eyes: self.eyes, ..Self::default() };
        self.state.apply(message);
        let title = it.config.iter().find(|it| it.index == 0).map_or(Str::new(&[0]), |it| it.string);
        let level = dm2::ServerData {
            serverversion: dm2::NEWEST,
            key: it.key,
            isdemo: self.kind(),
            game: it.game,
            client: self.eyes.map_or(-1, i16::from),
            mapname: title,
        };
        put(None, level.into(), out);
        it.config.iter().for_each(|it| put(None, it.into(), out));
        // not from SCHEMA: a command of the console
        put(None, dm2::StuffText { string: Str::new(b"precache\n\0") }.into(), out);
        self.frame(&it.entities, out);
    }

    /// Appends a frame with the current state of all players, and these changes of the entities.
    fn frame(&mut self, entities: &EntityChanges<'_>, out: &mut Vec<u8>) {
        let players: Vec<(u8, PlayerNow)> = if let Some(eyes) = self.eyes {
            // A player who is not there yet has a state nevertheless: each frame of a recording has one.
            vec![(eyes, self.state.players.get(&eyes).map(|it| it.now).unwrap_or_default())]
        } else {
            let there = self.state.players.iter().filter(|(_, it)| it.is_there);
            there.map(|(number, it)| (*number, it.now)).collect()
        };
        let connected: Vec<u8> = if self.eyes.is_some() {
            Vec::new()
        } else {
            players.iter().map(|(number, _)| *number).collect()
        };
        let seq2 = if self.number == 0 { -1 } else { self.number };
        self.number = self.number.saturating_add(1);
        let form = if self.eyes.is_some() { FrameForm::Client } else { FrameForm::Relay };
        let head =
            FrameHead { form, seq1: self.number, seq2, uk_b1: Some(0), areas: &[], connected: &connected };
        put(None, dm2::FrameMessage { head }.into(), out);
        let mut buffer = Vec::new();
        for (number, now) in &players {
            let from = self.players.get(number).copied().unwrap_or_default();
            let client = Some(*number).filter(|_| self.eyes.is_none());
            put(client, since(now, &from, &mut buffer).into(), out);
        }
        self.players = players.into_iter().collect();
        let list = self.list(entities);
        put(None, dm2::PacketEntities { entities: Deltas::encode(list, &mut buffer) }.into(), out);
    }

    /// Appends the messages that an MVD2 message carries.
    fn letter<const LEAD: usize>(&self, letter: &Letter<'_, LEAD>, client: Option<u8>, out: &mut Vec<u8>) {
        if self.eyes.is_some() && client.is_some() && client != self.eyes {
            return;
        }
        let client = client.filter(|_| self.eyes.is_none());
        letter.each(|message, is_open| {
            put(client, *message, out);
            // The last string of an MVD2 message may lack its NUL; here more messages follow, so it needs one.
            out.extend(is_open.then_some(0));
        });
    }

    /// The records that make the entities of the frame before into those of this one.
    fn list(&mut self, entities: &EntityChanges<'_>) -> Vec<SpawnBaseline> {
        let context = Self::output_context();
        let records: BTreeMap<u16, SpawnBaseline> = entities.iter().map(|it| (it.entity.0, it)).collect();
        let mut list = Vec::with_capacity(records.len());
        for (number, track) in &self.state.entities {
            let is_beam = track.now.renderfx.0 & BEAM != 0;
            let was_there = self.entities.contains(number);
            match (was_there, track.is_there) {
                (false, true) => list.push(full_record(&track.now, &context)),
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
        }
        let there = self.state.entities.iter().filter(|(_, it)| it.is_there);
        self.entities = there.map(|(number, _)| *number).collect();
        list
    }
}

/// Appends a message for all clients or for one.
fn put(unicast: Option<u8>, message: dm2::Message<'_>, out: &mut Vec<u8>) {
    Entry { at: 0, unicast, message }.write(out, &Relay::output_context());
}

/// Reads an MVD2 as a Relay recording, and any other file unchanged.
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
    offset: usize,
}

#[derive(Debug)]
enum Source<R> {
    Plain(io::Chain<io::Cursor<Vec<u8>>, R>),
    Mvd2(Box<Demo<io::Chain<io::Cursor<Vec<u8>>, R>>>, Box<Relay>),
}

impl<R: Read> AsRelay<R> {
    /// Looks at the first bytes of the source.
    ///
    /// # Errors
    /// When reading fails.
    pub fn new(mut source: R) -> io::Result<Self> {
        let mut start = Vec::new();
        source.by_ref().take(crate::sniff::MVD2.len() as u64).read_to_end(&mut start)?;
        let is_mvd2 = start == crate::sniff::MVD2;
        let source = io::Cursor::new(start).chain(source);
        let source = if is_mvd2 {
            Source::Mvd2(Box::new(Demo::new(source)?), Box::default())
        } else {
            Source::Plain(source)
        };
        Ok(Self { source, ready: Vec::new(), offset: 0 })
    }

    /// Whether the source is an MVD2.
    pub fn is_mvd2(&self) -> bool {
        matches!(self.source, Source::Mvd2(..))
    }
}

impl<R: Read> Read for AsRelay<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (demo, relay) = match &mut self.source {
            Source::Plain(source) => return source.read(buffer),
            Source::Mvd2(demo, relay) => (demo, relay),
        };
        while self.offset == self.ready.len() {
            (self.offset, self.ready) = (0, Vec::new());
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
        let rest = self.ready.get(self.offset..).unwrap_or_default();
        let mut rest = rest;
        let count = rest.read(buffer)?;
        self.offset += count;
        Ok(count)
    }
}
