//! Checks whether a recording is written back exactly: every message is written again and compared with the bytes that
//! were read.

use crate::gather::{Gather, peek};
use crate::kept_bytes::{KeepingReader, KeptBytes};
use crate::measure::Measure;
use crate::place::ReaderPosition;
use crate::report::{ByteDifference, ByteWindow, CheckReport};
use crate::scan::{BlockRest, SeenMessage, Watch, scan};
use moviola_format::{
    Block, Context, Dialect, Entry, Format, Game, Messages, Piece, client, dem, dm2, hidden, mvd2, qw,
    trace_write, with_table,
};
use std::io::{self, Read};

/// A conversion that must reproduce the bytes of each piece, for example through the text. It appends the bytes that
/// result from the piece. The context is the one before the piece.
///
/// ```
/// use moviola_check::{RoundTrip, check_with};
/// let mut way = |game, piece: &moviola_format::Piece<'_>, _: &_, out: &mut Vec<u8>| {
///     piece.write(game, out).unwrap();
/// };
/// let way: RoundTrip<'_> = &mut way;
/// let report = check_with(&b"\x01\0\0\0\x06\xff\xff\xff\xff"[..], Some(way)).unwrap();
/// assert!(report.exact);
/// ```
pub type RoundTrip<'t> = &'t mut dyn FnMut(Game, &Piece<'_>, &Context, &mut Vec<u8>);

/// Reads a file, writes it again in memory, and reports everything that was found.
///
/// ```
/// let report = moviola_check::check(&b"no recording"[..]).unwrap();
/// assert!(report.exact && report.engines.is_empty());
/// ```
pub fn check(source: impl Read) -> io::Result<CheckReport> {
    check_with(source, None)
}

/// Like [`check`], and also compares each piece with the result of the conversion `through`.
///
/// ```
/// use moviola_check::check_with;
/// let file = b"\x01\0\0\0\x06\xff\xff\xff\xff";
/// let mut lossy = |_, piece: &moviola_format::Piece<'_>, _: &_, out: &mut Vec<u8>| {
///     if let moviola_format::Piece::Block(_) = piece {
///         out.extend(b"\x01\0\0\0\x07");
///     }
/// };
/// let report = check_with(&file[..], Some(&mut lossy)).unwrap();
/// assert_eq!(report.difference.unwrap().place.offset, 4);
/// ```
pub fn check_with(mut source: impl Read, through: Option<RoundTrip<'_>>) -> io::Result<CheckReport> {
    // `dyn` keeps the compiler from making a copy of the pass for each kind of stream.
    check_stream(&mut source, through)
}

fn check_stream(source: &mut dyn Read, through: Option<RoundTrip<'_>>) -> io::Result<CheckReport> {
    let (start, source) = peek(source)?;
    let (reader, kept) = KeepingReader::new(source);
    let looks = (Gather::new(start.clone()), Measure::new(start));
    let ((gather, measure), exact) = scan(reader, (looks, Exact::new(kept, through)))?;
    let (raw, judge) = measure.close();
    let (findings, engines) = judge.close();
    let difference = exact.difference;
    Ok(CheckReport {
        summary: gather.summary(),
        exact: difference.is_none(),
        difference,
        raw,
        findings,
        engines,
    })
}

/// Writes each piece again and compares it with the bytes read.
struct Exact<'t> {
    kept: KeptBytes,
    through: Option<RoundTrip<'t>>,
    game: Option<Game>,
    /// The bytes written for the current piece.
    written: Vec<u8>,
    /// The bytes that the conversion made of the piece.
    converted: Vec<u8>,
    straight: Vec<u8>,
    difference: Option<ByteDifference>,
}

impl<'t> Exact<'t> {
    fn new(kept: KeptBytes, through: Option<RoundTrip<'t>>) -> Self {
        Self {
            kept,
            through,
            game: None,
            written: Vec::new(),
            converted: Vec::new(),
            straight: Vec::new(),
            difference: None,
        }
    }

    fn game(&self) -> Game {
        self.game.unwrap_or(Game::Quake)
    }

    fn message<'a, M: moviola_format::Message<'a>>(&mut self, seen: &SeenMessage<'_>, message: M) {
        Entry { at: seen.here.at, unicast: seen.unicast, message }.write(&mut self.written, seen.context);
    }

    /// Compares the written bytes of the piece with those read; returns the offset of the first difference.
    fn compare(&mut self, here: &ReaderPosition) -> Option<usize> {
        let (at, read) = self.kept.compare(&self.written).err()?;
        if self.difference.is_none() {
            self.difference = Some(difference(here, at, &read, &self.written));
        }
        Some(at)
    }

