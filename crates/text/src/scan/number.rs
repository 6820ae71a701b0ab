//! Numbers as written: a fast and exact path for plain ones, and a path for the odd forms of people and old
//! programs.

use super::{Scanner, Span, is_word};
use moviola_format::Unit;

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    /// Its value; whole numbers below 2^53 are exact.
    pub(crate) value: f64,
    /// The exact value of a whole number, decimal or hexadecimal.
    pub(crate) whole: Option<i64>,
    /// The bits of a float without digits: a not-a-number, with its payload.
    pub(crate) bits: Option<u32>,
    pub(crate) span: Span,
}

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

    /// Its value: the quotient of two exact numbers is rounded once, as in parsing any other number.
    #[inline(always)]
    pub(crate) fn value(self) -> f64 {
        let magnitude = self.scaled as f64 / Self::SCALE as f64;
        if self.negative { -magnitude } else { magnitude }
    }

    /// The nearest number of units, away from zero in a tie; `None` for a unit in which doubles might give
    /// another result.
    ///
    /// With at most seven digits before the point and eight decimals, a number that is not exactly between two of
    /// these units is at least 1e-8 away from the middle, and doubles of that size have errors below 2e-9.
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

/// The most digits that are counted in a word of eight characters.
const SEVEN: u32 = 7;

/// The number of digits at the start of a word of eight characters ([`SEVEN`] at most), and these digits alone,
/// the first in the lowest byte.
#[inline(always)]
fn leading_digits(word: &[u8; 8]) -> (u64, u32) {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let digits = u64::from_le_bytes(*word) ^ 0x3030_3030_3030_3030;
    // A byte above 9 gets its high bit.
    let others = (((digits & !HIGH) + 0x7676_7676_7676_7676) | digits) & HIGH;
    let count = (others | 1 << 63).trailing_zeros() / 8;
    (digits & ((1 << (8 * count)) - 1), count)
}

/// The value of eight digits, the first in the lowest byte: neighbors are combined into pairs, fours, and all
/// eight.
#[inline(always)]
fn eight_digits(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00FF_0000_00FF;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    high.wrapping_add(low) >> 32
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The number of characters that are examined for a number and its end.
pub(crate) const NUMBER: usize = 24;

/// Reads a number of up to seven digits before its point and eight decimals that ends with a blank, a line end or
/// `;`, or with `unit` and `;`; returns it with its length. All others are for [`number`](Scanner::number).
///
/// The lengths of numbers are nearly random, and a wrong prediction of the processor costs as much as reading
/// a number without branches. So eight digits are always read together, whether digits or not.
#[inline]
pub(crate) fn plain(text: &[u8; NUMBER], unit: Option<u8>) -> Option<(Plain, usize)> {
    let blank = usize::from(text.first() == Some(&b' '));
    let negative = text.get(blank) == Some(&b'-');
    let start = blank + usize::from(negative);
    let (digits, count) = leading_digits(text.get(start..)?.first_chunk()?);
    let mut end = start + count as usize;
    // The digits move to the end of the word, where the ones belong.
    let mut scaled = eight_digits(digits << (56 - 8 * count) << 8) * Plain::SCALE;
    let pointed = text.get(end) == Some(&b'.');
    if pointed {
        // The decimals are at the start of the word.
        let (decimals, places) = leading_digits(text.get(end + 1..)?.first_chunk()?);
        scaled += eight_digits(decimals);
        end += 1 + places as usize;
        if places == SEVEN {
            // LMPC prints nine digits: eight decimals of a number below ten, and a ninth below one, mostly a zero.
            if let Some(eighth @ b'0'..=b'9') = text.get(end) {
                scaled += u64::from(eighth - b'0');
                end += 1;
            }
            end += usize::from(text.get(end) == Some(&b'0'));
        }
    }
    match (text.get(end)?, unit) {
        (b';' | b' ' | b'\n', _) if count > 0 => {}
        (byte, Some(unit)) if *byte == unit && text.get(end + 1) == Some(&b';') && count > 0 => end += 1,
        _ => return None,
    }
    Some((Plain { negative, pointed, scaled }, end))
}

/// Whether this ends a number.
#[inline(always)]
fn ends(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b';' | b' ' | b'\n'))
}

