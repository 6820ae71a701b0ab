//! Numbers as text: the exact decimal if it is finite, otherwise the shortest digits that read back.
//!
//! LMPC's reader requires a point in every float, knows no exponent, and reads through a double; the output
//! here suits it.

use moviola_format::Unit;
use std::sync::LazyLock;

/// A receiver of printed numbers.
pub(crate) trait Out: Sized {
    /// Appends the first `len` bytes of a word: moving a whole word is one instruction, copying `len` bytes
    /// is a call.
    fn put<const N: usize>(&mut self, word: [u8; N], len: usize);
    /// Appends a text that is too long or too rare for `put`.
    fn put_rare(&mut self, print: impl FnOnce(&mut Vec<u8>));
}

impl Out for Vec<u8> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, word: [u8; N], len: usize) {
        let at = self.len();
        self.extend_from_slice(&word);
        self.truncate(at + len);
    }
    #[inline(always)]
    fn put_rare(&mut self, print: impl FnOnce(&mut Vec<u8>)) {
        print(self);
    }
}

/// Up to seven characters and their number, in one register: the first is the lowest byte, the number the
/// highest.
type Short = u64;

/// Up to fifteen characters and their number, packed in the same way.
pub(crate) type Long = u128;

#[inline(always)]
fn put_short(out: &mut impl Out, text: Short) {
    out.put(text.to_le_bytes(), (text >> 56) as usize);
}

#[inline(always)]
pub(crate) fn put_long(out: &mut impl Out, text: Long) {
    out.put(text.to_le_bytes(), (text >> 120) as usize);
}

/// A blank and a number of one byte.
#[allow(clippy::indexing_slicing)] // A constant that panics does not compile.
const BYTES: [Short; 256] = {
    let mut all = [0; 256];
    let mut n = 0;
    while n < 256 {
        let (digits, len) = eight(n as u32);
        all[n] = b' ' as u64 | digits << 8 | (len as u64 + 1) << 56;
        n += 1;
    }
    all
};

/// A blank and a byte in hexadecimal.
#[allow(clippy::indexing_slicing)] // As above.
static HEX: [Short; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut all = [0; 256];
    let mut n = 0;
    while n < 256 {
        all[n] = u64::from_le_bytes([b' ', b'0', b'x', DIGITS[n >> 4], DIGITS[n & 15], 0, 0, 5]);
        n += 1;
    }
    all
};

/// The whole numbers up to that of the largest coordinate of 16 bits, where they need not be loaded over a network.
#[allow(clippy::indexing_slicing)] // As above.
static WHOLES: [Short; if crate::FAST_PATHS { 4097 } else { 1 }] = {
    let mut all = [0; if crate::FAST_PATHS { 4097 } else { 1 }];
    let mut n = 0;
    while n < all.len() {
        let (digits, len) = eight(n as u32);
        all[n] = digits | (len as u64) << 56;
        n += 1;
    }
    all
};

/// A point and 64ths, with as many decimals as each has.
#[allow(clippy::indexing_slicing)] // As above.
const FRACTIONS: [Short; 64] = {
    let mut buffer = [0; 64];
    let mut n = 0;
    while n < 64 {
        let mut decimals = n as u64 * 15_625;
        let mut places = 6;
        while decimals.is_multiple_of(10) && places > 1 {
            decimals /= 10;
            places -= 1;
        }
        let mut text = (places + 1) << 56 | b'.' as u64;
        while places > 0 {
            text |= (b'0' as u64 + decimals % 10) << (8 * places);
            decimals /= 10;
            places -= 1;
        }
        buffer[n] = text;
        n += 1;
    }
    buffer
};

/// A blank and each angle of 8 bits, from -180 degrees on.
#[allow(clippy::indexing_slicing)] // As above.
static ANGLES: [Long; 256] = {
    let mut buffer = [0; 256];
    let mut n = 0;
    while n < 256 {
        let thirty_seconds = (n as i32 - 128).unsigned_abs() * 45;
        let (digits, len) = eight(thirty_seconds / 32);
        let decimals = FRACTIONS[(thirty_seconds % 32 * 2) as usize];
        let (mut text, mut places) = (b' ' as u128, 1);
        if n < 128 {
            text |= (b'-' as u128) << 8;
            places += 1;
        }
        text |= (digits as u128) << (8 * places);
        places += len;
        text |= ((decimals & ((1 << 56) - 1)) as u128) << (8 * places);
        places += (decimals >> 56) as usize;
        buffer[n] = text | (places as u128) << 120;
        n += 1;
    }
    buffer
};

