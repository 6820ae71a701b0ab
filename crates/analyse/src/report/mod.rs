//! A summary of a recording on one screen: the players, the levels, the times and the results.
//!
//! `gather` counts events, `of_match` counts those of a match of `QuakeWorld`, `players` identifies players, `facts`
//! has the results, `counts` lists those of a match, and `words`, `match_words` and `sda` print them.

mod counts;
mod facts;
mod gather;
mod match_words;
mod of_match;
mod players;
mod sda;
mod statistics;
mod words;

pub use counts::MatchCount;
pub use facts::{AuditSeverity, Hits, LevelReport, PlayerReport, Report, Tally, WeaponReport};
pub use gather::{Reporter, printed_time};
pub use match_words::MatchTable;
pub use of_match::{
    CountDifference, DamageTally, MatchItem, MatchPlayer, MatchReport, MatchTeam, MatchWeapon, Matches,
};
pub use statistics::Statistics;

use crate::{UnreadParts, watch};
use std::io::{self, Read};

impl Report {
    /// Reads a recording and reports on it, without the audit. `moviola_audit::audited_report` does both in
    /// one pass.
    ///
    /// ```
    /// use moviola_analyse::Report;
    /// let file = b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x02";
    /// let report = Report::read(&file[..]).unwrap();
    /// assert_eq!((report.format, report.frames, report.disconnected), (Some("dem"), 1, true));
    /// ```
    pub fn read(source: impl Read) -> io::Result<Self> {
        let mut reporter = Reporter::new();
        watch(source, &mut [&mut reporter])?;
        Ok(reporter.report())
    }

    /// The parts of the recording that could not be read, in the words of all commands.
    ///
    /// ```
    /// use moviola_analyse::Report;
    /// assert!(Report::default().unread().is_empty());
    /// ```
    pub fn unread(&self) -> UnreadParts {
        UnreadParts::new(self.damaged_blocks, self.unread_bytes)
    }
}
