//! Writes fields to a sheet, a line each, in the form of the careful printer.
//!
//! A field printer stays in registers, so only inlined functions may use it.

use super::recent::{StanzaKey, explain};
use super::{FULL, LAST, Memory, Page, PrintOptions, SHEET, Sheet, read_listed, read_record};
use crate::SPARE_BITS;
use crate::number::{self, Out};
use crate::print::{FlagWord, has_high_byte, hex, quoted};
use moviola_format::names::{Meaning, quake2};
use moviola_format::{
    Context, Field, Flags, Reader, Record, Scalar, Schema, Sink, Stop, Str, Unit, ValueSink,
};

/// The number of values of a line that are kept.
pub(super) const NUMBERS: usize = 16;

/// The state of a record on a sheet.
#[derive(Clone, Copy)]
pub(super) struct RecordState {
    /// The length of the text on the sheet.
    at: usize,
    /// Whether the brace of the message was opened.
    open: bool,
    /// Whether the message is printed without braces.
    bare: bool,
}

/// Prints a message onto a sheet.
pub(super) struct FieldPrinter<'p> {
    sheet: &'p mut Sheet,
    /// The length of the text on the sheet.
    pub(super) at: usize,
    memory: &'p mut Memory,
    manner: &'p PrintOptions<'p>,
    context: &'p Context,
    /// The number of blanks before the lines of the current record.
    indent: usize,
    /// Whether the message is printed without braces.
    pub(super) bare: bool,
    /// Whether its brace was opened.
    open: bool,
    /// Whether the message does not have the usual form, so that the careful printer must print it.
    failed: bool,
    schema: &'static Schema,
    word: FlagWord,
    meaning: Meaning,
    /// The first number of the line.
    first: i64,
    count: usize,
    /// The start of the line.
    line: usize,
    /// The number on which the meaning of a later number depends.
    previous: i64,
}

impl<'p> FieldPrinter<'p> {
    /// A printer for the next row; `None` if the sheet must be emptied first.
    #[inline(always)]
    pub(super) fn new(
        page: &'p mut Page,
        manner: &'p PrintOptions<'p>,
        context: &'p Context,
        schema: &'static Schema,
    ) -> Option<Self> {
        let Page { sheet, len, memory } = page;
        Some(Self {
            sheet: sheet.first_chunk_mut().filter(|_| *len <= FULL)?,
            at: *len,
            memory,
            manner,
            context,
            indent: 2 * manner.step,
            bare: false,
            open: false,
            failed: false,
            schema,
            word: FlagWord::NONE,
            meaning: Meaning::Number,
            first: 0,
            count: 0,
            line: *len,
            previous: 0,
        })
    }

