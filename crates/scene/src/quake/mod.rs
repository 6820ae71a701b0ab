//! Scenes of Quake: they follow the rules of id's client and, where today's engines draw differently,
//! `QuakeSpasm`'s.

mod bar;
mod burst;
mod darkplaces;
mod effects;
mod entities;
mod packs;
mod screen;
mod sounds;
mod tints;
mod trail;
mod view;

use crate::library::LevelKeys;
use crate::tape::{Cue, SceneWorld, Tape};
use crate::vector::bounded;
use crate::window::{Beat, StateSize, Window};
use crate::{Library, Moment, Scene, SceneOptions, Vec3};
use moviola_format::{Coord, Game, Placement, Seconds};
use moviola_state::quake::{Entity, EntityLook, Level, PLAYING, World};
use std::sync::Arc;

/// An entity as it was seen after a block.
#[derive(Clone, Debug)]
struct Thing {
    number: u16,
    look: EntityLook,
    place: Vec3,
    angles: Vec3,
    /// Whether it has no earlier place from which it could move.
    jumps: bool,
    /// Whether it moves in steps of a tenth of a second.
    steps: bool,
    /// The duration of its step in seconds, if the protocol sends it.
    finish: Option<f64>,
    /// The opacity that Nehahra sends.
    alpha: Option<f32>,
    bright: bool,
}

impl Thing {
    fn of(number: u16, entity: &Entity) -> Self {
        let (place, angles) = placed(&entity.place);
        let mut transparency = entity.transparency.floats();
        let (_, alpha, bright) = (transparency.next(), transparency.next(), transparency.next());
        Self {
            number,
            look: entity.look,
            place,
            angles,
            jumps: entity.forcelink,
            steps: entity.step,
            finish: entity.lerpfinish.map(|part| f64::from(part) / 255.0),
            alpha: alpha.filter(|it| it.is_finite()).map(|it| it.clamp(0.0, 1.0)),
            bright: bright.is_some_and(|it| it != 0.0),
        }
    }

    /// Its opacity, 0 to 1.
    fn alpha(&self) -> f32 {
        self.alpha.unwrap_or_else(|| opacity(self.look.alpha))
    }
}

/// The opacity for a byte of the protocols 666 and 999: 0 is the default, 1 invisible.
fn opacity(byte: u8) -> f32 {
    if byte == 0 { 1.0 } else { f32::from(byte - 1) / 254.0 }
}

fn placed(it: &Placement) -> (Vec3, Vec3) {
    (point(&it.origin), bounded(it.angles.map(|angle| (angle.value() % 360.0) as f32)))
}

fn point(origin: &[Coord; 3]) -> Vec3 {
    bounded(origin.map(|part| part.value() as f32))
}

/// The part of the state after a block that scenes need.
#[derive(Clone, Debug)]
pub(crate) struct BlockState {
    /// The world without its entities.
    world: World,
    /// The entities that are drawn, by number.
    entities: Vec<Thing>,
    /// The entity whose view is shown, drawn or not.
    eyes: Option<Thing>,
    /// Directions of the recorder's view that were recorded between the last state and this one: the seconds before
    /// this state, and the angles. Only QuakeWorld records the view more often than the rest.
    turns: Vec<(f64, Vec3)>,
}

impl BlockState {
    pub(crate) fn turning(self, turns: Vec<(f64, Vec3)>) -> Self {
        Self { turns, ..self }
    }

    /// Adds the momentary events of earlier blocks with the same time.
    pub(crate) fn join(&mut self, mut before: Self) {
        before.world.moment.append(&mut self.world.moment);
        self.world.moment = before.world.moment;
        before.turns.append(&mut self.turns);
        self.turns = before.turns;
    }

    pub(crate) fn of(world: &World) -> Self {
        Self {
            entities: world.shown().map(|(number, entity)| Thing::of(number, entity)).collect(),
            eyes: world.eyes().map(|entity| Thing::of(world.view.entity as u16, entity)),
            world: world.without_entities(),
            turns: Vec::new(),
        }
    }

