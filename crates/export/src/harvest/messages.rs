//! Every value of every field of every message: a [`Sink`] and a [`ValueSink`] that make rows of them.

use super::{HarvestPosition, RowOutput};
use crate::tables::Messages;
use crate::{FixedWord, Word};
use moviola_format::{Field, Flags, Meaning, Message, Record, Scalar, Sink, Str, Unit, ValueSink};
use std::collections::HashMap;
use std::io::Write;

/// Makes the rows of messages. The rows of a message are kept until its end, since writing can fail, and a walk has no
/// way to report that.
#[derive(Debug)]
pub(super) struct MessageRows {
    rows: Vec<Messages>,
    row: Messages,
    meaning: Meaning,
    /// The names of fields, shared by their rows.
    names: HashMap<&'static str, Word>,
    /// The names of the current record and of its outer records, each with the number of earlier records of that name.
    inside: Vec<Word>,
    counts: HashMap<&'static str, u32>,
}

impl Default for MessageRows {
    fn default() -> Self {
        let (names, counts) = (HashMap::new(), HashMap::new());
        let (rows, inside) = (Vec::new(), Vec::new());
        Self { rows, row: Messages::default(), meaning: Meaning::Number, names, inside, counts }
    }
}

impl MessageRows {
    pub(super) fn add_message<'a, M: Message<'a>, W: Write + Send>(
        &mut self,
        message: &M,
        (number, at, client): (usize, usize, Option<u8>),
        here: &HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        self.row = Messages {
            recording: here.recording.clone(),
            block: here.block,
            level: here.level,
            level_time: here.time,
            message: number as i32,
            byte_offset: at as i32,
            keyword: FixedWord::from_static(message.schema().name),
            client: client.map(i32::from),
            ..Messages::default()
        };
        self.counts.clear();
        message.walk(self);
        if self.rows.is_empty() {
            out.row(&self.row);
        }
        for row in self.rows.drain(..) {
            out.row(&row);
        }
    }

    fn name(&mut self, name: &'static str) -> Word {
        self.names.entry(name).or_insert_with(|| Word::from_static(name)).clone()
    }

    fn value(&mut self, number: Option<f64>, text: Option<Word>, hex: Option<Word>) {
        self.rows.push(Messages { number, text, hex, ..self.row.clone() });
        self.row.part = self.row.part.saturating_add(1);
    }
}

impl<'a> Sink<'a> for MessageRows {
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        if F::DERIVED {
            // not from SCHEMA: a column of the table
            self.word("flags", flags.bits());
        } else {
            // The kind is a field of its own.
            // not from SCHEMA: the name of the flag word in a row of the table
            let field =
                Field { name: "kind", kind: "", bit: 0, meaning: Meaning::Number, note: "", parts: &[] };
            flags.show(&field, self);
        }
    }

    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T) {
        value.show(field, self);
    }
}

impl<'a> ValueSink<'a> for MessageRows {
    fn line(&mut self, name: &'static str, meaning: Meaning) {
        let name = self.name(name);
        self.row.field = match self.inside.last() {
            Some(record) => Word::from(format!("{}.{}", record.as_str(), name.as_str())),
            None => name,
        };
        self.row.part = 0;
        self.meaning = meaning;
    }
    fn end(&mut self) {}
    fn int(&mut self, value: i64) {
        let text = self.meaning.name(value).map(|name| Word::from(name.to_string()));
        self.value(Some(value as f64), text, None);
    }
    fn fixed(&mut self, raw: i64, unit: Unit) {
        self.value(Some(unit.value(raw)), None, None);
    }
    fn mixed(&mut self, raw: i32) {
        self.value(Some(f64::from(raw >> 8) + f64::from(raw & 0xFF) / 255.0), None, None);
    }
    fn float(&mut self, bits: u32) {
        self.value(Some(f64::from(f32::from_bits(bits))), None, None);
    }
    fn string(&mut self, string: Str<'a>) {
        self.value(None, Some(Word::of(string.bytes())), Word::hex(string.bytes()));
    }
    fn data(&mut self, bytes: &'a [u8]) {
        self.value(None, None, Some(Word::digits(bytes)));
    }
    fn open(&mut self, name: &'static str) {
        let count = self.counts.entry(name).or_default();
        let here = *count;
        *count = count.saturating_add(1);
        let outside = self.inside.last().map_or("", Word::as_str);
        let dot = if outside.is_empty() { "" } else { "." };
        self.inside.push(Word::from(format!("{outside}{dot}{name}[{here}]")));
    }
    fn close(&mut self) {
        self.inside.pop();
    }
    fn record<R: Record<'a>>(&mut self, name: &'static str, record: &R) {
        ValueSink::open(self, name);
        record.walk(self);
        ValueSink::close(self);
    }
}