/// Reads a blank, a sign and up to four digits; also returns the place of their end.
#[inline(always)]
fn four_digits(text: &[u8; NUMBER]) -> Option<(bool, u32, usize)> {
    const HIGH: u32 = 0x8080_8080;
    let negative = text.get(1) == Some(&b'-');
    let start = 1 + usize::from(negative);
    let digits = u32::from_le_bytes(*text.get(start..)?.first_chunk()?) ^ 0x3030_3030;
    // As in `leading_digits`, but with numbers that fit into instructions.
    let others = (((digits & !HIGH) + 0x7676_7676) | digits) & HIGH;
    let count = (u64::from(others) | 1 << 39).trailing_zeros() / 8;
    if count == 0 || text.first() != Some(&b' ') {
        return None;
    }
    let pairs = (digits << (32 - 8 * count)).wrapping_mul(10 << 8 | 1) >> 8 & 0x00FF_00FF;
    let value = pairs.wrapping_mul(100 << 16 | 1) >> 16;
    Some((negative, value, start + count as usize))
}

/// Reads a blank and a whole number; also returns their length.
#[inline(always)]
pub(crate) fn whole(text: &[u8; NUMBER]) -> Option<(i64, usize)> {
    match four_digits(text) {
        Some((negative, value, end)) if ends(text.get(end)) => {
            Some((if negative { -i64::from(value) } else { i64::from(value) }, end))
        }
        _ => long_whole(text),
    }
}

#[inline(never)]
fn long_whole(text: &[u8; NUMBER]) -> Option<(i64, usize)> {
    /// The number of digits that fit.
    const DIGITS: usize = 18;
    let blank = usize::from(text.first() == Some(&b' '));
    let negative = text.get(blank) == Some(&b'-');
    let start = blank + usize::from(negative);
    let digits = text.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit());
    let (value, count) = digits
        .take(DIGITS)
        .fold((0, 0), |(value, count), digit| (10 * value + i64::from(digit - b'0'), count + 1));
    let end = start + count;
    (count > 0 && ends(text.get(end))).then_some((if negative { -value } else { value }, end))
}

/// The decimals of a 32nd: the mask of their bytes in the word after the point, their characters, their
/// number, and the 32nds.
#[derive(Clone, Copy)]
struct Decimals {
    mask: u64,
    text: u64,
    len: usize,
    value: u32,
}

/// The decimals of all 32nds by their first two digits, which differ for all.
#[allow(clippy::indexing_slicing)] // A constant that panics does not compile.
static DECIMALS: [Decimals; 100] = {
    // The unused entries match no text.
    let mut all = [Decimals { mask: 0, text: 1, len: 0, value: 0 }; 100];
    let mut value = 0;
    while value < 32 {
        let mut rest = value as u64 * 3125;
        let first = (rest / 1000) as usize;
        let (mut text, mut len) = (0, 0);
        while len == 0 || rest > 0 {
            text |= (b'0' as u64 + rest / 10_000) << (8 * len);
            rest = rest % 10_000 * 10;
            len += 1;
        }
        all[first] = Decimals { mask: (1 << (8 * len)) - 1, text, len, value };
        value += 1;
    }
    all
};

/// Reads a blank and a number of 32nds, if its decimals are exactly those of a 32nd; also returns their
/// length.
#[inline(always)]
fn thirty_seconds(text: &[u8; NUMBER]) -> Option<(i64, usize)> {
    let (negative, whole, point) = four_digits(text)?;
    let [b'.', decimals @ ..] = text.get(point..)?.first_chunk::<9>()? else { return None };
    let [first, second, ..] = *decimals;
    let second = second.wrapping_sub(b'0');
    let place =
        10 * usize::from(first.wrapping_sub(b'0')) + usize::from(if second < 10 { second } else { 0 });
    let known = DECIMALS.get(place)?;
    let end = point + 1 + known.len;
    if u64::from_le_bytes(*decimals) & known.mask != known.text || !ends(text.get(end)) {
        return None;
    }
    let magnitude = i64::from(whole << 5 | known.value);
    Some((if negative { -magnitude } else { magnitude }, end))
}

/// Reads a blank and a number in units, and returns the nearest raw number and the length; `None` for numbers
/// that are for [`number`](Scanner::number).
#[inline(always)]
pub(crate) fn units(text: &[u8; NUMBER], unit: Unit) -> Option<(i64, usize)> {
    let each = match unit {
        Unit::Whole => 32,
        Unit::Quarter => 8,
        Unit::Eighth => 4,
        Unit::Sixteenth => 2,
        Unit::Degrees256 => 45,
        Unit::SixtyFourth => return other_units(text, unit),
        Unit::Part255 | Unit::Thousandth | Unit::Degrees65536 => return long_units(text, unit),
    };
    match thirty_seconds(text) {
        Some((sum, end)) if sum % each == 0 => Some((sum / each, end)),
        _ => other_units(text, unit),
    }
}

