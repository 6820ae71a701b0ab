//! Events and reports: any bytes as a file, and blocks of messages made from entropy after the announcement of a sound
//! level.

use moviola_analyse::{Event, Events, Report, watch};
use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::{Block, Context, Dialect, Game, Messages, Piece, Quake, Quake2};

/// The first byte selects the format of the others. In every format events are in the order of their blocks, every
/// level that begins ends, and the report has the same counts.
pub fn events(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let file = match choice % 4 {
        0 => recording_from::<Quake>(bytes, &[b"-1\n"], &quake_level()),
        1 => recording_from::<Quake2>(bytes, &[], QUAKE2_LEVEL),
        _ => bytes.to_vec(),
    };
    let mut last = 0;
    let (mut count, mut begun, mut ended) = (0, 0, 0);
    let mut events = Events::new(|event: Event| {
        assert!(event.block >= last, "{} goes back from block {last} to {}", event.name(), event.block);
        last = event.block;
        count += 1;
        begun += u64::from(event.name() == "level_start");
        ended += u64::from(event.name() == "level_end");
        assert!(event.kind.to_string().len() < 1 << 20);
    });
    watch(&file[..], &mut [&mut events]).expect("memory can be read");
    drop(events);
    let report = Report::read(&file[..]).expect("memory can be read");
    assert_eq!(report.events.values().sum::<u64>(), count);
    assert_eq!(report.level_count, begun);
    assert!(ended >= begun, "a level has no end");
    assert!(!report.to_string().is_empty() && report.sda().len() < 1 << 20);
}

/// A file of a level and blocks of entropy.
fn recording_from<D: Dialect>(bytes: &[u8], start: &[&[u8]], level: &[u8]) -> Vec<u8> {
    let game = if start.is_empty() { Game::Quake2 } else { Game::Quake };
    let mut file = start.concat();
    let mut context = Context::of(game);
    let mut add_block = |data: &[u8], context: &mut Context| {
        let mut messages = Messages::<D>::new(data, *context);
        messages.by_ref().for_each(drop);
        *context = *messages.context();
        Piece::Block(Block::new(data)).write(game, &mut file).expect("memory can be written");
    };
    add_block(level, &mut context);
    for part in bytes.chunks(96) {
        let (kept, mut block) = (EntropyBytes::default(), Vec::new());
        Entropy::new(part, &kept, context).block::<D>(&mut block);
        add_block(&block, &mut context);
    }
    file
}

/// A level for four players, two of whom are present, with an armor, a Grunt and a box of health.
fn quake_level() -> Vec<u8> {
    const MODELS: &[&str] =
        &["maps/e1m1.bsp", "progs/player.mdl", "progs/armor.mdl", "progs/soldier.mdl", "maps/b_bh25.bsp"];
    const SOUNDS: &[&str] =
        &["items/armor1.wav", "weapons/lock4.wav", "weapons/guncock.wav", "items/itembk2.wav"];
    let mut data = b"\x08\x02\nVERSION 1.09 SERVER (24778 CRC)\0\x0b\x0f\0\0\0\x04\x01Hall\0".to_vec();
    for list in [MODELS, SOUNDS] {
        for name in list {
            data.extend([name.as_bytes(), b"\0"].concat());
        }
        data.push(0);
    }
    data.extend(b"\x0d\0Bob\0\x0d\x01Al\xe9\0\x05\x01\0");
    for (entity, model) in [(1, 2), (2, 2), (5, 3), (6, 4), (7, 5)] {
        data.extend([22, entity, 0, model, 0, 0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 0]);
    }
    // The connection is complete with the first update.
    data.extend(b"\x19\x03\x07\0\0\x80\x3f\x80\x01\x80\x02\x80\x05\x80\x06\x80\x07");
    data
}

/// A level for one player, with a model, a sound and the player's name.
const QUAKE2_LEVEL: &[u8] = b"\x0c\x22\0\0\0\x01\0\0\0\x01\0\0\0Base\0\x0d\x21\0maps/base1.bsp\0\
    \x0d\x22\0models/items/armor/body/tris.md2\0\x0d\x21\x01misc/ar1_pkup.wav\0\x0d\x1e\0\x31\0\
    \x0d\x20\x05Bob\\male/grunt\0";
