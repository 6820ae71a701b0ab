//! One pass over a recording that gives the rows of every table that is wanted.
//!
//! A game's side sees each message before the world takes it in, and the world after each block.

mod messages;
mod people;
mod quake;
mod quake2;

use crate::tables::{Messages, Recordings};
use crate::write::Files;
use crate::{Id, Word};
use moviola_format::{Block, Demo, Dialect, Entry, Game, Piece};
use moviola_state::{Playhead, World};
use std::io::{self, Read, Write};

/// What an export of one recording came to.
///
/// ```
/// use moviola_export::{Files, Form, Harvest, Id, harvest};
/// let mut files = Files::<Vec<u8>>::new(Form::Csv);
/// let Harvest { is_recording, .. } = harvest(&b"a text"[..], Id::of(&b"a text"[..]).unwrap(), "x", &mut files).unwrap();
/// assert!(!is_recording);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Harvest {
    /// The row of `recordings`.
    pub recording: Recordings,
    /// Whether it is a recording of a known game.
    pub is_recording: bool,
}

/// Writes the rows of a recording into the files.
///
/// ```
/// use moviola_export::{Files, Form, Id, harvest, schema::Row, tables::Ticks};
/// let demo = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let mut files = Files::new(Form::Jsonl);
/// files.add(Ticks::TABLE, Vec::new()).unwrap();
/// let harvest = harvest(&demo[..], Id::of(&demo[..]).unwrap(), "x.dem", &mut files).unwrap();
/// assert_eq!((harvest.recording.blocks, harvest.recording.levels), (1, 0));
/// ```
pub fn harvest<W: Write + Send>(
    source: impl Read,
    id: Id,
    file: &str,
    files: &mut Files<W>,
) -> io::Result<Harvest> {
    let mut demo = Demo::new(source)?;
    let here = Here { recording: id.word(), ..Here::default() };
    let mut told = Recordings { recording: id.word(), file: file.into(), ..Recordings::default() };
    let game = demo.game();
    if game == Some(Game::Quake2) {
        told.game = Word::known("quake2");
        pass(&mut demo, quake2::Side::new(), here, &mut told, files)?;
    } else {
        // What is no recording has no blocks, but a size.
        told.game = Word::known("quake");
        pass(&mut demo, quake::Side::new(), here, &mut told, files)?;
    }
    if game.is_some() {
        files.row(&told)?;
    }
    Ok(Harvest { recording: told, is_recording: game.is_some() })
}

/// Where the pass is.
#[derive(Clone, Debug, Default)]
struct Here {
    recording: Word,
    /// The block at hand, counted from 0.
    block: i64,
    /// The level, counted from 1.
    level: i32,
    time: f32,
}

/// What is different between the games.
trait Side {
    type World: World;

    /// A message, before the world takes it in.
    fn message<W: Write + Send>(
        &mut self,
        world: &Self::World,
        message: &<<Self::World as World>::Dialect as Dialect>::Message<'_>,
        here: &mut Here,
        out: &mut Out<'_, W>,
    ) -> io::Result<()>;

    /// A block is over.
    fn block<W: Write + Send>(
        &mut self,
        world: &Self::World,
        here: &Here,
        out: &mut Out<'_, W>,
    ) -> io::Result<()>;

    /// The recording is over.
    fn end<W: Write + Send>(
        &mut self,
        world: &Self::World,
        here: &Here,
        out: &mut Out<'_, W>,
    ) -> io::Result<()>;
}

/// Where rows go.
struct Out<'f, W: Write + Send> {
    files: &'f mut Files<W>,
    told: &'f mut Recordings,
}

fn pass<S: Side, R: Read, W: Write + Send>(
    demo: &mut Demo<R>,
    mut side: S,
    mut here: Here,
    told: &mut Recordings,
    files: &mut Files<W>,
) -> io::Result<()> {
    let mut head = Playhead::<S::World>::new();
    told.side = Word::known("client"); // schema-once: who recorded
    let mut teller = files.want::<Messages>().then(messages::Teller::default);
    let mut out = Out { files, told };
    while let Some(piece) = demo.next_piece()? {
        out.told.bytes = out.told.bytes.saturating_add(length(&piece, <S::World as World>::Dialect::GAME));
        match piece {
            Piece::Header(bytes) => out.told.track = track(bytes),
            Piece::Block(block) => {
                here.block = out.told.blocks;
                out.told.blocks = out.told.blocks.saturating_add(1);
                step(&block, &mut head, &mut side, &mut teller, &mut here, &mut out)?;
            }
            Piece::End | Piece::Raw(_) => {}
        }
    }
    side.end(&head.world, &here, &mut out)?;
    out.told.levels = here.level;
    Ok(())
}

/// What [`Playhead::step`] does, with others looking on.
fn step<S: Side, W: Write + Send>(
    block: &Block<'_>,
    head: &mut Playhead<S::World>,
    side: &mut S,
    teller: &mut Option<messages::Teller>,
    here: &mut Here,
    out: &mut Out<'_, W>,
) -> io::Result<()> {
    // What a client sent is nothing to a client.
    if block.is_from_client() {
        return Ok(());
    }
    head.world.begin_block(block);
    let mut messages = block.messages::<<S::World as World>::Dialect>(head.context);
    for (number, entry) in messages.by_ref().enumerate() {
        side.message(&head.world, &entry.message, here, out)?;
        if let Some(teller) = teller {
            let Entry { at, unicast, message } = &entry;
            teller.tell(message, (number, *at, *unicast), here, out.files)?;
        }
        head.world.apply(&entry);
    }
    head.world.end_block();
    head.context = *messages.context();
    if messages.fault().is_some() {
        out.told.damaged_blocks = out.told.damaged_blocks.saturating_add(1);
    }
    side.block(&head.world, here, out)
}

fn length(piece: &Piece<'_>, game: Game) -> i64 {
    let length = match piece {
        Piece::Header(bytes) | Piece::Raw(bytes) => bytes.len(),
        Piece::Block(block) => block.data.len().saturating_add(if game == Game::Quake { 16 } else { 4 }),
        Piece::End => 4,
    };
    length as i64
}

/// The number in Quake's first line.
fn track(header: &[u8]) -> Option<i32> {
    std::str::from_utf8(header).ok()?.trim().parse().ok()
}

/// The name of a level's file, without folder and ending.
fn map(file: &[u8]) -> Word {
    let name = file.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default();
    Word::of(name.strip_suffix(b".bsp").unwrap_or(name))
}

/// A time that can be calculated with.
fn finite(time: f32) -> Option<f32> {
    time.is_finite().then_some(time)
}

/// What every level has, whichever game it is of.
#[derive(Debug, Default)]
struct Open {
    first_block: i64,
    begin: Option<f32>,
    end: Option<f32>,
}

impl Open {
    fn new(here: &Here) -> Self {
        Self { first_block: here.block, begin: None, end: None }
    }

    fn tick(&mut self, time: f32) {
        if let Some(time) = finite(time) {
            self.begin.get_or_insert(time);
            self.end = Some(time);
        }
    }

    fn duration(&self) -> f64 {
        let (Some(begin), Some(end)) = (self.begin, self.end) else { return 0.0 };
        (f64::from(end) - f64::from(begin)).max(0.0)
    }
}
