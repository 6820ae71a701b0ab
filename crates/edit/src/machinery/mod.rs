//! The machinery that all edits share: the [`Rewrite`] trait, its driver, chains and scripts of edits, spans,
//! and the bridge messages that take a client from one state to another. It depends on no single edit.

pub(crate) mod block_writer;
pub(crate) mod bridge;
pub(crate) mod chain;
pub(crate) mod drive;
pub(crate) mod early_end;
pub(crate) mod error;
pub(crate) mod film;
pub(crate) mod level_change;
pub(crate) mod mistake;
pub(crate) mod models;
pub(crate) mod ordered;
pub(crate) mod place;
pub(crate) mod players;
pub(crate) mod pose;
pub(crate) mod rewrite;
pub(crate) mod script;
pub(crate) mod span;
pub(crate) mod summary;
pub(crate) mod used;

pub use block_writer::BlockWriter;
pub use chain::{Chain, FailedEdit, OpenInput};
pub use drive::{EditOutput, PieceSink, Stage, rewrite};
pub use error::Error;
pub use film::film_time;
pub use mistake::{EditCode, Mistake};
pub use place::BlockPlace;
pub use rewrite::{Identity, ReplacementSource, Rewrite};
pub use script::{Line, Script, quoted};
pub use span::{
    BlockRun, FoundSpans, Section, SectionKind, Span, SpanEnd, SpanEvent, SpanEventKind, SpanLevel,
    SpanStart, Spans, levels, sections, span_time,
};
pub use summary::EditSummary;
