//! Quake II's messages, protocols 26 to 34. Names are those of the DM2 1.0.4 document, in LMPC's spelling.

use crate::context::{Context, Era, Game};
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake2};
use crate::scalar::Flags;

messages! {
    /// Illegible: a server that sends it has gone wrong.
    Bad = 0 "bad" {}

    /// A player's weapon fires.
    MuzzleFlash = 1 "muzzleflash" {
        /// The player's entity.
        entity: i16 as Meaning::Entity,
        /// Which weapon; 128 more is silenced.
        value: u8 as Meaning::Value(quake2::MUZZLEFLASH),
    }

    /// A monster's weapon fires.
    MuzzleFlash2 = 2 "muzzlflash2" {
        /// The monster.
        entity: i16 as Meaning::Entity,
        /// Which weapon.
        value: u8 as Meaning::Value(quake2::MUZZLEFLASH2),
    }

    /// An effect that lives by itself: an explosion, a trail.
    TempEntity<'a> = 3 "temp_entity" flags TempKind2 {
        /// The entity at the other end.
        (te::DEST) => dest_entity: i16 as Meaning::Entity,
        /// The entity that it belongs to.
        (te::ENTITY) => entity: i16 as Meaning::Entity,
        /// Which widow.
        (te::TYPE) => r#type: i16,
        /// How many particles.
        (te::COUNT | te::FLAME) => count: TempCount,
        /// The other end.
        (te::DEST) => dest_origin: [Short8; 3],
        /// Where it begins (flame).
        (te::FLAME) => start: [Short8; 3],
        /// Where.
        (te::ORIGIN) => origin: [Short8; 3],
        /// Where a line ends.
        (te::END) => trace_endpos: [Short8; 3],
        /// Which way it flies.
        (te::DIR) => movedir: Direction,
        /// Which kind of splash; of all but splashes a colour of the palette.
        (te::STYLE) => style: TempStyle as Meaning::Value(quake2::SPLASH),
        /// Another position.
        (te::POS1) => pos1: [Short8; 3],
        /// Three more positions (flame).
        (te::FLAME) => more: FlamePositions<'a>,
        /// The entity that holds the light.
        (te::FLASH) => flash_entity: i16 as Meaning::Entity,
        /// How strong the steam is.
        (te::STEAM) => plat2flags: i16,
        /// How long it lasts, in thousandths of a second.
        (te::WAIT) => wait: i32,
    }

    /// A program that draws on the screen: scores, the field computer.
    Layout<'a> = 4 "layout" {
        /// The program.
        string: Str<'a>,
    }

    /// What the player carries.
    InventoryMessage<'a> = 5 "inventory" {
        /// How many of each item.
        counts: Inventory<'a> as Meaning::Counts(quake2::CS_ITEMS),
    }

    /// Does nothing.
    Nop = 6 "nop" {}

    /// The server is leaving.
    Disconnect = 7 "disconnect" {}

    /// The client shall connect again: a new level.
    Reconnect = 8 "reconnect" {}

    /// Starts a sound.
    Sound = 9 "sound" flags SoundBits {
        /// Which sound.
        soundnum: u8 as Meaning::Config(quake2::CS_SOUNDS),
        /// How loud, 1 when absent.
        0x01 => vol: Volume,
        /// How fast it fades with distance, 1 when absent.
        0x02 => attenuation: Attenuation as Meaning::Value(quake2::ATTENUATION_RAW),
        /// How long after the frame it begins.
        0x10 => timeofs: Thousandths,
        /// Who makes it and on which channel.
        0x08 => source: SoundSource,
        /// Where it comes from.
        0x04 => origin: [Short8; 3],
    }

    /// Text for the console.
    Print<'a> = 10 "print" {
        /// How important it is.
        level: u8 as Meaning::Value(quake2::PRINT_LEVEL),
        /// The text.
        string: Str<'a>,
    }

    /// Text for the client's command buffer.
    StuffText<'a> = 11 "stufftext" {
        /// The commands.
        string: Str<'a>,
    }

    /// A level begins.
    ServerData<'a> = 12 "serverdata" {
        /// The protocol.
        serverversion: i32 as Meaning::Value(quake2::PROTOCOL),
        /// Which spawning of the server this is.
        key: i32,
        /// The kind of recording.
        isdemo: u8 as Meaning::Value(quake2::RECORD),
        /// The game's folder; empty is the original.
        game: Str<'a>,
        /// The recording player's number; -1 is none.
        client: i16,
        /// The level's title.
        mapname: Str<'a>,
    }

    /// One of the texts that server and clients share.
    ConfigString<'a> = 13 "configstring" {
        /// Which text.
        index: i16 as Meaning::ConfigIndex,
        /// The text.
        string: Str<'a>,
    }

    /// An entity: as a baseline what it is like at first, in a frame what changed.
    SpawnBaseline = 14 "spawnbaseline" flags EntityBits {
        /// The entity.
        entity: EntityNumber as Meaning::Entity,
        /// It is no longer there.
        0x40 => remove: Mark,
        /// The model.
        0x800 => modelindex: u8 as Meaning::Config(quake2::CS_MODELS),
        /// A second model: the weapon of a player.
        0x10_0000 => modelindex2: u8 as Meaning::Config(quake2::CS_MODELS),
        /// A third model: a flag.
        0x20_0000 => modelindex3: u8 as Meaning::Config(quake2::CS_MODELS),
        /// A fourth model.
        0x40_0000 => modelindex4: u8 as Meaning::Config(quake2::CS_MODELS),
        /// The frame.
        0x2_0010 => frame: Frame,
        /// The skin.
        0x201_0000 => skin: Skin,
        /// Lights and trails.
        0x8_4000 => effects: Effects as Meaning::Bits(quake2::EFFECTS),
        /// How it is drawn.
        0x4_1000 => renderfx: RenderFx as Meaning::Bits(quake2::RENDERFX),
        /// Where: x.
        0x01 => origin_x: Short8,
        /// Where: y.
        0x02 => origin_y: Short8,
        /// Where: z.
        0x200 => origin_z: Short8,
        /// How it is turned: pitch.
        0x400 => angles_1: Angle8,
        /// How it is turned: yaw.
        0x04 => angles_2: Angle8,
        /// How it is turned: roll.
        0x08 => angles_3: Angle8,
        /// Where it was, or where a beam ends.
        0x100_0000 => old_origin: [Short8; 3],
        /// The sound that it makes all the time.
        0x400_0000 => sound: u8 as Meaning::Config(quake2::CS_SOUNDS),
        /// What happens to it in this frame.
        0x20 => event: u8 as Meaning::Value(quake2::EVENT),
        /// How large it is for collisions.
        0x800_0000 => solid: i16 as Meaning::Solid,
    }

    /// Text in the middle of the screen.
    CenterPrint<'a> = 15 "centerprint" {
        /// The text.
        string: Str<'a>,
    }

    /// A piece of a file.
    Download<'a> = 16 "download" {
        /// The piece.
        piece: DownloadPiece<'a>,
    }

    /// What of the recording player changed in this frame.
    PlayerInfo<'a> = 17 "playerinfo" flags Bits16 {
        /// How the player moves.
        0x0001 => pm_type: u8 as Meaning::Value(quake2::PM_TYPE),
        /// Where the player is.
        0x0002 => origin: [Short8; 3],
        /// How fast, in eighths of a unit a second.
        0x0004 => velocity: [Short8; 3],
        /// How long a state of movement lasts, in eight thousandths of a second.
        0x0008 => pm_time: u8,
        /// States of movement.
        0x0010 => pm_flags: u8 as Meaning::Bits(quake2::PM_FLAGS),
        /// Gravity; 800 is the usual.
        0x0020 => gravity: i16,
        /// What is added to the player's own angles.
        0x0040 => delta_angles: [Angle16; 3],
        /// Where the eyes are.
        0x0080 => viewoffset: [Quarters; 3],
        /// Where the eyes look.
        0x0100 => viewangles: [Angle16; 3],
        /// How far a blow turned the view.
        0x0200 => kick_angles: [Quarters; 3],
        /// The weapon's model.
        0x1000 => gunindex: u8 as Meaning::Config(quake2::CS_MODELS),
        /// The weapon's frame.
        0x2000 => gunframe: u8,
        /// Where the weapon is.
        0x2000 => gunoffset: [Quarters; 3],
        /// How the weapon is turned.
        0x2000 => gunangles: [Quarters; 3],
        /// A colour over the screen: red, green, blue and how strong.
        0x0400 => blend: [Volume; 4],
        /// The field of view in degrees.
        0x0800 => fov: u8,
        /// How the view is drawn.
        0x4000 => rdflags: u8 as Meaning::Bits(quake2::RDFLAGS),
        /// The numbers of the status bar.
        stats: Stats<'a>,
    }

    /// What of the entities changed in this frame.
    PacketEntities<'a> = 18 "packetentities" {
        /// The entities.
        entities: Deltas<'a>,
    }

    /// Never sent; no engine reads it.
    DeltaPacketEntities<'a> = 19 "deltapacketentities" {
        /// Everything up to the end of the block.
        data: Rest<'a>,
    }

    /// A frame of the game begins.
    FrameMessage<'a> = 20 "frame" {
        /// Its head.
        head: FrameHead<'a>,
    }
}

