//! The way of the recorder of another recording, for a camera that takes the same way.

use crate::Error;
use crate::machinery::film::Film;
use crate::machinery::pose::{Pose, distance};
use moviola_format::names::{quake2::CS_MODELS, readable};
use moviola_format::{Angle16, Coord, Demo, Game, Piece, Quake, Quake2, Quarters, Short8, dem, dm2};
use moviola_state::quake::PLAYING;
use moviola_state::quake2::World as World2;
use moviola_state::{Playhead, quake};
use std::collections::BTreeSet;
use std::io::Read;

/// A way through a level, with the seconds since its begin.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) level: Vec<u8>,
    points: Vec<(f64, Pose)>,
}

/// The most points of a way: at 72 frames a second half an hour.
const MAX_POINTS: usize = 1 << 17;

/// A longer step is a jump: the camera jumps too.
const JUMP: f64 = 256.0;

impl Route {
    /// Reads the first visit to one of these levels, at most this many seconds of it.
    ///
    /// # Errors
    /// When the recording is of another game, or was in none of the levels, or cannot be read.
    pub(super) fn read(
        name: &str,
        source: impl Read,
        game: Game,
        levels: &BTreeSet<Vec<u8>>,
        seconds: f64,
    ) -> Result<Self, Error> {
        let mut demo = Demo::new(source)?;
        if Error::game(demo.format())? != game {
            return Err(Error::Impossible(format!("{name} is of another game")));
        }
        let (mut route, mut film) = (Self { level: Vec::new(), points: Vec::new() }, Film::default());
        let mut eyes = match game {
            Game::Quake2 => Eyes::Quake2(Playhead::new()),
            Game::Quake | Game::QuakeWorld => Eyes::Quake(Playhead::new()),
        };
        let (mut begin, mut others) = (None, BTreeSet::new());
        while let Some(piece) = demo.next_piece()? {
            let Piece::Block(block) = piece else { continue };
            if block.is_from_client() {
                continue;
            }
            // The film's clock reads the block before the playhead does, which then has the context after it.
            match &eyes {
                Eyes::Quake(head) => block.messages::<Quake>(head.context).for_each(|entry| {
                    if let dem::Message::Time(_) | dem::Message::ServerInfo(_) = entry.message {
                        film.quake(&entry.message);
                    }
                }),
                Eyes::Quake2(head) => block.messages::<Quake2>(head.context).for_each(|entry| {
                    if let dm2::Message::FrameMessage(_) | dm2::Message::ServerData(_) = entry.message {
                        film.quake2(&entry.message);
                    }
                }),
            }
            let Some((level, pose)) = eyes.step(&block) else { continue };
            if !levels.contains(&level) {
                if !route.points.is_empty() {
                    break;
                }
                others.insert(readable(&level));
                continue;
            }
            let since = film.now - *begin.get_or_insert(film.now);
            if route.level.is_empty() {
                route.level = level;
            } else if route.level != level {
                break;
            }
            route.points.push((since, pose));
            if since > seconds || route.points.len() >= MAX_POINTS {
                break;
            }
        }
        if route.points.is_empty() {
            let is_on: Vec<String> = others.into_iter().collect();
            let wanted: Vec<String> = levels.iter().map(|level| readable(level)).collect();
            let is_on = if is_on.is_empty() { "no level".to_owned() } else { is_on.join(", ") };
            let why =
                format!("{name} is on {is_on}, not on {}: a path needs the same level", wanted.join(", "));
            return Err(Error::Impossible(why));
        }
        Ok(route)
    }

    /// The eyes at a time: between two points on the straight line, after the last one there.
    pub(super) fn at(&self, seconds: f64) -> Pose {
        let after = self.points.partition_point(|(time, _)| *time <= seconds);
        let before = after.checked_sub(1).and_then(|at| self.points.get(at));
        match (before, self.points.get(after)) {
            (Some((from, start)), Some((to, end))) if distance(&start.origin, &end.origin) <= JUMP => {
                start.toward(end, (seconds - from) / (to - from))
            }
            (Some((_, pose)), _) | (None, Some((_, pose))) => *pose,
            (None, None) => Pose::default(),
        }
    }
}

/// The recorder's eyes in a recording of either game.
enum Eyes {
    Quake(Playhead<quake::World>),
    Quake2(Playhead<World2>),
}

impl Eyes {
    /// Applies a block; returns the level and the place of the eyes while the game is played.
    fn step(&mut self, block: &moviola_format::Block<'_>) -> Option<(Vec<u8>, Pose)> {
        match self {
            Self::Quake(head) => {
                head.step(block);
                let world = &head.world;
                let eyes =
                    world.eyes().filter(|eyes| world.signon == PLAYING && eyes.is_shown(&world.clock))?;
                let [x, y, z] = eyes.place.origin.map(Coord::value);
                let origin = [x, y, z + f64::from(world.vitals.view_height)];
                let angles = world.view.angles.map(|angle| f64::from(angle.value()));
                let is_sound = angles.iter().all(|angle| angle.is_finite());
                is_sound.then(|| (world.level.models.get(1).to_vec(), Pose { origin, angles }))
            }
            Self::Quake2(head) => {
                head.step(block);
                let frame = head.world.frame();
                let state = frame.player(None).filter(|_| frame.validity.is_drawn())?;
                let mut origin = state.origin.map(Short8::value);
                for (to, height) in origin.iter_mut().zip(state.view_offset.map(Quarters::value)) {
                    *to += height;
                }
                let angles = state.view_angles.map(Angle16::value);
                Some((head.world.config.get(usize::from(CS_MODELS) + 1).to_vec(), Pose { origin, angles }))
            }
        }
    }
}
