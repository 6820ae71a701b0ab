//! Scenes: everything that can be seen and heard at a moment of a recording, as plain lists without pixels,
//! files or recordings.
//!
//! A [`Scene`] depends on the recording, the moment, the game's files and the camera, never on the way to the
//! moment: particles, lights and kicks of the view are computed from events and their age. So a seek and a
//! playthrough give the same scene, and a test can identify a frame by its hash.
//!
//! ```
//! use moviola_scene::Scene;
//! let scene = Scene::default();
//! assert!(scene.level.is_none() && scene.models.is_empty());
//! ```
#![forbid(unsafe_code)]

mod chase;
mod clean;
mod dice;
mod draw;
mod files;
mod library;
mod list;
mod options;
mod quake;
mod quake2;
mod quakeworld;
mod reel;
mod seek;
mod sound;
mod tape;
mod text;
mod vector;
mod window;

pub use draw::{Draw, Overlay, PictureFile, Rect};
pub use library::{Library, Medium, NoFiles, Surroundings};
pub use list::{
    Beam, Brush, DynamicLight, Eye, FogAt, LevelView, Model, ModelSkin, Particle, Pose, Scene, Shade, Sky,
    Sprite, Tint,
};
pub use options::{Hud, Moment, SceneOptions};
pub use reel::Reel;
pub use seek::{Seeker, UnreadParts};
pub use sound::{Ambience, Listener, Loop, SoundStart, Voice};

use std::sync::Arc;

/// The path of one of the game's files as the recording names it, `progs/player.mdl`, or `*3` for a part of
/// the level.
///
/// ```
/// let name: moviola_scene::FileName = "progs/player.mdl".into();
/// assert!(name.ends_with(".mdl"));
/// ```
pub type FileName = Arc<str>;

/// A place, a direction, or the three angles pitch, yaw and roll in degrees, in the game's axes.
///
/// ```
/// let up: moviola_scene::Vec3 = [0.0, 0.0, 1.0];
/// assert_eq!(up[2], 1.0);
/// ```
pub type Vec3 = [f32; 3];
