//! The time at which each block is shown, to convert between blocks, moments and events.

use moviola_scene::Seeker;
use std::io::{self, Read};

/// The most blocks whose time is stored: twelve hours of 72 blocks a second. Later blocks of a longer recording get the
/// last time.
const MAX_BLOCKS: usize = 12 * 3600 * 72;

/// The times of each block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// The seconds of the recording at which it is seen.
    seen: Vec<f64>,
    /// The time of each block on the game's clock, which `events` and the report show; NaN before the level's first
    /// time.
    game: Vec<f32>,
}

impl Clock {
    /// Reads a recording to its end.
    pub(crate) fn read<R: Read, O: FnMut() -> io::Result<R>>(seeker: &mut Seeker<O, R>) -> io::Result<Self> {
        let mut clock = Self::default();
        seeker.walk(|reel| clock.push(reel.seconds()))?;
        Ok(clock)
    }

    /// Adds the next block.
    pub(crate) fn push(&mut self, seconds: f64) {
        if self.seen.len() < MAX_BLOCKS {
            self.seen.push(seconds);
        }
    }

    /// Adds the game's time of a block. Blocks that were skipped get that of the block before.
    pub(crate) fn push_game_time(&mut self, block: u64, time: Option<f64>) {
        let before = self.game.last().copied().unwrap_or(f32::NAN);
        let blocks = (block as usize).min(MAX_BLOCKS - 1) + 1;
        self.game.resize(blocks.max(self.game.len()), before);
        if let (Some(last), true) = (self.game.last_mut(), (block as usize) < MAX_BLOCKS) {
            *last = time.map_or(f32::NAN, |time| time as f32);
        }
    }

    /// Takes the game's times from another clock of the same recording.
    pub(crate) fn take_game_times(&mut self, other: Self) {
        self.game = other.game;
    }

    /// The time of a block on the game's clock. For blocks after the last one, that of the last one.
    pub(crate) fn game_time_of(&self, block: u64) -> Option<f64> {
        let time = self.game.get(block as usize).or(self.game.last());
        time.copied().filter(|time| !time.is_nan()).map(f64::from)
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.seen.len() as u64
    }

    /// The time of the last block.
    pub(crate) fn end(&self) -> f64 {
        self.seen.last().copied().unwrap_or(0.0)
    }

    /// The time of a block. For blocks after the last one, that of the last one.
    pub(crate) fn seconds_of(&self, block: u64) -> f64 {
        self.seen.get(block as usize).copied().unwrap_or_else(|| self.end())
    }

    /// The last block that is seen at a moment, counted from 0.
    pub(crate) fn block_at(&self, seconds: f64) -> u64 {
        (self.seen.partition_point(|at| *at <= seconds) as u64).saturating_sub(1)
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

    #[test]
    fn the_time_of_a_block_without_one_is_that_of_the_block_before() {
        let mut clock = Clock::default();
        assert_eq!(clock.game_time_of(0), None);
        for (block, time) in
            [(0, None), (2, Some(1.5)), (3, Some(1.75)), (6, Some(0.25)), (MAX_BLOCKS as u64 + 9, Some(7.0))]
        {
            clock.push_game_time(block, time);
        }
        let times = [0, 1, 2, 3, 5, 6, u64::MAX].map(|block| clock.game_time_of(block));
        assert_eq!(times, [None, None, Some(1.5), Some(1.75), Some(1.75), Some(0.25), Some(0.25)]);
    }
}
