//! The driver: a recording through a [`Rewrite`], piece by piece, one block in memory.

use crate::machinery::early_end::EarlyEnd;
use crate::machinery::place::{BlockPlace, PlaceUpdate};
use crate::{BlockWriter, EditSummary, Error, Rewrite};
use moviola_format::{
    Audience, Block, ClientRecords, Context, Demo, Dialect, Entry, Format, Game, HeaderReader, Hidden, Mvd2,
    Piece, Quake, Quake2, QuakeWorld, Stamp, dem, qw, with_table, write_message,
};
use std::io::{Read, Write};

/// A receiver of pieces: a file, or the next edit.
///
/// ```
/// use moviola_edit::{Error, Identity, Stage, PieceSink};
/// use moviola_format::{Block, Format, Piece};
///
/// /// Counts what comes out of an edit.
/// struct Count(u64);
/// impl PieceSink for Count {
///     fn begin(&mut self, _: Format) -> Result<(), Error> {
///         Ok(())
///     }
///     fn take(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
///         self.0 += u64::from(matches!(piece, Piece::Block(_)));
///         Ok(())
///     }
///     fn end(&mut self) -> Result<(), Error> {
///         Ok(())
///     }
/// }
/// let (mut edit, mut count) = (Identity, Count(0));
/// let mut stage = Stage::new(&mut edit, &mut count);
/// stage.begin(Format::Quake2).unwrap();
/// stage.take(&Piece::Block(Block::new(b"\x06"))).unwrap();
/// stage.end().unwrap();
/// drop(stage);
/// assert_eq!(count.0, 1);
/// ```
pub trait PieceSink {
    /// The recording begins.
    fn begin(&mut self, format: Format) -> Result<(), Error>;
    /// A piece of it.
    fn take(&mut self, piece: &Piece<'_>) -> Result<(), Error>;
    /// The recording has ended.
    fn end(&mut self) -> Result<(), Error>;
}

/// A file as the place where pieces go.
pub(crate) struct File<W> {
    writer: W,
    game: Game,
}

impl<W: Write> File<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self { writer, game: Game::Quake }
    }
}

impl<W: Write> PieceSink for File<W> {
    fn begin(&mut self, format: Format) -> Result<(), Error> {
        self.game = format.game().unwrap_or(Game::Quake);
        Ok(())
    }
    fn take(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        Ok(piece.write(self.game, &mut self.writer)?)
    }
    fn end(&mut self) -> Result<(), Error> {
        Ok(self.writer.flush()?)
    }
}

/// The output of an edit: writes pieces and blocks, and counts them.
///
/// ```
/// use moviola_edit::{Error, EditOutput, BlockWriter, Rewrite, rewrite};
/// use moviola_format::Piece;
///
/// /// Says goodbye before the end mark.
/// struct Goodbye;
/// impl Rewrite for Goodbye {
///     fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
///         if let Piece::End = piece {
///             out.block([0; 3], b"\x0a\x02bye\n\0")?;
///             out.note(format!("ends behind {} blocks", out.blocks() - 1));
///         }
///         out.piece(piece)
///     }
/// }
/// let recording = b"\x01\0\0\0\x06\xff\xff\xff\xff";
/// let summary = rewrite(&recording[..], &mut Goodbye, Vec::new()).unwrap();
/// assert_eq!(summary.notes, ["ends behind 1 blocks"]);
/// ```
pub struct EditOutput<'w> {
    sink: &'w mut dyn PieceSink,
    summary: &'w mut EditSummary,
    opening: &'w mut RecordingStart,
}

