//! Combines the differences of consecutive moments into runs. A lasting difference is reported once, where it begins. A
//! run lasts as long as one of its differences; differences that begin later form another run. Runs are reported after
//! their end, in the order of their beginnings.

use crate::change::{FieldChange, PiecePlace};
use crate::view::ViewChange;
use std::collections::{BTreeSet, VecDeque};
use std::io;

/// The differences in a moment.
#[derive(Debug, Default)]
pub(crate) struct MomentDifferences {
    /// Differences in state that lasts from moment to moment.
    pub(crate) lasting: Vec<FieldChange>,
    /// Differences in momentary events.
    pub(crate) begun: Vec<FieldChange>,
}

/// The runs that were not reported yet.
pub(crate) struct Runs<'s> {
    see: &'s mut dyn FnMut(ViewChange) -> io::Result<()>,
    waiting: VecDeque<Run>,
}

struct Run {
    change: ViewChange,
    /// The differences that it began with and that still last.
    left: BTreeSet<String>,
}

/// If more runs than this are waiting, those that have not ended are reported without their end.
const MAX_WAITING: usize = 1 << 14;

impl<'s> Runs<'s> {
    pub(crate) fn new(see: &'s mut dyn FnMut(ViewChange) -> io::Result<()>) -> Self {
        Self { see, waiting: VecDeque::new() }
    }

    /// Handles a moment that both recordings show, with its differences.
    pub(crate) fn moment(
        &mut self,
        a: PiecePlace,
        b: PiecePlace,
        differing: MomentDifferences,
    ) -> io::Result<()> {
        let mut known = BTreeSet::new();
        for run in &mut self.waiting {
            run.left.retain(|name| differing.lasting.iter().any(|it| it.name == *name));
            if !run.left.is_empty() {
                (run.change.blocks, run.change.until) = (run.change.blocks.saturating_add(1), a.time);
                known.extend(run.left.iter().cloned());
            }
        }
        let (mut left, mut parts) = (BTreeSet::new(), Vec::new());
        for it in differing.lasting {
            if !known.contains(&it.name) {
                left.insert(it.name.clone());
                parts.push(it);
            }
        }
        parts.extend(differing.begun);
        if !parts.is_empty() {
            let change = ViewChange { a: Some(a), b: Some(b), blocks: 1, until: a.time, parts };
            self.waiting.push_back(Run { change, left });
        }
        while self.waiting.front().is_some_and(|run| run.left.is_empty()) || self.waiting.len() > MAX_WAITING
        {
            self.flush()?;
        }
        Ok(())
    }

    /// Ends all runs: both recordings look the same, or show different moments.
    pub(crate) fn end_all(&mut self) -> io::Result<()> {
        while !self.waiting.is_empty() {
            self.flush()?;
        }
        Ok(())
    }

    /// Handles moments that only one recording shows.
    pub(crate) fn one_sided(&mut self, change: ViewChange) -> io::Result<()> {
        self.end_all()?;
        (self.see)(change)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.waiting.pop_front().map_or(Ok(()), |run| (self.see)(run.change))
    }
}
