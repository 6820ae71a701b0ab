//! Makes messages from arbitrary bytes, for property tests and the structured fuzz target.
//!
//! [`Entropy`] answers each request of a row or a kind of value from the bytes, so it needs to know no
//! message. The result can be written and read again, because each value is made under the flag word that was
//! drawn. Bytes that messages borrow are kept in a [`EntropyBytes`], a list that only grows; this needs neither
//! unsafe code nor a copy of the lifetimes, and dropping the list frees everything.

use crate::context::Context;
use crate::dm2;
use crate::game::Game;
use crate::kinds::Str;
use crate::messages::{Dialect, Entry};
use crate::scalar::{Field, Flags, Record, Scalar, Unit, ValueSource};
use crate::table::{Message, Schema, Source};
use crate::wire::{FaultKind, Reader, Writer};
use std::cell::OnceCell;
use std::fmt;

/// Bytes that live as long as the messages that borrow them.
///
/// ```
/// use moviola_format::entropy::EntropyBytes;
/// let kept = EntropyBytes::default();
/// let (bytes, _) = kept.keep(b"some");
/// assert_eq!(bytes, b"some");
/// ```
#[derive(Default)]
pub struct EntropyBytes {
    bytes: OnceCell<Box<[u8]>>,
    next: OnceCell<Box<EntropyBytes>>,
}

impl EntropyBytes {
    /// Keeps a copy of `bytes` in the first free place from here on; also returns the next free place.
    pub fn keep<'a>(&'a self, bytes: &[u8]) -> (&'a [u8], &'a Self) {
        let mut place = self;
        while place.bytes.get().is_some() {
            place = place.next.get_or_init(Box::default);
        }
        (place.bytes.get_or_init(|| bytes.into()), place.next.get_or_init(Box::default))
    }
}

impl Drop for EntropyBytes {
    /// Drops the nodes one after the other, because recursion over a long list would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut place) = next {
            next = place.next.take();
        }
    }
}

impl fmt::Debug for EntropyBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

/// The reason why these bytes lead to no message.
///
/// ```
/// use moviola_format::entropy::{Entropy, EntropyBytes};
/// use moviola_format::{Context, dem};
/// let kept = EntropyBytes::default();
/// let mut entropy = Entropy::new(&[], &kept, Context::quake());
/// // No message of Quake has the id 60.
/// assert!(entropy.message::<dem::Message>(60).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CannotMake(pub &'static str);

/// Makes messages from arbitrary bytes. After the last byte it continues with zeros.
///
/// ```
/// use moviola_format::entropy::{Entropy, EntropyBytes};
/// use moviola_format::{dem, write_message, Context, Messages, Quake};
/// let (kept, context) = (EntropyBytes::default(), Context::quake());
/// let mut entropy = Entropy::new(b"any bytes will do", &kept, context);
/// let print: dem::Message = entropy.message(dem::Print::OP).unwrap();
/// let mut block = Vec::new();
/// write_message(&print, &mut block, &context);
/// assert_eq!(Messages::<Quake>::new(&block, context).next().unwrap().message, print);
/// ```
#[derive(Debug)]
pub struct Entropy<'a> {
    bytes: &'a [u8],
    store: &'a EntropyBytes,
    context: Context,
    op: u8,
    flags: u32,
    listed: bool,
    /// A number out of a flag word or an earlier field, on which the form of later fields depends.
    number: u16,
    /// The last numbers made: they are reused, because a length often precedes its bytes.
    recent: [i64; 4],
}

impl<'a> Entropy<'a> {
    /// A maker of messages from `bytes`, in the form that they have under `context`.
    pub fn new(bytes: &'a [u8], store: &'a EntropyBytes, context: Context) -> Self {
        Self { bytes, store, context, op: 0, flags: 0, listed: false, number: 0, recent: [0; 4] }
    }

