//! Clients that watch a recording, as a server sees them: they run on a clock of the test's own, over a line that
//! loses, doubles and reorders packets, with a tape on the client's side of it, where the proxy is.

use super::{CONNECT, client};
use moviola_format::{Context, Messages, Quake, dem};
use moviola_net::netquake::{Delivered, DemTape, Incoming, NetQuakeViewer, Outgoing, Packet};
use moviola_net::quake2::{Dm2Tape, Head, Quake2Viewer};
use moviola_net::show::Playlist;
use moviola_net::{Cut, Direction, Tape};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

pub(crate) const STEP: Duration = Duration::from_millis(5);

/// A line that loses one packet in `loss`, doubles one in 16 and lets one in 16 wait for the next.
struct Line {
    loss: u32,
    random: u32,
    waiting: Option<Vec<u8>>,
    arrived: VecDeque<Vec<u8>>,
}

impl Line {
    fn new(loss: u32) -> Self {
        Self { loss, random: 1, waiting: None, arrived: VecDeque::new() }
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.random >> 16).is_multiple_of(count)
    }

    fn send(&mut self, datagram: &[u8]) {
        if self.loss == 0 {
            return self.arrived.push_back(datagram.to_vec());
        }
        if self.one_in(self.loss) {
            return;
        }
        if self.waiting.is_none() && self.one_in(16) {
            self.waiting = Some(datagram.to_vec());
            return;
        }
        self.arrived.push_back(datagram.to_vec());
        if self.one_in(16) {
            self.arrived.push_back(datagram.to_vec());
        }
        self.arrived.extend(self.waiting.take());
    }
}

fn file(cuts: &[Cut]) -> Vec<u8> {
    let bytes =
        cuts.iter().filter_map(|cut| if let Cut::Bytes(bytes) = cut { Some(&bytes[..]) } else { None });
    bytes.flatten().copied().collect()
}

/// A NetQuake client as a server sees it: it acknowledges, and answers each signon stage of a level's
/// beginning.
///
/// It watches while `goes_on`, which is asked at each step of the clock; returns what the tape recorded.
pub(crate) fn watch_quake(
    playlist: &dyn Playlist,
    loss: u32,
    mut goes_on: impl FnMut(Duration) -> bool,
) -> Vec<u8> {
    let mut viewer = NetQuakeViewer::new(Duration::ZERO);
    let (mut down, mut up) = (Line::new(loss), Line::new(loss));
    let (mut incoming, mut outgoing, mut context) =
        (Incoming::default(), Outgoing::default(), Context::quake());
    let (mut tape, mut cuts) = (DemTape::new(true), Vec::new());
    outgoing.queue(b"\x01");
    let mut now = Duration::ZERO;
    while goes_on(now) && !cuts.contains(&Cut::End) {
        now += STEP;
        let mut datagram = Vec::new();
        if outgoing.due(now, &mut datagram) {
            tape.take_datagram(Direction::Up, &datagram, now, &mut cuts);
            up.send(&datagram);
        }
        while let Some(datagram) = up.arrived.pop_front() {
            let mut reply = Vec::new();
            viewer.receive(&datagram, now, &mut reply);
            if !reply.is_empty() {
                down.send(&reply);
            }
        }
        viewer.tick(playlist, now, &mut |datagram| down.send(datagram));
        while let Some(datagram) = down.arrived.pop_front() {
            tape.take_datagram(Direction::Down, &datagram, now, &mut cuts);
            let packet = Packet::parse(&datagram).unwrap();
            match packet {
                Packet::Ack { sequence } => outgoing.acknowledged(sequence),
                Packet::Reliable { sequence, .. } => {
                    let mut ack = Vec::new();
                    Packet::Ack { sequence }.write(&mut ack);
                    up.send(&ack);
                }
                _ => {}
            }
            let Some(Delivered::Reliable(body) | Delivered::Unreliable(body)) = incoming.receive(&packet)
            else {
                continue;
            };
            let mut messages = Messages::<Quake>::new(body, context);
            for entry in messages.by_ref() {
                if let dem::Message::SignonNum(it) = entry.message {
                    let words: [&[u8]; 3] =
                        [b"\x04prespawn\0", b"\x04name \"player\"\n\0\x04spawn \0", b"\x04begin\0"];
                    outgoing.queue(words[usize::from(it.signon) - 1]);
                }
            }
            context = *messages.context();
        }
    }
    tape.close(&mut cuts);
    file(&cuts)
}

