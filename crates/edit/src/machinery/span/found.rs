//! The spans found in a recording: its parts, and a test whether a block is in one of them.

use super::Spans;
use super::level_marks::{LevelMarks, Run};
use crate::{BlockPlace, Error};
use std::io::Read;

/// A level of a recording, with the facts that spans need.
///
/// ```
/// use moviola_edit::levels;
/// // One block, in which the time is 2.
/// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let levels = levels(&recording[..]).unwrap();
/// assert_eq!((levels[0].first, levels[0].last, levels[0].times), (0, 0, Some((2.0, 2.0))));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanLevel {
    /// Its first block.
    pub first: u64,
    /// Its last block.
    pub last: u64,
    /// The first and the last game time in it.
    pub times: Option<(f64, f64)>,
    /// The name of its map, as in the file's name; empty if it is not known.
    pub map: String,
}

/// The levels of a recording, in their order.
///
/// ```
/// use moviola_edit::levels;
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-levels").unwrap().bytes;
/// let levels = levels(&recording[..]).unwrap();
/// assert_eq!(levels.len(), 2);
/// assert_eq!(levels[0].map, "e1m1");
/// ```
///
/// # Errors
/// When it is not a recording, or reading fails.
pub fn levels<R: Read>(source: R) -> Result<Vec<SpanLevel>, Error> {
    Ok(Spans::of_blocks([(0, u64::MAX)]).find(source)?.levels)
}

/// The spans found in a recording; tests for each block whether it is in one of them.
///
/// ```
/// use moviola_edit::{Error, FoundSpans, EditOutput, BlockWriter, Rewrite, rewrite};
/// /// Counts the blocks of a part.
/// struct Count(FoundSpans, u64);
/// impl Rewrite for Count {
///     fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
///         self.1 += u64::from(self.0.holds(writer.place()));
///         writer.write(out)
///     }
/// }
/// let recording = b"\x01\0\0\0\x06\x01\0\0\0\x06";
/// let (mut all, mut second) = (Count(FoundSpans::all(), 0), Count(FoundSpans::level(2), 0));
/// rewrite(&recording[..], &mut all, Vec::new()).unwrap();
/// rewrite(&recording[..], &mut second, Vec::new()).unwrap();
/// assert_eq!((all.1, second.1), (2, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundSpans {
    pub(super) parts: Vec<SpanPart>,
    /// The levels in their order, at least up to the last level that the spans name.
    pub levels: Vec<SpanLevel>,
    /// The courses of the levels that are known.
    pub(super) courses: Vec<LevelMarks>,
    /// Notes about the spans.
    pub(super) notes: Vec<String>,
    /// Whether all blocks of the recording are in the parts.
    pub(super) holds_all: bool,
}

/// A part of a recording: the blocks that meet all three conditions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpanPart {
    /// The first and the last level.
    pub(super) levels: (u32, u32),
    pub(super) blocks: (u64, u64),
    pub(super) times: Option<(f64, f64)>,
}

/// The beginning of a span.
///
/// ```
/// let start = moviola_edit::SpanStart { block: 7, times: None };
/// assert_eq!(start.block, 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpanStart {
    /// Its first block; of a span with times, the first block that may be in it.
    pub block: u64,
    /// For a span given by times, the times of its first and last block. The span begins with the first block from
    /// `block` on whose time lies between them.
    pub times: Option<(f64, f64)>,
}

/// All levels; blocks before the first announcement belong to the first level.
pub(super) const ALL: (u32, u32) = (0, u32::MAX);

/// Quake's clock is a float of 32 bits: its 0.2 is a little more than the 0.2 that people write.
pub(super) const NEAR: f64 = 0.0005;

impl SpanPart {
    /// All of these levels.
    pub(super) fn of_levels(levels: (u32, u32)) -> Self {
        Self { levels, blocks: (0, u64::MAX), times: None }
    }

    /// Restricts the part to these blocks; false if none is left.
    pub(super) fn narrow(&mut self, (first, last): (u64, u64)) -> bool {
        self.blocks = (self.blocks.0.max(first), self.blocks.1.min(last));
        self.blocks.0 <= self.blocks.1
    }

