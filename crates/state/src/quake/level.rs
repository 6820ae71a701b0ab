//! What belongs to a level: what it loads, how it looks and sounds, and how it ends.

use crate::hash::{Fold, Hash64, folds};
use crate::{Strings, Text};
use moviola_format::{Angle, Attenuation, Coord, Float, NehahraFog, Seconds, Volume};

/// What is loaded for a level.
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
