//! How long something was recorded: one rule for everybody who says it, and what a game's time can be.

use crate::Game;

/// Sums up how long a recording plays, level by level. Packets that come out of order move the clock back a little, and
/// count nothing twice. Where the clock leaps, because packets were lost or a part was cut out, engines of Quake go on
/// from a tenth of a second before, so a leap counts no more than that. A frame of Quake II is seen for a tenth of a
/// second, whatever its number, and the last one too. A step of QuakeWorld's clock plays as long as it is, up to a
/// minute.
///
/// ```
/// use moviola_format::{Game, Length};
/// let mut length = Length::of(Game::Quake);
/// assert_eq!(length.seconds(), None);
/// for time in [10.0, 10.05, 10.025, 10.1, 500.0, 500.05, 20.0, 20.05] {
///     length.tick(time);
/// }
/// assert_eq!(length.end_level(), Some(0.3));
/// length.tick(1.0);
/// length.tick(1.05);
/// assert_eq!(length.seconds(), Some(0.35));
///
/// let mut frames = Length::of(Game::Quake2);
/// (1..=20).for_each(|number| frames.tick(f64::from(number) / 10.0));
/// assert_eq!(frames.seconds(), Some(2.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Length {
    /// The levels that are over, and the one at hand.
    before: Option<f64>,
    level: Option<f64>,
    /// The latest time of what is played.
    last: f64,
    /// How long the last moment is seen.
    moment: f64,
    /// The longest time for which a step of the clock is played.
    longest: f64,
}

/// The longest step of the clock that engines play in its own time: `CL_LerpPoint` of Quake, and a frame of Quake II.
const STEP: f64 = 0.1;

/// Farther than this forwards QuakeWorld's clock only goes at a cut, or into another game.
const LEAP: f64 = 60.0;

/// So much a packet may be late: through the relays of bots some were by eight. A clock that goes back farther was set
/// anew.
const LATE: f64 = 10.0;

/// Whether a level's clock can say this: beyond a hundred days engines count in seconds at best.
///
/// ```
/// assert!(moviola_format::is_time(86_400.0));
/// assert!(!moviola_format::is_time(-5e27) && !moviola_format::is_time(f64::NAN));
/// ```
#[must_use]
pub fn is_time(seconds: f64) -> bool {
    seconds.abs() < 1e7
}

impl Length {
    /// Of a recording of this game.
    #[must_use]
    pub fn of(game: Game) -> Self {
        let moment = if game == Game::Quake2 { STEP } else { 0.0 };
        let longest = if game == Game::QuakeWorld { LEAP } else { STEP };
        Self { moment, longest, ..Self::default() }
    }

    /// The clock says this now.
    pub fn tick(&mut self, now: f64) {
        if !is_time(now) {
            return;
        }
        let Some(level) = &mut self.level else {
            (self.level, self.last) = (Some(self.moment), now);
            return;
        };
        let step = now - self.last;
        if step < -LATE {
            // The clock was set anew.
            *level += self.moment;
            self.last = now;
        } else if step > 0.0 {
            // Behind a leap of QuakeWorld's clock another game begins, and nothing of the time between was recorded.
            let is_other = self.longest >= LEAP && step > LEAP;
            *level += if is_other { 0.0 } else { step.min(self.longest) };
            self.last = now;
        }
    }

    /// The level is over: how long it was, if its clock was told.
    pub fn end_level(&mut self) -> Option<f64> {
        let level = self.level.take();
        if let Some(seconds) = level {
            *self.before.get_or_insert_default() += seconds;
        }
        level.map(thousandths)
    }

    /// The length so far in seconds, not rounded; the clock of a film.
    ///
    /// ```
    /// use moviola_format::{Game, Length};
    /// let mut length = Length::of(Game::Quake);
    /// length.tick(7.0);
    /// length.tick(7.0625);
    /// assert_eq!(length.running(), 0.0625);
    /// ```
    #[must_use]
    pub fn running(&self) -> f64 {
        self.before.unwrap_or_default() + self.level.unwrap_or_default()
    }

    /// How long all of it is so far, if the clock was told at all.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let known = self.before.is_some() || self.level.is_some();
        known.then(|| thousandths(self.before.unwrap_or_default() + self.level.unwrap_or_default()))
    }
}

/// Sums of tenths in floats are not pretty.
fn thousandths(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
