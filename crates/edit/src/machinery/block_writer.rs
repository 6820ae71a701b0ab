//! `BlockWriter`: writes a block anew, message by message. As long as everything is kept, nothing is copied.

use crate::machinery::bridge::reencode::short_blocks;
use crate::{BlockPlace, EditOutput, Error};
use moviola_check::largest_block;
use moviola_format::{
    Audience, Block, Context, Dialect, Entry, Game, Message, Messages, Mvd2, Quake, Quake2, QuakeWorld,
    Stamp, write_message,
};

/// Rewrites a block: keeps messages in their order, and puts others between them.
///
/// ```
/// use moviola_edit::{Error, EditOutput, BlockWriter, Rewrite, rewrite};
/// use moviola_format::{Entry, dm2};
///
/// /// Doubles every message, except in the second block, which becomes a single nop.
/// struct Double;
/// impl Rewrite for Double {
///     fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
///         assert_eq!(writer.context().quake2_protocol(), 34);
///         writer.put_entry(entry);
///         writer.put_bytes(writer.bytes());
///         assert!(!writer.is_unchanged() && writer.rest().is_empty());
///     }
///     fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
///         if writer.place().block == 1 {
///             writer.clear();
///             writer.put(&dm2::Message::from(dm2::Nop {}));
///         }
///         assert!(!writer.written().is_empty());
///         writer.write(out)
///     }
/// }
/// let mut edited = Vec::new();
/// rewrite(&b"\x01\0\0\0\x07\x01\0\0\0\x07"[..], &mut Double, &mut edited).unwrap();
/// assert_eq!(edited, b"\x02\0\0\0\x07\x07\x01\0\0\0\x06");
/// ```
#[derive(Debug)]
pub struct BlockWriter<'a> {
    /// Quake: the view angles to write before the messages, as the bits of three floats.
    pub angles: [u32; 3],
    /// QuakeWorld: the time and audience to write before the messages.
    stamp: Stamp,
    /// MVD: the kind of the last block that names an audience; later blocks may inherit it.
    inherited: Option<u8>,
    block: Block<'a>,
    place: BlockPlace,
    /// The context at the start of the block.
    start: Context,
    /// The context in which the current message is read and written.
    context: Context,
    /// The offset of the current message.
    at: usize,
    output: usize,
    /// While everything was kept: the end of the kept part of the block. The buffer is then empty.
    pristine: Option<usize>,
    buffer: &'a mut Vec<u8>,
    /// The start and context of the last message, if it was kept. Its last string may lack its NUL.
    ended: Option<(usize, Context)>,
}

impl<'a> BlockWriter<'a> {
    pub(crate) fn new(
        block: Block<'a>,
        place: BlockPlace,
        context: Context,
        buffer: &'a mut Vec<u8>,
    ) -> Self {
        buffer.clear();
        let angles = block.angles;
        Self {
            angles,
            stamp: block.stamp,
            inherited: None,
            block,
            place,
            start: context,
            context,
            at: 0,
            output: 0,
            pristine: Some(0),
            buffer,
            ended: None,
        }
    }

    pub(crate) fn inherit(&mut self, kind: Option<u8>) {
        self.inherited = kind;
    }

