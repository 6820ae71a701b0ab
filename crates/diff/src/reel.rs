//! Reads a recording piece by piece, each with its context and its place.

use crate::change::PiecePlace;
use moviola_format::{
    Block, ClientRecords, Context, Demo, Dialect, Game, Hidden, Messages, Mvd2, Piece, Quake, Quake2,
    QuakeWorld, Stamp, client, dem, dm2, hidden, mvd2, qw, with_table,
};
use moviola_state::Hash64;
use std::io::{self, Read};

/// A piece that is kept while it is compared.
#[derive(Clone, Debug)]
pub(crate) struct ReelItem {
    pub(crate) kind: ItemKind,
    pub(crate) data: Vec<u8>,
    /// The context in which its messages are read.
    pub(crate) context: Context,
    pub(crate) place: PiecePlace,
    /// A hash that is equal for blocks of the same moment of the game, or at least of the same structure.
    pub(crate) moment: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Header,
    Block { length: i32, angles: [u32; 3], stamp: Stamp },
    End,
    Raw,
}

impl ItemKind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Block { .. } => "block",
            // not from SCHEMA: a piece of a file
            Self::End => "end",
            Self::Raw => "raw",
        }
    }
}

impl ReelItem {
    /// The piece as a block, if it is one.
    pub(crate) fn block(&self) -> Option<Block<'_>> {
        match self.kind {
            ItemKind::Block { length, angles, stamp } => {
                Some(Block { length, angles, stamp, data: &self.data })
            }
            _ => None,
        }
    }

    /// A hash of all of its bytes.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = Hash64::new();
        hash.bytes(self.kind.word().as_bytes());
        if let ItemKind::Block { length, angles, stamp } = self.kind {
            hash.add(length as u64);
            hash.bytes(&stamp.bytes(length));
            for angle in angles {
                hash.add(u64::from(angle));
            }
        }
        hash.bytes(&self.data);
        hash.finish()
    }
}

/// A recording that is being read.
pub(crate) struct Reel<R> {
    demo: Demo<R>,
    game: Option<Game>,
    context: Context,
    blocks: u64,
    offset: u64,
    clock: Clock,
}

/// The level and its time.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    level: u64,
    time: Option<f64>,
}

/// How long a frame of Quake II lasts, in seconds.
const FRAME: f64 = 0.1;

impl<R: Read> Reel<R> {
    pub(crate) fn new(source: R) -> io::Result<Self> {
        let demo = Demo::new(source)?;
        let game = demo.game();
        let context = Context::of(game.unwrap_or(Game::Quake));
        Ok(Self { demo, game, context, blocks: 0, offset: 0, clock: Clock::default() })
    }

    pub(crate) fn game(&self) -> Option<Game> {
        self.game
    }

    /// The next piece.
    pub(crate) fn next(&mut self) -> io::Result<Option<ReelItem>> {
        let Some(piece) = self.demo.next_piece()? else { return Ok(None) };
        let bytes = piece.size(self.game.unwrap_or(Game::Quake2));
        let (kind, data) = match piece {
            Piece::Header(bytes) => (ItemKind::Header, bytes),
            Piece::Raw(bytes) => (ItemKind::Raw, bytes),
            Piece::End | Piece::EndOfMvd2 => (ItemKind::End, &[][..]),
            Piece::Block(it) => {
                (ItemKind::Block { length: it.length, angles: it.angles, stamp: it.stamp }, it.data)
            }
        };
        let place = PiecePlace { block: None, offset: self.offset, bytes, time: self.clock.time };
        let mut item = ReelItem { kind, data: data.to_vec(), context: self.context, place, moment: 0 };
        self.offset += bytes;
        if let Some(block) = item.block() {
            let number = self.blocks;
            self.blocks += 1;
            let (context, clock, moment) = match self.game {
                None => follow::<Quake>(&block, self.context, self.clock),
                Some(game) => {
                    with_table!(block.table(game), D => follow::<D>(&block, self.context, self.clock))
                }
            };
            (self.context, self.clock) = (context, clock);
            item.place.block = Some(number);
            item.place.time = clock.time;
            item.moment = moment;
        }
        Ok(Some(item))
    }
}

/// The clock of a game.
trait Timed: Dialect {
    fn tick(message: &Self::Message<'_>, clock: &mut Clock) -> bool;
}

impl Timed for Quake {
    fn tick(message: &dem::Message<'_>, clock: &mut Clock) -> bool {
        match message {
            dem::Message::Time(it) => {
                clock.time = Some(f64::from(it.time.value())).filter(|time| time.is_finite());
                true
            }
            dem::Message::ServerInfo(it) => {
                let level = it.precache.models().iter().next().unwrap_or_default();
                *clock = Clock { level: name(level.bytes()), time: None };
                false
            }
            _ => false,
        }
    }
}

/// QuakeWorld's blocks are compared by their contents, because their times are not the game's.
impl Timed for QuakeWorld {
    fn tick(message: &qw::Message<'_>, clock: &mut Clock) -> bool {
        if let qw::Message::ServerData(it) = message {
            *clock = Clock { level: name(it.mapname.bytes()), time: None };
        }
        false
    }
}

/// The frames of an MVD2 have no numbers.
impl Timed for Mvd2 {
    fn tick(message: &mvd2::Message<'_>, clock: &mut Clock) -> bool {
        match message {
            mvd2::Message::ServerData(it) => {
                let title = it.config.iter().next().map_or(&[][..], |it| it.string.bytes());
                *clock = Clock { level: name(title), time: Some(FRAME) };
                true
            }
            mvd2::Message::FrameMessage(_) => {
                *clock.time.get_or_insert(0.0) += FRAME;
                true
            }
            _ => false,
        }
    }
}

impl Timed for Hidden {
    fn tick(_: &hidden::Message<'_>, _: &mut Clock) -> bool {
        false
    }
}

impl Timed for ClientRecords {
    fn tick(_: &client::Message<'_>, _: &mut Clock) -> bool {
        false
    }
}

impl Timed for Quake2 {
    fn tick(message: &dm2::Message<'_>, clock: &mut Clock) -> bool {
        match message {
            dm2::Message::FrameMessage(it) => {
                clock.time = Some(f64::from(it.head.seq1) * FRAME);
                true
            }
            dm2::Message::ServerData(it) => {
                *clock = Clock { level: name(it.mapname.bytes()), time: None };
                false
            }
            _ => false,
        }
    }
}

fn name(bytes: &[u8]) -> u64 {
    let mut hash = Hash64::new();
    hash.bytes(bytes);
    hash.finish()
}

/// Follows a block: returns the context after it, the clock after it, and a number for its moment.
fn follow<D: Timed>(block: &Block<'_>, before: Context, mut clock: Clock) -> (Context, Clock, u64) {
    let mut messages: Messages<'_, D> = block.messages(before);
    let (mut ticks, mut shape) = (false, Hash64::new());
    for entry in messages.by_ref() {
        ticks |= D::tick(&entry.message, &mut clock);
        shape.add(u64::from(moviola_format::Message::op(&entry.message)));
    }
    let context = if block.is_from_client() { before } else { *messages.context() };
    let moment = match clock.time.filter(|_| ticks) {
        Some(time) => {
            let mut hash = Hash64::new();
            hash.add(clock.level);
            hash.real(time);
            hash.finish()
        }
        None => shape.finish(),
    };
    (context, clock, moment)
}
