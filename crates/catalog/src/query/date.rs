//! Dates in questions: a year, a month or a day as a span of milliseconds since 1970, in UTC.

/// The number of milliseconds in a day.
const DAY: i64 = 86_400_000;

/// The first and the last millisecond of `2020`, `2020-07` or `2020-07-04`.
pub(super) fn span(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map(|it| digits(it, 2).filter(|it| (1..=12).contains(it)));
    let day = parts.next().map(|it| digits(it, 2));
    let (from, to) = match (month, day) {
        (None, _) => (days(year, 1), days(year + 1, 1)),
        (Some(month), None) => (days(year, month?), next(year, month?)),
        (Some(month), Some(day)) => {
            let (first, behind) = (days(year, month?), next(year, month?));
            let day = first + day? - 1;
            (Some(day).filter(|it| (first..behind).contains(it))?, day + 1)
        }
    };
    parts.next().is_none().then_some((from * DAY, to * DAY - 1))
}

/// The first millisecond of a day, a month or a year.
pub(crate) fn moment(text: &str) -> Option<i64> {
    span(text).map(|(first, _)| first)
}

/// A number of exactly this many digits.
fn digits(text: &str, many: usize) -> Option<i64> {
    (text.len() == many && text.bytes().all(|it| it.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The first day of the next month.
fn next(year: i64, month: i64) -> i64 {
    if month == 12 { days(year + 1, 1) } else { days(year, month + 1) }
}

/// The first day of a month, in days since 1970.
fn days(year: i64, month: i64) -> i64 {
    // If years begin in March, the leap day is their last day, and months have 30.6 days on average.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (month * 153 + 2) / 5 - 719_468
}

/// The year, month and day of a moment in milliseconds since 1970, and the second of that day.
pub(crate) fn day_and_time(moment: i64) -> ((i64, i64, i64), i64) {
    let (day, second) = (moment.div_euclid(DAY), moment.rem_euclid(DAY) / 1000);
    // A year has 365.2425 days on average, so the guess is wrong by at most one.
    let guess = (day * 10_000).div_euclid(3_652_425) + 1970;
    let year = (guess - 1..=guess + 1).rev().find(|year| days(*year, 1) <= day).unwrap_or(guess);
    let month = (1..=12).rev().find(|month| days(year, *month) <= day).unwrap_or(1);
    ((year, month, day - days(year, month) + 1), second)
}

#[cfg(test)]
mod tests {
    use super::{DAY, day_and_time, span};

    #[test]
    fn days_are_printed_as_dates() {
        for day in (-800_000..800_000).step_by(13) {
            let ((year, month, date), second) = day_and_time(day * DAY + 3_600_999);
            assert_eq!(super::days(year, month) + date - 1, day, "{year}-{month}-{date}");
            assert!((1..=12).contains(&month) && (1..=31).contains(&date) && second == 3600);
        }
        assert_eq!(day_and_time(951_825_600_000).0, (2000, 2, 29));
        assert_eq!(day_and_time(-1), ((1969, 12, 31), 86_399));
        for extreme in [i64::MIN, i64::MAX] {
            day_and_time(extreme);
        }
    }

    #[test]
    fn dates_are_spans() {
        let days = |text| span(text).map(|(from, to)| (from / DAY, (to + 1) / DAY));
        for (text, wanted) in [
            ("1970", Some((0, 365))),
            ("1970-01-01", Some((0, 1))),
            ("2000-02", Some((10_988, 11_017))),
            ("1900-02-29", None),
            ("2024-02-29", Some((19_782, 19_783))),
            ("2023-02-29", None),
            ("1969-12-31", Some((-1, 0))),
            ("2020-12", Some((18_597, 18_628))),
            ("2020-00", None),
            ("2020-13", None),
            ("2020-01-00", None),
            ("2020-1", None),
            ("2020-01-01-01", None),
            ("20200", None),
            ("-2020", None),
            ("2020-+1", None),
        ] {
            assert_eq!(days(text), wanted, "{text}");
        }
    }
}
