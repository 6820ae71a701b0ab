//! The cutting room: turns a recording into another recording.
//!
//! Every edit is a [`Rewrite`], whose methods keep everything by default. [`rewrite`] drives it over a
//! recording block by block and copies untouched blocks as bytes. All edits of this crate are types that
//! implement it.
//!
//! Take the texts in the middle of the screen out of a recording of either game:
//!
//! ```
//! use moviola_edit::{BlockWriter, Rewrite, rewrite};
//! use moviola_format::{Entry, dem, dm2};
//!
//! struct NoCenterPrints;
//!
//! impl Rewrite for NoCenterPrints {
//!     fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
//!         // A message that is not kept is dropped.
//!         if !matches!(entry.message, dem::Message::CenterPrint(_)) {
//!             writer.keep();
//!         }
//!     }
//!     fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
//!         if !matches!(entry.message, dm2::Message::CenterPrint(_)) {
//!             writer.keep();
//!         }
//!     }
//! }
//!
//! let recording = b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1ahi\0\x02";
//! let mut edited = Vec::new();
//! let summary = rewrite(&recording[..], &mut NoCenterPrints, &mut edited).unwrap();
//! assert_eq!(edited, b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x02");
//! assert_eq!(summary.to_string(), "1 block: 1 changed; 25 -> 21 bytes");
//! ```
#![forbid(unsafe_code)]

mod camera;
mod edits;
mod machinery;
mod repair;

pub use camera::Camera;
pub use edits::{
    Broadcast, Capture, Convert, CopyEntity, CopyPlace, Cue, Cut, FixMulti, FromBlock, Ghost, Highlights,
    Insert, LmpcFix, OneLine, RemovedStops, Replace, Retime, Set, Signon, Speed, Squeeze, Strip, Subtitle,
    View, WholeLists, join,
};
pub use machinery::{
    BlockPlace, BlockRun, BlockWriter, Chain, EditCode, EditOutput, EditSummary, Error, FailedEdit,
    FoundSpans, Identity, Line, Mistake, OpenInput, PieceSink, ReplacementSource, Rewrite, Script, Section,
    SectionKind, Span, SpanEnd, SpanEvent, SpanEventKind, SpanLevel, SpanStart, Spans, Stage, film_time,
    levels, quoted, rewrite, sections, span_time,
};
pub use repair::{Repair, RepairedDamage, has_damaged_beginning};