impl EditOutput<'_> {
    /// Writes a piece.
    pub fn piece(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        if let Piece::Block(block) = piece {
            return self.same(block);
        }
        self.send(piece)
    }

    /// Writes a block of these messages, which was not in the recording.
    pub fn block(&mut self, angles: [u32; 3], messages: &[u8]) -> Result<(), Error> {
        let block = Block { angles, ..Block::new(messages) };
        let padded = self.padded(&block);
        self.summary.added += 1;
        self.send(&Piece::Block(padded.as_deref().map_or(block, |data| Block { angles, ..Block::new(data) })))
    }

    /// Writes a block that was not in the recording, with the head that it has.
    pub(crate) fn stamped(&mut self, stamp: Stamp, messages: &[u8]) -> Result<(), Error> {
        self.summary.added += 1;
        self.send(&Piece::Block(Block { stamp, ..Block::new(messages) }))
    }

    /// How many blocks were written.
    pub fn blocks(&self) -> u64 {
        self.summary.written()
    }

    /// Adds a note to the summary of the edit.
    pub fn note(&mut self, what: impl Into<String>) {
        self.summary.notes.push(what.into());
    }

    pub(crate) fn same(&mut self, block: &Block<'_>) -> Result<(), Error> {
        if self.opening.first_block_size != Some(block.length)
            && let Some(data) = self.padded(block)
        {
            return self.changed(&Block { angles: block.angles, ..Block::new(&data) });
        }
        self.summary.same += 1;
        self.send(&Piece::Block(*block))
    }

    pub(crate) fn changed(&mut self, block: &Block<'_>) -> Result<(), Error> {
        let padded = self.padded(block);
        self.summary.changed += 1;
        let block =
            padded.as_deref().map_or(*block, |data| Block { angles: block.angles, ..Block::new(data) });
        self.send(&Piece::Block(block))
    }

    /// Marks that this recording follows another one in the same file.
    pub(crate) fn follow_recording(&mut self) {
        self.opening.is_later = true;
    }

    /// From now on the recording's own first block may be padded too.
    pub(crate) fn pad_any(&mut self) {
        self.opening.first_block_size = None;
    }

    /// The block with padding before it, if it is the first one and needs that; the padding is messages that
    /// do nothing.
    fn padded(&self, block: &Block<'_>) -> Option<Vec<u8>> {
        let is_quake = self.opening.game == Some(Game::Quake);
        let is_first = is_quake && self.blocks() == 0 && !self.opening.is_later;
        if !is_first || block.is_from_client() || block.is_truncated() {
            return None;
        }
        let mut data = Vec::new();
        while self.opening.takes(block.data.len().saturating_add(data.len())) {
            write_message(&dem::Message::from(dem::Nop {}), &mut data, &Context::quake());
        }
        let is_padded = !data.is_empty();
        data.extend_from_slice(block.data);
        is_padded.then_some(data)
    }

    fn send(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        if let Piece::Header(line) = piece {
            self.opening.line = line.to_vec();
        }
        let resolved;
        let piece = match piece {
            Piece::Block(block) => {
                resolved =
                    Piece::Block(Block { stamp: self.opening.audience.rewrite_stamp(block.stamp), ..*block });
                &resolved
            }
            piece => piece,
        };
        self.summary.bytes_out += piece.size(self.opening.game.unwrap_or(Game::Quake2));
        self.sink.take(piece)
    }
}

/// The beginning of a recording of Quake. Players before 1.09 read white space after the first line as a
/// part of it, even the size of the first block if it looks like white space.
#[derive(Default)]
struct RecordingStart {
    /// The game of the result.
    game: Option<Game>,
    line: Vec<u8>,
    /// Whether the file has other recordings before this one.
    is_later: bool,
    /// The size of the first block of the input: an unchanged beginning is not padded.
    first_block_size: Option<i32>,
    audience: Inherited,
}

/// The audiences of the last blocks of an MVD, as read and as written. A block may take over the audience of
/// the block before it; where an edit put another block before it, its audience is written out.
#[derive(Clone, Copy, Debug, Default)]
struct Inherited {
    read: Option<(u8, u32)>,
    written: Option<(u8, u32)>,
}

impl Inherited {
    fn of(stamp: Stamp, last: Option<(u8, u32)>) -> Option<(u8, u32)> {
        match stamp {
            Stamp::Mvd { kind, .. } if Audience::of(kind) == Some(Audience::Same) => last,
            Stamp::Mvd { kind, players, .. } => Some((kind, players)),
            _ => last,
        }
    }

    fn take(&mut self, stamp: Stamp) {
        self.read = Self::of(stamp, self.read);
    }

    fn rewrite_stamp(&mut self, stamp: Stamp) -> Stamp {
        let stamp = match (stamp, self.read) {
            (Stamp::Mvd { msec, kind, .. }, Some((as_read, players)))
                if Audience::of(kind) == Some(Audience::Same) && self.written != self.read =>
            {
                Stamp::Mvd { msec, kind: as_read, players }
            }
            _ => stamp,
        };
        self.written = Self::of(stamp, self.written);
        stamp
    }
}

impl RecordingStart {
    /// Whether an engine that reads the line with `fscanf` would take the first byte of this size for a part of the
    /// line.
    fn takes(&self, size: usize) -> bool {
        let is_found = |size: i32| {
            let start = [self.line.as_slice(), &size.to_le_bytes()].concat();
            HeaderReader::Fscanf.read(&start).is_some_and(|it| it.length == self.line.len())
        };
        // If the engine misreads the line with any size, padding the first block does not help.
        is_found(1) && i32::try_from(size).is_ok_and(|size| !is_found(size))
    }
}

