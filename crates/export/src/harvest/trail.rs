//! The recent positions of players, from which an event gets the position at its block although it arrives
//! some blocks later.

use std::collections::{BTreeMap, VecDeque};

/// A player's position and state at a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TrailSpot {
    pub(super) block: i64,
    /// The seconds of the recording before the block.
    pub(super) time: f32,
    pub(super) origin: [f32; 3],
    pub(super) angles: [f32; 3],
    pub(super) health: Option<i32>,
    pub(super) armor: Option<i32>,
}

/// The recent positions of all players of a level, and the times of the recent blocks.
#[derive(Debug, Default)]
pub(super) struct Trail {
    players: BTreeMap<u8, VecDeque<TrailSpot>>,
    times: VecDeque<(i64, f32)>,
}

/// An event may arrive this many blocks late.
const KEPT_BLOCKS: usize = 96;

/// A position older than this, in seconds, is not used as the present one.
const OLD: f32 = 0.5;

/// A speed above this, in units per second, means a teleport or a respawn.
const FASTEST: f32 = 3000.0;

impl Trail {
    /// Forgets the positions when another level begins. The times stay, because the recording's clock
    /// continues.
    pub(super) fn forget(&mut self) {
        self.players.clear();
    }

    pub(super) fn time(&mut self, block: i64, time: f32) {
        // Many blocks of an MVD have the same time. They count once, so that they do not push other times out.
        if self.times.back().is_some_and(|(_, last)| last.to_bits() == time.to_bits()) {
            return;
        }
        if self.times.len() >= KEPT_BLOCKS {
            self.times.pop_front();
        }
        self.times.push_back((block, time));
    }

    /// The seconds of the recording before a block.
    pub(super) fn time_of(&self, block: i64) -> Option<f32> {
        let known = self.times.iter().rev().find(|(at, _)| *at <= block);
        known.or(self.times.front()).map(|(_, time)| *time)
    }

    /// Adds a position. Returns the velocity since the last position, if that is at most [`OLD`] seconds old and the
    /// speed is below [`FASTEST`].
    pub(super) fn add(&mut self, slot: u8, seen: TrailSpot) -> Option<[f32; 3]> {
        let spots = self.players.entry(slot).or_default();
        let last_spot = spots.back().copied();
        if spots.len() >= KEPT_BLOCKS {
            spots.pop_front();
        }
        spots.push_back(seen);
        let before = last_spot?;
        let seconds = seen.time - before.time;
        if seconds <= 0.0 || seconds > OLD {
            return None;
        }
        let speed: [f32; 3] =
            std::array::from_fn(|at| (get(seen.origin, at) - get(before.origin, at)) / seconds);
        // Rounded to eighths, the resolution of positions.
        let speed = speed.map(|it| (it * 8.0).round() / 8.0);
        (speed.iter().map(|it| it * it).sum::<f32>() < FASTEST * FASTEST).then_some(speed)
    }

    /// The last position of a player at a block or at most [`OLD`] seconds before it.
    pub(super) fn at(&self, slot: Option<u8>, block: i64) -> Option<TrailSpot> {
        let now = self.time_of(block)?;
        let seen = self.players.get(&slot?)?.iter().rev().find(|seen| seen.block <= block)?;
        (now - seen.time <= OLD).then_some(*seen)
    }

    /// The slot of the player nearest to a point, within `reach` units; the player `but` is excluded.
    pub(super) fn nearest(&self, place: [f32; 3], block: i64, reach: f32, but: Option<u8>) -> Option<u8> {
        let spots = self.players.keys().filter(|slot| Some(**slot) != but);
        let far =
            spots.filter_map(|slot| Some((distance(self.at(Some(*slot), block)?.origin, place), *slot)));
        let near = far.filter(|(far, _)| *far <= reach);
        near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, slot)| slot)
    }
}

fn get(place: [f32; 3], at: usize) -> f32 {
    place.get(at).copied().unwrap_or_default()
}

/// The distance between two points.
pub(super) fn distance(one: [f32; 3], other: [f32; 3]) -> f32 {
    one.iter().zip(other).map(|(one, other)| (one - other) * (one - other)).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(block: i64, time: f32, x: f32) -> TrailSpot {
        TrailSpot { block, time, origin: [x, 0.0, 0.0], ..TrailSpot::default() }
    }

    #[test]
    fn a_place_is_known_for_a_while() {
        let mut trail = Trail::default();
        for (block, time) in [(1, 0.1), (2, 0.2), (3, 0.3), (20, 2.0)] {
            trail.time(block, time);
        }
        assert_eq!(trail.add(0, seen(1, 0.1, 0.0)), None);
        assert_eq!(trail.add(0, seen(2, 0.2, 32.0)), Some([320.0, 0.0, 0.0]));
        assert_eq!(trail.add(0, seen(3, 0.3, 3200.0)), None);
        assert_eq!(trail.at(Some(0), 2).map(|it| it.origin[0]), Some(32.0));
        assert_eq!(trail.at(Some(0), 20), None);
        assert_eq!(trail.at(Some(1), 2), None);
        assert_eq!(trail.nearest([40.0, 0.0, 0.0], 2, 64.0, None), Some(0));
        assert_eq!(trail.nearest([40.0, 0.0, 0.0], 2, 64.0, Some(0)), None);
        assert_eq!(trail.time_of(10), Some(0.3));
        trail.forget();
        assert_eq!((trail.at(Some(0), 2), trail.time_of(2)), (None, Some(0.2)));
    }
}
