//! Recordings that start in the middle of a connection: they have all that a viewer needs, as if they had begun with it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::{bodies, client, sample};
use moviola_format::{Context, Messages, Quake2, dm2};
use moviola_net::disk::Recorder;
use moviola_net::proxy::{Captured, Proxy, Settings};
use moviola_net::{Direction, quake2::Head};
use std::net::UdpSocket;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(5);
const MOVE: u8 = 2;

fn out_of_band(text: &str) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text.as_bytes()].concat()
}

/// A packet of Quake II.
fn packet(way: Direction, sequence: u32, body: &[u8]) -> Vec<u8> {
    let qport = (way == Direction::Up).then_some(9);
    let mut packet = Vec::new();
    Head { sequence, reliable: false, ack: 0, ack_odd: false, qport }.write(&mut packet);
    packet.extend(body);
    packet
}

/// A client's move without input, which acknowledges a frame. Its checksum is right if the engines' table has only zeros.
fn a_move(last_frame: i32) -> Vec<u8> {
    let mut body = last_frame.to_le_bytes().to_vec();
    body.extend([0, 16, 0].repeat(3));
    body.splice(0..0, [MOVE, checksum(&body)]);
    body
}

fn checksum(covered: &[u8]) -> u8 {
    let mut crc = 0xffff_u16;
    for byte in covered.iter().chain(&[0; 4]) {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 };
        }
    }
    covered.iter().fold(crc as u8, |sum, _| sum) ^ covered.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte))
}

/// The number of a block's frame, and whether it builds on no other one.
fn frame(body: &[u8]) -> Option<(i32, bool)> {
    Messages::<Quake2>::new(body, Context::quake2()).find_map(|entry| match entry.message {
        dm2::Message::FrameMessage(it) => Some((it.head.seq1, it.head.seq2 <= 0)),
        _ => None,
    })
}

/// Sends a level's beginning, then frames that build on others, and a whole one only to who asks for it.
fn serve_quake2(socket: &UdpSocket) {
    let blocks = bodies(&sample("yq_sp.dm2"));
    let first = blocks.iter().position(|block| frame(block).is_some()).unwrap();
    let (mut buffer, mut sequence, mut at) = ([0; 2048], 0, 0);
    while let Ok((length, from)) = socket.recv_from(&mut buffer) {
        if let Some(text) = buffer[..length].strip_prefix(b"\xff\xff\xff\xff") {
            let answer = if text.starts_with(b"get") { "challenge 1" } else { "client_connect" };
            socket.send_to(&out_of_band(answer), from).unwrap();
            continue;
        }
        let body = &buffer[10..length];
        assert_eq!(body[1], checksum(&body[2..]), "a move whose checksum is wrong is not carried out");
        let asks = i32::from_le_bytes(body[2..6].try_into().unwrap()) <= 0;
        let block = if asks && at > first { &blocks[first] } else { &blocks[at] };
        (sequence, at) = (sequence + 1, (at + 1).min(blocks.len() - 1));
        socket.send_to(&packet(Direction::Down, sequence, block), from).unwrap();
    }
}

#[test]
fn a_recording_of_quake2_begins_at_once() {
    let folder = std::env::temp_dir().join(format!("moviola-middle-{}", std::process::id()));
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (listen, to) = ("127.0.0.1:0".parse().unwrap(), server.local_addr().unwrap());
    thread::spawn(move || serve_quake2(&server));
    let (copies, captured) = sync_channel(1024);
    let proxy = Proxy::bind(Settings { listen, server: to, clients: 1 }, copies.clone()).unwrap();
    let (address, handle) = (proxy.address().unwrap(), proxy.handle());
    let writer = Recorder::new(&folder.join("{map}"), false).through(proxy.handle());
    let writing = thread::spawn(move || writer.run(&captured, |_| {}));
    let running = thread::spawn(move || proxy.run().unwrap());
    let (player, mut buffer, mut sequence) = (client(address, PATIENCE), [0; 2048], 0);
    for request in ["getchallenge\n", "connect 34 9 1 \"\\name\\me\"\n"] {
        player.send(&out_of_band(request)).unwrap();
        player.recv(&mut buffer).unwrap();
    }
    let mut last_frame = -1;
    let mut play = || {
        sequence += 1;
        player.send(&packet(Direction::Up, sequence, &a_move(last_frame))).unwrap();
        let length = player.recv(&mut buffer).unwrap();
        last_frame = frame(&buffer[8..length]).map_or(last_frame, |(number, _)| number);
        buffer[8..length].to_vec()
    };
    for _ in 0..20 {
        play();
    }
    copies.send(Captured::Record).unwrap();
    let (began, path, mut seen) = (Instant::now(), folder.join("oracle2.dm2"), Vec::new());
    while !path.exists() {
        assert!(began.elapsed() < Duration::from_secs(1), "nothing is recorded");
        seen.push(play());
        thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..20 {
        seen.push(play());
    }
    handle.stop();
    running.join().unwrap();
    writing.join().unwrap();
    let recorded = bodies(&std::fs::read(path).unwrap());
    std::fs::remove_dir_all(&folder).unwrap();
    let first = recorded.iter().position(|body| frame(body).is_some()).unwrap();
    assert!(recorded[0].starts_with(b"\x0c") && recorded[first - 1].ends_with(b"precache\n\0"));
    assert!(frame(&recorded[first]).unwrap().1, "the first frame is whole");
    let rest = &recorded[first..];
    assert!(rest.len() > 20);
    assert_eq!(&seen[seen.len() - rest.len()..], rest);
    // The client has its own frames again, and not a whole one for each.
    assert!(seen.iter().rev().take(10).all(|body| !frame(body).unwrap().1));
}
