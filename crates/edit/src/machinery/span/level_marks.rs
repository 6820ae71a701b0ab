//! The course of a level: blocks at which its clock is known and reading can continue. The marks show for all blocks
//! between two of them whether they are in a span, without reading their messages.

use super::found::{NEAR, SpanPart};
use moviola_format::Context;

/// A block that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ReadBlock {
    block: u64,
    /// The game time before it, and after it.
    before: Option<f64>,
    time: f64,
    /// The context in which it is read.
    context: Context,
}

/// A level as a list of marks. A clock that goes back is not followed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LevelMarks {
    marks: Vec<ReadBlock>,
    /// The block that was read last, which can become a mark.
    last: Option<ReadBlock>,
    /// The number of blocks from one mark to the next.
    step: u64,
    /// Whether the level's clock never goes back.
    pub(super) is_steady: bool,
    /// The first block that may be changed even if it is kept.
    odd: Option<u64>,
}

/// A run of blocks whose messages need not be read: all of them are in spans, or none is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// Whether they are kept.
    pub(crate) keeps: bool,
    /// The block after them, the game time before it, and the context in which it is read.
    pub(crate) until: u64,
    pub(crate) time: Option<f64>,
    pub(crate) context: Context,
    /// Whether a kept part begins after the run, and needs the state at the end of the run.
    pub(crate) leads: bool,
}

/// The greatest number of marks of a level, so that memory does not grow with it.
const MAX_MARKS: usize = 2048;

impl Default for LevelMarks {
    fn default() -> Self {
        Self { marks: Vec::new(), last: None, step: 64, is_steady: true, odd: None }
    }
}

impl LevelMarks {
    /// Takes a block that was read: the game time before and after it, its context, and whether it can be
    /// copied.
    pub(super) fn pass(
        &mut self,
        block: u64,
        [before, time]: [Option<f64>; 2],
        context: Context,
        is_odd: bool,
    ) {
        if is_odd {
            self.odd.get_or_insert(block);
        }
        let Some(time) = time else { return };
        self.is_steady &= before.is_none_or(|before| time >= before);
        let mark = ReadBlock { block, before, time, context };
        if self.marks.last().is_none_or(|last| block >= last.block.saturating_add(self.step)) {
            self.marks.push(mark);
        }
        self.last = Some(mark);
        if self.marks.len() > MAX_MARKS {
            let mut is_every_other = false;
            self.marks.retain(|_| {
                is_every_other = !is_every_other;
                is_every_other
            });
            self.step = self.step.saturating_mul(2);
        }
    }

    #[cfg(test)]
    pub(super) fn forbid_runs(&mut self) {
        self.odd = Some(0);
    }

