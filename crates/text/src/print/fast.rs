//! The fast path from usual messages to text: a [`Source`] that prints each field as soon as it is read from
//! the wire, so that no message is ever built.
//!
//! It stays in registers, and writes whole words to a sheet without checking for room. At anything unusual
//! (long lists, strings that are not plain, flag words that differ from their fields) it gives up, and the
//! careful printer prints the message from its beginning.
//!
//! Without it, `decompile` takes 1.65 times as many instructions for the samples' `.dem`, 1.5 times for the `.dm2`, and
//! 1.3 and 1.4 times for the `.qwd` and the `.mvd`. [`FAST_PATHS`](crate::FAST_PATHS) switches it off for a measurement.

mod field_printer;
mod recent;

use crate::level::{Ending, LevelNames, TextDialect};
use crate::number::RecentFloats;
use field_printer::{FieldPrinter, NUMBERS, RecordState, copy};
use moviola_format::{
    Context, Field, Flags, Game, Habit, Message, Messages, Reader, Record, Scalar, Schema, Sink,
};
use moviola_format::{Source, Stop, family};
use recent::{Recent, Stanzas};

/// The size of a sheet: a power of two. The entities of a crowded frame are 20 KB of text and more.
const SHEET: usize = 1 << 17;

/// A sheet with this amount of text is emptied, while the text is still in the nearest cache.
const FULL: usize = 1 << 15;

/// The longest text that is written in one step.
const LONGEST: usize = Ending::ROOM;

/// The greatest length of a line; strings and bytes can be longer, and check for room themselves.
const LINE: usize = 1 << 12;

/// No line begins after this place, and no string ends there.
const LAST: usize = SHEET - LINE;

type Sheet = [u8; SHEET + LONGEST];

/// The sheet on which usual messages are gathered.
#[derive(Debug)]
pub(crate) struct Page {
    sheet: Vec<u8>,
    len: usize,
    memory: Memory,
}

/// The memory that is kept from line to line.
#[derive(Debug, Default)]
struct Memory {
    /// The numbers of the line, for its comment.
    numbers: [i64; NUMBERS],
    /// A buffer for text that is printed separately.
    scratch: Vec<u8>,
    recent: Recent,
    floats: RecentFloats,
    stanzas: Stanzas,
}

/// The options of printing messages.
#[derive(Clone, Copy)]
pub(crate) struct PrintOptions<'p> {
    pub(crate) comments: bool,
    /// The number of blanks for each level of indentation.
    pub(crate) step: usize,
    pub(crate) context: &'p Context,
    pub(crate) level: &'p LevelNames,
}

impl Page {
    pub(crate) fn new() -> Self {
        Self { sheet: vec![0; size_of::<Sheet>()], len: 0, memory: Memory::default() }
    }

    /// The gathered text.
    pub(crate) fn text(&self) -> &[u8] {
        self.sheet.get(..self.len).unwrap_or_default()
    }

    /// Empties the page.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether the page should be emptied.
    pub(crate) fn is_full(&self) -> bool {
        self.len > FULL
    }

    /// Adds text that was printed elsewhere; returns false if there is no room.
    #[must_use]
    pub(crate) fn add(&mut self, text: &[u8]) -> bool {
        let at = copy(text, self.sheet.first_chunk_mut(), self.len);
        at.inspect(|at| self.len = *at).is_some()
    }

    /// Prints the next messages, as long as they need no note and are of the usual form, the page has room,
    /// and the context stays the same.
    pub(crate) fn print<D: TextDialect>(
        &mut self,
        messages: &mut Messages<'_, D>,
        manner: &PrintOptions<'_>,
    ) {
        match messages.context().habit() {
            // Compiled separately for this context, all choices that depend on it are constants.
            Habit::Quake if D::GAME == Game::Quake => self.print_under::<D, true>(messages, manner),
            _ => self.print_under::<D, false>(messages, manner),
        }
    }

    #[inline(always)]
    fn print_under<D: TextDialect, const USUAL: bool>(
        &mut self,
        messages: &mut Messages<'_, D>,
        manner: &PrintOptions<'_>,
    ) {
        let turns = messages.turns();
        while self.len <= FULL && messages.turns() == turns {
            let Some((op, rest)) = messages.rest().split_first() else { return };
            let printed = D::is_quiet(*op)
                && self.row::<D, USUAL>(
                    *op,
                    rest,
                    manner,
                    #[inline(always)]
                    |message, rest| messages.step_over(message, rest),
                );
            if !printed {
                return;
            }
        }
    }

