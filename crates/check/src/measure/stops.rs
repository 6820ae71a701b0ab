//! The messages of a block at which engines stop, or show something different: for code that repairs recordings. A
//! block is read once for all engines, since their limits differ but the measured numbers do not.

use super::{quake, quake2, quakeworld};
use crate::engines::{self, Engine};
use crate::judge::{Judge, Problem};
use crate::place::ReaderPosition;
use crate::scan::{BlockRest, SeenMessage, Subject, Watch, messages};
use moviola_format::{Block, Context, Dialect, Entry, Game, Quake2, client, dem, dm2, qw, with_table};

/// Judges the messages of a recording for all engines of its game, block by block.
///
/// ```
/// use moviola_check::{Engine, StopJudge};
/// use moviola_format::{Block, Context, Game};
/// let (mut stops, engine) = (StopJudge::new(Game::Quake), Engine::find("quakespasm").unwrap());
/// let (stage, context) = (Block::new(b"\x19\x02"), Context::quake());
/// // Only blocks that were played count for those that follow.
/// assert!(stops.look(&stage, &context).problems(engine).is_empty());
/// assert!(stops.play(&stage, &context).problems(engine).is_empty());
/// assert_eq!(stops.look(&stage, &context).problems(engine).len(), 1);
/// ```
#[derive(Clone)]
pub struct StopJudge {
    game: Game,
    judge: Judge,
    quake: quake::State,
    quake2: quake2::State,
    quakeworld: quakeworld::State,
}

/// A block as engines play it.
///
/// ```
/// use moviola_check::{Engine, StopJudge};
/// use moviola_format::{Block, Context, Game};
/// let played = StopJudge::new(Game::Quake).play(&Block::new(b"\x01"), &Context::quake());
/// assert!(played.problems(Engine::find("darkplaces").unwrap()).is_empty());
/// assert_eq!(played.after, Context::quake());
/// ```
#[derive(Clone, Debug)]
pub struct PlayedBlock {
    /// The problems of each engine, in the order of the engines; empty if no engine has any.
    problems: Vec<Vec<Problem>>,
    /// The context in which the next block is read.
    pub after: Context,
}

impl PlayedBlock {
    /// The engine's problems, in the order of their messages.
    pub fn problems(&self, engine: &Engine) -> &[Problem] {
        if self.problems.is_empty() {
            return &[];
        }
        let column = engines::of(engine.game).position(|it| it == engine);
        column.and_then(|at| self.problems.get(at)).map_or(&[], Vec::as_slice)
    }
}

impl StopJudge {
    /// Begins before the first block.
    pub fn new(game: Game) -> Self {
        let (quake, quake2) = (quake::State::default(), quake2::State::default());
        Self {
            game,
            judge: Judge::of_problems(game),
            quake,
            quake2,
            quakeworld: quakeworld::State::default(),
        }
    }

    /// The engines' problems with a block that begins in this context. The state does not change.
    pub fn look(&mut self, block: &Block<'_>, context: &Context) -> PlayedBlock {
        let before = (self.quake.clone(), self.quake2.clone());
        let world = (self.game == Game::QuakeWorld).then(|| self.quakeworld.clone());
        let found = self.play(block, context);
        (self.quake, self.quake2) = before;
        self.quakeworld = world.unwrap_or_default();
        found
    }

    /// The engines' problems with a block. Unlike [`look`](Self::look), it changes the state by which later blocks are
    /// judged.
    pub fn play(&mut self, block: &Block<'_>, context: &Context) -> PlayedBlock {
        let mut here = ReaderPosition { inside: true, ..ReaderPosition::default() };
        self.quake2.begin_block();
        self.quakeworld.begin_block(&mut self.judge, block, &here);
        let after =
            with_table!(block.table(self.game), D => messages::<D, _>(block, *context, &mut here, self));
        PlayedBlock { problems: self.judge.take_problems(), after }
    }

    /// Begins a block of Quake II whose messages come one by one, for a caller that reads them anyway.
    ///
    /// ```
    /// use moviola_check::{Engine, StopJudge};
    /// use moviola_format::{Block, Context, Game, Quake2};
    /// let (mut stops, engine) = (StopJudge::new(Game::Quake2), Engine::find("yamagi").unwrap());
    /// let (block, context) = (Block::new(b"\x12\0\0"), Context::quake2());
    /// let mut open = stops.open_quake2();
    /// for entry in block.messages::<Quake2>(context) {
    ///     stops.take_message(&mut open, &entry, &context);
    /// }
    /// let played = stops.close(&mut open, 3, context);
    /// // A list of entities outside of a frame.
    /// assert!(!played.problems(engine).is_empty());
    /// stops.take_back(open);
    /// ```
    pub fn open_quake2(&mut self) -> OpenBlock {
        let before = self.quake2.clone();
        self.quake2.begin_block();
        OpenBlock { before, here: ReaderPosition { inside: true, ..ReaderPosition::default() } }
    }

    /// The next message of the block, and the context in which it was read.
    pub fn take_message(&mut self, open: &mut OpenBlock, entry: &Entry<dm2::Message<'_>>, context: &Context) {
        let here = &mut open.here;
        here.at = entry.at;
        Quake2::clock(&entry.message, here);
        let seen = SeenMessage { here, context, unicast: entry.unicast };
        self.quake2.measure_message(&mut self.judge, &seen, &entry.message);
    }

    /// Ends the block, `at` bytes after its beginning, with the context of the next one.
    pub fn close(&mut self, open: &mut OpenBlock, at: usize, after: Context) -> PlayedBlock {
        open.here.at = at;
        self.quake2.end_block(&mut self.judge, &open.here);
        PlayedBlock { problems: self.judge.take_problems(), after }
    }

    /// The block does not count as played, whether it was closed or not.
    pub fn take_back(&mut self, open: OpenBlock) {
        self.quake2 = open.before;
        drop(self.judge.take_problems());
    }
}

/// A block of Quake II whose messages come one by one.
#[derive(Clone, Debug)]
pub struct OpenBlock {
    /// The state before it.
    before: quake2::State,
    here: ReaderPosition,
}

impl std::fmt::Debug for StopJudge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stops").finish_non_exhaustive()
    }
}

impl Watch for StopJudge {
    fn quake(&mut self, seen: &SeenMessage<'_>, message: &dem::Message<'_>) {
        self.quake.measure_message(&mut self.judge, seen, message);
    }

    fn quake2(&mut self, seen: &SeenMessage<'_>, message: &dm2::Message<'_>) {
        self.quake2.measure_message(&mut self.judge, seen, message);
    }

    fn quakeworld(&mut self, seen: &SeenMessage<'_>, message: &qw::Message<'_>) {
        self.quakeworld.measure_message(&mut self.judge, seen, message);
    }

    fn client_message(&mut self, _: &SeenMessage<'_>, message: &client::Message<'_>) {
        self.quakeworld.record(message);
    }

    fn block_end<D: Dialect>(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>) {
        if rest.fault.is_none() && D::GAME == Game::Quake2 && !D::MVD2 {
            self.quake2.end_block(&mut self.judge, here);
        }
    }
}
