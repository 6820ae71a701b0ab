//! What there is to hear at a moment. Sounds that have started are in every scene for some seconds, so that a mixer
//! that begins anywhere finds those that still go on; it knows them by their identity.

use crate::{Name, Vec3};

/// The ears: the eye and its right hand.
///
/// ```
/// use moviola_scene::Listener;
/// assert_eq!(Listener::default().entity, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Listener {
    /// The player's own entity, whose sounds are as loud as they can be.
    pub entity: u16,
    /// Where the ears are.
    pub place: Vec3,
    /// The direction of the right ear.
    pub right: Vec3,
}

/// On whose channel a sound plays: a later one on the same takes its place.
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
    /// Its identity: the block, and its place in the block.
    pub id: (u64, u32),
    /// When it starts, in seconds of the recording.
    pub start: f64,
    /// The same on the level's clock, as the recording says it.
    pub clock: f64,
    /// Its file; empty stops the channel.
    pub sample: Name,
    /// Its channel.
    pub voice: Voice,
    /// How loud, 0 to 1.
    pub volume: f32,
    /// How much of it a unit of distance takes away; 0 is heard everywhere.
    pub reach: f32,
    /// Where it is; none is at the ears.
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

/// A sound that is there as long as the scenes have it.
///
/// ```
/// use moviola_scene::Loop;
/// let torch = Loop { sample: "sound/ambience/fire1.wav".into(), volume: 0.5, reach: 0.003, place: [0.0; 3], whole: false };
/// assert!(!torch.whole);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its file.
    pub sample: Name,
    /// How loud, 0 to 1.
    pub volume: f32,
    /// How much of it a unit of distance takes away.
    pub reach: f32,
    /// Where it is.
    pub place: Vec3,
    /// All of the sample repeats, also where it has no loop of its own (Quake II).
    pub whole: bool,
}

/// How loud water and wind are where the ears are, 0 to 1.
///
/// ```
/// assert_eq!(moviola_scene::Ambience::default().water, 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ambience {
    /// `ambience/water1.wav`
    pub water: f32,
    /// `ambience/wind2.wav`
    pub wind: f32,
}
