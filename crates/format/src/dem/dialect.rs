//! The dialect of Quake: the effects of its messages on how later ones are read.

use super::{ClientData, Disconnect, Message, Nop, Print, ServerInfo, StuffText, Version};
use crate::context::{Answer, Context};
use crate::game::Game;
use crate::kinds::{Items, Str};
use crate::table::Message as _;

impl ClientData {
    /// Whether the flag word has the items bit; from 1.07 on the items are sent in any case.
    ///
    /// ```
    /// use moviola_format::dem::ClientData;
    /// assert!(!ClientData::default().sets_items_bit());
    /// ```
    pub fn sets_items_bit(&self) -> bool {
        self.flags.0 & Items::BIT != 0
    }
}

/// Whether a family of protocols adds messages with this id.
pub(crate) fn adds(op: u8, families: u16) -> bool {
    Message::SCHEMA.iter().any(|row| row.families & families != 0 && (row.op..=row.last).contains(&op))
}

/// Applies the effect of a message on the way in which the messages after it are read.
#[inline(always)]
pub(crate) fn observe(message: &Message<'_>, context: &mut Context) {
    match message {
        Message::Print(it) => observe_print(it.string, context),
        Message::ServerInfo(it) => observe_level(it, context),
        Message::Version(it) => observe_version(it.serverversion, context),
        Message::ClientData(_) => context.weapon_byte = Answer::Open,
        _ => {}
    }
}

fn observe_print(string: Str<'_>, context: &mut Context) {
    if let Some(version) = server_version(string.bytes()) {
        context.server_version = version;
    }
}

fn observe_level(info: &ServerInfo<'_>, context: &mut Context) {
    if !context.enter_level(info) {
        return;
    }
    let level = info.precache.models().iter().next().unwrap_or_default();
    context.mission_pack = is_mission_pack(level.bytes(), info);
}

/// Switches to the protocol of a version message if it can be read; an unreadable one would make the rest of
/// the recording raw.
fn observe_version(protocol: i32, context: &mut Context) {
    let mut next = *context;
    if context.protocol != 0
        && protocol != context.protocol
        && next.set_quake_protocol(protocol, context.protocol_flags)
        && !next.raw
    {
        next.set_quake_extensions(context.extensions);
        *context = Context { mission_pack: context.mission_pack, ..next };
    }
}

/// The version that a Quake server prints before any other text: 1.09 is 109.
fn server_version(text: &[u8]) -> Option<u16> {
    let rest = text.strip_prefix(b"\x02\nVERSION ")?;
    match rest {
        [major @ b'0'..=b'9', b'.', tens @ b'0'..=b'9', ones @ b'0'..=b'9', b' ', ..] => {
            let digit = |byte: &u8| u16::from(byte - b'0');
            Some(digit(major) * 100 + digit(tens) * 10 + digit(ones))
        }
        _ => None,
    }
}

/// Whether the level runs a mission pack's game code, judged by its files: only that code leaves the weapon
/// byte out, and its start-up always names these files.
fn is_mission_pack(level: &[u8], info: &ServerInfo<'_>) -> bool {
    const FILES: [&[u8]; 4] =
        [b"progs/v_hammer.mdl", b"progs/v_laserg.mdl", b"progs/v_lava.mdl", b"progs/v_multi.mdl"];
    const LEVELS: [&[u8]; 3] = [b"maps/hip", b"maps/r1m", b"maps/r2m"];
    LEVELS.iter().any(|start| level.starts_with(start))
        || info.precache.models().iter().any(|model| FILES.contains(&model.bytes()))
}

/// The dialect of Quake.
///
/// ```
/// use moviola_format::{Context, Messages, Quake};
/// assert_eq!(Messages::<Quake>::new(b"\x01\x01\x02", Context::quake()).count(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quake;

impl crate::Dialect for Quake {
    type Message<'a> = Message<'a>;
    const GAME: Game = Game::Quake;
    #[inline(always)]
    fn observe(message: &Message<'_>, context: &mut Context) {
        observe(message, context);
    }
    #[inline(always)]
    fn can_change_context(op: u8) -> bool {
        matches!(op, Print::OP | ServerInfo::OP | Version::OP | ClientData::OP)
    }
    fn is_plausible(message: &Message<'_>) -> bool {
        match message {
            Message::UpdateEntity(it) => it.transparency.is_plausible(),
            Message::LightStyle(it) => it.string.is_terminated(),
            Message::Print(it) => it.string.is_terminated(),
            Message::StuffText(it) => it.string.is_terminated(),
            Message::CenterPrint(it) => it.string.is_terminated(),
            message => !matches!(message, Message::Bad(_)),
        }
    }
    /// A player's state only reopens the question that it was read with.
    #[inline(always)]
    fn leaves(op: u8, context: &Context) -> bool {
        !Self::can_change_context(op) || op == ClientData::OP && context.weapon_byte == Answer::Open
    }
    /// Every protocol sends these in the same form, so levels and chat of unreadable protocols are still
    /// found.
    fn is_plain(op: u8) -> bool {
        matches!(op, Nop::OP | Disconnect::OP | Print::OP | StuffText::OP | ServerInfo::OP)
    }
}