    /// The next message with the id `op`.
    pub fn message<M: Message<'a>>(&mut self, op: u8) -> Result<M, CannotMake> {
        (self.op, self.flags, self.listed, self.number) = (op, 0, false, 0);
        M::build(op, self)
    }

    /// The next message of any id that the protocol has, and its row.
    ///
    /// ```
    /// use moviola_format::entropy::{Entropy, EntropyBytes};
    /// use moviola_format::{dm2, Context};
    /// let kept = EntropyBytes::default();
    /// let mut entropy = Entropy::new(&[6, 5, 4, 3], &kept, Context::quake2());
    /// let (message, row) = entropy.any_message::<dm2::Message>().unwrap();
    /// assert_eq!(moviola_format::Message::schema(&message).op, row.op);
    /// ```
    pub fn any_message<M: Message<'a>>(&mut self) -> Result<(M, &'static Schema), CannotMake> {
        let rows = M::SCHEMA;
        let first = usize::from(self.byte());
        let spoken = |row: &&Schema| row.families == 0 || self.context.has_family(row.families);
        let Some(row) = rows.iter().cycle().skip(first % rows.len().max(1)).take(rows.len()).find(spoken)
        else {
            return Err(CannotMake("the protocol has no messages"));
        };
        let op = row.op.saturating_add(self.byte() % (row.last - row.op).saturating_add(1));
        Ok((self.message(op)?, row))
    }

    /// A block of messages, written to `out`; the messages change the context as in a recording.
    ///
    /// It respects the limits of a block: only the last string may lack its end; a message that takes the
    /// rest of the block comes last; a packet without a connection is alone; and a frame's head is followed
    /// by a message that shows its form.
    ///
    /// ```
    /// use moviola_format::entropy::{Entropy, EntropyBytes};
    /// use moviola_format::{Context, Messages, Quake2};
    /// let (kept, context, mut block) = (EntropyBytes::default(), Context::quake2(), Vec::new());
    /// let made = Entropy::new(&[7; 40], &kept, context).block::<Quake2>(&mut block);
    /// let read: Vec<_> = Messages::<Quake2>::new(&block, context).collect();
    /// assert_eq!(made, read);
    /// ```
    pub fn block<D: Dialect>(&mut self, out: &mut Vec<u8>) -> Vec<Entry<D::Message<'a>>> {
        let mut entries = Vec::new();
        let mut frames = Vec::new();
        let open_end = self.chance(64);
        while !self.bytes.is_empty() && !self.context.raw {
            let unicast = (D::UNICAST && self.byte() < 32).then(|| self.byte());
            let Ok((message, row)) = self.any_message::<D::Message<'a>>() else { continue };
            let entry = Entry { at: out.len(), unicast, message };
            let has = |kind: &str| row.fields.iter().any(|field| field.kind.starts_with(kind));
            let is_packet = has("OutOfBand");
            if is_packet && !out.is_empty() {
                continue;
            }
            if D::GAME == Game::Quake2 && row.op == dm2::FrameMessage::OP {
                let Some(next) = self.after_frame::<D>(&entry, out) else { continue };
                frames.push((entries.len(), self.context));
                entries.extend([entry, next]);
                continue;
            }
            entry.write(out, &self.context);
            D::observe(&message, &mut self.context);
            entries.push(entry);
            if is_packet || has("Rest") {
                break;
            }
        }
        if open_end {
            self.cut_end::<D>(&mut entries, out);
        }
        self.cut_frames::<D>(&frames, &mut entries, out);
        entries
    }

    /// Writes a frame's head and a message that fits it; nothing if the bytes could also be read in another
    /// form.
    fn after_frame<D: Dialect>(
        &mut self,
        head: &Entry<D::Message<'a>>,
        out: &mut Vec<u8>,
    ) -> Option<Entry<D::Message<'a>>> {
        let start = out.len();
        for op in [dm2::PlayerInfo::OP, dm2::PacketEntities::OP] {
            head.write(out, &self.context);
            if let Ok(message) = self.message::<D::Message<'a>>(op) {
                let next = Entry { at: out.len(), unicast: None, message };
                next.write(out, &self.context);
                let written = self.keep(out.get(start..).unwrap_or_default());
                let mut again = crate::Messages::<D>::new(written, self.context);
                let seen = again.next().is_some_and(|seen| seen.message == head.message);
                if seen && again.pos() == next.at - start {
                    return Some(next);
                }
            }
            out.truncate(start);
        }
        None
    }

    /// Ends the block before a frame's head that, together with all the bytes after it, looks like another
    /// form.
    fn cut_frames<D: Dialect>(
        &mut self,
        frames: &[(usize, Context)],
        entries: &mut Vec<Entry<D::Message<'a>>>,
        out: &mut Vec<u8>,
    ) {
        if frames.is_empty() {
            return;
        }
        let block = self.keep(out);
        for (frame, context) in frames {
            let Some(head) = entries.get(*frame).copied() else { return };
            let mut again = crate::Messages::<D>::new(block.get(head.at..).unwrap_or_default(), *context);
            if again.next().is_none_or(|seen| seen.message != head.message) {
                entries.truncate(*frame);
                out.truncate(head.at);
                return;
            }
        }
    }

    /// Removes the NUL of the block's last string, if there is one.
    fn cut_end<D: Dialect>(&mut self, entries: &mut [Entry<D::Message<'a>>], out: &mut Vec<u8>) {
        let Some((last, [0])) = entries.last_mut().zip(out.last_chunk().copied()) else { return };
        let cut = self.keep(out.get(last.at..out.len() - 1).unwrap_or_default());
        let mut again = crate::Messages::<D>::new(cut, self.context);
        let shorter = again.next().filter(|it| it.message.op() == last.message.op());
        if let Some(shorter) = shorter.filter(|_| again.rest().is_empty()) {
            *last = Entry { at: last.at, ..shorter };
            out.pop();
        }
    }

    fn byte(&mut self) -> u8 {
        let [byte] = self.array();
        byte
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        let (bytes, rest) = self.bytes.split_at(N.min(self.bytes.len()));
        out.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        self.bytes = rest;
        out
    }

    /// True in `of_256` of 256 cases; never after the last byte, so that every list ends.
    fn chance(&mut self, of_256: u8) -> bool {
        let byte = self.byte();
        byte != 0 && byte <= of_256 && !self.bytes.is_empty()
    }

    /// A number of bytes: mostly small, at times one of the last numbers made.
    fn length(&mut self) -> usize {
        let which = usize::from(self.byte() & 7);
        let recent = self.recent.get(which).copied().and_then(|it| usize::try_from(it).ok());
        match (recent, self.byte()) {
            (Some(recent), _) if recent <= 2048 => recent,
            (_, few @ 0..240) => usize::from(few % 24),
            (_, many) => usize::from(many - 239) * 75,
        }
    }

    fn raw_bytes(&mut self, length: usize) -> &'a [u8] {
        let (bytes, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        self.bytes = rest;
        bytes
    }

    /// The value that a reader takes from the bytes themselves.
    fn read<T: Scalar<'a>>(&mut self) -> Option<T> {
        let context = self.context;
        let mut reader = self.reader(self.bytes, &context);
        let value = T::read(&mut reader).ok()?;
        // A value that extends to the end of the block would take all the bytes, and the block does not end
        // here.
        if reader.pos() > 0 && reader.is_empty() {
            return None;
        }
        (self.bytes, self.number) = (reader.rest(), reader.number());
        Some(value)
    }

    /// The value after it was written and read under the flag word and the protocol: a number sent as a byte
    /// is cut to one.
    fn through_wire<T: Scalar<'a>>(&mut self, value: &T) -> Option<T> {
        const FOLLOWERS: [&[u8]; 3] = [&[], &[dm2::PlayerInfo::OP], &[dm2::PacketEntities::OP]];
        let mut wire = Vec::new();
        let mut writer = Writer::new(&mut wire, &self.context);
        writer.set_flags(self.flags);
        value.write(&mut writer);
        // The bytes after a frame's head show its form.
        let length = wire.len();
        for follower in FOLLOWERS {
            wire.truncate(length);
            wire.extend_from_slice(follower);
            let kept = self.keep(&wire);
            let mut contexts = vec![self.context];
            while let Some(context) = contexts.pop() {
                let mut reader = self.reader(kept, &context);
                let outcome = T::read(&mut reader);
                if let Some(FaultKind::Undecided(question)) = reader.fault().map(|fault| fault.kind) {
                    contexts.extend(context.answers(question).into_iter().rev());
                }
                if let Some(value) = outcome.ok().filter(|_| reader.pos() == length) {
                    self.number = reader.number();
                    return Some(value);
                }
            }
        }
        None
    }

    fn reader<'c>(&self, bytes: &'a [u8], context: &'c Context) -> Reader<'a, 'c> {
        let mut reader = Reader::new(bytes, context);
        reader.set_op(self.op);
        reader.set_flags(self.flags);
        reader.set_listed(self.listed);
        reader.set_number(self.number);
        reader
    }
}

