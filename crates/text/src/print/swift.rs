//! The usual messages into text, fast: a [`Source`] that prints each field as soon as it is read from the wire, so
//! that no message is ever put together.
//!
//! It lives in registers, and puts whole words on a sheet without asking whether there is room. At anything odd (long
//! lists, strings that are not plain, flag words that the fields do not imply) it gives up, and the careful printer
//! prints the message from its beginning.

use super::{has_high_byte, hex, quoted};
use crate::SPARE_BITS;
use crate::level::{Ending, Level, Spoken};
use crate::number::{self, Out};
use moviola_format::names::{Meaning, quake2};
use moviola_format::{Context, Field, Flags, Message, Messages, Reader, Record, Scalar, Schema, Show, Sink};
use moviola_format::{Source, Stop, Str, Unit};

/// How much text a sheet holds: a power of two. The entities of a crowded frame are 20 KB of text and more.
const SHEET: usize = 1 << 17;

/// A sheet that holds so much is turned: what was put is still in the nearest cache.
const FULL: usize = 1 << 15;

/// The longest text that is put at once.
const LONGEST: usize = Ending::ROOM;

/// So much may be put between two looks at whether there is room: more than the lines of any record are without its
/// strings, bytes, and records in it, which look for themselves.
const RECORD: usize = 1 << 14;

/// Behind here no record begins, and no string ends.
const LAST: usize = SHEET - RECORD;

type Sheet = [u8; SHEET + LONGEST];

/// Where usual messages are gathered.
#[derive(Debug)]
pub(crate) struct Page {
    sheet: Vec<u8>,
    len: usize,
    numbers: [i64; NUMBERS],
    scratch: Vec<u8>,
    recent: Recent,
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
        Self {
            sheet: vec![0; size_of::<Sheet>()],
            len: 0,
            numbers: [0; NUMBERS],
            scratch: Vec::new(),
            recent: Recent::default(),
        }
    }

    /// What was gathered.
    pub(crate) fn text(&self) -> &[u8] {
        self.sheet.get(..self.len).unwrap_or_default()
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether it is time to turn it.
    pub(crate) fn is_full(&self) -> bool {
        self.len > FULL
    }

    /// Adds what was printed elsewhere; false is "there is no room".
    #[must_use]
    pub(crate) fn add(&mut self, text: &[u8]) -> bool {
        let at = copy(text, self.sheet.first_chunk_mut(), self.len);
        at.inspect(|at| self.len = *at).is_some()
    }

    /// Prints the messages that come next, as long as they need no note and are as usual, the page has room, and the
    /// context stays the same.
    pub(crate) fn tell<D: Spoken>(&mut self, messages: &mut Messages<'_, D>, manner: &Manner<'_>) {
        let turns = messages.turns();
        while self.len <= FULL && messages.turns() == turns {
            let Some((op, rest)) = messages.rest().split_first() else { return };
            let told = D::is_quiet(*op)
                && self.row::<D>(
                    *op,
                    rest,
                    manner,
                    #[inline(always)]
                    |message, rest| messages.step_over(message, rest),
                );
            if !told {
                return;
            }
        }
    }

    /// Prints one message, of which these are its id and all other bytes; false is "it is not as usual".
    #[inline(never)]
    pub(crate) fn tell_one<D: Spoken>(&mut self, op: u8, bytes: &[u8], manner: &Manner<'_>) -> bool {
        let (before, mut left) = (self.len, 0);
        let told = self.row::<D>(op, bytes, manner, |_, rest| left = rest.len()) && left == 0;
        if !told {
            self.len = before;
        }
        told
    }

    /// Prints the message with this id at the start of `bytes`, and hands it on with the bytes behind it.
    #[inline(always)]
    fn row<'a, D: Spoken>(
        &mut self,
        op: u8,
        bytes: &'a [u8],
        manner: &Manner<'_>,
        told: impl FnOnce(&D::Message<'a>, &'a [u8]),
    ) -> bool {
        let mut start = Start { page: self, manner, op, rest: bytes };
        D::Message::build_into(
            op,
            &mut start,
            #[inline(always)]
            |start, built| match built {
                Ok(message) => {
                    told(&message, start.rest);
                    true
                }
                Err(Stop) => false,
            },
        )
    }
}

