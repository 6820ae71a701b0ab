//! The time of a file's last change in archives.
//!
//! DOS stored a local time without its zone; it is read as UTC, so that an archive gives the same dates
//! everywhere.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A date and a time in DOS's packed form, with the months counted from `first`: 1 in zip, 0 in Dzip. `None`
/// for an invalid date.
pub(crate) fn dos(date: u16, time: u16, first: u16) -> Option<SystemTime> {
    let (year, month, day) = (1980 + (date >> 9), (date >> 5 & 0xF).checked_sub(first)?, date & 0x1F);
    let (hour, minute, second) = (time >> 11, time >> 5 & 0x3F, (time & 0x1F) * 2);
    if month > 11 || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let [year, month, day] = [year, month, day].map(i64::from);
    let clock = [hour, minute, second].into_iter().fold(0, |sum, part| sum * 60 + u64::from(part));
    let days = u64::try_from(days(year, month, day)).ok()?;
    epoch_plus(days.checked_mul(86_400)?.checked_add(clock)?)
}

/// Seconds since 1970; `None` for 0, which programs write if they have no time.
pub(crate) fn unix(seconds: u32) -> Option<SystemTime> {
    if seconds == 0 { None } else { epoch_plus(seconds.into()) }
}

fn epoch_plus(seconds: u64) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// The days since 1970 for a day of a month, counted from 0, in the years 1980 to 2107. In this range leap years are
/// those divisible by 4, except 2100.
fn days(year: i64, month: i64, day: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let months = usize::try_from(month).ok().and_then(|at| BEFORE.get(at)).copied().unwrap_or_default();
    let is_leap = year % 4 == 0 && year != 2100;
    // The leap days from February 1972 to the year before.
    let leaps = (year - 1969) / 4 - i64::from(year > 2100);
    (year - 1970) * 365 + leaps + months + i64::from(is_leap && month > 1) + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(time: Option<SystemTime>) -> Option<u64> {
        time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map(|since| since.as_secs())
    }

    fn date(year: u16, month: u16, day: u16) -> u16 {
        (year - 1980) << 9 | month << 5 | day
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let noon = 12 << 11;
        // The values that `date -u -d ... +%s` prints.
        for (year, month, day, expected) in [
            (1980, 1, 1, 315_576_000),
            (1996, 6, 22, 835_444_800),
            (1999, 12, 31, 946_641_600),
            (2000, 2, 29, 951_825_600),
            (2000, 3, 1, 951_912_000),
            (2038, 1, 19, 2_147_515_200),
            (2100, 3, 1, 4_107_585_600),
            (2101, 1, 1, 4_134_024_000),
            (2107, 12, 31, 4_354_776_000),
        ] {
            assert_eq!(seconds(dos(date(year, month, day), noon, 1)), Some(expected), "{year}-{month}-{day}");
        }
        let evening = (23 << 11) + (59 << 5) + 29;
        assert_eq!(seconds(dos(date(1996, 6, 22), evening, 1)), Some(835_444_800 + 43_198));
        assert_eq!(dos(date(1996, 5, 22), noon, 0), dos(date(1996, 6, 22), noon, 1));
    }

    #[test]
    fn invalid_dates_are_none() {
        for (date, time, first) in
            [(0, 0, 1), (0x21, 0xFFFF, 1), (13 << 5 | 1, 0, 1), (12 << 5 | 1, 0, 0), (0x20, 0, 1)]
        {
            assert_eq!(dos(date, time, first), None, "{date:04X} {time:04X}");
        }
        assert_eq!(dos(11 << 5 | 1, 0, 0), dos(12 << 5 | 1, 0, 1));
        assert_eq!((unix(0), seconds(unix(835_444_800))), (None, Some(835_444_800)));
    }
}
