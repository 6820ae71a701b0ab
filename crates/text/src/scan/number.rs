//! Numbers as written: the plain ones fast and exact, and all the odd ones that people and old programs wrote.

use super::{Scanner, Span, is_word};
use moviola_format::Unit;

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

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// A number of up to seven digits on either side of its point and how long it is, if one comes that ends with a blank, a
/// line or `;`, or with `unit` and `;`. All others are for [`number`](Scanner::number).
///
/// Which lengths numbers have is as good as random, and every wrong guess of the processor costs as much as taking a
/// number without branches: so eight digits are taken at once, whatever there is.
#[inline(always)]
pub(crate) fn plain(text: &[u8], unit: Option<u8>) -> Option<(Plain, usize)> {
    let ahead = text.first_chunk::<24>()?;
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
    Some((Plain { negative, pointed, scaled }, end))
}

impl Scanner<'_> {
    /// Takes a [`plain`] number, if one comes.
    #[inline(always)]
    pub(crate) fn plain(&mut self, unit: Option<u8>) -> Option<Plain> {
        let (plain, len) = plain(self.rest(), unit)?;
        self.pos += len;
        Some(plain)
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