/// What a message changes about the reading of the next ones.
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

/// The oldest protocol that is read: its frames do not say how many packets were held back.
///
/// ```
/// use moviola_format::{Context, dm2::OLDEST};
/// let mut context = Context::quake2();
/// assert!(context.set_quake2_protocol(OLDEST, 1) && !context.raw);
/// ```
pub const OLDEST: i32 = 26;
/// The newest protocol that is read, and the one of recordings that name none.
///
/// ```
/// use moviola_format::{Context, dm2::NEWEST};
/// assert_eq!(Context::quake2().quake2_protocol(), NEWEST);
/// ```
pub const NEWEST: i32 = 34;
/// From this protocol on the new kinds of temporary entities are spoken, downloads bring their bytes, and there is Relay.
///
/// ```
/// use moviola_format::{TempKind2, dm2::CHANGED};
/// let kinds = [CHANGED - 1, CHANGED].map(|protocol| TempKind2::new(26, 0, protocol));
/// assert_ne!(kinds[0], kinds[1]);
/// ```
pub const CHANGED: i32 = 32;

/// The protocol of the test release, and how its recordings begin: its ids were others.
pub(crate) const Q2TEST: i32 = 25;
pub(crate) const Q2TEST_START: [u8; 5] = [7, Q2TEST as u8, 0, 0, 0];

/// Quake II.
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
    fn heeds(op: u8) -> bool {
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
    /// Only the head of a level looks alike in all protocols.
    fn is_plain(op: u8) -> bool {
        matches!(op, Nop::OP | StuffText::OP | ServerData::OP)
    }
}
