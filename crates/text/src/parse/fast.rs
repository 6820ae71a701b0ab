//! The fast path from text to usual messages: a second [`Source`] beside the careful parser, on the sheet of
//! a window.
//!
//! Text that occurred before in the same letters is recognized directly ([`RecentTexts`]). All other text goes to a
//! cursor that stays in registers, expects fields in the order of their row, one a line, and reports no
//! mistakes. At anything else it gives up, and the careful parser reads the message from its beginning.
//!
//! Without it, `compile` takes 2.6 times as many instructions for the samples' `.dem`, 3 times for the `.dm2`, 1.6 times
//! for the `.qwd`, and 4 % more for the `.mvd`. [`FAST_PATHS`](crate::FAST_PATHS) switches it off for a measurement.

mod keywords;
mod vectors;

use super::seen::RecentTexts;
use crate::SPARE_BITS;
use crate::axes::alternate;
use crate::scan::{NUMBER, plain, units, whole};
use crate::statement::Rows;
use crate::statement_kind::StatementKind;
use crate::window::{AHEAD, SIZE, Sheet};
use bumpalo::Bump;
use keywords::{Keyword, row};
use moviola_format::{Context, Dialect, Field, Flags, Lasts, Message, Record, Scalar, Schema, ValueSource};
use moviola_format::{Meaning, Source, Str, Unit, Writer};
use std::cell::{Cell, RefCell};
use vectors::Vectors;

/// The reader of a block's messages.
pub(crate) struct FastParser<'c, 'a> {
    pub(crate) sheet: &'c Sheet,
    pub(crate) rows: &'c Rows,
    pub(crate) memory: &'c mut Memory,
    pub(crate) context: &'c Context,
    pub(crate) arena: &'a Bump,
}

/// The memory that is kept from block to block.
#[derive(Debug)]
pub(crate) struct Memory {
    keywords: [Keyword; Keyword::PLACES],
    messages: RecentTexts,
    /// Records in lists of records, kept separately because they look like messages.
    records: RefCell<RecentTexts>,
    /// Whether the last message with vectors that alternate had them one after the other.
    are_vectors_apart: Cell<bool>,
    /// The context under which the text was read.
    context: Context,
}

impl Memory {
    pub(crate) fn new() -> Self {
        let context = Context::quake();
        let keywords = [Keyword::NONE; Keyword::PLACES];
        let (messages, records) = (RecentTexts::new(), RefCell::new(RecentTexts::new()));
        Self { keywords, messages, records, are_vectors_apart: Cell::new(false), context }
    }

    /// Forgets the texts of another context.
    fn under(&mut self, context: &Context) {
        if self.context != *context {
            self.context = *context;
            self.messages.forget();
            self.records.get_mut().forget();
        }
    }
}

impl<'c, 'a> FastParser<'c, 'a> {
    pub(crate) fn new(
        sheet: &'c Sheet,
        rows: &'c Rows,
        memory: &'c mut Memory,
        context: &'c Context,
        arena: &'a Bump,
    ) -> Self {
        memory.under(context);
        Self { sheet, rows, memory, context, arena }
    }

    /// Writes the message that begins at `at` to `data`, if it has the usual form and does not change how the
    /// next one is read; returns the place of its end.
    #[inline(always)]
    pub(crate) fn message<D: Dialect>(&mut self, at: usize, data: &mut Vec<u8>) -> Option<usize> {
        let Self { sheet, context, arena, .. } = *self;
        let Memory { keywords, messages, records, are_vectors_apart: apart, .. } = &mut *self.memory;
        let kit = BlockData { context, arena, records, are_vectors_apart: apart };
        let mut cursor = Cursor::<false>::new(sheet, at, &kit);
        cursor.arrive();
        let (start, text) = (cursor.offset, cursor.peek());
        let place = RecentTexts::place(text);
        if let Some(length) = messages.repeat_text(place, text, data) {
            return Some(start + length);
        }
        let row = row(self.rows, keywords, text)?;
        cursor.offset += row.name.len();
        if cursor.enter().is_ok() {
            // A message without fields has no braces.
            (!row.fields.is_empty()).then_some(())?;
        } else {
            cursor.bare = matches!(row.fields, [Field { parts: [], .. }]) && row.flags.is_empty();
            cursor.bare.then_some(())?;
        }
        let written = data.len();
        let mut parser = FieldParser { cursor, data };
        D::Message::build_into(row.op, &mut parser, |parser, built| {
            let message = built.ok()?;
            if D::can_change_context(message.op()) && changes::<D>(&message, context) {
                parser.data.truncate(written);
                return None;
            }
            messages.keep(
                place,
                text,
                parser.cursor.offset - start,
                parser.data.get(written..).unwrap_or_default(),
            );
            Some(parser.cursor.offset)
        })
    }

