//! Quake II: the header of a recording, and frames encoded by their difference from others.
//!
//! A header has the messages that an engine writes when it starts to record: serverdata, the current config
//! strings, the baselines, and `precache` last. A frame is sent in full against the baselines, or against
//! another frame.

use super::{Blocks, wire};
use crate::machinery::ordered::{Visit, are_same};
use moviola_format::dm2::{self, FrameMessage, Message, OLDEST, PacketEntities, PlayerInfo, SpawnBaseline};
use moviola_format::names::quake2::{CS_LIGHTS, CS_MODELS, RECORD_CLIENT, RECORD_NETWORK, RECORD_SERVER};
use moviola_format::{
    Angle8, Bits16, ByteOrShort, Context, Deltas, EntityBits, Entry, Flags, Frame as FrameNumber, FrameForm,
    FrameHead, Game, Inventory, Scalar, Sized32, Skin, Stats, Str, UNICAST, Volume, Writer,
};
use moviola_state::quake2::{Entity, Frame, PlayerState, Screen, World};

/// The greatest size of a written block. Two bytes stay free for NULs that the last texts of messages may
/// lack.
pub(crate) const LIMIT: usize = moviola_check::largest_block(Game::Quake2) - 2;

/// The number of frames for which a text stays in the middle of the screen (`scr_centertime`).
pub(crate) const CENTER_FRAMES: i32 = 25;

/// The field of view with which players begin.
pub(crate) const FIELD_OF_VIEW: u8 = 90;

/// Whether a server made the recording, in which each frame is complete.
pub(crate) fn is_servers(world: &World) -> bool {
    world.server.isdemo == RECORD_SERVER
}

/// The blocks with which a recording of this level begins: serverdata, config strings, baselines, the
/// screens, and `precache` last.
pub(crate) fn header(world: &World, context: &Context) -> Vec<Vec<u8>> {
    // A server writes all of it in one block.
    let limit = if is_servers(world) { usize::MAX } else { LIMIT };
    let mut blocks = Blocks::new(*context, limit);
    // Servers before 3.17 recorded no serverdata, so its fields are not known.
    let is_announced = world.server.protocol != 0;
    if is_announced {
        let (game, title) = (wire(world.server.game.bytes()), wire(world.server.title.bytes()));
        blocks.put(&Message::from(dm2::ServerData {
            serverversion: world.server.protocol,
            key: world.server.key,
            // This field is 0 in a level that began during the recording.
            isdemo: if world.server.isdemo == RECORD_NETWORK { RECORD_CLIENT } else { world.server.isdemo },
            game: Str::new(&game),
            client: world.server.client,
            mapname: Str::new(&title),
        }));
    }
    config(&World::default(), world, &mut blocks);
    // After `precache`, each block counts as a frame.
    for messages in screens(None, world, context) {
        blocks.put_bytes(&messages);
    }
    if is_announced && !is_servers(world) {
        let precache = wire(b"precache\n");
        blocks.put(&Message::from(dm2::StuffText { string: Str::new(&precache) }));
    }
    blocks.finish()
}

/// The blocks with the config strings and baselines that differ.
pub(crate) fn changes(from: &World, to: &World, context: &Context) -> Vec<Vec<u8>> {
    let mut blocks = Blocks::new(*context, LIMIT);
    config(from, to, &mut blocks);
    blocks.finish()
}

/// Config strings and baselines.
fn config(from: &World, to: &World, blocks: &mut Blocks) {
    let mut add_string = |index: usize, text: &[u8]| {
        let text = wire(text);
        let index = i16::try_from(index).unwrap_or(i16::MAX);
        blocks.put(&Message::from(dm2::ConfigString { index, string: Str::new(&text) }));
    };
    for (index, text) in to.config.iter().filter(|(index, text)| from.config.get(*index) != *text) {
        add_string(index, text);
    }
    // Engines load the files of a list when they read it, and stop at an empty name; a file too many does no
    // harm.
    let is_file = |index: usize| (usize::from(CS_MODELS)..usize::from(CS_LIGHTS)).contains(&index);
    for (index, _) in from.config.iter().filter(|(index, _)| to.config.get(*index).is_empty()) {
        if !is_file(index) {
            add_string(index, b"");
        }
    }
    for (number, baseline) in to.baselines().filter(|(number, it)| from.baseline(*number) != **it) {
        blocks.put(&Message::from(delta(number, baseline, &Entity::default())));
    }
}

