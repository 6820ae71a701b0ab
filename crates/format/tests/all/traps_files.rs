//! Traps 1 to 10: the file around the messages.

use crate::common::read;
use moviola_format::*;
use std::io::Write;

/// A Quake block with these angles.
fn block(angles: [u32; 3], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Piece::Block(Block { angles, ..Block::new(data) }).write(Game::Quake, &mut out).unwrap();
    out
}

fn quake(header: &[u8], blocks: &[Vec<u8>]) -> Vec<u8> {
    [header, &blocks.concat()].concat()
}

const HELLO: &[u8] = b"\x08hello\0";
const DISCONNECT: &[u8] = b"\x02";
const SERVERDATA: &[u8] = b"\x0c\x22\0\0\0\x01\0\0\0\x01\0\0\0level\0";

#[test]
fn trap_01_the_header_is_text_that_may_look_otherwise() {
    let headers: [&[u8]; 8] = [b" 2\n", b"+2\n", b"0x2\n", b"2\r\n", b"", b"02\n", b"2   \n", b"\t-1\n"];
    let blocks = [block([0; 3], HELLO), block([0; 3], DISCONNECT)];
    for header in headers {
        let read = read(&quake(header, &blocks));
        assert_eq!((read.header.as_slice(), read.blocks, read.messages), (header, 2, 2));
    }
    // The form that LMPC writes for the old readers: for a reader that looks for the newline, the first block
    // is text.
    let text =
        [&b"-1 L\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08        old: fscanf        \0\x02"[..], b"\n"].concat();
    read(&text);
}

#[test]
fn trap_02_ends_are_missing_cut_or_not_the_end() {
    let whole = quake(b"-1\n", &[block([0; 3], HELLO), block([0; 3], HELLO), block([0; 3], DISCONNECT)]);
    assert_eq!(read(&whole).last_op, Some(dem::Disconnect::OP));
    assert_eq!(read(&whole[..whole.len() - 17]).blocks, 2, "without disconnect");
    let cut = read(&whole[..whole.len() - 20]);
    assert_eq!((cut.blocks, cut.truncated), (2, 1), "inside a block");
    let read_with_rest = read(&[&whole[..], b"behind"].concat());
    assert_eq!((read_with_rest.blocks, read_with_rest.raw), (3, 6));
    let more = read(&[&whole[..], &block([0; 3], HELLO)].concat());
    assert_eq!(more.blocks, 4, "blocks behind the disconnect");

    let mut file = Vec::new();
    Piece::Block(Block::new(SERVERDATA)).write(Game::Quake2, &mut file).unwrap();
    let open = read(&file);
    assert_eq!((open.blocks, open.ends), (1, 0), "without an end mark");
    Piece::End.write(Game::Quake2, &mut file).unwrap();
    file.write_all(b"behind").unwrap();
    let behind = read(&file);
    assert_eq!((behind.blocks, behind.ends, behind.raw), (1, 1, 6));
}

#[test]
fn trap_03_the_last_block_is_damaged() {
    let damaged = [HELLO, b"\x03\x01\xEE\xEE\xEE\xEE\x7F\x7F\x7F"].concat();
    let read = read(&quake(b"-1\n", &[block([0; 3], HELLO), block([0; 3], &damaged)]));
    assert_eq!((read.blocks, read.messages), (2, 3));
    let [(number, fault, left)] = read.unread[..] else { panic!("{read:?}") };
    assert_eq!((number, fault.kind, left), (2, FaultKind::UnknownMessage(0x7F), 3));
}

#[test]
fn trap_04_blocks_are_empty_tiny_upward_or_huge() {
    let blocks = [block([0; 3], HELLO), block([0; 3], b""), block([0; 3], b"\x01"), block([0; 3], HELLO)];
    let plain = read(&quake(b"-1\n", &blocks));
    assert_eq!((plain.blocks, plain.messages, plain.raw), (4, 3, 0));

    let mut upward = block([1, 2, 3], b"\x03a client's move");
    upward[3] |= 0x80;
    let file = quake(b"-1\n", &[block([0; 3], HELLO), upward, block([0; 3], HELLO)]);
    let upward = read(&file);
    assert_eq!((upward.blocks, upward.messages, upward.unread.len(), upward.raw), (3, 2, 1, 0));
    assert_eq!(upward.unread[0].1.kind, FaultKind::FromClient);

    let mut huge = block([0; 3], HELLO);
    huge[..4].copy_from_slice(&i32::MAX.to_le_bytes());
    let huge = read(&quake(b"-1\n", &[block([0; 3], HELLO), huge]));
    assert_eq!((huge.blocks, huge.raw), (1, 23));
}

