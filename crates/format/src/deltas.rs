//! The entities in lists of FTE's form of Quake's protocols and of `DarkPlaces`: they are parts of messages, in tables
//! of the same form.

use crate::context::Context;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake};
use crate::scalar::{Flags, Scalar};
use crate::wire::Writer;

/// The flag word of an entity of `DarkPlaces`; bits 27 to 30 mean nothing.
///
/// ```
/// assert_eq!(moviola_format::deltas::DarkPlacesBits::default().0, 0);
/// ```
pub type DarkPlacesBits = DeltaBits<0x7800_0000>;
/// The flag word of an entity of FTE; engines refuse bit 30.
///
/// ```
/// assert_eq!(moviola_format::deltas::FteBits::default().0, 0);
/// ```
pub type FteBits = DeltaBits<0x4000_0000>;
/// A number of 8 bits, or of 16 if a flag of FTE's entity is set.
///
/// ```
/// assert_eq!(moviola_format::deltas::FteNumber::default().0, 0);
/// ```
pub type FteNumber = ByteOrShort<0x200>;

messages! {
    /// The changes of an entity of DarkPlaces 5 and later.
    DarkPlacesEntity<'a> = 57 "darkplaces_entity" [svc_entities, Frame, no_lmpc, since DarkPlaces] (entity: ListedEntity as Meaning::Entity) flags DarkPlacesBits {
        /// The entity is no longer there.
        0x8000_0000 => remove: Mark,
        /// All that is not here has its default.
        0x0001 => full [E5_FULLUPDATE]: Mark,
        /// How it is drawn.
        0x0100 => renderflags [E5_FLAGS]: u8,
        /// The position.
        0x0002 => origin [E5_ORIGIN]: DarkPlacesOrigin,
        /// The direction.
        0x0004 => angles [E5_ANGLES]: DarkPlacesAngles,
        /// The model.
        0x0008 => modelindex [E5_MODEL]: ByteOrShort<0x2000> as Meaning::Model,
        /// The frame.
        0x0010 => frame [E5_FRAME]: ByteOrShort<0x20_0000>,
        /// The skin.
        0x0020 => skin [E5_SKIN]: u8,
        /// Lights and trails.
        0x0040 => effects [E5_EFFECTS]: SizedEffects<false> as Meaning::Bits(quake::EFFECTS),
        /// The opacity: 0 is invisible, 255 solid.
        0x0200 => alpha [E5_ALPHA]: u8,
        /// The scale, in sixteenths.
        0x0400 => scale [E5_SCALE]: u8,
        /// The player whose colors it has, counted from 1, or the colors themselves.
        0x4000 => colormap [E5_COLORMAP]: u8,
        /// The entity to which it is attached, and the part of that entity.
        0x1_0000 => attachment [E5_ATTACHMENT]: TagInfo,
        /// The light that it emits: red, green, blue and radius.
        0x2_0000 => light [E5_LIGHT]: [u16; 4],
        /// The style of that light, and flags.
        0x2_0000 => lightstyle: [u8; 2],
        /// The size of its glow in 4 units, and the glow's color.
        0x4_0000 => glow [E5_GLOW]: [u8; 2],
        /// The color by which it is multiplied.
        0x40_0000 => colormod [E5_COLORMOD]: [u8; 3],
        /// The color by which its glow is multiplied.
        0x100_0000 => glowmod [E5_GLOWMOD]: [u8; 3],
        /// Frames that are blended, or a skeleton.
        0x200_0000 => animation [E5_COMPLEXANIMATION]: Animation<'a>,
        /// The particles of its trail.
        0x400_0000 => traileffect [E5_TRAILEFFECTNUM]: u16,
    }

    /// The changes of an entity of FTE.
    FteEntity<'a> = 86 "fte_entity" [svcfte_updateentities, Frame, no_lmpc, since Fte] (entity: DeltaEntity as Meaning::Entity) flags FteBits {
        /// The entity is no longer there; removing entity 0 forgets all.
        0x8000_0000 => remove: Mark,
        /// All that is not here is as in the baseline.
        0x0100 => reset [UF_RESET]: Mark,
        /// The frame.
        0x0001 => frame [UF_FRAME]: FteNumber,
        /// The x and y coordinates.
        0x0002 => origin_xy [UF_ORIGINXY]: [Coord; 2],
        /// The z coordinate.
        0x0004 => origin_z [UF_ORIGINZ]: Coord,
        /// Pitch and roll.
        0x0008 => tilt [UF_ANGLESXZ]: FteAngles<2>,
        /// The yaw.
        0x0010 => yaw [UF_ANGLESY]: FteAngles<1>,
        /// Lights and trails.
        0x2000_0020 => effects [UF_EFFECTS | UF_EFFECTS2]: SizedEffects<true> as Meaning::Bits(quake::EFFECTS),
        /// The data for predicting its movement.
        0x0040 => prediction [UF_PREDINFO]: FtePrediction,
        /// The model.
        0x0400 => modelindex [UF_MODEL]: FteNumber as Meaning::Model,
        /// The skin.
        0x0800 => skin [UF_SKIN]: FteNumber,
        /// The player whose colors it has, counted from 1.
        0x1000 => colormap [UF_COLORMAP]: u8,
        /// The size.
        0x2000 => solid [UF_SOLID]: FteSolid,
        /// How it is drawn; bit 0 is a movement in steps.
        0x4000 => eflags [UF_FLAGS]: u8,
        /// The opacity: 0 is invisible, 255 solid.
        0x1_0000 => alpha [UF_ALPHA]: u8,
        /// The scale, in sixteenths.
        0x2_0000 => scale [UF_SCALE]: u8,
        /// The skeleton.
        0x4_0000 => bones [UF_BONEDATA]: BoneData<'a>,
        /// The flags of its drawing (Hexen II).
        0x8_0000 => drawflags [UF_DRAWFLAGS]: DrawFlags<'a>,
        /// The entity to which it is attached, and the part of that entity.
        0x10_0000 => attachment [UF_TAGINFO]: TagInfo,
        /// The light that it emits: red, green, blue and radius.
        0x20_0000 => light [UF_LIGHT]: [u16; 4],
        /// The style of that light, and flags.
        0x20_0000 => lightstyle: [u8; 2],
        /// The particles of its trail.
        0x40_0000 => traileffect [UF_TRAILEFFECT]: TrailEffect<'a>,
        /// The color by which it is multiplied.
        0x100_0000 => colormod [UF_COLORMOD]: [u8; 3],
        /// The size and color of its glow, and the color by which the glow is multiplied.
        0x200_0000 => glow [UF_GLOW]: [u8; 5],
        /// The fatness.
        0x400_0000 => fatness [UF_FATNESS]: u8,
        /// The model in its hand.
        0x800_0000 => modelindex2 [UF_MODELINDEX2]: FteNumber as Meaning::Model,
        /// The direction in which it falls.
        0x1000_0000 => gravitydir [UF_GRAVITYDIR]: [u8; 2],
    }
}

