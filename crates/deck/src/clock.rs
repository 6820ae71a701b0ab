//! When each block is seen, so that a block, a moment and an event find each other.

use moviola_scene::Seeker;
use std::io::{self, Read};

/// The most blocks whose time is kept: twelve hours of 72 blocks a second. In a longer recording the rest has
/// the last time.
const MOST: usize = 12 * 3600 * 72;

/// The seconds of the recording at which each block is seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(Vec<f64>);

impl Clock {
    /// Reads a recording to its end.
    pub(crate) fn read<R: Read, O: FnMut() -> io::Result<R>>(seeker: &mut Seeker<O, R>) -> io::Result<Self> {
        let mut clock = Self::default();
        seeker.walk(|reel| clock.push(reel.seconds()))?;
        Ok(clock)
    }

    /// Adds the next block.
    pub(crate) fn push(&mut self, seconds: f64) {
        if self.0.len() < MOST {
            self.0.push(seconds);
        }
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.0.len() as u64
    }

    /// The time of the last block.
    pub(crate) fn end(&self) -> f64 {
        self.0.last().copied().unwrap_or(0.0)
    }

    /// The time of a block; that of the last one for blocks after it.
    pub(crate) fn seconds_of(&self, block: u64) -> f64 {
        self.0.get(block as usize).copied().unwrap_or_else(|| self.end())
    }

    /// The last block that is seen at a moment, counted from 0.
    pub(crate) fn block_at(&self, seconds: f64) -> u64 {
        (self.0.partition_point(|at| *at <= seconds) as u64).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_found_by_its_time_and_its_time_by_the_block() {
        let mut clock = Clock::default();
        assert_eq!((clock.block_at(1.0), clock.seconds_of(3), clock.end()), (0, 0.0, 0.0));
        for at in [0.0, 0.5, 0.5, 1.0] {
            clock.push(at);
        }
        assert_eq!([0.0, 0.4, 0.5, 0.9, 7.0].map(|at| clock.block_at(at)), [0, 0, 2, 2, 3]);
        assert_eq!((clock.seconds_of(1), clock.seconds_of(9)), (0.5, 1.0));
    }
}