impl<'a> Source<'a> for Entropy<'a> {
    type Error = CannotMake;

    /// A word that the wire can contain, however odd it is.
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, CannotMake> {
        let mut word = self.array::<8>();
        if word[7] & 1 != 0 {
            word[0] &= 0x3F;
        }
        for _ in 0..=255 {
            // The bytes after the word are set to 0xFF: an entity's number of zero would end a record before its
            // fields.
            let mut length = word.len();
            for _ in 0..2 {
                let (sent, behind) = word.split_at_mut(length);
                let _ = sent;
                behind.fill(0xFF);
                let kept = self.keep(&word);
                let context = self.context;
                let mut reader = self.reader(kept, &context);
                match F::read(&mut reader) {
                    Ok(flags) if length == reader.pos() => {
                        (self.flags, self.number) = (flags.bits(), reader.number());
                        return Ok(flags);
                    }
                    Ok(_) => length = reader.pos(),
                    Err(_) => break,
                }
            }
            word[0] = word[0].wrapping_add(1);
        }
        Err(CannotMake("no flag word begins like this"))
    }
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T, CannotMake> {
        const MAX_TRIES: u8 = 4;
        for _ in 0..MAX_TRIES {
            let asked_first = self.byte() & 3 != 0;
            if !asked_first && let Some(value) = self.read() {
                return Ok(value);
            }
            if let Ok(asked) = T::take_field(field, self)
                && let Some(value) = self.through_wire(&asked)
            {
                return Ok(value);
            }
            if asked_first && let Some(value) = self.read() {
                return Ok(value);
            }
        }
        // When the bytes are used up, the default value is built, even by a kind that refuses an empty line.
        if self.bytes.is_empty()
            && let Some(value) = self.through_wire(&T::default())
        {
            return Ok(value);
        }
        Err(CannotMake("no value fits the flag word"))
    }
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T, CannotMake> {
        if present { self.field(field) } else { Ok(T::default()) }
    }
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, CannotMake> {
        Ok(flags)
    }
    fn has_family(&self, families: u16) -> bool {
        self.context.has_family(families)
    }
    fn unknown(&mut self, _: u8) -> CannotMake {
        CannotMake("no message of this protocol has this id")
    }
}

