//! A recording of one game as scenes need it: its world, and the beats of the last seconds.

use crate::window::{Beat, StateSize, Window};
use crate::{Moment, SceneOptions};
use moviola_format::{Block, Fault, Game, Length};
use moviola_state::{Playhead, World};
use std::sync::Arc;

/// How scenes follow a game's world; each game has an implementation.
pub(crate) trait SceneWorld: World {
    /// The state that a scene needs of a world after a block.
    type BlockState: StateSize;
    /// A value that changes with each frame.
    type Tick: PartialEq;
    /// A value that is created for each level.
    type Level;
    const GAME: Game;
    /// The time in seconds between the start of a recording and its first beat.
    const FIRST_STEP: f64;
    /// A longer step of the game's clock is shown as a step of this length, in seconds.
    const LONGEST_STEP: f64;
    /// Whether a view that changes at once does so when the scene begins to move towards the block, instead of when the
    /// block is reached: Quake II's frames begin then.
    const CUTS_EARLY: bool = false;
    /// Whether each level has a clock of its own.
    const LEVELS_HAVE_CLOCKS: bool = true;
    /// Whether blocks of the same time are one beat.
    const JOINS: bool = false;

    /// Adds the momentary events of earlier blocks with the same time to a state.
    fn join(seen: &mut Self::BlockState, before: Self::BlockState) {
        let _ = (seen, before);
    }

    /// Whether there is something to show after the last block. Engines show no picture of a level before the connection
    /// is complete, and read all blocks up to there without a pause.
    fn has_beat(&self) -> bool;

    fn block_state(&self) -> Self::BlockState;
    fn level(&self) -> &Arc<Self::Level>;
    fn tick(&self) -> Self::Tick;
    /// The game's clock in seconds.
    fn seconds(&self) -> f64;
}

/// How long before a beat is reached the scene begins to move towards it.
pub(crate) fn lead<W: SceneWorld>(_: &Tape<W>) -> f64 {
    W::FIRST_STEP
}

/// Times nearer than this are the same: those of recordings are floats.
const SAME_MOMENT: f64 = 0.0005;

/// A recording up to a block.
#[derive(Clone, Debug)]
pub(crate) struct Tape<W: SceneWorld> {
    head: Playhead<W>,
    window: Window<W::BlockState>,
    length: Length,
    /// The number of levels that have begun.
    levels: u64,
}

/// The place of a moment in the window.
#[derive(Debug)]
pub(crate) struct Cue<'a, S> {
    pub(crate) window: &'a Window<S>,
    /// The place of `beat`.
    pub(crate) place: usize,
    /// The beat that is shown, or towards which the scene moves.
    pub(crate) beat: &'a Beat<S>,
    /// The moment, in seconds of the recording.
    pub(crate) now: f64,
    /// The progress from the last beat to this one, from 0 to 1.
    pub(crate) part: f32,
    /// Whether blocks are shown one by one, each at its own time.
    pub(crate) one_by_one: bool,
    /// Whether the view changes at once with this beat.
    pub(crate) is_cut: bool,
}

impl<W: SceneWorld> Tape<W> {
    pub(crate) fn new() -> Self {
        Self::of(W::default())
    }

    /// An empty tape that begins with this world.
    pub(crate) fn of(world: W) -> Self {
        Self {
            head: Playhead { world, ..Playhead::new() },
            window: Window::new(),
            length: Length::of(W::GAME),
            levels: 0,
        }
    }

    /// Follows the game without keeping beats.
    pub(crate) fn pass(&mut self, block: &Block<'_>) -> Option<Fault> {
        self.window.forget();
        self.follow(block)
    }

    /// A copy without beats: the world after the next block does not depend on them.
    pub(crate) fn without_beats(&self) -> Self {
        Self { head: self.head.clone(), window: Window::new(), length: self.length, levels: self.levels }
    }

    pub(crate) fn covers(&self, time: f64) -> bool {
        self.window.covers(time)
    }

