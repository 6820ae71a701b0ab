//! The beats of the last seconds: the state after each block, and its time.
//!
//! They reach back as far as the longest effect lasts. Their number and contents are limited as well, because a damaged
//! recording may have any number of entities within no time of its clock.

use std::collections::VecDeque;

/// Seconds after which every effect is over: the fire of rockets lasts two, the ring of a big teleport almost four.
const SECONDS: f64 = 4.0;

/// For how many more seconds than necessary beats are kept.
const MARGIN: f64 = 0.5;

/// The most entities and events in all beats together.
const MAX_ENTITIES: usize = 400_000;

/// The most beats.
const MOST_BEATS: usize = 4096;

/// The state after a block, and its time.
#[derive(Clone, Debug)]
pub(crate) struct Beat<S> {
    /// The block, counted from 0.
    pub(crate) block: u64,
    /// The time at which it is reached, in seconds of the recording.
    pub(crate) at: f64,
    /// The time at which the scene begins to move towards this beat: an engine reads the block at this time, and
    /// interpolates from the last beat.
    pub(crate) from: f64,
    /// The game's clock, in seconds.
    pub(crate) clock: f64,
    /// The state.
    pub(crate) seen: S,
}

/// The number of entities and events in a state.
pub(crate) trait StateSize {
    fn weight(&self) -> usize;
}

/// The beats that are kept.
#[derive(Clone, Debug)]
pub(crate) struct Window<S> {
    beats: VecDeque<Beat<S>>,
    weight: usize,
    /// The time at which a level began, if all of its beats are still kept: scenes after that time need no others.
    begins: Option<f64>,
}

impl<S: StateSize> Window<S> {
    pub(crate) fn new() -> Self {
        Self { beats: VecDeque::new(), weight: 0, begins: None }
    }

    pub(crate) fn push(&mut self, beat: Beat<S>) {
        self.weight = self.weight.saturating_add(beat.seen.weight());
        let oldest = beat.from - SECONDS - MARGIN;
        self.beats.push_back(beat);
        while self.beats.len() > 2
            && (self.weight > MAX_ENTITIES
                || self.beats.len() > MOST_BEATS
                || self.beats.get(1).is_some_and(|second| second.at < oldest))
        {
            if let Some(gone) = self.beats.pop_front() {
                self.begins = None;
                self.weight = self.weight.saturating_sub(gone.seen.weight());
            }
        }
    }

    /// Takes the last beat away.
    pub(crate) fn pop(&mut self) -> Option<Beat<S>> {
        let last = self.beats.pop_back()?;
        self.weight = self.weight.saturating_sub(last.seen.weight());
        Some(last)
    }

    /// Drops all beats, because later scenes do not depend on them.
    pub(crate) fn forget(&mut self) {
        self.beats.clear();
        (self.weight, self.begins) = (0, None);
    }

    /// Drops all beats at the beginning of a level.
    pub(crate) fn begin_level(&mut self, now: f64) {
        self.forget();
        self.begins = Some(now);
    }

    pub(crate) fn get(&self, place: usize) -> Option<&Beat<S>> {
        self.beats.get(place)
    }

    pub(crate) fn last(&self) -> Option<&Beat<S>> {
        self.beats.back()
    }

    /// Whether the beats reach from all events that are still visible at a time to that time.
    pub(crate) fn covers(&self, time: f64) -> bool {
        let is_old = |first: &Beat<S>| first.from <= time - SECONDS || first.from <= 0.0;
        let reaches =
            self.beats.front().is_some_and(is_old) || self.begins.is_some_and(|begins| begins < time);
        reaches && self.last().is_some_and(|last| last.from <= time)
    }

    /// The place of the beat that is reached, or moved towards, at a time.
    pub(crate) fn at(&self, time: f64) -> Option<usize> {
        let first = self.beats.partition_point(|beat| beat.at < time);
        // Engines read the first block of a later time ahead. They read the other blocks of that time only when the
        // clock reaches it.
        if self.beats.get(first).is_some_and(|beat| beat.at > time) {
            return Some(first);
        }
        self.beats.partition_point(|beat| beat.at <= time).checked_sub(1)
    }

    /// The index of a block's beat; for a block before the first beat, that of the first one.
    pub(crate) fn of_block(&self, block: u64) -> Option<usize> {
        let place = self.beats.partition_point(|beat| beat.block <= block).saturating_sub(1);
        self.get(place).map(|_| place)
    }

    /// The beats from `place` back to the oldest.
    pub(crate) fn back_from(&self, place: usize) -> impl Iterator<Item = &Beat<S>> {
        let end = self.beats.len().min(place.saturating_add(1));
        self.beats.range(..end).rev()
    }

    /// The beats up to index `place` that were reached at most `seconds` before `time`, the oldest first, each with its
    /// predecessor.
    pub(crate) fn since(
        &self,
        place: usize,
        time: f64,
        seconds: f64,
    ) -> impl Iterator<Item = (Option<&Beat<S>>, &Beat<S>)> {
        let first = self.beats.partition_point(|beat| beat.at < time - seconds);
        let end = self.beats.len().min(place.saturating_add(1));
        (first..end).filter_map(move |at| {
            let before = at.checked_sub(1).and_then(|before| self.beats.get(before));
            Some((before, self.beats.get(at)?))
        })
    }
}
