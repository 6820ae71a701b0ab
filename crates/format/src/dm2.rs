//! Quake II's messages, protocols 26 to 34, and 3434 to 3436 of Q2PRO. Names are those of the DM2 1.0.4 document, in
//! LMPC's spelling. Q2PRO's messages are parts of one row each, so that the others stay as small as they are.

use crate::context::family::Q2PRO;
use crate::context::{Context, Era};
use crate::game::Game;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake2};
use crate::scalar::Flags;

messages! {
    /// Illegible: a server that sends it has an error.
    Bad = 0 "bad" [svc_bad, Never, lmpc, since Quake2] {}

    /// A player's weapon fires.
    MuzzleFlash = 1 "muzzleflash" [svc_muzzleflash, Moment, lmpc, since Quake2] {
        /// The player's entity.
        entity: i16 as Meaning::Entity,
        /// The weapon; 128 more means silenced.
        value: u8 as Meaning::Value(quake2::MUZZLEFLASH),
    }

    /// A monster's weapon fires.
    MuzzleFlash2 = 2 "muzzlflash2" [svc_muzzleflash2, Moment, lmpc, since Quake2] {
        /// The monster.
        entity: i16 as Meaning::Entity,
        /// The weapon.
        value: u8 as Meaning::Value(quake2::MUZZLEFLASH2),
    }

    /// A temporary effect, in a recording with Q2PRO's extended limits.
    Q2proTempEntity<'a> = 3 "temp_entity_q2pro" [svc_temp_entity, Moment, no_lmpc, since Q2pro] in Q2PRO {
        /// The effect.
        effect: Q2proEffectRecord<'a>,
    }

    /// A temporary effect, which is not an entity: an explosion, a trail.
    TempEntity<'a> = 3 "temp_entity" [svc_temp_entity, Moment, lmpc, since Quake2] flags TempKind2 {
        /// The entity at the other end.
        (te::DEST) => dest_entity: i16 as Meaning::Entity,
        /// The entity that it belongs to.
        (te::ENTITY) => entity: i16 as Meaning::Entity,
        /// The number of the widow effect.
        (te::TYPE) => r#type: i16,
        /// The number of particles.
        (te::COUNT | te::FLAME) => count: TempCount,
        /// The other end.
        (te::DEST) => dest_origin: [Short8; 3],
        /// The start (flame).
        (te::FLAME) => start: [Short8; 3],
        /// The position.
        (te::ORIGIN) => origin: [Short8; 3],
        /// The end of a line.
        (te::END) => trace_endpos: [Short8; 3],
        /// The direction of flight.
        (te::DIR) => movedir: Direction,
        /// The kind of splash; for other effects a color of the palette.
        (te::STYLE) => style: TempStyle as Meaning::Value(quake2::SPLASH),
        /// Another position.
        (te::POS1) => pos1: [Short8; 3],
        /// Three more positions (flame).
        (te::FLAME) => more: FlamePositions<'a>,
        /// The entity that holds the light.
        (te::FLASH) => flash_entity: i16 as Meaning::Entity,
        /// The strength of the steam.
        (te::STEAM) => plat2flags: i16,
        /// The duration, in thousandths of a second.
        (te::WAIT) => wait: i32,
    }

    /// A program that draws on the screen: scores, the field computer.
    Layout<'a> = 4 "layout" [svc_layout, State, lmpc, since Quake2] {
        /// The program.
        string: Str<'a>,
    }

    /// The inventory of the player.
    InventoryMessage<'a> = 5 "inventory" [svc_inventory, State, lmpc, since Quake2] {
        /// The number of each item.
        counts: Inventory<'a> as Meaning::Counts(quake2::CS_ITEMS),
    }

    /// Does nothing.
    Nop = 6 "nop" [svc_nop, Never, lmpc, since Quake2] {}

    /// The server is leaving.
    Disconnect = 7 "disconnect" [svc_disconnect, Connection, lmpc, since Quake2] {}

    /// The client has to connect again: a new level.
    Reconnect = 8 "reconnect" [svc_reconnect, Connection, lmpc, since Quake2] {}

    /// Starts a sound, in a recording with Q2PRO's extended limits.
    Q2proSound = 9 "sound_q2pro" [svc_sound, Moment heard, no_lmpc, since Q2pro] in Q2PRO flags Q2proSoundBits {
        /// The sound's number.
        soundnum: ByteOrShort<0x20> as Meaning::Config(quake2::CS_SOUNDS),
        /// The volume; 1 when absent.
        0x01 => vol [SND_VOLUME]: Volume,
        /// The attenuation: how fast the sound fades with distance; 1 when absent.
        0x02 => attenuation [SND_ATTENUATION]: Attenuation as Meaning::Value(quake2::ATTENUATION_RAW),
        /// The delay from the frame to the start of the sound.
        0x10 => timeofs [SND_OFFSET]: Thousandths,
        /// The entity that makes the sound, and its channel.
        0x08 => source [SND_ENT]: SoundSource,
        /// The position that the sound comes from.
        0x04 => origin [SND_POS]: [WideCoord; 3],
    }

    /// Starts a sound.
    Sound = 9 "sound" [svc_sound, Moment heard, lmpc, since Quake2] flags SoundBits {
        /// The sound's number.
        soundnum: u8 as Meaning::Config(quake2::CS_SOUNDS),
        /// The volume; 1 when absent.
        0x01 => vol [SND_VOLUME]: Volume,
        /// The attenuation: how fast the sound fades with distance; 1 when absent.
        0x02 => attenuation [SND_ATTENUATION]: Attenuation as Meaning::Value(quake2::ATTENUATION_RAW),
        /// The delay from the frame to the start of the sound.
        0x10 => timeofs [SND_OFFSET]: Thousandths,
        /// The entity that makes the sound, and its channel.
        0x08 => source [SND_ENT]: SoundSource,
        /// The position that the sound comes from.
        0x04 => origin [SND_POS]: [Short8; 3],
    }

    /// Text for the console.
    Print<'a> = 10 "print" [svc_print, Moment, lmpc, since Quake2] {
        /// The importance.
        level: u8 as Meaning::Value(quake2::PRINT_LEVEL),
        /// The text.
        string: Str<'a>,
    }

    /// Text for the client's command buffer.
    StuffText<'a> = 11 "stufftext" [svc_stufftext, Command, lmpc, since Quake2] {
        /// The commands.
        string: Str<'a>,
    }

    /// A level begins.
    ServerData<'a> = 12 "serverdata" [svc_serverdata, Connection needed, lmpc, since Quake2] {
        /// The protocol.
        serverversion: i32 as Meaning::Value(quake2::PROTOCOL),
        /// The server's number for this start of a level.
        key: i32,
        /// The kind of recording.
        isdemo: u8 as Meaning::Value(quake2::RECORD),
        /// The game's folder; empty for the original game.
        game: Str<'a>,
        /// The recorder's number; -1 if there is none.
        client: i16,
        /// The level's title.
        mapname: Str<'a>,
    }

    /// One of the texts that server and clients share.
    ConfigString<'a> = 13 "configstring" [svc_configstring, Level needed, lmpc, since Quake2] {
        /// The number of the config string.
        index: i16 as Meaning::ConfigIndex,
        /// The text.
        string: Str<'a>,
    }

    /// An entity's first state, in a recording with Q2PRO's extended limits.
    Q2proBaseline<'a> = 14 "spawnbaseline_q2pro" [svc_spawnbaseline, Level needed, no_lmpc, since Q2pro] in Q2PRO {
        /// The entity.
        entity: Q2proEntityRecord<'a>,
    }

    /// An entity: in a baseline its first state, in a frame the changed fields.
    SpawnBaseline = 14 "spawnbaseline" [svc_spawnbaseline, Level needed, lmpc, since Quake2] flags EntityBits {
        /// The entity.
        entity [U_NUMBER16]: EntityNumber as Meaning::Entity,
        /// It is no longer there.
        0x40 => remove [U_REMOVE]: Mark,
        /// The model.
        0x800 => modelindex [U_MODEL]: u8 as Meaning::Config(quake2::CS_MODELS),
        /// A second model: the weapon of a player.
        0x10_0000 => modelindex2 [U_MODEL2]: u8 as Meaning::Config(quake2::CS_MODELS),
        /// A third model: a flag.
        0x20_0000 => modelindex3 [U_MODEL3]: u8 as Meaning::Config(quake2::CS_MODELS),
        /// A fourth model.
        0x40_0000 => modelindex4 [U_MODEL4]: u8 as Meaning::Config(quake2::CS_MODELS),
        /// The frame.
        0x2_0010 => frame [U_FRAME8 | U_FRAME16]: Frame,
        /// The skin.
        0x201_0000 => skin [U_SKIN8 | U_SKIN16]: Skin,
        /// Lights and trails.
        0x8_4000 => effects [U_EFFECTS8 | U_EFFECTS16]: Effects as Meaning::Bits(quake2::EFFECTS),
        /// The flags of its drawing.
        0x4_1000 => renderfx [U_RENDERFX8 | U_RENDERFX16]: RenderFx as Meaning::Bits(quake2::RENDERFX),
        /// The x coordinate.
        0x01 => origin_x [U_ORIGIN1]: Short8,
        /// The y coordinate.
        0x02 => origin_y [U_ORIGIN2]: Short8,
        /// The z coordinate.
        0x200 => origin_z [U_ORIGIN3]: Short8,
        /// The pitch.
        0x400 => angles_1 [U_ANGLE1]: Angle8,
        /// The yaw.
        0x04 => angles_2 [U_ANGLE2]: Angle8,
        /// The roll.
        0x08 => angles_3 [U_ANGLE3]: Angle8,
        /// The position before, or the other end of a beam.
        0x100_0000 => old_origin [U_OLDORIGIN]: [Short8; 3],
        /// Its continuous sound.
        0x400_0000 => sound [U_SOUND]: u8 as Meaning::Config(quake2::CS_SOUNDS),
        /// Its event in this frame.
        0x20 => event [U_EVENT]: u8 as Meaning::Value(quake2::EVENT),
        /// Its size for collisions.
        0x800_0000 => solid [U_SOLID]: i16 as Meaning::Solid,
    }

    /// Text in the middle of the screen.
    CenterPrint<'a> = 15 "centerprint" [svc_centerprint, Moment, lmpc, since Quake2] {
        /// The text.
        string: Str<'a>,
    }

    /// A piece of a file.
    Download<'a> = 16 "download" [svc_download, Moment, lmpc, since Quake2] {
        /// The piece.
        piece: DownloadPiece<'a>,
    }

    /// The changes of the recorder's state in this frame, in a recording with Q2PRO's extended limits.
    Q2proPlayerInfo<'a> = 17 "playerinfo_q2pro" [svc_playerinfo, Frame needed, no_lmpc, since Q2pro] in Q2PRO {
        /// The player.
        player: Q2proPlayerRecord<'a>,
    }

    /// The changes of the recorder's state in this frame.
    PlayerInfo<'a> = 17 "playerinfo" [svc_playerinfo, Frame needed, lmpc, since Quake2] flags Bits16 {
        /// The kind of movement.
        0x0001 => pm_type [PS_M_TYPE]: u8 as Meaning::Value(quake2::PM_TYPE),
        /// The player's position.
        0x0002 => origin [PS_M_ORIGIN]: [Short8; 3],
        /// The velocity, in eighths of a unit a second.
        0x0004 => velocity [PS_M_VELOCITY]: [Short8; 3],
        /// The duration of a state of movement, in eight thousandths of a second.
        0x0008 => pm_time [PS_M_TIME]: u8,
        /// The states of movement, a bit each.
        0x0010 => pm_flags [PS_M_FLAGS]: u8 as Meaning::Bits(quake2::PM_FLAGS),
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
        0x1000 => gunindex [PS_WEAPONINDEX]: u8 as Meaning::Config(quake2::CS_MODELS),
        /// The weapon's frame.
        0x2000 => gunframe [PS_WEAPONFRAME]: u8,
        /// The position of the weapon.
        0x2000 => gunoffset [PS_WEAPONFRAME]: [Quarters; 3],
        /// The angles of the weapon.
        0x2000 => gunangles [PS_WEAPONFRAME]: [Quarters; 3],
        /// A color over the screen: red, green, blue and opacity.
        0x0400 => blend [PS_BLEND]: [Volume; 4],
        /// The field of view in degrees.
        0x0800 => fov [PS_FOV]: u8,
        /// The flags of the view's drawing.
        0x4000 => rdflags [PS_RDFLAGS]: u8 as Meaning::Bits(quake2::RDFLAGS),
        /// The numbers of the status bar.
        stats: Stats<'a>,
    }

    /// The changes of the entities in this frame, in a recording with Q2PRO's extended limits.
    Q2proEntities<'a> = 18 "packetentities_q2pro" [svc_packetentities, Frame needed, no_lmpc, since Q2pro] in Q2PRO {
        /// The entities.
        entities: Q2proDeltas<'a>,
    }

    /// The changes of the entities in this frame.
    PacketEntities<'a> = 18 "packetentities" [svc_packetentities, Frame needed, lmpc, since Quake2] {
        /// The entities.
        entities: Deltas<'a>,
    }

    /// Never sent; no engine reads it.
    DeltaPacketEntities<'a> = 19 "deltapacketentities" [svc_deltapacketentities, Never, lmpc, since Quake2] {
        /// Everything up to the end of the block.
        data: Rest<'a>,
    }

    /// A frame of the game begins.
    FrameMessage<'a> = 20 "frame" [svc_frame, Frame needed, lmpc, since Quake2] {
        /// Its head.
        head: FrameHead<'a>,
    }
}

