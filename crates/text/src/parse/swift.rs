//! The usual messages out of text, fast: a second [`Source`] beside the careful parser.
//!
//! It lives in registers, knows fields in the order of their row, one a line, and notes no mistakes. At anything else
//! it gives up, and the careful parser reads the message from its beginning.

use crate::SPARE_BITS;
use crate::scan::{NUMBER, plain, units, whole};
use crate::statement::Rows;
use bstr::ByteSlice;
use bumpalo::Bump;
use moviola_format::{Ask, Context, Dialect, Field, Flags, Message, Record, Scalar, Schema};
use moviola_format::{Meaning, Source, Str, Unit, Writer};

/// What the messages of a block are read with.
pub(crate) struct Swift<'c, 'a> {
    pub(crate) context: &'c Context,
    pub(crate) arena: &'a Bump,
    pub(crate) rows: &'c Rows,
    /// The row of the message before, whose keyword mostly comes again.
    pub(crate) last: Option<&'static Schema>,
}

impl Swift<'_, '_> {
    /// Writes the message at the start of `text` to `data`, if it is one that is as usual and changes nothing about
    /// the next; says how much of the text it was.
    #[inline(always)]
    pub(crate) fn message<D: Dialect>(&mut self, text: &[u8], data: &mut Vec<u8>) -> Option<usize> {
        let Self { context, arena, .. } = *self;
        let ahead = text.first_chunk()?;
        let mut hand = Hand {
            rest: text,
            ahead,
            at: 0,
            implied: 0,
            given: 0,
            listed: false,
            bare: false,
            context,
            arena,
        };
        hand.arrive().ok()?;
        let row = self.row::<D>(hand.rest)?;
        hand.go(row.name.len()).ok()?;
        if hand.enter().is_err() {
            hand.bare = matches!(row.fields, [Field { parts: [], .. }]) && row.flags.is_empty();
            hand.bare.then_some(())?;
        }
        let mut pen = Pen { hand, data, done: false };
        D::Message::build_into(row.op, &mut pen, |pen, _| {
            pen.done.then_some(text.len() - pen.hand.rest.len())
        })
    }

    /// The row whose keyword comes, if its messages can be read here.
    #[inline(always)]
    fn row<D: Dialect>(&mut self, text: &[u8]) -> Option<&'static Schema> {
        if let Some(last) = self.last
            && text.get(..last.name.len()) == Some(last.name.as_bytes())
            && text.get(last.name.len()) == Some(&b' ')
        {
            return Some(last);
        }
        let name = text.split(|byte| *byte == b' ').next()?;
        let row = self.rows.find(name).filter(|row| row.families == 0 && D::leaves(row.op, self.context))?;
        self.last = Some(row);
        Some(row)
    }
}

/// It is not as usual.
struct Unusual;

type Result<T> = std::result::Result<T, Unusual>;

/// How many characters are looked at without asking again whether they are there: more than a keyword, a number, and
/// the blanks of the next line. Where the text has fewer, nothing is fast.
const AHEAD: usize = 96;

/// A cursor at the start of a token.
#[derive(Clone, Copy)]
struct Hand<'t, 'c, 'a> {
    rest: &'t [u8],
    /// The first characters of the rest.
    ahead: &'t [u8; AHEAD],
    /// How many of them are done with.
    at: usize,
    /// The flag word that the fields imply.
    implied: u32,
    /// The flag word that is a value of its own.
    given: u32,
    /// Whether this is a record in a list.
    listed: bool,
    /// Whether the message is one value without braces.
    bare: bool,
    context: &'c Context,
    arena: &'a Bump,
}

impl<'t> Hand<'t, '_, '_> {
    /// Goes on by so many characters.
    #[inline(always)]
    fn go(&mut self, len: usize) -> Result<()> {
        self.rest = self.rest.get(len..).ok_or(Unusual)?;
        self.ahead = self.rest.first_chunk().ok_or(Unusual)?;
        self.at = 0;
        Ok(())
    }

