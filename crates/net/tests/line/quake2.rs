//! Quake II: the blocks of a sample are sent as a server's packets, some of them with a reliable part.

use crate::{ask, number, session, socket};
use std::collections::VecDeque;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::time::{Duration, Instant};

const RELIABLE: u32 = 1 << 31;
const PERIOD: Duration = Duration::from_millis(3);
/// How often the server shows the sample's frames.
const ROUNDS: usize = 3;

fn blocks(mut file: &[u8]) -> Vec<Vec<u8>> {
    let mut blocks = Vec::new();
    while number(file, 0) != u32::MAX {
        let length = number(file, 0) as usize;
        blocks.push(file[4..4 + length].to_vec());
        file = &file[4 + length..];
    }
    blocks
}

/// The sample's blocks, and how many of them precede the first frame.
fn sample() -> (Vec<Vec<u8>>, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/yq_sp.dm2");
    let blocks = blocks(&std::fs::read(path).unwrap());
    let beginning = blocks.iter().position(|block| block.ends_with(b"precache\n\0")).unwrap() + 1;
    (blocks, beginning)
}

/// One side of a connection: packet numbers, acknowledgements, and one reliable part at a time.
#[derive(Default)]
struct Channel {
    out: u32,
    last_in: u32,
    odd_in: bool,
    odd_out: bool,
    queue: VecDeque<Vec<u8>>,
    /// The unacknowledged reliable part, and the number of the packet with it; 0 if it was not sent yet.
    flight: Option<(u32, Vec<u8>)>,
}

impl Channel {
    fn packet(&mut self, qport: &[u8], unreliable: &[u8]) -> Vec<u8> {
        if self.flight.is_none()
            && let Some(part) = self.queue.pop_front()
        {
            (self.odd_out, self.flight) = (!self.odd_out, Some((0, part)));
        }
        self.out += 1;
        let part = match &mut self.flight {
            Some((at @ 0, part)) => {
                *at = self.out;
                Some(&*part)
            }
            _ => None,
        };
        let bit = |set: bool| if set { RELIABLE } else { 0 };
        let mut packet = (self.out | bit(part.is_some())).to_le_bytes().to_vec();
        packet.extend((self.last_in | bit(self.odd_in)).to_le_bytes());
        packet.extend(qport);
        packet.extend(part.into_iter().flatten());
        packet.extend(unreliable);
        packet
    }

    /// Whether the packet is new.
    fn receive(&mut self, packet: &[u8]) -> bool {
        let (sequence, ack) = (number(packet, 0), number(packet, 4));
        if sequence & !RELIABLE <= self.last_in {
            return false;
        }
        self.last_in = sequence & !RELIABLE;
        self.odd_in ^= sequence & RELIABLE != 0;
        if let Some((at, _)) = &mut self.flight
            && *at != 0
            && ack & !RELIABLE >= *at
        {
            if (ack & RELIABLE != 0) == self.odd_out {
                self.flight = None;
            } else if ack & !RELIABLE > *at {
                *at = 0;
            }
        }
        true
    }
}

fn serve(socket: &UdpSocket, _: u16) {
    socket.set_read_timeout(Some(PERIOD)).unwrap();
    let (blocks, beginning) = sample();
    let mut channel = Channel::default();
    // The first frame is reliable too: the recording begins with it.
    channel.queue.extend(blocks[..=beginning].iter().cloned());
    let mut frames = blocks[beginning + 1..].iter().cycle().take(ROUNDS * blocks.len());
    let (mut buffer, mut client, mut last, mut count) = ([0; 2048], None, Instant::now(), 0_u32);
    loop {
        if let Ok((length, from)) = socket.recv_from(&mut buffer) {
            match &buffer[..length] {
                [0xff, 0xff, 0xff, 0xff, text @ ..] => {
                    let answer: &[u8] = if text.starts_with(b"getchallenge") {
                        b"\xff\xff\xff\xffchallenge 1234 p=34,35,36"
                    } else {
                        b"\xff\xff\xff\xffclient_connect"
                    };
                    socket.send_to(answer, from).unwrap();
                }
                [head @ .., _, _] if head.len() < 8 => {}
                // Between the head and the body is the client's number.
                datagram => {
                    client = Some(from);
                    channel.receive(datagram);
                    if datagram[10..].starts_with(b"\x04disconnect") {
                        return;
                    }
                }
            }
        }
        let Some(client) = client.filter(|_| last.elapsed() >= PERIOD) else { continue };
        last = Instant::now();
        let begun = channel.queue.is_empty();
        let mut frame = b"".to_vec();
        if begun && let Some(next) = frames.next() {
            count += 1;
            if count.is_multiple_of(10) {
                channel.queue.push_back(next.clone());
            } else {
                frame.clone_from(next);
            }
        }
        socket.send_to(&channel.packet(b"", &frame), client).unwrap();
    }
}

/// Plays until no packet has had a body for a while; returns the bodies.
fn play(proxy: SocketAddr) -> Vec<Vec<u8>> {
    let socket = socket(proxy, Duration::from_millis(2));
    let out_of_band = |text: &str| [b"\xff\xff\xff\xff", text.as_bytes()].concat();
    let number = ask(&socket, &out_of_band("getchallenge\n"), |answer| {
        // The proxy does not let the newer protocols be offered.
        let number = answer.strip_prefix(b"\xff\xff\xff\xffchallenge ")?.strip_suffix(b" p=34")?;
        Some(String::from_utf8_lossy(number).into_owned())
    });
    let connect = out_of_band(&format!("connect 34 9 {number} \"\\name\\me\"\n"));
    ask(&socket, &connect, |answer| (answer == b"\xff\xff\xff\xffclient_connect").then_some(()));
    let (mut channel, mut seen, mut buffer) = (Channel::default(), Vec::new(), [0; 2048]);
    channel.queue.push_back(b"\x04new\0".to_vec());
    let mut quiet = Instant::now();
    while quiet.elapsed() < Duration::from_millis(600) {
        socket.send(&channel.packet(b"\x09\0", b"")).unwrap();
        while let Ok(length) = socket.recv(&mut buffer) {
            let packet = &buffer[..length];
            if !packet.starts_with(&[0xff; 4]) && channel.receive(packet) && length > 8 {
                quiet = Instant::now();
                seen.push(packet[8..].to_vec());
            }
        }
    }
    for _ in 0..3 {
        socket.send(&channel.packet(b"\x09\0", b"\x04disconnect\0")).unwrap();
    }
    seen
}

#[test]
fn a_recording_has_what_the_client_saw() {
    let (seen, file) = session("quake2", serve, play);
    let (original, beginning) = sample();
    let first = seen.iter().position(|body| body.starts_with(&original[beginning])).unwrap();
    let played = &seen[first..];
    assert!(played.len() > original.len() * ROUNDS * 8 / 10, "{}", played.len());
    let recorded = blocks(&file);
    assert!(recorded.len() > played.len() && recorded[0].starts_with(b"\x0c"), "a beginning of its own");
    assert_eq!(&recorded[recorded.len() - played.len()..], played);
}
