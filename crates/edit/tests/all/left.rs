//! Damage that can still be read as messages is removed if it stops engines that play everything else.

use moviola_check::{Playability, check};
use moviola_edit::{Repair, rewrite};
use moviola_format::{Demo, Game, Piece};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The repaired recording, and the summary of the repair.
fn repaired(file: &[u8]) -> (Vec<u8>, String) {
    let mut whole = Vec::new();
    let summary = rewrite(file, &mut Repair::look(file).unwrap(), &mut whole).unwrap();
    (whole, [vec![summary.about], summary.notes].concat().join("; "))
}

/// The engines that play it to its end.
fn players(file: &[u8]) -> Vec<&'static str> {
    let verdicts = check(file).unwrap().engines;
    let plays = verdicts.iter().filter(|it| matches!(it.plays, Playability::Yes | Playability::WithDefects));
    plays.map(|it| it.engine).collect()
}

/// The recording with a changed block: `change` gets all bytes of the block, with its length.
fn with_block(file: &[u8], number: usize, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut demo = Demo::new(file).unwrap();
    let (game, mut out, mut at) = (demo.game().unwrap(), Vec::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        let mut bytes = Vec::new();
        piece.write(game, &mut bytes).unwrap();
        if matches!(piece, Piece::Block(_)) {
            if at == number {
                change(&mut bytes);
            }
            at += 1;
        }
        out.extend(bytes);
    }
    out
}

/// The recording with a message inserted after the time of a block, and the length of the block corrected.
fn with_message(file: &[u8], number: usize, message: &[u8]) -> Vec<u8> {
    with_block(file, number, |block| {
        let game = Demo::new(file).unwrap().game().unwrap();
        let head = if game == Game::Quake { 16 + 5 } else { 4 };
        block.splice(head..head, message.iter().copied());
        let length = i32::from_le_bytes(block[..4].try_into().unwrap()) + message.len() as i32;
        block[..4].copy_from_slice(&length.to_le_bytes());
    })
}

const QUAKE: &str = "quake1.07_DM1.dem";

/// A sound that only QuakeSpasm plays, a sky, and the view of an entity that does not exist.
const JUNK: [&[u8]; 3] = [b"\x38\x80\x39", b"\x25sky\0", b"\x05\0\x04"];

#[test]
fn messages_of_later_engines_are_damage_in_a_torn_block() {
    let sound = sample(QUAKE);
    let all = players(&sound);
    assert!(all.contains(&"id-1.09"));
    for junk in JUNK {
        let strange = with_message(&sound, 100, junk);
        // Two bytes of noise at the end of the block.
        let torn = with_block(&strange, 100, |block| block.extend([0xee; 2]));
        let (whole, outcome) = repaired(&torn);
        assert_eq!(players(&whole), all, "{junk:x?}: {outcome}");
        assert_eq!(repaired(&whole).1, "nothing to repair");
        // In an undamaged block the message was recorded as it is, even if other blocks are damaged.
        let torn = with_block(&strange, 200, |block| block.extend([0xee; 2]));
        let (whole, outcome) = repaired(&strange);
        assert!(whole == strange && outcome.starts_with("nothing to repair"), "{junk:x?}: {outcome}");
        assert_eq!(
            outcome.contains("id-1.09, darkplaces would play it but for"),
            junk[0] == 0x38,
            "{outcome}"
        );
        assert_eq!(repaired(&torn).0, strange, "{junk:x?}");
    }
}

#[test]
fn the_screen_with_which_the_game_is_sold_is_damage_in_a_torn_block() {
    let strange = with_message(&sample(QUAKE), 100, &[33]);
    let torn = with_block(&strange, 100, |block| block.extend([0xee; 2]));
    assert_eq!(repaired(&torn).0, sample(QUAKE));
    assert_eq!(repaired(&strange).0, strange);
}

#[test]
fn a_byte_that_id_s_servers_cannot_send_becomes_the_sign_that_it_shows() {
    let strange = with_message(&sample(QUAKE), 100, b"\x08a\xffb\n\0");
    assert!(!players(&strange).contains(&"id-1.09"));
    let (whole, outcome) = repaired(&strange);
    assert_eq!(whole, with_message(&sample(QUAKE), 100, b"\x08a\x7fb\n\0"), "{outcome}");
    // Other engines may write such a byte on purpose, so it stays in a recording that has no damage.
    let meant = with_message(&sample("qs_15_lq_e0m9.dem"), 100, b"\x08a\xffb\n\0");
    let (whole, outcome) = repaired(&meant);
    assert_eq!(whole, meant);
    assert!(
        outcome
            .ends_with("id-1.06, id-1.09 would play it but for the byte 0xFF in a string (block 100, M215)")
    );
    let hurt = with_block(&meant, 200, |block| block.extend([0xee; 2]));
    assert!(players(&repaired(&hurt).0).contains(&"id-1.09"));
}

