//! The momentary events of a block, which are not kept: sounds, flashes, effects, texts.

use crate::Text;
use crate::hash::{Fold, Hash64, folds};
use moviola_format::dm2::{self, TempEntity};
use moviola_format::{Attenuation, Direction, Flags, Short8, SoundSource, Thousandths, Volume};

/// A momentary event of a block, and its recipients: in Relay recordings it can be for one client only.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// // A print for client 2 alone, as Relay records it.
/// head.step(&Block::new(b"\x8a\x02\x02hi\n\0"));
/// assert_eq!(head.world.moment[0].client, Some(2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// The only client that it was for, if it was not for all (Relay).
    pub client: Option<u8>,
    /// The event.
    pub what: MomentKind,
}

/// The kind of a momentary event.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2::{self, MomentKind}};
/// let mut head = Playhead::<quake2::World>::new();
/// head.step(&Block::new(b"\x0a\x03Bob: hi\n\0"));
/// assert!(matches!(&head.world.moment[0].what, MomentKind::Print(3, text) if text.bytes() == b"Bob: hi\n"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum MomentKind {
    /// A sound starts.
    Sound(Sound),
    /// A player's weapon fires: the entity and the weapon.
    PlayerFlash(i16, u8),
    /// A monster's weapon fires: the entity and the weapon.
    MonsterFlash(i16, u8),
    /// A temporary effect, which is not an entity.
    Effect(Effect),
    /// Text on the console, and its importance.
    Print(u8, Text),
    /// Text in the middle of the screen.
    CenterPrint(Text),
    /// Text for the client's command buffer.
    Command(Text),
    /// The client has to connect again.
    Reconnect,
    /// A part of a file arrives: the number of its bytes, and how many percent of the file have arrived.
    Download(i16, u8),
}

/// A sound that starts.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2::{self, MomentKind}};
/// let mut head = Playhead::<quake2::World>::new();
/// // Sound 9 on channel 2 of entity 1.
/// head.step(&Block::new(b"\x09\x08\x09\x0a\0"));
/// let MomentKind::Sound(sound) = &head.world.moment[0].what else { panic!("no sound") };
/// assert_eq!((sound.number, sound.source.entity()), (9, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// Its number in the config strings, from [`CS_SOUNDS`](moviola_format::names::quake2::CS_SOUNDS) on.
    pub number: u8,
    /// The volume.
    pub volume: Volume,
    /// The attenuation: how fast the sound fades with distance.
    pub attenuation: Attenuation,
    /// The delay from the frame to the start of the sound.
    pub delay: Thousandths,
    /// The entity that makes the sound, and its channel; `none` is the level.
    pub source: SoundSource,
    /// The position of the sound, if it is not its source's.
    pub origin: Option<[Short8; 3]>,
}

impl Sound {
    const VOLUME: Volume = Volume(255);
    const ATTENUATION: Attenuation = Attenuation(64);
}

impl From<&dm2::Sound> for Sound {
    fn from(it: &dm2::Sound) -> Self {
        Self {
            number: it.soundnum,
            volume: if it.flags.has(dm2::Sound::vol) { it.vol } else { Self::VOLUME },
            attenuation: if it.flags.has(dm2::Sound::attenuation) {
                it.attenuation
            } else {
                Self::ATTENUATION
            },
            delay: it.timeofs,
            source: it.source,
            origin: it.flags.has(dm2::Sound::origin).then_some(it.origin),
        }
    }
}

/// A temporary effect. Its kind decides which fields are used; the others are zero.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2::{self, MomentKind}};
/// let mut head = Playhead::<quake2::World>::new();
/// // An explosion at x = 1.
/// head.step(&Block::new(b"\x03\x05\x08\0\0\0\0\0"));
/// let MomentKind::Effect(effect) = &head.world.moment[0].what else { panic!("no effect") };
/// assert_eq!((effect.kind, effect.origin[0].value()), (5, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The kind's number, by the numbering since protocol 32.
    pub kind: u8,
    /// The number of the steam effect, by which later messages change it.
    pub steam: i16,
    /// The entity to which the effect belongs, the entity at the other end, and the entity that holds a light.
    pub entities: [i16; 3],
    /// The position.
    pub origin: [Short8; 3],
    /// The end of a line: `trace_endpos`, or the other entity's position.
    pub end: [Short8; 3],
    /// A third position.
    pub place: [Short8; 3],
    /// The direction of flight.
    pub direction: Direction,
    /// The number of particles.
    pub count: i16,
    /// The kind of splash, or a color.
    pub style: u8,
    /// The number of the widow effect, or the strength of the steam.
    pub number: i16,
    /// The duration, in thousandths of a second.
    pub wait: i32,
}

impl From<&TempEntity<'_>> for Effect {
    fn from(it: &TempEntity<'_>) -> Self {
        let has = |bit: u32| it.flags.has(bit);
        Self {
            kind: it.flags.today().number(),
            steam: it.flags.nextid(),
            entities: [it.entity, it.dest_entity, it.flash_entity],
            origin: it.origin,
            end: if has(TempEntity::dest_origin) { it.dest_origin } else { it.trace_endpos },
            place: it.pos1,
            direction: it.movedir,
            count: it.count.0,
            style: it.style.byte,
            number: if has(TempEntity::r#type) { it.r#type } else { it.plat2flags },
            wait: it.wait,
        }
    }
}

folds! {
    Sound { number, volume, attenuation, delay, source, origin }
    Effect { kind, steam, entities, origin, end, place, direction, count, style, number, wait }
    Thousandths { 0: raw }
    SoundSource { 0: raw }
    Direction { 0: number }
}

impl Happening {
    /// Whether a person at the screen sees, hears or reads it.
    pub(super) fn is_perceived(&self) -> bool {
        !matches!(self.what, MomentKind::Command(_) | MomentKind::Reconnect | MomentKind::Download(..))
    }
}

impl Fold for Happening {
    fn fold(&self, hash: &mut Hash64) {
        self.client.fold(hash);
        // A distinct number for each kind, so that two kinds with the same contents hash differently.
        match &self.what {
            MomentKind::Sound(it) => (1u8, *it).fold(hash),
            MomentKind::PlayerFlash(entity, weapon) => (2u8, (*entity, *weapon)).fold(hash),
            MomentKind::MonsterFlash(entity, weapon) => (3u8, (*entity, *weapon)).fold(hash),
            MomentKind::Effect(it) => (4u8, *it).fold(hash),
            MomentKind::Print(level, text) => {
                (5u8, *level).fold(hash);
                text.fold(hash);
            }
            MomentKind::CenterPrint(text) => {
                6u8.fold(hash);
                text.fold(hash);
            }
            MomentKind::Command(text) => {
                7u8.fold(hash);
                text.fold(hash);
            }
            MomentKind::Reconnect => 8u8.fold(hash),
            MomentKind::Download(size, percent) => (9u8, (*size, *percent)).fold(hash),
        }
    }
}