    /// Whether it can be in a level, counted from 0.
    fn is_of(&self, at: usize) -> bool {
        let (first, last) = self.levels;
        (first as usize..=last as usize).contains(&at.saturating_add(1))
    }

    /// Whether a test is true for the part's times, widened by `NEAR`; always true for a part without times.
    pub(super) fn is_timed(&self, is_so: impl Fn(f64, f64) -> bool) -> bool {
        self.times.is_none_or(|(from, to)| is_so(from - NEAR, to + NEAR))
    }

    fn has_time(&self, time: f64) -> bool {
        self.is_timed(|from, to| from <= time && time <= to)
    }

    /// Whether a block is in it, apart from its time.
    fn has_block(&self, place: &BlockPlace) -> bool {
        let (first, last) = self.blocks;
        (self.levels.0..=self.levels.1).contains(&place.level) && (first..=last).contains(&place.block)
    }

    pub(super) fn holds(&self, place: &BlockPlace) -> bool {
        self.has_block(place) && (self.times.is_none() || place.time.is_some_and(|time| self.has_time(time)))
    }

    /// Whether it holds a block, or may hold it: before a level's first moment the time is unknown, and not
    /// every float is a time.
    pub(super) fn may_hold(&self, place: &BlockPlace) -> bool {
        self.has_block(place) && place.time.is_none_or(|time| time.is_nan() || self.has_time(time))
    }

    /// Takes the time of a block outside of it, for the last time before it and the first after it.
    pub(super) fn close_in(&self, place: &BlockPlace, [before, after]: &mut [Option<f64>; 2]) {
        if let (Some((from, to)), Some(time), true) = (self.times, place.time, self.has_block(place)) {
            if time < from {
                *before = Some(before.map_or(time, |known| known.max(time)));
            } else if time > to {
                *after = Some(after.map_or(time, |known| known.min(time)));
            }
        }
    }

    /// Whether anything of a level, counted from 0, can be in it, by the times and blocks at the level's
    /// ends.
    pub(super) fn touches(&self, at: usize, level: &SpanLevel) -> bool {
        let in_time =
            level.times.is_some_and(|(first, last)| self.is_timed(|from, to| from <= last && first <= to));
        self.is_of(at)
            && self.blocks.0 <= level.last
            && level.first <= self.blocks.1
            && (self.times.is_none() || in_time)
    }

    /// Whether all of a level, counted from 0, is in it.
    fn covers(&self, at: usize, level: &SpanLevel) -> bool {
        self.is_of(at)
            && self.blocks.0 <= level.first
            && level.last <= self.blocks.1
            && level.times.is_none_or(|(first, last)| self.is_timed(|from, to| from <= first && last <= to))
    }
}

impl FoundSpans {
    /// Everything in the recording.
    pub fn all() -> Self {
        Self { parts: vec![SpanPart::of_levels(ALL)], ..Self::default() }
    }

    /// This block, counted from 0, and all after it, however long the recording goes on.
    pub(crate) fn from_block(first: u64) -> Self {
        Self {
            parts: vec![SpanPart { blocks: (first, u64::MAX), ..SpanPart::of_levels(ALL) }],
            ..Self::default()
        }
    }

    /// Parts given by times: the level, the beginning and the end.
    pub(crate) fn of_times(windows: Vec<(u32, f64, f64)>, levels: Vec<SpanLevel>) -> Self {
        let part =
            |(level, from, to)| SpanPart { times: Some((from, to)), ..SpanPart::of_levels((level, level)) };
        Self { parts: windows.into_iter().map(part).collect(), levels, ..Self::default() }
    }

    /// One level, counted from 1.
    pub fn level(number: u32) -> Self {
        Self { parts: vec![SpanPart::of_levels((number, number))], ..Self::default() }
    }

    /// Whether a block is in one of the spans. `place` is the place after the block was read.
    pub fn holds(&self, place: &BlockPlace) -> bool {
        self.parts.iter().any(|part| part.holds(place))
    }

    /// Removes the parts that hold this block from `unmet`, a list of indexes of parts.
    pub(crate) fn meet(&self, place: &BlockPlace, unmet: &mut Vec<usize>) {
        unmet.retain(|at| !self.parts.get(*at).is_some_and(|part| part.holds(place)));
    }

