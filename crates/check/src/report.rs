//! The data of `check`.

use crate::engines::EngineReaction;
use crate::findings::{CheckCode, Severity};
use crate::place::Place;
use crate::summary::Summary;
use serde::Serialize;

/// All results about a file.
///
/// ```
/// let report = moviola_check::check(&b"\x01\0\0\0\x06\xff\xff\xff\xff"[..]).unwrap();
/// assert!(report.exact && report.difference.is_none() && report.raw.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
    /// A summary of the file.
    pub summary: Summary,
    /// Whether writing the recording again gives exactly the same bytes.
    pub exact: bool,
    /// The first difference, if it does not.
    pub difference: Option<ByteDifference>,
    /// Blocks that could not be read to their end; if there are very many, only the first.
    pub raw: Vec<Remainder>,
    /// The findings in order of appearance, each once.
    pub findings: Vec<Finding>,
    /// The verdict of every engine of the game.
    pub engines: Vec<Verdict>,
}

/// The first place at which the written bytes differ from those read.
///
/// ```
/// use moviola_check::check_stray;
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let report = check_stray(&file[..], 19, b"\x01").unwrap();
/// let difference = report.difference.unwrap();
/// assert!(difference.through);
/// assert_eq!(difference.place.offset, 19);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ByteDifference {
    /// Where the first differing byte is.
    pub place: Place,
    /// The message; `None` if the difference is outside of messages.
    pub message: Option<&'static str>,
    /// The field; `None` for the message's id.
    pub field: Option<&'static str>,
    /// The bytes that were read.
    pub read: ByteWindow,
    /// The bytes that were written.
    pub written: ByteWindow,
    /// Whether it appears only in the conversion to text and back.
    pub through: bool,
}

/// Bytes around a place.
///
/// ```
/// use moviola_check::check_stray;
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let read = check_stray(&file[..], 19, b"\x01").unwrap().difference.unwrap().read;
/// assert_eq!(read.bytes[read.caret], 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ByteWindow {
    /// The offset of these bytes in the file.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The index of the byte in question; the number of bytes if the file ends before it.
    pub caret: usize,
}

impl ByteWindow {
    /// How many bytes are shown, including those before and after the byte in question.
    const AROUND: usize = 32;

    /// The window around byte `at` of bytes whose offset in the file is `offset`.
    pub(crate) fn around(bytes: &[u8], at: usize, offset: u64) -> Self {
        // The window begins at a multiple of 16, so that two windows can be aligned.
        let start = at.saturating_sub(Self::AROUND / 2) & !15;
        let end = (start + 2 * Self::AROUND).min(bytes.len());
        let shown = bytes.get(start..end).unwrap_or_default();
        Self {
            offset: offset + start as u64,
            bytes: shown.to_vec(),
            caret: at.saturating_sub(start).min(shown.len()),
        }
    }
}

/// A block's end that could not be read.
///
/// ```
/// let file = b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x3c";
/// let report = moviola_check::check(&file[..]).unwrap();
/// assert_eq!((report.raw[0].message_at, report.raw[0].bytes), (1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remainder {
    /// Where reading failed.
    pub place: Place,
    /// The offset in the block of the message that could not be read.
    pub message_at: usize,
    /// The message; `None` for an id that no message has.
    pub message: Option<&'static str>,
    /// The field; `None` for the message's id.
    pub field: Option<&'static str>,
    /// The reason.
    pub code: CheckCode,
    /// The reason, in words.
    pub why: String,
    /// How many bytes are kept raw.
    pub bytes: u64,
    /// The bytes around the place.
    pub window: ByteWindow,
}

/// A finding, with the number of its occurrences.
///
/// ```
/// let block = b"\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x3c";
/// let report = moviola_check::check(&[&b"-1\n"[..], block, block].concat()[..]).unwrap();
/// let finding = &report.findings[0];
/// assert_eq!((finding.place.block, finding.count), (Some(0), 2));
/// assert_eq!(finding.later[0].block, Some(1));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The kind of the finding.
    pub code: CheckCode,
    /// How bad it is.
    pub severity: Severity,
    /// Its message.
    pub message: String,
    /// Its first place.
    pub place: Place,
    /// Its next places, in other blocks: at most seven, however many there are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<Place>,
    /// How often it was found.
    pub count: u64,
    /// The largest number of the finding, if it has numbers.
    pub largest: Option<i64>,
    /// The engines that object.
    pub engines: Vec<&'static str>,
}

/// Whether an engine plays a recording.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let report = moviola_check::check(&file[..]).unwrap();
/// for verdict in &report.engines {
///     println!("{}: {}", verdict.engine, verdict.plays.word());
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Playability {
    /// From the beginning to the end.
    #[serde(rename = "yes")]
    Yes,
    /// To the end, but some things look different.
    #[serde(rename = "with defects")]
    WithDefects,
    /// It takes a block in the middle for the end, and stops there without a message.
    #[serde(rename = "stops early")]
    StopsEarly,
    /// It refuses the recording, or stops in it with an error.
    #[serde(rename = "no")]
    No,
    /// Unknown, since parts of the recording could not be read.
    #[serde(rename = "unknown")]
    Unknown,
}

impl Playability {
    /// The answer in a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::WithDefects => "with defects",
            Self::StopsEarly => "stops early",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// An engine's verdict on a recording.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let report = moviola_check::check(&file[..]).unwrap();
/// assert!(report.engines.iter().any(|verdict| verdict.engine == "quakespasm"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The engine.
    pub engine: &'static str,
    /// Whether it plays the recording.
    pub plays: Playability,
    /// The reasons against it; the one that stops the engine is last.
    pub reasons: Vec<Reason>,
}

/// A finding to which an engine objects.
///
/// ```
/// let file = b"-1\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
/// let report = moviola_check::check(&file[..]).unwrap();
/// for reason in report.engines.iter().flat_map(|verdict| &verdict.reasons) {
///     println!("{}: {}", reason.message, reason.effect.words());
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The kind of the finding.
    pub code: CheckCode,
    /// The engine's reaction.
    pub effect: EngineReaction,
    /// The finding in words, with the number to which this engine objects.
    pub message: String,
    /// Its first place.
    pub place: Place,
    /// How often it was found, up to where the engine stops.
    pub count: u64,
}