/// Numbers with a special meaning somewhere: protocols, kinds of recording, ends of ranges.
const TELLING: [i64; 32] = [
    -1, 1, 2, 15, 26, 27, 31, 32, 33, 34, 35, 40, 64, 127, 128, 250, 254, 255, 256, 257, 666, 668, 999, 2047,
    8191, 10000, 10001, 10002, 32767, 32768, 65535, 65536,
];

/// Floats with a special meaning: zeros, the marks 1 and 2, infinities, a not-a-number, the least denormal.
const ODD_FLOATS: [u32; 8] =
    [0, 0x8000_0000, 0x3F80_0000, 0x4000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_1234, 0x0000_0001];

/// Starts of strings that decide how the rest of a recording is read.
const TELLING_STARTS: [&[u8]; 6] = [
    b"ACH_",
    b"\x02\nVERSION 1.06 SERVER ",
    b"\x02\nVERSION 1.09 SERVER ",
    b"maps/hip1m1.bsp",
    b"progs/v_lava.mdl",
    b"\xFF",
];

impl<'a> ValueSource<'a> for Entropy<'a> {
    type Error = CannotMake;

    fn context(&self) -> &Context {
        &self.context
    }
    fn line(&mut self, _: &'static str) -> Result<(), CannotMake> {
        Ok(())
    }
    fn has(&mut self, _: &'static str) -> bool {
        self.chance(100)
    }
    fn bare(&mut self) -> bool {
        self.chance(60)
    }
    fn end(&mut self) -> Result<(), CannotMake> {
        Ok(())
    }
    fn more(&mut self) -> bool {
        self.chance(180)
    }
    fn int(&mut self, min: i64, max: i64) -> Result<i64, CannotMake> {
        let mode = self.byte();
        let value = match mode & 7 {
            0 => 0,
            1 => max,
            2 => min,
            3 => TELLING.get(usize::from(mode >> 3)).copied().unwrap_or_default(),
            4 => i64::from(self.byte() & 0x3F),
            _ => {
                let span = max.wrapping_sub(min).max(0) as u64;
                let drawn = match span {
                    0..=0xFF => u64::from(self.byte()),
                    0x100..=0xFFFF => u64::from(u16::from_le_bytes(self.array())),
                    _ => u64::from_le_bytes(self.array()),
                };
                min.wrapping_add((drawn % span.saturating_add(1)) as i64)
            }
        };
        let value = value.clamp(min, max);
        self.recent.rotate_right(1);
        self.recent[0] = value;
        Ok(value)
    }
    fn fixed(&mut self, _: Unit, min: i64, max: i64) -> Result<i64, CannotMake> {
        self.int(min, max)
    }
    fn mixed(&mut self) -> Result<i32, CannotMake> {
        let [low, high, part] = self.array();
        Ok(i32::from(i16::from_le_bytes([low, high])) << 8 | i32::from(part))
    }
    fn float(&mut self) -> Result<u32, CannotMake> {
        let mode = self.byte();
        Ok(match mode & 3 {
            0 => ODD_FLOATS.get(usize::from(mode >> 2 & 7)).copied().unwrap_or_default(),
            1 => f32::from(self.byte()).to_bits(),
            _ => u32::from_le_bytes(self.array()),
        })
    }
    fn string(&mut self) -> Result<Str<'a>, CannotMake> {
        let start = if self.chance(24) { usize::from(self.byte()) } else { usize::MAX };
        let length = self.length();
        let mut string = TELLING_STARTS.get(start % 8).copied().unwrap_or_default().to_vec();
        string.extend(self.raw_bytes(length).iter().filter(|byte| **byte != 0));
        string.push(0);
        Ok(Str::new(self.keep(&string)))
    }
    fn data(&mut self) -> Result<&'a [u8], CannotMake> {
        let length = self.length();
        let mut data = self.raw_bytes(length).to_vec();
        // Fills up with zeros to the drawn length, so that lengths fit and lists end.
        data.resize(length, 0);
        Ok(self.keep(&data))
    }
    fn keep(&mut self, bytes: &[u8]) -> &'a [u8] {
        let (kept, next) = self.store.keep(bytes);
        self.store = next;
        kept
    }
    fn open(&mut self, _: &'static str) -> Result<bool, CannotMake> {
        Ok(self.chance(200))
    }
    fn close(&mut self) -> Result<(), CannotMake> {
        Ok(())
    }
    fn record<R: Record<'a>>(&mut self, _: &'static str) -> Result<Option<R>, CannotMake> {
        if !self.chance(200) {
            return Ok(None);
        }
        let outside = (self.flags, self.listed, self.number);
        (self.listed, self.number) = (true, 0);
        let record = R::build(self);
        (self.flags, self.listed, self.number) = outside;
        record.map(Some)
    }
    fn wants(&self, bits: u32) -> bool {
        self.flags & bits == bits
    }
    fn refuse(&mut self, why: &'static str) -> CannotMake {
        CannotMake(why)
    }
}
