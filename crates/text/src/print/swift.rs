//! The usual messages into text, fast: a second [`Sink`] beside the careful [`Printer`](super::Printer).
//!
//! It lives in registers and knows numbers and their comments. At anything else (strings, lists, flag words that the
//! fields do not imply) it gives up, and the careful printer prints the message from its beginning.

use super::has_high_byte;
use crate::level::Level;
use crate::number::{self, Out};
use moviola_format::names::Meaning;
use moviola_format::{Context, Field, Flags, Message, Record, Scalar, Schema, Show, Sink, Str, Unit};

/// How much text is gathered; more than any usual message has.
const PAGE: usize = 1 << 14;

/// A message is begun only where so much room is left.
const ROOM: usize = 1 << 10;

/// Where usual messages are gathered.
#[derive(Debug)]
pub(crate) struct Page {
    bytes: Vec<u8>,
    len: usize,
    numbers: [i64; NUMBERS],
    scratch: Vec<u8>,
}

/// How messages are said.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'p> {
    pub(crate) comments: bool,
    /// How many blanks a depth is.
    pub(crate) step: usize,
    pub(crate) context: &'p Context,
    pub(crate) level: &'p Level,
}

impl Page {
    pub(crate) fn new() -> Self {
        Self { bytes: vec![0; PAGE], len: 0, numbers: [0; NUMBERS], scratch: Vec::new() }
    }

    /// Moves what was gathered behind `out`.
    #[inline]
    pub(crate) fn turn(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes.get(..self.len).unwrap_or_default());
        self.len = 0;
    }

    pub(crate) fn is_nearly_full(&self) -> bool {
        self.len + ROOM > self.bytes.len()
    }

    /// Prints a message that needs no note; false is "it is not as usual".
    #[inline(always)]
    pub(crate) fn message<'a, M: Message<'a>>(&mut self, message: &M, manner: Manner<'_>) -> bool {
        let rest = self.bytes.get_mut(self.len..).unwrap_or_default();
        let room = rest.len();
        let mut pen = Pen {
            rest,
            numbers: &mut self.numbers,
            scratch: &mut self.scratch,
            manner: &manner,
            depth: 1,
            bare: message.bare(),
            open: false,
            failed: false,
            schema: message.schema(),
            word: Word::NONE,
            meaning: Meaning::Number,
            count: 0,
            previous: 0,
        };
        message.walk(&mut pen);
        if pen.failed {
            return false;
        }
        self.len += room - pen.rest.len();
        true
    }
}

/// How many numbers of a line are remembered.
const NUMBERS: usize = 16;

/// The flag word of the record at hand.
#[derive(Clone, Copy)]
struct Word {
    sent: u32,
    implied: u32,
    canonical: fn(u32, &Context) -> u32,
}

impl Word {
    const NONE: Self = Self { sent: 0, implied: 0, canonical: |_, _| 0 };
}

/// Prints a message into the rest of a page.
struct Pen<'p, 's> {
    rest: &'p mut [u8],
    /// The numbers of the line, for its comment.
    numbers: &'s mut [i64; NUMBERS],
    scratch: &'s mut Vec<u8>,
    manner: &'s Manner<'s>,
    depth: usize,
    /// Whether the message is said without braces.
    bare: bool,
    /// Whether its brace was opened.
    open: bool,
    /// Whether it is not as usual.
    failed: bool,
    schema: &'static Schema,
    word: Word,
    meaning: Meaning,
    count: usize,
    previous: i64,
}

impl Out for Pen<'_, '_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, word: [u8; N], len: usize) {
        let rest = std::mem::take(&mut self.rest);
        if let Some(place) = rest.first_chunk_mut::<N>() {
            *place = word;
            self.rest = rest.get_mut(len..).unwrap_or_default();
        } else {
            self.failed = true;
        }
    }
    #[inline(always)]
    fn rarely(&mut self, print: impl FnOnce(&mut Vec<u8>)) {
        self.scratch.clear();
        print(self.scratch);
        self.rest = copy(self.scratch, std::mem::take(&mut self.rest));
        self.failed |= self.rest.is_empty();
    }
}

/// Copies to the start of `rest`, and gives what is left of it; nothing is left where it does not fit.
#[inline(never)]
fn copy<'p>(from: &[u8], rest: &'p mut [u8]) -> &'p mut [u8] {
    let Some((place, rest)) = rest.split_at_mut_checked(from.len()) else { return &mut [] };
    place.copy_from_slice(from);
    rest
}

/// Prints a float to the start of `rest`, and gives what is left of it. Out of line, because it is rare and large.
#[inline(never)]
fn float<'p>(bits: u32, scratch: &mut Vec<u8>, rest: &'p mut [u8]) -> &'p mut [u8] {
    scratch.clear();
    scratch.push(b' ');
    number::float(scratch, bits);
    copy(scratch, rest)
}

