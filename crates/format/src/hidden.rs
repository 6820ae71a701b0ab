//! The hidden messages of an MVD: data that a server adds for those who study a match and never sends to
//! clients.
//!
//! Each has a length and a kind. Sources: MVDSV, which writes them; `ezQuake`, which reads them; and KTX,
//! whose match statistics are the text of `demoinfo`.

use crate::context::Context;
use crate::game::Game;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::Meaning;
use crate::scalar::Scalar;
use crate::table::Message as _;
use crate::wire::{FaultKind, Reader, Stop};

messages! {
    /// The position to which a player was moved back for another player's shot.
    AntilagPosition<'a> = 0 "antilag_position" [mvdhidden_antilag_position, Moment, no_lmpc, since Mvdsv] {
        /// The player who shoots.
        player: u8 as Meaning::Player,
        /// The number of players in the list.
        count: u8,
        /// The number of the command.
        sequence: u32,
        /// The server's clock.
        servertime: Float,
        /// The time to which the players were moved back.
        targettime: Float,
        /// The players in 27 bytes each: the number (128 more if the client's position is valid), the
        /// position, milliseconds, the prediction and the client's position. Other bytes can follow.
        positions: HiddenRest<'a>,
    }

    /// A player's command as the server got it.
    UserCmd<'a> = 1 "usercmd" [mvdhidden_usercmd, Moment, no_lmpc, since Mvdsv] {
        /// The player.
        player: u8 as Meaning::Player,
        /// The number of commands lost before it.
        dropnum: u8,
        /// The command's duration in milliseconds.
        load: u8,
        /// The direction of the view: pitch, yaw and roll.
        angles: [Float; 3],
        /// Speed forwards, to the right, and up.
        speed: [i16; 3],
        /// Bit 0 fires, bit 1 jumps.
        buttons: u8,
        /// The impulse.
        impulse: u8,
        /// Bytes without a known meaning.
        more: HiddenRest<'a>,
    }

    /// The weapon that a client chose, and the player's weapons and ammunition.
    UserCmdWeapons<'a> = 2 "usercmd_weapons" [mvdhidden_usercmd_weapons, Moment, no_lmpc, since Mvdsv] {
        /// The player.
        player: u8 as Meaning::Player,
        /// The items that the player carries, a bit each.
        items: i32,
        /// Shells, nails, rockets and cells.
        ammo: [u8; 4],
        /// The weapon that was chosen.
        result: u8,
        /// The weapons that the player asked for, in order, up to a zero.
        more: HiddenRest<'a>,
    }

    /// A part of the statistics of the match, which are JSON.
    DemoInfo<'a> = 3 "demoinfo" [mvdhidden_demoinfo, Moment, no_lmpc, since Mvdsv] {
        /// The number of the part, counted from 1; the last one is 0.
        part: u16,
        /// The text of the part.
        text: HiddenRest<'a>,
    }

    /// A part of a commentary. No program writes these, so only the track is known.
    CommentaryTrack<'a> = 4 "commentary_track" [mvdhidden_commentary_track, Moment, no_lmpc, since Mvdsv] {
        /// The track's number and its data.
        data: HiddenRest<'a>,
    }

    /// A part of a commentary. No program writes these, so only the track is known.
    CommentaryData<'a> = 5 "commentary_data" [mvdhidden_commentary_data, Moment, no_lmpc, since Mvdsv] {
        /// The track's number and its data.
        data: HiddenRest<'a>,
    }

    /// A part of a commentary. No program writes these, so only the track is known.
    CommentaryText<'a> = 6 "commentary_text" [mvdhidden_commentary_text_segment, Moment, no_lmpc, since Mvdsv] {
        /// The track's number and its data.
        data: HiddenRest<'a>,
    }

    /// Damage that was done.
    DamageDone<'a> = 7 "dmgdone" [mvdhidden_dmgdone, Moment, no_lmpc, since Mvdsv] {
        /// The cause of the damage; 32768 more means splash damage.
        deathtype: u16,
        /// The entity that caused the damage.
        attacker: i16 as Meaning::Entity,
        /// The entity that was hurt.
        victim: i16 as Meaning::Entity,
        /// The points of damage; 9999 if a player used the command `kill`.
        damage: i16,
        /// Bytes without a known meaning.
        more: HiddenRest<'a>,
    }

    /// The weapon that a server chose for a client, and the player's weapons and ammunition.
    UserCmdWeaponsServer<'a> = 8 "usercmd_weapons_ss" [mvdhidden_usercmd_weapons_ss, Moment, no_lmpc, since Mvdsv] {
        /// The player.
        player: u8 as Meaning::Player,
        /// The items that the player carries, a bit each.
        items: i32,
        /// Shells, nails, rockets and cells.
        ammo: [u8; 4],
        /// The weapon that was chosen.
        result: u8,
        /// The weapons that the player asked for, in order, up to a zero.
        more: HiddenRest<'a>,
    }

    /// A client's order of weapons; in test builds of 2026, the time when the recording began.
    WeaponInstruction<'a> = 9 "weapon_instruction" [mvdhidden_usercmd_weapon_instruction, Moment, no_lmpc, since Mvdsv] {
        /// The order, or the time.
        order: WeaponOrder,
        /// Bytes without a known meaning.
        more: HiddenRest<'a>,
    }

    /// The duration of the pause since the message before.
    PausedDuration<'a> = 10 "paused_duration" [mvdhidden_paused_duration, Moment, no_lmpc, since Mvdsv] {
        /// Milliseconds.
        msec: u8,
        /// Bytes without a known meaning.
        more: HiddenRest<'a>,
    }

    /// The time when the recording began.
    DemoStart<'a> = 11 "demo_start" [mvdhidden_demo_start_timestamp_ms, Moment, no_lmpc, since Mvdsv] {
        /// Milliseconds since 1970.
        unix_msec: VariableNumber,
        /// Bytes without a known meaning.
        more: HiddenRest<'a>,
    }

    /// The duration of a pause, as MVDSV wrote it at first: without a length. The id here is not the wire's.
    PausedBare = 138 "paused_duration_bare" [mvdhidden_paused_duration, Moment, no_lmpc, since Mvdsv] {
        /// Milliseconds.
        msec: Unframed,
    }

    /// A hidden message of an unknown kind, or one that does not have the form of its kind. The id here is not the
    /// wire's.
    UnknownHidden<'a> = 139 "unknown_hidden" [unknown_hidden, Moment, no_lmpc, since Mvdsv] {
        /// Its kind and its bytes.
        message: HiddenBytes<'a>,
    }
}

