//! The playing time of a recording, by one rule for all commands, and the plausible range of a game's clock.

use crate::Game;

/// Sums up the playing time of a recording, level by level. Packets that come out of order move the clock
/// back a little, and no time counts twice. If the clock jumps because packets were lost or a part was cut
/// out, Quake's engines resume a tenth of a second before the new time, so a jump counts no more than that. A
/// frame of Quake II, the last one included, lasts a tenth of a second, whatever its number. A step of
/// QuakeWorld's clock counts in full, up to a minute.
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
    /// The sum of the levels before the present one.
    before: Option<f64>,
    level: Option<f64>,
    /// The latest time played.
    last: f64,
    /// The duration of a moment after which no step follows.
    moment: f64,
    /// The longest step of the clock that counts.
    longest: f64,
}

/// The longest step of the clock that engines play in full: `CL_LerpPoint` of Quake, and a frame of Quake II.
const MAX_PLAYED_STEP: f64 = 0.1;

/// QuakeWorld's clock jumps forward by more than this only at a cut, or into another game.
const MAX_STEP_FORWARD: f64 = 60.0;

/// The greatest delay of a packet: through the relays of bots some were eight seconds late. A clock that goes
/// back farther was reset.
const MAX_STEP_BACK: f64 = 10.0;

/// Whether this is a plausible time of a level's clock: beyond a hundred days the engines' floats have a
/// precision of seconds at best.
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
    /// The empty length for a recording of this game.
    #[must_use]
    pub fn of(game: Game) -> Self {
        let moment = if game == Game::Quake2 { MAX_PLAYED_STEP } else { 0.0 };
        let longest = if game == Game::QuakeWorld { MAX_STEP_FORWARD } else { MAX_PLAYED_STEP };
        Self { moment, longest, ..Self::default() }
    }

    /// Adds a reading of the clock.
    pub fn tick(&mut self, now: f64) {
        if !is_time(now) {
            return;
        }
        let Some(level) = &mut self.level else {
            (self.level, self.last) = (Some(self.moment), now);
            return;
        };
        let step = now - self.last;
        if step < -MAX_STEP_BACK {
            // The clock was reset.
            *level += self.moment;
            self.last = now;
        } else if step > 0.0 {
            // After a jump of QuakeWorld's clock another game begins, and the time between was not recorded.
            let is_second_leap = self.longest >= MAX_STEP_FORWARD && step > MAX_STEP_FORWARD;
            *level += if is_second_leap { 0.0 } else { step.min(self.longest) };
            self.last = now;
        }
    }

    /// Ends the level; returns its length, if there was a time.
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

    /// The length of the whole recording so far, if there was any time.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let known = self.before.is_some() || self.level.is_some();
        known.then(|| thousandths(self.before.unwrap_or_default() + self.level.unwrap_or_default()))
    }
}

/// Rounds, because sums of tenths have long fractions as floats.
fn thousandths(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// A time in tenths of a second as `m:ss.t`. The caller rounds: a summary to the nearest tenth, a running clock down, so
/// that it does not show a moment that is still to come.
///
/// ```
/// assert_eq!(moviola_format::clock_text(725), "1:12.5");
/// ```
pub fn clock_text(tenths: u64) -> String {
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}
