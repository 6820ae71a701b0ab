//! `Rewrite`: the trait of an edit. Every method keeps everything by default; an edit overrides those for its
//! changes.

use crate::{BlockPlace, BlockWriter, EditOutput, Error, OpenInput};
use moviola_format::mvd2::AsRelay;
use moviola_format::{Entry, Fault, Format, Piece, client, dem, dm2, hidden, mvd2, qw};
use std::io::Read;

/// An edit, which the [driver](crate::rewrite) calls in the order of the recording.
///
/// One rule holds for messages, blocks and pieces: **anything that is not written is dropped.** The default
/// methods write everything unchanged. An overriding method may write nothing (drop), something else
/// (replace), or more before and after. `examples/big_chat.rs` is a complete program with an edit of its own.
///
/// # Frames of Quake II
/// A frame of Quake II holds the changes since an earlier frame, so later frames build on it. If an edit
/// changes an entity or the player in a frame, the change stays until a later frame sends the same field
/// again. After a frame that is dropped with its block, players draw nothing until a frame comes that builds
/// on another one. A [`Repair`](crate::Repair) after the edit closes such a gap: it looks at the edited
/// recording, and encodes the frames after the gap again. All other messages can be dropped, changed and
/// added without regard to frames.
///
/// ```
/// use moviola_edit::{Chain, Error, EditOutput, BlockWriter, Repair, Rewrite};
/// use std::rc::Rc;
///
/// /// Leaves a block out.
/// #[derive(Clone)]
/// struct Without(u64);
/// impl Rewrite for Without {
///     fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
///         if writer.place().block == self.0 { Ok(()) } else { writer.write(out) }
///     }
/// }
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dm2-34-isdemo-0").unwrap().bytes;
/// # let recording = &recording[..];
/// let mut chain = Chain::of(Rc::new(move || Ok(Box::new(recording))));
/// chain.then(Without(2));
/// chain.then(Repair::look(chain.open().unwrap()).unwrap());
/// let mut edited = Vec::new();
/// chain.write(&mut edited).unwrap();
/// ```
///
/// # Example
/// ```
/// use moviola_edit::{BlockWriter, Rewrite, rewrite};
/// use moviola_format::{Entry, Str, dem};
///
/// /// Says who is watching before every block's first message.
/// struct Hello;
/// impl Rewrite for Hello {
///     fn block(&mut self, writer: &mut BlockWriter<'_>) {
///         writer.put(&dem::Message::from(dem::Print { string: Str::new(b"hello\n\0") }));
///     }
/// }
/// let mut edited = Vec::new();
/// rewrite(&b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"[..], &mut Hello, &mut edited).unwrap();
/// assert!(edited.ends_with(b"\x08hello\n\0\x01"));
/// ```
pub trait Rewrite {
    /// The bytes of the recording before anything of them is read. An edit for damaged files can repair them
    /// here; other edits do not override this.
    fn source<'s>(&self, source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        source
    }

    /// The recording begins, and has this format. An edit that cannot edit this format returns an error here.
    fn begin(&mut self, format: Format, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let _ = (format, out);
        Ok(())
    }

    /// The format of the result for a recording of this format; most edits keep it.
    fn makes(&self, format: Format) -> Format {
        format
    }

    /// Called for a piece that is not a block: the header, the end mark, raw bytes.
    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        out.piece(piece)
    }

    /// Called at the start of a block. Messages that are put now precede the block's first message.
    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        let _ = writer;
    }

    /// A message of a Quake recording.
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let _ = entry;
        writer.keep();
    }

    /// A message of a Quake II recording.
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let _ = entry;
        writer.keep();
    }

    /// Whether the edit handles QuakeWorld's recordings. An edit that does not would let their messages pass,
    /// so the driver refuses such a recording.
    fn knows_quakeworld(&self) -> bool {
        false
    }

    /// Whether the edit handles recordings MVD2; the driver refuses them otherwise.
    fn knows_mvd2(&self) -> bool {
        false
    }

    /// A message of an MVD2.
    fn mvd2(&mut self, entry: &Entry<mvd2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let _ = entry;
        writer.keep();
    }

    /// A message of the server in a QuakeWorld recording.
    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let _ = entry;
        writer.keep();
    }

    /// Whether an end in the middle of an MVD is moved behind its last block before the edit sees it: players stop at
    /// the first one. An edit that changes a whole recording returns true; one that changes a place, or has its own
    /// way with ends, does not override this.
    fn moves_end(&self) -> bool {
        false
    }

    /// A hidden message of an MVD.
    fn hidden(&mut self, entry: &Entry<hidden::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let _ = entry;
        writer.keep();
    }

    /// A record of a QWD that is not a message: a command of the player, or sequence numbers.
    fn record(&mut self, entry: &Entry<client::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let _ = entry;
        writer.keep();
    }

    /// The bytes of a block that could not be read, and the reason.
    fn remainder(&mut self, fault: Fault, writer: &mut BlockWriter<'_>) {
        let _ = fault;
        writer.keep();
    }

    /// Called at the end of a block, which is dropped unless it is [written](BlockWriter::write). Other
    /// blocks can be written before and after it.
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        writer.write(out)
    }

    /// The participle for error messages ("cut", "squeezed"), if the edit needs recordings whose messages can
    /// be read.
    fn needs_messages(&self) -> Option<&'static str> {
        None
    }

    /// The participle for error messages, if the edit reads or writes the updates of Quake's entities. Some protocols
    /// have lists of changes instead, and the driver refuses a recording of these.
    fn needs_updates(&self) -> Option<&'static str> {
        None
    }

    /// Whether the edit handles recordings with Q2PRO's extended limits, whose messages have rows of their own.
    fn knows_q2pro(&self) -> bool {
        false
    }

    /// Whether [`source`](Self::source) returns another recording than it gets.
    fn replaces(&self) -> bool {
        false
    }

    /// Whether the messages of the next block, after this place, must be read. Otherwise
    /// [`block`](Self::block) and [`block_end`](Self::block_end) are called for it as usual, with all of it
    /// kept; its level and time are those of the block before.
    fn reads(&self, behind: &BlockPlace) -> bool {
        let _ = behind;
        true
    }

    /// Whether the edit needs no more of the recording: then the rest is not read, and the output ends here.
    fn is_done(&self) -> bool {
        false
    }

    /// The recording is over.
    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let _ = out;
        Ok(())
    }

    /// The edit's result in a few words for the summary; empty if the numbers of blocks are enough.
    fn outcome(&self) -> String {
        String::new()
    }
}

