//! The watcher that makes events from worlds.

pub(crate) mod boss;
pub(crate) mod chat;
pub(crate) mod command;
pub(crate) mod flags;
pub(crate) mod presence;
pub(crate) mod queue;

use crate::quake::QuakeEvents;
use crate::quake2::Quake2Events;
use crate::quakeworld::QuakeWorldEvents;
use crate::standing::Standing;
use crate::{Event, PassPosition, Watch};
use moviola_format::{Format, Game};
use moviola_state::{quake, quake2, quakeworld};

/// Makes events from a recording's worlds and passes them to `sink`, in the order of their blocks.
///
/// An event may be passed on some blocks late, because its evidence comes in several messages.
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
    maker: Maker,
}

impl<S: FnMut(Event)> Events<S> {
    /// Events for `sink`.
    pub fn new(sink: S) -> Self {
        Self { sink, maker: Maker::default() }
    }
}

impl<S: FnMut(Event)> Watch for Events<S> {
    fn begin(&mut self, format: Format) {
        self.maker.begin(format);
    }

    fn quake(&mut self, world: &quake::World, here: &PassPosition) {
        self.maker.quake(world, here, &mut self.sink);
    }

    fn quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        self.maker.quake2(world, here, &mut self.sink);
    }

    fn quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        self.maker.quakeworld(world, here, &mut self.sink);
    }

    fn leave_quake(&mut self, world: &quake::World, here: &PassPosition) {
        self.maker.leave_quake(world, here, &mut self.sink);
    }

    fn leave_quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        self.maker.leave_quake2(world, here, &mut self.sink);
    }

    fn leave_quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        self.maker.leave_quakeworld(world, here, &mut self.sink);
    }

    fn end(&mut self, here: &PassPosition) {
        self.maker.end(here, &mut self.sink);
    }
}

/// The state kept between blocks.
#[derive(Debug)]
pub(crate) enum Maker {
    Quake(Box<QuakeEvents>),
    Quake2(Box<Quake2Events>),
    QuakeWorld(Box<QuakeWorldEvents>),
}

impl Default for Maker {
    fn default() -> Self {
        Self::Quake(Box::default())
    }
}

type Sink<'s> = &'s mut dyn FnMut(Event);

impl Maker {
    pub(crate) fn begin(&mut self, format: Format) {
        match format.game() {
            Some(Game::Quake2) => *self = Self::Quake2(Box::default()),
            Some(Game::QuakeWorld) => *self = Self::QuakeWorld(Box::default()),
            Some(Game::Quake) | None => {}
        }
    }

    pub(crate) fn quake(&mut self, world: &quake::World, here: &PassPosition, sink: Sink<'_>) {
        if let Self::Quake(it) = self {
            it.step(world, here);
            it.out.settle(here.block, false, sink);
        }
    }

    pub(crate) fn quake2(&mut self, world: &quake2::World, here: &PassPosition, sink: Sink<'_>) {
        if let Self::Quake2(it) = self {
            it.step(world, here);
            it.out.settle(here.block, false, sink);
        }
    }

    pub(crate) fn leave_quake(&mut self, world: &quake::World, here: &PassPosition, sink: Sink<'_>) {
        if let Self::Quake(it) = self {
            it.leave(world, here);
            it.out.settle(here.block, true, sink);
        }
    }

    pub(crate) fn leave_quake2(&mut self, world: &quake2::World, here: &PassPosition, sink: Sink<'_>) {
        if let Self::Quake2(it) = self {
            it.leave(world, here);
            it.out.settle(here.block, true, sink);
        }
    }

    pub(crate) fn quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition, sink: Sink<'_>) {
        if let Self::QuakeWorld(it) = self {
            it.step(world, here);
            it.out.settle(here.block, false, sink);
        }
    }

    pub(crate) fn leave_quakeworld(
        &mut self,
        world: &quakeworld::World,
        here: &PassPosition,
        sink: Sink<'_>,
    ) {
        if let Self::QuakeWorld(it) = self {
            it.leave(world, here);
            it.out.settle(here.block, true, sink);
        }
    }

    pub(crate) fn end(&mut self, here: &PassPosition, sink: Sink<'_>) {
        match self {
            Self::Quake(it) => {
                it.end(here);
                it.out.settle(here.block, true, sink);
            }
            Self::Quake2(it) => {
                it.end(here);
                it.out.settle(here.block, true, sink);
            }
            Self::QuakeWorld(it) => {
                it.end(here);
                it.out.settle(here.block, true, sink);
            }
        }
    }

    /// The known scores of all players, including those who have left the level.
    pub(crate) fn board(&self) -> Vec<Standing> {
        match self {
            Self::Quake(it) => it.board(),
            Self::Quake2(it) => it.board(),
            Self::QuakeWorld(it) => it.board(),
        }
    }
}