/// Applies the changes of an entity to its earlier state.
macro_rules! layers { ($( $name:ident from $fresh:ident: $($field:ident)*; passing: $($passing:ident)*; )*) => { $(
    impl<'a> $name<'a> {
        /// The state after this change; fields that are missing here keep their values, unless noted otherwise.
        #[must_use]
        pub fn onto(self, before: Option<Self>, context: &Context) -> Self {
            let starts_anew = self.flags.0 & Self::$fresh != 0;
            let mut it = before.filter(|_| !starts_anew).unwrap_or_default();
            let (old, new) = (it.flags.0, self.flags.0);
            it.entity = self.entity;
            // Fields that last for one frame only.
            #[allow(unused_mut, reason = "not every kind of entity has such fields")]
            let mut passed = 0;
            $(
                if new & Self::$passing == 0 {
                    passed |= Self::$passing;
                    it.$passing = Default::default();
                }
            )*
            let old = old & !passed;
            let mut bits = 0;
            $(
                if new & Self::$field != 0 {
                    it.$field = self.$field;
                }
                if (old | new) & Self::$field != 0 {
                    bits |= it.$field.implied(Self::$field, context);
                }
            )*
            it.flags = Flags::canonical(bits, context);
            it
        }

        /// This change with all fields, so that it builds on no state that the client has.
        #[must_use]
        pub fn anew(self) -> Self {
            let flags = Flags::canonical(self.flags.0 | Self::$fresh, &Context::quake());
            Self { flags, ..self }
        }

        /// Its bytes in a list.
        pub fn bytes(&self, context: &Context) -> Vec<u8> {
            let mut bytes = Vec::new();
            self.walk(&mut Writer::new(&mut bytes, context));
            bytes
        }
    }
)* } }

layers! {
    DarkPlacesEntity from full:
        full renderflags origin angles modelindex frame skin effects alpha scale colormap attachment light lightstyle
        glow colormod glowmod animation traileffect;
    passing:;
    FteEntity from reset:
        reset frame origin_xy origin_z tilt yaw effects prediction modelindex skin colormap solid eflags alpha scale
        bones drawflags attachment light lightstyle traileffect colormod glow fatness modelindex2 gravitydir;
    passing: prediction;
}
