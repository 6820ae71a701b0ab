//! The clock of the film: how long a playing engine has been showing a recording.
//!
//! Game time starts anew with every level and jumps where a recording was cut; a film runs on, by the rule for all
//! lengths: [`Length`].

use moviola_format::{Game, Length, dem, dm2};

/// How long a playing engine has been showing the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Film {
    /// Seconds since the first frame.
    pub(crate) now: f64,
    /// The length with the frame that is shown now, once the game is known.
    length: Option<Length>,
}

/// Seconds between the frames of Quake II.
const FRAME: f64 = 0.1;

impl Film {
    /// Takes in a message of Quake; true where a frame begins.
    pub(crate) fn quake(&mut self, message: &dem::Message<'_>) -> bool {
        let length = self.length.get_or_insert_with(|| Length::of(Game::Quake));
        match message {
            dem::Message::Time(it) => {
                length.tick(it.time.value().into());
                self.now = length.running();
                true
            }
            dem::Message::ServerInfo(_) => {
                length.end_level();
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
        let length = self.length.get_or_insert_with(|| Length::of(Game::Quake2));
        match message {
            dm2::Message::FrameMessage(it) => {
                length.tick(f64::from(it.head.seq1) * FRAME);
                // The length ends behind the frame, the film's time is at its beginning.
                self.now = (length.running() - FRAME).max(0.0);
                true
            }
            dm2::Message::ServerData(_) => {
                length.end_level();
                false
            }
            _ => false,
        }
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
        assert_eq!([at(5.0), at(5.05), at(5.05), at(9.0), at(9.02)], [0, 50, 50, 150, 170]);
        assert_eq!(at(f32::NAN), 170);
    }
}
