//! Every message of QuakeWorld's three tables changes the world or what a client of Quake gets, or it is listed here
//! with the reason why it does neither. A new row of a table fails here until it has an effect or is listed.

use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::{
    Block, ClientRecords, Context, Demo, Dialect, Entry, Game, Hidden, Message, Piece, QuakeWorld, Reader,
    Stamp, hidden, with_table,
};
use moviola_state::World as _;
use moviola_state::quakeworld::{AsQuake, World};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Messages that have no effect on the world, nor on a client of Quake.
const WITHOUT_EFFECT: [(&str, &str); 22] = [
    ("nop", "it keeps a connection alive"),
    ("setangle", "records and frames say where the player looks"),
    ("download", "it is a part of a file"),
    ("download_chunk", "it is a part of a file"),
    ("choke", "it is about the network"),
    ("maxspeed", "it is for a client that predicts its own player"),
    ("entgravity", "it is for a client that predicts its own player"),
    ("qizmovoice", "no client of Quake can play a voice"),
    ("voicechat", "no client of Quake can play a voice"),
    ("csqcentities", "only the client code of the game can read it"),
    ("antilag_position", "it is about the server's judgment of hits"),
    ("usercmd", "frames say where the player is"),
    ("usercmd_weapons", "stats say which weapon the player has"),
    ("usercmd_weapons_ss", "stats say which weapon the player has"),
    ("weapon_instruction", "stats say which weapon the player has"),
    ("commentary_track", "no client of Quake can play a voice"),
    ("commentary_data", "no client of Quake can play a voice"),
    ("commentary_text", "no server sends it"),
    ("paused_duration", "it is about the server's clock"),
    ("paused_duration_bare", "it is about the server's clock"),
    ("demo_start", "it is about the server's clock"),
    ("unknown_hidden", "nobody knows what it means"),
];

/// Lists of names, which random bytes do not produce: the first number, one name, and the end.
const NAMES: &[u8] = b"\0\0maps/new.bsp\0\0\0\0";

/// The bytes with which messages are filled: small numbers, other small numbers, long strings.
const FILLINGS: [&[u8]; 3] =
    [b"\x03\x02\x01\x05\x07\x09\x04\x06", b"\x01\x01\x02\0\x01\0\x01\x01\x01\x01\x01\x01", &[b'!'; 200]];

const STAMP: Stamp = Stamp::Mvd { msec: 10, kind: 6, players: 0 };
const HIDDEN: Stamp = Stamp::Mvd { msec: 10, kind: 3, players: 0 };
const RECORD: Stamp = Stamp::Record { mvd: false };

#[test]
fn of_quakeworld() {
    let mut effective = BTreeSet::new();
    for name in ["mvdsv_bots_lqdm2.mvd", "ez_duo_lqdm2.qwd"] {
        note_effects(name, &mut effective);
    }
    let without: BTreeMap<_, _> = WITHOUT_EFFECT.into_iter().collect();
    let mut wrong = Vec::new();
    for name in names::<QuakeWorld>().chain(names::<Hidden>()).chain(names::<ClientRecords>()) {
        if effective.contains(name) == without.contains_key(name) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "these have an effect and are listed, or have none and are not: {wrong:?}");
}

fn names<D: Dialect>() -> impl Iterator<Item = &'static str> {
    <D::Message<'static> as Message>::SCHEMA.iter().map(|row| row.name)
}

