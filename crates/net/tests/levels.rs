//! Several levels in one connection: one recording, as the game's `record` makes it, or one for each level.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

use moviola_format::{Demo, Piece};
use moviola_net::netquake::{DemTape, Packet};
use moviola_net::{Cut, Direction, Notice, SessionTape, Tape};
use std::time::Duration;

/// A server's first message in a level.
fn serverinfo(map: &str) -> Vec<u8> {
    let mut body = vec![11, 15, 0, 0, 0, 1, 0];
    body.extend(format!("a title\0maps/{map}.bsp\0\0\0").bytes());
    body
}

/// The recordings that a tape makes of two levels: the map of each, and its number of blocks.
fn recorded(split: bool) -> Vec<(String, usize)> {
    let (mut tape, mut cuts) = (DemTape::new(true).split(split), Vec::new());
    let bodies = [serverinfo("e1m1"), vec![7, 0, 0, 0x80, 0x3f], serverinfo("e1m2"), vec![7, 0, 0, 0, 0x40]];
    for (sequence, body) in (0..).zip(&bodies) {
        let mut datagram = Vec::new();
        Packet::Reliable { sequence, last: true, body }.write(&mut datagram);
        tape.take_datagram(Direction::Down, &datagram, Duration::from_millis(u64::from(sequence)), &mut cuts);
    }
    tape.close(&mut cuts);
    let mut recordings: Vec<(String, Vec<u8>)> = Vec::new();
    for cut in cuts {
        match cut {
            Cut::Begin(title) => recordings.push((title.map, Vec::new())),
            Cut::Bytes(bytes) => recordings.last_mut().unwrap().1.extend(bytes),
            Cut::Ahead(_) | Cut::Withdraw | Cut::End | Cut::Notice(_) => {}
        }
    }
    let blocks = |bytes: &[u8]| {
        let (mut demo, mut count) = (Demo::new(bytes).unwrap(), 0);
        while let Some(piece) = demo.next_piece().unwrap() {
            count += usize::from(matches!(piece, Piece::Block(_)));
        }
        count
    };
    recordings.into_iter().map(|(map, bytes)| (map, blocks(&bytes))).collect()
}

#[test]
fn one_for_all_levels_or_one_for_each() {
    // Each recording ends with a disconnect block of its own.
    assert_eq!(recorded(false), [("e1m1".to_owned(), 5)]);
    assert_eq!(recorded(true), [("e1m1".to_owned(), 3), ("e1m2".to_owned(), 3)]);
}

/// A client that connects again is recorded again, however soon. A duplicated request begins no second recording.
#[test]
fn a_new_connection_is_a_new_recording() {
    let (mut tape, mut cuts, mut now) = (SessionTape::new(true), Vec::new(), Duration::ZERO);
    let mut pass = |way, datagrams: &[&[u8]]| {
        for datagram in datagrams {
            now += Duration::from_millis(100);
            tape.take_datagram(way, datagram, now, &mut cuts);
        }
    };
    let packet = |sequence, body: &[u8]| {
        let mut datagram = Vec::new();
        Packet::Reliable { sequence, last: true, body }.write(&mut datagram);
        datagram
    };
    let (connect, accept) = (b"\x80\0\0\x0c\x01QUAKE\0\x03", b"\x80\0\0\x09\x81\x90\x65\0\0");
    for _ in 0..2 {
        pass(Direction::Up, &[connect, connect]);
        pass(Direction::Down, &[accept, accept, &packet(0, &serverinfo("e1m1"))]);
        pass(Direction::Up, &[&packet(0, b"\x01")]);
        pass(Direction::Down, &[&packet(1, &[7, 0, 0, 0x80, 0x3f]), accept]);
        pass(Direction::Up, &[&packet(1, b"\x01"), &packet(2, b"\x01"), &packet(3, b"\x01")]);
    }
    tape.close(&mut cuts);
    let begun = cuts.iter().filter(|cut| matches!(cut, Cut::Begin(_))).count();
    let blocks = cuts.iter().filter(|cut| matches!(cut, Cut::Bytes(_))).count();
    assert_eq!((begun, blocks), (2, 2 * 4), "a header, two blocks and an end, twice");
}

#[test]
fn protocols_that_cannot_be_recorded_give_a_notice() {
    let notices = |text: &str| {
        let (mut tape, mut cuts) = (SessionTape::new(true), Vec::new());
        let datagram = [b"\xff\xff\xff\xff", text.as_bytes()].concat();
        tape.take_datagram(Direction::Up, &datagram, Duration::ZERO, &mut cuts);
        cuts
    };
    assert_eq!(notices("connect 36 1 2 \"\""), [Cut::Notice(Notice::OtherProtocol)]);
    assert_eq!(notices("connect 34 1 2 \"\""), []);
    assert_eq!(notices("getchallenge\n"), []);
    // The level's first message has the protocol number of DarkPlaces. The handshake does not contain it.
    for (protocol, expected) in [(15_i32, 0), (3504, 0), (3503, 1)] {
        let (mut tape, mut cuts, mut datagram) = (SessionTape::new(true), Vec::new(), Vec::new());
        let mut body = serverinfo("e1m1");
        body[1..5].copy_from_slice(&protocol.to_le_bytes());
        Packet::Reliable { sequence: 0, last: true, body: &body }.write(&mut datagram);
        for (way, datagram) in [
            (Direction::Up, &b"\x80\0\0\x0c\x01QUAKE\0\x03"[..]),
            (Direction::Down, b"\xff\xff\xff\xffaccept"),
            (Direction::Down, &datagram),
        ] {
            tape.take_datagram(way, datagram, Duration::ZERO, &mut cuts);
        }
        let said = cuts.iter().filter(|cut| **cut == Cut::Notice(Notice::DarkPlaces)).count();
        assert_eq!(said, expected, "{protocol}");
    }
}