    /// Another printer for the same sheet, since one that is passed to a function is kept in memory.
    #[inline(always)]
    pub(super) fn separate_printer(&mut self) -> FieldPrinter<'_> {
        FieldPrinter { sheet: self.sheet, memory: self.memory, ..*self }
    }

    /// A printer for a record inside the message.
    #[inline(always)]
    fn inner<'a, R: Record<'a>>(&mut self) -> FieldPrinter<'_> {
        FieldPrinter {
            schema: const { &R::SCHEMA },
            bare: false,
            open: true,
            word: FlagWord::NONE,
            previous: 0,
            ..self.separate_printer()
        }
    }

    /// Reads a message of one row and prints it; returns the place of its end on the sheet.
    #[inline(always)]
    pub(super) fn message<'a, R: Record<'a>>(
        mut self,
        reader: &mut Reader<'a, '_>,
    ) -> Result<(R, usize), Stop> {
        // Only a message of one value can stand without braces; the value decides whether it does.
        let single = R::SCHEMA.fields.len() == 1 && R::SCHEMA.flags.is_empty();
        self.check_room();
        self.put([b' '], self.manner.step);
        self.text(R::SCHEMA.name);
        let (record, state) = read_record(&mut self, reader, single)?;
        self.at = state.at;
        if state.open {
            self.close_braces(self.manner.step);
            self.text("}\n");
        } else if !state.bare {
            self.text(";\n");
        }
        Ok((record, self.at))
    }

    /// Prints lines that depend only on the key: from memory if they were printed recently, otherwise anew.
    #[inline(always)]
    fn stanza(&mut self, key: StanzaKey, say: impl FnOnce(&mut Self)) {
        if let Some(text) = self.memory.stanzas.find(key) {
            match copy(text, Some(self.sheet), self.at) {
                Some(at) => self.at = at,
                None => self.failed = true,
            }
            return;
        }
        let start = self.at;
        say(self);
        if !self.failed {
            self.memory.stanzas.keep(key, self.sheet.get(start..self.at).unwrap_or_default());
        }
    }

    /// Copies the separately printed text.
    #[inline(always)]
    fn copied(&mut self) {
        match copy(&self.memory.scratch, Some(self.sheet), self.at) {
            Some(at) => self.at = at,
            None => self.failed = true,
        }
    }

    /// Checks that there is room for a line, after which the compiler knows that there is.
    #[inline(always)]
    fn check_room(&mut self) {
        if self.at > LAST {
            self.failed = no_room(&mut self.memory.scratch);
            // The text gathered before the message ends here at the latest, and stays.
            self.at = FULL;
        }
    }

    /// Writes a keyword or another constant, which becomes a few moves.
    #[inline(always)]
    fn text(&mut self, text: &str) {
        let rest = self.sheet.get_mut(self.at % SHEET..).unwrap_or_default();
        if let Some(place) = rest.get_mut(..text.len()) {
            place.copy_from_slice(text.as_bytes());
        }
        self.at += text.len();
    }

    /// Ends a line, and writes the blanks of the next one.
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

    /// Closes the braces around lines; the blanks of the next line are already written.
    #[inline(always)]
    fn close_braces(&mut self, outer: usize) {
        self.at -= self.indent - outer;
        self.indent = outer;
    }

    /// The state of the record on the sheet, if it has the usual form; its flag word must be the one that its
    /// fields imply.
    #[inline(always)]
    pub(super) fn state(&self) -> Option<RecordState> {
        let Self { at, open, bare, .. } = *self;
        let FlagWord { sent, implied, canonical } = self.word;
        let usual = sent == implied || sent == canonical(implied, self.context);
        (usual && !self.failed).then_some(RecordState { at, open, bare })
    }

    #[inline(always)]
    fn remember(&mut self, value: i64) {
        if self.count == 0 {
            self.first = value;
        } else if !matches!(self.meaning, Meaning::Number)
            && let Some(place) = self.memory.numbers.get_mut(self.count)
        {
            *place = value;
        }
        if matches!(self.meaning, Meaning::Config(quake2::CS_MODELS)) && value == quake2::PLAYERS_MODEL {
            self.previous = value;
        }
        self.count += 1;
        if self.count > NUMBERS {
            // Longer lists are left to the printer that wraps lines.
            self.failed = true;
            self.at = self.line;
        }
    }

    /// Whether the current line needs no comment.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let high_byte = || {
            matches!(self.meaning, Meaning::Model)
                && self.context.extended
                && has_high_byte(self.schema, self.word.sent)
        };
        matches!(self.meaning, Meaning::Number)
            || !self.manner.comments
            || matches!(self.meaning, Meaning::Entity) && !self.manner.level.is_player(self.first)
            || matches!(self.meaning, Meaning::Skin) && self.previous != quake2::PLAYERS_MODEL
            || high_byte()
    }
}

impl Out for FieldPrinter<'_> {
    /// The place is taken modulo the sheet's size, which the compiler knows to be in range, so there is no
    /// branch. It is never really out of range, because no line begins after [`LAST`].
    #[inline(always)]
    fn put<const N: usize>(&mut self, word: [u8; N], len: usize) {
        debug_assert!(self.at < SHEET, "a line is longer than there is room");
        if let Some(place) = self.sheet.get_mut(self.at % SHEET..).and_then(|rest| rest.first_chunk_mut()) {
            *place = word;
        }
        self.at += len;
    }
    #[inline(always)]
    fn put_rare(&mut self, print: impl FnOnce(&mut Vec<u8>)) {
        self.memory.scratch.clear();
        print(&mut self.memory.scratch);
        self.copied();
    }
}

/// Marks that there is no room. The write to memory makes this a branch that is never taken, instead of a
/// conditional move at every line.
#[cold]
#[inline(never)]
fn no_room(scratch: &mut Vec<u8>) -> bool {
    scratch.clear();
    true
}

/// Copies to a place on the sheet, if there is room, and returns the place after the copy.
#[inline(never)]
pub(super) fn copy(from: &[u8], sheet: Option<&mut Sheet>, at: usize) -> Option<usize> {
    let end = at.checked_add(from.len()).filter(|end| *end <= LAST)?;
    sheet?.get_mut(at..end)?.copy_from_slice(from);
    Some(end)
}

/// Prints the numbers of bits. Not inlined, because few recordings have such bits.
#[inline(never)]
fn bits(word: u32, scratch: &mut Vec<u8>) {
    scratch.clear();
    (0..32).filter(|bit| word & 1 << bit != 0).for_each(|bit| number::int(scratch, bit));
}

