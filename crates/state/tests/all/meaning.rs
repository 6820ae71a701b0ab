//! Every message with an effect changes the world, and every other message does not. A new row of a table
//! fails here until the worlds handle it, or until its column `Lasts` is `Never`.

use crate::common::{Recording, recordings};
use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::{Block, Context, Demo, Dialect, Entry, Lasts, Message, Piece, Reader};
use moviola_state::{World, quake, quake2};
use std::collections::BTreeSet;

/// The bytes with which messages are filled: small numbers, long strings.
const FILLINGS: [&[u8]; 2] = [b"\x03\x02\x01\x05\x07\x09\x04\x06", &[b'!'; 200]];

#[test]
fn of_quake() {
    check::<quake::World>(moviola_scribe::Game::Quake);
}

#[test]
fn of_quake2() {
    check::<quake2::World>(moviola_scribe::Game::Quake2);
}

fn check<W: World>(game: moviola_scribe::Game) {
    let mut effective = BTreeSet::new();
    let of_q2pro = moviola_scribe::q2pro_samples().into_iter().filter(|sample| sample.game == game);
    let of_q2pro = of_q2pro.map(|it| Recording { name: format!("sample {}", it.name), bytes: it.bytes });
    for recording in recordings(game).into_iter().chain(of_q2pro) {
        // The synthetic recordings have every message, so the long real ones are left out.
        if recording.name.starts_with("sample ") {
            note_effects::<W>(&recording.bytes, &mut effective);
        }
    }
    let mut wrong = Vec::new();
    for row in <<W::Dialect as Dialect>::Message<'static> as Message>::SCHEMA {
        if effective.contains(row.rust) != (row.properties.lasts != Lasts::Never) {
            wrong.push((row.rust, row.properties.lasts));
        }
    }
    assert!(wrong.is_empty(), "these change the world and should not, or should and do not: {wrong:?}");
}

/// Adds the messages without which the current block leads to another state.
fn note_effects<W: World>(bytes: &[u8], effective: &mut BTreeSet<&'static str>) {
    let Ok(mut demo) = Demo::new(bytes) else { return };
    let (mut world, mut context) = (W::default(), Context::of(W::Dialect::GAME));
    while let Ok(Some(piece)) = demo.next_piece() {
        let Piece::Block(block) = piece else { continue };
        let count = if block.is_from_client() { 0 } else { block.messages::<W::Dialect>(context).count() };
        let view_without = |left_out: usize| {
            let mut world = world.clone();
            world.begin_block(&block);
            for (number, entry) in block.messages::<W::Dialect>(context).enumerate() {
                if number != left_out {
                    world.apply(&entry);
                }
            }
            world.end_block();
            world.state_hash()
        };
        let whole = view_without(usize::MAX);
        for (number, entry) in block.messages::<W::Dialect>(context).enumerate().take(count) {
            let name = entry.message.schema().rust;
            if !effective.contains(name) && view_without(number) != whole {
                effective.insert(name);
            }
        }
        world.apply_block(&block, &mut context);
        note_made::<W>(&world, context, effective);
    }
}

/// Adds the messages that change the state when they are applied alone, filled with each of some bytes.
fn note_made<W: World>(world: &W, context: Context, effective: &mut BTreeSet<&'static str>) {
    let mut without = world.clone();
    without.begin_block(&Block::new(&[]));
    without.end_block();
    let rows = <<W::Dialect as Dialect>::Message<'static> as Message>::SCHEMA;
    for (row, filling) in rows.iter().flat_map(|row| FILLINGS.map(|filling| (row, filling))) {
        if effective.contains(row.rust) {
            continue;
        }
        let kept = EntropyBytes::default();
        let mut entropy = Entropy::new(filling, &kept, context);
        // The name of an achievement begins with `ACH_`, which random bytes do not produce.
        let mut named = Reader::new(b"ACH_DONE\0", &context);
        let made = <<W::Dialect as Dialect>::Message<'_> as Message>::build(row.op, &mut named);
        let Some(message) = entropy.message(row.op).ok().or(made.ok()) else { continue };
        let mut with = world.clone();
        with.begin_block(&Block::new(&[]));
        with.apply(&Entry { at: 0, unicast: None, message });
        with.end_block();
        if with.state_hash() != without.state_hash() {
            // Some protocols have another message with this id.
            effective.insert(message.schema().rust);
        }
    }
}
