//! Dates in questions: a year, a month or a day as a span of milliseconds since 1970, in UTC.

/// How many milliseconds a day has.
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

/// A number of so many digits and of nothing else.
fn digits(text: &str, many: usize) -> Option<i64> {
    (text.len() == many && text.bytes().all(|it| it.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The first day of the month behind this one.
fn next(year: i64, month: i64) -> i64 {
    if month == 12 { days(year + 1, 1) } else { days(year, month + 1) }
}

/// The first day of a month, in days since 1970.
fn days(year: i64, month: i64) -> i64 {
    // Years that begin in March have their leap day at their end, and months of 30.6 days.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (month * 153 + 2) / 5 - 719_468
}

#[cfg(test)]
mod tests {
    use super::{DAY, span};

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
