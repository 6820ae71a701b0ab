//! Speeds in the forms in which people write them.

use crate::{EditCode, Mistake};
use std::fmt;

/// A speed: 1 is unchanged, 0.5 half as fast.
///
/// ```
/// use moviola_edit::Speed;
/// let half = Speed::parse("0.5").unwrap();
/// for same in ["1/2", "50%", "0.5x"] {
///     assert_eq!(Speed::parse(same).unwrap(), half);
/// }
/// assert_eq!((half.factor(), half.to_string()), (0.5, "0.5".into()));
/// let mistake = Speed::parse("slow").unwrap_err();
/// assert_eq!((mistake.code.number(), mistake.length), ("E501", 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed(f64);

/// The slowest and the fastest speed: beyond these a second lasts more than a minute and a half, or almost no
/// time.
const LIMITS: std::ops::RangeInclusive<f64> = 0.01..=100.0;

impl Speed {
    /// Reads a speed: `0.5`, `1/2`, `50%` and `0.5x` are the same.
    ///
    /// # Errors
    /// A mistake, with its place in the text.
    pub fn parse(text: &str) -> Result<Self, Mistake> {
        let mistake = |message: String| {
            let help = if text.contains("..") {
                "the speed comes before the spans: 0.25 5..7"
            } else {
                "0.5 is half as fast, 2 twice as fast; 1/4, 25% and 2x work too"
            };
            Mistake::new(EditCode::Speed, message, text, 0..text.len()).help(help)
        };
        let number = |word: &str| word.trim().parse::<f64>().ok();
        let words = text.trim();
        let value = if let Some((over, under)) = words.split_once('/') {
            number(over).zip(number(under)).map(|(over, under)| over / under)
        } else if let Some(percent) = words.strip_suffix('%') {
            number(percent).map(|percent| percent / 100.0)
        } else {
            number(words.strip_suffix(['x', 'X']).unwrap_or(words))
        };
        match value.filter(|value| !value.is_nan()) {
            Some(value) if LIMITS.contains(&value) => Ok(Self(value)),
            Some(_) => Err(mistake(format!("a speed is from {} to {}", LIMITS.start(), LIMITS.end()))),
            None => Err(mistake(format!("`{text}` is not a speed"))),
        }
    }

    /// The factor: 2 is twice as fast.
    pub fn factor(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
