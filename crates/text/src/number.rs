//! Numbers as text: the exact decimal where it is finite, the shortest digits that read back otherwise.
//!
//! LMPC's reader wants a point in every float and knows no exponent, and it reads through a double. So do these.

use moviola_format::Unit;
use std::sync::LazyLock;

/// A whole number.
#[inline]
pub(crate) fn int(out: &mut Vec<u8>, value: i64) {
    if let Ok(small) = u8::try_from(value) {
        if small < 10 {
            return out.push(b'0' + small);
        }
    }
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

const EIGHTHS: [&[u8]; 8] = [b".0", b".125", b".25", b".375", b".5", b".625", b".75", b".875"];

/// A raw number in units, with a point.
#[inline]
pub(crate) fn fixed(out: &mut Vec<u8>, raw: i64, unit: Unit) {
    let magnitude = raw.unsigned_abs();
    if unit == Unit::Part255 {
        return part255(out, magnitude);
    }
    if raw < 0 {
        out.push(b'-');
    }
    match unit {
        Unit::Whole => {
            int(out, magnitude as i64);
            out.extend_from_slice(b".0");
        }
        Unit::Eighth => {
            int(out, (magnitude >> 3) as i64);
            out.extend_from_slice(EIGHTHS.get((magnitude & 7) as usize).copied().unwrap_or_default());
        }
        Unit::Quarter => binary(out, magnitude, 2),
        Unit::Sixteenth => binary(out, magnitude, 4),
        Unit::SixtyFourth => binary(out, magnitude, 6),
        Unit::Degrees256 => binary(out, magnitude * 45, 5),
        Unit::Degrees65536 => binary(out, magnitude * 45, 13),
        Unit::Thousandth => decimal(out, magnitude / 1000, magnitude % 1000, 3),
        Unit::Part255 => {}
    }
}

/// A fraction of a power of two has as many decimals as the power.
#[inline]
fn binary(out: &mut Vec<u8>, value: u64, bits: u32) {
    let rest = value & ((1 << bits) - 1);
    decimal(out, value >> bits, rest * 5u64.pow(bits), bits as usize);
}

/// A whole part and so many decimals, without the zeros at the end; one stays.
#[inline]
fn decimal(out: &mut Vec<u8>, whole: u64, mut decimals: u64, mut places: usize) {
    int(out, whole as i64);
    out.push(b'.');
    if decimals == 0 {
        return out.push(b'0');
    }
    while decimals % 10 == 0 {
        decimals /= 10;
        places -= 1;
    }
    let mut digits = [b'0'; 20];
    for place in digits.iter_mut().take(places).rev() {
        *place = b'0' + (decimals % 10) as u8;
        decimals /= 10;
    }
    out.extend_from_slice(digits.get(..places).unwrap_or_default());
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

/// So many significant digits, without an exponent.
fn significant(value: f64, digits: usize) -> String {
    let scale = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let places = usize::try_from(digits as i32 - 1 - scale).unwrap_or(0);
    format!("{value:.places$}")
}

/// With a point, and without the zeros at the end; one stays.
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

/// A coordinate of whole units and 255ths. 255 of them are spelled as a fraction, because as a decimal they would be
/// the next unit.
pub(crate) fn mixed(out: &mut Vec<u8>, raw: i32) {
    let (whole, part) = (raw >> 8, raw & 0xFF);
    if part == 255 {
        int(out, i64::from(whole));
        return out.extend_from_slice(b"+255/255");
    }
    let value = f64::from(whole) + f64::from(part) / 255.0;
    out.extend_from_slice(trimmed(format!("{value:.6}")).as_bytes());
}

/// A float by its bits: the shortest digits that read back to the same bits, also through a double.
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
    let digits = buffer.format_finite(value);
    // An exponent is written only where the number is very large or small.
    if digits.contains('e') {
        return long_float(out, value);
    }
    match digits.parse::<f64>() {
        Ok(read) if (read as f32).to_bits() == bits => {
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

/// The spelling of what is no number; the payload where it is not the usual one.
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

    fn text(print: impl Fn(&mut Vec<u8>)) -> String {
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
            assert_eq!(text(|out| fixed(out, raw, unit)), expected, "{raw} {unit:?}");
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