/// Eight digits, the first in the lowest byte. Four digits, then two, then one are split off in parallel
/// within a word.
#[inline(always)]
const fn eight_digits(value: u32) -> u64 {
    const TENS: u64 = 0x000F_000F_000F_000F;
    let fours = (value / 10_000) as u64 | ((value % 10_000) as u64) << 32;
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let pairs = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((pairs * 103) >> 10) & TENS;
    tens | (pairs - 10 * tens) << 8
}

/// Added to digits, this makes them characters.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The digits of a number below 10^8, the first in the lowest byte, and their number.
#[inline(always)]
const fn eight(value: u32) -> (u64, usize) {
    let digits = eight_digits(value);
    let zeros = (digits | 1 << 56).trailing_zeros() / 8;
    ((digits | ZEROS) >> (8 * zeros), 8 - zeros as usize)
}

/// A blank and a whole number.
#[inline(always)]
pub(crate) fn int(out: &mut impl Out, value: i64) {
    match BYTES.get(value as usize) {
        Some(text) => put_short(out, *text),
        None => write_integer(out, value < 0, value.unsigned_abs()),
    }
}

/// A blank, the sign of a negative number, and the digits.
#[inline(always)]
fn write_integer(out: &mut impl Out, negative: bool, magnitude: u64) {
    out.put(*b" -", 1 + usize::from(negative));
    match WHOLES.get(magnitude as usize) {
        Some(text) => put_short(out, *text),
        None if magnitude < EIGHT_DIGITS => {
            let (text, len) = large(magnitude as u32);
            out.put(text.to_le_bytes(), len);
        }
        None => out.put_rare(|out| digits(out, magnitude)),
    }
}

/// Numbers below this have at most eight digits.
const EIGHT_DIGITS: u64 = 100_000_000;

/// [`eight`], not inlined.
#[inline(never)]
fn large(value: u32) -> (u64, usize) {
    eight(value)
}

/// A blank and a byte in hexadecimal.
#[inline(always)]
pub(crate) fn hex(out: &mut impl Out, byte: u8) {
    put_short(out, HEX.get(usize::from(byte)).copied().unwrap_or_default());
}

/// A whole number without a blank.
#[inline(never)]
pub(crate) fn digits(out: &mut Vec<u8>, value: u64) {
    if value < EIGHT_DIGITS {
        let (text, len) = eight(value as u32);
        return out.put(text.to_le_bytes(), len);
    }
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// A blank and a raw number in units, with a point.
#[inline(always)]
pub(crate) fn fixed(out: &mut impl Out, raw: i64, unit: Unit) {
    match unit {
        Unit::Whole => binary(out, raw, 0),
        Unit::Quarter => binary(out, raw, 2),
        Unit::Eighth => binary(out, raw, 3),
        Unit::Sixteenth => binary(out, raw, 4),
        Unit::SixtyFourth => binary(out, raw, 6),
        Unit::Degrees256 => match ANGLES.get((raw + 128) as usize) {
            Some(angle) => put_long(out, *angle),
            None => binary(out, raw * 45, 5),
        },
        Unit::Degrees65536 => degrees(out, raw),
        Unit::Thousandth | Unit::Part255 => out.put_rare(|out| long_fixed(out, raw, unit)),
    }
}

/// A blank and a number of halves, quarters, or up to 64ths: `halved` is the number of halvings.
#[inline(always)]
fn binary(out: &mut impl Out, raw: i64, halved: u32) {
    let magnitude = raw.unsigned_abs();
    write_integer(out, raw < 0, magnitude >> halved);
    let part = magnitude << (6 - halved) & 63;
    put_short(out, FRACTIONS.get(part as usize).copied().unwrap_or_default());
}

/// A blank and an angle in 65536ths of a turn, which is 45 degrees halved thirteen times: each halving is one more
/// decimal, and the last of them is not zero.
#[inline(always)]
fn degrees(out: &mut impl Out, raw: i64) {
    let magnitude = raw.unsigned_abs() * 45;
    write_integer(out, raw < 0, magnitude >> 13);
    let (text, len) = decimals_of_13_bits((magnitude & 0x1FFF) as u32);
    out.put(text, len);
}

/// A point and 8192nds, with all their decimals, and the number of characters.
#[inline(never)]
fn decimals_of_13_bits(part: u32) -> ([u8; 16], usize) {
    let decimals = u64::from(part) * 5u64.pow(13);
    let [high, low] =
        [decimals / 100_000_000, decimals % 100_000_000].map(|eight| eight_digits(eight as u32) | ZEROS);
    // The first three of the upper eight digits are zeros.
    let text = u128::from(b'.') | u128::from(high >> 24) << 8 | u128::from(low) << 48;
    let places = 13 - part.trailing_zeros().min(12);
    (text.to_le_bytes(), 1 + places as usize)
}

/// Numbers in units with other decimals.
fn long_fixed(out: &mut Vec<u8>, raw: i64, unit: Unit) {
    let magnitude = raw.unsigned_abs();
    out.extend_from_slice(if raw < 0 { b" -" } else { b" " });
    if unit == Unit::Thousandth {
        out.extend_from_slice(trimmed(format!("{}.{:03}", magnitude / 1000, magnitude % 1000)).as_bytes());
    } else {
        part255(out, magnitude);
    }
}

/// 255ths have no finite decimal: nine significant digits, as LMPC has them.
fn part255(out: &mut Vec<u8>, raw: u64) {
    static DIGITS: LazyLock<Vec<String>> = LazyLock::new(|| {
        (0..=255u16).map(|raw| trimmed(significant(f64::from(f32::from(raw) / 255.0), 9))).collect()
    });
    if let Some(digits) = DIGITS.get(raw as usize) {
        out.extend_from_slice(digits.as_bytes());
    }
}

/// A number with `digits` significant digits, without an exponent.
fn significant(value: f64, digits: usize) -> String {
    let scale = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let places = usize::try_from(digits as i32 - 1 - scale).unwrap_or(0);
    format!("{value:.places$}")
}

/// A decimal without the zeros at its end, but with at least one decimal.
fn trimmed(mut digits: String) -> String {
    if digits.contains('.') {
        digits.truncate(digits.trim_end_matches('0').len());
        if digits.ends_with('.') {
            digits.push('0');
        }
    } else {
        digits.push_str(".0");
    }
    digits
}

/// A coordinate of whole units and 255ths. 255 of them are printed as a fraction, because their decimal would
/// be the next unit.
pub(crate) fn mixed(out: &mut Vec<u8>, raw: i32) {
    let (whole, part) = (raw >> 8, raw & 0xFF);
    if part == 255 {
        out.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes());
        return out.extend_from_slice(b"+255/255");
    }
    let value = f64::from(whole) + f64::from(part) / 255.0;
    out.extend_from_slice(trimmed(format!("{value:.6}")).as_bytes());
}