    /// The angles of the `camera` statement at this place, if there is one, and the place of its end.
    #[inline(never)]
    pub(crate) fn camera(&self, at: usize) -> Option<([u32; 3], usize)> {
        let Self { sheet, context, arena, .. } = *self;
        let Memory { records, are_vectors_apart: apart, .. } = &*self.memory;
        let kit = BlockData { context, arena, records, are_vectors_apart: apart };
        let mut cursor = Cursor::<false>::new(sheet, at, &kit);
        cursor.bare = true;
        cursor.arrive();
        cursor.take(CAMERA?).ok()?;
        cursor.more().then_some(())?;
        let angles = [cursor.float().ok()?, cursor.float().ok()?, cursor.float().ok()?];
        cursor.end().ok()?;
        Some((angles, cursor.offset))
    }
}

/// The keyword of a camera, as bytes whose number is known, which makes the comparison a single one.
const CAMERA: Option<&[u8; 6]> = StatementKind::Camera.keyword().as_bytes().first_chunk();

/// Whether the message changes the context of the next ones.
#[inline(never)]
fn changes<D: Dialect>(message: &D::Message<'_>, context: &Context) -> bool {
    let mut after = *context;
    D::observe(message, &mut after);
    after != *context
}

/// The text does not have the usual form.
struct UnusualForm;

type Result<T> = std::result::Result<T, UnusualForm>;

/// The data of a block that all of its cursors share.
#[derive(Clone, Copy)]
struct BlockData<'c, 'a> {
    context: &'c Context,
    arena: &'a Bump,
    records: &'c RefCell<RecentTexts>,
    are_vectors_apart: &'c Cell<bool>,
}

/// A cursor, mostly at the start of a token. `APART`: in LMPC's order, all axes of one vector come before those of the
/// next. The fields are still asked for in the order of the wire, so the cursor has a place in the lines of each
/// vector.
#[derive(Clone, Copy)]
struct Cursor<'t, 'a, const APART: bool> {
    sheet: &'t Sheet,
    offset: usize,
    /// The flag word that the fields imply.
    implied: u32,
    /// The flag word, if the text gives it.
    given: u32,
    /// Whether this is a record in a list.
    listed: bool,
    /// Whether the message is one value without braces.
    bare: bool,
    vectors: Vectors,
    kit: &'t BlockData<'t, 'a>,
}

/// The characters at a place of a sheet.
#[inline(always)]
fn from<const N: usize>(sheet: &Sheet, at: usize) -> &[u8; N] {
    const { assert!(N <= AHEAD) };
    sheet.get(at % SIZE..).and_then(<[u8]>::first_chunk).unwrap_or(const { &[0; N] })
}

/// The number of blanks at the start of a word.
#[inline(always)]
fn blanks(word: u64) -> usize {
    (word ^ 0x2020_2020_2020_2020).trailing_zeros() as usize / 8
}

impl<'t, 'a, const APART: bool> Cursor<'t, 'a, APART> {
    fn new(sheet: &'t Sheet, at: usize, kit: &'t BlockData<'t, 'a>) -> Self {
        Self {
            sheet,
            offset: at,
            implied: 0,
            given: 0,
            listed: false,
            bare: false,
            vectors: Vectors::Ahead,
            kit,
        }
    }

