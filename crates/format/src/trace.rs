//! The details of a failure: each field with its offset.
//!
//! The hot path records only the kind of a fault and its offset. If more is needed, the one message is read
//! or written again through a [`Source`] or a [`Sink`] that takes notes. None of this runs before a failure.

use crate::context::Context;
use crate::messages::{Dialect, Entry, UNICAST};
use crate::scalar::{Field, Flags, Scalar};
use crate::table::{Message, Schema, Sink, Source};
use crate::wire::{Fault, Reader, Stop, Writer};

/// The start of a field.
///
/// ```
/// use moviola_format::{Context, FieldNote, Quake, trace_read};
/// let story = trace_read::<Quake>(b"\x20\x05\x06", 0, Context::quake());
/// assert_eq!(story.notes, [FieldNote { field: "fromtrack", at: 1 }, FieldNote { field: "totrack", at: 2 }]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldNote {
    /// The field's name.
    pub field: &'static str,
    /// Its offset: in the block when read, in the bytes of the message when written.
    pub at: usize,
}

/// The notes about a message that was read or written again.
///
/// ```
/// use moviola_format::{Context, Quake, trace_read};
/// let story = trace_read::<Quake>(b"\x08no end", 0, Context::quake());
/// assert_eq!(story.message.map(|row| row.name), Some("print"));
/// assert_eq!((story.fault, story.field_at(3)), (None, Some("string")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadTrace {
    /// Its row, if the table has its id.
    pub message: Option<&'static Schema>,
    /// Its fields up to the place where reading stopped.
    pub notes: Vec<FieldNote>,
    /// The reason why reading stopped, if it did.
    pub fault: Option<Fault>,
}

impl ReadTrace {
    /// The field that contains an offset; `None` for the id.
    pub fn field_at(&self, at: usize) -> Option<&'static str> {
        self.notes.iter().rev().find(|note| note.at <= at).map(|note| note.field)
    }
}

/// The name of a flag word: the keyword of its line, if it has one.
fn flags_name<'a, F: Flags<'a>>() -> &'static str {
    // not from SCHEMA: the usual name of a flag word
    F::PARTS.first().map_or("flags", |part| part.name)
}

/// Reads the message at offset `at` of a block again, under the context that holds there.
///
/// ```
/// use moviola_format::{trace_read, Context, Quake};
/// let story = trace_read::<Quake>(b"\x20\x05", 0, Context::quake());
/// assert_eq!(story.message.unwrap().name, "cdtrack");
/// assert_eq!(story.field_at(story.fault.unwrap().at as usize), Some("totrack"));
/// ```
pub fn trace_read<D: Dialect>(block: &[u8], at: usize, context: Context) -> ReadTrace {
    let mut reader = Reader::new(block, &context);
    reader.seek(at);
    let mut story = ReadTrace::default();
    let Ok(mut op) = reader.byte() else { return story };
    if D::UNICAST && op & UNICAST != 0 {
        op &= !UNICAST;
        let _ = reader.byte();
    }
    story.message = row::<D>(op, &context);
    reader.set_op(op);
    if reader.fault().is_none() {
        let mut source = TracingReader { reader: &mut reader, notes: &mut story.notes };
        let _ = D::Message::build(op, &mut source);
    }
    story.fault = reader.fault();
    story
}

/// The row that has the id under this context.
fn row<D: Dialect>(op: u8, context: &Context) -> Option<&'static Schema> {
    D::Message::SCHEMA.iter().find(|row| {
        (row.op..=row.last).contains(&op) && (row.families == 0 || context.has_family(row.families))
    })
}

/// Writes a message again; the offsets are those in its bytes.
///
/// ```
/// use moviola_format::{dem, trace_write, Context, Entry, Quake};
/// let stat = dem::Message::UpdateStat(dem::UpdateStat { index: 3, value: 100 });
/// let story = trace_write::<Quake>(&Entry { at: 0, unicast: None, message: stat }, &Context::quake());
/// assert_eq!(story.field_at(1), Some("index"));
/// assert_eq!(story.field_at(5), Some("value"));
/// ```
pub fn trace_write<D: Dialect>(entry: &Entry<D::Message<'_>>, context: &Context) -> ReadTrace {
    let mut story = ReadTrace { message: Some(entry.message.schema()), ..ReadTrace::default() };
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, context);
    writer.op(entry.message.op());
    if entry.unicast.is_some() {
        writer.byte(0);
    }
    entry.message.walk(&mut Writing { writer, notes: &mut story.notes });
    story
}

/// A [`Reader`] that takes notes.
struct TracingReader<'n, 'a, 'c> {
    reader: &'n mut Reader<'a, 'c>,
    notes: &'n mut Vec<FieldNote>,
}

impl<'a> Source<'a> for TracingReader<'_, 'a, '_> {
    type Error = Stop;
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, Stop> {
        self.notes.push(FieldNote { field: flags_name::<F>(), at: self.reader.pos() });
        Source::flags(self.reader)
    }
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T, Stop> {
        self.notes.push(FieldNote { field: field.name, at: self.reader.pos() });
        T::read(self.reader)
    }
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T, Stop> {
        if present { self.field(field) } else { Ok(T::default()) }
    }
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, Stop> {
        Ok(flags)
    }
    fn has_family(&self, families: u16) -> bool {
        Source::has_family(self.reader, families)
    }
    fn unknown(&mut self, op: u8) -> Stop {
        Source::unknown(self.reader, op)
    }
}

/// A [`Writer`] that takes notes.
struct Writing<'n, 'w> {
    writer: Writer<'w>,
    notes: &'n mut Vec<FieldNote>,
}

impl<'a> Sink<'a> for Writing<'_, '_> {
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        self.notes.push(FieldNote { field: flags_name::<F>(), at: self.writer.len() });
        Sink::flags(&mut self.writer, flags);
    }
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T) {
        self.notes.push(FieldNote { field: field.name, at: self.writer.len() });
        Sink::field(&mut self.writer, field, value);
    }
}
