//! The level's clock: whether it leaps, and whether it goes back so far that an index becomes negative that engines
//! compute from a time: the picture of a new weapon on id's status bar, or the color of an explosion's spark.

use moviola_format::is_time;
use moviola_format::names::{bit, quake};

/// The bits of the items that are weapons of the status bar, which has a place for each.
const WEAPONS: u32 = 2 * bit(quake::ITEMS, "Thunderbolt") as u32 - 1;
/// A sound clock steps back by at most this many seconds. Late packets set a clock back by up to 7.8 seconds in known
/// recordings.
const MAX_STEP_BACK: f64 = 12.0;
/// The greatest step between two blocks of a level, in seconds.
const MAX_STEP: f64 = 3600.0;
/// The lifetime of an explosion's sparks: 8 colors, 15 of them per second.
const SPARKS: f64 = 8.0 / 15.0;
/// A wrong time in at most this many blocks in a row is damage; in more blocks, the clock was set to another time.
const TORN: u8 = 16;
const PLACES: usize = WEAPONS.count_ones() as usize;

/// The change of the clock in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tick {
    /// It is set to a value that cannot be the level's time.
    pub(super) leaps: bool,
    /// Whether the clock has returned to its old course after some blocks with such a value.
    pub(super) returns: bool,
    /// Whether the clock goes on so far that this may be the first of the damaged blocks.
    pub(super) rises: bool,
    /// The tenths of a second by which it is before the moment when a weapon was picked up, if that is
    /// known.
    pub(super) before_pickup: i64,
    /// By how many tenths of a second the time is before an explosion whose sparks are still visible.
    pub(super) sparks: i64,
}

/// The clock, and the moments that the status bar and explosions depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    now: f64,
    /// The last time of the level that is not damaged.
    sound: Option<f64>,
    /// Its value in the block before: while a block is read, engines still show that.
    before: f64,
    weapons: u32,
    got: [f64; PLACES],
    /// When the newest of the weapons was picked up.
    latest: f64,
    /// The time of the newest explosion whose sparks are still visible.
    explosion: f64,
    /// For a clock that jumped ahead: its time before, and the number of blocks since.
    risen: Option<(f64, u8)>,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            now: 0.0,
            sound: None,
            before: 0.0,
            weapons: 0,
            got: [0.0; PLACES],
            latest: f64::NEG_INFINITY,
            explosion: f64::NEG_INFINITY,
            risen: None,
        }
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

    /// Notes an explosion with sparks.
    pub(super) fn explodes(&mut self) {
        self.explosion = self.explosion.max(self.before);
    }

    /// Sets the clock.
    #[inline]
    pub(super) fn set(&mut self, time: f64) -> Tick {
        let since = |moment: f64| {
            let tenths = (moment - time) * 10.0;
            if is_time(time) && tenths.is_finite() { tenths as i64 } else { 0 }
        };
        let (behind, sparks) = (since(self.latest), since(self.explosion));
        if time - self.explosion >= SPARKS {
            self.explosion = f64::NEG_INFINITY;
        }
        let leaps = self.sound.is_some_and(|sound| !goes_on(sound, time)) && !goes_on(self.now, time);
        let jump = self.risen.take().filter(|(_, blocks)| *blocks < TORN);
        let returns = leaps && jump.is_some_and(|(from, _)| goes_on(from, time));
        let rises = !leaps && jump.is_none() && self.sound.is_some_and(|sound| time - sound > MAX_STEP_BACK);
        self.risen = match (jump, self.sound) {
            (_, Some(sound)) if rises => Some((sound, 1)),
            (Some((from, blocks)), _) if !leaps => Some((from, blocks + 1)),
            _ => None,
        };
        if !leaps || returns {
            self.sound = Some(time);
        }
        (self.before, self.now) = (self.now, time);
        Tick { leaps: leaps || !is_time(time), returns, rises, before_pickup: behind, sparks }
    }
}

/// Whether a sound clock may go from one time to the other.
fn goes_on(from: f64, to: f64) -> bool {
    is_time(from) && is_time(to) && to - from >= -MAX_STEP_BACK && to - from <= MAX_STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_goes_back_after_a_weapon() {
        let mut clock = Clock::default();
        let carry = |clock: &mut Clock, time, items| (clock.set(time).before_pickup, clock.items(items)).0;
        // The weapons that a player has from the start were picked up before the clock was set.
        assert_eq!([1.0, 2.0].map(|time| carry(&mut clock, time, 1)), [0, -20]);
        assert_eq!([0.5, 5.0, 5.5].map(|time| carry(&mut clock, time, 1)), [-5, -50, -55]);
        assert_eq!([6.0, 5.75, 5.25].map(|time| carry(&mut clock, time, 65)), [-60, -2, 2]);
        assert_eq!([-0.5, -0.5].map(|time| carry(&mut clock, time, 1)), [60, 5]);
        assert_eq!([f64::NAN, f64::INFINITY, -1e30].map(|time| carry(&mut clock, time, 1)), [0, 0, 0]);
    }

    #[test]
    fn a_clock_leaps() {
        let leaps = |times: &[f64]| {
            let mut clock = Clock::default();
            let leaps: Vec<bool> = times.iter().map(|time| clock.set(*time).leaps).collect();
            leaps
        };
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -5e27, -1e9, 1e9, 3e38, 1e6, -1e6, 0.0] {
            assert_eq!(leaps(&[63.8, 63.9, odd, 64.0, 64.1]), [false, false, true, false, false], "{odd}");
        }
        // A clock that keeps the new time leapt once.
        for new in [1.0, 9e4] {
            assert_eq!(leaps(&[63.8, 63.9, new, new + 0.1, new + 0.2]), [false, false, true, false, false]);
        }
        // Packets out of order, a long pause, a level that was played for a day.
        assert_eq!(leaps(&[86_400.0, 86_435.0, 86_443.0, 86_435.1]), [false; 4]);
    }
}