/// Applies the effect of a message on the way in which the messages after it are read.
#[inline(always)]
pub(crate) fn observe(message: &Message<'_>, context: &mut Context) {
    match message {
        Message::ServerData(it) => {
            context.set_quake2_protocol(it.serverversion, it.isdemo);
        }
        Message::FrameMessage(it) => (context.frames, context.frame) = (Some(it.head.shape()), None),
        _ => {}
    }
}

/// The oldest protocol that is read; its frames do not contain the number of packets that were held back.
///
/// ```
/// use moviola_format::{Context, dm2::OLDEST};
/// let mut context = Context::quake2();
/// assert!(context.set_quake2_protocol(OLDEST, 1) && !context.raw);
/// ```
pub const OLDEST: i32 = 26;
/// The newest protocol that is read; also assumed for recordings without a protocol.
///
/// ```
/// use moviola_format::{Context, dm2::NEWEST};
/// assert_eq!(Context::quake2().quake2_protocol(), NEWEST);
/// ```
pub const NEWEST: i32 = 34;
/// The first protocol with the new kinds of temporary entities, downloads that contain their bytes, and
/// Relay.
///
/// ```
/// use moviola_format::{TempKind2, dm2::CHANGED};
/// let kinds = [CHANGED - 1, CHANGED].map(|protocol| TempKind2::new(26, 0, protocol));
/// assert_ne!(kinds[0], kinds[1]);
/// ```
pub const CHANGED: i32 = 32;