/// The layouts, inventories and texts on the screens that differ.
pub(crate) fn screens(from: Option<&World>, to: &World, context: &Context) -> Vec<Vec<u8>> {
    let mut blocks = Blocks::new(*context, LIMIT);
    let nothing = Screen::default();
    for (client, screen) in &to.screens {
        let old = from.and_then(|from| from.screen(*client)).unwrap_or(&nothing);
        let mut add_message = |message: Message<'_>| {
            let mut bytes = Vec::new();
            Entry { at: 0, unicast: *client, message }.write(&mut bytes, context);
            blocks.put_bytes(&bytes);
        };
        for (index, text) in screen.own.iter().filter(|(index, text)| old.own.get(index) != Some(*text)) {
            let text = wire(text.bytes());
            add_message(dm2::ConfigString { index: *index, string: Str::new(&text) }.into());
        }
        let stays = |since: i32| to.frame().number.saturating_sub(since) < CENTER_FRAMES;
        if let Some((since, text)) = screen.center.as_ref().filter(|it| stays(it.0))
            && old.center.as_ref() != Some(&(*since, text.clone()))
        {
            let text = wire(text.bytes());
            add_message(dm2::CenterPrint { string: Str::new(&text) }.into());
        }
        if screen.layout != old.layout {
            let program = wire(screen.layout.bytes());
            add_message(dm2::Layout { string: Str::new(&program) }.into());
        }
        if let Some(counts) = screen.inventory.as_deref().filter(|_| screen.inventory != old.inventory) {
            let mut bytes = [0; 512];
            for (place, count) in bytes.as_chunks_mut().0.iter_mut().zip(counts) {
                *place = count.to_le_bytes();
            }
            add_message(dm2::InventoryMessage { counts: Inventory(&bytes) }.into());
        }
    }
    blocks.finish()
}

/// Appends a frame, encoded against the frame `base` or, without one, in full.
pub(crate) fn frame(to: &Frame, base: Option<&Frame>, world: &World, context: &Context, out: &mut Vec<u8>) {
    frame_of_visited(to, base, Visit::all(), world, context, out);
}

/// The same, where only the visited entities can differ from those of the base.
pub(crate) fn frame_of_visited(
    to: &Frame,
    base: Option<&Frame>,
    visit: Visit<'_>,
    world: &World,
    context: &Context,
    out: &mut Vec<u8>,
) {
    head(to, base, context, out);
    for (client, state) in &to.players {
        player(*client, state, base, context, out);
    }
    entities(to, base, visit, world, context, out);
}

// Each row of a frame is written directly: to put it into the enum of all messages first would copy it.

/// Appends a frame's head.
pub(crate) fn head(to: &Frame, base: Option<&Frame>, context: &Context, out: &mut Vec<u8>) {
    let head = FrameHead {
        form: to.form,
        seq1: to.number,
        seq2: base.map_or(-1, |base| base.number),
        uk_b1: (context.quake2_protocol() != OLDEST).then_some(to.suppressed),
        areas: &to.areas,
        connected: &to.connected,
    };
    let mut writer = Writer::new(out, context);
    writer.op(FrameMessage::OP);
    FrameMessage { head }.walk(&mut writer);
}

/// Appends a player's state.
pub(crate) fn player(
    client: Option<u8>,
    to: &PlayerState,
    base: Option<&Frame>,
    context: &Context,
    out: &mut Vec<u8>,
) {
    let none = PlayerState::default();
    let from = base.and_then(|base| base.player(client)).unwrap_or(&none);
    let mut writer = Writer::new(out, context);
    writer.op(PlayerInfo::OP | client.map_or(0, |_| UNICAST));
    if let Some(client) = client {
        writer.byte(client);
    }
    let mut stats = Vec::new();
    player_delta(to, from, &mut stats).walk(&mut writer);
}

