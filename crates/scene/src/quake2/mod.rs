//! Scenes of Quake II: they follow the rules of id's client.

mod effects;
mod entities;
mod explosions;
mod flashes;
pub(crate) mod hud;
mod muzzle;
mod sounds;
mod sparks;
mod trails;
mod view;

use crate::tape::{Cue, SceneWorld, Tape};
use crate::vector::bounded;
use crate::window::{Beat, StateSize, Window};
use crate::{FileName, LevelView, Library, Moment, Scene, SceneOptions, Sky, Vec3};
use moviola_format::{Game, Short8};
use moviola_state::quake2::{
    Config, Entity, Frame, Happening, PlayerState, Screen, ServerData, Validity, World,
};
use std::sync::Arc;

/// Seconds between two frames of the game.
pub(crate) const FRAME: f64 = 0.1;

/// The part of the state after a block that scenes need.
#[derive(Clone, Debug)]
pub(crate) struct BlockState {
    frame: Frame,
    config: Config,
    screens: Vec<(Option<u8>, Screen)>,
    moment: Vec<Happening>,
    /// The recorder's own entity.
    recorder_entity: Option<u16>,
}

impl BlockState {
    fn of(world: &World) -> Self {
        Self {
            frame: world.drawn().clone(),
            config: world.config.clone(),
            screens: world.screens.clone(),
            moment: world.moment.clone(),
            recorder_entity: world.own_entity(),
        }
    }

    fn entity(&self, number: u16) -> Option<&Entity> {
        self.frame.entity(number)
    }
}

impl StateSize for BlockState {
    fn weight(&self) -> usize {
        self.frame.entities.len() + self.moment.len() + 8
    }
}

impl SceneWorld for World {
    type BlockState = BlockState;
    type Tick = u64;
    type Level = ServerData;
    const GAME: Game = Game::Quake2;
    const FIRST_STEP: f64 = FRAME;
    const LONGEST_STEP: f64 = FRAME;
    const CUTS_EARLY: bool = true;

    /// A level is shown from its first frame on.
    fn has_beat(&self) -> bool {
        self.drawn().validity != Validity::None
    }

    fn block_state(&self) -> BlockState {
        BlockState::of(self)
    }

    fn level(&self) -> &Arc<ServerData> {
        &self.server
    }

    fn tick(&self) -> u64 {
        self.frames_drawn()
    }

    fn seconds(&self) -> f64 {
        f64::from(self.drawn().number) * FRAME
    }
}

impl Tape<World> {
    pub(crate) fn scene(&self, moment: Moment, options: &SceneOptions, library: &dyn Library) -> Scene {
        let Some(Cue { window, place, beat, now, part, is_cut, .. }) = self.cue(moment, options) else {
            return Scene::default();
        };
        let level = String::from_utf8_lossy(beat.seen.config.model(1)).into_owned();
        let clock = f64::from(beat.seen.frame.number) * FRAME - (beat.at - now);
        let client = beat.seen.frame.players.first().and_then(|(client, _)| *client);
        let before = window.back_from(place).find(|it| it.at < beat.at);
        let state = |beat: &'_ Beat<BlockState>| beat.seen.frame.player(client).copied();
        let (player, old) = (state(beat), before.and_then(state));
        let maker = Maker {
            window,
            place,
            beat,
            before,
            now,
            is_cut,
            clock,
            part,
            options,
            files: library,
            level,
            player,
            last_player: old,
        };
        maker.scene()
    }
}

fn point(origin: [Short8; 3]) -> Vec3 {
    bounded(origin.map(|part| part.value() as f32))
}

/// The data from which a scene is made.
struct Maker<'a> {
    window: &'a Window<BlockState>,
    place: usize,
    beat: &'a Beat<BlockState>,
    /// The beat of the frame before.
    before: Option<&'a Beat<BlockState>>,
    /// The moment, in seconds of the recording.
    now: f64,
    /// Whether the view changes at once with this frame.
    is_cut: bool,
    /// The moment on the game's clock.
    clock: f64,
    /// The progress from the last frame to this one, 0 to 1.
    part: f32,
    options: &'a SceneOptions,
    files: &'a dyn Library,
    level: String,
    /// The recorder's state, and his state in the frame before.
    player: Option<PlayerState>,
    last_player: Option<PlayerState>,
}

/// The number of light styles.
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
        self.add_sounds(&mut scene);
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
        scene.sky = Sky {
            name: Some(name.into()),
            turned: ((turn * self.clock) % 360.0) as f32,
            axis: bounded(axis),
        };
    }

    /// The file of a model, by its number in the recording.
    fn file(&self, number: u8) -> FileName {
        String::from_utf8_lossy(self.config().model(number)).into_owned().into()
    }
}

/// The indices of the sky's config strings.
const SKY: usize = 2;
const SKY_AXIS: usize = 3;
const SKY_ROTATE: usize = 4;
