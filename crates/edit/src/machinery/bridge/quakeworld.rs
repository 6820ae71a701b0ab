//! `QuakeWorld`: the messages that bring a client from the beginning of a level to a moment of it.

use super::{Blocks, wire};
use moviola_format::qw::{
    LightStyle, Message, PlayerState, StuffText, UpdateEnterTime, UpdateFrags, UpdatePing, UpdatePl,
    UpdateStat, UpdateStatLong, UpdateUserInfo,
};
use moviola_format::{Bits16, Context, Coord, Flags, Mark, Str, write_message};
use moviola_state::Text;
use moviola_state::quakeworld::{Body, Entity, Player, SLOTS, World};
use std::collections::BTreeMap;

/// The most bytes that MVDSV writes into a block; `ezQuake` ends the playback at a longer one.
pub(crate) const LONGEST: usize = 7000;

/// The most bytes of a packet that every network carries; `ezQuake` records no longer one.
pub(crate) const LONGEST_PACKET: usize = 1300;

/// The record that sets a client's counts: the number of its next packet, and of the server's last one.
pub(crate) fn numbers(time: f32, outgoing: i32, incoming: u32) -> Vec<u8> {
    let op = [moviola_format::client::SetSequence::SCHEMA.op];
    [&time.to_le_bytes()[..], &op, &outgoing.to_le_bytes(), &incoming.to_le_bytes()].concat()
}

fn pairs(info: &BTreeMap<Text, Text>) -> Vec<u8> {
    info.iter().flat_map(|(key, value)| [b"\\", key.bytes(), b"\\", value.bytes()].concat()).collect()
}

/// The messages for all players at a moment: the server's data, the scoreboard, the lights.
pub(crate) fn common(world: &World, blocks: &mut Blocks) {
    if !world.info.is_empty() {
        let text = wire(&[b"fullserverinfo \"", &pairs(&world.info)[..], b"\"\n"].concat());
        blocks.put(&Message::from(StuffText { string: Str::new(&text) }));
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

fn state(player: u8, body: &Body, context: &Context) -> PlayerState {
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