/// Appends the list of a frame's entities.
pub(crate) fn entities(
    to: &Frame,
    base: Option<&Frame>,
    visit: Visit<'_>,
    world: &World,
    context: &Context,
    out: &mut Vec<u8>,
) {
    let old = base.map_or(&[][..], |base| &base.entities);
    let is_servers = to.form == FrameForm::Server;
    let baseline = |number| if is_servers { Entity::default() } else { world.baseline(number) };
    let mut writer = Writer::new(out, context);
    writer.op(PacketEntities::OP);
    // Without a base, all entities are new.
    let visit = if base.is_some() { visit } else { Visit::all() };
    deltas(&to.entities, old, visit, baseline, |record| record.walk(&mut writer));
    Deltas::default().write(&mut writer);
}

/// The records that make one list of entities out of another. Both are in the order of their numbers.
fn deltas(
    mut to: &[Entity],
    mut from: &[Entity],
    mut visit: Visit<'_>,
    baseline: impl Fn(u16) -> Entity,
    mut put: impl FnMut(&SpawnBaseline),
) {
    // Most entities are in both frames and have not changed.
    let stays = |to: &Entity, from: &Entity| {
        to.event == 0 && are_same(&to.old_origin, &from.origin) && to.is_alike(from)
    };
    loop {
        let (new, old) = visit.next(to, from, stays);
        (to, from) = (to.get(new..).unwrap_or_default(), from.get(old..).unwrap_or_default());
        match (to, from) {
            ([entity, news @ ..], [was, olds @ ..]) if entity.number == was.number => {
                (to, from) = (news, olds);
                if stays(entity, was) {
                    continue;
                }
                let goes_on = Entity { old_origin: was.origin, event: 0, ..*was };
                put(&delta(entity.number, entity, &goes_on));
            }
            (_, [gone, olds @ ..]) if to.first().is_none_or(|entity| gone.number < entity.number) => {
                from = olds;
                put(&removal(gone.number));
            }
            ([entity, news @ ..], _) => {
                to = news;
                // A new entity is always sent with its old origin, from which engines interpolate.
                let base = baseline(entity.number);
                let base = Entity { old_origin: base.origin, event: 0, ..base };
                let mut sent = delta(entity.number, entity, &base);
                let bits = sent.flags.bits() | SpawnBaseline::old_origin;
                sent.flags = EntityBits::canonical(bits, &const { Context::quake2() });
                put(&sent);
            }
            ([], _) => return,
        }
    }
}

fn removal(number: u16) -> SpawnBaseline {
    let context = &const { Context::quake2() };
    let mut it = SpawnBaseline { entity: ByteOrShort(number), ..SpawnBaseline::default() };
    let bits = it.entity.implied(SpawnBaseline::remove, context);
    it.flags = EntityBits::canonical(bits, context).listed(context);
    it
}

