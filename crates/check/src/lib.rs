//! Facts about a recording that do not depend on the meaning of its messages: a summary of it, whether it is
//! written again exactly, its oddities, and the engines that play it.
//!
//! The recording is read once, with one block in memory, from any [`Read`](std::io::Read).
//!
//! ```
//! let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
//! let report = moviola_check::check(&file[..]).unwrap();
//! assert!(report.exact);
//! assert_eq!(report.summary.format, "dem");
//! for verdict in &report.engines {
//!     println!("{}: {}", verdict.engine, verdict.plays.word());
//! }
//! ```

#![forbid(unsafe_code)]

mod ending;
mod engines;
mod exact;
mod explain;
mod findings;
mod gather;
mod header;
mod inspect;
mod judge;
mod kept_bytes;
mod measure;
mod place;
mod quick;
mod render;
mod report;
mod scan;
mod summary;
mod text_round_trip;

pub use engines::{ENGINES, Engine, EngineReaction, largest_block};
pub use exact::{RoundTrip, check, check_with};
pub use explain::{
    EngineEntry, EngineObjection, Explanation, FieldEntry, FieldLine, MessageEntry, NameEntry, explain,
    suggest,
};
pub use findings::{CheckCode, Severity};
pub use header::{Header, HeaderView};
pub use inspect::{Inspected, Inspection};
pub use judge::Problem;
pub use measure::{HeldPackets, OpenBlock, PlayedBlock, StopJudge};
pub use place::Place;
pub use report::{ByteDifference, ByteWindow, CheckReport, Finding, Playability, Reason, Remainder, Verdict};

pub use summary::{
    LevelSummary, NamedProtocol, RawTally, RecordingEnd, RecordingKind, Summary, SummaryColumns,
};
pub use text_round_trip::{TextDifference, check_stray, through_text};
