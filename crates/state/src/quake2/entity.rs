//! Entities, and the deltas that change them.
//!
//! The rules are those of id's `CL_ParseDelta`.

use super::Config;
use crate::hash::{Fold, Hash64, folds};
use moviola_format::dm2::SpawnBaseline;
use moviola_format::names::{bit, quake2::RENDERFX};
use moviola_format::{Angle8, Flags, Short8};

/// An entity.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// // spawnbaseline: entity 7 stands at x = 1.
/// head.step(&Block::new(b"\x0e\x01\x07\x08\0"));
/// assert_eq!(head.world.baseline(7).origin[0].value(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
// The fields that `words` puts together lie together.
#[repr(C)]
pub struct Entity {
    /// Its number.
    pub number: u16,
    /// The position.
    pub origin: [Short8; 3],
    /// The frame of the models.
    pub frame: i32,
    /// The skin; the bits above the lowest eight are the weapon visible in a player's hands.
    pub skin: u32,
    /// Lights and trails.
    pub effects: u32,
    /// The flags of its drawing.
    pub renderfx: u32,
    /// The numbers of its models in the config strings, from
    /// [`CS_MODELS`](moviola_format::names::quake2::CS_MODELS) on: its own, then those of attached things.
    /// 255 is a player, whose model belongs to the skin.
    pub models: [u8; 4],
    /// The angles.
    pub angles: [Angle8; 3],
    /// Its continuous sound.
    pub sound: u8,
    /// Its size for collisions.
    pub solid: i16,
    /// The position before, or the other end of a beam.
    pub old_origin: [Short8; 3],
    /// Its event, which lasts for this frame only.
    pub event: u8,
}

folds! {
    Entity {
        number, models, frame, skin, effects, renderfx, origin, angles, old_origin, sound, event, solid,
    }
    Short8 { 0: raw }
    Angle8 { 0: raw }
}

impl Entity {
    /// Whether two entities are the same except for their old places and their events.
    ///
    /// ```
    /// use moviola_state::quake2::Entity;
    /// let entity = Entity { number: 7, ..Entity::default() };
    /// assert!(entity.is_alike(&Entity { event: 1, ..entity }));
    /// assert!(!entity.is_alike(&Entity { frame: 1, ..entity }));
    /// ```
    #[inline]
    pub fn is_alike(&self, other: &Self) -> bool {
        let ([one, two, three, four], [a, b, c, d]) = (self.words(), other.words());
        one == a && two == b && three == c && four == d && self.solid == other.solid
    }

    /// The fields up to the sound. Edits compare all entities of all frames, and nearly all are the same: in this form,
    /// the compiler makes four comparisons of them where it would make a dozen.
    #[inline(always)]
    fn words(&self) -> [u64; 4] {
        #[rustfmt::skip]
        let Self {
            number, origin: [x, y, z], frame, skin, effects, renderfx, models: [one, two, three, four],
            angles: [pitch, yaw, roll], sound, solid: _, old_origin: _, event: _,
        } = *self;
        let two_of = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let four_of = |[a, b, c, d]: [u16; 4]| {
            u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
        };
        [
            four_of([number, x.0 as u16, y.0 as u16, z.0 as u16]),
            two_of(frame as u32, skin),
            two_of(effects, renderfx),
            u64::from_le_bytes([one, two, three, four, pitch.0 as u8, yaw.0 as u8, roll.0 as u8, sound]),
        ]
    }

    /// Carries the entity over into a frame that has no delta for it: it stays, and its event is over.
    #[inline]
    pub(super) fn stay(&mut self) {
        self.old_origin = self.origin;
        self.event = 0;
    }

    /// The entity after a delta from `self`, which may be the state of another number: a baseline, or an
    /// empty state.
    #[inline]
    pub(super) fn change(&mut self, it: &SpawnBaseline) {
        self.stay();
        self.number = it.entity.0;
        // Most deltas contain no field, only the entity's number.
        if it.flags.changes() {
            self.take(it);
        }
    }

    #[inline(always)]
    fn take(&mut self, it: &SpawnBaseline) {
        let has = |bit: u32| it.flags.has(bit);
        let new = self;
        macro_rules! take {
            ($($place:expr => $field:ident $(. $raw:tt)?;)*) => {
                // Most deltas have none of the rarer fields.
                if has(0 $(| SpawnBaseline::$field)*) { $(
                    if has(SpawnBaseline::$field) {
                        $place = it.$field $(. $raw)?;
                    }
                )* }
            };
        }
        let [model, model2, model3, model4] = &mut new.models;
        let [x, y, z] = &mut new.origin;
        let [pitch, yaw, roll] = &mut new.angles;
        take! {
            *x => origin_x;
            *y => origin_y;
            *z => origin_z;
            *pitch => angles_1;
            *yaw => angles_2;
            *roll => angles_3;
            new.old_origin => old_origin;
            new.event => event;
        }
        take! {
            *model => modelindex;
            *model2 => modelindex2;
            *model3 => modelindex3;
            *model4 => modelindex4;
            new.skin => skin.0;
            new.effects => effects.0;
            new.renderfx => renderfx.0;
            new.sound => sound;
            new.solid => solid;
        }
        if has(SpawnBaseline::frame) {
            new.frame = it.frame.value();
        }
    }

    /// Folds the perceptible fields: `old_origin` only for a beam, whose end it is.
    pub(super) fn fold_view(&self, config: &Config, hash: &mut Hash64) {
        #[rustfmt::skip]
        let Self {
            number, models, frame, skin, effects, renderfx, origin, angles, old_origin, sound, event, solid: _,
        } = self;
        number.fold(hash);
        for model in models {
            config.fold_model(*model, hash);
        }
        frame.fold(hash);
        [*skin, *effects, *renderfx].fold(hash);
        origin.fold(hash);
        angles.fold(hash);
        if renderfx & BEAM != 0 {
            old_origin.fold(hash);
        }
        hash.bytes(config.sound(*sound));
        event.fold(hash);
    }
}

/// The bit of `renderfx` that marks a beam, whose other end is `old_origin`.
const BEAM: u32 = bit(RENDERFX, "RF_BEAM") as u32;