/// One edit at work: takes the pieces of a recording, and passes on the pieces that the edit makes of them.
///
/// It works on pieces, not on bytes: it does not call [`Rewrite::source`], and it does not stop its reader
/// when the edit [is done](Rewrite::is_done). [`rewrite`] and [`Chain`](crate::Chain) do both, so use one of
/// them if you can: a [`Repair`](crate::Repair) as a stage mends nothing that lies between the pieces.
///
/// A stage is itself a receiver of pieces, so several edits can work in one pass:
///
/// ```
/// use moviola_edit::{Identity, Stage, PieceSink};
/// use moviola_format::{Format, Piece};
/// let (mut first, mut second, mut file) = (Identity, Identity, Vec::new());
/// let mut last = Stage::to_file(&mut second, &mut file);
/// let mut stages = Stage::new(&mut first, &mut last);
/// stages.begin(Format::Quake { header: 3 }).unwrap();
/// stages.take(&Piece::Header(b"-1\n")).unwrap();
/// stages.end().unwrap();
/// drop(stages);
/// drop(last);
/// assert_eq!(file, b"-1\n");
/// ```
pub struct Stage<'r> {
    rewriter: Edit<'r>,
    to: Sink<'r>,
    context: Context,
    place: BlockPlace,
    buffer: Vec<u8>,
    summary: EditSummary,
    opening: RecordingStart,
    early_end: EarlyEnd,
    /// Whether the end in the current block is left out, since more follows.
    goes_on: bool,
}

enum Edit<'r> {
    Lent(&'r mut dyn Rewrite),
    Owned(Box<dyn Rewrite + 'r>),
}

impl<'r> Edit<'r> {
    fn get(&mut self) -> &mut (dyn Rewrite + 'r) {
        match self {
            Self::Lent(rewriter) => *rewriter,
            Self::Owned(rewriter) => rewriter.as_mut(),
        }
    }
}

enum Sink<'r> {
    Next(&'r mut dyn PieceSink),
    File(Box<dyn PieceSink + 'r>),
}

impl Sink<'_> {
    fn get(&mut self) -> &mut dyn PieceSink {
        match self {
            Self::Next(next) => *next,
            Self::File(file) => file.as_mut(),
        }
    }
}

impl<'r> Stage<'r> {
    /// An edit whose pieces go to `to`.
    pub fn new(rewriter: &'r mut dyn Rewrite, to: &'r mut dyn PieceSink) -> Self {
        Self::of(Edit::Lent(rewriter), Sink::Next(to))
    }

    /// An edit whose pieces go to a file.
    pub fn to_file(rewriter: &'r mut dyn Rewrite, writer: impl Write + 'r) -> Self {
        Self::of(Edit::Lent(rewriter), Sink::File(Box::new(File::new(writer))))
    }

    /// A stage that owns its edit, and whose pieces go to a file.
    pub(crate) fn owning(rewriter: Box<dyn Rewrite + 'r>, writer: impl Write + 'r) -> Self {
        Self::of(Edit::Owned(rewriter), Sink::File(Box::new(File::new(writer))))
    }

    /// A stage that owns its edit, and whose pieces go to `to`.
    pub(crate) fn owning_before(rewriter: Box<dyn Rewrite + 'r>, to: &'r mut dyn PieceSink) -> Self {
        Self::of(Edit::Owned(rewriter), Sink::Next(to))
    }

    fn of(rewriter: Edit<'r>, to: Sink<'r>) -> Self {
        Self {
            rewriter,
            to,
            context: Context::quake(),
            place: BlockPlace::start(),
            buffer: Vec::new(),
            summary: EditSummary::default(),
            opening: RecordingStart::default(),
            early_end: EarlyEnd::default(),
            goes_on: false,
        }
    }

    /// The summary so far.
    pub fn summary(&self) -> &EditSummary {
        &self.summary
    }

    /// Writes a piece unchanged, without showing it to the edit.
    pub(crate) fn pass_on(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        self.to.get().take(piece)
    }

    /// Ends the output without the edit's end.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.to.get().end()
    }

    /// Whether nothing more must be read.
    pub(crate) fn is_done(&mut self) -> bool {
        self.summary.stopped = self.rewriter.get().is_done();
        self.summary.stopped
    }

    fn block<D: Dispatch>(&mut self, block: &Block<'_>) -> Result<(), Error> {
        let mut writer = BlockWriter::new(*block, self.place, self.context, &mut self.buffer);
        writer.inherit(self.opening.audience.read.map(|(kind, _)| kind));
        let rewriter = self.rewriter.get();
        let is_read = rewriter.reads(&self.place);
        rewriter.block(&mut writer);
        if is_read {
            self.context = read::<D>(block, self.context, self.goes_on, rewriter, &mut writer);
        } else {
            writer.turn(0, block.data.len());
            writer.keep();
        }
        if let Some(done) = rewriter.needs_messages().filter(|_| self.context.raw) {
            return Err(Error::unread(&self.context, done));
        }
        let is_strange = self.context.limits.is_extended() && !rewriter.knows_q2pro();
        if let Some(done) = rewriter.needs_messages().filter(|_| is_strange) {
            return Err(Error::extended_limits(&self.context, done));
        }
        if let Some(done) = rewriter.needs_updates().filter(|_| self.context.lists_entities()) {
            return Err(Error::lists_entities(&self.context, done));
        }
        let mut out =
            EditOutput { sink: self.to.get(), summary: &mut self.summary, opening: &mut self.opening };
        rewriter.block_end(&mut writer, &mut out)?;
        if !is_read {
            // The edit skipped the block because it knows its messages, and has set the context after it.
            self.context = *writer.context();
        }
        self.place = writer.place().next_block();
        Ok(())
    }
}

