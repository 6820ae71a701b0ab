//! `FromBlock`: a recording from one of its blocks on, for somebody who joins while it is still being written.

use super::Cut;
use crate::{Error, FoundSpans, PieceSink, Stage};
use moviola_format::{Format, Piece};
use std::io::Write;

/// After this many unchanged blocks, the viewers of a cut have the state of the recording. It is more than the number
/// of old frames on which a frame of Quake II can build.
const MAX_FRAMES: u32 = 32;

/// Writes a recording from a block on, while nobody knows yet how long it will become. It begins as a [`Cut`] does,
/// with the beginning of the level and a full frame. As soon as the cut has nothing more to change, the pieces are
/// copied to the end, even those of other levels.
///
/// ```
/// use moviola_edit::{FromBlock, PieceSink};
/// use moviola_format::Demo;
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
/// let (mut demo, mut part) = (Demo::new(&recording[..]).unwrap(), Vec::new());
/// let mut rest = FromBlock::new(5, &mut part);
/// rest.begin(demo.format()).unwrap();
/// while let Some(piece) = demo.next_piece().unwrap() {
///     rest.take(&piece).unwrap();
/// }
/// rest.end().unwrap();
/// # drop(rest);
/// assert!(!part.is_empty());
/// ```
pub struct FromBlock<'w> {
    stage: Stage<'w>,
    unchanged: u32,
}

impl<'w> FromBlock<'w> {
    /// Writes to `to` from the block `first` on, counted from 0.
    pub fn new(first: u64, to: impl Write + 'w) -> Self {
        Self { stage: Stage::owning(Self::cut(first), to), unchanged: 0 }
    }

    /// Hands the pieces to another edit.
    pub fn before(first: u64, to: &'w mut dyn PieceSink) -> Self {
        Self { stage: Stage::owning_before(Self::cut(first), to), unchanged: 0 }
    }

    fn cut(first: u64) -> Box<Cut> {
        Box::new(Cut::keep(FoundSpans::from_block(first)))
    }

    fn is_settled(&self) -> bool {
        self.unchanged >= MAX_FRAMES
    }
}

impl PieceSink for FromBlock<'_> {
    fn begin(&mut self, format: Format) -> Result<(), Error> {
        self.stage.begin(format)
    }

    fn take(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        if self.is_settled() {
            return self.stage.pass_on(piece);
        }
        let same = self.stage.summary().same;
        let others = self.stage.summary().written().saturating_sub(same);
        self.stage.take(piece)?;
        let summary = self.stage.summary();
        let is_copied = summary.same == same.saturating_add(1)
            && summary.written() == summary.same.saturating_add(others);
        self.unchanged = if is_copied { self.unchanged.saturating_add(1) } else { 0 };
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        // The copied part has the recording's own end.
        if self.is_settled() { self.stage.flush() } else { self.stage.end() }
    }
}
