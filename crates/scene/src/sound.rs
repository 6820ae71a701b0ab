//! The sounds of a moment. A sound stays in the scenes for some seconds after its start, so that a mixer can begin
//! anywhere and finds the sounds that are still playing. It recognizes sounds by their ids.

use crate::{FileName, Vec3};

/// The ears, at the place of the eye.
///
/// ```
/// use moviola_scene::Listener;
/// assert_eq!(Listener::default().entity, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Listener {
    /// The player's own entity, whose sounds have their full volume.
    pub entity: u16,
    /// The place of the ears.
    pub place: Vec3,
    /// The direction of the right ear.
    pub right: Vec3,
}

/// The channel on which a sound plays: a later sound on the same channel replaces it.
///
/// ```
/// use moviola_scene::Voice;
/// assert_eq!(Voice { entity: 1, channel: 2 }, Voice { entity: 1, channel: 2 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Voice {
    /// The entity; -1 is none.
    pub entity: i32,
    /// Its channel: 0 never replaces another, -1 replaces any of the entity's.
    pub channel: i32,
}

/// A sound that starts, or a channel that stops.
///
/// ```
/// use moviola_scene::{SoundStart, Voice};
/// let voice = Voice { entity: 3, channel: 1 };
/// let shot = SoundStart { sample: "sound/weapons/guncock.wav".into(), start: 2.5, voice, ..SoundStart::default() };
/// assert_eq!((shot.volume, shot.reach), (1.0, 0.001));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SoundStart {
    /// Its id: the number of its block, and its number in the block.
    pub id: (u64, u32),
    /// Its start, in seconds of the recording.
    pub start: f64,
    /// Its start on the level's clock.
    pub clock: f64,
    /// Its file; an empty name stops the channel.
    pub sample: FileName,
    /// Its channel.
    pub voice: Voice,
    /// Its volume, 0 to 1.
    pub volume: f32,
    /// The share of its volume that is lost per unit of distance; with 0 it is heard everywhere.
    pub reach: f32,
    /// Its position; `None` if it is at the listener.
    pub place: Option<Vec3>,
}

impl Default for SoundStart {
    fn default() -> Self {
        Self {
            id: (0, 0),
            start: 0.0,
            clock: 0.0,
            sample: "".into(),
            voice: Voice::default(),
            volume: 1.0,
            reach: 0.001,
            place: None,
        }
    }
}

/// A sound that plays for as long as the scenes contain it.
///
/// ```
/// use moviola_scene::Loop;
/// let torch = Loop { sample: "sound/ambience/fire1.wav".into(), volume: 0.5, reach: 0.003, place: [0.0; 3], repeats_all: false };
/// assert!(!torch.repeats_all);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its file.
    pub sample: FileName,
    /// Its volume, 0 to 1.
    pub volume: f32,
    /// The share of its volume that is lost per unit of distance.
    pub reach: f32,
    /// Its place.
    pub place: Vec3,
    /// Whether the whole sample repeats even if it has no loop of its own (Quake II).
    pub repeats_all: bool,
}

/// The volumes of water and wind at the place of the ears, 0 to 1.
///
/// ```
/// assert_eq!(moviola_scene::Ambience::default().water, 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ambience {
    /// The volume of `ambience/water1.wav`.
    pub water: f32,
    /// The volume of `ambience/wind2.wav`.
    pub wind: f32,
}
