//! `Pen`: writes a block anew, message by message. As long as everything is kept, nothing is copied.

use crate::{Error, Out, Place};
use moviola_format::{Block, Context, Entry, Game, Message, Messages, Quake, Quake2, write_message};

/// Writes a block anew: what of it is kept, in its order, and what is put between.
///
/// ```
/// use moviola_edit::{Error, Out, Pen, Rewrite, rewrite};
/// use moviola_format::{Entry, dm2};
///
/// /// Doubles every message, except in the second block, which becomes a single nop.
/// struct Double;
/// impl Rewrite for Double {
///     fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, pen: &mut Pen<'_>) {
///         assert_eq!(pen.context().quake2_protocol(), 34);
///         pen.put_entry(entry);
///         pen.put_bytes(pen.bytes());
///         assert!(!pen.is_unchanged() && pen.rest().is_empty());
///     }
///     fn block_end(&mut self, pen: &mut Pen<'_>, out: &mut Out<'_>) -> Result<(), Error> {
///         if pen.place().block == 1 {
///             pen.clear();
///             pen.put(&dm2::Message::from(dm2::Nop {}));
///         }
///         assert!(!pen.written().is_empty());
///         pen.write(out)
///     }
/// }
/// let mut edited = Vec::new();
/// rewrite(&b"\x01\0\0\0\x07\x01\0\0\0\x07"[..], &mut Double, &mut edited).unwrap();
/// assert_eq!(edited, b"\x02\0\0\0\x07\x07\x01\0\0\0\x06");
/// ```
#[derive(Debug)]
pub struct Pen<'a> {
    /// The view angles with which the block goes out (Quake), as the bits of three floats.
    pub angles: [u32; 3],
    block: Block<'a>,
    place: Place,
    /// Under what the message at hand was read, and is written.
    context: Context,
    /// The message at hand.
    at: usize,
    to: usize,
    /// The block up to here is kept, and nothing else was written; the buffer has nothing.
    pristine: Option<usize>,
    buffer: &'a mut Vec<u8>,
    /// Where the message begins that was kept last and ends the block, and under what it was read: the NUL of its last
    /// string may be missing.
    ended: Option<(usize, Context)>,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(block: Block<'a>, place: Place, context: Context, buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        let angles = block.angles;
        Self { angles, block, place, context, at: 0, to: 0, pristine: Some(0), buffer, ended: None }
    }

    /// The block as it was read.
    pub fn block(&self) -> &Block<'a> {
        &self.block
    }

    /// Where it is: its number, and the level and time as far as it was read.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The protocol and the habits: under these the message at hand was read, and what is put is written.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The bytes of the message at hand.
    pub fn bytes(&self) -> &'a [u8] {
        self.block.data.get(self.at..self.to).unwrap_or_default()
    }

    /// The bytes that were not read yet, behind the message at hand.
    pub fn rest(&self) -> &'a [u8] {
        self.block.data.get(self.to..).unwrap_or_default()
    }

    /// Keeps the message at hand as it is.
    #[inline]
    pub fn keep(&mut self) {
        if self.pristine == Some(self.at) {
            self.pristine = Some(self.to);
        } else {
            self.disturb();
            let bytes = self.bytes();
            self.buffer.extend_from_slice(bytes);
        }
        self.ended =
            (self.to == self.block.data.len() && self.at < self.to).then_some((self.at, self.context));
    }

    /// Writes a message.
    pub fn put<'m, M: Message<'m>>(&mut self, message: &M) {
        self.before_more();
        write_message(message, self.buffer, &self.context);
    }

    /// Writes a message with the mark of the one client that it is for (Relay).
    pub fn put_entry<'m, M: Message<'m>>(&mut self, entry: &Entry<M>) {
        self.before_more();
        entry.write(self.buffer, &self.context);
    }

    /// Writes bytes that are messages already.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.before_more();
        self.buffer.extend_from_slice(bytes);
    }

    /// Whether the block would go out as it came in.
    pub fn is_unchanged(&self) -> bool {
        self.pristine == Some(self.block.data.len()) && self.angles == self.block.angles
    }

    /// The messages as they would go out now.
    pub fn written(&self) -> &[u8] {
        match self.pristine {
            Some(kept) => self.block.data.get(..kept).unwrap_or_default(),
            None => self.buffer,
        }
    }

    /// Forgets what was written of this block so far.
    pub fn clear(&mut self) {
        self.disturb();
        self.buffer.clear();
        self.ended = None;
    }

    /// Writes the block. An untouched one is copied; one from which every message was dropped goes away, since
    /// engines end the playback at a block without messages.
    pub fn write(&mut self, out: &mut Out<'_>) -> Result<(), Error> {
        let is_same = || self.written() == self.block.data && self.angles == self.block.angles;
        if self.is_unchanged() || is_same() {
            return out.same(&self.block);
        }
        if self.block.is_from_client() {
            // The mark of a client's block is in its length.
            let length = i32::try_from(self.written().len()).unwrap_or(i32::MAX) | i32::MIN;
            return out.changed(&Block { length, angles: self.angles, data: self.written() });
        }
        if self.written().is_empty() && !self.block.data.is_empty() {
            return Ok(());
        }
        out.changed(&Block { angles: self.angles, ..Block::new(self.written()) })
    }

    /// The next message is at hand.
    #[inline]
    pub(crate) fn turn(&mut self, at: usize, to: usize) {
        (self.at, self.to) = (at, to);
    }

    pub(crate) fn set_context(&mut self, context: &Context) {
        self.context = *context;
    }

    pub(crate) fn place_mut(&mut self) -> &mut Place {
        &mut self.place
    }

    /// From now on the block is in the buffer.
    #[inline]
    fn disturb(&mut self) {
        if let Some(kept) = self.pristine.take() {
            self.buffer.extend_from_slice(self.block.data.get(..kept).unwrap_or_default());
        }
    }

    fn before_more(&mut self) {
        self.disturb();
        if let Some((at, context)) = self.ended.take()
            && is_open(self.block.data.get(at..).unwrap_or_default(), context)
        {
            self.buffer.push(0);
        }
    }
}

/// Whether a message, which ended a block, would take a NUL more: its last string has none.
pub(crate) fn is_open(message: &[u8], context: Context) -> bool {
    let longer = [message, &[0]].concat();
    let taken = |pos| pos == longer.len() && longer.len() > 1;
    match context.game {
        Game::Quake => {
            let mut messages = Messages::<Quake>::new(&longer, context);
            let read = messages.next().is_some();
            taken(messages.pos()) && read
        }
        Game::Quake2 => {
            let mut messages = Messages::<Quake2>::new(&longer, context);
            let read = messages.next().is_some();
            taken(messages.pos()) && read
        }
    }
}