    /// Sends the piece through the conversion.
    fn go_through(&mut self, here: &ReaderPosition, piece: &Piece<'_>, context: &Context) {
        let game = self.game();
        let Some(through) = &mut self.through else { return };
        self.converted.clear();
        self.straight.clear();
        through(game, piece, context, &mut self.converted);
        if piece.write(game, &mut self.straight).is_err()
            || self.converted == self.straight
            || self.difference.is_some()
        {
            return;
        }
        let common = self.straight.iter().zip(&self.converted).position(|(a, b)| a != b);
        let at = common.unwrap_or(self.straight.len().min(self.converted.len()));
        let mut difference = difference(here, at, &self.straight, &self.converted);
        difference.through = true;
        if let Piece::Block(block) = piece {
            with_table!(block.table(game), D => {
                locate::<D>(&mut difference, here, block, context, Some(at));
            });
        }
        self.difference = Some(difference);
    }
}

/// The difference at offset `at` of a piece.
fn difference(here: &ReaderPosition, at: usize, read: &[u8], written: &[u8]) -> ByteDifference {
    let mut place = here.piece();
    place.offset += at as u64;
    ByteDifference {
        place,
        message: None,
        field: None,
        read: ByteWindow::around(read, at, here.offset),
        written: ByteWindow::around(written, at, here.offset),
        through: false,
    }
}

/// Adds the message and the field. `at` is the offset in the piece; `None` means that a message cannot be written
/// again, so that it is found by writing each of them.
fn locate<D: Dialect>(
    found: &mut ByteDifference,
    here: &ReaderPosition,
    block: &Block<'_>,
    before: &Context,
    at: Option<usize>,
) {
    let head = block.head_size(D::GAME);
    let expected_bytes = match at {
        Some(at) if at < head => return,
        Some(at) => Some(at - head),
        None => None,
    };
    let mut messages: Messages<'_, D> = block.messages(*before);
    let mut bytes = Vec::new();
    while let Some(entry) = messages.next() {
        let read = block.data.get(entry.at..messages.pos()).unwrap_or_default();
        bytes.clear();
        let inside = if let Some(wanted) = expected_bytes {
            (wanted < messages.pos()).then(|| wanted.saturating_sub(entry.at))
        } else {
            entry.write(&mut bytes, messages.context());
            let differs = read.iter().zip(&bytes).position(|(a, b)| a != b);
            (read != bytes).then(|| differs.unwrap_or(read.len().min(bytes.len())))
        };
        if let Some(inside) = inside {
            let story = trace_write::<D>(&entry, messages.context());
            found.message = story.message.map(|row| row.name);
            found.field = story.field_at(inside);
            found.place = here.byte(entry.at + inside);
            return;
        }
    }
}

impl Watch for Exact<'_> {
    fn take_format(&mut self, format: Format) {
        self.game = format.game();
    }

    fn take_piece(&mut self, here: &ReaderPosition, piece: &Piece<'_>, context: &Context) {
        self.go_through(here, piece, context);
        let game = self.game();
        self.written.clear();
        let head = match piece {
            Piece::Block(block) => Piece::Block(Block { data: &[], ..*block }),
            other => *other,
        };
        // Writing into memory cannot fail.
        let _ = head.write(game, &mut self.written);
        if !matches!(piece, Piece::Block(_)) {
            self.compare(here);
        }
    }

    fn quake(&mut self, seen: &SeenMessage<'_>, message: &dem::Message<'_>) {
        self.message(seen, *message);
    }

    fn quake2(&mut self, seen: &SeenMessage<'_>, message: &dm2::Message<'_>) {
        self.message(seen, *message);
    }

    fn mvd2(&mut self, seen: &SeenMessage<'_>, message: &mvd2::Message<'_>) {
        self.message(seen, *message);
    }

    fn quakeworld(&mut self, seen: &SeenMessage<'_>, message: &qw::Message<'_>) {
        self.message(seen, *message);
    }

    fn hidden(&mut self, seen: &SeenMessage<'_>, message: &hidden::Message<'_>) {
        self.message(seen, *message);
    }

    fn client_message(&mut self, seen: &SeenMessage<'_>, message: &client::Message<'_>) {
        self.message(seen, *message);
    }

    fn block_end<D: Dialect>(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>) {
        self.written.extend_from_slice(rest.raw);
        let first = self.difference.is_none();
        if let Some(at) = self.compare(here)
            && first
            && at >= rest.block.head_size(D::GAME)
            && let Some(found) = &mut self.difference
        {
            locate::<D>(found, here, rest.block, rest.before, None);
        }
    }

    fn end(&mut self, here: &ReaderPosition) {
        let lost = self.kept.rest();
        if !lost.is_empty() && self.difference.is_none() {
            self.difference = Some(difference(here, 0, &lost, &[]));
        }
    }
}