#[inline(never)]
fn other_units(text: &[u8; NUMBER], unit: Unit) -> Option<(i64, usize)> {
    let (plain, len) = plain(text, None)?;
    Some((plain.nearest(unit)?, len))
}

/// Reads a number in units with many decimals. It must be exact, or clearly not in the middle between two
/// units; otherwise doubles must decide which is nearer.
#[inline(never)]
fn long_units(text: &[u8; NUMBER], unit: Unit) -> Option<(i64, usize)> {
    /// The number 1 in the decimals that are read.
    const ONE: u64 = 10u64.pow(16);
    const PART: u64 = ONE / 8192;
    const THOUSANDTH: u64 = ONE / 1000;
    let (negative, whole, point) = four_digits(text)?;
    let [b'.', decimals @ ..] = text.get(point..)?.first_chunk::<17>()? else { return None };
    let ([high, low], _) = decimals.as_chunks::<8>() else { return None };
    let (first, count) = leading_digits(high);
    // Seven digits may be eight, if the eighth character is a digit.
    let is_long = count == 7 && high.last().is_some_and(u8::is_ascii_digit);
    let (mut part, mut places) = (eight_digits(first), count);
    if is_long {
        let (second, more) = leading_digits(low);
        part = (part + u64::from(*high.last()? - b'0')) * 100_000_000 + eight_digits(second);
        places = 8 + more;
    } else {
        part *= 100_000_000;
    }
    let end = point + 1 + places as usize;
    if places == 0 || !ends(text.get(end)) {
        return None;
    }
    let magnitude = match unit {
        Unit::Degrees65536 => {
            let sum = u64::from(whole) * 8192 + part / PART;
            (part.is_multiple_of(PART) && sum.is_multiple_of(45)).then_some(sum / 45)
        }
        Unit::Thousandth => {
            part.is_multiple_of(THOUSANDTH).then_some(u64::from(whole) * 1000 + part / THOUSANDTH)
        }
        _ => {
            let twice = (u128::from(whole) * u128::from(ONE) + u128::from(part)) * 510;
            let (sum, rest) = (twice / u128::from(2 * ONE), twice % u128::from(2 * ONE));
            (rest != u128::from(ONE)).then_some((sum + u128::from(rest > u128::from(ONE))) as u64)
        }
    }?;
    Some((if negative { -(magnitude as i64) } else { magnitude as i64 }, end))
}

impl Scanner<'_> {
    /// Takes a [`plain`] number, if one is next.
    #[inline(always)]
    pub(crate) fn plain(&mut self, unit: Option<u8>) -> Option<Plain> {
        let (plain, len) = plain(self.ahead()?, unit)?;
        self.pos += len;
        Some(plain)
    }

    /// Takes a byte such as `0x1F`, if one is next that ends with a blank, a line end or `;`.
    #[inline]
    pub(crate) fn hex_byte(&mut self) -> Option<u8> {
        self.skip();
        let [b'0', b'x', high, low, b' ' | b'\n' | b';'] = *self.ahead::<5>()? else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let value = digit(high)? << 4 | digit(low)?;
        self.pos += 4;
        Some(value as u8)
    }

    /// Takes a number, if one is next.
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
        Some(Number { value, whole, bits: None, span: Span { offset: at, len: pos - at } })
    }

    /// Takes a number as LMPC's lexer did, which ends it at the first character that cannot belong to it:
    /// `-45.5.` is -45.5 and a point. A longer word that begins with such a number is left for
    /// [`number`](Scanner::number).
    pub(crate) fn number_for_lmpc(&mut self) -> Option<Number> {
        self.skip();
        let span = Span { offset: self.pos, len: lmpc_number(self.rest())? };
        let ends = self.text.get(span.offset + span.len).is_none_or(|byte| !is_word(*byte));
        let number = parse_odd(std::str::from_utf8(self.slice(span)).ok()?, span).filter(|_| ends)?;
        self.pos += span.len;
        Some(number)
    }

    /// Reads numbers of unusual form: hexadecimal, with an exponent, very long, or not finite.
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
        // A closing bracket without an opening one is not part of the number.
        let token = if token.contains('(') { token } else { token.trim_end_matches(')') };
        let len = token.len();
        let span = Span { offset: at, len };
        let number = parse_odd(token, span).or_else(|| {
            // The unit of a time may follow directly.
            let (digits, unit) = token.split_at_checked(len.checked_sub(1)?)?;
            let span = Span { offset: at, len: len - 1 };
            matches!(unit, "s" | "m" | "h").then(|| parse_odd(digits, span)).flatten()
        })?;
        self.pos = at + number.span.len;
        Some(number)
    }
}

