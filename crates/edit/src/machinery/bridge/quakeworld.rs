//! `QuakeWorld`: the messages that bring a client from the beginning of a level to a moment of it.

use super::{Blocks, wire};
use moviola_format::names::quakeworld::WHOLE_INFO;
use moviola_format::qw::{
    Disconnect, LightStyle, Message, PlayerInfo, PlayerState, StuffText, UpdateEnterTime, UpdateFrags,
    UpdatePing, UpdatePl, UpdateStat, UpdateStatLong, UpdateUserInfo,
};
use moviola_format::{Audience, Bits16, Context, Coord, CoordKind, Flags, Mark, Stamp, Str, write_message};
use moviola_state::Text;
use moviola_state::quakeworld::{Body, Entity, Player, SLOTS, World};
use std::collections::BTreeMap;

/// The most bytes that MVDSV writes into a block; `ezQuake` ends the playback at a longer one.
pub(crate) const LONGEST: usize = 7000;

/// The most bytes of a packet that every network carries; `ezQuake` records no longer one.
pub(crate) const LONGEST_PACKET: usize = 1300;

/// The text with which recordings end: in a packet without numbers (QWD) or in the last message (MVD).
const GOODBYE: &[u8] = b"EndOfDemo\0";

/// The bit of a packet's number that says that it is reliable.
pub(crate) const RELIABLE: u32 = 1 << 31;

/// The block that ends a recording, with the time of the last one.
pub(crate) fn last_block(is_mvd: bool, time: u32) -> (Stamp, Vec<u8>) {
    let data = [&[Disconnect::SCHEMA.op][..], GOODBYE].concat();
    if is_mvd {
        (Stamp::Mvd { msec: 0, kind: Audience::All.kind(0), players: 0 }, data)
    } else {
        (Stamp::Qwd { time, numbers: None }, [&u32::MAX.to_le_bytes()[..], &data].concat())
    }
}

/// The record that sets a client's counts: the number of its next packet, and of the server's last one.
pub(crate) fn numbers(time: f32, outgoing: i32, incoming: u32) -> Vec<u8> {
    let op = [moviola_format::client::SetSequence::SCHEMA.op];
    [&time.to_le_bytes()[..], &op, &outgoing.to_le_bytes(), &incoming.to_le_bytes()].concat()
}

/// The message that says who is in a slot, as a player with this info.
pub(crate) fn user_info(slot: u8, user: i32, info: &BTreeMap<Text, Text>, context: &Context) -> Vec<u8> {
    let (text, mut bytes) = (wire(&pairs(info)), Vec::new());
    let message = UpdateUserInfo { player: slot, user, string: Str::new(&text) };
    write_message(&Message::from(message), &mut bytes, context);
    bytes
}

fn pairs(info: &BTreeMap<Text, Text>) -> Vec<u8> {
    info.iter().flat_map(|(key, value)| [b"\\", key.bytes(), b"\\", value.bytes()].concat()).collect()
}

/// The command with the server's info at a moment.
pub(crate) fn whole_info(world: &World, context: &Context, bytes: &mut Vec<u8>) {
    let text = wire(&[WHOLE_INFO, &pairs(&world.info), b"\"\n"].concat());
    write_message(&Message::from(StuffText { string: Str::new(&text) }), bytes, context);
}

/// The messages for all players at a moment: the server's data, the scoreboard, the lights.
pub(crate) fn common(world: &World, blocks: &mut Blocks) {
    if !world.info.is_empty() {
        let mut message = Vec::new();
        whole_info(world, blocks.context(), &mut message);
        blocks.put_bytes(&message);
    }
    let nobody = Player::default();
    for slot in 0..SLOTS as u8 {
        let it = world.players.get(usize::from(slot)).unwrap_or(&nobody);
        let text = wire(&pairs(&it.info));
        blocks.put(&Message::from(UpdateFrags { player: slot, frags: it.frags }));
        blocks.put(&Message::from(UpdatePing { player: slot, ping: it.ping }));
        blocks.put(&Message::from(UpdatePl { player: slot, loss: it.loss }));
        blocks.put(&Message::from(UpdateEnterTime { player: slot, entertime: it.entered }));
        blocks.put(&Message::from(UpdateUserInfo { player: slot, user: it.user, string: Str::new(&text) }));
    }
    for (style, text) in world.lights.iter() {
        let text = wire(text.bytes());
        blocks.put(&Message::from(LightStyle { style: *style, string: Str::new(&text) }));
    }
}

