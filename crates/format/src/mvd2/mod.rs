//! The messages of MVD2, in which Q2PRO records all players of a game of Quake II.
//!
//! An id has five bits; the three above it belong to the fields of some messages. A message for clients contains
//! messages of Quake II ([`dm2`](crate::dm2)). Frames have no numbers: each builds on the one before it.

mod relay;
mod state;

pub use relay::{AsRelay, Relay};
pub use state::MatchState;

use crate::context::Context;
use crate::game::Game;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake2};
use crate::wire::{FaultKind, Reader, Stop};

messages! {
    /// Does nothing.
    Nop = 1 "nop" [mvd_nop, Never, no_lmpc, since Q2pro] {}

    /// A level begins: its config strings and its first frame.
    ServerData<'a> = 4 "serverdata" [mvd_serverdata, Connection needed, no_lmpc, since Q2pro] {
        /// The protocol, Q2PRO's version of it, and its flags.
        version: MatchVersion,
        /// The server's number for this start of a level.
        key: i32,
        /// The game's folder; empty for the original game.
        game: Str<'a>,
        /// The number of the server's own client, which is not a player.
        client: i16,
        /// The config strings.
        config: ConfigStrings<'a>,
        /// The areas of the level, a bit each.
        areas: CountedBytes<'a>,
        /// The players.
        players: PlayerChanges<'a>,
        /// The entities.
        entities: EntityChanges<'a>,
    }

    /// One of the texts that server and clients share.
    ConfigString<'a> = 5 "configstring" [mvd_configstring, Level needed, no_lmpc, since Q2pro] {
        /// Which text.
        index: i16 as Meaning::ConfigIndex,
        /// The text.
        string: Str<'a>,
    }

    /// A frame of the game: the changes since the frame before it.
    FrameMessage<'a> = 6 "frame" [mvd_frame, Frame needed, no_lmpc, since Q2pro] {
        /// The areas of the level, a bit each.
        areas: CountedBytes<'a>,
        /// The players.
        players: PlayerChanges<'a>,
        /// The entities.
        entities: EntityChanges<'a>,
    }

    /// Messages for one client.
    Unicast<'a> = 8 "mvd_unicast" [mvd_unicast, Moment, no_lmpc, since Q2pro] {
        /// The client and the messages.
        letter: Letter<'a, TO_CLIENT>,
    }

    /// Messages for one client, on the reliable channel.
    UnicastReliable<'a> = 9 "mvd_unicast_r" [mvd_unicast_r, Moment, no_lmpc, since Q2pro] {
        /// The client and the messages.
        letter: Letter<'a, TO_CLIENT>,
    }

    /// Messages for all clients.
    MulticastAll<'a> = 10 "mvd_multicast_all" [mvd_multicast_all, Moment, no_lmpc, since Q2pro] {
        /// The messages.
        letter: Letter<'a, TO_ALL>,
    }

    /// Messages for the clients who can hear a place.
    MulticastHear<'a> = 11 "mvd_multicast_phs" [mvd_multicast_phs, Moment, no_lmpc, since Q2pro] {
        /// The place and the messages.
        letter: Letter<'a, FROM_LEAF>,
    }

    /// Messages for the clients who can see a place.
    MulticastSee<'a> = 12 "mvd_multicast_pvs" [mvd_multicast_pvs, Moment, no_lmpc, since Q2pro] {
        /// The place and the messages.
        letter: Letter<'a, FROM_LEAF>,
    }

    /// Messages for all clients, on the reliable channel.
    MulticastAllReliable<'a> = 13 "mvd_multicast_all_r" [mvd_multicast_all_r, Moment, no_lmpc, since Q2pro] {
        /// The messages.
        letter: Letter<'a, TO_ALL>,
    }

    /// Messages for the clients who can hear a place, on the reliable channel.
    MulticastHearReliable<'a> = 14 "mvd_multicast_phs_r" [mvd_multicast_phs_r, Moment, no_lmpc, since Q2pro] {
        /// The place and the messages.
        letter: Letter<'a, FROM_LEAF>,
    }

    /// Messages for the clients who can see a place, on the reliable channel.
    MulticastSeeReliable<'a> = 15 "mvd_multicast_pvs_r" [mvd_multicast_pvs_r, Moment, no_lmpc, since Q2pro] {
        /// The place and the messages.
        letter: Letter<'a, FROM_LEAF>,
    }

    /// Starts a sound.
    Sound = 16 "sound" [mvd_sound, Moment heard, no_lmpc, since Q2pro] flags MatchSoundBits {
        /// The sound's number.
        soundnum: ByteOrShort<0x20> as Meaning::Config(quake2::CS_SOUNDS),
        /// The volume; 1 when absent.
        0x01 => vol [SND_VOLUME]: Volume,
        /// The attenuation: how fast the sound fades with distance; 1 when absent.
        0x02 => attenuation [SND_ATTENUATION]: Attenuation as Meaning::Value(quake2::ATTENUATION_RAW),
        /// The delay from the frame to the start of the sound.
        0x10 => timeofs [SND_OFFSET]: Thousandths,
        /// The entity that makes the sound, and its channel.
        source: MatchSource,
        /// The upper bits of the id, which say how the server sent it; 0 when absent.
        upper: UpperBits,
    }

    /// Text for the consoles of all clients.
    Print<'a> = 17 "print" [mvd_print, Moment, no_lmpc, since Q2pro] {
        /// The importance.
        level: u8 as Meaning::Value(quake2::PRINT_LEVEL),
        /// The text.
        string: Str<'a>,
    }
}

