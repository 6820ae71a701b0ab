//! A recording as a file: header, blocks, end mark, and raw bytes that are none of these.
//!
//! Any `Read` is read one block at a time. A piece contains all the bytes that it was read from, so writing
//! the pieces gives the file again, byte by byte.

use crate::context::Context;
use crate::game::{Game, Table};
use crate::messages::{Dialect, Messages};
use crate::sniff::{Format, MVD2, SNIFF, sniff};
use crate::stamp::{Audience, ENOUGH, Framed, Stamp};
use crate::wire::FaultKind;
use std::io::{self, Read, Write};

/// A block that states a greater length is kept as raw bytes, in pieces.
///
/// ```
/// use moviola_format::{Demo, MAX_BLOCK, Piece};
/// let mut file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01".to_vec();
/// file.extend((MAX_BLOCK as u32 + 1).to_le_bytes());
/// file.resize(file.len() + 12 + MAX_BLOCK + 1, 1);
/// let mut demo = Demo::new(&file[..]).unwrap();
/// assert!(matches!(demo.next_piece().unwrap(), Some(Piece::Header(b"-1\n"))));
/// assert!(matches!(demo.next_piece().unwrap(), Some(Piece::Block(_))));
/// assert!(matches!(demo.next_piece().unwrap(), Some(Piece::Raw(_))));
/// ```
pub const MAX_BLOCK: usize = 1 << 20;

/// The greatest length of a piece of raw bytes.
const RAW_PIECE: usize = 1 << 16;

/// A block of messages.
///
/// ```
/// use moviola_format::{Block, Context, Quake};
/// let cut_short = Block { length: 9, ..Block::new(b"\x01\x01") };
/// assert!(cut_short.is_truncated() && !cut_short.is_from_client());
/// assert_eq!(cut_short.claimed(), 9);
/// assert_eq!(cut_short.messages::<Quake>(Context::quake()).count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The length that the file states; a truncated block is shorter.
    pub length: i32,
    /// Quake: the recorder's view angles, as the bits of three floats.
    pub angles: [u32; 3],
    /// QuakeWorld: the time of the block and the players that it is addressed to.
    pub stamp: Stamp,
    /// The messages.
    pub data: &'a [u8],
}

impl<'a> Block<'a> {
    /// A block of these messages.
    ///
    /// ```
    /// use moviola_format::Block;
    /// assert_eq!(Block::new(b"\x01").length, 1);
    /// ```
    pub fn new(data: &'a [u8]) -> Self {
        Self {
            length: i32::try_from(data.len()).unwrap_or(i32::MAX),
            angles: [0; 3],
            stamp: Stamp::None,
            data,
        }
    }

    /// Whether it goes from the client to the server (`DarkPlaces`); players skip it.
    pub fn is_from_client(&self) -> bool {
        self.length < 0
    }

    /// The length that the file states, without the mark of a client's block.
    pub fn claimed(&self) -> usize {
        (self.length & i32::MAX) as usize
    }

    /// Whether the file ends inside it.
    pub fn is_truncated(&self) -> bool {
        self.claimed() != self.data.len()
    }

    /// The table of the block's messages.
    ///
    /// ```
    /// use moviola_format::{Block, Game, Stamp, Table};
    /// let stamp = Stamp::Mvd { msec: 0, kind: 3, players: 0 };
    /// assert_eq!(Block { stamp, ..Block::new(b"") }.table(Game::QuakeWorld), Table::Hidden);
    /// ```
    pub fn table(&self, game: Game) -> Table {
        match self.stamp {
            Stamp::Record { .. } => Table::Client,
            Stamp::Mvd2 => Table::Mvd2,
            stamp if stamp.is_hidden() => Table::Hidden,
            _ => game.table(),
        }
    }

    /// The time of a QuakeWorld block: seconds in a QWD, milliseconds since the block before in an MVD.
    ///
    /// ```
    /// use moviola_format::{Block, Stamp};
    /// let stamp = Stamp::Mvd { msec: 13, kind: 6, players: 0 };
    /// assert_eq!(Block { stamp, ..Block::new(b"") }.clock(), (None, Some(13)));
    /// ```
    pub fn clock(&self) -> (Option<f32>, Option<u8>) {
        let float = |bytes: &[u8]| bytes.first_chunk().map(|bytes| f32::from_le_bytes(*bytes));
        let (seconds, msec) = match self.stamp {
            Stamp::None | Stamp::Mvd2 => (None, None),
            Stamp::Qwd { time, .. } => (Some(f32::from_bits(time)), None),
            Stamp::Mvd { msec, .. } => (None, Some(msec)),
            Stamp::Record { mvd: true } => (None, self.data.first().copied()),
            Stamp::Record { mvd: false } => (float(self.data), None),
        };
        (seconds.filter(|it| it.is_finite()), msec)
    }