/// Gives the row that comes a voice of its own.
struct Start<'a, 'p, 'm> {
    page: &'p mut Page,
    manner: &'p Manner<'m>,
    op: u8,
    /// The bytes of the message and what follows; then what follows.
    rest: &'a [u8],
}

impl<'a> Source<'a> for Start<'a, '_, '_> {
    type Error = Stop;

    #[inline(always)]
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R, Stop>) -> T) -> T {
        let Page { sheet, len, numbers, scratch, recent } = &mut *self.page;
        let Some(sheet) = sheet.first_chunk_mut() else { return done(self, Err(Stop)) };
        let step = self.manner.step;
        // Only a message of one value can stand without braces; whether it does, that value says.
        let single = R::SCHEMA.fields.len() == 1 && R::SCHEMA.flags.is_empty();
        let mut reader = Reader::new(self.rest, self.manner.context);
        reader.set_op(self.op);
        // Nothing else knows where the pen is, so it lives in registers.
        let pen = Pen {
            sheet,
            at: *len,
            numbers,
            scratch,
            recent,
            manner: self.manner,
            indent: 2 * step,
            bare: false,
            open: false,
            failed: false,
            schema: const { &R::SCHEMA },
            word: Word::NONE,
            meaning: Meaning::Number,
            first: 0,
            count: 0,
            line: *len,
            previous: 0,
        };
        let mut voice = Voice { reader, pen, single };
        voice.pen.put([b' '], step);
        voice.pen.text(R::SCHEMA.name);
        let built = R::build(&mut voice);
        let Voice { reader, mut pen, .. } = voice;
        pen.check_word();
        if pen.open {
            pen.unbrace(step);
            pen.text("}\n");
        } else if !pen.bare {
            pen.text(";\n");
        }
        if built.is_err() || pen.failed {
            return done(self, Err(Stop));
        }
        *len = pen.at;
        self.rest = reader.rest();
        done(self, built)
    }
    #[inline(always)]
    fn speaks(&self, families: u16) -> bool {
        self.manner.context.speaks(families)
    }
    // What follows is asked of the row's own voice.
    #[inline(always)]
    fn unknown(&mut self, _: u8) -> Stop {
        Stop
    }
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, Stop> {
        Err(Stop)
    }
    fn field<T: Scalar<'a>>(&mut self, _: &'static Field) -> Result<T, Stop> {
        Err(Stop)
    }
    fn optional<T: Scalar<'a>>(&mut self, _: &'static Field, _: bool) -> Result<T, Stop> {
        Err(Stop)
    }
    fn settle<F: Flags<'a>>(&mut self, _: F) -> Result<F, Stop> {
        Err(Stop)
    }
}

/// Reads a record and says it.
struct Voice<'a, 'c, 'p, 's> {
    reader: Reader<'a, 'c>,
    pen: Pen<'p, 's>,
    /// Whether it is a message of one value.
    single: bool,
}

