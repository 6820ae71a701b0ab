//! Prints messages as text: a [`Sink`] for the fields of a table's rows, a [`ValueSink`] for kinds of value.
//!
//! The layout is LMPC's: one field a line, one blank of indentation a level, long lists wrapped. Parts that
//! LMPC cannot express are recorded in `beyond`, for callers that want LMPC's language.

mod fast;
mod fields;
mod gather;

use crate::SPARE_BITS;
use crate::level::LevelNames;
use crate::not_in_lmpc::NotInLmpc;
use crate::number::{self, Out, RecentFloats};
use moviola_format::names::{Meaning, quake2, readable};
use moviola_format::{
    Context, Field, Flags, Game, Message, Record, Scalar, Schema, Sink, Str, Unit, UpdateBits, ValueSink,
};

pub(crate) use fast::{Page, PrintOptions};
pub use fields::{FieldText, message_fields};
use gather::Gathered;

/// The keyword of a flag word that is not the one that the fields imply.
pub(crate) const MASK: &str = "mask";

/// The field of a flag word that is a kind of message.
pub(crate) const NAMELESS: Field =
    Field { name: "", kind: "", bit: 0, meaning: Meaning::Number, note: "", parts: &[] };

/// The last column of a wrapped line.
const WIDTH: usize = 79;

/// Prints messages.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(crate) struct Printer {
    pub(crate) out: Vec<u8>,
    pub(crate) comments: bool,
    pub(crate) lmpc: bool,
    /// Whether flag words and the ends of strings are printed as if they were the usual ones.
    pub(crate) normal: bool,
    pub(crate) level: LevelNames,
    pub(crate) context: Context,
    /// The reason why LMPC could not read the text printed since this was cleared.
    pub(crate) beyond: Option<NotInLmpc>,
    /// The number of blanks for each level of indentation.
    pub(crate) step: usize,
    /// The indentation of messages: 1 in a block, 0 for a record, which stands outside of blocks.
    pub(crate) base: usize,
    depth: usize,
    form: Form,
    note: Option<&'static str>,
    line_start: usize,
    /// The keyword of the current line.
    line_name: &'static str,
    flags: FlagWord,
    schema: Option<&'static Schema>,
    value: Values,
    /// The number on which the meaning of a later number depends.
    previous: i64,
    /// Whether the current line needs no comment.
    plain: bool,
    /// The readable form of the line's string, if the string is not plain.
    readable: Option<String>,
    floats: RecentFloats,
    /// The lines of a message's fields, if they are to be in LMPC's order.
    gathered: Gathered,
}

/// The form of the current message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// In one line, without braces.
    Bare,
    /// In braces if it has fields; the brace is not printed yet.
    Closed,
    /// In braces, with the first one printed.
    Open,
}

/// The flag word of the current record: as sent, and as its fields imply it.
#[derive(Clone, Copy, Debug)]
struct FlagWord {
    sent: u32,
    implied: u32,
    canonical: fn(u32, &Context) -> u32,
}

impl FlagWord {
    const NONE: Self = Self { sent: 0, implied: 0, canonical: |_, _| 0 };
}

/// The number of values of a line that are kept for its comment: an inventory has the most.
const NUMBERS: usize = 256;

/// A line with more numbers than these is wrapped where it gets too long.
const LONG_LIST: usize = 16;

/// The values that the comment at the end of a line explains.
#[derive(Clone, Copy, Debug)]
struct Values {
    meaning: Meaning,
    numbers: [i64; NUMBERS],
    count: usize,
}

