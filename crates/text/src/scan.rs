//! The characters of a text: blanks and comments, words, numbers, strings.
//!
//! A [`Scanner`] walks a window of the text. When it looks past the window's end it remembers that, so that a caller
//! who has more text reads on and tries again.

use crate::{Code, Diagnostic, Fix};
use bstr::ByteSlice;
use moviola_format::Unit;

/// How much of a line a diagnostic carries.
const LONGEST_LINE: usize = 1 << 14;

/// A place in the window: where it begins and how long it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) at: usize,
    pub(crate) len: usize,
}

impl Span {
    /// The place that [`Scanner::gone`] remembers.
    pub(crate) const GONE: Self = Self { at: usize::MAX, len: 0 };
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    /// Its value; whole numbers below 2^53 are exact.
    pub(crate) value: f64,
    /// Whole numbers, decimal or hexadecimal, exactly.
    pub(crate) whole: Option<i64>,
    /// The bits of a float that no digits can say: not a number, with its payload.
    pub(crate) bits: Option<u32>,
    pub(crate) span: Span,
}

/// More than the longest keyword of a field and what follows it.
const HERE: usize = 32;

/// A number of few digits, as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    negative: bool,
    /// Whether it is written with a point.
    pub(crate) pointed: bool,
    /// Its magnitude times [`Plain::SCALE`]: below 10^15, so exact also as a double.
    scaled: u64,
}

impl Plain {
    /// Eight decimals.
    const SCALE: u64 = 100_000_000;

    /// A whole number's value.
    #[inline(always)]
    pub(crate) fn whole(self) -> i64 {
        self.signed(self.scaled / Self::SCALE)
    }

    /// Its value: the quotient of two numbers that are exact is rounded once, as it is for any other number.
    #[inline(always)]
    pub(crate) fn value(self) -> f64 {
        let magnitude = self.scaled as f64 / Self::SCALE as f64;
        if self.negative { -magnitude } else { magnitude }
    }

    /// The nearest number of units, away from zero where two are as near; none for a unit where this could differ from
    /// the same sum in doubles.
    ///
    /// With at most seven digits on either side of the point, a number that is not just between two of these units is
    /// at least 1e-7 away from there, and doubles of that size are off by less than 1e-8.
    #[inline(always)]
    pub(crate) fn nearest(self, unit: Unit) -> Option<i64> {
        if matches!(unit, Unit::Part255 | Unit::Thousandth | Unit::Degrees65536) {
            return None;
        }
        let (num, den) = unit.fraction();
        let whole = num as u64 * Self::SCALE;
        Some(self.signed((2 * self.scaled * den as u64 + whole) / (2 * whole)))
    }

    #[inline(always)]
    fn signed(self, magnitude: u64) -> i64 {
        if self.negative { -(magnitude as i64) } else { magnitude as i64 }
    }
}

/// How many digits there are at the start of a word of eight characters (seven at most), and these digits alone, the
/// first in the lowest byte.
#[inline(always)]
fn leading_digits(word: &[u8; 8]) -> (u64, u32) {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let digits = u64::from_le_bytes(*word) ^ 0x3030_3030_3030_3030;
    // A byte above 9 gets its high bit.
    let others = (((digits & !HIGH) + 0x7676_7676_7676_7676) | digits) & HIGH;
    let count = (others | 1 << 63).trailing_zeros() / 8;
    (digits & ((1 << (8 * count)) - 1), count)
}

/// The value of eight digits, the first in the lowest byte: neighbours are added up to pairs, fours, and all.
#[inline(always)]
fn eight_digits(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00FF_0000_00FF;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    high.wrapping_add(low) >> 32
}

/// Walks over text.
#[derive(Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t [u8],
    pub(crate) pos: usize,
    /// The characters at the token that [`arrive`](Scanner::arrive) went to; zeros behind the text.
    here: [u8; HERE],
    /// Whether it looked past the end.
    pub(crate) hit_end: bool,
    /// Whether the window's end is the text's.
    complete: bool,
    /// Where the window begins in the whole text, and on which line.
    origin: (u64, u64),
    pub(crate) mistakes: Vec<Diagnostic>,
    /// A place in the text that the window no longer has: the keyword of a block that is longer.
    pub(crate) gone: Option<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// How many of each are noted.
    pub(crate) limit: usize,
}

