//! Floats and times in all their spellings.

use crate::common::{Random, compiled, same, text_with, try_compile};
use moviola_text::*;

/// A recording with only times, of these bits.
fn times(bits: impl Iterator<Item = u32>) -> Vec<u8> {
    let block: Vec<u8> = bits.flat_map(|bits| [7].into_iter().chain(bits.to_le_bytes())).collect();
    [b"-1\n", &(block.len() as u32).to_le_bytes()[..], &[0; 12], &block].concat()
}

#[test]
fn a_million_floats_come_back() {
    let mut random = Random(1_000_000);
    for round in 0..5u32 {
        let file = times((0..200_000u32).map(|n| match n % 8 {
            // Denormals, not-a-numbers with payloads, and neighbors.
            0 => random.next() as u32 & 0x807F_FFFF,
            1 => random.next() as u32 | 0x7F80_0000,
            2 => (round * 25_000 + n / 8).wrapping_mul(0x0100_0001),
            _ => random.next() as u32,
        }));
        let text = text_with(&file, &DecompileOptions { bare: true, ..DecompileOptions::default() });
        same("floats", &compiled(&text), &file);
    }
}

/// The bits that a spelling of a time means; `None` for a mistake.
fn time(spelling: &str) -> Option<u32> {
    let text = format!("track \"\"; block {{ camera 0.0 0.0 0.0; time {spelling}; }}");
    let block = try_compile(text.as_bytes(), &CompileOptions::default()).ok()?;
    block[17..].first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

#[test]
fn spellings_of_floats() {
    let f = |value: f32| Some(value.to_bits());
    for (spelling, expected) in [
        ("0.0", f(0.0)),
        ("-0.0", f(-0.0)),
        ("-0", f(-0.0)),
        ("5", f(5.0)),
        ("5.", f(5.0)),
        ("0x10", f(16.0)),
        ("1.5e3", f(1500.0)),
        ("1.5E+3", f(1500.0)),
        ("1e-3", f(0.001)),
        ("1.40129846e-45", Some(1)),
        ("0.1", f(0.1)),
        ("0.100000001", f(0.1)),
        ("16777217.0", f(16_777_216.0)),
        ("340282346638528859811704183484516925440.0", f(f32::MAX)),
        ("340282366920938463463374607431768211456.0", None),
        ("-1e39", None),
        ("1e400", None),
        ("inf", f(f32::INFINITY)),
        ("-inf", f(f32::NEG_INFINITY)),
        ("nan", Some(0x7FC0_0000)),
        ("-nan", Some(0xFFC0_0000)),
        ("nan(0x7F800001)", Some(0x7F80_0001)),
        ("nan(0xffc00123)", Some(0xFFC0_0123)),
        ("nan(0x3F800000)", None),
        ("nan(0x1FFFFFFFF)", None),
        ("nan(7F800001)", None),
        ("NaN", None),
        (".5", None),
        ("1.2.3", None),
        ("1e", None),
        ("--1.0", None),
        ("0x", None),
        ("0xG", None),
        ("1,5", None),
        ("-", None),
    ] {
        assert_eq!(time(spelling), expected, "{spelling}");
    }
    let digits = "123456789012345678901234567890";
    assert_eq!(time(&format!("0.{digits}{digits}{digits}")), f(0.123_456_79), "many digits");
    assert_eq!(time(&format!("0.{}1", "0".repeat(30))), f(1e-31));
}

#[test]
fn spellings_of_times() {
    let f = |value: f32| Some(value.to_bits());
    for (spelling, expected) in [
        ("12.34567833s", f(12.345_678)),
        ("12.34567833 s", f(12.345_678)),
        ("90.5s", f(90.5)),
        ("1:1.50000000m", f(61.5)),
        ("1 : 1.5 m", f(61.5)),
        ("0x1:1.5m", f(61.5)),
        ("1:01:1.25000000h", f(3661.25)),
        ("-1:0.5m", f(-59.5)),
        ("-2147483648:-2147483648:nanh", Some(0x7FC0_0000)),
        ("-2147483648:-2147483648:-nanh", Some(0xFFC0_0000)),
        ("1:1.5s", None),
        ("1.5m", None),
        ("1:1.5h", None),
        ("1:1:1.5m", None),
        ("1:1:1:1.5h", None),
        ("1.5 s s", None),
        ("s", None),
        (":1.5m", None),
    ] {
        assert_eq!(time(spelling), expected, "{spelling}");
    }
    // LMPC calculates in floats: the parts of a long time are added with a float's precision.
    assert_eq!(time("277:46:39.99999999h"), f(39.999_999_99 + 60.0 * 46.0 + 3600.0 * 277.0));
}