/// Adds the messages that have an effect at some moments of a recording.
fn note_effects(name: &str, effective: &mut BTreeSet<&'static str>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    let bytes = std::fs::read(path).expect("a sample");
    let mut demo = Demo::new(&bytes[..]).expect("a recording");
    let (mut world, mut as_quake, mut context) =
        (World::default(), AsQuake::default(), Context::quakeworld());
    let mut number = 0;
    while let Ok(Some(piece)) = demo.next_piece() {
        let Piece::Block(block) = piece else { continue };
        let before = context;
        with_table!(block.table(Game::QuakeWorld), D => {
            note_missed::<D>(&block, &world, &as_quake, context, effective);
        });
        world.apply_block(&block, &mut context);
        if world.apply_other_table(&block, &before).is_none() {
            for entry in block.messages::<QuakeWorld>(before) {
                as_quake.message(&world, &entry.message, &mut |_| {});
            }
            as_quake.end_block(&world, &mut |_| {});
        }
        if number % 100 == 0 {
            note_alone::<QuakeWorld>(STAMP, &world, &as_quake, context, effective);
            note_alone::<Hidden>(HIDDEN, &world, &as_quake, context, effective);
            note_alone::<ClientRecords>(RECORD, &world, &as_quake, context, effective);
        }
        number += 1;
    }
}

/// Adds the messages whose absence changes the result of a block.
fn note_missed<D: Dialect>(
    block: &Block<'_>,
    world: &World,
    as_quake: &AsQuake,
    context: Context,
    effective: &mut BTreeSet<&'static str>,
) {
    let mut messages = block.messages::<D>(context);
    let mut entries = Vec::new();
    while let Some(entry) = messages.next() {
        entries.push((entry.message.schema().name, entry.at..messages.pos()));
    }
    entries.retain(|(name, _)| !effective.contains(name));
    if entries.is_empty() {
        return;
    }
    let whole = outcome(block, world, as_quake, context);
    for (name, range) in entries {
        let data = [&block.data[..range.start], &block.data[range.end..]].concat();
        if outcome(&Block { data: &data, ..*block }, world, as_quake, context) != whole {
            effective.insert(name);
        }
    }
}

/// Adds the messages of a table that have an effect if only they are in the next block.
fn note_alone<D: Dialect>(
    stamp: Stamp,
    world: &World,
    as_quake: &AsQuake,
    context: Context,
    effective: &mut BTreeSet<&'static str>,
) {
    let without = outcome(&Block { stamp, ..Block::new(&[]) }, world, as_quake, context);
    let rows = <D::Message<'static> as Message>::SCHEMA;
    for (row, filling) in rows.iter().flat_map(|row| FILLINGS.map(|filling| (row, filling))) {
        if effective.contains(row.name) {
            continue;
        }
        let kept = EntropyBytes::default();
        let mut entropy = Entropy::new(filling, &kept, context);
        let made = entropy.message::<D::Message<'_>>(row.op).ok();
        let read = D::Message::build(row.op, &mut Reader::new(NAMES, &context)).ok();
        for message in [made, read].into_iter().flatten().filter(|it| it.schema().name == row.name) {
            let mut bytes = Vec::new();
            Entry::<D::Message<'_>> { at: 0, unicast: None, message }.write(&mut bytes, &context);
            let block = Block { stamp, ..Block::new(&bytes) };
            // With a known type, the bytes of an unknown hidden message are a message of that type.
            let is_another = row.rust == hidden::UnknownHidden::SCHEMA.rust
                && block.messages::<D>(context).next().is_none_or(|it| it.message.schema().name != row.name);
            if !is_another && outcome(&block, world, as_quake, context) != without {
                effective.insert(row.name);
            }
        }
    }
}

/// The outcome of a block: a hash of the world, and Quake's messages with the state of their converter.
fn outcome(block: &Block<'_>, world: &World, as_quake: &AsQuake, context: Context) -> (u64, String) {
    let (mut world, mut as_quake, mut after) = (world.clone(), as_quake.clone(), context);
    world.apply_block(block, &mut after);
    let mut messages = Vec::new();
    let mut send = |message: &moviola_format::dem::Message<'_>| messages.push(format!("{message:?}"));
    as_quake.record(block, &context);
    if world.clone().apply_other_table(block, &context).is_none() {
        for entry in block.messages::<QuakeWorld>(context) {
            as_quake.message(&world, &entry.message, &mut send);
        }
        as_quake.end_block(&world, &mut send);
    }
    (world.state_hash(), format!("{as_quake:?} {messages:?}"))
}
