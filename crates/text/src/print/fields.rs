//! The fields of a message one by one, with their values as the text has them, for programs that compare messages.

use super::{Form, NAMELESS, Printer};
use crate::SPARE_BITS;
use moviola_format::{
    Context, Dialect, Field, Flags, Meaning, Message, Record, Scalar, Sink, Str, Unit, ValueSink,
};

/// A field of a message in words.
///
/// ```
/// use moviola_format::{Context, QuakeWorld, qw};
/// let frags = qw::UpdateFrags { player: 3, frags: -1 }.into();
/// let fields = moviola_text::message_fields::<QuakeWorld>(&frags, &Context::quakeworld());
/// assert_eq!((fields[0].name.as_str(), fields[0].value.as_str()), ("player", "3"));
/// assert_eq!((fields[1].name.as_str(), fields[1].value.as_str()), ("frags", "-1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldText {
    /// Its keyword. The fields of a record in a list have the record in front: `packetentity 5 frame`.
    pub name: String,
    /// Its values with blanks between them, as a text has them.
    pub value: String,
}

/// The fields of a message, in the order of its text; a flag word is among them where it is not the usual one.
pub fn message_fields<D: Dialect>(message: &D::Message<'_>, context: &Context) -> Vec<FieldText> {
    let mut printer = Printer::new(*context);
    // The values of a message in one line have neither braces nor keywords around them.
    (printer.comments, printer.form) = (false, Form::Bare);
    let mut fields = Fields { printer, found: Vec::new(), records: Vec::new(), keyword: "" };
    message.walk(&mut fields);
    fields.mask();
    fields.found
}

/// Collects the fields of a message. The printer writes one value at a time.
struct Fields {
    printer: Printer,
    found: Vec<FieldText>,
    /// The records around the current field, each with the value of its first field, which identifies it.
    records: Vec<String>,
    keyword: &'static str,
}

impl Fields {
    fn mask(&mut self) {
        if let Some(mask) = self.printer.unusual_mask() {
            self.word(super::MASK, mask);
        }
    }
}

impl<'a> Sink<'a> for Fields {
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        if !F::DERIVED {
            return flags.show(&NAMELESS, self);
        }
        let spare = self.printer.begin_flags(flags);
        if spare != 0 {
            self.line(SPARE_BITS, Meaning::Number);
            (0..32).filter(|bit| spare & 1 << bit != 0).for_each(|bit| self.int(bit));
            self.end();
        }
    }
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T) {
        self.printer.flags.implied |= value.implied(field.bit, &self.printer.context);
        value.show(field, self);
    }
}

impl<'a> ValueSink<'a> for Fields {
    fn line(&mut self, name: &'static str, meaning: Meaning) {
        self.printer.out.clear();
        self.printer.line_start = 0;
        self.keyword = name;
        self.printer.line(name, meaning);
    }
    fn end(&mut self) {
        // Strings have no line ends; those that are here wrap a long list.
        let text = String::from_utf8_lossy(&self.printer.out);
        let value = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        if let Some(record) = self.records.last_mut().filter(|record| !record.contains(' ')) {
            *record = format!("{record} {value}");
        }
        let mut words: Vec<&str> = self.records.iter().map(String::as_str).collect();
        words.push(self.keyword);
        self.found.push(FieldText { name: words.join(" "), value });
    }
    fn int(&mut self, value: i64) {
        self.printer.int(value);
    }
    fn fixed(&mut self, raw: i64, unit: Unit) {
        self.printer.fixed(raw, unit);
    }
    fn mixed(&mut self, raw: i32) {
        self.printer.mixed(raw);
    }
    fn float(&mut self, bits: u32) {
        self.printer.float(bits);
    }
    fn seconds(&mut self, bits: u32) {
        self.printer.seconds(bits);
    }
    fn string(&mut self, string: Str<'a>) {
        self.printer.string(string);
    }
    fn data(&mut self, bytes: &'a [u8]) {
        self.printer.data(bytes);
    }
    fn open(&mut self, name: &'static str) {
        self.records.push(name.to_owned());
    }
    fn close(&mut self) {
        self.records.pop();
    }
    fn record<R: Record<'a>>(&mut self, name: &'static str, record: &R) {
        ValueSink::open(self, name);
        let outer = self.printer.begin_record();
        record.walk(self);
        self.mask();
        self.printer.flags = outer;
        ValueSink::close(self);
    }
    fn word(&mut self, name: &'static str, bits: u32) {
        self.line(name, Meaning::Number);
        self.printer.hex_word(bits);
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_format::{Quake, Quake2};

    fn of<D: Dialect>(text: &str) -> String {
        let (arena, context) = (crate::Arena::default(), Context::of(D::GAME));
        let message = crate::parse_message::<D>(text.as_bytes(), &context, &arena).expect(text);
        let fields = message_fields::<D>(&message, &context);
        fields.iter().map(|it| format!("{}={}|", it.name, it.value)).collect::<Vec<_>>().concat()
    }

    #[test]
    fn fields_have_names_and_values() {
        assert_eq!(of::<Quake>("nop;"), "");
        assert_eq!(of::<Quake>("print \"a;{\\\"}  b\";"), "string=\"a;{\\\"}  b\"|");
        assert_eq!(of::<Quake>("updatestat { index 1; value 2; }"), "index=1|value=2|");
    }

    #[test]
    fn records_are_identified_by_their_first_field() {
        assert_eq!(
            of::<Quake2>("packetentities { packetentity { entity 5; frame 3; } packetentity { entity 6; } }"),
            "packetentity 5 entity=5|packetentity 5 frame=3|packetentity 6 entity=6|"
        );
    }

    #[test]
    fn an_unusual_flag_word_is_a_field() {
        assert!(of::<Quake>("updateentity { entity 5; mask 0x4001; }").ends_with("mask=0x4001|"));
    }
}