    /// The next characters.
    #[inline(always)]
    fn peek<const N: usize>(&self) -> &'t [u8; N] {
        from(self.sheet, self.offset)
    }

    /// Goes to the next token, past blanks and comments.
    #[inline(always)]
    fn arrive(&mut self) {
        let word = u64::from_le_bytes(*self.peek());
        if word as u8 == b'\n' {
            self.offset += 1 + blanks(word >> 8);
        }
        self.arrive_at_token();
    }

    /// Goes to the next token, if the cursor is not at one.
    #[inline(always)]
    fn arrive_at_token(&mut self) {
        if self.peek() <= b"/" {
            self.offset = skip(self.sheet, self.offset);
        }
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self, text: &[u8; N]) -> Result<()> {
        if self.peek() != text {
            return Err(UnusualForm);
        }
        self.offset += N;
        Ok(())
    }

    /// Goes into the braces after a keyword.
    #[inline(always)]
    fn enter(&mut self) -> Result<()> {
        self.take(b" {")?;
        self.arrive();
        Ok(())
    }

    /// The next record of this name, up to its last brace.
    #[inline(always)]
    fn whole_record<R: Record<'a>>(&mut self, name: &'static str) -> Result<Option<R>> {
        if !self.has(name) {
            return Ok(None);
        }
        self.offset += name.len();
        self.enter()?;
        let mut own = Self { implied: 0, given: 0, listed: true, ..*self };
        let record = R::build(&mut own)?;
        own.take(b"}")?;
        self.offset = own.offset;
        Ok(Some(record))
    }

    /// Takes a number in units.
    #[inline(always)]
    fn units(&mut self, unit: Unit) -> Result<i64> {
        let (raw, len) = units(self.peek(), unit).ok_or(UnusualForm)?;
        self.offset += len;
        Ok(raw)
    }
}

/// [`arrive`](Cursor::arrive), if the next token is not on the next line: mostly there is a comment.
#[inline(never)]
fn skip(sheet: &Sheet, mut at: usize) -> usize {
    loop {
        let word = u64::from_le_bytes(*from(sheet, at));
        if word as u16 == u16::from_le_bytes(*b"//") || word as u32 == u32::from_le_bytes(*b" // ") {
            at = line_end(sheet, at + 2);
            at += 1 + blanks(u64::from_le_bytes(*from(sheet, at)) >> 8);
        } else if matches!(word as u8, b' ' | b'\n' | b'\t' | b'\r') {
            at += 1;
        } else {
            return at;
        }
    }
}

