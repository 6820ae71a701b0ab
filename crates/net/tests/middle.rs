//! Recordings that start in the middle of a connection: they have everything that a viewer needs, as if they had begun
//! with the connection.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::{bodies, challenge, client, sample};
use moviola_format::{Context, Messages, Quake2, dm2};
use moviola_net::disk::Recorder;
use moviola_net::netquake::{self, DemTape};
use moviola_net::proxy::{Captured, Proxy, Settings};
use moviola_net::quake2::Head;
use moviola_net::{Cut, Direction, Tape};
use std::net::UdpSocket;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(5);
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
    crc as u8 ^ covered.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte))
}

/// The number of a block's frame, and whether it is complete in itself.
fn frame(body: &[u8]) -> Option<(i32, bool)> {
    Messages::<Quake2>::new(body, Context::quake2()).find_map(|entry| match entry.message {
        dm2::Message::FrameMessage(it) => Some((it.head.seq1, it.head.seq2 <= 0)),
        _ => None,
    })
}

/// Sends a level's beginning, then frames that build on earlier ones, and a whole frame only to a client that asks for
/// it.
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
    let (player, mut buffer, mut sequence) = (client(address, TIMEOUT), [0; 2048], 0);
    let request = format!("connect 34 9 {} \"\\name\\me\"\n", challenge(&player));
    player.send(&out_of_band(&request)).unwrap();
    player.recv(&mut buffer).unwrap();
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
    // Afterwards the client acknowledges its own frames again, and the server sends few whole frames.
    assert!(seen.iter().rev().take(10).all(|body| !frame(body).unwrap().1));
}

/// A `.dem` tape that is fed by hand.
struct Quake {
    tape: DemTape,
    cuts: Vec<Cut>,
    numbers: [u32; 2],
}

impl Quake {
    fn new(recording: bool) -> Self {
        Self { tape: DemTape::new(recording), cuts: Vec::new(), numbers: [0; 2] }
    }

    fn send(&mut self, way: Direction, body: &[u8]) {
        let (mut datagram, number) = (Vec::new(), &mut self.numbers[usize::from(way == Direction::Up)]);
        netquake::Packet::Reliable { sequence: *number, last: true, body }.write(&mut datagram);
        *number += 1;
        self.tape.take_datagram(way, &datagram, Duration::ZERO, &mut self.cuts);
    }

    /// The titles of the recordings so far, and the bytes of the last one.
    fn recorded(&self) -> (Vec<[&str; 2]>, Vec<u8>) {
        let (mut titles, mut file) = (Vec::new(), Vec::new());
        for cut in &self.cuts {
            match cut {
                Cut::Begin(title) => {
                    titles.push([&title.map[..], &title.player]);
                    file.clear();
                }
                Cut::Bytes(bytes) => file.extend(bytes),
                Cut::Ahead(_) | Cut::Withdraw | Cut::End | Cut::Notice(_) => {}
            }
        }
        (titles, file)
    }
}

const SERVERINFO: &[u8] = b"\x0b\x0f\0\0\0\x01\0a title\0maps/e1m1.bsp\0\0\0\x20\x02\x02\x19\x01";
const FRAME: &[u8] = b"\x07\0\0\0\x40";

#[test]
fn a_recording_of_quake_has_the_state_at_its_start() {
    let mut quake = Quake::new(false);
    let stat = |index: u8, value: i32| [&[3, index][..], &value.to_le_bytes()].concat();
    quake.send(Direction::Down, SERVERINFO);
    quake.send(Direction::Down, b"\x19\x02");
    let signon =
        [stat(11, 4), stat(12, 9), stat(13, 0), stat(14, 5), b"\x0d\0me\0\x0c\x03ab\0\x19\x03".to_vec()];
    quake.send(Direction::Down, &signon.concat());
    // Two monsters are killed, a secret is found, other music plays, a player scores, and the game is paused.
    quake.send(Direction::Down, b"\x1b\x1b\x1c\x20\x07\x07\x0e\0\x03\0\x0c\x03z\0\x18\x01");
    quake.tape.start(&mut quake.cuts);
    quake.send(Direction::Down, FRAME);
    let (_, file) = quake.recorded();
    let state = bodies(&file)[2].clone();
    let has = |message: &[u8]| state.windows(message.len()).any(|window| window == message);
    for message in [stat(11, 4), stat(12, 9), stat(13, 1), stat(14, 7)] {
        assert!(has(&message), "{message:?} in {state:?}");
    }
    assert!(has(b"\x20\x07\x07") && has(b"\x18\x01") && has(b"\x0d\0me\0") && has(b"\x0e\0\x03\0"));
    assert!(has(b"\x0c\x03z\0") && !has(b"\x0c\x03ab\0") && state.ends_with(b"\x19\x03"));
}

#[test]
fn a_start_while_the_level_loads_is_not_lost() {
    let mut quake = Quake::new(false);
    quake.send(Direction::Down, SERVERINFO);
    quake.tape.start(&mut quake.cuts);
    quake.send(Direction::Down, b"\x19\x02");
    quake.send(Direction::Down, FRAME);
    let (titles, file) = quake.recorded();
    assert_eq!(
        (titles, bodies(&file)),
        (vec![["e1m1", ""]], vec![SERVERINFO.into(), b"\x19\x02".into(), FRAME.into()])
    );
}

/// The player's name arrives after the level's first messages, and texts may arrive before them.
#[test]
fn a_file_has_the_names_of_its_level_and_player() {
    let mut quake = Quake::new(true);
    quake.send(Direction::Down, b"\x08a menu\n\0");
    quake.send(Direction::Down, SERVERINFO);
    quake.send(Direction::Up, b"\x04prespawn\0");
    assert!(quake.recorded().0.is_empty());
    quake.send(Direction::Down, b"\x19\x02");
    quake.send(Direction::Up, b"\x04name \"me\"\n\0\x04color 1 2\n\0\x04spawn \0");
    quake.send(Direction::Down, FRAME);
    let (titles, file) = quake.recorded();
    assert_eq!((titles, bodies(&file).len()), (vec![["e1m1", "me"]], 4));
}