impl Printer {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            out: Vec::with_capacity(1 << 17),
            comments: true,
            lmpc: false,
            normal: false,
            level: LevelNames::default(),
            context,
            beyond: None,
            step: 1,
            base: 1,
            depth: 0,
            form: Form::Open,
            note: None,
            line_start: 0,
            line_name: "",
            flags: FlagWord::NONE,
            schema: None,
            value: Values { meaning: Meaning::Number, numbers: [0; NUMBERS], count: 0 },
            previous: 0,
            plain: true,
            readable: None,
            floats: RecentFloats::default(),
            gathered: Gathered::default(),
        }
    }

    /// Prints a message, with a note after its keyword.
    #[inline]
    pub(crate) fn message<'a, M: Message<'a>>(&mut self, message: &M, note: Option<&'static str>) {
        let schema = message.schema();
        if !schema.properties.lmpc {
            self.beyond = Some(NotInLmpc::message("a message that LMPC does not know", schema.name));
        }
        self.schema = Some(schema);
        self.begin(schema.name);
        self.form = if message.bare() { Form::Bare } else { Form::Closed };
        self.note = note;
        self.flags = FlagWord::NONE;
        self.previous = 0;
        let fields = self.out.len();
        self.gathered.begin(schema, self.lmpc || self.normal);
        message.walk(self);
        if self.form == Form::Open {
            self.gathered.put_in_order(&mut self.out, fields);
        }
        self.mask();
        self.depth = 0;
        self.finish();
    }

    /// Ends a message: `}` if it has fields, otherwise `;`.
    #[inline]
    fn finish(&mut self) {
        match self.form {
            Form::Bare => {}
            Form::Open => {
                self.out.put([b' '], self.step * self.base);
                self.out.extend_from_slice(b"}\n");
            }
            Form::Closed => {
                self.out.push(b';');
                self.comment_note();
                self.out.push(b'\n');
            }
        }
        self.form = Form::Open;
    }

    /// Begins a line that is not a part of a message.
    #[inline]
    pub(crate) fn begin(&mut self, keyword: &str) {
        self.line_start = self.out.len();
        self.out.put([b' '], self.step * self.base);
        self.out.extend_from_slice(keyword.as_bytes());
        self.depth = 1;
    }

    /// Begins a line that is not part of a message; `meaning` is the meaning of its numbers.
    pub(crate) fn words(&mut self, keyword: &str, meaning: Meaning) {
        self.begin(keyword);
        self.form = Form::Open;
        self.value.meaning = meaning;
        self.value.count = 0;
        self.plain = matches!(meaning, Meaning::Number);
    }

    /// Prints a line that belongs to no message.
    pub(crate) fn plain_line(&mut self, depth: usize, text: &str) {
        self.out.resize(self.out.len() + depth * self.step, b' ');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    /// Prints a statement with one string.
    pub(crate) fn statement(&mut self, keyword: &str, string: &[u8]) {
        self.line_start = self.out.len();
        self.out.extend_from_slice(keyword.as_bytes());
        quoted(&mut self.out, string);
        self.out.extend_from_slice(b";");
    }

    /// Prints a statement with bytes.
    pub(crate) fn bytes(&mut self, indent: usize, keyword: &str, bytes: &[u8]) {
        self.line_start = self.out.len();
        self.out.resize(self.out.len() + indent * self.step, b' ');
        self.out.extend_from_slice(keyword.as_bytes());
        self.depth = indent;
        self.hex(bytes);
        self.out.extend_from_slice(b";\n");
    }

    /// Begins a line of the current record with its keyword.
    ///
    /// Inlined, because the keyword is then a constant and all of this a few moves.
    #[inline(always)]
    fn indent(&mut self, keyword: &str) {
        self.line_start = self.out.len();
        self.out.put(*b"        ", (self.depth * self.step).min(8));
        self.out.extend_from_slice(keyword.as_bytes());
    }

    /// Opens the brace before the first line of a record; false if the line has no keyword.
    #[inline(never)]
    fn open_brace(&mut self) -> bool {
        if self.form == Form::Bare {
            self.plain = self.note.is_none() && self.plain;
            return false;
        }
        self.form = Form::Open;
        self.depth = self.base + 1;
        self.out.extend_from_slice(b" {");
        self.comment_note();
        self.out.push(b'\n');
        true
    }

    #[inline]
    fn comment_note(&mut self) {
        if let Some(note) = self.note.take().filter(|_| self.comments) {
            self.comment(note);
        }
    }

    pub(crate) fn comment(&mut self, text: &str) {
        self.out.extend_from_slice(b" // ");
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Prints the flag word if it differs from the one that the fields imply.
    #[inline]
    fn mask(&mut self) {
        if let Some(mask) = self.unusual_mask()
            && !self.normal
        {
            self.word(MASK, mask);
            self.lacks("a flag word that LMPC would write otherwise", "");
        }
    }

    /// The flag word as sent, if it differs from the one that the fields imply.
    #[inline]
    fn unusual_mask(&self) -> Option<u32> {
        let FlagWord { sent, implied, canonical } = self.flags;
        (sent != implied && sent != canonical(implied, &self.context)).then_some(sent)
    }

    /// Keeps the flag word of a record; returns its bits without a meaning.
    #[inline]
    fn begin_flags<'a, F: Flags<'a>>(&mut self, flags: &F) -> u32 {
        let (sent, spare) = (flags.bits(), flags.bits() & F::SPARE);
        let canonical = |bits, context: &Context| F::canonical(bits, context).bits();
        self.flags = FlagWord { sent, implied: spare, canonical };
        spare
    }

    /// Begins a record inside the message; returns the flag word of the record around it.
    fn begin_record(&mut self) -> FlagWord {
        self.previous = 0;
        std::mem::replace(&mut self.flags, FlagWord::NONE)
    }

    fn hex_word(&mut self, bits: u32) {
        self.out.extend_from_slice(format!(" 0x{bits:X}").as_bytes());
    }

    /// Records a part that LMPC has no words for.
    #[cold]
    fn lacks(&mut self, what: &'static str, field: &'static str) {
        let message = self.schema.map_or("", |schema| schema.name);
        let field = if field == message { "" } else { field };
        self.beyond = Some(NotInLmpc::field(what, message, field));
    }

    /// Wraps the line before a value that would not fit.
    fn wrap(&mut self, len: usize) {
        if self.value.count > 0 && self.out.len() - self.line_start + len > WIDTH {
            self.out.push(b'\n');
            self.line_start = self.out.len();
            self.out.resize(self.out.len() + self.depth * self.step + 1, b' ');
        }
        self.value.count += 1;
    }

    fn hex(&mut self, bytes: &[u8]) {
        let column = self.out.len() - self.line_start;
        hex(&mut self.out, bytes, column, self.depth * self.step);
    }

    /// Ends a line that may need a comment.
    #[inline(never)]
    fn end_with_comment(&mut self) {
        let [first, ..] = self.value.numbers;
        if matches!(self.value.meaning, Meaning::Entity)
            && self.form == Form::Open
            && !self.level.is_player(first)
        {
            return self.out.extend_from_slice(b";\n");
        }
        self.out.push(b';');
        if self.form == Form::Bare {
            self.comment_note();
        }
        if !matches!(self.value.meaning, Meaning::Number) {
            self.explain();
        } else if let Some(text) = self.readable.take() {
            self.comment(&format!("\"{text}\""));
        }
        self.out.push(b'\n');
    }

    /// Prints the comment with the meanings of the line's numbers.
    fn explain(&mut self) {
        let Values { meaning, ref numbers, count } = self.value;
        let schema = self.schema.filter(|_| matches!(meaning, Meaning::Model) && self.context.extended);
        if schema.is_some_and(|schema| has_high_byte(schema, self.flags.sent)) {
            return;
        }
        let mut between: &[u8] = b" // ";
        if let Meaning::Counts(base) = meaning {
            for (item, number) in (0..).zip(numbers.iter().take(count)).filter(|(_, number)| **number != 0) {
                let Some(name) = self.level.config(base, item) else { continue };
                self.out.extend_from_slice(between);
                name.put(&mut self.out);
                number::int(&mut self.out, *number);
                between = b", ";
            }
            return;
        }
        for number in numbers.iter().take(count) {
            let Some(name) = self.level.name(meaning, *number, self.previous, self.context.game) else {
                continue;
            };
            self.out.extend_from_slice(between);
            name.put(&mut self.out);
            between = b", ";
        }
    }

    /// Records that LMPC has no words for a value, or would compile it to other bytes.
    fn for_lmpc<'a, T: Scalar<'a>>(&mut self, field: &Field, value: &T) {
        // Quake's flag words have 16 bits, of which LMPC knows all but the last.
        if self.context.game == Game::Quake && field.bit >= UpdateBits::MORE || !value.in_lmpc(&self.context)
        {
            let name = if field.parts.is_empty() { field.name } else { "" };
            self.lacks("a value that LMPC would write otherwise", name);
        }
    }

    /// Keeps a number for the comment; no list of numbers with a meaning is longer than the space for it.
    #[inline(always)]
    fn record_number(&mut self, value: i64) {
        if let Some(place) = self.value.numbers.get_mut(self.value.count % NUMBERS) {
            *place = value;
        }
        if self.value.meaning == Meaning::Config(quake2::CS_MODELS) && value == quake2::PLAYERS_MODEL {
            self.previous = value;
        }
        self.value.count += 1;
    }
}

/// Prints bytes in hexadecimal, on as many lines as needed; the first begins at this column.
fn hex(out: &mut Vec<u8>, bytes: &[u8], mut column: usize, indent: usize) {
    const BYTE_WIDTH: usize = " 0x00".len();
    for (n, byte) in bytes.iter().enumerate() {
        if n > 0 && column + BYTE_WIDTH > WIDTH {
            out.push(b'\n');
            column = indent + 1;
            out.resize(out.len() + column, b' ');
        }
        number::hex(out, *byte);
        column += BYTE_WIDTH;
    }
}

/// A string in quotes; every byte that is not plain ASCII is escaped.
fn quoted(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(b" \"");
    let mut rest = bytes;
    while let Some(at) =
        rest.iter().position(|byte| !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\'))
    {
        let (plain, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        out.extend_from_slice(plain);
        let Some((byte, after)) = after.split_first() else { break };
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            _ => {
                out.extend_from_slice(&[
                    b'\\',
                    b'0' + (byte >> 6),
                    b'0' + (byte >> 3 & 7),
                    b'0' + (byte & 7),
                ]);
            }
        }
        rest = after;
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Whether the flag word as sent announces the high byte of a model's number in a field of its own, so that
/// this field is only a part of the number.
#[inline(never)]
fn has_high_byte(schema: &Schema, sent: u32) -> bool {
    let is_high = |field: &Field| {
        let low = field.name.strip_suffix("_high");
        schema.fields.iter().any(|it| Some(it.name) == low && matches!(it.meaning, Meaning::Model))
    };
    schema.fields.iter().any(|field| sent & field.bit != 0 && is_high(field))
}

impl<'a> Sink<'a> for Printer {
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        if self.lmpc && !flags.in_lmpc(&self.context) {
            self.lacks("a kind of message that LMPC reads otherwise", "");
        }
        if !F::DERIVED {
            return flags.show(&NAMELESS, self);
        }
        let spare = self.begin_flags(flags);
        if spare != 0 {
            self.line(SPARE_BITS, Meaning::Number);
            (0..32).filter(|bit| spare & 1 << bit != 0).for_each(|bit| self.int(bit));
            self.end();
        }
    }
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T) {
        self.flags.implied |= value.implied(field.bit, &self.context);
        if self.lmpc {
            self.for_lmpc(field, value);
        }
        self.gathered.field(field, self.out.len());
        value.show(field, self);
    }
}

impl<'a> ValueSink<'a> for Printer {
    fn line(&mut self, name: &'static str, meaning: Meaning) {
        if matches!(meaning, Meaning::StatValue) {
            [self.previous, ..] = self.value.numbers;
        }
        self.value.meaning = meaning;
        self.value.count = 0;
        self.line_name = name;
        self.plain = matches!(meaning, Meaning::Number);
        if self.form == Form::Open || self.open_brace() {
            self.indent(name);
        }
    }
    fn end(&mut self) {
        if self.plain || !self.comments {
            return self.out.extend_from_slice(b";\n");
        }
        self.end_with_comment();
    }
    fn int(&mut self, value: i64) {
        if self.value.count >= LONG_LIST && self.out.len() - self.line_start > WIDTH - 6 {
            self.wrap(WIDTH);
            self.value.count -= 1;
        }
        self.record_number(value);
        number::int(&mut self.out, value);
    }
    fn fixed(&mut self, raw: i64, unit: Unit) {
        self.record_number(raw);
        if self.lmpc && unit == Unit::Thousandth {
            // LMPC truncates where it should round. One more digit makes the number read the same for both.
            let digits = format!(" {}.{:03}2", raw / 1000, raw % 1000);
            return self.out.extend_from_slice(digits.as_bytes());
        }
        number::fixed(&mut self.out, raw, unit);
    }
    fn mixed(&mut self, raw: i32) {
        self.lacks("coordinates that LMPC does not know", self.line_name);
        self.record_number(i64::from(raw));
        self.out.push(b' ');
        number::mixed(&mut self.out, raw);
    }
    fn float(&mut self, bits: u32) {
        self.value.count += 1;
        if !f32::from_bits(bits).is_finite() {
            self.lacks("a float that is not a number", self.line_name);
        }
        match self.floats.find(bits) {
            Some(text) => number::put_long(&mut self.out, text),
            None => self.floats.print_new(&mut self.out, bits),
        }
    }
    fn seconds(&mut self, bits: u32) {
        self.float(bits);
        self.out.push(b's');
    }
    fn string(&mut self, string: Str<'a>) {
        if string.bytes().len() > 2047 {
            self.lacks("a string of more than 2047 bytes", self.line_name);
        }
        if !string.is_terminated() && !self.normal {
            self.lacks("a string without its end", self.line_name);
            self.wrap(13);
            self.out.extend_from_slice(b" unterminated");
        }
        self.wrap(string.bytes().len() + 3);
        quoted(&mut self.out, string.bytes());
        // A single string in bronze: the comment shows its readable form.
        if matches!(self.value.meaning, Meaning::Number)
            && self.comments
            && string.bytes().iter().any(|byte| *byte >= 128)
        {
            self.readable = Some(readable(string.bytes()));
            self.plain = false;
        }
    }
    fn data(&mut self, bytes: &'a [u8]) {
        self.hex(bytes);
    }
    fn open(&mut self, name: &'static str) {
        if self.form != Form::Open {
            self.open_brace();
        }
        self.indent(name);
        self.out.extend_from_slice(b" {\n");
        self.depth += 1;
    }
    fn close(&mut self) {
        self.depth -= 1;
        self.indent("}\n");
    }
    fn record<R: Record<'a>>(&mut self, name: &'static str, record: &R) {
        self.open(name);
        let outer = self.begin_record();
        record.walk(self);
        self.mask();
        self.flags = outer;
        self.close();
    }
    fn word(&mut self, name: &'static str, bits: u32) {
        self.line(name, Meaning::Number);
        self.hex_word(bits);
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    mod table {
        use moviola_format::{Str, messages};

        messages! {
            /// A message in every protocol, which LMPC does not have.
            Unheard<'a> = 60 "unheard" [svc_unheard, Moment, no_lmpc, since Quake] {
                /// The text that is printed as a string.
                string: Str<'a>,
            }
            /// A message that LMPC has.
            Heard = 61 "heard" [svc_heard, Moment, lmpc, since Quake] {}
        }
    }

    /// LMPC knows a message only if the row's own column says so; the families of protocols do not matter.
    #[test]
    fn a_message_without_a_word_in_lmpc_is_noticed() {
        let mut printer = Printer::new(Context::quake());
        printer.lmpc = true;
        printer.message(&table::Message::from(table::Heard {}), None);
        assert_eq!(printer.beyond, None);
        printer.message(&table::Message::from(table::Unheard::default()), None);
        assert!(printer.beyond.is_some());
    }
}
