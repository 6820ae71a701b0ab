//! Another recording, read in step with the one that its ghost is added to.

use crate::machinery::pose::Pose;
use crate::{Error, OpenInput};
use moviola_format::{Demo, Piece};
use moviola_state::{Playhead, World};
use std::io::Read;

/// Another recording, and the number of the entity that is its ghost.
#[derive(Clone)]
pub(super) struct Source<'r> {
    pub(super) name: String,
    pub(super) open: OpenInput<'r>,
    pub(super) number: u16,
    /// How many seconds later it is shown.
    pub(super) shift: f64,
}

/// A recording that is being read, and the world after the last block.
pub(super) struct Reel<'r, W> {
    demo: Demo<Box<dyn Read + 'r>>,
    pub(super) head: Playhead<W>,
}

impl<'r> Source<'r> {
    /// Opens it from its beginning.
    pub(super) fn reel<W: World>(&self) -> Result<Reel<'r, W>, Error> {
        let demo = Demo::new((self.open)()?)?;
        if Error::game(demo.format())? != <W::Dialect as moviola_format::Dialect>::GAME {
            return Err(Error::Impossible(format!("{} is of another game", self.name)));
        }
        Ok(Reel { demo, head: Playhead::new() })
    }
}

impl<W: World> Reel<'_, W> {
    /// Reads the next block; false at the end.
    pub(super) fn step(&mut self) -> Result<bool, Error> {
        while let Some(piece) = self.demo.next_piece()? {
            if let Piece::Block(block) = piece
                && !block.is_from_client()
            {
                self.head.step(&block);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Positions further apart in time than this are not interpolated.
const PAUSE: f64 = 0.5;

/// The recorder of another recording at a time, with the entity in that game's form.
#[derive(Clone)]
pub(super) struct Sample<E> {
    pub(super) time: f64,
    pub(super) pose: Pose,
    pub(super) entity: E,
}

/// A sample, and the name of the model that the runner wears.
pub(super) type SampleWithModel<E> = (Sample<E>, Vec<u8>);

impl<E: Clone> Sample<E> {
    /// The recorder's state at a time between two samples; `None` if the samples are too far apart.
    pub(super) fn between(last: Option<&Self>, next: Option<&Self>, now: f64) -> Option<Self> {
        let last = last.filter(|last| last.time <= now)?;
        match next {
            Some(next) if next.time - last.time < PAUSE => Some(last.toward(next, now)),
            _ => (now - last.time < PAUSE).then(|| last.clone()),
        }
    }

    /// A state between this one and the next.
    fn toward(&self, next: &Self, now: f64) -> Self {
        let way = (now - self.time) / (next.time - self.time);
        let mut between = self.clone();
        if (0.0..=1.0).contains(&way) {
            between.pose = self.pose.toward_unless_jump(&next.pose, way);
        }
        between
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_lasts_for_a_pause() {
        let at = |time: f64, x: f64| Sample {
            time,
            pose: Pose { origin: [x, 0.0, 0.0], angles: [0.0; 3] },
            entity: (),
        };
        let between = |last: &Sample<()>, next: Option<&Sample<()>>, now: f64| {
            Sample::between(Some(last), next, now).map(|it| it.pose.origin[0])
        };
        let (last, next, far) = (at(1.0, 0.0), at(1.25, 4.0), at(9.0, 4.0));
        assert_eq!(between(&last, Some(&next), 1.125), Some(2.0));
        assert_eq!(between(&last, Some(&next), 0.5), None, "before the sample");
        assert_eq!((between(&last, Some(&far), 1.25), between(&last, None, 1.25)), (Some(0.0), Some(0.0)));
        assert_eq!((between(&last, Some(&far), 1.5), between(&last, None, 1.5)), (None, None));
    }
}