    /// The run of blocks after this one, up to the first block at which the answer to "is it in a part" may change.
    pub(super) fn run<'p>(
        &self,
        block: u64,
        parts: impl Iterator<Item = &'p SpanPart> + Clone,
        drops: bool,
    ) -> Option<Run> {
        if !self.is_steady && parts.clone().any(|part| part.times.is_some()) {
            return None;
        }
        let next = block.saturating_add(1);
        let (behind, ahead) =
            self.marks.split_at_checked(self.marks.partition_point(|mark| mark.block < next))?;
        // No block after a mark has an earlier time than the mark.
        let (now, end) = (behind.last()?.time, self.last?);
        let parts = parts.filter(|part| part.blocks.1 >= next && part.is_timed(|_, to| now <= to));
        let inside =
            parts.clone().filter(|part| part.blocks.0 <= next && part.is_timed(|from, _| from <= now));
        // A condition that holds at a mark holds at all marks before it.
        let reach = |holds: &dyn Fn(&ReadBlock) -> bool| {
            let holds = |mark: &ReadBlock| self.odd.is_none_or(|odd| mark.block <= odd) && holds(mark);
            let known = ahead.partition_point(holds);
            let last = (known == ahead.len() && holds(&end)).then_some(&end);
            last.or_else(|| ahead.get(known.checked_sub(1)?)).filter(|mark| mark.block > next)
        };
        let run = |mark: &ReadBlock, keeps, leads| {
            let ReadBlock { block: until, before: time, context, .. } = *mark;
            Run { keeps, until, time, context, leads }
        };
        let furthest = inside.clone().filter_map(|part| {
            let is_in = |mark: &ReadBlock| {
                mark.block <= part.blocks.1.saturating_add(1)
                    && mark.before.is_none_or(|before| part.is_timed(|_, to| before <= to))
            };
            reach(&is_in)
        });
        if let Some(mark) = furthest.max_by_key(|mark| mark.block) {
            let is_last =
                |part: &SpanPart| part.blocks.1 >= end.block && part.is_timed(|_, to| end.time <= to);
            // Whether a kept part begins after the run.
            let leads = if drops { !inside.clone().any(is_last) } else { parts.count() > inside.count() };
            return Some(run(mark, !drops, leads));
        }
        let is_before = |mark: &ReadBlock| {
            let starts = |part: &SpanPart| {
                mark.block <= part.blocks.0
                    || part.times.is_some_and(|(from, _)| mark.before.is_none_or(|time| time < from - NEAR))
            };
            parts.clone().all(starts)
        };
        let mark = reach(&is_before)?;
        Some(run(mark, drops, parts.clone().next().is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cut, Spans, rewrite};
    use moviola_format::{Block, Game, Piece};

    /// Two levels; every third block has no time.
    fn recording(blocks: u16) -> Vec<u8> {
        let mut file = b"-1\n".to_vec();
        let mut block = |data: &[u8]| {
            Piece::Block(Block::new(data)).write(Game::Quake, &mut file).unwrap();
        };
        for _ in 0..2 {
            block(b"\x0b\x0f\0\0\0\x01\0a\0maps/a.bsp\0\0b.wav\0\0\x19\x01");
            block(b"\x19\x02");
            block(b"\x19\x03");
            for tenth in 0..blocks {
                let time = [&[7][..], &(f32::from(tenth) / 10.0).to_le_bytes()].concat();
                // The player and a stat, so that a bridge has something to set.
                let frame = [&time[..], b"\x03\x00", &u32::from(tenth).to_le_bytes(), b"\x80\x01"].concat();
                block(if tenth % 3 == 2 { b"\x08hm\n\0\x01" } else { &frame });
            }
        }
        file
    }

    #[test]
    fn skipping_runs_of_blocks_changes_no_result() {
        let file = recording(3000);
        for spans in [
            "10..",
            "..250.05",
            "100..200",
            "10..20, 100..101, 290..",
            "#40..",
            "#700..#1800",
            "#2..#5, #900..#2000, level 2 7..8",
            "level 1",
            "level 2 70..",
            "level 2, 250..260, #2999..#3001",
        ] {
            for drops in [false, true] {
                let recording_of = |is_long: bool| {
                    let mut found = Spans::parse(spans).unwrap().find(&file[..]).unwrap();
                    if !is_long {
                        found.forbid_runs();
                    }
                    let mut cut = if drops { Cut::drop(found) } else { Cut::keep(found) };
                    let mut short = Vec::new();
                    let summary = rewrite(&file[..], &mut cut, &mut short).unwrap();
                    (short, summary.to_string())
                };
                let (long, short) = (recording_of(true), recording_of(false));
                assert_eq!(long.1, short.1, "{spans}, {drops}");
                assert!(long.0 == short.0, "{spans}, {drops}");
            }
        }
    }

    #[test]
    fn marks_are_bounded() {
        let mut course = LevelMarks::default();
        for block in 0..3_000_000u32 {
            let time = Some(f64::from(block));
            course.pass(block.into(), [time, time], Context::quake(), false);
        }
        assert!((MAX_MARKS / 2..=MAX_MARKS).contains(&course.marks.len()));
        let part = SpanPart { levels: (0, u32::MAX), blocks: (0, u64::MAX), times: None };
        let run = course.run(5, [&part].into_iter(), false).unwrap();
        assert_eq!((run.until, run.keeps, run.leads), (2_999_999, true, false));
    }
}
