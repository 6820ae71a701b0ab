//! The wire: a reader of a block's bytes, and a writer that produces them again.
//!
//! Both carry the [`Context`] (the protocol) and the flag word of the current message, because some kinds of
//! value have a width that only these two decide.

use crate::context::{Context, Question};
use std::fmt;

/// The reason why a message could not be read, and its place in the block.
///
/// ```
/// use moviola_format::{Fault, FaultKind};
/// assert_eq!(Fault::new(FaultKind::End, 1).to_string(), "the block ends inside this message");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The offset in the block at which it occurred.
    pub at: u32,
}

/// The kinds of faults in reading a message.
///
/// ```
/// use moviola_format::{Block, Context, FaultKind, Quake};
/// let mut messages = Block::new(b"\x01\x3c").messages::<Quake>(Context::quake());
/// assert_eq!(messages.by_ref().count(), 1);
/// let fault = messages.fault().unwrap();
/// assert_eq!((fault.kind, fault.at), (FaultKind::UnknownMessage(0x3c), 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The block ends inside the message.
    End,
    /// No message of this protocol has this id.
    UnknownMessage(u8),
    /// No temporary entity has this number, so its length is not known.
    UnknownTempEntity(u8),
    /// The protocol's messages are kept raw.
    RawProtocol(i32),
    /// FTE's extensions of this protocol are announced: its messages are kept raw.
    Extended(i32),
    /// A frame's head with none of the three forms.
    FrameShape,
    /// The block goes from the client to the server, so it has other kinds of messages.
    FromClient,
    /// An update that can only be read with what `DarkPlaces` adds to protocol 15: it is kept raw.
    DarkPlaces,
    /// A message whose form only the game's own code knows.
    GameCode(u8),
    /// QuakeWorld extensions were announced, given as bits, and a message cannot be read without knowing them.
    Extension(u32),
    /// A record whose size or type byte does not fit its kind.
    Framing,
    /// A value that is impossible in this protocol and place.
    Value(u8),
    /// The wire alone does not decide; the rest of the block must be tried both ways.
    Undecided(Question),
}

/// The reasons why the messages of protocols are kept raw, and the missing knowledge to read them.
const WHY_RAW: &[(std::ops::RangeInclusive<i32>, &str)] = &[
    (25..=25, "the test release has other ids and other frames, which no document describes"),
    (
        35..=36,
        "R1Q2 and Q2PRO speak it on the net and record 34; a copy of the net would be needed to prove a reader",
    ),
    (37..=37, "this is not one of Q2PRO's versions 2009 to 2013, or it has Q2PRO's extended limits"),
    (56..=56, "KMQuake II has fields and limits of its own, which only its sources describe"),
    (96..=97, EARLIER_FRAMES),
    (1038..=1038, "Q2rePRO has fields and limits of its own, which only its sources describe"),
    (2022..=2022, "the width of a coordinate depends on earlier frames"),
    (
        2023..=2023,
        "the re-release speaks it on the net and records 2022; a recording would be needed to prove a reader",
    ),
    (3500..=3501, EARLIER_FRAMES),
];
const EARLIER_FRAMES: &str = "the form of an entity depends on earlier frames";

impl Fault {
    /// A fault of `kind` at offset `at`.
    pub fn new(kind: FaultKind, at: usize) -> Self {
        Self { kind, at: u32::try_from(at).unwrap_or(u32::MAX) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FaultKind::End => write!(f, "the block ends inside this message"),
            FaultKind::UnknownMessage(op) => write!(f, "no message of this protocol has the id {op}"),
            FaultKind::UnknownTempEntity(kind) => write!(f, "no temporary entity has the number {kind}"),
            FaultKind::RawProtocol(n) => {
                write!(f, "messages of protocol {n} are kept raw")?;
                WHY_RAW
                    .iter()
                    .find(|(these, _)| these.contains(&n))
                    .map_or(Ok(()), |(_, why)| write!(f, ": {why}"))
            }
            FaultKind::Extended(n) => {
                write!(f, "messages of protocol {n} with FTE's extensions are kept raw")
            }
            FaultKind::FrameShape => write!(f, "this frame has none of the three known forms"),
            FaultKind::FromClient => write!(f, "messages of a client to the server are kept raw"),
            FaultKind::DarkPlaces => write!(f, "updates as DarkPlaces extends them are kept raw"),
            FaultKind::GameCode(op) => {
                write!(f, "only the game's own code knows the form of message {op}, which is kept raw")
            }
            FaultKind::Extension(bits) => {
                write!(
                    f,
                    "the extensions 0x{bits:X} were announced, and how they change messages is not known"
                )
            }
            FaultKind::Framing => write!(f, "this record is not framed as its kind is"),
            FaultKind::Value(v) => write!(f, "the value {v} is not possible here"),
            FaultKind::Undecided(question) => write!(f, "the bytes do not decide {question}"),
        }
    }
}