/// The stats of the player in a slot.
pub(crate) fn stats(world: &World, slot: u8, blocks: &mut Blocks) {
    for (index, value) in (0..=u8::MAX).zip(world.stats.get(usize::from(slot)).into_iter().flatten()) {
        match u8::try_from(*value) {
            Ok(value) => blocks.put(&Message::from(UpdateStat { index, value })),
            Err(_) => blocks.put(&Message::from(UpdateStatLong { index, value: *value })),
        }
    }
}

/// All players of an MVD with all that is known of them.
pub(crate) fn bodies(world: &World, blocks: &mut Blocks) {
    for (player, body) in (0..=u8::MAX).zip(world.bodies.iter()) {
        if body.seen.is_some() {
            let whole = state(player, body, blocks.context());
            blocks.put(&Message::from(whole));
        }
    }
}

/// A player of an MVD with all that is known of him.
pub(crate) fn state(player: u8, body: &Body, context: &Context) -> PlayerState {
    let fitting =
        |it: Coord| if it.kind() == context.coord { it } else { Coord::nearest(context.coord, it.value()) };
    let [origin_x, origin_y, origin_z] = body.origin.map(fitting);
    let [angles_1, angles_2, angles_3] = body.angles;
    let mut bits = PlayerState::origin_x
        | PlayerState::origin_y
        | PlayerState::origin_z
        | PlayerState::angles_1
        | PlayerState::angles_2
        | PlayerState::angles_3
        | PlayerState::modelindex
        | PlayerState::skin
        | PlayerState::effects
        | PlayerState::weaponframe;
    bits |= if body.dead { PlayerState::dead } else { 0 };
    bits |= if body.gib { PlayerState::gib } else { 0 };
    PlayerState {
        player,
        flags: Bits16::canonical(bits, context),
        frame: body.frame,
        origin_x,
        origin_y,
        origin_z,
        angles_1,
        angles_2,
        angles_3,
        modelindex: body.model as u8,
        skin: body.skin,
        effects: body.effects,
        weaponframe: body.weapon_frame,
        dead: Mark,
        gib: Mark,
    }
}

/// All entities of a moment, each by its difference from its baseline.
pub(crate) fn entities(world: &World, context: &Context) -> Vec<u8> {
    use moviola_format::Message as _;
    let none = Entity::default();
    // A whole list has the id of the list, the entities without ids, and two zero bytes.
    let mut bytes = vec![Message::from(moviola_format::qw::PacketEntities::default()).op()];
    let mut one = Vec::new();
    for (number, entity) in world.entities.all() {
        one.clear();
        let base = world.baselines.get(number).unwrap_or(&none);
        write_message(&Message::from(entity.since(base, *number, context)), &mut one, context);
        bytes.extend_from_slice(one.get(1..).unwrap_or_default());
    }
    bytes.extend([0, 0]);
    bytes
}

/// Bits of a player in a QWD.
const COMMAND: u16 = 1 << 1;
const MSEC: u16 = 1;
const VELOCITY: u16 = 7 << 2;
const LOOKS: u16 = 7 << 5;
const WEAPON_FRAME: u16 = 1 << 8;
const DEAD: u16 = 1 << 9;
const GIB: u16 = 1 << 10;

/// Bits of a command: pitch, yaw and roll.
const TURNS: u8 = 0x83;

/// A player in a packet of a QWD: the one who recorded with a velocity, any other with the direction of the view. `more`
/// are further bits.
pub(crate) fn player(slot: u8, body: &Body, own: Option<[i16; 3]>, more: u16, context: &Context) -> Vec<u8> {
    let mut flags = LOOKS | more;
    flags |= if own.is_some() { WEAPON_FRAME | VELOCITY } else { MSEC | COMMAND };
    flags |= if body.dead { DEAD } else { 0 };
    flags |= if body.gib { GIB } else { 0 };
    let mut bytes = vec![PlayerInfo::SCHEMA.op, slot];
    bytes.extend(flags.to_le_bytes());
    for place in body.origin {
        let raw = Coord::nearest(context.entity_coord, place.value()).raw().to_le_bytes();
        let is_wide = context.entity_coord != CoordKind::Short;
        bytes.extend_from_slice(raw.get(..if is_wide { 4 } else { 2 }).unwrap_or_default());
    }
    bytes.push(body.frame);
    if let Some(velocity) = own {
        bytes.extend(velocity.iter().flat_map(|speed| speed.to_le_bytes()));
    } else {
        bytes.extend([0, TURNS]);
        bytes.extend(body.angles.iter().flat_map(|turn| turn.0.to_le_bytes()));
        bytes.push(0);
    }
    bytes.extend([body.model as u8, body.skin, body.effects]);
    if own.is_some() {
        bytes.push(body.weapon_frame);
    }
    bytes
}
