//! The messages of a block at which an engine stops, or shows something else: for code that repairs
//! recordings.

use super::{quake, quake2};
use crate::engines::Engine;
use crate::judge::{Judge, Problem};
use crate::place::ReaderPosition;
use crate::scan::{Rest, Sight, Watch, messages};
use moviola_format::{Block, Context, Dialect, Game, dem, dm2, with_table};

/// Judges the messages of a recording for one engine, block by block.
///
/// ```
/// use moviola_check::{Engine, Stops};
/// use moviola_format::{Block, Context};
/// let mut stops = Stops::new(Engine::find("quakespasm").unwrap());
/// let (stage, context) = (Block::new(b"\x19\x02"), Context::quake());
/// // Only blocks that were played count for those that follow.
/// assert!(stops.look(&stage, &context).is_empty());
/// assert!(stops.play(&stage, &context).is_empty());
/// assert_eq!(stops.look(&stage, &context).len(), 1);
/// ```
#[derive(Clone)]
pub struct Stops {
    engine: &'static Engine,
    judge: Judge,
    quake: quake::State,
    quake2: quake2::State,
}

impl Stops {
    /// Begins before the first block.
    pub fn new(engine: &'static Engine) -> Self {
        let (quake, quake2) = (quake::State::default(), quake2::State::default());
        Self { engine, judge: Judge::of(engine), quake, quake2 }
    }

    /// The engine by which it judges.
    pub fn engine(&self) -> &'static Engine {
        self.engine
    }

    /// The engine's objections to a block, which begins under this context. The block does not count as
    /// played.
    pub fn look(&mut self, block: &Block<'_>, context: &Context) -> Vec<Problem> {
        let before = (self.quake.clone(), self.quake2.clone());
        let found = self.play(block, context);
        (self.quake, self.quake2) = before;
        found
    }

    /// The same, but the block counts as played: later blocks are judged by it as well.
    pub fn play(&mut self, block: &Block<'_>, context: &Context) -> Vec<Problem> {
        let mut here = ReaderPosition { inside: true, ..ReaderPosition::default() };
        self.quake2.begin_block();
        with_table!(block.table(self.engine.game), D => messages::<D, _>(block, *context, &mut here, self));
        self.judge.take_stops()
    }
}

impl std::fmt::Debug for Stops {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stops").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl Watch for Stops {
    fn quake(&mut self, sight: &Sight<'_>, message: &dem::Message<'_>) {
        self.quake.met(&mut self.judge, sight, message);
    }

    fn quake2(&mut self, sight: &Sight<'_>, message: &dm2::Message<'_>) {
        self.quake2.met(&mut self.judge, sight, message);
    }

    fn block_end<D: Dialect>(&mut self, here: &ReaderPosition, rest: &Rest<'_>) {
        if rest.fault.is_none() && D::GAME == Game::Quake2 {
            self.quake2.end_block(&mut self.judge, here);
        }
    }
}
