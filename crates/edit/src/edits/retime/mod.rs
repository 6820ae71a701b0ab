//! Slow motion and time-lapse: the game's clock runs at another speed within the spans, and later times are
//! shifted.

mod quake;
pub(crate) mod quake2;
mod quakeworld;
mod smooth;
mod speed;
mod tween;

pub use speed::Speed;

use smooth::Smoother;

use crate::{BlockWriter, EditOutput, Error, FoundSpans, Rewrite};
use moviola_format::{Entry, Fault, Format, Game, Piece, dem, dm2};

/// Makes parts of a recording slower or faster.
///
/// Quake: the times are encoded again. Quake II has no times, but ten frames a second: their number changes,
/// and positions and angles are interpolated between the recording's frames. `QuakeWorld`: the times of blocks are
/// encoded again. Every message is written once.
///
/// ```
/// use moviola_edit::{FoundSpans, Retime, Speed, rewrite};
/// // Two blocks, at 1 s and at 2 s.
/// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\
///     \x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let mut retime = Retime::new(Speed::parse("1/2").unwrap(), FoundSpans::all());
/// let mut slow = Vec::new();
/// let summary = rewrite(&recording[..], &mut retime, &mut slow).unwrap();
/// assert_eq!(slow[slow.len() - 4..], 3.0_f32.to_le_bytes());
/// assert_eq!(summary.about, "1.0 s at speed 0.5 take 2.0 s");
/// ```
#[derive(Clone)]
pub struct Retime {
    speed: Speed,
    found: FoundSpans,
    side: GameTimer,
    /// Whether blocks are added in slow motion.
    is_smooth: bool,
    smoother: Option<Box<Smoother>>,
    /// Whether the block was read to its end.
    is_readable: bool,
}

#[derive(Clone)]
enum GameTimer {
    Neither,
    Quake(quake::Timer),
    Quake2(Box<quake2::Timer>),
    QuakeWorld(quakeworld::Timer),
}

impl Retime {
    /// Plays these parts at this speed.
    pub fn new(speed: Speed, found: FoundSpans) -> Self {
        Self { speed, found, side: GameTimer::Neither, is_smooth: false, smoother: None, is_readable: true }
    }

    /// Adds blocks in slow motion, in which entities and the view are between their recorded positions, so that the
    /// picture does not stutter. Only Quake needs this option: in Quake II all frames are made again in any case.
    ///
    /// ```
    /// use moviola_edit::{FoundSpans, Retime, Speed, rewrite};
    /// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
    /// let mut retime = Retime::new(Speed::parse("1/4").unwrap(), FoundSpans::all()).smoothed();
    /// let mut slow = Vec::new();
    /// let summary = rewrite(&recording[..], &mut retime, &mut slow).unwrap();
    /// assert!(summary.added > 0);
    /// ```
    #[must_use]
    pub fn smoothed(self) -> Self {
        Self { is_smooth: true, ..self }
    }
}

impl Rewrite for Retime {
    fn needs_updates(&self) -> Option<&'static str> {
        self.smoother.as_ref().map(|_| "smoothed")
    }

    fn needs_messages(&self) -> Option<&'static str> {
        Some("retimed")
    }

    fn begin(&mut self, format: Format, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let factor = self.speed.factor();
        self.smoother = None;
        self.side = match Error::any_game(format)? {
            Game::QuakeWorld => {
                if self.is_smooth {
                    out.note("--smooth adds nothing: it is for recordings of Quake");
                }
                GameTimer::QuakeWorld(quakeworld::Timer::new(factor))
            }
            Game::Quake => {
                // At full speed every block is kept unchanged.
                self.smoother = (self.is_smooth && factor < 1.0).then(Box::default);
                GameTimer::Quake(quake::Timer::new(factor))
            }
            Game::Quake2 => GameTimer::Quake2(Box::new(quake2::Timer::new(factor))),
        };
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        // Nothing is played after an end, or after bytes that are not a block.
        if let (GameTimer::Quake2(timer), false) = (&mut self.side, matches!(piece, Piece::Header(_))) {
            timer.leave(out)?;
        }
        out.piece(piece)
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.is_readable = !writer.block().is_from_client() && !writer.block().is_truncated();
        if let (Some(smoother), true) = (&mut self.smoother, self.is_readable) {
            smoother.block(writer.block());
        }
        if let (GameTimer::Quake2(timer), true) = (&mut self.side, self.is_readable) {
            timer.block(writer.block());
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let (GameTimer::Quake2(timer), true) = (&mut self.side, self.is_readable) {
            timer.message(entry, writer);
        }
        writer.keep();
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &mut self.side {
            GameTimer::Quake(timer) if self.is_readable => {
                let inside = self.found.holds(writer.place());
                let smoother = self.smoother.as_mut();
                if !smoother.is_some_and(|smoother| smoother.message(entry, inside, writer)) {
                    timer.message(entry, inside, writer);
                }
            }
            _ => writer.keep(),
        }
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn moves_end(&self) -> bool {
        true
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match &mut self.side {
            GameTimer::Quake(timer) if self.is_readable => {
                if let Some(smoother) = &mut self.smoother {
                    let inside = self.found.holds(writer.place());
                    smoother.block_end(timer.now(), inside, writer, out)?;
                }
                writer.write(out)
            }
            GameTimer::Quake2(timer) if self.is_readable => {
                let inside = self.found.holds(writer.place());
                timer.block_end(writer, inside, out)
            }
            GameTimer::QuakeWorld(timer) => {
                let inside = self.found.holds(writer.place());
                timer.block(writer, inside, out)
            }
            GameTimer::Quake2(timer) if writer.block().is_truncated() => {
                timer.leave(out)?;
                writer.write(out)
            }
            _ => writer.write(out),
        }
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match &mut self.side {
            GameTimer::Quake(timer) => match &self.smoother {
                Some(smoother) => smoother.end(out),
                None => timer.end(out),
            },
            GameTimer::Quake2(timer) => timer.end(out)?,
            GameTimer::QuakeWorld(_) | GameTimer::Neither => {}
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let (before, after) = match &self.side {
            GameTimer::Quake(timer) => timer.taken(),
            GameTimer::Quake2(timer) => timer.taken(),
            GameTimer::QuakeWorld(timer) => timer.taken(),
            GameTimer::Neither => (0.0, 0.0),
        };
        let added = match self.smoother.as_ref().map_or(0, |it| it.added()) {
            0 => String::new(),
            added => format!(", {} blocks between", crate::machinery::summary::thousands(added)),
        };
        format!("{before:.1} s at speed {} take {after:.1} s{added}", self.speed)
    }
}