#[inline(always)]
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t [u8], origin: (u64, u64), complete: bool) -> Self {
        Self {
            text,
            pos: 0,
            here: [0; HERE],
            hit_end: false,
            complete,
            origin,
            mistakes: Vec::new(),
            warnings: Vec::new(),
            gone: None,
            limit: usize::MAX,
        }
    }

    /// The next character, if there is one.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let next = self.text.get(self.pos).copied();
        self.hit_end |= next.is_none();
        next
    }

    #[inline]
    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.pos + ahead).copied()
    }

    pub(crate) fn slice(&self, span: Span) -> &'t [u8] {
        self.text.get(span.at..span.at + span.len).unwrap_or_default()
    }

    fn rest(&self) -> &'t [u8] {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The next characters, unless the window ends there: then nothing is fast.
    #[inline(always)]
    fn ahead<const N: usize>(&self) -> Option<&'t [u8; N]> {
        self.text.get(self.pos..)?.first_chunk()
    }

    /// Steps over blanks and comments.
    #[inline(always)]
    pub(crate) fn skip(&mut self) {
        if !self.skip_indent() {
            self.skip_more();
        }
    }

    /// Steps over a line's end and up to seven blanks; says whether something else comes then.
    #[inline(always)]
    fn skip_indent(&mut self) -> bool {
        let Some([first, rest @ ..]) = self.ahead::<10>() else { return false };
        if *first > b' ' {
            return *first != b'/';
        }
        let mut word = [0; 8];
        word.copy_from_slice(rest.get(..8).unwrap_or(&[0; 8]));
        let blanks = (u64::from_le_bytes(word) ^ 0x2020_2020_2020_2020).trailing_zeros() as usize / 8;
        if !matches!(*first, b' ' | b'\n') {
            return false;
        }
        self.pos += 1 + blanks;
        rest.get(blanks).is_some_and(|byte| *byte > b' ' && *byte != b'/')
    }

    #[inline(never)]
    fn skip_more(&mut self) {
        loop {
            match self.text.get(self.pos) {
                Some(b' ' | b'\n' | b'\t' | b'\r' | 0x0C) => self.pos += 1,
                Some(b'/') if self.peek_at(1) == Some(b'/') => self.skip_comment(),
                Some(_) => return,
                None => {
                    self.hit_end = true;
                    return;
                }
            }
            if self.skip_indent() {
                return;
            }
        }
    }

    fn skip_comment(&mut self) {
        let rest = self.rest();
        let newline = rest.find_byte(b'\n');
        self.hit_end |= newline.is_none();
        self.pos = newline.map_or(self.text.len(), |newline| self.pos + newline + 1);
    }

    /// Steps over blanks and comments, then says what comes.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<u8> {
        self.skip();
        self.peek()
    }

    /// Goes to the next token, and looks at it once for all that may be asked about it.
    #[inline(always)]
    pub(crate) fn arrive(&mut self) {
        self.skip();
        match self.ahead() {
            Some(here) => self.here = *here,
            None => self.arrive_late(),
        }
    }

    /// [`arrive`](Scanner::arrive) where the window may end.
    #[cold]
    fn arrive_late(&mut self) {
        self.hit_end = true;
        let rest = self.rest();
        self.here = [0; HERE];
        self.here.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    }

    /// Whether the token that [`arrive`](Scanner::arrive) went to is exactly this word.
    ///
    /// In line and with a word that is known where it is called: then it is compared as one or two numbers.
    #[inline(always)]
    pub(crate) fn is_here(&self, word: &str) -> bool {
        self.here.first() == word.as_bytes().first()
            && self.here.get(..word.len()) == Some(word.as_bytes())
            && self.here.get(word.len()).is_some_and(|byte| *byte == b' ' || !is_word(*byte))
    }

    /// Whether exactly this word comes; blanks are stepped over.
    pub(crate) fn at_word(&mut self, word: &str) -> bool {
        self.skip();
        let rest = self.rest();
        if !rest.starts_with(word.as_bytes()) {
            self.hit_end |= rest.len() <= word.len();
            return false;
        }
        let after = rest.get(word.len());
        self.hit_end |= after.is_none();
        after.is_none_or(|byte| !is_word(*byte))
    }

    /// Takes this word if it comes.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.pos += word.len();
        }
        found
    }

    /// Takes exactly these characters, if they come at once.
    pub(crate) fn take_text(&mut self, text: &[u8]) -> bool {
        let found = self.rest().starts_with(text);
        self.hit_end |= self.rest().len() < text.len();
        self.pos += if found { text.len() } else { 0 };
        found
    }

    /// Takes any word.
    #[inline]
    pub(crate) fn word(&mut self) -> Span {
        self.skip();
        let len = self.rest().iter().position(|byte| !is_word(*byte)).unwrap_or_else(|| {
            self.hit_end = true;
            self.rest().len()
        });
        let span = Span { at: self.pos, len };
        self.pos += len;
        span
    }

    /// Takes this character if it comes.
    #[inline(always)]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        if self.text.get(self.pos) == Some(&byte) {
            self.pos += 1;
            return true;
        }
        self.take_further(byte)
    }

    /// Takes this character if it comes behind blanks.
    #[inline(never)]
    fn take_further(&mut self, byte: u8) -> bool {
        let found = self.next() == Some(byte);
        self.pos += usize::from(found);
        found
    }

    /// The token at the cursor, for pointing at it.
    pub(crate) fn token(&mut self) -> Span {
        self.skip();
        let rest = self.rest();
        let len = match rest.first() {
            None => 0,
            Some(b'"') => string_len(rest),
            Some(b';' | b'{' | b'}') => 1,
            Some(_) => rest
                .iter()
                .position(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b';' | b'{' | b'}' | b'"'))
                .unwrap_or(rest.len()),
        };
        let len = len.min(rest.len());
        let comment = rest.get(1..len).filter(|_| rest.first() != Some(&b'"')).and_then(|it| it.find(b"//"));
        Span { at: self.pos, len: comment.map_or(len, |at| at + 1) }
    }

    /// The last token of a statement that begins at `start` and that the cursor is in or behind; not `;` and braces.
    #[cold]
    pub(crate) fn last_token(&mut self, start: usize, end: usize) -> Span {
        let pos = std::mem::replace(&mut self.pos, start);
        let mut last = Span { at: start, len: 1 };
        loop {
            let token = self.token();
            if token.len == 0 || token.at >= end {
                break;
            }
            if !matches!(self.peek(), Some(b';' | b'{' | b'}')) {
                last = token;
            }
            self.pos += token.len;
        }
        self.pos = pos;
        last
    }

    /// Takes a number of up to seven digits on either side of its point, if one comes that ends with a blank, a line
    /// or `;`, or with `unit` and `;`. All others are for [`number`](Scanner::number).
    ///
    /// Which lengths numbers have is as good as random, and every wrong guess of the processor costs as much as taking
    /// a number without branches: so eight digits are taken at once, whatever there is.
    #[inline(always)]
    pub(crate) fn plain(&mut self, unit: Option<u8>) -> Option<Plain> {
        let ahead = self.ahead::<24>()?;
        let blank = usize::from(ahead.first() == Some(&b' '));
        let negative = ahead.get(blank) == Some(&b'-');
        let start = blank + usize::from(negative);
        let (digits, count) = leading_digits(ahead.get(start..)?.first_chunk()?);
        let mut end = start + count as usize;
        // The digits go to the end of the word, where the ones are.
        let mut scaled = eight_digits(digits << (56 - 8 * count) << 8) * Plain::SCALE;
        let pointed = ahead.get(end) == Some(&b'.');
        if pointed {
            // Decimals begin the word.
            let (decimals, places) = leading_digits(ahead.get(end + 1..)?.first_chunk()?);
            scaled += eight_digits(decimals);
            end += 1 + places as usize;
        }
        match (ahead.get(end)?, unit) {
            (b';' | b' ' | b'\n', _) if count > 0 => {}
            (byte, Some(unit)) if *byte == unit && ahead.get(end + 1) == Some(&b';') && count > 0 => end += 1,
            _ => return None,
        }
        self.pos += end;
        Some(Plain { negative, pointed, scaled })
    }

    /// Takes a byte as `0x1F`, if one comes that ends with a blank, a line or `;`.
    #[inline]
    pub(crate) fn hex_byte(&mut self) -> Option<u8> {
        self.skip();
        let [b'0', b'x', high, low, b' ' | b'\n' | b';'] = *self.ahead::<5>()? else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let value = digit(high)? << 4 | digit(low)?;
        self.pos += 4;
        Some(value as u8)
    }

    /// Takes a number, if one comes.
    pub(crate) fn number(&mut self) -> Option<Number> {
        self.skip();
        let at = self.pos;
        let negative = self.peek() == Some(b'-');
        let mut pos = at + usize::from(negative);
        let first = pos;
        let (mut mantissa, mut point) = (0u64, None);
        loop {
            match self.text.get(pos) {
                Some(digit @ b'0'..=b'9') => {
                    mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
                }
                Some(b'.') if point.is_none() && pos > first => point = Some(pos),
                Some(byte) if is_word(*byte) || *byte == b'(' || *byte == b'.' => {
                    return self.odd_number(at);
                }
                Some(_) => break,
                None => {
                    self.hit_end = true;
                    break;
                }
            }
            pos += 1;
        }
        if pos == first {
            return None;
        }
        if pos - first > 16 {
            return self.odd_number(at);
        }
        let places = point.map_or(0, |point| pos - point - 1);
        let magnitude = mantissa as f64 / POWERS.get(places).copied().unwrap_or(f64::NAN);
        let whole = point.is_none().then_some(if negative { -(mantissa as i64) } else { mantissa as i64 });
        self.pos = pos;
        let value = if negative { -magnitude } else { magnitude };
        Some(Number { value, whole, bits: None, span: Span { at, len: pos - at } })
    }

    /// Numbers that are not just a few digits: hexadecimal, with an exponent, very long, or none at all.
    #[cold]
    fn odd_number(&mut self, at: usize) -> Option<Number> {
        let rest = self.text.get(at..)?;
        let len = rest
            .iter()
            .position(|byte| !(is_word(*byte) || matches!(byte, b'.' | b'-' | b'+' | b'(' | b')')))
            .unwrap_or_else(|| {
                self.hit_end = true;
                rest.len()
            });
        let token = std::str::from_utf8(rest.get(..len)?).ok()?;
        let span = Span { at, len };
        let number = parse_odd(token, span).or_else(|| {
            // A time's unit may stand right behind it.
            let (digits, unit) = token.split_at_checked(len.checked_sub(1)?)?;
            let span = Span { at, len: len - 1 };
            matches!(unit, "s" | "m" | "h").then(|| parse_odd(digits, span)).flatten()
        })?;
        self.pos = at + number.span.len;
        Some(number)
    }

    /// Takes a string in quotes; gives its bytes with a NUL behind them.
    pub(crate) fn string(&mut self, bytes: &mut Vec<u8>) -> bool {
        if self.next() != Some(b'"') {
            let token = self.token();
            // A word alone was meant as one.
            let word = self.slice(token);
            let alone =
                self.text.get(token.at + token.len) == Some(&b';') && !word.is_empty() && word.is_ascii();
            let fix = alone.then(|| (token, format!("\"{}\"", String::from_utf8_lossy(word))));
            let message = "a string in double quotes is expected here".into();
            self.mistake_with(Code::ExpectedString, token, message, None, fix);
            return false;
        }
        let start = self.pos;
        self.pos += 1;
        loop {
            let rest = self.rest();
            let Some(len) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n')) else {
                self.hit_end = true;
                return self.open_string(start);
            };
            bytes.extend_from_slice(rest.get(..len).unwrap_or_default());
            self.pos += len;
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    return true;
                }
                Some(b'\\') => self.escape(bytes),
                _ => return self.open_string(start),
            }
        }
    }

    fn open_string(&mut self, start: usize) -> bool {
        let len = self.pos - start;
        let line = self.text.get(start..self.pos).unwrap_or_default().trim_ascii_end();
        let quote = start + line.strip_suffix(b";").unwrap_or(line).len();
        self.mistake_with(
            Code::OpenString,
            Span { at: start, len },
            "this string does not end on its line".into(),
            Some("close it with `\"`; a line break is said `\\n`".into()),
            Some((Span { at: quote, len: 0 }, "\"".into())),
        );
        false
    }

    /// One to three octal digits, `n`, `r`, or any other character for itself.
    fn escape(&mut self, bytes: &mut Vec<u8>) {
        self.pos += 1;
        let Some(byte) = self.peek() else { return };
        let (mut value, mut digits) = (0u32, 0);
        while let (Some(digit @ b'0'..=b'7'), true) = (self.peek_at(digits), digits < 3) {
            value = value * 8 + u32::from(digit - b'0');
            digits += 1;
        }
        if digits > 0 && value < 256 {
            self.pos += digits;
            return bytes.push(value as u8);
        }
        self.pos += 1;
        match byte {
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            other => bytes.push(other),
        }
    }

    /// Whether what was just read looked past the window's end, though not the text's: it comes again with more text.
    #[inline]
    pub(crate) fn must_wait(&self) -> bool {
        self.hit_end && !self.complete
    }

    /// A place as diagnostics point at it.
    pub(crate) fn place(&self, span: Span) -> Diagnostic {
        let before = self.text.get(..span.at).unwrap_or(self.text);
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let line = self.text.get(line_start..).unwrap_or_default();
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = line.get(..LONGEST_LINE).unwrap_or(line);
        let (offset, first_line) = self.origin;
        Diagnostic {
            code: Code::MissingBrace,
            message: String::new(),
            line: first_line + newlines(before),
            column: span.at.saturating_sub(line_start) + 1,
            length: span.len.max(1),
            offset: offset + span.at as u64,
            source: String::from_utf8_lossy(line).trim_end_matches('\r').to_owned(),
            help: None,
            fix: None,
        }
    }

    /// Notes a mistake.
    #[cold]
    pub(crate) fn mistake(&mut self, code: Code, span: Span, message: String, help: Option<String>) {
        self.mistake_with(code, span, message, help, None);
    }

    /// Notes a mistake and what mends it.
    #[cold]
    pub(crate) fn mistake_with(
        &mut self,
        code: Code,
        span: Span,
        message: String,
        help: Option<String>,
        fix: Option<(Span, String)>,
    ) {
        if self.mistakes.len() >= self.limit {
            return;
        }
        if self.must_wait() {
            // The rest of the text may mend it.
            return;
        }
        let diagnostic = self.diagnostic(code, span, message, help, fix);
        let said = |last: &Diagnostic| last.code == code && last.offset == diagnostic.offset;
        if self.mistakes.last().is_some_and(said) {
            // A list that lacks many numbers lacks them at one place.
            return;
        }
        self.mistakes.push(diagnostic);
    }

    /// Notes what is no mistake, but probably not meant.
    #[cold]
    pub(crate) fn warn(&mut self, code: Code, span: Span, message: String, help: Option<String>) {
        if self.warnings.len() < self.limit {
            let diagnostic = self.diagnostic(code, span, message, help, None);
            self.warnings.push(diagnostic);
        }
    }

    fn diagnostic(
        &self,
        code: Code,
        span: Span,
        message: String,
        help: Option<String>,
        fix: Option<(Span, String)>,
    ) -> Diagnostic {
        let place = match &self.gone {
            Some(gone) if span == Span::GONE => gone.clone(),
            _ => self.place(span),
        };
        let (offset, _) = self.origin;
        let fix = fix.map(|(span, replacement)| Fix {
            offset: offset + span.at as u64,
            length: span.len,
            replacement,
        });
        Diagnostic { code, message, help, fix, ..place }
    }

    /// After a mistake: goes behind the end of the statement at hand.
    pub(crate) fn recover(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.next() {
                None => return,
                Some(b';') if depth == 0 => {
                    self.pos += 1;
                    return;
                }
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 0 => return,
                Some(b'}') => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos += 1;
                        return;
                    }
                }
                Some(b'"') => {
                    self.pos += self.token().len.max(1);
                    continue;
                }
                Some(_) => {}
            }
            self.pos += 1;
        }
    }
}

