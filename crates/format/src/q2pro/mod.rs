//! The parts of Quake II's messages in recordings with Q2PRO's extended limits, protocols 3434 to 3436: entities,
//! players and temporary effects, in tables of the same form.

mod as_plain;
mod numbers;

pub use as_plain::AsPlain;
pub use numbers::PlainLoss;

#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake2};

messages! {
    /// A temporary effect.
    Q2proEffect = 3 "effect_q2pro" [svc_temp_entity, Moment, no_lmpc, since Q2pro] flags TempKind2 {
        /// The points of damage that the player dealt.
        (te::DAMAGE) => damage: i16,
        /// The entity at the other end.
        (te::DEST) => dest_entity: i16 as Meaning::Entity,
        /// The entity that it belongs to.
        (te::ENTITY) => entity: i16 as Meaning::Entity,
        /// The number of the widow effect.
        (te::TYPE) => r#type: i16,
        /// The number of particles.
        (te::COUNT) => count: u8,
        /// The other end.
        (te::DEST) => dest_origin: [WideCoord; 3],
        /// The position.
        (te::ORIGIN) => origin: [WideCoord; 3],
        /// The end of a line.
        (te::END) => trace_endpos: [WideCoord; 3],
        /// The direction of flight.
        (te::DIR) => movedir: Direction,
        /// The kind of splash; for other effects a color of the palette.
        (te::STYLE) => style: u8,
        /// Another position.
        (te::POS1) => pos1: [WideCoord; 3],
        /// The entity that holds the light.
        (te::FLASH) => flash_entity: i16 as Meaning::Entity,
        /// The strength of the steam.
        (te::STEAM) => plat2flags: i16,
        /// The duration, in thousandths of a second.
        (te::WAIT) => wait: i32,
    }

    /// An entity: in a baseline its first state, in a frame the changed fields.
    Q2proEntity = 14 "entity_q2pro" [svc_spawnbaseline, Level, no_lmpc, since Q2pro] flags Q2proBits {
        /// The entity.
        entity [U_NUMBER16]: EntityNumber as Meaning::Entity,
        /// It is no longer there.
        0x40 => remove [U_REMOVE]: Mark,
        /// The model.
        0x800 => modelindex [U_MODEL | U_MODEL16]: Q2proModel as Meaning::Config(quake2::CS_MODELS),
        /// A second model: the weapon of a player.
        0x10_0000 => modelindex2 [U_MODEL2]: Q2proModel as Meaning::Config(quake2::CS_MODELS),
        /// A third model: a flag.
        0x20_0000 => modelindex3 [U_MODEL3]: Q2proModel as Meaning::Config(quake2::CS_MODELS),
        /// A fourth model.
        0x40_0000 => modelindex4 [U_MODEL4]: Q2proModel as Meaning::Config(quake2::CS_MODELS),
        /// The frame.
        0x2_0010 => frame [U_FRAME8 | U_FRAME16]: Frame,
        /// The skin.
        0x201_0000 => skin [U_SKIN8 | U_SKIN16]: Skin,
        /// Lights and trails.
        0x8_4000 => effects [U_EFFECTS8 | U_EFFECTS16]: Effects as Meaning::Bits(quake2::EFFECTS),
        /// The flags of its drawing.
        0x4_1000 => renderfx [U_RENDERFX8 | U_RENDERFX16]: RenderFx as Meaning::Bits(quake2::RENDERFX),
        /// The x coordinate.
        0x01 => origin_x [U_ORIGIN1]: ChangeCoord<0>,
        /// The y coordinate.
        0x02 => origin_y [U_ORIGIN2]: ChangeCoord<1>,
        /// The z coordinate.
        0x200 => origin_z [U_ORIGIN3]: ChangeCoord<2>,
        /// The pitch.
        0x400 => angles_1 [U_ANGLE1 | U_ANGLE16]: Q2proAngle,
        /// The yaw.
        0x04 => angles_2 [U_ANGLE2]: Q2proAngle,
        /// The roll.
        0x08 => angles_3 [U_ANGLE3]: Q2proAngle,
        /// The position before, or the other end of a beam.
        0x100_0000 => old_origin [U_OLDORIGIN]: [WideCoord; 3],
        /// Its continuous sound.
        0x400_0000 => sound [U_SOUND]: LoopSound,
        /// Its event in this frame.
        0x20 => event [U_EVENT]: u8 as Meaning::Value(quake2::EVENT),
        /// Its size for collisions, packed into 32 bits.
        0x800_0000 => solid [U_SOLID]: u32,
        /// More lights and trails.
        0x2000_8000 => morefx [U_MOREFX8 | U_MOREFX16]: MoreEffects,
        /// The opacity.
        0x4000_0000 => alpha [U_ALPHA]: Volume,
        /// The scale, in sixteenths.
        0x80 => scale [U_SCALE]: u8,
    }

    /// What changed in the recorder's state.
    Q2proPlayer<'a> = 17 "player_q2pro" [svc_playerinfo, Frame, no_lmpc, since Q2pro] flags Q2proPlayerBits {
        /// The kind of movement.
        0x0001 => pm_type [PS_M_TYPE]: u8 as Meaning::Value(quake2::PM_TYPE),
        /// The x coordinate of the player's position.
        0x0002 => origin_x [PS_M_ORIGIN]: ChangeCoord<0>,
        /// The y coordinate.
        0x0002 => origin_y: ChangeCoord<1>,
        /// The z coordinate.
        0x0002 => origin_z: ChangeCoord<2>,
        /// The velocity along x, in eighths of a unit a second.
        0x0004 => velocity_x [PS_M_VELOCITY]: ChangeCoord<3>,
        /// The velocity along y.
        0x0004 => velocity_y: ChangeCoord<4>,
        /// The velocity along z.
        0x0004 => velocity_z: ChangeCoord<5>,
        /// The duration of a state of movement.
        0x0008 => pm_time [PS_M_TIME]: Q2proNumber,
        /// The states of movement, a bit each.
        0x0010 => pm_flags [PS_M_FLAGS]: Q2proNumber as Meaning::Bits(quake2::PM_FLAGS),
        /// Gravity; 800 is the default.
        0x0020 => gravity [PS_M_GRAVITY]: i16,
        /// The angles added to the player's own.
        0x0040 => delta_angles [PS_M_DELTA_ANGLES]: [Angle16; 3],
        /// The position of the eyes.
        0x0080 => viewoffset [PS_VIEWOFFSET]: [Quarters; 3],
        /// The direction of the eyes.
        0x0100 => viewangles [PS_VIEWANGLES]: [Angle16; 3],
        /// The angles by which a hit turned the view.
        0x0200 => kick_angles [PS_KICKANGLES]: [Quarters; 3],
        /// The weapon's model.
        0x1000 => gunindex [PS_WEAPONINDEX]: GunModel,
        /// The weapon's frame.
        0x2000 => gunframe [PS_WEAPONFRAME]: u8,
        /// The position of the weapon.
        0x2000 => gunoffset: [Quarters; 3],
        /// The angles of the weapon.
        0x2000 => gunangles: [Quarters; 3],
        /// Two colors over the screen, the second of damage: red, green, blue and opacity.
        0x0400 => blend [PS_BLEND]: Q2proBlend,
        /// The fog.
        0x1_0000 => fog [PS_FOG]: FogChange,
        /// The field of view in degrees.
        0x0800 => fov [PS_FOV]: u8,
        /// The flags of the view's drawing.
        0x4000 => rdflags [PS_RDFLAGS]: u8 as Meaning::Bits(quake2::RDFLAGS),
        /// The numbers of the status bar.
        stats: Q2proStats<'a>,
    }

    /// What changed in the fog.
    Q2proFog = 27 "fog_q2pro" [svc_playerinfo, Frame, no_lmpc, since Q2pro] flags Bits8 {
        /// Its color: red, green and blue.
        0x01 => color: [u8; 3],
        /// Its density.
        0x02 => density: u16,
        /// How much of the fog covers the sky.
        0x02 => skyfactor: u16,
        /// The density of the fog that depends on the height.
        0x04 => height_density: u16,
        /// How fast that fog gets thinner with the height.
        0x08 => height_falloff: u16,
        /// The color of that fog at its start.
        0x10 => start_color: [u8; 3],
        /// The color of that fog at its end.
        0x20 => end_color: [u8; 3],
        /// The height at which it starts.
        0x40 => start_dist: WideCoord,
        /// The height at which it ends.
        0x80 => end_dist: WideCoord,
    }
}
