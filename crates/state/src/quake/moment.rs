//! The momentary events of a block, which are not kept: sounds, effects, texts, damage.

use super::Text;
use super::view::{named, places};
use crate::hash::{Fold, Hash64, folds};
use moviola_format::dem::{self, TempEntity};
use moviola_format::{Attenuation, Coord, DarkPlacesEffectValues, EndPos, Sixteenths, SoundChannel, Volume};

/// A momentary event of a block.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, Text, quake::{self, Happening}};
/// let mut head = Playhead::<quake::World>::new();
/// head.step(&Block::new(b"\x08hi\n\0\x1b"));
/// assert_eq!(head.world.moment, [Happening::Print(Text::new(b"hi\n")), Happening::Kill]);
/// // It belongs to its block only.
/// head.step(&Block::new(b"\x01"));
/// assert!(head.world.moment.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A sound starts.
    Sound(Sound),
    /// A sound of an entity's channel stops.
    StopSound(SoundChannel),
    /// A sound for this player alone (re-release).
    LocalSound(u16),
    /// A temporary effect, which is not an entity.
    Effect(Effect),
    /// A temporary effect of a kind that `DarkPlaces` added.
    DarkPlacesEffect(DarkPlacesEffectValues),
    /// A puff of particles.
    Particles(Particles),
    /// Text on the console.
    Print(Text),
    /// Text in the middle of the screen.
    CenterPrint(Text),
    /// Text for the client's command buffer.
    Command(Text),
    /// The recorder was hurt.
    Damage(Damage),
    /// The screen flashes as for a picked up item (protocols 666 and 999).
    Flash,
    /// A monster died.
    Kill,
    /// A secret was found.
    Secret,
    /// The shareware's last screen opens.
    SellScreen,
    /// An achievement of the re-release.
    Achievement(Text),
    /// A sprite or particles of which only the kind and the place are known (`DarkPlaces`, FTE).
    Foreign(u16, [Coord; 3]),
    /// This player speaks (FTE).
    Voice(u8),
}

/// A sound that starts.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake::{self, Happening}};
/// let mut head = Playhead::<quake::World>::new();
/// // Entity 1 makes sound 9 on its channel 2.
/// head.step(&Block::new(b"\x06\0\x0a\0\x09\0\0\0\0\0\0"));
/// let [Happening::Sound(sound)] = &head.world.moment[..] else { panic!("no sound") };
/// assert_eq!((sound.number, sound.source.entity, sound.source.channel), (9, 1, 2));
/// assert_eq!(sound.volume.value(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// Its number in the level's list of sounds.
    pub number: u16,
    /// The entity that makes the sound, and its channel.
    pub source: SoundChannel,
    /// The volume.
    pub volume: Volume,
    /// The attenuation: how fast the sound fades with distance.
    pub attenuation: Attenuation,
    /// The position that the sound comes from.
    pub origin: [Coord; 3],
}

impl Sound {
    /// The volume of a sound whose message contains none.
    const VOLUME: Volume = Volume(255);
    /// The attenuation of a sound whose message contains none.
    const ATTENUATION: Attenuation = Attenuation(64);
}

impl From<&dem::Sound> for Sound {
    fn from(it: &dem::Sound) -> Self {
        use moviola_format::Flags;
        Self {
            number: it.soundnum.0,
            source: it.source,
            volume: if it.flags.has(dem::Sound::vol) { it.vol } else { Self::VOLUME },
            attenuation: if it.flags.has(dem::Sound::attenuation) {
                it.attenuation
            } else {
                Self::ATTENUATION
            },
            origin: it.origin,
        }
    }
}

/// A temporary effect, which is not an entity: an explosion, a bolt of lightning.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake::{self, Happening}};
/// let mut head = Playhead::<quake::World>::new();
/// // An explosion at x = 10.
/// head.step(&Block::new(b"\x17\x03\x50\0\0\0\0\0"));
/// let [Happening::Effect(effect)] = &head.world.moment[..] else { panic!("no effect") };
/// assert_eq!((effect.kind, effect.origin[0].value()), (3, 10.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its kind's number.
    pub kind: u8,
    /// The entity that shoots, if there is one.
    pub entity: i16,
    /// The position.
    pub origin: [Coord; 3],
    /// The end of a line, or a color.
    pub end: EndPos,
    /// The first color and the number of colors.
    pub colors: [u8; 2],
    /// The model of the bolt (Nehahra).
    pub model: Text,
}

impl From<&TempEntity<'_>> for Effect {
    fn from(it: &TempEntity<'_>) -> Self {
        Self {
            kind: it.flags.number(),
            entity: it.entity,
            origin: it.origin,
            end: it.trace_endpos,
            colors: [it.color, it.range],
            model: it.model.into(),
        }
    }
}

/// A puff of particles.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake::{self, Happening}};
/// let mut head = Playhead::<quake::World>::new();
/// // Twenty drops of blood.
/// head.step(&Block::new(b"\x12\0\0\0\0\0\0\0\0\0\x14\x49"));
/// let [Happening::Particles(drops)] = &head.world.moment[..] else { panic!("no particles") };
/// assert_eq!((drops.count, drops.color), (20, 73));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Particles {
    /// The position.
    pub origin: [Coord; 3],
    /// The velocity.
    pub velocity: [Sixteenths; 3],
    /// The number of particles; 255 is an explosion.
    pub count: u8,
    /// The first color.
    pub color: u8,
}

