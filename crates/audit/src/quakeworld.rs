//! The audit of a `QuakeWorld` recording: what the game itself counted is held against what the recording shows.

use crate::book::{Book, Numbers, Proof};
use crate::findings::Code;
use moviola_analyse::Report;

/// Adds a finding for each number of the game's statistics that the recording does not show.
pub(super) fn statistics(report: &Report, book: &mut Book) {
    for one in &report.matches {
        let level = usize::try_from(one.level).ok().and_then(|level| level.checked_sub(1));
        let block = level.and_then(|level| report.levels.get(level)).map_or(0, |level| level.block);
        for difference in &one.differences {
            let numbers = vec![("shown", difference.shown as f64), ("told", difference.told as f64)];
            book.add(Code::StatisticsDiffer, || Proof {
                block,
                time: None,
                level: one.level,
                says: difference.to_string(),
                numbers: Numbers(numbers),
            });
        }
    }
}