#[test]
fn trap_05_floats_are_bits() {
    // Quiet and signaling not-a-numbers, minus zero, denormals, infinities.
    let odd =
        [0x7FC0_1234u32, 0xFF80_0001, 0x7FBF_FFFF, 0x8000_0000, 1, 0x007F_FFFF, 0x7F80_0000, 0xFF80_0000];
    let blocks: Vec<_> = odd
        .iter()
        .map(|bits| {
            block([*bits, !*bits, bits.swap_bytes()], &[&[dem::Time::OP][..], &bits.to_le_bytes()].concat())
        })
        .collect();
    let file = quake(b"-1\n", &blocks);
    assert_eq!(read(&file).messages, odd.len());
    let mut demo = Demo::new(&file[..]).unwrap();
    let mut seen = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let entry = block.messages::<Quake>(Context::quake()).next().unwrap();
        let dem::Message::Time(time) = entry.message else { panic!("{entry:?}") };
        assert_eq!(block.angles[0], time.time.seconds.0);
        seen.push(time.time.seconds.0);
    }
    assert_eq!(seen, odd);
}

#[test]
fn trap_06_compressed_files_stay_compressed() {
    for magic in [&b"\x1f\x8b\x08"[..], b"PK\x03\x04", b"DZ\x02\x09\0\0\0\0\0\0\0\0"] {
        let file = [magic, &vec![0x5A; 100_000]].concat();
        assert_eq!(read(&file).raw, file.len());
    }
}

#[test]
fn trap_10_levels_follow_each_other_and_change_the_protocol() {
    let level = |protocol: i32, coordinate: &[u8]| {
        let flags: &[u8] = if protocol == 999 { &[0x80, 0, 0, 0] } else { &[] };
        let info =
            [&[dem::ServerInfo::OP][..], &protocol.to_le_bytes(), flags, b"\x01\0level\0maps/a.bsp\0\0\0"]
                .concat();
        let damage = [&[dem::Damage::OP, 1, 2][..], &coordinate.repeat(3)].concat();
        [block([0; 3], &info), block([0; 3], &damage)].concat()
    };
    let file = quake(
        b"-1\n",
        &[level(15, &[1, 2]), level(999, &[1, 2, 3, 4]), level(666, &[1, 2]), level(10002, &[1, 2])],
    );
    let levels = read(&file);
    assert_eq!((levels.protocols, levels.messages, levels.unread), (vec![15, 999, 666, 10002], 8, vec![]));

    // A version message sets it too, and keeps the flags of a level of 999, as QuakeSpasm does.
    for (of, announced, coordinate) in [
        (10002, 666, &[0; 2][..]),
        (999, 666, &[0; 4]),
        (999, 15, &[0; 4]),
        (666, 999, &[0; 2]),
        (15, 999, &[0; 2]),
    ] {
        let first = level(of, if of == 999 { &[1, 2, 3, 4] } else { &[1, 2] });
        let damage = [&[dem::Damage::OP, 1, 2][..], &coordinate.repeat(3), &[dem::Nop::OP]].concat();
        let version = [&[dem::Version::OP][..], &i32::to_le_bytes(announced), &damage].concat();
        let read = read(&quake(b"-1\n", &[first, block([0; 3], &version)]));
        assert_eq!((read.messages, read.unread), (5, vec![]), "{of}, {announced}");
    }

    // It also switches to BJP's model numbers of 16 bits, but not to a protocol that would be kept raw.
    let wide = [&[dem::Version::OP][..], &10_001i32.to_le_bytes(), b"\x81\x04\x09\x01\x63"].concat();
    let raw = [&[dem::Version::OP][..], &3504i32.to_le_bytes(), b"\x81\x04\x09\x01"].concat();
    for version in [wide, raw] {
        let glued = [quake(b"-1\n", &[level(15, &[1, 2])]), block([0; 3], &version)].concat();
        assert_eq!(read(&glued).unread, []);
    }
}