    /// The number of bytes before the block's messages in a file of this game.
    ///
    /// ```
    /// use moviola_format::{Block, Game};
    /// assert_eq!(Block::new(b"").head_size(Game::Quake), 16);
    /// ```
    pub fn head_size(&self, game: Game) -> usize {
        self.stamp.size().unwrap_or(game.block_head())
    }

    /// The block's messages, read with `context`. There are none if they are not of this table, or if a client sent the
    /// block, since clients send other kinds of messages.
    pub fn messages<D: Dialect>(&self, mut context: Context) -> Messages<'a, D> {
        context.mvd = self.stamp.is_mvd();
        if self.is_from_client() {
            Messages::foreign(self.data, context, FaultKind::FromClient)
        } else if D::GAME == Game::Quake2 && D::MVD2 != (self.stamp == Stamp::Mvd2) {
            Messages::foreign(self.data, context, FaultKind::Framing)
        } else {
            Messages::new(self.data, context)
        }
    }
}

/// A piece of a recording.
///
/// ```
/// use moviola_format::{Demo, Piece};
/// let mut demo = Demo::new(&b"\x01\0\0\0\x06\xff\xff\xff\xff"[..]).unwrap();
/// assert!(matches!(demo.next_piece().unwrap(), Some(Piece::Block(_))));
/// assert_eq!(demo.next_piece().unwrap(), Some(Piece::End));
/// assert_eq!(demo.offset(), 5);
/// assert_eq!(demo.format().name(), "dm2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// The bytes before the first block: Quake's CD track, which can be empty, or the mark of an MVD2.
    Header(&'a [u8]),
    /// A block.
    Block(Block<'a>),
    /// Quake II's end mark.
    End,
    /// The end mark of an MVD2: a length of 0.
    EndOfMvd2,
    /// Bytes that are not a block.
    Raw(&'a [u8]),
}

impl Piece<'_> {
    /// The number of its bytes in a file of a game.
    ///
    /// ```
    /// use moviola_format::{Block, Game, Piece};
    /// assert_eq!(Piece::Block(Block::new(b"\x06")).size(Game::Quake2), 5);
    /// assert_eq!(Piece::End.size(Game::Quake2), 4);
    /// ```
    pub fn size(&self, game: Game) -> u64 {
        let bytes = match self {
            Self::Header(bytes) | Self::Raw(bytes) => bytes.len(),
            Self::Block(block) => block.head_size(game) + block.data.len(),
            Self::End => size_of_val(&END_MARK),
            Self::EndOfMvd2 => END_OF_MVD2.len(),
        };
        bytes as u64
    }

    /// Writes the piece in the form of a game's files.
    ///
    /// ```
    /// use moviola_format::{Block, Game, Piece};
    /// let mut out = Vec::new();
    /// Piece::Block(Block::new(b"\x06")).write(Game::Quake2, &mut out).unwrap();
    /// Piece::End.write(Game::Quake2, &mut out).unwrap();
    /// assert_eq!(out, b"\x01\0\0\0\x06\xff\xff\xff\xff");
    /// ```
    pub fn write(&self, game: Game, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Header(bytes) | Self::Raw(bytes) => out.write_all(bytes),
            Self::End => out.write_all(&END_MARK.to_le_bytes()),
            Self::EndOfMvd2 => out.write_all(&END_OF_MVD2),
            Self::Block(block) if block.stamp != Stamp::None => {
                block.stamp.write(block.length, out)?;
                out.write_all(block.data)
            }
            Self::Block(block) => {
                if game == Game::QuakeWorld {
                    // A block without an address gets the address of all players and 0 milliseconds.
                    let everybody = Stamp::Mvd { msec: 0, kind: Audience::All.kind(0), players: 0 };
                    return Self::Block(Block { stamp: everybody, ..*block }).write(game, out);
                }
                out.write_all(&block.length.to_le_bytes())?;
                if game == Game::Quake {
                    for angle in block.angles {
                        out.write_all(&angle.to_le_bytes())?;
                    }
                }
                out.write_all(block.data)
            }
        }
    }
}

const END_MARK: i32 = -1;
const END_OF_MVD2: [u8; 2] = [0; 2];

/// Reads a recording piece by piece.
///
/// ```
/// use moviola_format::{Demo, Game, Piece};
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let mut demo = Demo::new(&file[..]).unwrap();
/// assert_eq!(demo.game(), Some(Game::Quake));
/// let mut copy = Vec::new();
/// while let Some(piece) = demo.next_piece().unwrap() {
///     piece.write(Game::Quake, &mut copy).unwrap();
/// }
/// assert_eq!(copy, file);
/// ```
#[derive(Debug)]
pub struct Demo<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    ended: bool,
    taken: u64,
    offset: u64,
    format: Format,
    header_done: bool,
    end_seen: bool,
    /// The remaining bytes of a block with an implausible length.
    raw_left: u64,
}