/// Recently printed floats with a blank before them, since views that do not turn and repeated scenes print
/// the same ones.
#[derive(Debug)]
pub(crate) struct RecentFloats(Vec<(u32, Long)>);

impl Default for RecentFloats {
    fn default() -> Self {
        // Zero is in the table from the start.
        Self(vec![(0, Self::ZERO); 1 << Self::BITS])
    }
}

impl RecentFloats {
    const BITS: u32 = 9;
    /// " 0.0"
    const ZERO: Long = 0x302E_3020 | 4 << 120;

    /// The text of a float, if it was printed recently.
    #[inline(always)]
    pub(crate) fn find(&self, bits: u32) -> Option<Long> {
        self.0.get(Self::place(bits)).filter(|(known, _)| *known == bits).map(|(_, text)| *text)
    }

    #[inline(always)]
    fn place(bits: u32) -> usize {
        (bits.wrapping_mul(0x9E37_79B1) >> (32 - Self::BITS)) as usize
    }

    /// Prints a float, and remembers its text.
    #[inline(never)]
    pub(crate) fn print_new(&mut self, out: &mut Vec<u8>, bits: u32) {
        let start = out.len();
        out.push(b' ');
        float(out, bits);
        let text = out.get(start..).unwrap_or_default();
        let mut word = [0; size_of::<Long>()];
        if let (0..16, Some(start)) = (text.len(), word.get_mut(..text.len())) {
            start.copy_from_slice(text);
            if let Some(place) = self.0.get_mut(Self::place(bits)) {
                *place = (bits, Long::from_le_bytes(word) | (text.len() as Long) << 120);
            }
        }
    }
}

/// A float by its bits: the shortest digits that read back to the same bits, even through a double.
#[inline]
pub(crate) fn float(out: &mut Vec<u8>, bits: u32) {
    let value = f32::from_bits(bits);
    if value.is_nan() || value.is_infinite() {
        return special(out, bits);
    }
    if value.to_bits() << 1 == 0 {
        return out.extend_from_slice(if bits == 0 { b"0.0" } else { b"-0.0" });
    }
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format_finite(value).as_bytes();
    if digits.len() <= 11 && (0.001..32768.0).contains(&value.abs()) && digits.contains(&b'.') {
        // These digits need no check. Below 2^15 a float has at least 10 binary places, and so has the middle
        // between two floats. So a decimal of k <= 9 places that is not such a middle is away from it by at
        // least 5^-k of the middle's last place, which is 2^-25 of its value or more. A double would round it
        // to the middle, and a float then to the wrong side, only within 2^-53; but 5^-9 * 2^-25 is more than
        // 2^-46.
        return out.extend_from_slice(digits);
    }
    tried_float(out, value);
}