    /// The block as it was read.
    pub fn block(&self) -> &Block<'a> {
        &self.block
    }

    /// Whether a message of QuakeWorld that is put into the block is for all players: false in hidden blocks,
    /// and in blocks for one player of an MVD.
    pub(crate) fn is_for_all(&self) -> bool {
        match self.block.stamp {
            Stamp::Mvd { kind, .. } => {
                let audience = Audience::of(kind);
                let inherits = audience == Some(Audience::Same);
                let audience = if inherits { self.inherited.and_then(Audience::of) } else { audience };
                audience == Some(Audience::All)
            }
            Stamp::Qwd { numbers, .. } => numbers.is_some(),
            _ => false,
        }
    }

    /// The place of the block: its number, and the level and time as far as the block was read.
    pub fn place(&self) -> &BlockPlace {
        &self.place
    }

    /// The context in which the current message was read, and in which new messages are written.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The bytes of the current message.
    pub fn bytes(&self) -> &'a [u8] {
        self.block.data.get(self.at..self.output).unwrap_or_default()
    }

    /// The context in which the block begins.
    pub(crate) fn context_before(&self) -> &Context {
        &self.start
    }

    /// Where the current message ends in the block.
    pub(crate) fn end(&self) -> usize {
        self.output
    }

    /// The bytes that were not read yet, after the current message.
    pub fn rest(&self) -> &'a [u8] {
        self.block.data.get(self.output..).unwrap_or_default()
    }

    /// Keeps the current message unchanged.
    #[inline]
    pub fn keep(&mut self) {
        if self.pristine == Some(self.at) {
            self.pristine = Some(self.output);
        } else {
            self.start_buffer();
            let bytes = self.bytes();
            self.buffer.extend_from_slice(bytes);
        }
        let is_last = self.output == self.block.data.len() && self.at < self.output;
        self.ended = is_last.then_some((self.at, self.context));
    }

    /// Writes a message.
    pub fn put<'m, M: Message<'m>>(&mut self, message: &M) {
        self.before_more();
        write_message(message, self.buffer, &self.context);
    }

    /// Writes a message; in a Relay recording, also the mark of the client that it is for.
    pub fn put_entry<'m, M: Message<'m>>(&mut self, entry: &Entry<M>) {
        self.before_more();
        entry.write(self.buffer, &self.context);
    }

    /// Writes bytes that are messages already.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.before_more();
        self.buffer.extend_from_slice(bytes);
    }

    /// Sets the time of a QWD's block, in seconds.
    pub(crate) fn set_time(&mut self, time: f32) {
        match self.block.stamp {
            Stamp::Qwd { numbers, .. } => self.stamp = Stamp::Qwd { time: time.to_bits(), numbers },
            // A record begins with its time.
            Stamp::Record { mvd: false } if !self.written().is_empty() => {
                let rest = self.written().get(size_of::<f32>()..).unwrap_or_default();
                let moved = [&time.to_le_bytes()[..], rest].concat();
                self.clear();
                self.put_bytes(&moved);
            }
            _ => {}
        }
    }

    /// Sets the time between the block before and this block of an MVD, in milliseconds.
    pub(crate) fn set_step(&mut self, msec: u8) {
        if let Stamp::Mvd { msec: step, .. } = &mut self.stamp {
            *step = msec;
        }
    }

    fn has_same_head(&self) -> bool {
        self.angles == self.block.angles && self.stamp == self.block.stamp
    }

    /// Whether the block would be written without a change.
    pub fn is_unchanged(&self) -> bool {
        self.pristine == Some(self.block.data.len()) && self.has_same_head()
    }

    /// The messages that would be written now.
    pub fn written(&self) -> &[u8] {
        match self.pristine {
            Some(kept) => self.block.data.get(..kept).unwrap_or_default(),
            None => self.buffer,
        }
    }

    /// Discards everything that was written of this block so far.
    pub fn clear(&mut self) {
        self.start_buffer();
        self.buffer.clear();
        self.ended = None;
    }

    /// Writes the block. An untouched one is copied; a block from which every message was dropped is left out, since
    /// engines end the playback at a block without messages.
    pub fn write(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let is_same = || self.written() == self.block.data && self.has_same_head();
        if self.is_unchanged() || is_same() {
            return out.same(&self.block);
        }
        if self.block.is_from_client() {
            // The mark of a client's block is in its length.
            let length = i32::try_from(self.written().len()).unwrap_or(i32::MAX) | i32::MIN;
            return out.changed(&Block { length, angles: self.angles, ..Block::new(self.written()) });
        }
        if self.written().is_empty() && !self.block.data.is_empty() {
            return match emptied(self.stamp) {
                Some(stamp) => out.changed(&Block { stamp, ..Block::new(&[]) }),
                None => Ok(()),
            };
        }
        let Some(parts) = self.parts() else {
            let (angles, stamp) = (self.angles, self.stamp);
            return out.changed(&Block { angles, stamp, ..Block::new(self.written()) });
        };
        for (number, part) in parts.iter().enumerate() {
            if number == 0 {
                out.changed(&Block::new(part))?;
            } else {
                out.block([0; 3], part)?;
            }
        }
        Ok(())
    }

    /// A block of Quake II that an edit has made longer than engines accept, as several blocks. A frame stays
    /// in one piece, so a frame that is too long alone cannot be shortened.
    fn parts(&self) -> Option<Vec<Vec<u8>>> {
        let limit = largest_block(Game::Quake2);
        let is_made_long = self.written().len() > limit && self.block.data.len() <= limit;
        if self.start.game != Game::Quake2 || self.stamp == Stamp::Mvd2 || !is_made_long {
            return None;
        }
        let (parts, fits) = short_blocks(self.written(), limit, &self.start);
        fits.then_some(parts)
    }

    /// Whether the text at the block's end lacks its NUL.
    pub(crate) fn ends_open(&self) -> bool {
        self.ended.is_some_and(|(at, context)| self.is_open(at, context))
    }

    /// Whether the last message, which begins here, lacks the end of its last string.
    fn is_open(&self, at: usize, context: Context) -> bool {
        let message = self.block.data.get(at..).unwrap_or_default();
        if self.block.stamp == Stamp::Mvd2 {
            takes_nul::<Mvd2>(message, context)
        } else {
            is_open(message, context)
        }
    }

    /// Goes to the next message.
    #[inline]
    pub(crate) fn turn(&mut self, at: usize, to: usize) {
        (self.at, self.output) = (at, to);
    }

    pub(crate) fn set_context(&mut self, context: &Context) {
        self.context = *context;
    }

    pub(crate) fn place_mut(&mut self) -> &mut BlockPlace {
        &mut self.place
    }

    /// From now on the block is in the buffer.
    #[inline]
    fn start_buffer(&mut self) {
        if let Some(kept) = self.pristine.take() {
            self.buffer.extend_from_slice(self.block.data.get(..kept).unwrap_or_default());
        }
    }

    fn before_more(&mut self) {
        self.start_buffer();
        if let Some((at, context)) = self.ended.take()
            && self.is_open(at, context)
        {
            self.buffer.push(0);
        }
    }
}

/// The head of a block of QuakeWorld that stays without messages, because clients count it: a packet for its number, a
/// block of an MVD for its time.
fn emptied(stamp: Stamp) -> Option<Stamp> {
    match stamp {
        Stamp::Qwd { numbers: Some(_), .. } => Some(stamp),
        Stamp::Mvd { msec, .. } if msec > 0 => {
            Some(Stamp::Mvd { msec, kind: Audience::All.kind(0), players: 0 })
        }
        _ => None,
    }
}

/// Whether a message at the end of a block could take one more NUL: its last string has none.
pub(crate) fn is_open(message: &[u8], context: Context) -> bool {
    match context.game {
        Game::Quake => takes_nul::<Quake>(message, context),
        Game::QuakeWorld => takes_nul::<QuakeWorld>(message, context),
        Game::Quake2 => takes_nul::<Quake2>(message, context),
    }
}

fn takes_nul<D: Dialect>(message: &[u8], context: Context) -> bool {
    let longer = [message, &[0]].concat();
    let mut messages = Messages::<D>::new(&longer, context);
    let is_read = messages.next().is_some();
    is_read && messages.pos() == longer.len() && longer.len() > 1
}
