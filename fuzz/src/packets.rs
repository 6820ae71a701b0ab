//! The fuzz target `packets`.

use moviola_net::http::PageRequest;
use moviola_net::netquake::{self, DemTape, Packet};
use moviola_net::proxy::forms;
use moviola_net::qtv::{Broadcast, ViewerRequest, begins, command};
use moviola_net::quake2::{Dm2Tape, Head, plain_challenge};
use moviola_net::quakeworld::QwdTape;
use moviola_net::{Direction, Protocol, Tape};
use std::time::Duration;

/// Any bytes as packets, each after two bytes that select a reader and the packet's length. Each packet is read by
/// itself, by every parser of packets, and by the selected tape or end of a broadcast. This is fast, so many are tried;
/// `datagrams` tries whole sessions. A packet is written back unchanged, except bytes after an acknowledgment. A packet
/// that the proxy rewrites does not become much longer.
pub fn packets(bytes: &[u8]) {
    let mut rest = bytes;
    while let Some(([choice, length], after)) = rest.split_first_chunk::<2>() {
        let (one, next) = after.split_at(after.len().min(usize::from(*length)));
        rest = next;
        packet(*choice, one);
    }
}

fn packet(choice: u8, packet: &[u8]) {
    for way in [Direction::Down, Direction::Up] {
        Protocol::of(way, packet);
        if let Some((head, body)) = Head::parse(packet, way) {
            let mut again = Vec::with_capacity(packet.len());
            head.write(&mut again);
            again.extend_from_slice(body);
            assert_eq!(again, packet);
        }
    }
    plain_challenge(packet);
    for form in forms(packet) {
        assert!(form.len() <= packet.len() + 32, "{} bytes became {}", packet.len(), form.len());
    }
    if let Some(parsed) = Packet::parse(packet).filter(|it| !matches!(it, Packet::Control(_))) {
        let mut again = Vec::with_capacity(packet.len());
        parsed.write(&mut again);
        if matches!(parsed, Packet::Ack { .. }) {
            assert_eq!(Packet::parse(&again), Some(parsed));
        } else {
            assert_eq!(again, packet);
        }
        if let Packet::Reliable { body, .. } | Packet::Unreliable { body, .. } = parsed {
            netquake::moves(body).count();
        }
    }
    let way = if choice & 1 == 0 { Direction::Down } else { Direction::Up };
    match choice >> 1 & 3 {
        0 => tape(&mut DemTape::new(true), &[], way, packet),
        1 => tape(&mut QwdTape::new(true), &[b"\xff\xff\xff\xffj"], way, packet),
        2 => tape(&mut Dm2Tape::new(true), &[], way, packet),
        _ if way == Direction::Up => {
            let _ = ViewerRequest::read(&mut &*packet);
            let _ = command(&mut &*packet);
            let _ = PageRequest::read(packet).map(|it| it.is_meant_for(([127, 0, 0, 1], 80).into()));
        }
        _ => {
            let _ = begins(&mut &*packet);
            Broadcast::parse(&String::from_utf8_lossy(packet));
        }
    }
}

/// Gives the packet to a tape, after some other packets of the server.
fn tape(tape: &mut dyn Tape, before: &[&[u8]], way: Direction, packet: &[u8]) {
    let mut cuts = Vec::new();
    for packet in before {
        tape.take_datagram(Direction::Down, packet, Duration::ZERO, &mut cuts);
    }
    tape.take_datagram(way, packet, Duration::ZERO, &mut cuts);
    tape.close(&mut cuts);
}