/// How long the string at the start of `text` is, its quotes included; it ends at the latest with its line.
fn string_len(text: &[u8]) -> usize {
    let mut len = 1;
    loop {
        match text.get(len) {
            Some(b'"') => return len + 1,
            Some(b'\\') => len += 2,
            Some(b'\n') | None => return len.min(text.len()),
            Some(_) => len += 1,
        }
    }
}

/// How many lines end in `bytes`. Counting in bytes lets the compiler count 16 at once; wider, it took a tenth of the
/// time of compiling.
pub(crate) fn newlines(bytes: &[u8]) -> u64 {
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    bytes.chunks(240).map(|part| u64::from(count(part))).sum()
}

/// Hexadecimal, with an exponent, long, or the names of what is no number.
fn parse_odd(token: &str, span: Span) -> Option<Number> {
    let number = |value: f64, whole, bits| Some(Number { value, whole, bits, span });
    let special = |bits: u32| number(f64::from(f32::from_bits(bits)), None, Some(bits));
    match token {
        "nan" => return special(0x7FC0_0000),
        "-nan" => return special(0xFFC0_0000),
        "inf" => return special(0x7F80_0000),
        "-inf" => return special(0xFF80_0000),
        _ => {}
    }
    if let Some(payload) = token.strip_prefix("nan(0x").and_then(|rest| rest.strip_suffix(')')) {
        let bits = u32::from_str_radix(payload, 16).ok()?;
        return f32::from_bits(bits).is_nan().then(|| special(bits)).flatten();
    }
    if let Some(digits) = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X")) {
        let whole = i64::from_str_radix(digits, 16).ok()?;
        return number(whole as f64, Some(whole), None);
    }
    let first = token.trim_start_matches('-').as_bytes().first()?;
    if !first.is_ascii_digit() {
        return None;
    }
    let value = token.parse::<f64>().ok()?;
    number(value, token.parse().ok(), None)
}