/// A message that only keeps the connection alive is recorded only for `DarkPlaces`, as its own `record` does. It is
/// recognized by its greeting, which has no line break.
#[test]
fn only_darkplaces_records_signs_of_life() {
    for (greeting, expected) in [("getchallenge", 1), ("getchallenge\n", 0)] {
        let (mut tape, mut cuts) = (SessionTape::new(true), Vec::new());
        let greeting = [b"\xff\xff\xff\xff", greeting.as_bytes()].concat();
        let mut pass = |way, datagram: &[u8]| tape.take_datagram(way, datagram, Duration::ZERO, &mut cuts);
        pass(Direction::Up, b"\x80\0\0\x0c\x01QUAKE\0\x03");
        pass(Direction::Up, &greeting);
        for (sequence, body) in (0..).zip([&serverinfo("e1m1")[..], &[7, 0, 0, 0x80, 0x3f], b"\x01"]) {
            let mut datagram = Vec::new();
            Packet::Reliable { sequence, last: true, body }.write(&mut datagram);
            pass(Direction::Down, &datagram);
        }
        let count = cuts
            .iter()
            .filter(|cut| matches!(cut, Cut::Bytes(it) if it.ends_with(b"\x01") && it.len() == 17))
            .count();
        assert_eq!(count, expected, "{greeting:?}");
    }
}

/// `DarkPlaces` reads the packets that have arrived and then sends its move, with the time of an older frame: the
/// newest frame has the angles of that move. Other clients send their move first.
#[test]
fn a_frame_has_the_angles_with_which_it_was_read() {
    const OTHER_GREETING: &str = "getchallenge\n";
    for (greeting, clock, expected) in [
        ("getchallenge", 2.5, [-90.0_f32, -90.0]),
        ("getchallenge", 2.0, [-90.0, -90.0]),
        (OTHER_GREETING, 2.0, [0.0, 270.0]),
        // A client that has not read the second frame when it sends this move, and reads both frames before the next
        // move.
        (OTHER_GREETING, 1.0, [270.0, 270.0]),
    ] {
        let (mut tape, mut cuts) = (SessionTape::new(true), Vec::new());
        let greeting = [b"\xff\xff\xff\xff", greeting.as_bytes()].concat();
        let mut pass = |way, datagram: &[u8]| tape.take_datagram(way, datagram, Duration::ZERO, &mut cuts);
        pass(Direction::Up, &greeting);
        pass(Direction::Up, b"\x80\0\0\x0c\x01QUAKE\0\x03");
        let unreliable = |sequence, body: &[u8]| {
            let mut datagram = Vec::new();
            Packet::Unreliable { sequence, body }.write(&mut datagram);
            datagram
        };
        let frame = |time: f32| [&[7], &time.to_le_bytes()[..]].concat();
        // The yaw has one byte.
        let a_move = |echo: f32, yaw: u8| [&[3], &echo.to_le_bytes()[..], &[0, yaw, 0], &[0; 8]].concat();
        pass(Direction::Down, &unreliable(0, &serverinfo("e1m1")));
        pass(Direction::Down, &unreliable(1, &frame(1.0)));
        pass(Direction::Up, &unreliable(0, &a_move(1.0, 0)));
        pass(Direction::Down, &unreliable(2, &frame(2.0)));
        pass(Direction::Down, &unreliable(3, &frame(3.0)));
        // The clock of DarkPlaces often still shows the last frame but one when the last was just read, and it never
        // passes the last.
        pass(Direction::Up, &unreliable(1, &a_move(clock, 192)));
        pass(Direction::Up, &unreliable(2, &a_move(3.0, 128)));
        tape.close(&mut cuts);
        let yaws = |time: f32| {
            cuts.iter().find_map(|cut| match cut {
                Cut::Bytes(block) if block.ends_with(&frame(time)) => {
                    Some(f32::from_le_bytes(block[8..12].try_into().unwrap()))
                }
                _ => None,
            })
        };
        let found = [2.0, 3.0].map(|time| yaws(time).unwrap().to_bits());
        assert_eq!(found, expected.map(f32::to_bits), "{greeting:?} {clock}");
    }
}

/// The word with which `DarkPlaces`' server answers is not a number of Quake II, and passes unchanged.
#[test]
fn only_numbers_are_challenges() {
    assert_eq!(moviola_net::quake2::plain_challenge(b"\xff\xff\xff\xffchallenge 4Kz;8xyabcd"), None);
    assert!(moviola_net::quake2::plain_challenge(b"\xff\xff\xff\xffchallenge 4").is_some());
}