/// The end of the line. Comments are short, so a loop is faster than a call to a search for long texts.
fn line_end(sheet: &Sheet, mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    while at < SIZE {
        let others = u64::from_le_bytes(*from(sheet, at)) ^ (ONES * u64::from(b'\n'));
        // The lowest byte that is zero gets its high bit.
        let ends = others.wrapping_sub(ONES) & !others & (ONES << 7);
        if ends != 0 {
            return at + ends.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

/// A float's bits, and its length. Not inlined, because it is rare and large.
#[inline(never)]
fn float(text: &[u8; NUMBER], unit: Option<u8>) -> Option<(u32, usize)> {
    let (plain, len) = plain(text, unit)?;
    Some(((plain.value() as f32).to_bits(), len))
}

/// More than the longest keyword of a field and the characters after it.
const KEYWORD: usize = 32;

/// The longest list of bytes on one line; longer ones are wrapped.
const BYTES: usize = 16;

/// The longest string that this path reads.
const STRING: usize = 160;

/// Reads the escape of a line end, or three octal digits.
fn escape(text: &mut std::slice::Iter<'_, u8>) -> Result<u8> {
    let mut digit = || Some(u32::from(*text.next()?));
    let first = digit().ok_or(UnusualForm)?;
    if first == u32::from(b'n') {
        return Ok(b'\n');
    }
    let digits = [Some(first), digit(), digit()];
    let value = digits.into_iter().try_fold(0, |value, digit| {
        let digit = char::from_u32(digit?)?.to_digit(8)?;
        Some(8 * value + digit)
    });
    value.and_then(|value| u8::try_from(value).ok()).filter(|byte| *byte != 0).ok_or(UnusualForm)
}

const NAMELESS: Field = Field { name: "", kind: "", bit: 0, meaning: Meaning::Number, note: "", parts: &[] };

impl<'a, const APART: bool> Source<'a> for Cursor<'_, 'a, APART> {
    type Error = UnusualForm;

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
        let flags = F::take_field(&NAMELESS, self)?;
        self.given = flags.bits();
        Ok(flags)
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T> {
        // A kind that is not inlined gets a cursor of its own, because passing this one to a function would
        // keep it in memory.
        let mut own = *self;
        let value = T::take_field(field, &mut own)?;
        *self = own;
        self.implied |= value.implied(0, self.kit.context);
        Ok(value)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T> {
        if APART {
            self.find(field)?;
        }
        if if self.given != 0 && !T::SILENT { present } else { T::is_offered(field, self) } {
            let mut own = *self;
            let value = T::take_field(field, &mut own)?;
            *self = own;
            self.implied |= value.implied(field.bit, self.kit.context);
            return Ok(value);
        }
        Ok(T::default())
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F> {
        if !F::DERIVED {
            return Ok(flags);
        }
        let flags = F::canonical(self.implied, self.kit.context);
        if flags.bits() & self.implied != self.implied {
            return Err(UnusualForm);
        }
        Ok(if self.listed { flags.listed(self.kit.context) } else { flags })
    }
    fn has_family(&self, _: u16) -> bool {
        false
    }
    fn unknown(&mut self, _: u8) -> UnusualForm {
        UnusualForm
    }
}

impl<'a, const APART: bool> ValueSource<'a> for Cursor<'_, 'a, APART> {
    type Error = UnusualForm;

    #[inline(always)]
    fn context(&self) -> &Context {
        self.kit.context
    }
    #[inline(always)]
    fn line(&mut self, name: &'static str) -> Result<()> {
        if self.bare {
            return Ok(());
        }
        if !self.has(name) {
            return Err(UnusualForm);
        }
        self.offset += name.len();
        Ok(())
    }
    /// Inlined, because the keyword is then a constant: most absent fields cost one comparison of a
    /// character.
    #[inline(always)]
    fn has(&mut self, name: &'static str) -> bool {
        let ahead: &[u8; KEYWORD] = self.peek();
        ahead.first() == name.as_bytes().first()
            && ahead.get(..name.len()) == Some(name.as_bytes())
            && matches!(ahead.get(name.len()), Some(b' ' | b';'))
    }
    #[inline(always)]
    fn bare(&mut self) -> bool {
        self.bare
    }
    #[inline(always)]
    fn end(&mut self) -> Result<()> {
        let word = u64::from_le_bytes(*self.peek());
        if word as u16 == u16::from_le_bytes(*b";\n") && !self.bare {
            self.offset += 2 + blanks(word >> 16);
            self.arrive_at_token();
            return Ok(());
        }
        self.take(b";")?;
        if !self.bare {
            self.arrive();
        }
        Ok(())
    }
    #[inline(always)]
    fn more(&mut self) -> bool {
        self.peek() == b" "
    }
    #[inline(always)]
    fn int(&mut self, min: i64, max: i64) -> Result<i64> {
        let (value, len) = whole(self.peek()).ok_or(UnusualForm)?;
        self.offset += len;
        if (min..=max).contains(&value) { Ok(value) } else { Err(UnusualForm) }
    }
    #[inline(always)]
    fn fixed(&mut self, unit: Unit, min: i64, max: i64) -> Result<i64> {
        let raw = self.units(unit)?;
        if (min..=max).contains(&raw) { Ok(raw) } else { Err(UnusualForm) }
    }
    #[inline(always)]
    fn angle(&mut self, unit: Unit, bits: u32) -> Result<i64> {
        let raw = self.units(unit)?;
        let shift = 64 - bits;
        Ok(raw << shift >> shift)
    }
    fn mixed(&mut self) -> Result<i32> {
        Err(UnusualForm)
    }
    #[inline(always)]
    fn float(&mut self) -> Result<u32> {
        let (bits, len) = float(self.peek(), None).ok_or(UnusualForm)?;
        self.offset += len;
        Ok(bits)
    }
    #[inline(always)]
    fn seconds(&mut self) -> Result<u32> {
        let (bits, len) = float(self.peek(), Some(b's')).ok_or(UnusualForm)?;
        self.offset += len;
        Ok(bits)
    }
    /// Reads a short string of plain letters.
    #[inline(never)]
    fn string(&mut self) -> Result<Str<'a>> {
        self.take(b" \"")?;
        let mut text = self.peek::<STRING>().iter();
        let mut bytes = [0; STRING];
        let mut count = 0;
        loop {
            let byte = match *text.next().ok_or(UnusualForm)? {
                b'"' => break,
                b'\\' => escape(&mut text)?,
                letter @ b' '..=b'~' => letter,
                _ => return Err(UnusualForm),
            };
            *bytes.get_mut(count).ok_or(UnusualForm)? = byte;
            count += 1;
        }
        self.offset += STRING - text.len();
        Ok(Str::new(self.keep(bytes.get(..=count).ok_or(UnusualForm)?)))
    }
    /// Reads a few bytes in the form in which they are printed.
    #[inline(never)]
    fn data(&mut self) -> Result<&'a [u8]> {
        let mut bytes = [0; BYTES];
        let mut count = 0;
        while let [b' ', b'0', b'x', high, low] = *self.peek::<5>() {
            let digit = |byte: u8| char::from(byte).to_digit(16).ok_or(UnusualForm);
            *bytes.get_mut(count).ok_or(UnusualForm)? = (digit(high)? << 4 | digit(low)?) as u8;
            self.offset += 5;
            count += 1;
        }
        Ok(self.keep(bytes.get(..count).unwrap_or_default()))
    }
    fn keep(&mut self, bytes: &[u8]) -> &'a [u8] {
        self.kit.arena.alloc_slice_copy(bytes)
    }
    #[inline(always)]
    fn open(&mut self, name: &'static str) -> Result<bool> {
        if !self.has(name) {
            return Ok(false);
        }
        self.offset += name.len();
        self.enter()?;
        Ok(true)
    }
    #[inline(always)]
    fn close(&mut self) -> Result<()> {
        self.take(b"}")?;
        self.arrive();
        Ok(())
    }
    #[inline(always)]
    fn record<R: Record<'a>>(&mut self, name: &'static str) -> Result<Option<R>> {
        let record = self.whole_record(name)?;
        self.arrive();
        Ok(record)
    }
    #[inline(always)]
    fn wire<R: Record<'a>>(
        &mut self,
        name: &'static str,
        bytes: &mut Vec<u8>,
        context: &Context,
        fits: impl FnOnce(&R, &[u8]) -> std::result::Result<(), (Option<&'static str>, &'static str)>,
    ) -> Result<bool> {
        let text = self.peek();
        let place = RecentTexts::place(text);
        let mut records = self.kit.records.try_borrow_mut().map_err(|_| UnusualForm)?;
        if let Some(length) = records.repeat_text(place, text, bytes) {
            self.offset += length;
            self.arrive();
            return Ok(true);
        }
        let (start, written) = (self.offset, bytes.len());
        let Some(record) = self.whole_record::<R>(name)? else { return Ok(false) };
        record.walk(&mut Writer::new(bytes, context));
        let bytes = bytes.get(written..).unwrap_or_default();
        fits(&record, bytes).map_err(|_| UnusualForm)?;
        records.keep(place, text, self.offset - start, bytes);
        self.arrive();
        Ok(true)
    }
    fn implies(&self) -> bool {
        true
    }
    fn wants(&self, bits: u32) -> bool {
        self.given & bits == bits && self.given != 0
    }
    fn spills(&mut self, _: u8, _: u8) -> Result<()> {
        Err(UnusualForm)
    }
    fn refuse(&mut self, _: &'static str) -> UnusualForm {
        UnusualForm
    }
}