/// The length of the number that LMPC's lexer takes from the start of a text, if it takes one.
fn lmpc_number(text: &[u8]) -> Option<usize> {
    let digits = |at: usize, hex: bool| {
        let rest = text.get(at..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit() || hex && byte.is_ascii_hexdigit()).count()
    };
    if let Some(len) = Some(digits(2, true)).filter(|len| *len > 0 && text.starts_with(b"0x")) {
        return Some(2 + len);
    }
    let first = usize::from(text.first() == Some(&b'-'));
    let end = first + Some(digits(first, false)).filter(|len| *len > 0)?;
    if text.get(end) != Some(&b'.') {
        return Some(end);
    }
    let end = end + 1 + digits(end + 1, false);
    let signed = matches!(text.get(end + 1), Some(b'-' | b'+'));
    let exponent = end + 1 + usize::from(signed);
    match digits(exponent, false) {
        len if len > 0 && matches!(text.get(end), Some(b'e' | b'E')) => Some(exponent + len),
        _ => Some(end),
    }
}

/// Parses hexadecimal numbers, exponents, long numbers, and the names of floats that are not finite.
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

#[cfg(test)]
mod tests {
    use super::*;

    const UNITS: [Unit; 9] = [
        Unit::Whole,
        Unit::Quarter,
        Unit::Eighth,
        Unit::Sixteenth,
        Unit::SixtyFourth,
        Unit::Degrees256,
        Unit::Degrees65536,
        Unit::Part255,
        Unit::Thousandth,
    ];

    /// The start of a line with this number, as in a row's field.
    fn line(number: &str) -> [u8; NUMBER] {
        let mut text = [b' '; NUMBER];
        let written = format!(" {number};\n");
        text.iter_mut().zip(written.bytes()).for_each(|(to, from)| *to = from);
        text
    }

    #[test]
    fn fast_and_careful_scans_agree() {
        let mut state = 0x2545_F491_4F6C_DD1Du64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..300_000 {
            let sign = ["", "-"][random(2) as usize];
            let (digits, places) = (10u64.pow(random(10) as u32), random(15) as usize);
            let decimals = format!("{:015}", random(1 << 31) * random(1 << 18) % 10u64.pow(15));
            let number = match random(4) {
                0 => format!("{sign}{}", random(digits)),
                1 => format!("{sign}{}.{}", random(digits), random(32) * 3125 % 100_000),
                2 => format!("{sign}{}", f64::from(random(1 << 16) as u16) * 360.0 / 65536.0),
                _ => format!("{sign}{}.{}", random(digits), &decimals[..places]),
            };
            let value: f64 = number.parse().unwrap();
            let text = line(&number);
            let length = number.len() + 1;
            if let Some(found) = whole(&text) {
                assert_eq!(found, (number.parse().unwrap(), length), "{number}");
            }
            for unit in UNITS {
                if let Some(found) = units(&text, unit) {
                    assert_eq!(found, (unit.nearest(value), length), "{number} in {unit:?}");
                }
            }
        }
    }

    #[test]
    fn printed_numbers_take_the_fast_path() {
        for (number, unit, raw) in [
            ("-1.5", Unit::Eighth, -12),
            ("4095.875", Unit::Eighth, 32767),
            ("0.0", Unit::Degrees256, 0),
            ("-178.59375", Unit::Degrees256, -127),
            ("0.0054931640625", Unit::Degrees65536, 1),
            ("-180.0", Unit::Degrees65536, -32768),
            ("0.501960814", Unit::Part255, 128),
            ("0.05", Unit::Thousandth, 50),
            ("3.0", Unit::SixtyFourth, 192),
            // LMPC's nine digits.
            ("0.00000000", Unit::Eighth, 0),
            ("-9.50000000", Unit::Eighth, -76),
            ("0.187500000", Unit::Sixteenth, 3),
            ("-147.656250", Unit::Degrees256, -105),
        ] {
            assert_eq!(units(&line(number), unit), Some((raw, number.len() + 1)), "{number}");
        }
        assert_eq!(whole(&line("-32768")), Some((-32768, 7)));
    }

    #[test]
    fn odd_numbers_are_for_the_careful_reader() {
        for number in ["", "-", ".5", "1e3", "0x10", "nan", "1.5.2", "5x"] {
            assert_eq!(whole(&line(number)), None, "{number}");
            assert_eq!(units(&line(number), Unit::Eighth), None, "{number}");
        }
    }
}
