//! What belongs to a level: what it loads, how it looks and sounds, and how it ends.

use crate::hash::{Fold, Hash64, folds};
use crate::{Strings, Text};
use moviola_format::{Angle, Attenuation, Coord, Float, NehahraFog, Seconds, Volume};

/// What is loaded for a level.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// head.step(&Block::new(b"\x0b\x0f\0\0\0\x01\0the Slipgate Complex\0maps/e1m1.bsp\0\0\0"));
/// let level = &head.world.level;
/// assert_eq!((level.protocol, level.max_clients), (15, 1));
/// assert_eq!((level.title.bytes(), level.models.get(1)), (&b"the Slipgate Complex"[..], &b"maps/e1m1.bsp"[..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The protocol; 0 while there is no level.
    pub protocol: i32,
    /// The flags of protocol 999.
    pub protocol_flags: u32,
    /// How many players there is room for.
    pub max_clients: u8,
    /// The kind of game: 0 is single player or cooperative, 1 deathmatch.
    pub game_type: u8,
    /// The title.
    pub title: Text,
    /// The models by number; number 0 is none, number 1 the level itself.
    pub models: Strings,
    /// The sounds by number; number 0 is none.
    pub sounds: Strings,
}

/// From where and whereto the player looks.
///
/// ```
/// use moviola_format::{Block, Float};
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// let angles = [Float::new(10.0), Float::new(90.0), Float::new(0.0)];
/// head.step(&Block { angles: angles.map(|angle| angle.0), ..Block::new(b"\x05\x01\0") });
/// assert_eq!((head.world.view.entity, head.world.view.angles), (1, angles));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The entity whose eyes are the camera.
    pub entity: i16,
    /// The angles that the block was recorded with: these are what a playing engine shows.
    pub angles: [Float; 3],
    /// The last angles that the server set in this level. A live client turns to them; in playback the angles
    /// of the block win at once.
    pub set: Option<[Angle; 3]>,
}

/// A sound that never ends.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // spawnstaticsound: at the middle of the world, sound 4, full volume.
/// head.step(&Block::new(b"\x1d\0\0\0\0\0\0\x04\xff\x40"));
/// let sound = head.world.static_sounds[0];
/// assert_eq!((sound.number, sound.volume.value()), (4, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticSound {
    /// Its number in the level's list.
    pub number: u16,
    /// Where it is.
    pub origin: [Coord; 3],
    /// How loud.
    pub volume: Volume,
    /// How fast it fades with distance.
    pub attenuation: Attenuation,
}

/// Which screen ended the play.
///
/// ```
/// use moviola_state::quake::{Scene, World};
/// assert_eq!(World::new().ending.scene, Scene::Play);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scene {
    /// None: the game goes on.
    #[default]
    Play,
    /// The level is over: the scores are shown.
    Intermission,
    /// The episode is over: a text is shown.
    Finale,
    /// A text over a scene (mission packs).
    Cutscene,
}

/// How the level ended, if it did.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // The time is 1; intermission.
/// head.step(&Block::new(b"\x07\0\0\x80\x3f\x1e"));
/// assert_eq!(head.world.ending.scene, quake::Scene::Intermission);
/// assert_eq!(head.world.ending.time.value(), 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ending {
    /// Which screen is shown.
    pub scene: Scene,
    /// The clock when it began: what the screen shows as the time the level took. A second one replaces it.
    pub time: Seconds,
    /// The text.
    pub text: Text,
}

/// The fog.
///
/// ```
/// use moviola_state::quake::{Fog, World};
/// assert_eq!(World::new().fog, Fog::Usual);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fog {
    /// The level's own.
    #[default]
    Usual,
    /// Protocols 666 and 999: density, red, green, blue, and how long it takes to come.
    Fitz([Volume; 4], i16),
    /// Nehahra's.
    Nehahra(NehahraFog),
}

/// A picture on the screen (Nehahra).
///
/// ```
/// use moviola_state::quake::World;
/// assert!(World::new().pictures.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Its file.
    pub file: Text,
    /// Where it is.
    pub at: [u8; 2],
}

folds! {
    Level { protocol, protocol_flags, max_clients, game_type, title, models, sounds }
    View { entity, angles, set }
    StaticSound { number, origin, volume, attenuation }
    Ending { scene, time, text }
    Picture { file, at }
    NehahraFog { enable, density, color }
}

impl Fold for Scene {
    fn fold(&self, hash: &mut Hash64) {
        hash.add(*self as u64);
    }
}

impl Fold for Fog {
    fn fold(&self, hash: &mut Hash64) {
        match self {
            Self::Usual => hash.add(0),
            Self::Fitz(colors, time) => {
                hash.add(1);
                colors.fold(hash);
                time.fold(hash);
            }
            Self::Nehahra(fog) => {
                hash.add(2);
                fog.fold(hash);
            }
        }
    }
}