#[test]
fn a_level_whose_protocol_nobody_has_is_none() {
    let sound = sample("yq_sp.dm2");
    for protocol in [-59_706_744i32, 0, 4000] {
        let level = [b"\x0c", &protocol.to_le_bytes()[..], b"\x20\x01\0\0\x0cgame\0\0\0name\0"].concat();
        for block in 1..4 {
            let (whole, outcome) = repaired(&with_message(&sound, block, &level));
            assert_eq!(players(&whole), players(&sound), "block {block}: {outcome}");
        }
    }
}

#[test]
fn nehahras_messages_before_its_first_fade_stay() {
    let fades = sample("scribe/dem-15-nehahra.dem");
    assert_eq!(repaired(&fades), (fades.clone(), "nothing to repair".into()));
    for message in [&b"\x23slot\0lmp\0\x01\x02"[..], b"\x33\x01\0\0\x80\x3f\x01\x02\x03"] {
        let early = with_block(&fades, 0, |block| {
            block.splice(16..16, message.iter().copied());
            let length = i32::from_le_bytes(block[..4].try_into().unwrap()) + message.len() as i32;
            block[..4].copy_from_slice(&length.to_le_bytes());
        });
        let (whole, outcome) = repaired(&early);
        assert_eq!(whole, early, "{outcome}");
    }
}

#[test]
fn levels_follow_each_other_without_reconnect() {
    let levels = sample("dp2025_NEHAHRABJP3.dem");
    assert_eq!(repaired(&levels), (levels.clone(), "nothing to repair".into()));
}

#[test]
fn the_number_of_the_protocol_is_the_one_under_which_all_reads() {
    let quake = |protocol: i32| [&[0x0b][..], &protocol.to_le_bytes()].concat();
    let recordings = [
        ("qs_15_lq_e0m9.dem", quake(15)),
        ("qs_999_lq_e0m9.dem", quake(999)),
        ("dp2025_NEHAHRABJP3.dem", quake(10_002)),
        ("yq_sp.dm2", b"\x0c\x22\0\0\0".to_vec()),
        ("scribe/dm2-26-client.dm2", b"\x0c\x1a\0\0\0".to_vec()),
    ];
    for (name, announced) in recordings {
        let sound = sample(name);
        let place = sound.windows(5).position(|bytes| bytes == announced).unwrap() + 1;
        for hit in [[0; 4], [0xde, 0x11, 0x40, 0xec], [announced[1], announced[2], 0, 0x40]] {
            let mut damaged = sound.clone();
            damaged[place..place + 4].copy_from_slice(&hit);
            let (whole, outcome) = repaired(&damaged);
            assert_eq!(whole, repaired(&sound).0, "{name}: {outcome}");
        }
    }
}

#[test]
fn the_file_of_a_level_of_quake_2_is_known_despite_a_damaged_number() {
    let sound = sample("yq_sp.dm2");
    let place = sound.windows(8).position(|bytes| bytes == b"\x0d\x21\0maps/").unwrap();
    let mut gap = sound.clone();
    gap.remove(place + 1);
    let mut high = sound.clone();
    high[place + 2] = 0x71;
    for file in [gap, high] {
        let (whole, outcome) = repaired(&file);
        assert_eq!(players(&whole), players(&sound), "{outcome}");
    }
}

/// The offset of the block after the one at this offset.
fn next_block(file: &[u8], place: usize) -> usize {
    place + 4 + i32::from_le_bytes(file[place..place + 4].try_into().unwrap()) as usize
}

#[test]
fn a_length_that_is_wrong_hides_no_block_of_quake_2() {
    let sound = sample("yq_sp.dm2");
    for place in [0, next_block(&sound, 0)] {
        // A length that was increased includes the head of the next block.
        for bit in (0..32).filter(|bit| sound[place + bit / 8] >> (bit % 8) & 1 == 0) {
            let mut damaged = sound.clone();
            damaged[place + bit / 8] ^= 1 << (bit % 8);
            let (whole, outcome) = repaired(&damaged);
            assert_eq!(players(&whole), players(&sound), "byte {place}, bit {bit}: {outcome}");
            assert_eq!(repaired(&whole).1, "nothing to repair", "byte {place}, bit {bit}: {outcome}");
        }
    }
}

#[test]
fn blocks_that_became_one_are_not_too_long_for_engines() {
    let mut damaged = sample("yq_sp.dm2");
    let first = next_block(&damaged, 0);
    let second = next_block(&damaged, first);
    (damaged[first + 2], damaged[second + 4]) = (1, 0xfe);
    let (whole, outcome) = repaired(&damaged);
    assert!(outcome.contains("1 block split"), "{outcome}");
    assert_eq!(players(&whole), players(&sample("yq_sp.dm2")), "{outcome}");
}