/// The hidden messages of an MVD.
///
/// ```
/// use moviola_format::{Block, Context, Hidden, Stamp, hidden::Message};
/// let stamp = Stamp::Mvd { msec: 0, kind: 3, players: 0 };
/// let block = Block { stamp, ..Block::new(b"\x08\0\0\0\x07\0\x0a\0\x01\0\x02\0\x63\0") };
/// let entry = block.messages::<Hidden>(Context::quakeworld()).next().unwrap();
/// assert!(matches!(entry.message, Message::DamageDone(it) if it.damage == 99));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden;

impl crate::Dialect for Hidden {
    type Message<'a> = Message<'a>;
    const GAME: Game = Game::QuakeWorld;
    const PREFIXED: bool = true;
    /// Reads the length and the kind, and limits the reader to the message's length. A message that does not have the
    /// form of its kind is an [`UnknownHidden`], so that the messages behind it are read.
    fn open(reader: &mut Reader<'_, '_>) -> Result<u8, Stop> {
        if reader.pos() == 0 && Unframed::is_at(reader.rest()) {
            return Ok(PausedBare::OP);
        }
        let length = i32::read(reader)?;
        let Ok(length) = usize::try_from(length) else { return Err(reader.stop(FaultKind::Framing)) };
        let Some((kind, head)) = HiddenBytes::kind_of(reader.rest()) else { return Err(reader.end()) };
        if !length.checked_add(head).is_some_and(|length| reader.limit(length)) {
            return Err(reader.end());
        }
        let data = reader.rest().get(head..).unwrap_or_default();
        match u8::try_from(kind) {
            Ok(op) if has_form(kind, data, reader.context()) => {
                reader.slice(head)?;
                Ok(op)
            }
            _ => Ok(UnknownHidden::OP),
        }
    }
    fn can_change_context(_: u8) -> bool {
        false
    }
    fn observe(_: &Message<'_>, _: &mut Context) {}
}

/// Whether these bytes are a message of a known kind.
pub(crate) fn has_form(kind: u32, data: &[u8], context: &Context) -> bool {
    let Some(op) = u8::try_from(kind).ok().filter(|op| *op < PausedBare::OP) else { return false };
    let mut reader = Reader::new(data, context);
    reader.set_op(op);
    Message::build(op, &mut reader).is_ok()
}