/// A float whose shortest digits may have an exponent, or read back as another float through a double.
fn tried_float(out: &mut Vec<u8>, value: f32) {
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format_finite(value);
    // Only very large or very small numbers have an exponent.
    if digits.contains('e') {
        return long_float(out, value);
    }
    match digits.parse::<f64>() {
        Ok(read) if (read as f32).to_bits() == value.to_bits() => {
            out.extend_from_slice(digits.as_bytes());
            if !digits.contains('.') {
                out.extend_from_slice(b".0");
            }
        }
        _ => long_float(out, value),
    }
}

/// The shortest form without an exponent that reads back through a double.
#[cold]
fn long_float(out: &mut Vec<u8>, value: f32) {
    let reads_back =
        |digits: &str| digits.parse::<f64>().is_ok_and(|it| (it as f32).to_bits() == value.to_bits());
    let candidates = [trimmed(format!("{value}")), trimmed(significant(f64::from(value), 9))];
    let found = candidates.into_iter().find(|digits| reads_back(digits));
    // A float is a double, and the double's shortest digits always read back.
    let digits = found.unwrap_or_else(|| trimmed(format!("{}", f64::from(value))));
    out.extend_from_slice(digits.as_bytes());
}

/// The spelling of a float that is not finite, with the payload if it is unusual.
#[cold]
fn special(out: &mut Vec<u8>, bits: u32) {
    let name = match bits {
        0x7F80_0000 => "inf",
        0xFF80_0000 => "-inf",
        0x7FC0_0000 => "nan",
        0xFFC0_0000 => "-nan",
        _ => return out.extend_from_slice(format!("nan(0x{bits:08X})").as_bytes()),
    };
    out.extend_from_slice(name.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(print: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        print(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn units() {
        for (raw, unit, expected) in [
            (-12, Unit::Eighth, "-1.5"),
            (7, Unit::Eighth, "0.875"),
            (0, Unit::Eighth, "0.0"),
            (3, Unit::Sixteenth, "0.1875"),
            (22, Unit::Whole, "22.0"),
            (1, Unit::Degrees256, "1.40625"),
            (-128, Unit::Degrees256, "-180.0"),
            (1, Unit::Degrees65536, "0.0054931640625"),
            (16384, Unit::Degrees65536, "90.0"),
            (192, Unit::SixtyFourth, "3.0"),
            (50, Unit::Thousandth, "0.05"),
            (128, Unit::Part255, "0.501960814"),
            (255, Unit::Part255, "1.0"),
            (1, Unit::Part255, "0.00392156886"),
        ] {
            assert_eq!(text(|out| fixed(out, raw, unit)), format!(" {expected}"), "{raw} {unit:?}");
        }
    }

    #[test]
    fn floats() {
        for (value, expected) in [
            (0.0f32, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (12.345_678, "12.345678"),
            (1e20, "100000000000000000000.0"),
            (f32::NAN, "nan"),
            (f32::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(text(|out| float(out, value.to_bits())), expected);
        }
        assert_eq!(text(|out| float(out, 0x7F80_0001)), "nan(0x7F800001)");
        assert!(text(|out| float(out, 1)).starts_with("0.00000000000000000000000000000000000000000000"));
    }

    #[test]
    fn floats_printed_lately_are_printed_alike() {
        let mut floats = RecentFloats::default();
        let values = [0.0, -0.0, 1.5, 358.593_75, 0.000_012_345_678, 1e20, f32::NAN, 1_310.623_2];
        for value in values.into_iter().chain((0..2000).map(|n| n as f32 * 0.1)).cycle().take(6000) {
            let bits = value.to_bits();
            let printed = text(|out| float(out, bits));
            for _ in 0..2 {
                let again = text(|out| match floats.find(bits) {
                    Some(text) => put_long(out, text),
                    None => floats.print_new(out, bits),
                });
                assert_eq!(again, format!(" {printed}"));
            }
        }
    }

    #[test]
    fn a_million_floats_read_back_through_a_double() {
        let mut state = 0x2545_F491u32;
        for _ in 0..1_000_000 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let value = f32::from_bits(state);
            if value.is_finite() {
                let digits = text(|out| float(out, state));
                assert!(digits.contains('.') && !digits.contains('e'), "{digits}");
                assert_eq!((digits.parse::<f64>().unwrap() as f32).to_bits(), state, "{digits}");
            }
        }
    }
}