    /// Prints one message, from its id and its other bytes; returns false if it does not have the usual form.
    #[inline(never)]
    pub(crate) fn print_one<D: TextDialect>(
        &mut self,
        op: u8,
        bytes: &[u8],
        manner: &PrintOptions<'_>,
    ) -> bool {
        let (before, mut left) = (self.len, 0);
        let printed = self.row::<D, false>(op, bytes, manner, |_, rest| left = rest.len()) && left == 0;
        if !printed {
            self.len = before;
        }
        printed
    }

    /// Prints the message with this id, and returns it with the bytes after it.
    #[inline(always)]
    fn row<'a, D: TextDialect, const USUAL: bool>(
        &mut self,
        op: u8,
        bytes: &'a [u8],
        manner: &PrintOptions<'_>,
        then: impl FnOnce(&D::Message<'a>, &'a [u8]),
    ) -> bool {
        D::Message::build_into(
            op,
            &mut Start::<USUAL> { page: self, manner, op, bytes },
            #[inline(always)]
            |start, built| match built {
                Ok(message) => {
                    then(&message, start.bytes);
                    true
                }
                Err(Stop) => false,
            },
        )
    }
}

/// Prints the row whose bytes are next. With `USUAL`, the context is that of Quake's own protocol.
struct Start<'a, 'p, 'm, const USUAL: bool> {
    page: &'p mut Page,
    manner: &'p PrintOptions<'m>,
    op: u8,
    /// The bytes after the id; afterwards, those after the message.
    bytes: &'a [u8],
}

impl<'a, 'm, const USUAL: bool> Start<'a, '_, 'm, USUAL> {
    #[inline(always)]
    fn context(&self) -> &'m Context {
        if USUAL { const { &Context::quake() } } else { self.manner.context }
    }

    /// Prints a row in a function of its own, for the reason given in `parse/fast.rs`; the function is the same for all contexts.
    fn row_apart<R: Record<'a>>(&mut self) -> Result<R, Stop> {
        let Self { manner, op, bytes, .. } = *self;
        let mut start = Start::<false> { page: self.page, manner, op, bytes };
        let record = start.row_called();
        self.bytes = start.bytes;
        record
    }

    #[inline(never)]
    fn row_called<R: Record<'a>>(&mut self) -> Result<R, Stop> {
        self.row_of()
    }

    #[inline(always)]
    fn row_of<R: Record<'a>>(&mut self) -> Result<R, Stop> {
        let mut reader = Reader::new(self.bytes, self.context());
        reader.set_op(self.op);
        let printer =
            FieldPrinter::new(self.page, self.manner, reader.context(), const { &R::SCHEMA }).ok_or(Stop)?;
        let (record, at) = printer.message(&mut reader)?;
        self.page.len = at;
        self.bytes = reader.rest();
        Ok(record)
    }
}

impl<'a, const USUAL: bool> Source<'a> for Start<'a, '_, '_, USUAL> {
    type Error = Stop;

    #[inline(always)]
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R, Stop>) -> T) -> T {
        // The code for a printed row is thousands of instructions, so rows that only rare protocols have are not
        // printed here.
        if const { R::SCHEMA.families & !family::MVD != 0 } {
            return done(self, Err(Stop));
        }
        // Updates of entities are most of Quake's messages: a call for each would cost a fifth of the time.
        let is_most = const { R::SCHEMA.last != R::SCHEMA.op };
        let record = if is_most { self.row_of() } else { self.row_apart() };
        done(self, record)
    }
    #[inline(always)]
    fn has_family(&self, families: u16) -> bool {
        self.context().has_family(families)
    }
    #[inline(always)]
    fn unknown(&mut self, _: u8) -> Stop {
        Stop
    }
    // The functions below are called only by the reader of a row's fields, which this type does not read.
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

/// Reads a record and prints it.
struct RecordPrinter<'a, 'c, 'p> {
    reader: Reader<'a, 'c>,
    printer: FieldPrinter<'p>,
    /// Whether it is a message of one value.
    single: bool,
    /// Bits of the flag word of which none may be set: a constant, so that fields with these bits cost
    /// nothing.
    absent: u32,
}

/// The bits of a row's flag word that announce fields, except the lowest eight: most records have none of
/// these.
const fn upper(row: &Schema) -> u32 {
    optional(row) & !0xFF
}

/// The bits that announce fields, if all fields but the first have one.
const fn optional(row: &Schema) -> u32 {
    let (mut bits, [_, fields @ ..]) = (0, row.fields) else { return 0 };
    let mut fields = fields;
    while let [field, rest @ ..] = fields {
        if field.bit == 0 {
            return 0;
        }
        (bits, fields) = (bits | field.bit, rest);
    }
    bits
}

