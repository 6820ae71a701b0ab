//! Numbers as people write them: times, sizes, and ranges of both.

use moviola::format::clock_text;

/// A number of seconds as `m:ss.t`, or `h:mm:ss.t`.
pub(crate) fn time(seconds: f64) -> String {
    let tenths = (seconds.abs() * 10.0).round() as u64;
    let sign = if seconds < 0.0 && tenths > 0 { "-" } else { "" };
    let hours = tenths / 36_000;
    if hours > 0 {
        let (minutes, rest) = (tenths / 600 % 60, tenths % 600);
        format!("{sign}{hours}:{minutes:02}:{:02}.{}", rest / 10, rest % 10)
    } else {
        format!("{sign}{}", clock_text(tenths))
    }
}

/// A whole number with commas between its thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, with an `s` after the word unless it is 1.
pub(crate) fn counted(number: u64, word: &str) -> String {
    format!("{} {word}{}", count(number), if number == 1 { "" } else { "s" })
}

/// The first few names of a list, and how many more there are; `-` if there are none.
pub(crate) fn few(names: &[String], most: usize) -> String {
    let text = names.iter().take(most).map(|name| short(name)).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        _ if names.is_empty() => "-".into(),
        0 => text,
        more => format!("{text} +{more}"),
    }
}

/// A name shortened to leave room for others; an ellipsis shows that it was longer.
fn short(name: &str) -> String {
    const MAX_CHARACTERS: usize = 32;
    match name.char_indices().nth(MAX_CHARACTERS) {
        None => name.to_owned(),
        Some(_) => name.chars().take(MAX_CHARACTERS - 1).chain(['…']).collect(),
    }
}

/// Blocks `A..B`, both included; either may be missing; one number alone is one block.
pub(crate) fn blocks(text: &str) -> Result<(u64, u64), String> {
    range(text, |word| word.parse().ok(), 0, u64::MAX)
        .ok_or_else(|| "give A..B, A.. or ..B, in whole numbers".into())
}

/// Times `A..B`, both included; either may be missing; seconds, or minutes and seconds, as in `1:30..2:00`.
pub(crate) fn times(text: &str) -> Result<(f64, f64), String> {
    range(text, seconds, f64::NEG_INFINITY, f64::INFINITY)
        .ok_or_else(|| "give A..B, A.. or ..B, in seconds or m:ss".into())
}

fn range<T: Copy + PartialOrd>(
    text: &str,
    one: impl Fn(&str) -> Option<T>,
    first: T,
    last: T,
) -> Option<(T, T)> {
    let (from, to) = match text.split_once("..") {
        Some(("", "")) => return None,
        Some((from, to)) => (from, to),
        None if text.is_empty() => return None,
        None => (text, text),
    };
    let from = if from.is_empty() { first } else { one(from)? };
    let to = if to.is_empty() { last } else { one(to)? };
    (from <= to).then_some((from, to))
}

fn seconds(text: &str) -> Option<f64> {
    let mut sum = 0.0;
    for part in text.split(':') {
        let number: f64 = part.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)?;
        sum = sum * 60.0 + number;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_tenths() {
        let printed: Vec<String> = [0.0, 9.96, 59.94, 59.96, 3599.0, 3661.5, -2.0, -0.01].map(time).into();
        assert_eq!(
            printed,
            ["0:00.0", "0:10.0", "0:59.9", "1:00.0", "59:59.0", "1:01:01.5", "-0:02.0", "0:00.0"]
        );
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([counted(1, "block"), counted(2, "block")], ["1 block", "2 blocks"]);
    }

    #[test]
    fn long_lists_are_cut() {
        let names = ["a", "b", "c"].map(String::from);
        assert_eq!([few(&names, 3), few(&names, 1), few(&[], 1)], ["a, b, c", "a +2", "-"]);
        let long = ["ä".repeat(32), "ö".repeat(33)];
        assert_eq!(few(&long, 2), format!("{}, {}…", long[0], "ö".repeat(31)));
    }

    #[test]
    fn ranges_have_open_ends() {
        assert_eq!(blocks("3..5"), Ok((3, 5)));
        assert_eq!(blocks("3.."), Ok((3, u64::MAX)));
        assert_eq!(blocks("..5"), Ok((0, 5)));
        assert_eq!(blocks("4"), Ok((4, 4)));
        assert!(
            blocks("..").is_err() && blocks("5..3").is_err() && blocks("x").is_err() && blocks("").is_err()
        );
        assert_eq!(times("1:30..2:00.5"), Ok((90.0, 120.5)));
        assert!(times("nan..1").is_err() && times("-1..1").is_err());
    }
}