    /// The places of all parts, for [`meet`](Self::meet).
    pub(crate) fn places(&self) -> Vec<usize> {
        (0..self.parts.len()).collect()
    }

    /// Where the first of the spans begins, if that is known without another pass over the recording.
    ///
    /// ```
    /// use moviola_edit::{SpanStart, Spans};
    /// // One block, in which the time is 2.
    /// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let start = |spans: &str| Spans::parse(spans).unwrap().find(&recording[..]).unwrap().start();
    /// assert_eq!(start("level 1"), Some(SpanStart { block: 0, times: None }));
    /// assert!(start("level 1 1.5..3").unwrap().times.unwrap().0 < 1.5);
    /// ```
    pub fn start(&self) -> Option<SpanStart> {
        let start = |part: &SpanPart| {
            let (first, last) = part.levels;
            let level = self.levels.get((first as usize).checked_sub(1)?)?;
            let times = part.times.map(|(from, to)| (from - NEAR, to + NEAR));
            // A time occurs in each level, so the first one of several is known only after a look.
            (times.is_none() || first == last)
                .then_some(SpanStart { block: level.first.max(part.blocks.0), times })
        };
        let starts: Vec<SpanStart> = self.parts.iter().map(start).collect::<Option<_>>()?;
        let times = |it: &SpanStart| it.times.map_or(f64::NEG_INFINITY, |(from, _)| from);
        let first = starts
            .iter()
            .min_by(|one, other| one.block.cmp(&other.block).then(times(one).total_cmp(&times(other))))?;
        // Times and blocks in one level cannot be compared without reading it.
        starts.iter().all(|it| it.times.is_some() == first.times.is_some()).then_some(*first)
    }

    /// Notes about the spans: spans that end after the recording, and times that occur in several levels.
    ///
    /// ```
    /// use moviola_edit::Spans;
    /// // One block, in which the time is 2.
    /// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let found = Spans::parse("1..3, #0..").unwrap().find(&recording[..]).unwrap();
    /// assert_eq!(found.notes(), ["1..3 goes on after the end, which is at 2.00"]);
    /// ```
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether all of the recording is in the spans.
    pub(crate) fn is_everything(&self) -> bool {
        let is_whole = |(at, level)| self.parts.iter().any(|part| part.covers(at, level));
        self.holds_all || !self.levels.is_empty() && self.levels.iter().enumerate().all(is_whole)
    }

    /// Whether no block after this one can be in one of the spans.
    pub(crate) fn is_over(&self, place: &BlockPlace) -> bool {
        let at = (place.level as usize).saturating_sub(1);
        let is_over = |part: &SpanPart| {
            let is_past = place.block >= part.blocks.1 || place.level > part.levels.1;
            // In a level that is not known, anything may follow.
            let is_late = |(_, to): (f64, f64)| {
                let now = self.courses.get(at).is_some_and(|course| course.is_steady)
                    && place.time.is_some_and(|time| time > to + NEAR);
                let mut later = self.levels.iter().enumerate().skip(at.saturating_add(1));
                now && !later.any(|(at, level)| {
                    part.is_of(at) && level.times.is_some_and(|(from, _)| from - NEAR <= to)
                })
            };
            is_past || part.times.is_some_and(is_late)
        };
        self.parts.iter().all(is_over)
    }

    /// Whether anything can be in these parts, as far as the ends of the levels are known.
    pub(super) fn touches(&self, parts: &[SpanPart]) -> bool {
        parts.iter().any(|part| self.levels.iter().enumerate().any(|(at, level)| part.touches(at, level)))
    }

    /// The blocks after this one that are all kept, or all dropped, which is known without reading them.
    pub(crate) fn run(&self, place: &BlockPlace, drops: bool) -> Option<Run> {
        let at = (place.level as usize).checked_sub(1)?;
        self.courses.get(at)?.run(place.block, self.parts.iter().filter(|part| part.is_of(at)), drops)
    }

    /// Makes the pass read every block.
    #[cfg(test)]
    pub(super) fn forbid_runs(&mut self) {
        self.courses.iter_mut().for_each(LevelMarks::forbid_runs);
    }
}