/// A recording made by other means, which replaces the input.
///
/// ```
/// use moviola_edit::{ReplacementSource, rewrite};
/// let other = std::rc::Rc::new(|| Ok(Box::new(&b"-1\n"[..]) as Box<dyn std::io::Read>));
/// let mut edited = Vec::new();
/// rewrite(&b"-2\n"[..], &mut ReplacementSource::new(other, "another track"), &mut edited).unwrap();
/// assert_eq!(edited, b"-1\n");
/// ```
#[derive(Clone)]
pub struct ReplacementSource {
    open: OpenInput<'static>,
    description: String,
}

impl ReplacementSource {
    /// Replaces the input by the recording that `open` opens; `description` describes the change in a few words.
    pub fn new(open: OpenInput<'static>, description: impl Into<String>) -> Self {
        Self { open, description: description.into() }
    }
}

impl Rewrite for ReplacementSource {
    fn source<'s>(&self, _: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        // A file that cannot be opened fails when it is read.
        (self.open)().unwrap_or_else(|error| Box::new(FailedSource(Some(error))))
    }

    fn replaces(&self) -> bool {
        true
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn knows_mvd2(&self) -> bool {
        true
    }

    fn outcome(&self) -> String {
        self.description.clone()
    }
}

/// A source that is read as a recording of Relay if it is an MVD2.
pub(crate) fn as_relay<'s>(source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
    match AsRelay::new(source) {
        Ok(source) => Box::new(source),
        Err(error) => Box::new(FailedSource(Some(error))),
    }
}

/// A source that could not be opened.
struct FailedSource(Option<std::io::Error>);

impl Read for FailedSource {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The edit that changes nothing.
///
/// ```
/// use moviola_edit::{Identity, rewrite};
/// let (recording, mut copy) = (b"any bytes \x00\xff", Vec::new());
/// let summary = rewrite(&recording[..], &mut Identity, &mut copy).unwrap();
/// assert_eq!(copy, recording);
/// assert_eq!(summary.to_string(), "nothing changed");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identity;

impl Rewrite for Identity {
    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn knows_mvd2(&self) -> bool {
        true
    }
}