/// Whether the fast parser reads a row in LMPC's order too: only the rows that occur in each frame. The careful parser
/// reads the few others.
const fn has_two_orders(row: &Schema) -> bool {
    matches!(row.properties.lasts, Lasts::Frame) && alternate(row.fields)
}

/// Writes each message as soon as it is built: keeping it first would copy it.
struct FieldParser<'t, 'a, 'd> {
    cursor: Cursor<'t, 'a, false>,
    data: &'d mut Vec<u8>,
}

impl<'a> FieldParser<'_, 'a, '_> {
    /// Reads a row. A row whose vectors alternate on the wire is read in the order of the last such row first.
    ///
    /// Each row is a function of its own. With all rows of a game in one function, `rustc` needed six times as long for
    /// this crate, and the texts were compiled no faster.
    #[inline(never)]
    fn row<R: Record<'a>>(&mut self) -> Result<R> {
        let are_vectors_apart = self.cursor.kit.are_vectors_apart;
        if const { has_two_orders(&R::SCHEMA) } && are_vectors_apart.get() {
            if let Ok(record) = self.row_apart() {
                return Ok(record);
            }
            are_vectors_apart.set(false);
            return self.row_in::<R, false>(self.cursor);
        }
        let record = self.row_in::<R, false>(self.cursor);
        if const { has_two_orders(&R::SCHEMA) } && record.is_err() {
            let record = self.row_apart()?;
            are_vectors_apart.set(true);
            return Ok(record);
        }
        record
    }

    /// Reads a row whose vectors come one after the other.
    #[inline(never)]
    fn row_apart<R: Record<'a>>(&mut self) -> Result<R> {
        let Cursor { sheet, offset: at, implied, given, listed, bare, vectors, kit } = self.cursor;
        self.row_in::<R, true>(Cursor { sheet, offset: at, implied, given, listed, bare, vectors, kit })
    }

    /// Reads a row with a copy of the cursor: no other code has the copy's address, so it stays in registers.
    #[inline(always)]
    fn row_in<R: Record<'a>, const APART: bool>(&mut self, mut own: Cursor<'_, 'a, APART>) -> Result<R> {
        // Only a message of one value can stand without braces.
        own.bare &= R::SCHEMA.fields.len() == 1 && R::SCHEMA.flags.is_empty();
        let record = R::build(&mut own)?;
        own.leave_vectors()?;
        if !own.bare {
            own.take(b"}")?;
        }
        let mut writer = Writer::new(self.data, own.kit.context);
        writer.op(R::SCHEMA.op);
        record.walk(&mut writer);
        self.cursor.offset = own.offset;
        Ok(record)
    }
}

impl<'a> Source<'a> for FieldParser<'_, 'a, '_> {
    type Error = UnusualForm;

    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self) -> Result<F> {
        self.cursor.flags()
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T> {
        self.cursor.field(field)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T> {
        self.cursor.optional(field, present)
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F> {
        self.cursor.settle(flags)
    }
    #[inline(always)]
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R>) -> T) -> T {
        // This function is never called for such a row, but without the check it would be compiled for it.
        if const { R::SCHEMA.families != 0 } {
            return done(self, Err(UnusualForm));
        }
        let record = self.row();
        done(self, record)
    }
    fn has_family(&self, families: u16) -> bool {
        self.cursor.has_family(families)
    }
    fn unknown(&mut self, op: u8) -> UnusualForm {
        self.cursor.unknown(op)
    }
}
