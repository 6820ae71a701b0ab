//! The clock of the film: how long a playing engine has been showing a recording.
//!
//! Game time starts anew with every level and jumps where a recording was cut; a film runs on, by the rule for all
//! lengths: [`Length`].

use crate::{BlockWriter, EditOutput, Error, Rewrite, rewrite};
use moviola_format::{Entry, Game, Length, dem, dm2, mvd2};
use std::io::{self, Read};

/// How long a playing engine has been showing the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Film {
    /// Seconds since the first frame.
    pub(crate) now: f64,
    /// The length with the frame that is shown now, once the game is known.
    length: Option<Length>,
    /// MVD2: the number of the frame in its level.
    frame: u32,
}

/// Seconds between the frames of Quake II.
const FRAME: f64 = 0.1;

impl Film {
    /// Takes in a message of Quake; returns true if a frame begins.
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

    /// Takes in the time of a block of QuakeWorld, whose clients play a step of the clock in full.
    pub(crate) fn quakeworld(&mut self, time: f64) -> bool {
        let length = self.length.get_or_insert_with(|| Length::of(Game::QuakeWorld));
        length.tick(time);
        self.now = length.running();
        true
    }

    /// Takes in the beginning of a block; returns whether a message for all players may already stand in it.
    /// QuakeWorld's blocks have a time and an audience; in the other games the block must have a frame, which
    /// its messages begin.
    pub(crate) fn block(&mut self, game: Game, writer: &BlockWriter<'_>) -> bool {
        let Some(now) = writer.place().time.filter(|_| game == Game::QuakeWorld) else { return false };
        self.quakeworld(now);
        writer.is_for_all()
    }

    /// Takes in a message of Quake II; returns true if a frame begins.
    pub(crate) fn quake2(&mut self, message: &dm2::Message<'_>) -> bool {
        match message {
            dm2::Message::FrameMessage(it) => self.frame2(it.head.seq1.into()),
            dm2::Message::ServerData(_) => {
                self.length.get_or_insert_with(|| Length::of(Game::Quake2)).end_level();
                false
            }
            _ => false,
        }
    }

    /// A frame of Quake II, by its number.
    fn frame2(&mut self, number: f64) -> bool {
        let length = self.length.get_or_insert_with(|| Length::of(Game::Quake2));
        length.tick(number * FRAME);
        // The length ends after the frame, the film's time is at its beginning.
        self.now = (length.running() - FRAME).max(0.0);
        true
    }

    /// Takes in a message of an MVD2, whose levels begin with a frame; returns true if a frame begins.
    pub(crate) fn mvd2(&mut self, message: &mvd2::Message<'_>) -> bool {
        match message {
            mvd2::Message::ServerData(_) => {
                self.length.get_or_insert_with(|| Length::of(Game::Quake2)).end_level();
                self.frame = 0;
            }
            mvd2::Message::FrameMessage(_) => {}
            _ => return false,
        }
        self.frame = self.frame.saturating_add(1);
        self.frame2(self.frame.into())
    }
}

/// The seconds of the film, counted from 0, that have passed at the end of a block; for a block after the
/// last one, those of the last. Subtitles and spans like `+5..+8` use this clock.
///
/// # Errors
/// When reading fails, or the file is not a recording that can be edited.
///
/// ```
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x84\x3f";
/// assert_eq!(moviola_edit::film_time(&file[..], 1).unwrap(), 0.03125);
/// ```
pub fn film_time(recording: impl Read, block: u64) -> Result<f64, Error> {
    let mut until = ClockUntilBlock { block, film: Film::default(), seconds: None };
    rewrite(recording, &mut until, io::sink())?;
    Ok(until.seconds.unwrap_or(until.film.now))
}

/// Follows the clock until a block.
struct ClockUntilBlock {
    block: u64,
    film: Film,
    seconds: Option<f64>,
}

impl Rewrite for ClockUntilBlock {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut BlockWriter<'_>) {
        self.film.quake(&entry.message);
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, _: &mut BlockWriter<'_>) {
        self.film.quake2(&entry.message);
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn knows_mvd2(&self) -> bool {
        true
    }

    fn mvd2(&mut self, entry: &Entry<mvd2::Message<'_>>, _: &mut BlockWriter<'_>) {
        self.film.mvd2(&entry.message);
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Some(time) = writer.place().time.filter(|_| writer.context().game == Game::QuakeWorld) {
            self.film.quakeworld(time);
        }
        if writer.place().block == self.block {
            self.seconds = Some(self.film.now);
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.seconds.is_some()
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
            film.quake(&dem::Message::Time(dem::Time { time: Seconds::new(time).into() }));
            (film.now * 1000.0).round() as i32
        };
        assert_eq!([at(5.0), at(5.05), at(5.05), at(9.0), at(9.02)], [0, 50, 50, 150, 170]);
        assert_eq!(at(f32::NAN), 170);
    }
}