/// The protocol of the test release, and the start of its recordings, whose messages have other ids.
pub(crate) const Q2TEST: i32 = 25;
pub(crate) const Q2TEST_START: [u8; 5] = [7, Q2TEST as u8, 0, 0, 0];

/// The dialect of Quake II.
///
/// ```
/// use moviola_format::{Context, Messages, Quake2};
/// assert_eq!(Messages::<Quake2>::new(b"\x06\x07", Context::quake2()).count(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quake2;

impl crate::Dialect for Quake2 {
    type Message<'a> = Message<'a>;
    const GAME: Game = Game::Quake2;
    const UNICAST: bool = true;
    #[inline(always)]
    fn observe(message: &Message<'_>, context: &mut Context) {
        observe(message, context);
    }
    #[inline(always)]
    fn can_change_context(op: u8) -> bool {
        matches!(op, ServerData::OP | FrameMessage::OP)
    }
    fn is_plausible(message: &Message<'_>) -> bool {
        match message {
            Message::Bad(_) | Message::DeltaPacketEntities(_) => false,
            Message::TempEntity(it) => !it.flags.has(te::DIR) || it.movedir.vector().is_some(),
            _ => true,
        }
    }
    fn announced(block: &[u8], context: &mut Context) {
        if block.starts_with(&Q2TEST_START) {
            context.set_quake2_protocol(Q2TEST, 0);
        }
        if matches!(context.layout, Era::New | Era::Old) {
            context.layout = Era::Open;
        }
    }
    /// Only the head of a level has the same form in all protocols.
    fn is_plain(op: u8) -> bool {
        matches!(op, Nop::OP | StuffText::OP | ServerData::OP)
    }
}