impl FieldPrinter<'_> {
    /// Prints a field with a printer of its own, for kinds that are not inlined.
    #[inline(always)]
    pub(super) fn with_own_printer<T>(&mut self, print: impl FnOnce(&mut FieldPrinter<'_>) -> T) -> T {
        let mut own = self.separate_printer();
        let done = print(&mut own);
        let FieldPrinter { at, open, failed, first, previous, .. } = own;
        (self.at, self.open, self.failed) = (at, open, failed);
        (self.first, self.previous) = (first, previous);
        done
    }
}

impl<'a> Sink<'a> for FieldPrinter<'_> {
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
            FlagWord { sent, implied: spare, canonical: |bits, context| F::canonical(bits, context).bits() };
        if F::SPARE != 0 && spare != 0 {
            self.line(SPARE_BITS, Meaning::Number);
            bits(spare, &mut self.memory.scratch);
            self.copied();
            self.end();
        }
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T) {
        self.word.implied |= value.implied(field.bit, self.context);
        self.with_own_printer(
            #[inline(always)]
            |own| match value.key().filter(|_| own.open) {
                Some(key) => own.stanza((field.name, key), |printer| value.show(field, printer)),
                None => value.show(field, own),
            },
        );
    }
}

impl<'a> ValueSink<'a> for FieldPrinter<'_> {
    #[inline(always)]
    fn line(&mut self, name: &'static str, meaning: Meaning) {
        if matches!(meaning, Meaning::StatValue) {
            self.previous = self.first;
        }
        self.meaning = meaning;
        self.count = 0;
        if self.bare {
            return;
        }
        self.brace();
        self.check_room();
        self.line = self.at;
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
        if let Some(place) = self.memory.numbers.first_mut() {
            *place = self.first;
        }
        let Memory { numbers, recent, scratch, .. } = &mut *self.memory;
        let numbers = numbers.get(..self.count).unwrap_or_default();
        let known = match known {
            None => explain(meaning, numbers, previous, manner, recent, scratch),
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
        if let Some(text) = self.memory.floats.find(bits) {
            return number::put_long(self, text);
        }
        let Memory { floats, scratch, .. } = &mut *self.memory;
        scratch.clear();
        floats.print_new(scratch, bits);
        self.copied();
    }
    #[inline(always)]
    fn seconds(&mut self, bits: u32) {
        self.float(bits);
        self.text("s");
    }
    #[inline(always)]
    fn string(&mut self, string: Str<'a>) {
        // Lists of strings are wrapped, and a string that is not ASCII has a comment.
        self.failed |= self.count > 0 || !string.is_terminated() || !string.bytes().is_ascii();
        self.count += 1;
        if !self.failed {
            self.put_rare(|out| quoted(out, string.bytes()));
        }
    }
    #[inline(always)]
    fn data(&mut self, bytes: &'a [u8]) {
        if let [byte] = bytes {
            return number::hex(self, *byte);
        }
        let indent = if self.bare { self.manner.step } else { self.indent };
        let column = self.at - self.line + if self.bare { 0 } else { self.indent };
        self.put_rare(|out| hex(out, bytes, column, indent));
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
        self.close_braces(self.indent - self.manner.step);
        self.next_line(b"}\n");
    }
    #[inline(always)]
    fn record<R: Record<'a>>(&mut self, name: &'static str, record: &R) {
        self.open(name);
        let mut own = self.inner::<R>();
        record.walk(&mut own);
        match own.state() {
            Some(state) => self.at = state.at,
            None => self.failed = true,
        }
        self.close();
    }
    #[inline(always)]
    fn records<R: Record<'a>>(
        &mut self,
        name: &'static str,
        list: &mut Reader<'a, '_>,
        ends: impl Fn(&R) -> bool,
    ) -> Option<usize> {
        // No other code has the address of these, so they stay in registers.
        let (mut own, mut rest) = (self.separate_printer(), Reader::new(list.rest(), list.context()));
        rest.set_listed(list.listed());
        let (start, mut end) = (list.pos(), None);
        while !rest.is_empty() && !own.failed {
            let (before, at) = ((own.at, own.open), start + rest.pos());
            own.open(name);
            let mut inner = own.inner::<R>();
            let Ok((record, state)) = read_listed::<R>(&mut inner, &mut rest) else {
                own.failed = true;
                break;
            };
            own.at = state.at;
            own.close();
            if ends(&record) {
                // This record ends the list and is not a part of it.
                ((own.at, own.open), end) = (before, Some(at));
                break;
            }
        }
        let FieldPrinter { at, open, failed, .. } = own;
        (self.at, self.open, self.failed) = (at, open, failed);
        list.seek(start + rest.pos());
        end
    }
    fn word(&mut self, _: &'static str, _: u32) {
        self.failed = true;
    }
}