    /// The next characters.
    #[inline(always)]
    fn next<const N: usize>(&self) -> Option<&'t [u8; N]> {
        self.ahead.get(self.at..)?.first_chunk()
    }

    /// Goes to the next token, over blanks and comments.
    #[inline(always)]
    fn arrive(&mut self) -> Result<()> {
        let mut len = self.at;
        if let Some([b'\n', blanks @ ..]) = self.next::<9>() {
            len += 1 + (u64::from_le_bytes(*blanks) ^ 0x2020_2020_2020_2020).trailing_zeros() as usize / 8;
        }
        self.go(len)?;
        if matches!(self.ahead, [0..=b'/', ..]) { self.replace(skip(self.rest)) } else { Ok(()) }
    }

    /// Goes on from somewhere behind.
    #[inline(always)]
    fn replace(&mut self, rest: &'t [u8]) -> Result<()> {
        self.rest = rest;
        self.go(0)
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, text: &[u8; N]) -> Result<()> {
        if self.next() != Some(text) {
            return Err(Unusual);
        }
        self.at += N;
        Ok(())
    }

    /// Goes into the braces behind a keyword.
    #[inline(always)]
    fn enter(&mut self) -> Result<()> {
        self.take(b" {")?;
        self.arrive()
    }

    /// The characters of a number: the first of a line is among those that are known to be there.
    #[inline(always)]
    fn digits(&mut self) -> Result<&'t [u8; NUMBER]> {
        if let Some(digits) = self.next() {
            return Ok(digits);
        }
        self.go(self.at)?;
        self.next().ok_or(Unusual)
    }

    /// Takes a number in units.
    #[inline(always)]
    fn units(&mut self, unit: Unit) -> Result<i64> {
        let (raw, len) = units(self.digits()?, unit).ok_or(Unusual)?;
        self.at += len;
        Ok(raw)
    }
}

/// [`arrive`](Hand::arrive) at what is not just the next line.
#[inline(never)]
fn skip(mut rest: &[u8]) -> &[u8] {
    loop {
        match rest {
            [b' ' | b'\n' | b'\t' | b'\r', after @ ..] => rest = after,
            [b'/', b'/', comment @ ..] => {
                let newline = comment.find_byte(b'\n');
                rest = newline.and_then(|newline| comment.get(newline + 1..)).unwrap_or_default();
            }
            _ => return rest,
        }
    }
}

/// A float's bits, and how long it is. Out of line, because it is rare and large.
#[inline(never)]
fn float(text: &[u8; NUMBER], unit: Option<u8>) -> Option<(u32, usize)> {
    let (plain, len) = plain(text, unit)?;
    Some(((plain.value() as f32).to_bits(), len))
}

const NAMELESS: Field = Field { name: "", kind: "", bit: 0, meaning: Meaning::Number, note: "", parts: &[] };