/// The rows of a frame's lists that the messages of Quake II do not have.
pub mod part {
    #[allow(clippy::wildcard_imports, reason = "the table's words")]
    use crate::kinds::*;
    use crate::messages;
    use crate::names::{Meaning, quake2};

    messages! {
        /// A player: the changes since the frame before.
        Player<'a> = 0 "packetplayer" [mvd_frame, Frame, no_lmpc, since Q2pro] (player: u8 as Meaning::Player) flags Bits16 {
            /// The player is no longer there; other fields can follow nevertheless.
            0x8000 => remove [PPS_REMOVE]: Mark,
            /// The kind of movement.
            0x0001 => pm_type [PPS_M_TYPE]: u8 as Meaning::Value(quake2::PM_TYPE),
            /// The x and y coordinates of the player's position.
            0x0002 => origin [PPS_M_ORIGIN]: [Short8; 2],
            /// The z coordinate.
            0x0004 => origin_z [PPS_M_ORIGIN2]: Short8,
            /// The position of the eyes.
            0x0008 => viewoffset [PPS_VIEWOFFSET]: [Quarters; 3],
            /// The direction of the eyes: pitch and yaw.
            0x0010 => viewangles [PPS_VIEWANGLES]: [Angle16; 2],
            /// The roll of the eyes.
            0x0020 => viewroll [PPS_VIEWANGLE2]: Angle16,
            /// The angles by which a hit turned the view.
            0x0040 => kick_angles [PPS_KICKANGLES]: [Quarters; 3],
            /// The weapon's model.
            0x0200 => gunindex [PPS_WEAPONINDEX]: u8 as Meaning::Config(quake2::CS_MODELS),
            /// The weapon's frame.
            0x0400 => gunframe [PPS_WEAPONFRAME]: u8,
            /// The position of the weapon.
            0x0800 => gunoffset [PPS_GUNOFFSET]: [Quarters; 3],
            /// The angles of the weapon.
            0x1000 => gunangles [PPS_GUNANGLES]: [Quarters; 3],
            /// A color over the screen: red, green, blue and opacity.
            0x0080 => blend [PPS_BLEND]: [Volume; 4],
            /// The field of view in degrees.
            0x0100 => fov [PPS_FOV]: u8,
            /// The flags of the view's drawing.
            0x2000 => rdflags [PPS_RDFLAGS]: u8 as Meaning::Bits(quake2::RDFLAGS),
            /// The numbers of the status bar.
            0x4000 => stats [PPS_STATS]: StatChanges<'a>,
        }
    }
}

/// The protocol's number in an MVD2.
///
/// ```
/// use moviola_format::{Block, Context, Mvd2, Stamp, mvd2};
/// let level = b"\x24\x25\0\0\0\xda\x07\x01\0\0\0\0\0\0\x20\x08\0\xff\0\0";
/// let block = Block { stamp: Stamp::Mvd2, ..Block::new(level) };
/// let mut messages = block.messages::<Mvd2>(Context::quake2());
/// assert!(messages.next().is_some() && messages.rest().is_empty());
/// assert_eq!(messages.context().protocol, mvd2::PROTOCOL);
/// ```
pub const PROTOCOL: i32 = 37;

/// The messages of an MVD2.
///
/// ```
/// use moviola_format::{Context, Messages, Mvd2, mvd2::Message};
/// let context = Context { mvd: true, ..Context::quake2() };
/// let mut messages = Messages::<Mvd2>::new(b"\x11\x02hello\0", context);
/// assert!(matches!(messages.next().unwrap().message, Message::Print(it) if it.string.bytes() == b"hello"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mvd2;

impl Mvd2 {
    /// The bits of a byte that are the id.
    const ID: u8 = 0x1F;

    /// Whether the bits above the id belong to the message's fields.
    fn has_upper_bits(op: u8) -> bool {
        matches!(op, ServerData::OP | Unicast::OP..=Sound::OP)
    }
}

impl crate::Dialect for Mvd2 {
    type Message<'a> = Message<'a>;
    const GAME: Game = Game::Quake2;
    const PREFIXED: bool = true;
    const MVD2: bool = true;
    fn open(reader: &mut Reader<'_, '_>) -> Result<u8, Stop> {
        let byte = reader.byte()?;
        let (op, upper) = (byte & Self::ID, byte >> Self::ID.count_ones());
        if upper != 0 && !Self::has_upper_bits(op) {
            return Err(reader.stop_behind(FaultKind::Value(byte)));
        }
        reader.set_number(u16::from(upper));
        Ok(op)
    }
    fn observe(message: &Message<'_>, context: &mut Context) {
        if let Message::ServerData(_) = message {
            *context = Context { protocol: PROTOCOL, mvd: context.mvd, ..Context::quake2() };
        }
    }
    fn can_change_context(op: u8) -> bool {
        op == ServerData::OP
    }
    /// A level begins in the same form in all versions.
    fn is_plain(op: u8) -> bool {
        matches!(op, Nop::OP | ServerData::OP)
    }
}
