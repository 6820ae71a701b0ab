//! The level's clock, and when each weapon was got by it: the status bar of id's engine draws a new weapon brightly, in
//! pictures that are numbered by how long ago that was.

use moviola_format::names::{bit, quake};

/// The bits of the items that are weapons of the status bar, which has a place for each.
const WEAPONS: u32 = 2 * bit(quake::ITEMS, "Thunderbolt") as u32 - 1;
/// What engines make of a clock that is behind by more than can be counted.
const BEYOND: i64 = 3;
const PLACES: usize = WEAPONS.count_ones() as usize;

/// What the status bar knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    now: f64,
    /// What it was in the block before: while a block is read, engines still show that.
    before: f64,
    weapons: u32,
    got: [f64; PLACES],
    /// When the newest of the weapons was got.
    latest: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { now: 0.0, before: 0.0, weapons: 0, got: [0.0; PLACES], latest: f64::NEG_INFINITY }
    }
}

impl Clock {
    /// The player carries these items.
    #[inline]
    pub(super) fn items(&mut self, items: u32) {
        let weapons = items & WEAPONS;
        if weapons != self.weapons {
            self.weapons(weapons);
        }
    }

    fn weapons(&mut self, weapons: u32) {
        let new = weapons & !self.weapons;
        (self.weapons, self.latest) = (weapons, f64::NEG_INFINITY);
        for (at, got) in self.got.iter_mut().enumerate().filter(|(at, _)| weapons >> at & 1 != 0) {
            *got = if new >> at & 1 != 0 { self.before } else { *got };
            self.latest = self.latest.max(*got);
        }
    }

    /// The clock is set. How many tenths of a second it is before the moment when a weapon was got.
    #[inline]
    pub(super) fn set(&mut self, time: f64) -> i64 {
        (self.before, self.now) = (self.now, time);
        let tenths = (self.latest - time) * 10.0;
        // A number that does not fit becomes the smallest one, of which the picture is that of 3.
        if tenths.abs() < f64::from(i32::MAX) {
            tenths as i64
        } else if tenths > 0.0 {
            BEYOND
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_goes_back_behind_a_weapon() {
        let mut clock = Clock::default();
        let carry = |clock: &mut Clock, time, items| (clock.set(time), clock.items(items)).0;
        // What a player begins with was got when the clock had not been set yet.
        assert_eq!([1.0, 2.0].map(|time| carry(&mut clock, time, 1)), [0, -20]);
        assert_eq!([0.5, 5.0, 5.5].map(|time| carry(&mut clock, time, 1)), [-5, -50, -55]);
        assert_eq!([6.0, 5.75, 5.25].map(|time| carry(&mut clock, time, 65)), [-60, -2, 2]);
        assert_eq!([-0.5, -0.5].map(|time| carry(&mut clock, time, 1)), [60, 5]);
        assert_eq!([f64::NAN, f64::INFINITY, -1e30].map(|time| carry(&mut clock, time, 1)), [0, 0, 3]);
    }
}