/// A place between two pieces of a recording, from which a [`Demo`] can read on.
///
/// ```
/// let demo = moviola_format::Demo::new(&b"-1\n"[..]).unwrap();
/// assert_eq!(demo.place(), demo.place());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DemoPlace {
    format: Format,
    header_done: bool,
    end_seen: bool,
    raw_left: u64,
    taken: u64,
}

impl<R: Read> Demo<R> {
    /// Recognizes the format by the first bytes, and prepares to read the rest.
    pub fn new(source: R) -> io::Result<Self> {
        let mut demo = Self::empty(source);
        demo.fill(SNIFF)?;
        demo.format = sniff(demo.window(), demo.ended);
        Ok(demo)
    }

    /// A recording of a known format that may still be growing. When its source has no more bytes yet, it
    /// fails with [`ErrorKind::WouldBlock`](io::ErrorKind::WouldBlock), and so does
    /// [`next_piece`](Self::next_piece) unless a whole piece is there; the call can be repeated.
    ///
    /// The format has to be given, since a recording that has just begun is too short to be recognized.
    ///
    /// ```
    /// use moviola_format::{Demo, Format, Piece};
    /// use std::io::{self, Read};
    /// struct Growing(&'static [u8]);
    /// impl Read for Growing {
    ///     fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
    ///         if self.0.is_empty() { Err(io::ErrorKind::WouldBlock.into()) } else { self.0.read(buffer) }
    ///     }
    /// }
    /// let mut demo = Demo::growing(Growing(b"\x01\0\0\0\x06\x01\0"), Format::Quake2);
    /// assert!(matches!(demo.next_piece().unwrap(), Some(Piece::Block(_))));
    /// assert_eq!(demo.next_piece().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    /// ```
    pub fn growing(source: R, format: Format) -> Self {
        Self { format, ..Self::empty(source) }
    }

    /// Continues after the last piece of another reader of the same recording. The source must be at its beginning.
    ///
    /// ```
    /// use moviola_format::{Demo, Piece};
    /// let file = &b"\x01\0\0\0\x06\x01\0\0\0\x07"[..];
    /// let mut first = Demo::new(file).unwrap();
    /// first.next_piece().unwrap();
    /// let mut second = Demo::resume_after(&first.place(), file).unwrap();
    /// assert!(matches!(second.next_piece().unwrap(), Some(Piece::Block(block)) if block.data == [7]));
    /// assert_eq!((second.offset(), second.next_piece().unwrap().is_none()), (5, true));
    /// ```
    ///
    /// # Errors
    /// When reading fails.
    pub fn resume_after(place: &DemoPlace, mut source: R) -> io::Result<Self> {
        io::copy(&mut source.by_ref().take(place.taken), &mut io::sink())?;
        Ok(Self {
            format: place.format,
            header_done: place.header_done,
            end_seen: place.end_seen,
            raw_left: place.raw_left,
            taken: place.taken,
            offset: place.taken,
            ..Self::empty(source)
        })
    }

    /// The place after the last piece.
    pub fn place(&self) -> DemoPlace {
        DemoPlace {
            format: self.format,
            header_done: self.header_done,
            end_seen: self.end_seen,
            raw_left: self.raw_left,
            taken: self.taken,
        }
    }

