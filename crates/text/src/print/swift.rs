//! The usual messages into text, fast: a second [`Sink`] beside the careful [`Printer`](super::Printer).
//!
//! It lives in registers, and puts whole words on a sheet without asking whether there is room. At anything odd (long
//! lists, strings that are not plain, flag words that the fields do not imply) it gives up, and the careful printer
//! prints the message from its beginning.

use super::{has_high_byte, hex, quoted};
use crate::SPARE_BITS;
use crate::level::{Ending, Level};
use crate::number::{self, Out};
use moviola_format::names::{Meaning, quake2};
use moviola_format::{Context, Field, Flags, Message, Record, Scalar, Schema, Show, Sink, Str, Unit};

/// How much text a sheet holds: a power of two. The entities of a crowded frame are 20 KB of text and more.
const SHEET: usize = 1 << 17;

/// A sheet that holds so much is turned: what was put is still in the nearest cache.
const FULL: usize = 1 << 14;

/// The longest text that is put at once.
const LONGEST: usize = Ending::ROOM;

/// No line is longer, but for strings and bytes, which look for themselves whether there is room.
const LINE: usize = 1 << 10;

/// Behind here no line begins.
const LAST_LINE: usize = SHEET - LINE;

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

    /// Moves what was gathered behind `out`.
    #[inline]
    pub(crate) fn turn(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.sheet.get(..self.len).unwrap_or_default());
        self.len = 0;
    }

    /// Whether it is time to turn it.
    pub(crate) fn is_full(&self) -> bool {
        self.len > FULL
    }

    /// Prints a message that needs no note; false is "it is not as usual".
    #[inline(always)]
    pub(crate) fn message<'a, M: Message<'a>>(&mut self, message: &M, manner: &Manner<'_>) -> bool {
        let mut start = Start { page: self, manner, bare: message.bare(), done: false };
        message.walk(&mut start);
        start.done
    }
}

/// Puts a pen to the page for the row that comes.
struct Start<'p, 'm> {
    page: &'p mut Page,
    manner: &'p Manner<'m>,
    /// Whether the message is said without braces.
    bare: bool,
    /// Whether it was said.
    done: bool,
}

impl<'a> Sink<'a> for Start<'_, '_> {
    #[inline(always)]
    fn row<R: Record<'a>>(&mut self, record: &R) {
        let Page { sheet, len, numbers, scratch, recent } = &mut *self.page;
        let Some(sheet) = sheet.first_chunk_mut() else { return };
        let step = self.manner.step;
        // Nothing else knows where the pen is, so it lives in registers.
        let mut pen = Pen {
            sheet,
            at: *len,
            numbers,
            scratch,
            recent,
            manner: self.manner,
            indent: 2 * step,
            // Only a message of one value can stand without braces.
            bare: self.bare && R::SCHEMA.fields.len() == 1 && R::SCHEMA.flags.is_empty(),
            open: false,
            failed: false,
            schema: const { &R::SCHEMA },
            word: Word::NONE,
            meaning: Meaning::Number,
            count: 0,
            line: *len,
            previous: 0,
        };
        pen.put([b' '], step);
        pen.text(R::SCHEMA.name);
        record.walk(&mut pen);
        pen.check_word();
        if pen.open {
            pen.unbrace(step);
            pen.text("}\n");
        } else if !pen.bare {
            pen.text(";\n");
        }
        self.done = !pen.failed && pen.at <= LAST_LINE;
        if self.done {
            *len = pen.at;
        }
    }
    fn flags<F: Flags<'a>>(&mut self, _: &F) {}
    fn field<T: Scalar<'a>>(&mut self, _: &'static Field, _: &T) {}
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
    /// How far the sheet is filled. Beyond [`LAST_LINE`] the message is given up.
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
    count: usize,
    /// Where the line began.
    line: usize,
    /// The number on which the meaning of a later one hangs.
    previous: i64,
}