impl std::error::Error for Fault {}

/// The mark that reading has stopped; [`Reader::fault`] gives the reason.
///
/// It has no size, so that a kind of value that can fail is returned in registers: with a [`Fault`] in its
/// place, reading a block of updates took three times as long.
///
/// ```
/// use moviola_format::{Context, FaultKind, Reader, Stop};
/// let context = Context::quake();
/// let mut reader = Reader::new(&[], &context);
/// assert_eq!(reader.byte(), Err(Stop));
/// assert_eq!(reader.fault().unwrap().kind, FaultKind::End);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// The greatest number of bytes of a record that is read without a check for each field.
pub(crate) const FAST: usize = 32;

/// A cursor over the bytes of one block.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar};
/// let context = Context::quake();
/// let mut reader = Reader::new(&[5, 0, 1], &context);
/// assert_eq!(i16::read(&mut reader).unwrap(), 5);
/// assert_eq!(reader.pos(), 2);
/// ```
///
/// A kind of value takes its bytes, can look ahead, and gives a reason when it cannot go on:
///
/// ```
/// use moviola_format::{Context, FaultKind, Reader};
/// let context = Context::quake();
/// let mut reader = Reader::new(b"\x01ab\x05cd", &context);
/// assert_eq!((reader.peek(), reader.peek_at(3)), (Some(1), Some(5)));
/// assert_eq!(reader.byte(), Ok(1));
/// assert_eq!(reader.array(), Ok(*b"ab"));
/// assert_eq!(reader.array_if::<2>(false), Ok([0, 0]));
/// assert_eq!(reader.since(1), b"ab");
/// assert_eq!(reader.chunk::<1>(), Ok(&[5]));
/// assert_eq!(reader.slice(2), Ok(&b"cd"[..]));
/// reader.seek(3);
/// let _ = reader.stop(FaultKind::Value(5));
/// assert_eq!(reader.fault().unwrap().at, 3);
/// ```
///
/// It also contains properties of the current message that some kinds need:
///
/// ```
/// use moviola_format::{Context, Reader};
/// let context = Context::quake2();
/// let mut reader = Reader::new(&[], &context);
/// reader.set_op(0x81);
/// reader.set_flags(1 << 4);
/// reader.set_listed(true);
/// assert_eq!((reader.op(), reader.flags(), reader.listed()), (0x81, 16, true));
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a, 'c> {
    block: &'a [u8],
    rest: &'a [u8],
    flags: u32,
    op: u8,
    listed: bool,
    number: u16,
    fault: Option<Fault>,
    context: &'c Context,
    window: Option<&'a [u8]>,
    offset: usize,
}

impl<'a, 'c> Reader<'a, 'c> {
    /// A reader at the beginning of `block`.
    #[inline(always)]
    pub fn new(block: &'a [u8], context: &'c Context) -> Self {
        Self {
            block,
            rest: block,
            flags: 0,
            op: 0,
            listed: false,
            number: 0,
            fault: None,
            context,
            window: None,
            offset: 0,
        }
    }

    /// A reader of `block` at the place where `rest` begins.
    #[inline(always)]
    pub(crate) fn resume(block: &'a [u8], rest: &'a [u8], context: &'c Context) -> Self {
        Self { rest, ..Self::new(block, context) }
    }

    /// Limits the reader to the next `most` bytes, after which no read checks for the end; returns false if
    /// there are fewer.
    #[inline(always)]
    pub(crate) fn narrow(&mut self, most: usize) -> bool {
        self.window = self.rest.get(..most);
        self.window.is_some()
    }

    /// Bytes of the window. Those of an absent field may lie outside, which does no harm because they are not
    /// used.
    #[inline(always)]
    fn peek_window<const N: usize>(&self, window: &'a [u8]) -> &'a [u8; N] {
        window.get(self.offset..).and_then(|bytes| bytes.first_chunk()).unwrap_or(&[0; N])
    }

    /// The number of bytes read.
    #[inline(always)]
    pub fn pos(&self) -> usize {
        self.block.len() - self.rest.len() + self.offset
    }

    /// Goes to an offset; one past the end counts as the end.
    #[inline(always)]
    pub fn seek(&mut self, pos: usize) {
        self.rest = self.block.get(pos..).unwrap_or_default();
    }

    /// Goes to the place of another reader of the block. The fault is copied only if that reader `stopped`,
    /// because copying it always costs time.
    #[inline(always)]
    pub(crate) fn follow(&mut self, other: &Self, stopped: bool) {
        self.rest = other.rest;
        if stopped {
            self.fault = other.fault;
        }
    }

    /// The bytes not read yet.
    #[inline(always)]
    pub fn rest(&self) -> &'a [u8] {
        if self.window.is_some() { self.rest.get(self.offset..).unwrap_or_default() } else { self.rest }
    }

