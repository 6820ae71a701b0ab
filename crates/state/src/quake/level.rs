//! The properties of a level: its files, its look and sound, and its end.

use crate::hash::{Fold, Hash64, folds};
use crate::{Strings, Text};
use moviola_format::{Angle, Attenuation, Coord, Float, NehahraFog, Seconds, Volume};

/// The files and properties that a level begins with.
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
    /// The protocol; 0 before the first level.
    pub protocol: i32,
    /// The flags of protocol 999.
    pub protocol_flags: u32,
    /// Whether entities stay until they are removed, and are sent in lists of changes (FTE, `DarkPlaces` 5 to 8).
    pub lists_entities: bool,
    /// Whether the recorder's items are only in the stats (FTE's prediction, `DarkPlaces` 6 to 8).
    pub has_stats_only: bool,
    /// The greatest number of players.
    pub max_clients: u8,
    /// The kind of game: 0 is single player or cooperative, 1 deathmatch.
    pub game_type: u8,
    /// The title.
    pub title: Text,
    /// The models by number; number 0 stands for no model, number 1 for the level itself.
    pub models: Strings,
    /// The sounds by number; number 0 stands for no sound.
    pub sounds: Strings,
}

/// The camera's entity and angles.
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
pub struct CameraView {
    /// The entity that holds the camera.
    pub entity: i16,
    /// The angles recorded with the block, which an engine shows in playback.
    pub angles: [Float; 3],
    /// The last angles that the server set in this level. A live client turns to them; in playback the
    /// block's own angles replace them.
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
    /// Its number in the level's list of sounds.
    pub number: u16,
    /// The position.
    pub origin: [Coord; 3],
    /// The volume.
    pub volume: Volume,
    /// The attenuation: how fast the sound fades with distance.
    pub attenuation: Attenuation,
}

/// The screen that ended the play.
///
/// ```
/// use moviola_state::quake::{FinalScreen, World};
/// assert_eq!(World::new().ending.scene, FinalScreen::Play);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalScreen {
    /// No such screen, since the game goes on.
    #[default]
    Play,
    /// The level is over: the scores are shown.
    Intermission,
    /// The episode is over: a text is shown.
    Finale,
    /// A text over a scene (mission packs).
    Cutscene,
}

/// The end of the level, if the level has ended.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // The time is 1; intermission.
/// head.step(&Block::new(b"\x07\0\0\x80\x3f\x1e"));
/// assert_eq!(head.world.ending.scene, quake::FinalScreen::Intermission);
/// assert_eq!(head.world.ending.time.value(), 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ending {
    /// The screen that is shown.
    pub scene: FinalScreen,
    /// The clock when the screen appeared, which it shows as the level's time. A second screen replaces it.
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
    /// The level's own fog.
    #[default]
    Usual,
    /// Protocols 666 and 999: density, red, green, blue, and the duration of the change.
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
pub struct HudPicture {
    /// Its file.
    pub file: Text,
    /// The position.
    pub at: [i16; 2],
}

folds! {
    Level { protocol, protocol_flags, lists_entities, has_stats_only, max_clients, game_type, title, models, sounds }
    CameraView { entity, angles, set }
    StaticSound { number, origin, volume, attenuation }
    Ending { scene, time, text }
    HudPicture { file, at }
    NehahraFog { enable, density, color }
}

impl Fold for FinalScreen {
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