/// A hit that the recorder took.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // The armor took 3 points, health 7.
/// head.step(&Block::new(b"\x13\x03\x07\0\0\0\0\0\0"));
/// let (_, damage) = head.world.damage.unwrap();
/// assert_eq!((damage.armor, damage.health), (3, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The points that the armor lost.
    pub armor: u8,
    /// The points that the health lost.
    pub health: u8,
    /// The position that it came from; the world's origin for drowning and burning.
    pub origin: [Coord; 3],
}

folds! {
    Sound { number, source, volume, attenuation, origin }
    Effect { kind, entity, origin, end, colors, model }
    DarkPlacesEffectValues {
        kind, origin, end, direction, rgb, count, color, speed, falls, radius, duration
    }
    Particles { origin, velocity, count, color }
    Damage { armor, health, origin }
    SoundChannel { channel, entity }
    EndPos { parts, is_color }
    Volume { 0: raw }
    Attenuation { 0: raw }
    Sixteenths { 0: raw }
}

impl Happening {
    /// A distinct number for each kind, so that two kinds with the same contents hash differently.
    fn tag(&self) -> u64 {
        match self {
            Self::Sound(_) => 1,
            Self::StopSound(_) => 2,
            Self::LocalSound(_) => 3,
            Self::Effect(_) => 4,
            Self::Particles(_) => 5,
            Self::Print(_) => 6,
            Self::CenterPrint(_) => 7,
            Self::Command(_) => 8,
            Self::Damage(_) => 9,
            Self::Flash => 10,
            Self::Kill => 11,
            Self::Secret => 12,
            Self::SellScreen => 13,
            Self::Achievement(_) => 14,
            Self::Foreign(..) => 15,
            Self::Voice(_) => 16,
            Self::DarkPlacesEffect(_) => 17,
        }
    }

    /// Folds the perceptible parts by value and name, so that the numbers and widths that were sent do not
    /// count.
    pub(super) fn fold_view(&self, sounds: &crate::Strings, hash: &mut Hash64) {
        match self {
            // The two counters are visible only on the status bar, which is folded elsewhere.
            Self::Kill | Self::Secret => return,
            Self::Command(text) if !is_flash(text) => return,
            _ => hash.add(self.tag()),
        }
        match self {
            Self::Sound(sound) => {
                named(sounds, sound.number, hash);
                sound.source.fold(hash);
                sound.volume.fold(hash);
                sound.attenuation.fold(hash);
                places(&sound.origin, hash);
            }
            Self::LocalSound(number) => named(sounds, *number, hash),
            Self::Effect(effect) => {
                let Effect { kind, entity, origin, end, colors, model } = effect;
                kind.fold(hash);
                entity.fold(hash);
                places(origin, hash);
                places(&end.parts, hash);
                colors.fold(hash);
                model.fold(hash);
            }
            Self::DarkPlacesEffect(it) => {
                let DarkPlacesEffectValues { origin, end, direction, .. } = it;
                for place in [origin, end, direction] {
                    places(place, hash);
                }
                let none = [Coord::default(); 3];
                DarkPlacesEffectValues { origin: none, end: none, direction: none, ..*it }.fold(hash);
            }
            Self::Particles(Particles { origin, velocity, count, color }) => {
                places(origin, hash);
                velocity.fold(hash);
                count.fold(hash);
                color.fold(hash);
            }
            Self::Damage(Damage { armor, health, origin }) => {
                armor.fold(hash);
                health.fold(hash);
                places(origin, hash);
            }
            _ => self.fold_content(hash),
        }
    }

    fn fold_content(&self, hash: &mut Hash64) {
        match self {
            Self::Sound(it) => it.fold(hash),
            Self::StopSound(it) => it.fold(hash),
            Self::LocalSound(it) => it.fold(hash),
            Self::Effect(it) => it.fold(hash),
            Self::DarkPlacesEffect(it) => it.fold(hash),
            Self::Particles(it) => it.fold(hash),
            Self::Damage(it) => it.fold(hash),
            Self::Print(it) | Self::CenterPrint(it) | Self::Command(it) | Self::Achievement(it) => {
                it.fold(hash);
            }
            Self::Foreign(kind, origin) => {
                kind.fold(hash);
                origin.fold(hash);
            }
            Self::Voice(player) => player.fold(hash),
            Self::Flash | Self::Kill | Self::Secret | Self::SellScreen => {}
        }
    }
}

impl Fold for Happening {
    fn fold(&self, hash: &mut Hash64) {
        hash.add(self.tag());
        self.fold_content(hash);
    }
}

/// Whether a command is the one by which game code of protocol 15 makes the screen flash.
fn is_flash(command: &Text) -> bool {
    // not from SCHEMA: the console command, which the message repeats
    command.bytes().trim_ascii() == b"bf"
}
