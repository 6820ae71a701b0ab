//! Numbers in JSON, with only the digits that the recording's numbers have.
//!
//! A recording's clocks and positions are numbers of 32 bits; printed as 64 bits they end in meaningless
//! digits (`70.05000305175781`).

use serde::{Serialize, Serializer};

/// The number nearest to a value with the fewest digits that distinguish it from other numbers of 32 bits;
/// whole numbers stay unchanged.
///
/// ```
/// use moviola_analyse::in_few_digits;
/// assert_eq!(in_few_digits(f64::from(70.05_f32)), 70.05);
/// assert_eq!(in_few_digits(4294967295.0), 4294967295.0);
/// ```
pub fn in_few_digits(value: f64) -> f64 {
    let short = value as f32;
    if value.fract() == 0.0 || !short.is_finite() {
        return value;
    }
    let wide = f64::from(short);
    // Positions are eighths. Below this limit a number of fewer digits is never the same `f32`.
    if (wide * 8.0).fract() == 0.0 && wide.abs() < 32768.0 {
        return wide;
    }
    // Clocks have few digits. Below these limits, only one number of four (or three) digits is the same `f32`.
    for (digits, limit) in [(1e4, 1024.0), (1e3, 8192.0)] {
        let rounded = (wide * digits).round() / digits;
        if wide.abs() < limit && (rounded as f32).to_bits() == short.to_bits() {
            return rounded;
        }
    }
    short.to_string().parse().unwrap_or(value)
}

/// A number that serializes to JSON with as few digits as its `f32` needs.
///
/// ```
/// use moviola_analyse::digits::ShortFloat;
/// assert_eq!(serde_json::to_string(&ShortFloat(f64::from(70.05_f32))).unwrap(), "70.05");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShortFloat(pub f64);

impl Serialize for ShortFloat {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(in_few_digits(self.0))
    }
}

/// Serializes a field of a struct with as few digits as its `f32` needs.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Level {
///     #[serde(serialize_with = "moviola_analyse::digits::short")]
///     length: f64,
/// }
/// let level = Level { length: f64::from(1.4_f32) };
/// assert_eq!(serde_json::to_string(&level).unwrap(), r#"{"length":1.4}"#);
/// ```
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
pub fn short<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    ShortFloat(*value).serialize(to)
}

/// Serializes an optional field with as few digits as its `f32` needs.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Level {
///     #[serde(serialize_with = "moviola_analyse::digits::some")]
///     time: Option<f64>,
/// }
/// assert_eq!(serde_json::to_string(&Level { time: None }).unwrap(), r#"{"time":null}"#);
/// ```
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
pub fn some<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    value.map(ShortFloat).serialize(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_conversions_give_the_same_as_the_slow_one() {
        let long = |value: f32| {
            if value.fract() == 0.0 { value.into() } else { value.to_string().parse::<f64>().unwrap() }
        };
        let mut bits = 1u32;
        for step in 0..200_000u32 {
            // Any numbers, eighths, and clocks that count tenths or thousandths of a second.
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let all = [
                f32::from_bits(bits),
                step as f32 / 8.0,
                step as f32 / 10.0,
                step as f32 * 0.001,
                bits as f32 / 1e6,
            ];
            for value in all.into_iter().flat_map(|it| [it, -it]).filter(|it| it.is_finite()) {
                assert_eq!(in_few_digits(value.into()).to_bits(), long(value).to_bits(), "{value}");
            }
        }
    }

    #[test]
    fn digits_are_those_of_the_recording() {
        for (value, digits) in [
            (f64::from(70.05f32), "70.05"),
            (f64::from(1.4f32), "1.4"),
            (25.0, "25.0"),
            (f64::from(u32::MAX), "4294967295.0"),
            (331.65906, "331.65906"),
            (-0.125, "-0.125"),
            (1e300, "1e+300"),
        ] {
            assert_eq!(serde_json::to_string(&ShortFloat(value)).unwrap(), digits);
        }
        assert_eq!(serde_json::to_string(&ShortFloat(f64::NAN)).unwrap(), "null");
    }
}
