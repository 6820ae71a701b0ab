//! Scenes of Quake: the rules are those of id's client and, where engines of today draw otherwise, `QuakeSpasm`'s.

mod bar;
mod burst;
mod effects;
mod heard;
mod screen;
mod things;
mod tints;
mod trail;
mod view;

use crate::library::LevelKeys;
use crate::vector::tame;
use crate::window::{Beat, Weigh, Window};
use crate::{Library, Moment, Scene, SceneOptions, Vec3};
use moviola_format::{Block, Coord, Fault, Game, Length, Placement};
use moviola_state::quake::{Entity, Look, World};
use moviola_state::{Playhead, World as _};
use std::sync::Arc;

/// An entity as it was seen after a block.
#[derive(Clone, Debug)]
struct Thing {
    number: u16,
    look: Look,
    place: Vec3,
    angles: Vec3,
    /// There is nothing from which it comes.
    jumps: bool,
    /// It moves in steps of a tenth of a second.
    steps: bool,
    /// When its next step is due, in seconds.
    finish: Option<f64>,
    /// Nehahra's.
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

    /// How opaque it is, 0 to 1.
    fn alpha(&self) -> f32 {
        self.alpha.unwrap_or_else(|| opacity(self.look.alpha))
    }
}

/// Opacity as protocols 666 and 999 send it: 0 is the usual, 1 invisible.
fn opacity(byte: u8) -> f32 {
    if byte == 0 { 1.0 } else { f32::from(byte - 1) / 254.0 }
}

fn placed(it: &Placement) -> (Vec3, Vec3) {
    (point(&it.origin), tame(it.angles.map(|angle| (angle.value() % 360.0) as f32)))
}

fn point(origin: &[Coord; 3]) -> Vec3 {
    tame(origin.map(|part| part.value() as f32))
}

/// What was seen after a block.
#[derive(Clone, Debug)]
struct Seen {
    /// Without its entities.
    world: World,
    /// The entities that are drawn, by number.
    things: Vec<Thing>,
    /// The one whose eyes are the camera, drawn or not.
    eyes: Option<Thing>,
}

impl Seen {
    fn of(world: &World) -> Self {
        Self {
            things: world.shown().map(|(number, entity)| Thing::of(number, entity)).collect(),
            eyes: world.eyes().map(|entity| Thing::of(world.view.entity as u16, entity)),
            world: world.without_entities(),
        }
    }

    fn thing(&self, number: u16) -> Option<&Thing> {
        let at = self.things.binary_search_by_key(&number, |thing| thing.number).ok()?;
        self.things.get(at)
    }
}

impl Weigh for Seen {
    fn weight(&self) -> usize {
        self.things.len() + self.world.moment.len() + 8
    }
}

/// A recording of Quake on its way.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    head: Playhead<World>,
    window: Window<Seen>,
    length: Length,
}

impl Tape {
    pub(crate) fn new() -> Self {
        Self { head: Playhead::new(), window: Window::new(), length: Length::of(Game::Quake) }
    }

    /// Follows the game without keeping what is seen.
    pub(crate) fn pass(&mut self, block: &Block<'_>) -> Option<Fault> {
        self.window.forget();
        self.follow(block)
    }

    /// What comes next does not depend on what was seen.
    pub(crate) fn without_beats(&self) -> Self {
        Self { head: self.head.clone(), window: Window::new(), length: self.length }
    }

    pub(crate) fn covers(&self, time: f64) -> bool {
        self.window.covers(time)
    }

    pub(crate) fn step(&mut self, block: &Block<'_>) -> Option<Fault> {
        let number = self.head.blocks;
        let fault = self.follow(block);
        let at = self.length.running();
        let from = self.window.last().map_or(at, |last| last.at.max(at - LONGEST_STEP));
        // Many blocks under one time are on their way together.
        let from = self.window.last().filter(|last| last.at >= at).map_or(from, |last| last.from);
        self.window.push(Beat { block: number, at, from, seen: Seen::of(&self.head.world) });
        fault
    }

    fn follow(&mut self, block: &Block<'_>) -> Option<Fault> {
        let level = Arc::clone(&self.head.world.level);
        let before = self.head.world.clock.now;
        let fault = self.head.step(block);
        let world = &self.head.world;
        if !Arc::ptr_eq(&level, &world.level) {
            self.length.end_level();
            self.window.forget();
        }
        if world.clock.now != before || !Arc::ptr_eq(&level, &world.level) {
            self.length.tick(f64::from(world.clock.now.value()));
        }
        fault
    }

    pub(crate) fn head(&self) -> &Playhead<World> {
        &self.head
    }

    pub(crate) fn now(&self) -> f64 {
        self.length.running()
    }

    pub(crate) fn state_hash(&self) -> u64 {
        self.head.world.state_hash()
    }

    pub(crate) fn scene(&self, moment: Moment, options: &SceneOptions, library: &dyn Library) -> Scene {
        let place = match moment {
            Moment::At(time) => self.window.at(time),
            Moment::Behind(block) => self.window.of_block(block),
        };
        let Some((place, beat)) = place.and_then(|place| Some((place, self.window.get(place)?))) else {
            return Scene::default();
        };
        let now = match moment {
            Moment::At(time) if options.interpolate && time.is_finite() => time.clamp(beat.from, beat.at),
            _ => beat.at,
        };
        let span = beat.at - beat.from;
        let part = if span > 0.0 { ((now - beat.from) / span) as f32 } else { 1.0 };
        let level = String::from_utf8_lossy(beat.seen.world.level.models.get(1)).into_owned();
        let clock = f64::from(beat.seen.world.clock.now.value());
        let clock = if clock.is_finite() { clock - (beat.at - now) } else { 0.0 };
        let keys = LevelKeys::of(library, &level);
        Maker { window: &self.window, place, beat, now, clock, part, options, files: library, level, keys }
            .scene()
    }
}

/// A step of the clock that takes longer is shown as one of this length.
const LONGEST_STEP: f64 = 0.1;

/// All that a scene is made of.
struct Maker<'a> {
    window: &'a Window<Seen>,
    /// The place of the beat that is on its way.
    place: usize,
    beat: &'a Beat<Seen>,
    /// The moment, in seconds of the recording.
    now: f64,
    /// The same on the level's clock.
    clock: f64,
    /// How much of the way from the beat before is done.
    part: f32,
    options: &'a SceneOptions,
    files: &'a dyn Library,
    level: String,
    keys: LevelKeys<'a>,
}

impl<'a> Maker<'a> {
    fn world(&self) -> &'a World {
        &self.beat.seen.world
    }

    /// The beat from which the present one comes: the last one under another time.
    fn before(&self) -> Option<&'a Beat<Seen>> {
        let window: &'a Window<Seen> = self.window;
        window.back_from(self.place).find(|beat| beat.at < self.beat.at)
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
        self.hear(&mut scene);
        scene
    }
}
