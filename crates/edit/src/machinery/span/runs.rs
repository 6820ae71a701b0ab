//! Spans as runs of blocks with their times, for programs that play a recording without changing it.

use super::{FoundSpans, Spans};
use crate::{BlockPlace, BlockWriter, EditOutput, Error, Rewrite, rewrite};
use std::io::{self, Read};

/// Consecutive blocks of a span, by their numbers counted from 0.
///
/// ```
/// use moviola_edit::Spans;
/// // One block, in which the time is 2.
/// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let runs = Spans::parse("1..3").unwrap().runs(|| Ok(&recording[..])).unwrap();
/// assert_eq!((runs[0].first, runs[0].last, runs[0].times), (0, 0, Some((2.0, 2.0))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockRun {
    /// The number of the first block.
    pub first: u64,
    /// The number of the last block.
    pub last: u64,
    /// The game times of the first and the last block; `None` if they have none.
    pub times: Option<(f64, f64)>,
}

/// The greatest number of listed runs.
const MAX_RUNS: usize = 10_000;

impl Spans {
    /// Finds the spans in a recording, which is read twice, and lists their runs of blocks.
    ///
    /// # Errors
    /// The errors of [`find`](Self::find).
    pub fn runs<R: Read>(&self, mut open: impl FnMut() -> io::Result<R>) -> Result<Vec<BlockRun>, Error> {
        let found = self.find(open()?)?;
        let mut collect = RunCollector { found, runs: Vec::new() };
        rewrite(open()?, &mut collect, io::sink())?;
        Ok(collect.runs)
    }
}

struct RunCollector {
    found: FoundSpans,
    runs: Vec<BlockRun>,
}

impl Rewrite for RunCollector {
    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn knows_mvd2(&self) -> bool {
        true
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        let BlockPlace { block, time, .. } = *writer.place();
        if !self.found.holds(writer.place()) {
            return Ok(());
        }
        let time = time.filter(|time| time.is_finite());
        let has_room = self.runs.len() < MAX_RUNS;
        match self.runs.last_mut().filter(|run| run.last + 1 == block) {
            Some(run) => {
                run.last = block;
                let first = run.times.map(|(first, _)| first).or(time);
                run.times = first.zip(time.or(run.times.map(|(_, last)| last)));
            }
            None if has_room => {
                self.runs.push(BlockRun { first: block, last: block, times: time.zip(time) });
            }
            None => {}
        }
        Ok(())
    }
}