    fn find_thing(&self, number: u16) -> Option<&Thing> {
        let at = self.entities.binary_search_by_key(&number, |thing| thing.number).ok()?;
        self.entities.get(at)
    }
}

impl StateSize for BlockState {
    fn weight(&self) -> usize {
        self.entities.len() + self.world.moment.len() + self.turns.len() + 8
    }
}

impl SceneWorld for World {
    type BlockState = BlockState;
    type Tick = Seconds;
    type Level = Level;
    const GAME: Game = Game::Quake;
    const FIRST_STEP: f64 = 0.0;
    const LONGEST_STEP: f64 = 0.1;

    /// The first update of an entity completes the connection. If a recording lacks these messages, the player's view
    /// is shown as soon as its position is known, and a fragment without a level shows the contents of its blocks.
    fn has_beat(&self) -> bool {
        let is_fragment = self.level.models.get(1).is_empty() && self.clock.now != Seconds::default();
        self.signon == PLAYING || self.eyes().is_some() || is_fragment
    }

    fn block_state(&self) -> BlockState {
        BlockState::of(self)
    }

    fn level(&self) -> &Arc<Level> {
        &self.level
    }

    fn tick(&self) -> Seconds {
        self.clock.now
    }

    fn seconds(&self) -> f64 {
        f64::from(self.clock.now.value())
    }
}

impl<W: SceneWorld<BlockState = BlockState>> Tape<W> {
    pub(crate) fn scene(&self, moment: Moment, options: &SceneOptions, library: &dyn Library) -> Scene {
        let Some(Cue { window, place, beat, now, part, one_by_one, .. }) = self.cue(moment, options) else {
            return Scene::default();
        };
        let level = String::from_utf8_lossy(beat.seen.world.level.models.get(1)).into_owned();
        let clock = f64::from(beat.seen.world.clock.now.value());
        let clock = if clock.is_finite() { clock - (beat.at - now) } else { 0.0 };
        let keys = LevelKeys::of(library, &level);
        Maker { window, place, beat, now, clock, part, one_by_one, options, files: library, level, keys }
            .scene()
    }
}

/// The data from which a scene is made.
struct Maker<'a> {
    window: &'a Window<BlockState>,
    /// The place of `beat` in the window.
    place: usize,
    beat: &'a Beat<BlockState>,
    /// The moment, in seconds of the recording.
    now: f64,
    /// The moment on the level's clock.
    clock: f64,
    /// The progress from the last beat to this one, 0 to 1.
    part: f32,
    /// Whether blocks are shown one by one, each at its own time.
    one_by_one: bool,
    options: &'a SceneOptions,
    files: &'a dyn Library,
    level: String,
    keys: LevelKeys<'a>,
}

impl<'a> Maker<'a> {
    fn world(&self) -> &'a World {
        &self.beat.seen.world
    }

    /// The beat from which entities move to the current one: the last beat with an earlier time.
    fn before(&self) -> Option<&'a Beat<BlockState>> {
        let window: &'a Window<BlockState> = self.window;
        window.back_from(self.place).find(|beat| beat.at < self.beat.at)
    }

    /// The time at which a beat's new poses begin to blend in. Engines read a block ahead, at the time of the block
    /// before; if they play block by block (`timedemo`), they read it at its own time.
    fn begins(&self, beat: &Beat<BlockState>) -> f64 {
        if self.one_by_one { beat.at } else { beat.from }
    }

    fn model_name(&self, number: u16) -> String {
        String::from_utf8_lossy(self.world().level.models.get(usize::from(number))).into_owned()
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene { game: Game::Quake, time: self.clock, ..Scene::default() };
        self.lay_out(&mut scene);
        self.look(&mut scene);
        self.build_level(&mut scene);
        self.place_things(&mut scene);
        self.start_effects(&mut scene);
        self.hold_weapon(&mut scene);
        self.tint(&mut scene);
        self.write_over(&mut scene);
        self.add_sounds(&mut scene);
        scene
    }
}