    fn empty(source: R) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            start: 0,
            ended: false,
            taken: 0,
            offset: 0,
            format: Format::Unknown,
            header_done: false,
            end_seen: false,
            raw_left: 0,
        }
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The game, if the file is a recording.
    pub fn game(&self) -> Option<Game> {
        self.format.game()
    }

    /// The offset in the file of the last piece.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    fn window(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Reads until `len` bytes are in the buffer or the file ends; returns how many of them there are.
    fn fill(&mut self, len: usize) -> io::Result<usize> {
        if self.window().len() < len && !self.ended {
            self.refill(len)?;
        }
        Ok(self.window().len().min(len))
    }

    /// The rare part of [`fill`](Self::fill), apart so that the rest is small enough to be inlined: it is done
    /// several times for each block.
    #[cold]
    fn refill(&mut self, len: usize) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let wanted = len.max(RAW_PIECE);
        // A block may state any length, so the buffer never grows by more than it already holds.
        while self.buffer.len() < wanted && !self.ended {
            let step = (wanted - self.buffer.len()).min(self.buffer.len().max(RAW_PIECE));
            self.buffer.reserve_exact(step);
            match self.source.by_ref().take(step as u64).read_to_end(&mut self.buffer) {
                Ok(got) => self.ended = got < step,
                // A source that still grows returns all bytes that it has, so the buffer already contains them.
                Err(why) if why.kind() == io::ErrorKind::WouldBlock && self.buffer.len() >= len => break,
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    /// Takes the next `len` bytes out of the buffer.
    fn take(&mut self, len: usize) -> &[u8] {
        let from = self.start;
        self.start = (from + len).min(self.buffer.len());
        self.taken += (self.start - from) as u64;
        self.buffer.get(from..self.start).unwrap_or_default()
    }

    fn int(&self, at: usize) -> i32 {
        let bytes = self.window().get(at..).and_then(|bytes| bytes.first_chunk());
        i32::from_le_bytes(bytes.copied().unwrap_or_default())
    }

    fn raw(&mut self) -> io::Result<Option<Piece<'_>>> {
        let wanted = usize::try_from(self.raw_left).unwrap_or(RAW_PIECE).min(RAW_PIECE);
        let len = self.fill(wanted)?;
        self.raw_left = if len < wanted { 0 } else { self.raw_left - len as u64 };
        let bytes = self.take(len);
        Ok(if bytes.is_empty() { None } else { Some(Piece::Raw(bytes)) })
    }

    /// The next piece; `None` is the end of the file.
    pub fn next_piece(&mut self) -> io::Result<Option<Piece<'_>>> {
        self.offset = self.taken;
        let game = match self.format {
            Format::Quake { header } if !self.header_done => {
                self.fill(header)?;
                self.header_done = true;
                return Ok(Some(Piece::Header(self.take(header))));
            }
            Format::Mvd2 if !self.header_done => {
                self.fill(MVD2.len())?;
                self.header_done = true;
                return Ok(Some(Piece::Header(self.take(MVD2.len()))));
            }
            _ => self.format.game(),
        };
        if self.raw_left > 0 {
            return self.raw();
        }
        let Some(game) = game else {
            self.raw_left = u64::MAX;
            return self.raw();
        };
        match self.format {
            Format::Qwd | Format::Mvd => return self.framed_piece(),
            Format::Mvd2 => return self.piece_of_mvd2(),
            _ => {}
        }
        let head = game.block_head();
        if self.fill(head)? < head {
            self.raw_left = u64::MAX;
            return self.raw();
        }
        let length = self.int(0);
        if game == Game::Quake2 && length == END_MARK {
            self.take(head);
            self.end_seen = true;
            return Ok(Some(Piece::End));
        }
        let claimed = (length & i32::MAX) as usize;
        if self.end_seen && length == 0 {
            // Blocks may follow the end mark, but zeros there are padding.
            self.raw_left = u64::MAX;
            return self.raw();
        }
        if (length < 0 && game == Game::Quake2) || claimed > MAX_BLOCK {
            // A large block can be skipped to find the next one; a negative length cannot.
            self.raw_left = if length < 0 { u64::MAX } else { (head + claimed) as u64 };
            return self.raw();
        }
        let angle = |at| self.int(at) as u32;
        let angles = if game == Game::Quake { [angle(4), angle(8), angle(12)] } else { [0; 3] };
        let len = self.fill(head + claimed)?;
        self.take(head);
        Ok(Some(Piece::Block(Block { length, angles, stamp: Stamp::None, data: self.take(len - head) })))
    }

    /// Reads the next piece of an MVD2. Its reader stops at the end mark, and nothing shows what follows there.
    fn piece_of_mvd2(&mut self) -> io::Result<Option<Piece<'_>>> {
        let head = END_OF_MVD2.len();
        if self.end_seen || self.fill(head)? < head {
            self.raw_left = u64::MAX;
            return self.raw();
        }
        let length = self.window().first_chunk().map_or(0, |length| u16::from_le_bytes(*length));
        if length == 0 {
            self.take(head);
            self.end_seen = true;
            return Ok(Some(Piece::EndOfMvd2));
        }
        let len = self.fill(head + usize::from(length))?;
        self.take(head);
        let data = self.take(len.saturating_sub(head));
        Ok(Some(Piece::Block(Block { length: i32::from(length), angles: [0; 3], stamp: Stamp::Mvd2, data })))
    }

    /// Reads the next piece of a QuakeWorld recording.
    fn framed_piece(&mut self) -> io::Result<Option<Piece<'_>>> {
        self.fill(ENOUGH)?;
        match Stamp::frame(self.format == Format::Mvd, self.window()) {
            Framed::Raw(size) => {
                self.raw_left = size;
                self.raw()
            }
            Framed::Block { stamp, head, length } => {
                let len = self.fill(head + length as usize)?;
                self.take(head);
                let data = self.take(len.saturating_sub(head));
                Ok(Some(Piece::Block(Block { length, angles: [0; 3], stamp, data })))
            }
        }
    }
}