impl<'a> Source<'a> for Hand<'_, '_, 'a> {
    type Error = Unusual;

    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self) -> Result<F> {
        if F::DERIVED {
            if F::SPARE != 0 && self.has(SPARE_BITS) {
                self.line(SPARE_BITS)?;
                while self.more() {
                    self.implied |= 1 << self.int(0, 31)?;
                }
                self.end()?;
            }
            return Ok(F::default());
        }
        let flags = F::ask(&NAMELESS, self)?;
        self.given = flags.bits();
        Ok(flags)
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T> {
        // A kind that is not compiled in line gets a hand of its own: one that others know is kept in memory.
        let mut own = *self;
        let value = T::ask(field, &mut own)?;
        *self = own;
        self.implied |= value.implied(0, self.context);
        Ok(value)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T> {
        if if self.given != 0 && !T::SILENT { present } else { T::offered(field, self) } {
            let mut own = *self;
            let value = T::ask(field, &mut own)?;
            *self = own;
            self.implied |= value.implied(field.bit, self.context);
            return Ok(value);
        }
        Ok(T::default())
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F> {
        if !F::DERIVED {
            return Ok(flags);
        }
        let flags = F::canonical(self.implied, self.context);
        if flags.bits() & self.implied != self.implied {
            return Err(Unusual);
        }
        Ok(if self.listed { flags.listed() } else { flags })
    }
    fn speaks(&self, _: u16) -> bool {
        false
    }
    fn unknown(&mut self, _: u8) -> Unusual {
        Unusual
    }
}

impl<'a> Ask<'a> for Hand<'_, '_, 'a> {
    type Error = Unusual;

    #[inline(always)]
    fn context(&self) -> &Context {
        self.context
    }
    #[inline(always)]
    fn line(&mut self, name: &'static str) -> Result<()> {
        if self.bare {
            return Ok(());
        }
        if !self.has(name) {
            return Err(Unusual);
        }
        self.at += name.len();
        Ok(())
    }
    /// In line and with a keyword that is known where it is called: then most fields that are not there cost a
    /// comparison of a character.
    #[inline(always)]
    fn has(&mut self, name: &'static str) -> bool {
        self.ahead.first() == name.as_bytes().first()
            && self.ahead.get(..name.len()) == Some(name.as_bytes())
            && matches!(self.ahead.get(name.len()), Some(b' ' | b';'))
    }
    #[inline(always)]
    fn bare(&mut self) -> bool {
        self.bare
    }
    #[inline(always)]
    fn end(&mut self) -> Result<()> {
        self.take(b";")?;
        if self.bare { Ok(()) } else { self.arrive() }
    }
    #[inline(always)]
    fn more(&mut self) -> bool {
        self.next() == Some(b" ")
    }
    #[inline(always)]
    fn int(&mut self, min: i64, max: i64) -> Result<i64> {
        let (value, len) = whole(self.digits()?).ok_or(Unusual)?;
        self.at += len;
        if (min..=max).contains(&value) { Ok(value) } else { Err(Unusual) }
    }
    #[inline(always)]
    fn fixed(&mut self, unit: Unit, min: i64, max: i64) -> Result<i64> {
        let raw = self.units(unit)?;
        if (min..=max).contains(&raw) { Ok(raw) } else { Err(Unusual) }
    }
    #[inline(always)]
    fn angle(&mut self, unit: Unit, bits: u32) -> Result<i64> {
        let raw = self.units(unit)?;
        let shift = 64 - bits;
        Ok(raw << shift >> shift)
    }
    fn mixed(&mut self) -> Result<i32> {
        Err(Unusual)
    }
    #[inline(always)]
    fn float(&mut self) -> Result<u32> {
        let (bits, len) = float(self.digits()?, None).ok_or(Unusual)?;
        self.at += len;
        Ok(bits)
    }
    #[inline(always)]
    fn seconds(&mut self) -> Result<u32> {
        let (bits, len) = float(self.digits()?, Some(b's')).ok_or(Unusual)?;
        self.at += len;
        Ok(bits)
    }
    fn string(&mut self) -> Result<Str<'a>> {
        Err(Unusual)
    }
    fn data(&mut self) -> Result<&'a [u8]> {
        Err(Unusual)
    }
    fn keep(&mut self, bytes: &[u8]) -> &'a [u8] {
        self.arena.alloc_slice_copy(bytes)
    }
    #[inline(always)]
    fn open(&mut self, name: &'static str) -> Result<bool> {
        if !self.has(name) {
            return Ok(false);
        }
        self.at += name.len();
        self.enter()?;
        Ok(true)
    }
    #[inline(always)]
    fn close(&mut self) -> Result<()> {
        self.take(b"}")?;
        self.arrive()
    }
    #[inline(always)]
    fn record<R: Record<'a>>(&mut self, name: &'static str) -> Result<Option<R>> {
        if !self.has(name) {
            return Ok(None);
        }
        self.at += name.len();
        self.enter()?;
        let mut own = Self { implied: 0, given: 0, listed: true, ..*self };
        let record = R::build(&mut own)?;
        own.take(b"}")?;
        own.arrive()?;
        (self.rest, self.ahead, self.at) = (own.rest, own.ahead, own.at);
        Ok(Some(record))
    }
    fn wants(&self, bits: u32) -> bool {
        self.given & bits == bits && self.given != 0
    }
    fn spills(&mut self, _: u8, _: u8) -> Result<()> {
        Err(Unusual)
    }
    fn refuse(&mut self, _: &'static str) -> Unusual {
        Unusual
    }
}

/// Writes the message whose fields come, as soon as it is made: where it would be kept first, it would be copied.
struct Pen<'t, 'c, 'a, 'd> {
    hand: Hand<'t, 'c, 'a>,
    data: &'d mut Vec<u8>,
    done: bool,
}

impl<'a> Source<'a> for Pen<'_, '_, 'a, '_> {
    type Error = Unusual;

    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self) -> Result<F> {
        self.hand.flags()
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T> {
        self.hand.field(field)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T> {
        self.hand.optional(field, present)
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F> {
        self.hand.settle(flags)
    }
    /// A row is read by a hand of its own: nothing else knows where that one is, so it lives in registers.
    #[inline(always)]
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R>) -> T) -> T {
        let mut own = self.hand;
        // Only a message of one value can stand without braces.
        own.bare &= R::SCHEMA.fields.len() == 1 && R::SCHEMA.flags.is_empty();
        if let Ok(record) = R::build(&mut own)
            && (own.bare || own.take(b"}").is_ok())
        {
            let mut writer = Writer::new(self.data, own.context);
            writer.op(R::SCHEMA.op);
            record.walk(&mut writer);
            self.hand.rest = own.rest.get(own.at..).unwrap_or_default();
            self.done = true;
        }
        done(self, Err(Unusual))
    }
    fn speaks(&self, families: u16) -> bool {
        self.hand.speaks(families)
    }
    fn unknown(&mut self, op: u8) -> Unusual {
        self.hand.unknown(op)
    }
}
