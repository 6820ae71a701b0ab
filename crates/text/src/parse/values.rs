//! The parser as a medium: it provides a row's fields and a kind's values.

use super::number::is_stray;
use super::{Mode, ParseStop, Parser, Result, Word};
use crate::scan::{Number, Plain, Span};
use crate::{SPARE_BITS, TextCode};
use moviola_format::{Context, Field, Flags, Record, Scalar, Source, Str, Unit, ValueSource};

impl<'a> Source<'a> for Parser<'_, 'a> {
    type Error = ParseStop;

    fn flags<F: Flags<'a>>(&mut self) -> Result<F> {
        if !F::DERIVED {
            let flags = F::take_field(&NAMELESS, self)?;
            if self.scan.report_counts().0 > self.noted {
                // The flag word decides which fields there are.
                return Err(ParseStop::Mistake);
            }
            self.word.given = flags.bits();
            return Ok(flags);
        }
        self.word = Word::default();
        if F::SPARE != 0 && self.has(SPARE_BITS) {
            self.line(SPARE_BITS)?;
            while self.more() {
                let bit = self.int(0, 31)?;
                if F::SPARE >> bit & 1 == 1 || self.lmpc {
                    self.word.implied |= 1u32 << bit;
                } else {
                    self.bit_not_spare(bit);
                }
            }
            self.end()?;
        }
        if matches!(self.mode, Mode::Indexed(_)) && self.has(MASK) {
            self.line(MASK)?;
            let bits = self.int(0, i64::from(u32::MAX))? as u32;
            self.end()?;
            self.word.explicit = Some(bits);
            return Ok(self.placed(F::exactly(bits, &self.context)));
        }
        Ok(F::default())
    }
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T> {
        let value = T::take_field(field, self)?;
        self.word.implied |= value.implied(0, &self.context);
        Ok(value)
    }
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T> {
        let given = self.word.given != 0 || self.word.explicit.is_some();
        let asked = if given && !T::SILENT { present } else { T::is_offered(field, self) };
        if asked {
            let value = T::take_field(field, self)?;
            self.word.implied |= value.implied(field.bit, &self.context);
            return Ok(value);
        }
        Ok(T::default())
    }
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F> {
        if !F::DERIVED || self.word.explicit.is_some() {
            return Ok(flags);
        }
        let flags = F::canonical(self.word.implied, &self.context);
        if flags.bits() & self.word.implied != self.word.implied {
            return Err(self.not_in_protocol(self.word.implied & !flags.bits()));
        }
        Ok(self.placed(flags))
    }
    fn has_family(&self, families: u16) -> bool {
        self.schema.is_some_and(|schema| schema.families & families != 0)
    }
    fn unknown(&mut self, _: u8) -> ParseStop {
        ParseStop::Mistake
    }
}

/// The longest string that engines read, into 2048 bytes.
const LONGEST_STRING: usize = 2047;

pub(super) use crate::print::MASK;
use crate::print::NAMELESS;

impl<'a> ValueSource<'a> for Parser<'_, 'a> {
    type Error = ParseStop;