    /// The bytes from `start` up to the cursor.
    #[inline(always)]
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.block.get(start..self.pos()).unwrap_or_default()
    }

    /// Whether everything was read.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// The next byte, without taking it.
    #[inline(always)]
    pub fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// The byte `ahead` bytes further on.
    #[inline(always)]
    pub fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.rest().get(ahead).copied()
    }

    /// The next `N` bytes.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        self.chunk().copied()
    }

    /// The next `N` bytes, borrowed from the block.
    #[inline(always)]
    pub fn chunk<const N: usize>(&mut self) -> Result<&'a [u8; N], Stop> {
        if let Some(window) = self.window {
            let bytes = self.peek_window(window);
            self.offset += N;
            return Ok(bytes);
        }
        let Some((bytes, rest)) = self.rest.split_first_chunk::<N>() else { return Err(self.end()) };
        self.rest = rest;
        Ok(bytes)
    }

    /// The next `N` bytes if `present`, otherwise zeros.
    ///
    /// The fields of an update are nearly random, and a wrong prediction of the processor costs as much as
    /// reading five fields. So where possible the bytes are loaded in any case, and used or not.
    #[inline(always)]
    pub fn array_if<const N: usize>(&mut self, present: bool) -> Result<[u8; N], Stop> {
        let Some(window) = self.window else {
            return if present { self.array() } else { Ok([0; N]) };
        };
        let bytes = *self.peek_window(window);
        self.offset += usize::from(present) * N;
        Ok(bytes)
    }

    /// The next byte.
    #[inline(always)]
    pub fn byte(&mut self) -> Result<u8, Stop> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// The next `len` bytes, borrowed from the block.
    #[inline(always)]
    pub fn slice(&mut self, len: usize) -> Result<&'a [u8], Stop> {
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else { return Err(self.end()) };
        self.rest = rest;
        Ok(bytes)
    }

    /// Stops because the block ends here.
    #[inline(always)]
    pub fn end(&mut self) -> Stop {
        self.stop(FaultKind::End)
    }

    /// Stops at the cursor, and records the reason.
    #[inline(always)]
    pub fn stop(&mut self, kind: FaultKind) -> Stop {
        self.fault = Some(Fault::new(kind, self.pos()));
        Stop
    }

    /// Stops because of the byte that was read last.
    #[inline(always)]
    pub(crate) fn stop_behind(&mut self, kind: FaultKind) -> Stop {
        self.fault = Some(Fault::new(kind, self.pos().saturating_sub(1)));
        Stop
    }

    /// The reason why reading stopped.
    #[inline(always)]
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// The protocol and its habits.
    #[inline(always)]
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The flag word of the current message.
    #[inline(always)]
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Sets the flag word for the fields that depend on it.
    #[inline(always)]
    pub fn set_flags(&mut self, flags: u32) {
        self.flags = flags;
    }

    /// The id of the current message.
    #[inline(always)]
    pub fn op(&self) -> u8 {
        self.op
    }

    /// Sets the id, because an entity update keeps flags in it.
    #[inline(always)]
    pub fn set_op(&mut self, op: u8) {
        self.op = op;
    }

    /// The number in the flag word, which QuakeWorld's entities have there.
    #[inline(always)]
    pub(crate) fn number(&self) -> u16 {
        self.number
    }

    /// Sets the number from the flag word.
    #[inline(always)]
    pub(crate) fn set_number(&mut self, number: u16) {
        self.number = number;
    }

    /// Limits the reader to the next `len` bytes; false if fewer are left.
    pub(crate) fn limit(&mut self, len: usize) -> bool {
        let end = self.pos() + len;
        let (Some(block), Some(rest)) = (self.block.get(..end), self.rest.get(..len)) else { return false };
        (self.block, self.rest) = (block, rest);
        true
    }

    /// Whether records of a list are being read (where Quake II's REMOVE ends a record).
    #[inline(always)]
    pub fn listed(&self) -> bool {
        self.listed
    }

    /// Enters or leaves a list of records.
    #[inline(always)]
    pub fn set_listed(&mut self, listed: bool) {
        self.listed = listed;
    }
}