/// Hands the messages of a block to an edit, and returns the context of the next block.
fn read<D: Dispatch>(
    block: &Block<'_>,
    context: Context,
    goes_on: bool,
    rewriter: &mut dyn Rewrite,
    writer: &mut BlockWriter<'_>,
) -> Context {
    let mut messages = block.messages::<D>(context);
    let mut at = 0;
    while let Some(entry) = &messages.next() {
        let to = messages.pos();
        writer.turn(at, to);
        D::update_place(&entry.message, writer.place_mut());
        if !goes_on || !D::ends(&entry.message) {
            D::pass_to(rewriter, entry, writer);
        }
        if D::may_change_context(entry) {
            writer.set_context(messages.context());
        }
        at = to;
    }
    // A trial after the last message may have decided an uncertain fact about the protocol.
    writer.set_context(messages.context());
    writer.turn(at, block.data.len());
    if let Some(fault) = messages.fault() {
        rewriter.remainder(fault, writer);
    }
    *messages.context()
}

impl PieceSink for Stage<'_> {
    fn begin(&mut self, format: Format) -> Result<(), Error> {
        if format == Format::Mvd2 && !self.rewriter.get().knows_mvd2() {
            return Err(Error::of_mvd2());
        }
        if format.game() == Some(Game::QuakeWorld) && !self.rewriter.get().knows_quakeworld() {
            Error::game(format)?;
        }
        self.context = Context::of(format.game().unwrap_or(Game::Quake));
        self.summary.game = format.game();
        let made = self.rewriter.get().makes(format);
        self.opening.game = made.game();
        self.to.get().begin(made)?;
        let mut out =
            EditOutput { sink: self.to.get(), summary: &mut self.summary, opening: &mut self.opening };
        self.rewriter.get().begin(format, &mut out)
    }

    fn take(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        if !self.rewriter.get().moves_end() {
            return self.piece(piece);
        }
        self.release(matches!(piece, Piece::Block(_)))?;
        if self.early_end.holds(piece) { Ok(()) } else { self.piece(piece) }
    }

    fn end(&mut self) -> Result<(), Error> {
        self.release(false)?;
        self.add_missing_end()?;
        self.summary.notes.extend(self.early_end.note());
        let mut out =
            EditOutput { sink: self.to.get(), summary: &mut self.summary, opening: &mut self.opening };
        self.rewriter.get().end(&mut out)?;
        self.summary.about = self.rewriter.get().outcome();
        self.summary.replaced = self.rewriter.get().replaces();
        self.to.get().end()
    }
}