    pub(crate) fn step(&mut self, block: &Block<'_>) -> Option<Fault> {
        let number = self.head.blocks;
        let fault = self.follow(block);
        if !self.head.world.has_beat() {
            return fault;
        }
        let at = self.length.running();
        let last = self.window.last();
        let from = last.map_or(at - W::FIRST_STEP, |last| last.at.max(at - W::LONGEST_STEP));
        // Blocks with the same time are shown together.
        let from = last.filter(|last| last.at >= at).map_or(from, |last| last.from);
        let world = &self.head.world;
        let (clock, seen) = (world.seconds(), world.block_state());
        let mut beat = Beat { block: number, at, from: from.max(0.0), clock, seen };
        if W::JOINS
            && last.is_some_and(|last| last.at >= at)
            && let Some(before) = self.window.pop()
        {
            beat.block = before.block;
            W::join(&mut beat.seen, before.seen);
        }
        self.window.push(beat);
        fault
    }

    fn follow(&mut self, block: &Block<'_>) -> Option<Fault> {
        let level = Arc::clone(self.head.world.level());
        let tick = self.head.world.tick();
        let fault = self.head.step(block);
        let world = &self.head.world;
        let is_new_level = !Arc::ptr_eq(&level, world.level());
        if is_new_level {
            self.levels += 1;
            if W::LEVELS_HAVE_CLOCKS {
                self.length.end_level();
            }
            self.window.begin_level(self.length.running());
        }
        if world.tick() != tick {
            self.length.tick(world.seconds());
        }
        fault
    }

    pub(crate) fn head(&self) -> &Playhead<W> {
        &self.head
    }

    /// The world, if there is something to show after the last block.
    pub(crate) fn shown_world(&self) -> Option<&W> {
        Some(&self.head.world).filter(|world| world.has_beat())
    }

    pub(crate) fn levels(&self) -> u64 {
        self.levels
    }

    pub(crate) fn moment(&self) -> f64 {
        self.length.running()
    }

    pub(crate) fn clock(&self) -> f64 {
        self.head.world.seconds()
    }

    pub(crate) fn state_hash(&self) -> u64 {
        self.head.world.state_hash()
    }

    fn place(&self, moment: Moment) -> Option<usize> {
        match moment {
            Moment::At(time) => self.window.at(time),
            Moment::AfterBlock(block) => self.window.of_block(block),
        }
    }

    /// Whether no later block changes the scene of a moment that is reached.
    pub(crate) fn is_settled(&self, moment: Moment) -> bool {
        let is_later = |place: usize| self.window.get(place.saturating_add(1)).is_some();
        match moment {
            _ if W::JOINS => self.place(moment).is_some_and(is_later),
            Moment::At(time) => self.window.last().is_some_and(|last| last.at > time),
            Moment::AfterBlock(_) => self.place(moment).is_some(),
        }
    }

    /// The beat to show at a moment; `None` before the first block.
    pub(crate) fn cue(&self, moment: Moment, options: &SceneOptions) -> Option<Cue<'_, W::BlockState>> {
        let place = self.place(moment)?;
        let beat = self.window.get(place)?;
        let now = match moment {
            Moment::At(time) if options.interpolate && time.is_finite() => time.clamp(beat.from, beat.at),
            _ => beat.at,
        };
        let span = beat.at - beat.from;
        let part = if span > 0.0 { ((now - beat.from) / span) as f32 } else { 1.0 };
        let one_by_one = matches!(moment, Moment::AfterBlock(_));
        let before = place.checked_sub(1).and_then(|place| Some((place, self.window.get(place)?)));
        let is_cut = before.is_some_and(|(_, before)| {
            options.cuts.range(before.block.saturating_add(1)..=beat.block).next().is_some()
        });
        // The view must not move from one shot to the next, so the last picture stays until the block is reached.
        if let (true, Some((place, beat)), false) =
            (is_cut && beat.at - now > SAME_MOMENT, before, W::CUTS_EARLY)
        {
            let (window, now) = (&self.window, beat.at);
            return Some(Cue { window, place, beat, now, part: 1.0, one_by_one, is_cut: false });
        }
        Some(Cue { window: &self.window, place, beat, now, part, one_by_one, is_cut })
    }
}