/// The differences between an entity and its base.
pub(crate) fn delta(number: u16, to: &Entity, from: &Entity) -> SpawnBaseline {
    let context = &const { Context::quake2() };
    let mut it = SpawnBaseline { entity: ByteOrShort(number), ..SpawnBaseline::default() };
    let mut bits = it.entity.implied(0, context);
    macro_rules! fields {
        ($($old:expr, $new:expr => $field:ident: $value:expr;)*) => { $(
            if $old != $new {
                it.$field = $value;
                bits |= it.$field.implied(SpawnBaseline::$field, context);
            }
        )* };
    }
    let ([model, model2, model3, model4], old) = (to.models, from.models);
    let [x, y, z] = to.origin;
    let [pitch, yaw, roll] = to.angles;
    let [old_model, old_model2, old_model3, old_model4] = old;
    let [old_x, old_y, old_z] = from.origin;
    let [old_pitch, old_yaw, old_roll]: [Angle8; 3] = from.angles;
    fields! {
        old_model, model => modelindex: model;
        old_model2, model2 => modelindex2: model2;
        old_model3, model3 => modelindex3: model3;
        old_model4, model4 => modelindex4: model4;
        from.frame, to.frame => frame: FrameNumber::new(to.frame);
        from.skin, to.skin => skin: Skin(to.skin);
        from.effects, to.effects => effects: Sized32(to.effects);
        from.renderfx, to.renderfx => renderfx: Sized32(to.renderfx);
        old_x, x => origin_x: x;
        old_y, y => origin_y: y;
        old_z, z => origin_z: z;
        old_pitch, pitch => angles_1: pitch;
        old_yaw, yaw => angles_2: yaw;
        old_roll, roll => angles_3: roll;
        from.old_origin, to.old_origin => old_origin: to.old_origin;
        from.sound, to.sound => sound: to.sound;
        from.event, to.event => event: to.event;
        from.solid, to.solid => solid: to.solid;
    }
    it.old_origin = to.old_origin;
    it.flags = EntityBits::canonical(bits, context);
    it
}

/// The differences between two states of a player. Engines always send the weapon in hand.
fn player_delta<'b>(to: &PlayerState, from: &PlayerState, buffer: &'b mut Vec<u8>) -> PlayerInfo<'b> {
    let mut bits = 0;
    let mut set_bit = |bit: u32, differs: bool| bits |= if differs { bit } else { 0 };
    set_bit(PlayerInfo::pm_type, to.pm_type != from.pm_type);
    set_bit(PlayerInfo::origin, !are_same(&to.origin, &from.origin));
    set_bit(PlayerInfo::velocity, !are_same(&to.velocity, &from.velocity));
    set_bit(PlayerInfo::pm_time, to.pm_time != from.pm_time);
    set_bit(PlayerInfo::pm_flags, to.pm_flags != from.pm_flags);
    set_bit(PlayerInfo::gravity, to.gravity != from.gravity);
    set_bit(PlayerInfo::delta_angles, !are_same(&to.delta_angles, &from.delta_angles));
    set_bit(PlayerInfo::viewoffset, !are_same(&to.view_offset, &from.view_offset));
    set_bit(PlayerInfo::viewangles, !are_same(&to.view_angles, &from.view_angles));
    set_bit(PlayerInfo::kick_angles, !are_same(&to.kick_angles, &from.kick_angles));
    set_bit(PlayerInfo::gunindex, to.gun_model != from.gun_model);
    let is_same_gun = to.gun_frame == from.gun_frame
        && are_same(&to.gun_offset, &from.gun_offset)
        && are_same(&to.gun_angles, &from.gun_angles);
    set_bit(PlayerInfo::gunframe, !is_same_gun);
    let color = |[red, green, blue, opacity]: [Volume; 4]| [red.0, green.0, blue.0, opacity.0];
    set_bit(PlayerInfo::blend, color(to.blend) != color(from.blend));
    set_bit(PlayerInfo::fov, to.fov != from.fov);
    set_bit(PlayerInfo::rdflags, to.rdflags != from.rdflags);
    let stats = if to.stats == from.stats {
        Stats::default()
    } else {
        let changed = to.stats.iter().zip(&from.stats).enumerate().filter(|(_, (to, from))| to != from);
        Stats::encode(changed.map(|(place, (to, _))| (place as u8, *to)), buffer)
    };
    PlayerInfo {
        flags: Bits16::canonical(bits, &Context::quake2()),
        pm_type: to.pm_type,
        origin: to.origin,
        velocity: to.velocity,
        pm_time: to.pm_time,
        pm_flags: to.pm_flags,
        gravity: to.gravity,
        delta_angles: to.delta_angles,
        viewoffset: to.view_offset,
        viewangles: to.view_angles,
        kick_angles: to.kick_angles,
        gunindex: to.gun_model,
        gunframe: to.gun_frame,
        gunoffset: to.gun_offset,
        gunangles: to.gun_angles,
        blend: to.blend,
        fov: to.fov,
        rdflags: to.rdflags,
        stats,
    }
}