impl Out for Pen<'_, '_> {
    /// The place is taken modulo the sheet's size, which the compiler knows to be within: so there is no branch. It is
    /// never really beyond, because no line begins behind [`LAST_LINE`].
    #[inline(always)]
    fn put<const N: usize>(&mut self, word: [u8; N], len: usize) {
        if let Some(place) = self.sheet.get_mut(self.at % SHEET..).and_then(|rest| rest.first_chunk_mut()) {
            *place = word;
        }
        self.at += len;
    }
    #[inline(always)]
    fn rarely(&mut self, print: impl FnOnce(&mut Vec<u8>)) {
        self.scratch.clear();
        print(self.scratch);
        self.at = copy(self.scratch, self.sheet, self.at);
    }
}

/// Copies to a place on the sheet, and says what place is behind it: where there is no room, one at which the message
/// is given up.
#[inline(never)]
fn copy(from: &[u8], sheet: &mut Sheet, at: usize) -> usize {
    let end = at + from.len();
    let Some(place) = sheet.get_mut(at..end).filter(|_| end <= LAST_LINE) else { return LAST_LINE + 1 };
    place.copy_from_slice(from);
    end
}

/// Prints a float, and says what place is behind it. Out of line, because it is rare and large.
#[inline(never)]
fn float(bits: u32, scratch: &mut Vec<u8>, sheet: &mut Sheet, at: usize) -> usize {
    scratch.clear();
    scratch.push(b' ');
    number::float(scratch, bits);
    copy(scratch, sheet, at)
}

/// Prints the numbers of bits, and says what place is behind them. Out of line, because few recordings have such.
#[inline(never)]
fn bits(word: u32, scratch: &mut Vec<u8>, sheet: &mut Sheet, at: usize) -> usize {
    scratch.clear();
    (0..32).filter(|bit| word & 1 << bit != 0).for_each(|bit| number::int(scratch, bit));
    copy(scratch, sheet, at)
}

impl Pen<'_, '_> {
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
            self.at = self.at.min(LAST_LINE);
        }
    }

    /// Whether there is nothing to say behind the line at hand.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let [first, ..] = *self.numbers;
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

/// Ends a line with what its numbers stand for, and says what place is behind it.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "a pen handed over as one would be kept in memory")]
fn explain(
    meaning: Meaning,
    numbers: &[i64],
    previous: i64,
    manner: &Manner<'_>,
    recent: &mut Recent,
    scratch: &mut Vec<u8>,
    sheet: &mut Sheet,
    at: usize,
) -> usize {
    let key = Recent::key(meaning, numbers);
    let known = match (key, numbers) {
        (Some(key), _) => recent.find(key),
        (None, [number]) => manner.level.ending(meaning, *number),
        _ => None,
    };
    if let Some(ending) = known {
        let place = sheet.get_mut(at % SHEET..).and_then(|rest| rest.first_chunk_mut());
        return place.map_or(at, |place| at + ending.put(place));
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
    copy(scratch, sheet, at)
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
            self.at = bits(spare, self.scratch, self.sheet, self.at);
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
        self.failed |= self.at > LAST_LINE;
        self.at = self.at.min(LAST_LINE);
        self.line = self.at - self.indent;
        self.text(name);
    }
    #[inline(always)]
    fn end(&mut self) {
        if self.is_plain() {
            return if self.bare { self.text(";\n") } else { self.next_line(b";\n") };
        }
        let (meaning, previous, manner) = (self.meaning, self.previous, self.manner);
        let numbers = self.numbers.get(..self.count).unwrap_or_default();
        self.at = explain(meaning, numbers, previous, manner, self.recent, self.scratch, self.sheet, self.at);
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
        self.at = float(bits, self.scratch, self.sheet, self.at);
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
        self.failed |= self.at > LAST_LINE;
        self.at = self.at.min(LAST_LINE);
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
                let mut fast = Vec::new();
                if page.message(&entry.message, &Manner { comments, step, context, level }) {
                    page.turn(&mut fast);
                    printer.out.clear();
                    printer.message(&entry.message, None);
                    assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&printer.out));
                    swift += 1;
                }
                assert_eq!(page.len, 0, "what was given up leaves nothing behind");
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
