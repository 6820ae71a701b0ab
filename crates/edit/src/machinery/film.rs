//! The clock of the film: how long a playing engine has been showing a recording.
//!
//! Game time starts anew with every level and jumps where a recording was cut; a film runs on. Engines catch up with
//! a jump at once, so it takes no longer than the longest step that they take for a frame.

use moviola_format::{dem, dm2};

/// Seconds between the frames of Quake II.
const FRAME: f64 = 0.1;

/// The longest step between two times of Quake that its client takes for a frame (`CL_LerpPoint`).
const STEP: f64 = 0.1;

/// How long a playing engine has been showing the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Film {
    /// Seconds since the first frame.
    pub(crate) now: f64,
    /// The level's last time, or whether there was a frame.
    before: Option<f64>,
}

impl Film {
    /// Takes in a message of Quake; true where a frame begins.
    pub(crate) fn quake(&mut self, message: &dem::Message<'_>) -> bool {
        match message {
            dem::Message::Time(it) => {
                let time = f64::from(it.time.value());
                let step = self.before.map_or(0.0, |before| time - before);
                // Not-a-number is no step.
                self.now += if step > 0.0 { step.min(STEP) } else { 0.0 };
                self.before = Some(time);
                true
            }
            dem::Message::ServerInfo(_) => {
                self.before = None;
                false
            }
            _ => false,
        }
    }

    /// Takes in the time of a block of QuakeWorld, whose clients play a step of the clock as long as it is.
    pub(crate) fn quakeworld(&mut self, time: f64) -> bool {
        self.now += self.before.map_or(0.0, |before| (time - before).max(0.0));
        self.before = Some(time);
        true
    }

    /// Takes in a message of Quake II; true where a frame begins.
    pub(crate) fn quake2(&mut self, message: &dm2::Message<'_>) -> bool {
        let begins = matches!(message, dm2::Message::FrameMessage(_));
        if begins {
            self.now += if self.before.is_some() { FRAME } else { 0.0 };
            self.before = Some(0.0);
        }
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_format::Seconds;

    #[test]
    fn jumps_and_levels_do_not_stop_the_film() {
        let mut film = Film::default();
        // In thousandths.
        let mut at = |time: f32| {
            film.quake(&dem::Message::Time(dem::Time { time: Seconds::new(time) }));
            (film.now * 1000.0).round() as i32
        };
        assert_eq!([at(5.0), at(5.05), at(5.05), at(9.0), at(1.0), at(1.02)], [0, 50, 50, 150, 150, 170]);
        assert_eq!(at(f32::NAN), at(1.02));
    }
}