impl<'p> Pen<'p, '_> {
    /// A keyword or what else is known where it is called: then it is a few moves of constants.
    #[inline(always)]
    fn text(&mut self, text: &str) {
        let rest = std::mem::take(&mut self.rest);
        if let Some((place, rest)) = rest.split_at_mut_checked(text.len()) {
            place.copy_from_slice(text.as_bytes());
            self.rest = rest;
        } else {
            self.failed = true;
        }
    }

    #[inline(always)]
    fn indent(&mut self, depth: usize) {
        self.put(*b"        ", (depth * self.manner.step) & 7);
    }

    /// A pen for a row or record of its own: nothing else knows where it is, so it lives in registers.
    #[inline(always)]
    fn own(&mut self, depth: usize) -> Pen<'p, '_> {
        Pen {
            rest: std::mem::take(&mut self.rest),
            numbers: self.numbers,
            scratch: self.scratch,
            manner: self.manner,
            depth,
            bare: self.bare,
            open: self.open,
            failed: self.failed,
            schema: self.schema,
            word: Word::NONE,
            meaning: Meaning::Number,
            count: 0,
            previous: self.previous,
        }
    }

    /// The flag word must be what the fields imply.
    #[inline(always)]
    fn check_word(&mut self) {
        let Word { sent, implied, canonical } = self.word;
        self.failed |= sent != implied && sent != canonical(implied, self.manner.context);
    }

    #[inline(always)]
    fn remember(&mut self, value: i64) {
        if !matches!(self.meaning, Meaning::Number)
            && let Some(place) = self.numbers.get_mut(self.count)
        {
            *place = value;
        }
        self.count += 1;
        // Longer lists are for the printer that wraps lines.
        self.failed |= self.count > NUMBERS;
    }
}

/// The comment that says what a line's numbers stand for.
#[inline(never)]
fn explain(meaning: Meaning, numbers: &[i64], previous: i64, manner: &Manner<'_>, out: &mut Vec<u8>) {
    let mut between: &[u8] = b"; // ";
    for number in numbers {
        if let Some(name) = manner.level.name(meaning, *number, previous, manner.context.game) {
            out.extend_from_slice(between);
            name.put(out);
            between = b", ";
        }
    }
    out.extend_from_slice(if out.is_empty() { b";\n" } else { b"\n" });
}

impl<'a> Sink<'a> for Pen<'_, '_> {
    #[inline(always)]
    fn row<R: Record<'a>>(&mut self, record: &R) {
        let mut own = self.own(2);
        own.schema = const { &R::SCHEMA };
        // Only a message of one value can stand without braces.
        own.bare &= R::SCHEMA.fields.len() == 1 && R::SCHEMA.flags.is_empty();
        own.indent(1);
        own.text(R::SCHEMA.name);
        record.walk(&mut own);
        own.check_word();
        if own.open {
            own.indent(1);
            own.text("}\n");
        } else if !own.bare {
            own.text(";\n");
        }
        (self.failed, self.rest) = (own.failed, own.rest);
    }
    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        if !F::DERIVED {
            const NAMELESS: Field =
                Field { name: "", kind: "", bit: 0, meaning: Meaning::Number, note: "", parts: &[] };
            return flags.show(&NAMELESS, self);
        }
        let sent = flags.bits();
        self.failed |= sent & F::SPARE != 0;
        self.word = Word { sent, implied: 0, canonical: |bits, context| F::canonical(bits, context).bits() };
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T) {
        self.word.implied |= value.implied(field.bit, self.manner.context);
        value.show(field, self);
    }
}

impl<'a> Show<'a> for Pen<'_, '_> {
    #[inline(always)]
    fn line(&mut self, name: &'static str, meaning: Meaning) {
        if matches!(meaning, Meaning::StatValue) {
            [self.previous, ..] = *self.numbers;
        }
        self.meaning = meaning;
        self.count = 0;
        if self.bare {
            return;
        }
        if !self.open {
            self.open = true;
            self.text(" {\n");
        }
        self.indent(self.depth);
        self.text(name);
    }
    #[inline(always)]
    fn end(&mut self) {
        let [first, ..] = *self.numbers;
        if matches!(self.meaning, Meaning::Number)
            || !self.manner.comments
            || matches!(self.meaning, Meaning::Entity) && !self.manner.level.is_player(first)
        {
            return self.text(";\n");
        }
        if matches!(self.meaning, Meaning::Model)
            && self.manner.context.extended
            && has_high_byte(self.schema, self.word.sent)
        {
            return self.text(";\n");
        }
        let (meaning, previous, manner) = (self.meaning, self.previous, self.manner);
        self.scratch.clear();
        explain(meaning, self.numbers.get(..self.count).unwrap_or_default(), previous, manner, self.scratch);
        self.rest = copy(self.scratch, std::mem::take(&mut self.rest));
        self.failed |= self.rest.is_empty();
    }
    #[inline(always)]
    fn int(&mut self, value: i64) {
        self.remember(value);
        number::int(self, value);
    }
    #[inline(always)]
    fn fixed(&mut self, raw: i64, unit: Unit) {
        self.remember(raw);
        number::fixed(self, raw, unit);
    }
    fn mixed(&mut self, _: i32) {
        self.failed = true;
    }
    #[inline(always)]
    fn float(&mut self, bits: u32) {
        self.count += 1;
        self.rest = float(bits, self.scratch, std::mem::take(&mut self.rest));
        self.failed |= self.rest.is_empty();
    }
    #[inline(always)]
    fn seconds(&mut self, bits: u32) {
        self.float(bits);
        self.text("s");
    }
    fn string(&mut self, _: Str<'a>) {
        self.failed = true;
    }
    fn data(&mut self, _: &'a [u8]) {
        self.failed = true;
    }
    fn open(&mut self, _: &'static str) {
        self.failed = true;
    }
    fn close(&mut self) {}
    #[inline(always)]
    fn record<R: Record<'a>>(&mut self, name: &'static str, record: &R) {
        if !self.open {
            self.open = true;
            self.text(" {\n");
        }
        self.indent(self.depth);
        self.text(name);
        self.text(" {\n");
        let depth = self.depth;
        let mut own = self.own(depth + 1);
        own.bare = false;
        record.walk(&mut own);
        own.check_word();
        own.indent(depth);
        own.text("}\n");
        (self.failed, self.previous, self.rest) = (own.failed, own.previous, own.rest);
    }
    fn word(&mut self, _: &'static str, _: u32) {
        self.failed = true;
    }
}