/// Writes bytes: a buffer to append to, and the context for the kinds of value.
///
/// ```
/// use moviola_format::{Context, Scalar, Writer};
/// let mut out = Vec::new();
/// 5i16.write(&mut Writer::new(&mut out, &Context::quake()));
/// assert_eq!(out, [5, 0]);
/// ```
///
/// An entity update keeps flags in its id:
///
/// ```
/// use moviola_format::{Context, Writer};
/// let (mut out, context) = (Vec::new(), Context::quake());
/// let mut writer = Writer::new(&mut out, &context);
/// writer.op(0x80);
/// writer.bytes(&[1, 2]);
/// writer.amend_op(0x21);
/// assert_eq!(out, [0xa1, 1, 2]);
/// ```
#[derive(Debug)]
pub struct Writer<'w> {
    out: &'w mut Vec<u8>,
    op_at: usize,
    word_at: usize,
    flags: u32,
    context: &'w Context,
}

impl<'w> Writer<'w> {
    /// Appends to `out`.
    pub fn new(out: &'w mut Vec<u8>, context: &'w Context) -> Self {
        Self { out, op_at: 0, word_at: 0, flags: 0, context }
    }

    /// The number of bytes in the buffer.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether the buffer holds nothing.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Appends bytes.
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends a number of bytes known to the compiler, one by one: they are few, and the vector's methods for several
    /// are called out of line, which takes longer than all of them.
    #[inline(always)]
    pub(crate) fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        // On a page, which is loaded over networks, size counts more than time.
        if N > 2 || cfg!(target_family = "wasm") {
            return self.out.extend_from_slice(&bytes);
        }
        for byte in bytes {
            self.out.push(byte);
        }
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    /// Appends a message's id.
    #[inline(always)]
    pub fn op(&mut self, op: u8) {
        self.op_at = self.out.len();
        self.out.push(op);
    }

    /// Sets bits in the id just written: an entity update keeps flags in it.
    #[inline(always)]
    pub fn amend_op(&mut self, bits: u8) {
        if let Some(op) = self.out.get_mut(self.op_at) {
            *op |= bits;
        }
    }

    /// Appends a flag word of two bytes, which [`Writer::amend_word`] may complete with a number.
    #[inline(always)]
    pub(crate) fn word(&mut self, word: u16) {
        self.word_at = self.out.len();
        self.array(word.to_le_bytes());
    }

    /// Sets bits in the last flag word: an entity of QuakeWorld has its number there.
    #[inline(always)]
    pub(crate) fn amend_word(&mut self, bits: u16) {
        let bytes = self.out.get_mut(self.word_at..).unwrap_or_default();
        bytes.iter_mut().zip(bits.to_le_bytes()).for_each(|(byte, bits)| *byte |= bits);
    }

    /// Inserts bytes after the id of the current message and a byte of flags: further flags of `DarkPlaces`.
    ///
    /// Inlined down to the vector, so that no call takes the writer's address: otherwise every update would be written
    /// through memory instead of registers.
    #[inline(always)]
    pub(crate) fn behind_flags(&mut self, bytes: &[u8]) {
        insert(self.out, self.op_at + 2, bytes);
    }

    /// Inserts bytes before the id of the current message: a record of QuakeWorld begins with its time.
    pub(crate) fn before_op(&mut self, bytes: &[u8]) {
        self.out.splice(self.op_at..self.op_at, bytes.iter().copied());
        self.op_at += bytes.len();
    }

    /// Replaces the id of the current message once all of it is written: a hidden message begins with its
    /// length.
    pub(crate) fn replace_op(&mut self, with: impl FnOnce(u8, usize) -> Vec<u8>) {
        if let Some(op) = self.out.get(self.op_at).copied() {
            let head = with(op, self.out.len() - self.op_at - 1);
            self.out.splice(self.op_at..=self.op_at, head);
        }
    }

    /// The flag word of the current message.
    #[inline(always)]
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Sets the flag word for the fields that depend on it.
    #[inline(always)]
    pub fn set_flags(&mut self, flags: u32) {
        self.flags = flags;
    }

    /// The protocol and its habits.
    #[inline(always)]
    pub fn context(&self) -> &'w Context {
        self.context
    }
}

/// Inserts bytes into a vector, at its end if it is shorter.
#[cold]
fn insert(out: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let at = at.min(out.len());
    out.splice(at..at, bytes.iter().copied());
}
