//! How long something was recorded: one rule for everybody who says it.

/// Sums up how far the game's clock goes, level by level. Packets that come out of order move it back a little, and
/// count nothing twice; where it leaps, something else begins, and the leap is no time that was recorded.
///
/// ```
/// let mut length = moviola_analyse::Length::default();
/// assert_eq!(length.seconds(), None);
/// for time in [10.0, 10.5, 10.25, 11.0, 500.0, 500.5, 20.0, 21.0] {
///     length.tick(time);
/// }
/// assert_eq!(length.end_level(), Some(2.5));
/// length.tick(1.0);
/// length.tick(2.0);
/// assert_eq!(length.seconds(), Some(3.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Length {
    /// The levels that are over, and the one at hand.
    before: Option<f64>,
    level: Option<f64>,
    /// The latest time of what is played.
    last: f64,
}

/// Farther than this forwards the clock only goes at a cut, or into another game.
const LEAP: f64 = 60.0;

/// So much a packet may be late: through the relays of bots some were by eight. A clock that goes back farther was set
/// anew.
const LATE: f64 = 10.0;

impl Length {
    /// The clock says this now.
    pub fn tick(&mut self, now: f64) {
        if !now.is_finite() {
            return;
        }
        let Some(level) = &mut self.level else {
            (self.level, self.last) = (Some(0.0), now);
            return;
        };
        let step = now - self.last;
        if !(-LATE..=LEAP).contains(&step) {
            self.last = now;
        } else if step > 0.0 {
            *level += step;
            self.last = now;
        }
    }

    /// The level is over: how long it was, if its clock was told.
    pub fn end_level(&mut self) -> Option<f64> {
        let level = self.level.take();
        if let Some(seconds) = level {
            *self.before.get_or_insert_default() += seconds;
        }
        level
    }

    /// How long all of it is so far, if the clock was told at all.
    pub fn seconds(&self) -> Option<f64> {
        match (self.before, self.level) {
            (None, None) => None,
            (before, level) => Some(before.unwrap_or_default() + level.unwrap_or_default()),
        }
    }
}
