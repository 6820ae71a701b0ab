//! The watcher that makes events of worlds.

mod command;
mod flags;
mod out;
mod talk;

pub(crate) use command::danger;
pub(crate) use flags::flag;
pub(crate) use out::{Doubt, Out};
pub(crate) use talk::{Roster, Talk, tell};

use crate::quake::Quake;
use crate::quake2::Quake2;
use crate::{Event, Here, Watch};
use moviola_format::Format;
use moviola_state::{quake, quake2};

/// Makes events of a recording's worlds and gives them to `sink`, in the order of their blocks.
///
/// An event may come some blocks after its own: what tells of it comes in several messages.
///
/// ```
/// use moviola_analyse::{Events, watch};
/// # fn main() -> std::io::Result<()> {
/// # let file = &b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x1ahi\0\x1c\x02"[..];
/// let mut names = Vec::new();
/// let mut events = Events::new(|event| names.push(event.name()));
/// watch(file, &mut [&mut events])?;
/// drop(events);
/// assert_eq!(names, ["centerprint", "secret", "disconnect"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Events<S> {
    sink: S,
    game: Game,
}

/// What is kept between blocks.
#[derive(Debug)]
enum Game {
    Quake(Box<Quake>),
    Quake2(Box<Quake2>),
}

impl<S: FnMut(Event)> Events<S> {
    /// Events for `sink`.
    pub fn new(sink: S) -> Self {
        Self { sink, game: Game::Quake(Box::default()) }
    }
}

impl<S: FnMut(Event)> Watch for Events<S> {
    fn format(&mut self, format: Format) {
        if format.game() == Some(moviola_format::Game::Quake2) {
            self.game = Game::Quake2(Box::default());
        }
    }

    fn quake(&mut self, world: &quake::World, here: &Here) {
        if let Game::Quake(it) = &mut self.game {
            it.step(world, here);
            it.out.settle(here.block, false, &mut self.sink);
        }
    }

    fn quake2(&mut self, world: &quake2::World, here: &Here) {
        if let Game::Quake2(it) = &mut self.game {
            it.step(world, here);
            it.out.settle(here.block, false, &mut self.sink);
        }
    }

    fn leave_quake(&mut self, world: &quake::World, here: &Here) {
        if let Game::Quake(it) = &mut self.game {
            it.leave(world, here);
            it.out.settle(here.block, true, &mut self.sink);
        }
    }

    fn leave_quake2(&mut self, world: &quake2::World, here: &Here) {
        if let Game::Quake2(it) = &mut self.game {
            it.leave(world, here);
            it.out.settle(here.block, true, &mut self.sink);
        }
    }

    fn end(&mut self, here: &Here) {
        match &mut self.game {
            Game::Quake(it) => {
                it.end(here);
                it.out.settle(here.block, true, &mut self.sink);
            }
            Game::Quake2(it) => {
                it.end(here);
                it.out.settle(here.block, true, &mut self.sink);
            }
        }
    }
}
