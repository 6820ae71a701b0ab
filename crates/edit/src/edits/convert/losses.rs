//! Counts the losses of a conversion, for its report.

use crate::machinery::summary::thousands;
use std::collections::BTreeMap;

/// Things that did not fit into the target protocol or engine, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Losses {
    /// The counts, by the words of the report.
    counts: BTreeMap<String, u64>,
    /// The number of positions and angles that the protocol cannot express exactly, and the largest difference.
    places: Rounding,
    angles: Rounding,
}

#[derive(Clone, Copy, Debug, Default)]
struct Rounding {
    count: u64,
    greatest: f64,
}

impl Rounding {
    fn add(&mut self, off: f64) {
        if off > 0.0 {
            self.count = self.count.saturating_add(1);
            self.greatest = self.greatest.max(off);
        }
    }

    fn line(&self, what: &str, unit: &str) -> Option<String> {
        (self.count > 0).then(|| {
            format!("{} {what} rounded, by at most {:.3} {unit}", thousands(self.count), self.greatest)
        })
    }
}

/// The greatest number of different losses that are counted. Only the names of models and sounds can be many, and a
/// level has at most this many of them.
const MOST_WORDS: usize = 4096;

impl Losses {
    /// Counts a loss.
    pub(super) fn add_loss(&mut self, what: impl Into<String>) {
        self.add_losses(what, 1);
    }

    /// Counts this many losses of the same kind.
    pub(super) fn add_losses(&mut self, what: impl Into<String>, times: u64) {
        let what = what.into();
        if self.counts.len() < MOST_WORDS || self.counts.contains_key(&what) {
            let count = self.counts.entry(what).or_default();
            *count = count.saturating_add(times);
        }
    }

    /// Counts a coordinate that changed.
    pub(super) fn place(&mut self, was: f64, is: f64) {
        self.places.add((was - is).abs());
    }

    /// Counts an angle that changed.
    pub(super) fn angle(&mut self, was: f64, is: f64) {
        let off = (was - is).rem_euclid(360.0);
        self.angles.add(off.min(360.0 - off));
    }

    /// Whether nothing was lost.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.places.count == 0 && self.angles.count == 0
    }

    /// A line for each loss.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let counts = self.counts.iter().map(|(what, count)| {
            if *count == 1 { what.clone() } else { format!("{what} ({} times)", thousands(*count)) }
        });
        // not from SCHEMA: words for people.
        let rounded = [self.places.line("coordinates", "units"), self.angles.line("angles", "degrees")];
        counts.chain(rounded.into_iter().flatten())
    }
}