/// A Quake II client as a server sees it.
pub(crate) fn watch_quake2(
    playlist: &dyn Playlist,
    loss: u32,
    mut goes_on: impl FnMut(Duration) -> bool,
) -> Vec<u8> {
    let mut viewer = Quake2Viewer::new(Duration::ZERO);
    let (mut down, mut up) = (Line::new(loss), Line::new(loss));
    let (mut tape, mut cuts) = (Dm2Tape::new(true), Vec::new());
    // The client's own reliable packets: its sequence number, the parity of the last one sent, the packet in
    // flight.
    let (mut sequence, mut odd_out, mut flight) = (0, false, None::<(u32, Vec<u8>)>);
    let mut words: VecDeque<Vec<u8>> = [b"\x04new\0".to_vec()].into();
    let (mut last_in, mut odd_in) = (0, false);
    let mut now = Duration::ZERO;
    while goes_on(now) {
        now += STEP;
        if now.as_millis().is_multiple_of(20) {
            if flight.is_none()
                && let Some(word) = words.pop_front()
            {
                odd_out = !odd_out;
                flight = Some((0, word));
            }
            sequence += 1;
            let reliable = matches!(&flight, Some((0, _)));
            let head = Head { sequence, reliable, ack: last_in, ack_odd: odd_in, qport: Some(9) };
            let mut datagram = Vec::new();
            head.write(&mut datagram);
            if let Some((at @ 0, word)) = &mut flight {
                *at = sequence;
                datagram.extend(&*word);
            }
            tape.take_datagram(Direction::Up, &datagram, now, &mut cuts);
            up.send(&datagram);
        }
        while let Some(datagram) = up.arrived.pop_front() {
            viewer.receive(&datagram, now);
        }
        viewer.tick(playlist, now, &mut |datagram| down.send(datagram));
        while let Some(datagram) = down.arrived.pop_front() {
            tape.take_datagram(Direction::Down, &datagram, now, &mut cuts);
            let (head, body) = Head::parse(&datagram, Direction::Down).unwrap();
            if head.sequence <= last_in {
                continue;
            }
            last_in = head.sequence;
            odd_in ^= head.reliable;
            if let Some((at, _)) = &mut flight
                && head.ack >= *at
            {
                if head.ack_odd == odd_out {
                    flight = None;
                } else if head.ack > *at {
                    *at = 0;
                }
            }
            if body.windows(9).any(|window| window == b"precache ") {
                words.push_back(b"\x04begin 1\0".to_vec());
            }
        }
    }
    tape.close(&mut cuts);
    file(&cuts)
}

/// Watches a recording of NetQuake over a socket, until its end or until it says that another follows; returns the messages that are the recording's.
pub(crate) fn over_udp(server: SocketAddr) -> Vec<Vec<u8>> {
    let (socket, mut buffer, began) = (client(server, Duration::from_millis(20)), [0; 2048], Instant::now());
    let (mut incoming, mut outgoing, mut context) =
        (Incoming::default(), Outgoing::default(), Context::quake());
    let (mut seen, mut accepted) = (Vec::new(), false);
    outgoing.queue(b"\x01");
    while seen.last().is_none_or(|body| body != b"\x02" && body != b"\x09reconnect\n\0") {
        assert!(began.elapsed() < Duration::from_secs(100), "{} messages", seen.len());
        let mut datagram = Vec::new();
        if !accepted {
            socket.send(CONNECT).unwrap();
        } else if outgoing.due(began.elapsed(), &mut datagram) {
            socket.send(&datagram).unwrap();
        }
        let Ok(length) = socket.recv(&mut buffer) else { continue };
        let packet = Packet::parse(&buffer[..length]).unwrap();
        match packet {
            Packet::Control(_) => accepted = true,
            Packet::Ack { sequence } => outgoing.acknowledged(sequence),
            Packet::Reliable { sequence, .. } => {
                let mut ack = Vec::new();
                Packet::Ack { sequence }.write(&mut ack);
                socket.send(&ack).unwrap();
            }
            Packet::Unreliable { .. } => {}
        }
        let Some(Delivered::Reliable(body) | Delivered::Unreliable(body)) = incoming.receive(&packet) else {
            continue;
        };
        let mut messages = Messages::<Quake>::new(body, context);
        let mut is_turn = false;
        for entry in messages.by_ref() {
            is_turn = matches!(entry.message, dem::Message::SetAngle(_)) && body.len() == 4;
            if let dem::Message::SignonNum(it) = entry.message {
                let words: [&[u8]; 3] = [b"\x04prespawn\0", b"\x04spawn \0", b"\x04begin\0"];
                outgoing.queue(words[usize::from(it.signon) - 1]);
            }
        }
        context = *messages.context();
        if !is_turn {
            seen.push(body.to_vec());
        }
    }
    seen
}