    fn context(&self) -> &Context {
        &self.context
    }
    fn line(&mut self, name: &'static str) -> Result<()> {
        match self.mode {
            Mode::Ordered if self.scan.is_here(name) => {
                self.scan.pos += name.len();
                Ok(())
            }
            Mode::Ordered => Err(ParseStop::OutOfOrder),
            _ => self.line_elsewhere(name),
        }
    }
    fn has(&mut self, name: &'static str) -> bool {
        if matches!(self.mode, Mode::Ordered) { self.scan.is_here(name) } else { self.has_elsewhere(name) }
    }
    fn bare(&mut self) -> bool {
        self.mode == Mode::Bare
    }
    fn end(&mut self) -> Result<()> {
        self.semicolon()?;
        if matches!(self.mode, Mode::Ordered) {
            self.scan.arrive();
        }
        Ok(())
    }
    fn more(&mut self) -> bool {
        if self.lmpc {
            self.strays();
        }
        match self.scan.next() {
            None | Some(b';' | b'}' | b'{') => false,
            Some(byte) if byte.is_ascii_alphabetic() => !self.at_next_field(),
            Some(b',' | b':' | b')' | b']') => !self.at_other_end(),
            Some(_) => true,
        }
    }
    fn int(&mut self, min: i64, max: i64) -> Result<i64> {
        let start = self.scan.pos;
        match self.scan.plain(None) {
            Some(plain) if !plain.pointed && (min..=max).contains(&plain.whole()) => Ok(plain.whole()),
            _ => Ok(self.any_int(start, min, max)),
        }
    }
    fn fixed(&mut self, unit: Unit, min: i64, max: i64) -> Result<i64> {
        let start = self.scan.pos;
        match self.plain_units(unit) {
            Some(raw) if (min..=max).contains(&raw) => Ok(raw),
            _ => Ok(self.any_fixed(start, unit, min, max)),
        }
    }
    fn angle(&mut self, unit: Unit, bits: u32) -> Result<i64> {
        let start = self.scan.pos;
        let raw = self.plain_units(unit).unwrap_or_else(|| self.any_units(start, unit, "an angle").1);
        let shift = 64 - bits;
        Ok(raw << shift >> shift)
    }
    fn mixed(&mut self) -> Result<i32> {
        let number = self.pointed("a coordinate");
        self.finite_number(number);
        // Whole units and 255/255: the spelling for a value whose decimal would be the next unit.
        if self.scan.take_text(b"+255/255") {
            return Ok((number.value as i32) << 8 | 255);
        }
        let parts = (number.value.clamp(-32769.0, 32768.0) * 255.0).round() as i32;
        let whole = parts.div_euclid(255);
        if !(-0x8000..=0x7FFF).contains(&whole) {
            self.out_of_range(number, "-32768", "32767.996");
        }
        Ok(whole << 8 | parts.rem_euclid(255))
    }
    fn float(&mut self) -> Result<u32> {
        if let Some(plain) = self.plain_float(None) {
            return Ok((plain.value() as f32).to_bits());
        }
        let number = self.pointed("a number");
        if let Some(bits) = number.bits {
            return Ok(bits);
        }
        self.fits_float(number.span, number.value as f32);
        Ok((number.value as f32).to_bits())
    }
    fn finite(&mut self) -> Result<u32> {
        self.scan.next();
        let start = self.scan.pos;
        let bits = self.float()?;
        if !f32::from_bits(bits).is_finite() {
            let span = Span { offset: start, len: self.scan.pos.saturating_sub(start) };
            self.finite_number(Number {
                value: f64::from(f32::from_bits(bits)),
                whole: None,
                bits: None,
                span,
            });
        }
        Ok(bits)
    }
    fn seconds(&mut self) -> Result<u32> {
        let start = self.scan.pos;
        if let Some(plain) = self.plain_float(Some(b's')) {
            if self.scan.peek() == Some(b';') {
                return Ok((plain.value() as f32).to_bits());
            }
            // The unit may stand after a blank.
            self.scan.pos = start;
        }
        let mut last = self.number("a time");
        let first = last.span.offset;
        let mut parts = [last.value, 0.0, 0.0];
        let mut bits = last.bits;
        let mut count = 1;
        for part in parts.iter_mut().skip(1) {
            if self.lmpc {
                self.strays();
            }
            if !self.scan.take(b':') {
                break;
            }
            self.whole_for_lmpc(last);
            last = self.number("a number");
            bits = bits.or(last.bits);
            *part = last.value;
            count += 1;
        }
        self.pointed_for_lmpc(last);
        while count >= parts.len() && self.scan.take(b':') {
            // The time has more parts than a time can have.
            count += 1;
            last = self.number("a number");
        }
        if self.lmpc {
            self.strays();
        }
        let unit = ["s", "m", "h"].into_iter().zip(1..).find(|(unit, _)| self.scan.take_word(unit));
        // LMPC requires the unit in times with parts.
        let fits = unit.map_or(count == 1 || !self.lmpc, |(_, parts)| parts == count);
        if !fits {
            let token = self.scan.last_token(self.keyword.offset, self.scan.pos);
            let help = "`1.5s`, `2:03.5m` or `1:02:03.5h`";
            self.scan.mistake(
                TextCode::NotPossible,
                token,
                "the parts of this time do not fit its unit".into(),
                help,
            );
        }
        if let Some(bits) = bits {
            return Ok(bits);
        }
        let [a, b, c] = parts.map(|part| part as f32);
        let time = match count {
            1 => a,
            2 => b + 60.0 * a,
            _ => c + 60.0 * b + 3600.0 * a,
        };
        let end = last.span.offset + last.span.len;
        self.fits_float(Span { offset: first, len: end.saturating_sub(first) }, time);
        Ok(time.to_bits())
    }
    fn string(&mut self) -> Result<Str<'a>> {
        let open_end = self.scan.take_word("unterminated");
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let quote = self.scan.next() == Some(b'"');
        let left_out = !quote && self.quote_left_out();
        if !quote && !left_out {
            self.strays_before_string();
        }
        let start = self.scan.pos;
        let read = left_out || self.scan.string(&mut bytes);
        if quote && read && (self.scan.goes_on() || self.scan.goes_on_in_words()) {
            self.quotes_inside();
        }
        if let Some(nul) = bytes.iter().position(|byte| *byte == 0) {
            if !self.lmpc {
                let span = Span { offset: start, len: self.scan.pos - start };
                let help = "strings end at a NUL on the wire: take it and what follows out";
                self.scan.mistake(TextCode::NulInString, span, "a string cannot hold `\\000`".into(), help);
            }
            bytes.truncate(nul);
        }
        if bytes.len() > LONGEST_STRING {
            self.long_string(start, &mut bytes);
        }
        if open_end {
            self.open_end = true;
        } else {
            bytes.push(0);
        }
        let kept = self.arena.alloc_slice_copy(&bytes);
        self.scratch = bytes;
        if !read {
            self.skip_value();
        }
        Ok(Str::new(kept))
    }
    fn data(&mut self) -> Result<&'a [u8]> {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        loop {
            if let Some(byte) = self.scan.hex_byte() {
                bytes.push(byte);
            } else if self.more() {
                bytes.push(self.int(0, 255)? as u8);
            } else {
                break;
            }
        }
        let kept = self.arena.alloc_slice_copy(&bytes);
        self.scratch = bytes;
        Ok(kept)
    }
    fn keep(&mut self, bytes: &[u8]) -> &'a [u8] {
        self.arena.alloc_slice_copy(bytes)
    }
    fn open(&mut self, name: &'static str) -> Result<bool> {
        let indexed = matches!(self.mode, Mode::Indexed(_));
        let opened = self.enter(name)?;
        if opened && indexed {
            self.open_by_index(name);
        } else if opened {
            self.scan.arrive();
        }
        Ok(opened)
    }
    fn close(&mut self) -> Result<()> {
        if let Mode::Indexed(base) = self.mode {
            self.close_by_index(base)?;
        } else if !self.scan.take(b'}') && !self.other_close() {
            let token = self.scan.token();
            self.scan.mistake(
                TextCode::Misplaced,
                token,
                "this cannot stand here".into(),
                "a `}` is missing before it, or a `{`",
            );
            return Err(ParseStop::Mistake);
        }
        self.mode = self.outer.pop().unwrap_or(Mode::Ordered);
        self.scan.arrive();
        Ok(())
    }
    fn record<R: Record<'a>>(&mut self, name: &'static str) -> Result<Option<R>> {
        // A record with mistakes is left out, so that those of the next are reported as well.
        while self.enter(name)? {
            if let Ok(record) = self.inner_record(name) {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
    fn wants(&self, bits: u32) -> bool {
        self.word.explicit.is_some_and(|mask| mask & bits == bits)
            || self.word.given & bits == bits && self.word.given != 0
    }
    fn wraps_values(&self) -> bool {
        self.lmpc
    }
    fn spills(&mut self, byte: u8, next: u8) -> Result<()> {
        let token = self.scan.last_token(self.keyword.offset, self.scan.pos);
        let text = String::from_utf8_lossy(self.scan.slice(token)).into_owned();
        let message =
            format!("{text} does not fit a byte: 0x{next:02X} is sent after it, as a message of its own");
        let help = "it can be 0 to 255; LMPC's texts have here what follows, too";
        self.scan.warn(TextCode::SpillingNumber, token, message, help, Some((token, byte.to_string())));
        Ok(())
    }
    fn refuse(&mut self, why: &'static str) -> ParseStop {
        if self.scan.report_counts().0 > self.noted {
            // The number that replaces an unfitting one may be impossible: that is not a second mistake.
            return ParseStop::Mistake;
        }
        let token = self.scan.last_token(self.keyword.offset, self.scan.pos);
        self.not_possible(token, why)
    }
    fn refuse_field(&mut self, name: &'static str, why: &'static str) -> ParseStop {
        if self.scan.report_counts().0 > self.noted {
            return ParseStop::Mistake;
        }
        let pos = self.scan.pos;
        let field = self.place_of_field(name).or_else(|| self.scan.last_word(name, self.keyword.offset));
        self.scan.pos = field.map_or(self.keyword.offset, |field| field.offset + field.len);
        let value = self.scan.token();
        self.scan.pos = pos;
        self.not_possible(value, why)
    }
}

/// The cases that the fast paths above do not handle.
impl<'a> Parser<'_, 'a> {
    /// Reads a record in a message; its brace was already read.
    #[inline(always)]
    fn inner_record<R: Record<'a>>(&mut self, name: &'static str) -> Result<R> {
        let (start, noted, outer) = (self.scan.pos, self.scan.report_counts(), self.outer.len());
        self.scan.arrive();
        let (schema, keyword, word) = (self.schema.replace(const { &R::SCHEMA }), self.keyword, self.word);
        let called = std::mem::replace(&mut self.called, name);
        let outcome = R::build(self).and_then(|record| self.end_record().map(|()| record));
        let outcome = match outcome {
            Err(ParseStop::OutOfOrder) => {
                self.scan.forget(noted);
                self.outer.truncate(outer);
                self.keyword = self.scan.word_before(start.saturating_sub(1));
                self.out_of_order(start, R::build)
            }
            Err(stop) => {
                self.outer.truncate(outer);
                self.skip_record(start);
                Err(stop)
            }
            Ok(record) => Ok(record),
        };
        (self.word, self.schema, self.keyword, self.called) = (word, schema, keyword, called);
        self.mode = self.outer.pop().unwrap_or(Mode::Ordered);
        self.scan.arrive();
        outcome
    }

    #[cold]
    fn bit_not_spare(&mut self, bit: i64) {
        if self.scan.report_counts().0 > self.noted {
            return;
        }
        let token = self.scan.last_token(self.keyword.offset, self.scan.pos);
        let message = format!("bit {bit} is none of the unknown ones of `{}`", self.called);
        let help = "take it out: the fields imply the bits that they need";
        self.scan.mistake(TextCode::NotPossible, token, message, help);
    }

    /// Skips characters without a meaning before a string; other quotes belong to the string.
    pub(crate) fn strays_before_string(&mut self) {
        if self.scan.next().is_some_and(is_stray) && (self.lmpc || !self.scan.at_quote()) {
            self.strays();
        }
    }

    fn not_possible(&mut self, value: Span, why: &str) -> ParseStop {
        let help = format!("`moviola explain {}` says what it takes", self.called);
        self.scan.mistake(TextCode::NotPossible, value, why.into(), help);
        ParseStop::Mistake
    }

    /// [`line`](ValueSource::line) of a message without braces, or by its index.
    fn line_elsewhere(&mut self, name: &'static str) -> Result<()> {
        let Mode::Indexed(base) = self.mode else { return Ok(()) };
        if let Some(spot) = self.spot(base, name) {
            spot.used = true;
            let values = spot.values;
            self.scan.pos = values;
            return Ok(());
        }
        self.missing_field(base, name);
        Err(ParseStop::Mistake)
    }

    /// [`has`](ValueSource::has) of a message without braces, or by its index.
    fn has_elsewhere(&mut self, name: &'static str) -> bool {
        let Mode::Indexed(base) = self.mode else { return false };
        self.spot(base, name).is_some()
    }

    /// Reports the fields with these bits, which the protocol does not send.
    #[cold]
    fn not_in_protocol(&mut self, bits: u32) -> ParseStop {
        let protocol = self.protocol();
        let names = self.schema.into_iter().flat_map(|schema| schema.fields);
        let names: Vec<_> = names.filter(|field| field.bit & bits != 0).map(|field| field.name).collect();
        let place = names.first().and_then(|name| self.place_of_field(name));
        let message = match names.as_slice() {
            [] => format!("protocol {protocol} has not all of these fields"),
            names => format!("protocol {protocol} has no `{}` in `{}`", names.join("` and `"), self.called),
        };
        self.scan.mistake(TextCode::WrongProtocol, place.unwrap_or(self.keyword), message, PROTOCOL_HELP);
        ParseStop::Mistake
    }

    /// Goes into the next record of this name, if there is one.
    fn enter(&mut self, name: &'static str) -> Result<bool> {
        if self.mode == Mode::Bare || !self.has(name) {
            return Ok(false);
        }
        self.line(name)?;
        let braces = matches!(self.mode, Mode::Indexed(_))
            && self.scan.slice(Span { offset: self.scan.pos - 1, len: 1 }) == b"{";
        if !braces && !self.scan.take(b'{') && !self.other_open() {
            let token = self.scan.token();
            let help = format!("`{name} {{ … }}`");
            self.scan.mistake(TextCode::MissingBrace, token, format!("`{name}` needs a `{{`"), help);
            return Err(ParseStop::Mistake);
        }
        // Inside, fields are read in order; an index belongs to one record only.
        self.outer.push(std::mem::replace(&mut self.mode, Mode::Ordered));
        Ok(true)
    }

    /// Whether the next line begins with a field or a statement, so that the `;` of the current one is
    /// missing.
    #[cold]
    fn at_next_field(&mut self) -> bool {
        let token = self.scan.token();
        self.scan.begins_line(token) && self.begins(token)
    }

    /// A float of the usual form, if one is next.
    fn plain_float(&mut self, unit: Option<u8>) -> Option<Plain> {
        let start = self.scan.pos;
        let plain = self.scan.plain(unit)?;
        if self.lmpc && !plain.pointed {
            self.scan.pos = start;
            return None;
        }
        Some(plain)
    }

    /// A number in units of the usual form, if one is next.
    fn plain_units(&mut self, unit: Unit) -> Option<i64> {
        if self.lmpc { None } else { self.scan.plain(None)?.nearest(unit) }
    }

    /// A number in units, of any form.
    fn any_units(&mut self, start: usize, unit: Unit, what: &str) -> (Number, i64) {
        self.scan.pos = start;
        let number = self.pointed(what);
        self.finite_number(number);
        (number, self.raw(number, unit))
    }

    fn any_int(&mut self, start: usize, min: i64, max: i64) -> i64 {
        self.scan.pos = start;
        let number = self.number("a number");
        self.finite_number(number);
        self.whole_for_lmpc(number);
        let value = number.whole.unwrap_or_else(|| number.value.round() as i64);
        if (min..=max).contains(&value) {
            return value;
        }
        if number.span.len == 0 {
            // There is no number, which was reported already.
            return min.max(0);
        }
        // A hexadecimal number gives the bits: 0xFFFF in 16 bits is -1.
        let bits = min == !max && (0..=max - min).contains(&value) && self.is_hex(number);
        if bits || self.lmpc {
            return wrap(value, min, max);
        }
        self.out_of_range(number, &min.to_string(), &max.to_string());
        min.max(0)
    }

    fn any_fixed(&mut self, start: usize, unit: Unit, min: i64, max: i64) -> i64 {
        let (number, raw) = self.any_units(start, unit, "a number");
        if (min..=max).contains(&raw) {
            return raw;
        }
        if self.lmpc {
            return wrap(raw, min, max);
        }
        self.out_of_range(number, &unit.value(min).to_string(), &unit.value(max).to_string());
        min.max(0)
    }

    /// A flag word at its place: inside of a list it may count differently.
    fn placed<'b, F: Flags<'b>>(&self, flags: F) -> F {
        if self.outer.is_empty() || self.lmpc { flags } else { flags.listed(&self.context) }
    }

    #[cold]
    fn long_string(&mut self, start: usize, bytes: &mut Vec<u8>) {
        let span = Span { offset: start, len: self.scan.pos - start };
        let message = format!("this string is {} bytes; engines read {LONGEST_STRING}", bytes.len());
        let help = "what is left over they take for the next message";
        self.scan.warn(TextCode::LongString, span, message, help, None);
        if self.lmpc {
            bytes.truncate(LONGEST_STRING);
        }
    }

    /// Whether the message just read has an explicit flag word.
    pub(crate) fn has_mask(&self) -> bool {
        self.word.explicit.is_some()
    }
}

/// The help for a message or a field that is not in the current protocol.
pub(crate) const PROTOCOL_HELP: &str =
    "the `serverinfo` before it names the protocol; a text without one says `protocol 666;`";

/// The result of LMPC's casts for a number that does not fit.
fn wrap(value: i64, min: i64, max: i64) -> i64 {
    let width = (i128::from(max) - i128::from(min) + 1).max(1);
    let turned = (i128::from(value) - i128::from(min)).rem_euclid(width) + i128::from(min);
    turned as i64
}
