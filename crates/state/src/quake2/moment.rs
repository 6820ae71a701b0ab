//! What begins in a block and is not kept: sounds, flashes, effects, texts.

use crate::Text;
use crate::hash::{Fold, Hash64, folds};
use moviola_format::dm2::{self, TempEntity};
use moviola_format::{Attenuation, Direction, Flags, Short8, SoundSource, Thousandths, Volume};

/// Something that begins in a block, and for whom: in Relay recordings perhaps for one client alone.
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
    /// The one client that it was for (Relay).
    pub client: Option<u8>,
    /// What it is.
    pub what: What,
}

/// What begins.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2::{self, What}};
/// let mut head = Playhead::<quake2::World>::new();
/// head.step(&Block::new(b"\x0a\x03Bob: hi\n\0"));
/// assert!(matches!(&head.world.moment[0].what, What::Print(3, text) if text.bytes() == b"Bob: hi\n"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A sound starts.
    Sound(Sound),
    /// A player's weapon fires: entity, and which weapon.
    PlayerFlash(i16, u8),
    /// A monster's weapon fires: entity, and which weapon.
    MonsterFlash(i16, u8),
    /// An effect that lives by itself.
    Effect(Effect),
    /// Text on the console, and how important it is.
    Print(u8, Text),
    /// Text in the middle of the screen.
    CenterPrint(Text),
    /// Text for the client's command buffer.
    Command(Text),
    /// The client shall connect again.
    Reconnect,
    /// A piece of a file comes: how many bytes, and how much of it is through.
    Download(i16, u8),
}

/// A sound that starts.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2::{self, What}};
/// let mut head = Playhead::<quake2::World>::new();
/// // Sound 9 on channel 2 of entity 1.
/// head.step(&Block::new(b"\x09\x08\x09\x0a\0"));
/// let What::Sound(sound) = &head.world.moment[0].what else { panic!("no sound") };
/// assert_eq!((sound.number, sound.source.entity()), (9, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// Its number in the config strings, from [`CS_SOUNDS`](moviola_format::names::quake2::CS_SOUNDS) on.
    pub number: u8,
    /// How loud.
    pub volume: Volume,
    /// How fast it fades with distance.
    pub attenuation: Attenuation,
    /// How long after the frame it begins.
    pub delay: Thousandths,
    /// Who makes it and on which channel; none is the level.
    pub source: SoundSource,
    /// Where it comes from, where that is not its source.
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

/// An effect that lives by itself; which of the fields count is a matter of its kind, the others are zero.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2::{self, What}};
/// let mut head = Playhead::<quake2::World>::new();
/// // An explosion at x = 1.
/// head.step(&Block::new(b"\x03\x05\x08\0\0\0\0\0"));
/// let What::Effect(effect) = &head.world.moment[0].what else { panic!("no effect") };
/// assert_eq!((effect.kind, effect.origin[0].value()), (5, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its kind's number, as it is since protocol 32.
    pub kind: u8,
    /// Which steam is meant.
    pub steam: i16,
    /// The entity that it belongs to, the one at the other end, and the one that holds a light.
    pub entities: [i16; 3],
    /// Where it is.
    pub origin: [Short8; 3],
    /// Where a line ends: `trace_endpos`, or the other entity's place.
    pub end: [Short8; 3],
    /// A third place.
    pub place: [Short8; 3],
    /// Which way it flies.
    pub direction: Direction,
    /// How many particles.
    pub count: i16,
    /// Which kind of splash, or a color.
    pub style: u8,
    /// Which widow, or how strong the steam is.
    pub number: i16,
    /// How long it lasts, in thousandths of a second.
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
        !matches!(self.what, What::Command(_) | What::Reconnect | What::Download(..))
    }
}

impl Fold for Happening {
    fn fold(&self, hash: &mut Hash64) {
        self.client.fold(hash);
        // A number of its own for each kind, so that two kinds with alike contents differ.
        match &self.what {
            What::Sound(it) => (1u8, *it).fold(hash),
            What::PlayerFlash(entity, weapon) => (2u8, (*entity, *weapon)).fold(hash),
            What::MonsterFlash(entity, weapon) => (3u8, (*entity, *weapon)).fold(hash),
            What::Effect(it) => (4u8, *it).fold(hash),
            What::Print(level, text) => {
                (5u8, *level).fold(hash);
                text.fold(hash);
            }
            What::CenterPrint(text) => {
                6u8.fold(hash);
                text.fold(hash);
            }
            What::Command(text) => {
                7u8.fold(hash);
                text.fold(hash);
            }
            What::Reconnect => 8u8.fold(hash),
            What::Download(size, percent) => (9u8, (*size, *percent)).fold(hash),
        }
    }
}
