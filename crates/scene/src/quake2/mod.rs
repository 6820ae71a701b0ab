//! Scenes of Quake II: the rules are those of id's client.

mod booms;
mod effects;
mod flashes;
mod heard;
mod hud;
mod muzzle;
mod sparks;
mod things;
mod trails;
mod view;

use crate::vector::tame;
use crate::window::{Beat, Weigh, Window};
use crate::{LevelView, Library, Moment, Name, Scene, SceneOptions, Sky, Vec3};
use moviola_format::{Block, Fault, Game, Length, Short8};
use moviola_state::quake2::{Config, Entity, Frame, Happening, PlayerState, Screen, World};
use moviola_state::{Playhead, World as _};
use std::sync::Arc;

/// Seconds between two frames of the game.
pub(crate) const FRAME: f64 = 0.1;

/// What was seen after a block.
#[derive(Clone, Debug)]
struct Seen {
    frame: Frame,
    config: Config,
    screens: Vec<(Option<u8>, Screen)>,
    moment: Vec<Happening>,
    /// The recording player's own entity.
    own: Option<u16>,
}

impl Seen {
    fn of(world: &World) -> Self {
        Self {
            frame: world.drawn().clone(),
            config: world.config.clone(),
            screens: world.screens.clone(),
            moment: world.moment.clone(),
            own: world.own_entity(),
        }
    }

    fn entity(&self, number: u16) -> Option<&Entity> {
        self.frame.entity(number)
    }
}

impl Weigh for Seen {
    fn weight(&self) -> usize {
        self.frame.entities.len() + self.moment.len() + 8
    }
}

/// A recording of Quake II on its way.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    head: Playhead<World>,
    window: Window<Seen>,
    length: Length,
}

impl Tape {
    pub(crate) fn new() -> Self {
        Self { head: Playhead::new(), window: Window::new(), length: Length::of(Game::Quake2) }
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
        let from = self.window.last().map_or(at - FRAME, |last| last.at.max(at - FRAME));
        let from = self.window.last().filter(|last| last.at >= at).map_or(from, |last| last.from);
        self.window.push(Beat { block: number, at, from: from.max(0.0), seen: Seen::of(&self.head.world) });
        fault
    }

    fn follow(&mut self, block: &Block<'_>) -> Option<Fault> {
        let server = Arc::clone(&self.head.world.server);
        let drawn = self.head.world.frames_drawn();
        let fault = self.head.step(block);
        let world = &self.head.world;
        if !Arc::ptr_eq(&server, &world.server) {
            self.length.end_level();
            self.window.forget();
        }
        if world.frames_drawn() != drawn {
            self.length.tick(f64::from(world.drawn().number) * FRAME);
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
        let level = String::from_utf8_lossy(beat.seen.config.model(1)).into_owned();
        let clock = f64::from(beat.seen.frame.number) * FRAME - (beat.at - now);
        let client = beat.seen.frame.players.first().and_then(|(client, _)| *client);
        let before = self.window.back_from(place).find(|it| it.at < beat.at);
        let state = |beat: &'_ Beat<Seen>| beat.seen.frame.player(client).copied();
        let (player, old) = (state(beat), before.and_then(state));
        let maker = Maker {
            window: &self.window,
            place,
            beat,
            before,
            now,
            clock,
            part,
            options,
            files: library,
            level,
            player,
            old,
        };
        maker.scene()
    }
}

fn point(origin: [Short8; 3]) -> Vec3 {
    tame(origin.map(|part| part.value() as f32))
}

/// All that a scene is made of.
struct Maker<'a> {
    window: &'a Window<Seen>,
    place: usize,
    beat: &'a Beat<Seen>,
    /// The frame before.
    before: Option<&'a Beat<Seen>>,
    /// The moment, in seconds of the recording.
    now: f64,
    /// The same on the game's clock.
    clock: f64,
    /// How much of the way from the frame before is done.
    part: f32,
    options: &'a SceneOptions,
    files: &'a dyn Library,
    level: String,
    /// The recording player's state, and that of the frame before.
    player: Option<PlayerState>,
    old: Option<PlayerState>,
}

/// How many light styles there are.
const STYLES: u8 = 255;

impl Maker<'_> {
    fn config(&self) -> &Config {
        &self.beat.seen.config
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene { game: Game::Quake2, time: self.clock, ..Scene::default() };
        self.look(&mut scene);
        self.build_level(&mut scene);
        self.place_things(&mut scene);
        self.start_effects(&mut scene);
        self.hold_weapon(&mut scene);
        self.write_over(&mut scene);
        self.hear(&mut scene);
        scene
    }

    fn build_level(&self, scene: &mut Scene) {
        if self.level.is_empty() {
            return;
        }
        let tick = (self.clock.max(0.0) * 10.0) as usize;
        let style = |number: u8| {
            let letters = self.config().light(number);
            let at = tick.checked_rem(letters.len()).and_then(|at| letters.get(at));
            at.map_or(1.0, |letter| f32::from(letter.saturating_sub(b'a')) / 12.0)
        };
        let areas = &self.beat.seen.frame.areas;
        scene.level = Some(LevelView {
            file: self.level.as_str().into(),
            styles: (0..STYLES).map(style).collect(),
            areas: (!areas.is_empty() && !self.options.free).then(|| areas.clone()),
        });
        let text = |index: usize| String::from_utf8_lossy(self.config().get(index)).into_owned();
        let sky = text(SKY);
        let name = if sky.is_empty() { "unit1_" } else { &sky };
        let turn = text(SKY_ROTATE).parse().ok().filter(|it: &f64| it.is_finite()).unwrap_or(0.0);
        let mut axis = [0.0; 3];
        for (part, word) in axis.iter_mut().zip(text(SKY_AXIS).split_whitespace()) {
            *part = word.parse().ok().filter(|it: &f32| it.is_finite()).unwrap_or(0.0);
        }
        scene.sky =
            Sky { name: Some(name.into()), turned: ((turn * self.clock) % 360.0) as f32, axis: tame(axis) };
    }

    /// A file by the name that the recording has for it.
    fn file(&self, number: u8) -> Name {
        String::from_utf8_lossy(self.config().model(number)).into_owned().into()
    }
}

/// The config strings of the sky.
const SKY: usize = 2;
const SKY_AXIS: usize = 3;
const SKY_ROTATE: usize = 4;
