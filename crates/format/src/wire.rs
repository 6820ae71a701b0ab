//! The wire: a cursor over a block's bytes, and a pen that puts them back.
//!
//! Both carry the [`Context`] (which protocol is spoken) and the flag word of the message at hand,
//! because some kinds of value have a width that only these two decide.

use crate::context::{Context, Question};
use std::fmt;

/// Why a message could not be read, and where in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Offset in the block at which it went wrong.
    pub at: u32,
}

/// What can go wrong while a message is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The block ends inside the message.
    End,
    /// No message of this protocol has this id.
    UnknownMessage(u8),
    /// No temporary entity has this number, so its length is not known.
    UnknownTempEntity(u8),
    /// The protocol is recognised, but its messages are kept raw.
    RawProtocol(i32),
    /// A frame that looks like none of the three forms.
    FrameShape,
    /// A value that the protocol cannot hold here.
    Value(u8),
    /// The wire alone does not decide; the rest of the block must be tried both ways.
    Undecided(Question),
}

impl Fault {
    /// A fault of `kind` at offset `at`.
    #[cold]
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
                write!(f, "protocol {n} is recognised, but its messages are kept raw")
            }
            FaultKind::FrameShape => write!(f, "this frame has none of the three known forms"),
            FaultKind::Value(v) => write!(f, "the value {v} is not possible here"),
            FaultKind::Undecided(question) => write!(f, "the bytes do not decide {question}"),
        }
    }
}

impl std::error::Error for Fault {}

/// A cursor over the bytes of one block.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar};
/// let mut reader = Reader::new(&[5, 0, 1], Context::quake());
/// assert_eq!(i16::read(&mut reader).unwrap(), 5);
/// assert_eq!(reader.pos(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    buf: &'a [u8],
    pos: usize,
    flags: u32,
    op: u8,
    listed: bool,
    context: Context,
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of `buf`.
    pub fn new(buf: &'a [u8], context: Context) -> Self {
        Self { buf, pos: 0, flags: 0, op: 0, listed: false, context }
    }

    /// How many bytes were read.
    #[inline]
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Goes to an offset; past the end is the end.
    pub fn seek(&mut self, pos: usize) {
        self.pos = pos.min(self.buf.len());
    }

    /// What is left.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.buf.get(self.pos..).unwrap_or_default()
    }

    /// The bytes from `start` up to the cursor.
    #[inline]
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.buf.get(start..self.pos).unwrap_or_default()
    }

    /// Whether everything was read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pos >= self.buf.len()
    }

    /// The next byte, left where it is.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.buf.get(self.pos).copied()
    }

    /// The byte `ahead` bytes further on.
    #[inline]
    pub fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.buf.get(self.pos.checked_add(ahead)?).copied()
    }

    /// The next `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        match self.buf.get(self.pos..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(bytes) => {
                self.pos += N;
                Ok(*bytes)
            }
            None => Err(self.end()),
        }
    }

    /// The next `N` bytes, borrowed from the block.
    #[inline]
    pub fn chunk<const N: usize>(&mut self) -> Result<&'a [u8; N], Fault> {
        match self.buf.get(self.pos..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(bytes) => {
                self.pos += N;
                Ok(bytes)
            }
            None => Err(self.end()),
        }
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Fault> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// The next `len` bytes, borrowed from the block.
    #[inline]
    pub fn slice(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        match self.rest().get(..len) {
            Some(bytes) => {
                self.pos += len;
                Ok(bytes)
            }
            None => Err(self.end()),
        }
    }

    /// The "block ends here" fault.
    #[cold]
    pub fn end(&self) -> Fault {
        Fault::new(FaultKind::End, self.pos)
    }

    /// A fault of `kind` at the cursor.
    #[cold]
    pub fn fault(&self, kind: FaultKind) -> Fault {
        Fault::new(kind, self.pos)
    }

    /// The protocol and its habits.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The protocol and its habits, to be changed.
    #[inline]
    pub fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }

    /// The flag word of the message at hand.
    #[inline]
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Remembers the flag word for the fields that hang on it.
    #[inline]
    pub fn set_flags(&mut self, flags: u32) {
        self.flags = flags;
    }

    /// The id of the message at hand.
    #[inline]
    pub fn op(&self) -> u8 {
        self.op
    }

    /// Remembers the id: an entity update keeps flags in it.
    #[inline]
    pub fn set_op(&mut self, op: u8) {
        self.op = op;
    }

    /// Whether records of a list are being read (where Quake II's REMOVE ends a record).
    #[inline]
    pub fn listed(&self) -> bool {
        self.listed
    }

    /// Enters or leaves a list of records.
    #[inline]
    pub fn set_listed(&mut self, listed: bool) {
        self.listed = listed;
    }
}

/// Puts bytes back: a buffer to append to, and what the kinds of value must know.
///
/// ```
/// use moviola_format::{Context, Scalar, Writer};
/// let mut out = Vec::new();
/// 5i16.write(&mut Writer::new(&mut out, Context::quake()));
/// assert_eq!(out, [5, 0]);
/// ```
#[derive(Debug)]
pub struct Writer<'w> {
    out: &'w mut Vec<u8>,
    op_at: usize,
    flags: u32,
    context: Context,
}

impl<'w> Writer<'w> {
    /// Appends to `out`.
    pub fn new(out: &'w mut Vec<u8>, context: Context) -> Self {
        Self { out, op_at: 0, flags: 0, context }
    }

    /// Appends bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends one byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    /// Appends a message's id.
    #[inline]
    pub fn op(&mut self, op: u8) {
        self.op_at = self.out.len();
        self.out.push(op);
    }

    /// Sets bits in the id just written: an entity update keeps flags in it.
    #[inline]
    pub fn amend_op(&mut self, bits: u8) {
        if let Some(op) = self.out.get_mut(self.op_at) {
            *op |= bits;
        }
    }

    /// The flag word of the message at hand.
    #[inline]
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Remembers the flag word for the fields that hang on it.
    #[inline]
    pub fn set_flags(&mut self, flags: u32) {
        self.flags = flags;
    }

    /// The protocol and its habits.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.context
    }
}