/// Reads a record and prints its fields, and returns its state on the sheet.
#[inline(always)]
fn read_record<'a, R: Record<'a>>(
    printer: &mut FieldPrinter<'_>,
    reader: &mut Reader<'a, '_>,
    single: bool,
) -> Result<(R, RecordState), Stop> {
    if const { upper(&R::SCHEMA) != 0 }
        && let Ok(done) = try_record(printer, reader, single, const { upper(&R::SCHEMA) })
    {
        return Ok(done);
    }
    try_record(printer, reader, single, 0)
}

/// Reads a record in a list; many records have only the first field.
#[inline(always)]
fn read_listed<'a, R: Record<'a>>(
    printer: &mut FieldPrinter<'_>,
    reader: &mut Reader<'a, '_>,
) -> Result<(R, RecordState), Stop> {
    if const { optional(&R::SCHEMA) != 0 }
        && let Ok(done) = try_record(printer, reader, false, const { optional(&R::SCHEMA) })
    {
        return Ok(done);
    }
    try_record(printer, reader, false, 0)
}

/// Reads a record, if none of these bits is set.
#[inline(always)]
fn try_record<'a, R: Record<'a>>(
    printer: &mut FieldPrinter<'_>,
    reader: &mut Reader<'a, '_>,
    single: bool,
    absent: u32,
) -> Result<(R, RecordState), Stop> {
    // No other code has the address of these, so they stay in registers.
    let mut source =
        RecordPrinter { reader: reader.clone(), printer: printer.separate_printer(), single, absent };
    let record = R::build(&mut source)?;
    let state = source.printer.state().ok_or(Stop)?;
    *reader = source.reader;
    Ok((record, state))
}

impl<'a> Source<'a> for RecordPrinter<'a, '_, '_> {
    type Error = Stop;

    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, Stop> {
        let flags: F = Source::flags(&mut self.reader)?;
        if flags.has(self.absent) {
            return Err(Stop);
        }
        self.printer.flags(&flags);
        Ok(flags)
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T, Stop> {
        if T::LIST {
            let Self { reader, printer, .. } = self;
            return printer.with_own_printer(|own| T::read_and_show(field, reader, own));
        }
        let value = T::read(&mut self.reader)?;
        self.printer.bare = self.single && value.bare();
        self.printer.field(field, &value);
        Ok(value)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T, Stop> {
        if field.bit & !self.absent != 0 && present { self.field(field) } else { Ok(T::default()) }
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, Stop> {
        Ok(flags)
    }
    #[inline(always)]
    fn has_family(&self, families: u16) -> bool {
        self.reader.context().has_family(families)
    }
    #[inline(always)]
    fn unknown(&mut self, _: u8) -> Stop {
        Stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::TextDialect;
    use crate::print::Printer;
    use moviola_format::{Demo, Game, Piece, Quake, Quake2};

    /// Compares the two printers: the number of a recording's messages that the fast one prints, and of all
    /// its messages.
    fn compare<D: TextDialect>(bytes: &[u8], step: usize) -> (usize, usize) {
        let mut demo = Demo::new(bytes).unwrap();
        let mut printer = Printer::new(Context::of(D::GAME));
        (printer.step, printer.comments) = (step, step > 0);
        let (mut page, mut usual, mut all) = (Page::new(), 0, 0);
        let mut context = printer.context;
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            let mut messages = block.messages::<D>(context);
            while let Some(entry) = messages.next() {
                printer.context = *messages.context();
                D::take_names(&entry.message, &mut printer.level);
                let Printer { comments, step, ref context, ref level, .. } = printer;
                let manner = PrintOptions { comments, step, context, level };
                let bytes = block.data.get(entry.at..messages.pos()).unwrap();
                if page.print_one::<D>(bytes[0], &bytes[1..], &manner) {
                    printer.out.clear();
                    printer.message(&entry.message, None);
                    assert_eq!(String::from_utf8_lossy(page.text()), String::from_utf8_lossy(&printer.out));
                    usual += 1;
                }
                page.clear();
                all += 1;
            }
            context = *messages.context();
        }
        (usual, all)
    }

    #[test]
    fn both_printers_say_the_same() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
        let folders = [samples.to_owned(), format!("{samples}/scribe")];
        let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let (mut usual, mut all) = (0, 0);
        for path in files.map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
            let bytes = std::fs::read(path).unwrap();
            for step in [0, 1] {
                let (fast, of) = match Demo::new(&bytes[..]).unwrap().game() {
                    Some(Game::Quake) => compare::<Quake>(&bytes, step),
                    Some(Game::Quake2) => compare::<Quake2>(&bytes, step),
                    Some(Game::QuakeWorld) | None => continue,
                };
                (usual, all) = (usual + fast, all + of);
            }
        }
        assert!(usual * 10 > all * 9, "{usual} of {all} are as usual");
    }
}