impl<'a> Source<'a> for Voice<'a, '_, '_, '_> {
    type Error = Stop;

    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, Stop> {
        let flags: F = Source::flags(&mut self.reader)?;
        self.pen.flags(&flags);
        Ok(flags)
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T, Stop> {
        let value = T::read(&mut self.reader)?;
        self.pen.bare = self.single && value.bare();
        self.pen.field(field, &value);
        Ok(value)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T, Stop> {
        if present { self.field(field) } else { Ok(T::default()) }
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, Stop> {
        Ok(flags)
    }
    #[inline(always)]
    fn speaks(&self, families: u16) -> bool {
        self.reader.context().speaks(families)
    }
    #[inline(always)]
    fn unknown(&mut self, _: u8) -> Stop {
        Stop
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

/// Prints a message onto a sheet.
struct Pen<'p, 's> {
    sheet: &'p mut Sheet,
    /// How far the sheet is filled.
    at: usize,
    /// The numbers of the line, for its comment.
    numbers: &'s mut [i64; NUMBERS],
    scratch: &'s mut Vec<u8>,
    recent: &'s mut Recent,
    manner: &'s Manner<'s>,
    /// How many blanks stand before the lines of the record at hand.
    indent: usize,
    /// Whether the message is said without braces.
    bare: bool,
    /// Whether its brace was opened.
    open: bool,
    /// Whether it is not as usual.
    failed: bool,
    schema: &'static Schema,
    word: Word,
    meaning: Meaning,
    /// The first number of the line.
    first: i64,
    count: usize,
    /// Where the line began.
    line: usize,
    /// The number on which the meaning of a later one hangs.
    previous: i64,
}

impl Out for Pen<'_, '_> {
    /// The place is taken modulo the sheet's size, which the compiler knows to be within: so there is no branch. It is
    /// never really beyond, because no record begins behind [`LAST`].
    #[inline(always)]
    fn put<const N: usize>(&mut self, word: [u8; N], len: usize) {
        debug_assert!(self.at < SHEET, "a record is longer than there is room");
        if let Some(place) = self.sheet.get_mut(self.at % SHEET..).and_then(|rest| rest.first_chunk_mut()) {
            *place = word;
        }
        self.at += len;
    }
    #[inline(always)]
    fn rarely(&mut self, print: impl FnOnce(&mut Vec<u8>)) {
        self.scratch.clear();
        print(self.scratch);
        self.copied();
    }
}

/// Copies to a place on the sheet, and says what place is behind it, if there is room.
#[inline(never)]
fn copy(from: &[u8], sheet: Option<&mut Sheet>, at: usize) -> Option<usize> {
    let end = at.checked_add(from.len()).filter(|end| *end <= LAST)?;
    sheet?.get_mut(at..end)?.copy_from_slice(from);
    Some(end)
}

/// Prints a float. Out of line, because it is rare and large.
#[inline(never)]
fn float(bits: u32, scratch: &mut Vec<u8>) {
    scratch.clear();
    scratch.push(b' ');
    number::float(scratch, bits);
}

/// Prints the numbers of bits. Out of line, because few recordings have such.
#[inline(never)]
fn bits(word: u32, scratch: &mut Vec<u8>) {
    scratch.clear();
    (0..32).filter(|bit| word & 1 << bit != 0).for_each(|bit| number::int(scratch, bit));
}

impl Pen<'_, '_> {
    /// Takes over what was printed apart.
    #[inline(always)]
    fn copied(&mut self) {
        match copy(self.scratch, Some(self.sheet), self.at) {
            Some(at) => self.at = at,
            None => self.failed = true,
        }
    }

    /// Looks whether there is room for a record.
    #[inline(always)]
    fn check_room(&mut self) {
        self.failed |= self.at > LAST;
        self.at = self.at.min(LAST);
    }

    /// A keyword or what else is known where it is called: then it is a few moves of constants.
    #[inline(always)]
    fn text(&mut self, text: &str) {
        let rest = self.sheet.get_mut(self.at % SHEET..).unwrap_or_default();
        if let Some(place) = rest.get_mut(..text.len()) {
            place.copy_from_slice(text.as_bytes());
        }
        self.at += text.len();
    }

    /// Ends a line, and puts the blanks of the next one.
    #[inline(always)]
    fn next_line<const N: usize>(&mut self, end: &[u8; N]) {
        let mut word = [b' '; 8];
        if let Some(start) = word.first_chunk_mut() {
            *start = *end;
        }
        self.put(word, N + self.indent);
    }

    /// Opens the braces of the message, if they are not open yet.
    #[inline(always)]
    fn brace(&mut self) {
        if !self.open {
            self.open = true;
            self.next_line(b" {\n");
        }
    }

    /// Closes braces around lines; the blanks of a further line are there already.
    #[inline(always)]
    fn unbrace(&mut self, outer: usize) {
        self.at -= self.indent - outer;
        self.indent = outer;
    }

    /// The flag word must be what the fields imply.
    #[inline(always)]
    fn check_word(&mut self) {
        let Word { sent, implied, canonical } = self.word;
        self.failed |= sent != implied && sent != canonical(implied, self.manner.context);
    }

    #[inline(always)]
    fn remember(&mut self, value: i64) {
        if self.count == 0 {
            self.first = value;
        }
        if !matches!(self.meaning, Meaning::Number)
            && let Some(place) = self.numbers.get_mut(self.count)
        {
            *place = value;
        }
        if matches!(self.meaning, Meaning::Config(quake2::CS_MODELS)) && value == quake2::PLAYERS_MODEL {
            self.previous = value;
        }
        self.count += 1;
        if self.count > NUMBERS {
            // Longer lists are for the printer that wraps lines.
            self.failed = true;
            self.at = self.line;
        }
    }

    /// Whether there is nothing to say behind the line at hand.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let first = self.first;
        let high_byte = || {
            matches!(self.meaning, Meaning::Model)
                && self.manner.context.extended
                && has_high_byte(self.schema, self.word.sent)
        };
        matches!(self.meaning, Meaning::Number)
            || !self.manner.comments
            || matches!(self.meaning, Meaning::Entity) && !self.manner.level.is_player(first)
            || matches!(self.meaning, Meaning::Skin) && self.previous != quake2::PLAYERS_MODEL
            || high_byte()
    }
}

/// The ends of lines that were said lately, of numbers that have the same names in all recordings.
#[derive(Debug)]
struct Recent(Vec<[Place; 2]>);

type Place = Option<(Key, Box<Ending>)>;

/// The table of names, and the numbers.
type Key = (usize, u64);

impl Default for Recent {
    fn default() -> Self {
        Self(vec![[None, None]; Self::PLACES])
    }
}

impl Recent {
    const PLACES: usize = 128;

    /// What a line is remembered by, if it can be: by up to eight numbers of a byte, with their count.
    #[inline]
    fn key(meaning: Meaning, numbers: &[i64]) -> Option<Key> {
        // Where two tables of different kinds are the same bytes, they may be one in memory.
        let table = match meaning {
            Meaning::Value(table) => table.as_ptr().addr(),
            Meaning::Bits(table) => table.as_ptr().addr() + 1,
            Meaning::Range(table) => table.as_ptr().addr() + 2,
            Meaning::Solid => 0,
            _ => return None,
        };
        if let [number] = numbers {
            return Some((table, *number as u64));
        }
        let mut all = numbers.len() as u64;
        for number in numbers {
            all = all << 8 | u64::from(u8::try_from(*number).ok()?);
        }
        (numbers.len() < 8).then_some((table, all | 1 << 63))
    }

    /// The two places where a line may be remembered.
    #[inline]
    fn places(&mut self, (table, numbers): Key) -> Option<&mut [Place; 2]> {
        let mixed = (numbers ^ table as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0.get_mut((mixed >> 57) as usize)
    }

    /// Whether the end of a line was said lately.
    #[inline]
    fn knows(&mut self, key: Key) -> bool {
        self.find(key).is_some()
    }

    /// The end of a line that was said lately.
    #[inline]
    fn find(&mut self, key: Key) -> Option<&Ending> {
        let found = self.places(key)?.iter().flatten().find(|(known, _)| *known == key);
        found.map(|(_, ending)| &**ending)
    }

    /// Remembers one, in place of the older of two.
    fn keep(&mut self, key: Key, ending: Box<Ending>) {
        if let Some([newer, older]) = self.places(key) {
            *older = newer.replace((key, ending));
        }
    }
}

/// The end of a line that says what its numbers stand for, in `scratch` if it is not known already.
#[inline(never)]
fn explain<'e>(
    meaning: Meaning,
    numbers: &[i64],
    previous: i64,
    manner: &Manner<'_>,
    recent: &'e mut Recent,
    scratch: &mut Vec<u8>,
) -> Option<&'e Ending> {
    let key = Recent::key(meaning, numbers);
    if let Some(key) = key
        && recent.knows(key)
    {
        return recent.find(key);
    }
    scratch.clear();
    let mut between: &[u8] = b"; // ";
    for number in numbers {
        if let Some(name) = manner.level.name(meaning, *number, previous, manner.context.game) {
            scratch.extend_from_slice(between);
            name.put(scratch);
            between = b", ";
        }
    }
    scratch.extend_from_slice(if scratch.is_empty() { b";\n" } else { b"\n" });
    if let Some(key) = key
        && let Some(ending) = Ending::new(scratch)
    {
        recent.keep(key, ending);
    }
    None
}

impl<'a> Sink<'a> for Pen<'_, '_> {
    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        if !F::DERIVED {
            const NAMELESS: Field =
                Field { name: "", kind: "", bit: 0, meaning: Meaning::Number, note: "", parts: &[] };
            return flags.show(&NAMELESS, self);
        }
        let sent = flags.bits();
        let spare = sent & F::SPARE;
        self.word =
            Word { sent, implied: spare, canonical: |bits, context| F::canonical(bits, context).bits() };
        if F::SPARE != 0 && spare != 0 {
            self.line(SPARE_BITS, Meaning::Number);
            bits(spare, self.scratch);
            self.copied();
            self.end();
        }
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T) {
        self.word.implied |= value.implied(field.bit, self.manner.context);
        // A kind that is not compiled in line gets a pen of its own: one that others know is kept in memory.
        let mut own = Pen {
            sheet: self.sheet,
            numbers: self.numbers,
            scratch: self.scratch,
            recent: self.recent,
            ..*self
        };
        value.show(field, &mut own);
        let Pen { at, open, failed, previous, .. } = own;
        (self.at, self.open, self.failed, self.previous) = (at, open, failed, previous);
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
        self.brace();
        self.line = self.at - self.indent;
        self.text(name);
    }
    #[inline(always)]
    fn end(&mut self) {
        if self.is_plain() {
            return if self.bare { self.text(";\n") } else { self.next_line(b";\n") };
        }
        let (meaning, previous, manner) = (self.meaning, self.previous, self.manner);
        let known = match self.count {
            1 => manner.level.ending(meaning, self.first),
            _ => None,
        };
        let numbers = self.numbers.get(..self.count).unwrap_or_default();
        let known = match known {
            None => explain(meaning, numbers, previous, manner, self.recent, self.scratch),
            known => known,
        };
        match known {
            Some(ending) => {
                if let Some(place) = self.sheet.get_mut(self.at % SHEET..).and_then(|it| it.first_chunk_mut())
                {
                    self.at += ending.put(place);
                }
            }
            None => self.copied(),
        }
        if !self.bare {
            self.put([b' '; 8], self.indent);
        }
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
        float(bits, self.scratch);
        self.copied();
    }
    #[inline(always)]
    fn seconds(&mut self, bits: u32) {
        self.float(bits);
        self.text("s");
    }
    #[inline(always)]
    fn string(&mut self, string: Str<'a>) {
        // Lists of strings are wrapped, and what is not ASCII is said twice.
        self.failed |= self.count > 0 || !string.is_terminated() || !string.bytes().is_ascii();
        self.count += 1;
        if !self.failed {
            self.rarely(|out| quoted(out, string.bytes()));
        }
    }
    #[inline(always)]
    fn data(&mut self, bytes: &'a [u8]) {
        let indent = if self.bare { self.manner.step } else { self.indent };
        let column = self.at - self.line;
        self.rarely(|out| hex(out, bytes, column, indent));
    }
    #[inline(always)]
    fn open(&mut self, name: &'static str) {
        self.brace();
        self.check_room();
        self.text(name);
        self.indent += self.manner.step;
        self.next_line(b" {\n");
    }
    #[inline(always)]
    fn close(&mut self) {
        self.unbrace(self.indent - self.manner.step);
        self.next_line(b"}\n");
    }
    #[inline(always)]
    fn record<R: Record<'a>>(&mut self, name: &'static str, record: &R) {
        self.open(name);
        // A pen of its own, as for a row.
        let mut own = Pen {
            sheet: self.sheet,
            numbers: self.numbers,
            scratch: self.scratch,
            recent: self.recent,
            schema: const { &R::SCHEMA },
            bare: false,
            open: true,
            word: Word::NONE,
            previous: 0,
            ..*self
        };
        record.walk(&mut own);
        own.check_word();
        (self.failed, self.at) = (own.failed, own.at);
        self.close();
    }
    #[inline(always)]
    fn records<R: Record<'a>>(&mut self, name: &'static str, mut list: Reader<'a, '_>) {
        while !list.is_empty() {
            self.open(name);
            let pen = Pen {
                sheet: self.sheet,
                numbers: self.numbers,
                scratch: self.scratch,
                recent: self.recent,
                schema: const { &R::SCHEMA },
                bare: false,
                open: true,
                word: Word::NONE,
                previous: 0,
                ..*self
            };
            let mut voice = Voice { reader: list.clone(), pen, single: false };
            let built = R::build(&mut voice);
            let Voice { reader, mut pen, .. } = voice;
            pen.check_word();
            (self.failed, self.at) = (pen.failed | built.is_err(), pen.at);
            self.close();
            if built.is_err() {
                return;
            }
            list = reader;
        }
    }
    fn word(&mut self, _: &'static str, _: u32) {
        self.failed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Spoken;
    use crate::print::Printer;
    use moviola_format::{Demo, Game, Piece, Quake, Quake2};

    /// How many of a recording's messages the pen prints, all of them as the careful printer does, and of how many.
    fn compare<D: Spoken>(bytes: &[u8], step: usize) -> (usize, usize) {
        let mut demo = Demo::new(bytes).unwrap();
        let mut printer = Printer::new(Context::of(D::GAME));
        (printer.step, printer.comments) = (step, step > 0);
        let (mut page, mut swift, mut all) = (Page::new(), 0, 0);
        let mut context = printer.context;
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            let mut messages = block.messages::<D>(context);
            while let Some(entry) = messages.next() {
                printer.context = *messages.context();
                D::learn(&entry.message, &mut printer.level);
                let Printer { comments, step, ref context, ref level, .. } = printer;
                let manner = Manner { comments, step, context, level };
                let bytes = block.data.get(entry.at..messages.pos()).unwrap();
                if page.tell_one::<D>(bytes[0], &bytes[1..], &manner) {
                    printer.out.clear();
                    printer.message(&entry.message, None);
                    assert_eq!(String::from_utf8_lossy(page.text()), String::from_utf8_lossy(&printer.out));
                    swift += 1;
                }
                page.clear();
                all += 1;
            }
            context = *messages.context();
        }
        (swift, all)
    }

    #[test]
    fn both_printers_say_the_same() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
        let folders = [samples.to_owned(), format!("{samples}/scribe")];
        let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let (mut swift, mut all) = (0, 0);
        for path in files.map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
            let bytes = std::fs::read(path).unwrap();
            for step in [0, 1] {
                let (fast, of) = match Demo::new(&bytes[..]).unwrap().game() {
                    Some(Game::Quake) => compare::<Quake>(&bytes, step),
                    Some(Game::Quake2) => compare::<Quake2>(&bytes, step),
                    None => continue,
                };
                (swift, all) = (swift + fast, all + of);
            }
        }
        assert!(swift * 10 > all * 9, "{swift} of {all} are as usual");
    }
}
