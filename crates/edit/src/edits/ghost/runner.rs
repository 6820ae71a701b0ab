//! Another recording, read beside the one that its ghost is in.

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

/// The recording at work: the world there.
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
    /// Takes the next block in; false at the end.
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