impl Stage<'_> {
    /// Takes a piece to the edit.
    fn piece(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        self.place.offset = self.summary.bytes_in;
        self.summary.bytes_in += piece.size(self.summary.game.unwrap_or(Game::Quake2));
        if let Piece::Block(block) = piece {
            if self.summary.read == 0 {
                self.opening.first_block_size = Some(block.length);
            }
            self.summary.read += 1;
            self.opening.audience.take(block.stamp);
            self.place.tick(block);
            return with_table!(block.table(self.context.game), D => self.block::<D>(block));
        }
        let mut out =
            EditOutput { sink: self.to.get(), summary: &mut self.summary, opening: &mut self.opening };
        self.rewriter.get().piece(piece, &mut out)
    }

    /// Takes the block to the edit that was held back, without its end if more follows.
    fn release(&mut self, goes_on: bool) -> Result<(), Error> {
        let Some((block, data)) = self.early_end.release(self.place.block, goes_on) else { return Ok(()) };
        self.goes_on = goes_on;
        self.piece(&Piece::Block(Block { data: &data, ..block }))?;
        self.goes_on = false;
        Ok(())
    }

    /// Takes an end to the edit, if the last one was left out where it stood.
    fn add_missing_end(&mut self) -> Result<(), Error> {
        let Some((stamp, data)) = self.early_end.missing() else { return Ok(()) };
        let before = self.summary.clone();
        self.piece(&Piece::Block(Block { stamp, ..Block::new(&data) }))?;
        // It is no block of the input.
        let written = self.summary.written().saturating_sub(before.written());
        self.summary.added = before.added.saturating_add(written);
        (self.summary.same, self.summary.changed) = (before.same, before.changed);
        (self.summary.read, self.summary.bytes_in) = (before.read, before.bytes_in);
        Ok(())
    }
}

/// Selects the method of an edit for a game's messages.
trait Dispatch: PlaceUpdate {
    fn pass_to(rewriter: &mut dyn Rewrite, entry: &Entry<Self::Message<'_>>, writer: &mut BlockWriter<'_>);

    /// Whether messages with this id can change the context of the next one.
    fn may_change_context(entry: &Entry<Self::Message<'_>>) -> bool {
        use moviola_format::Message as _;
        <Self as Dialect>::can_change_context(entry.message.op())
    }

    /// Whether a message ends an MVD.
    fn ends(_: &Self::Message<'_>) -> bool {
        false
    }
}

impl Dispatch for Quake {
    #[inline]
    fn pass_to(rewriter: &mut dyn Rewrite, entry: &Entry<Self::Message<'_>>, writer: &mut BlockWriter<'_>) {
        rewriter.quake(entry, writer);
    }
}

impl Dispatch for Quake2 {
    #[inline]
    fn pass_to(rewriter: &mut dyn Rewrite, entry: &Entry<Self::Message<'_>>, writer: &mut BlockWriter<'_>) {
        rewriter.quake2(entry, writer);
    }
}

impl Dispatch for Mvd2 {
    fn pass_to(rewriter: &mut dyn Rewrite, entry: &Entry<Self::Message<'_>>, writer: &mut BlockWriter<'_>) {
        rewriter.mvd2(entry, writer);
    }
}

impl Dispatch for QuakeWorld {
    #[inline]
    fn pass_to(rewriter: &mut dyn Rewrite, entry: &Entry<Self::Message<'_>>, writer: &mut BlockWriter<'_>) {
        rewriter.quakeworld(entry, writer);
    }

    #[inline]
    fn ends(message: &Self::Message<'_>) -> bool {
        matches!(message, qw::Message::Disconnect(_))
    }
}

impl Dispatch for Hidden {
    fn pass_to(rewriter: &mut dyn Rewrite, entry: &Entry<Self::Message<'_>>, writer: &mut BlockWriter<'_>) {
        rewriter.hidden(entry, writer);
    }
}

impl Dispatch for ClientRecords {
    fn pass_to(rewriter: &mut dyn Rewrite, entry: &Entry<Self::Message<'_>>, writer: &mut BlockWriter<'_>) {
        rewriter.record(entry, writer);
    }
}

/// Takes a recording from `source` through an edit into `sink`, and returns a summary.
///
/// Only one block is in memory at a time. A file that is not a recording is passed as raw pieces.
///
/// ```
/// use moviola_edit::{Identity, rewrite};
/// let (recording, mut copy) = (b"\x01\0\0\0\x06\xff\xff\xff\xff", Vec::new());
/// let summary = rewrite(&recording[..], &mut Identity, &mut copy).unwrap();
/// assert_eq!((&copy[..], summary.read), (&recording[..], 1));
/// ```
///
/// # Errors
/// When reading or writing fails, or the edit is impossible.
pub fn rewrite<R: Read, W: Write>(
    source: R,
    rewriter: &mut dyn Rewrite,
    sink: W,
) -> Result<EditSummary, Error> {
    let mut demo = Demo::new(rewriter.source(Box::new(source)))?;
    let mut stage = Stage::to_file(rewriter, sink);
    stage.begin(demo.format())?;
    while let Some(piece) = demo.next_piece()? {
        stage.take(&piece)?;
        if stage.is_done() {
            break;
        }
    }
    stage.end()?;
    Ok(stage.summary.clone())
}
