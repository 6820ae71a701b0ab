//! Simulated clients that watch a recording. They run on a simulated clock, over a line that loses, duplicates and
//! reorders packets. A tape on the client's side of the line records what arrives, as the proxy would.

use super::{CONNECT, client};
use moviola_format::{Context, Messages, Quake, QuakeWorld, dem, qw};
use moviola_net::netquake::{Control, Delivered, DemTape, Incoming, NetQuakeViewer, Outgoing, Packet};
use moviola_net::quake2::{Dm2Tape, Head, Quake2Viewer};
use moviola_net::quakeworld::{QuakeWorldViewer, QwdTape};
use moviola_net::show::Playlist;
use moviola_net::{Cut, Direction, Tape};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

pub(crate) const STEP: Duration = Duration::from_millis(5);

/// A line that loses one packet in `loss`, duplicates one in 16 and delivers one in 16 after the next.
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

/// A NetQuake client as a server sees it: it acknowledges, and answers each signon stage of a level's beginning.
///
/// It watches as long as `goes_on` returns true, which is called at each step of the clock. Returns the bytes that the
/// tape recorded.
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

/// The reliable commands of a client of Quake II or QuakeWorld, sent one at a time.
#[derive(Default)]
struct Words {
    /// The number of the client's last packet.
    sequence: u32,
    /// The parity of the last word that was sent, and the word in flight with the number of its packet.
    odd_out: bool,
    flight: Option<(u32, Vec<u8>)>,
    queue: VecDeque<Vec<u8>>,
    last_in: u32,
    odd_in: bool,
}

impl Words {
    fn new(first: &[u8]) -> Self {
        Self { queue: [first.to_vec()].into(), ..Self::default() }
    }

    fn packet(&mut self) -> Vec<u8> {
        if self.flight.is_none()
            && let Some(word) = self.queue.pop_front()
        {
            self.odd_out = !self.odd_out;
            self.flight = Some((0, word));
        }
        self.sequence += 1;
        let reliable = matches!(&self.flight, Some((0, _)));
        let (sequence, ack, ack_odd) = (self.sequence, self.last_in, self.odd_in);
        let mut datagram = Vec::new();
        Head { sequence, reliable, ack, ack_odd, qport: Some(9) }.write(&mut datagram);
        if let Some((at @ 0, word)) = &mut self.flight {
            *at = sequence;
            datagram.extend(&*word);
        }
        datagram
    }

    /// The messages of a packet, if it is newer than all packets before.
    fn receive<'d>(&mut self, datagram: &'d [u8]) -> Option<&'d [u8]> {
        let (head, body) = Head::parse(datagram, Direction::Down).unwrap();
        if head.sequence <= self.last_in {
            return None;
        }
        self.last_in = head.sequence;
        self.odd_in ^= head.reliable;
        if let Some((at, _)) = &mut self.flight
            && head.ack >= *at
        {
            if head.ack_odd == self.odd_out {
                self.flight = None;
            } else if head.ack > *at {
                *at = 0;
            }
        }
        Some(body)
    }
}

/// A Quake II client as a server sees it.
pub(crate) fn watch_quake2(
    playlist: &dyn Playlist,
    loss: u32,
    goes_on: impl FnMut(Duration) -> bool,
) -> Vec<u8> {
    get_quake2(playlist, loss, goes_on).0
}

/// Like [`watch_quake2`], but also returns the bodies of all packets that the client received.
pub(crate) fn get_quake2(
    playlist: &dyn Playlist,
    loss: u32,
    mut goes_on: impl FnMut(Duration) -> bool,
) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut viewer = Quake2Viewer::new(Duration::ZERO);
    let (mut down, mut up) = (Line::new(loss), Line::new(loss));
    let (mut tape, mut cuts, mut got) = (Dm2Tape::new(true), Vec::new(), Vec::new());
    let mut words = Words::new(b"\x04new\0");
    let mut now = Duration::ZERO;
    while goes_on(now) {
        now += STEP;
        if now.as_millis().is_multiple_of(20) {
            let datagram = words.packet();
            tape.take_datagram(Direction::Up, &datagram, now, &mut cuts);
            up.send(&datagram);
        }
        while let Some(datagram) = up.arrived.pop_front() {
            viewer.receive(&datagram, now);
        }
        viewer.tick(playlist, now, &mut |datagram| down.send(datagram));
        while let Some(datagram) = down.arrived.pop_front() {
            tape.take_datagram(Direction::Down, &datagram, now, &mut cuts);
            let Some(body) = words.receive(&datagram) else { continue };
            got.push(body.to_vec());
            if body.windows(9).any(|window| window == b"precache ") {
                words.queue.push_back(b"\x04begin 1\0".to_vec());
            }
        }
    }
    tape.close(&mut cuts);
    (file(&cuts), got)
}

/// Simulates a `QuakeWorld` client: it sends a hundred packets a second, and the commands that ask for each part of a
/// level's beginning. `says` are its chat lines, each with its time.
pub(crate) fn watch_quakeworld(
    playlist: &dyn Playlist,
    loss: u32,
    says: &[(Duration, &str)],
    mut goes_on: impl FnMut(Duration) -> bool,
) -> Vec<u8> {
    let mut viewer = QuakeWorldViewer::new(Duration::ZERO);
    let (mut down, mut up) = (Line::new(loss), Line::new(loss));
    let (mut tape, mut cuts) = (QwdTape::new(true), Vec::new());
    let (mut words, mut context, mut now) = (Words::new(b"\x04new\0"), Context::quakeworld(), Duration::ZERO);
    let line = |line: &str| [&[4], line.as_bytes(), &[0]].concat();
    tape.take_datagram(Direction::Down, b"\xff\xff\xff\xffj", now, &mut cuts);
    while goes_on(now) {
        now += STEP;
        words.queue.extend(says.iter().filter(|(at, _)| *at == now).map(|(_, it)| line(it)));
        if now.as_millis().is_multiple_of(10) {
            let datagram = words.packet();
            tape.take_datagram(Direction::Up, &datagram, now, &mut cuts);
            up.send(&datagram);
        }
        while let Some(datagram) = up.arrived.pop_front() {
            viewer.receive(&datagram, now);
        }
        viewer.tick(playlist, now, &mut |datagram| down.send(datagram));
        while let Some(datagram) = down.arrived.pop_front() {
            tape.take_datagram(Direction::Down, &datagram, now, &mut cuts);
            let Some(body) = words.receive(&datagram) else { continue };
            let mut messages = Messages::<QuakeWorld>::new(body, context);
            for entry in messages.by_ref() {
                let answer = match entry.message {
                    qw::Message::ServerData(_) => "soundlist 1 0",
                    qw::Message::SoundList(it) if it.list.next == Some(0) => "modellist 1 0",
                    qw::Message::ModelList(it) if it.list.next == Some(0) => "prespawn 1 0 7",
                    qw::Message::StuffText(it) if it.string.bytes().starts_with(b"cmd spawn") => "spawn 1 0",
                    qw::Message::StuffText(it) if it.string.bytes() == b"skins\n" => "begin 1",
                    // not from SCHEMA: a command of the console
                    qw::Message::StuffText(it) if it.string.bytes() == b"reconnect\n" => "new",
                    _ => continue,
                };
                words.queue.push_back(line(answer));
            }
            assert!(messages.fault().is_none() || loss > 0, "{:?}", messages.fault());
            context = *messages.context();
        }
    }
    tape.close(&mut cuts);
    file(&cuts)
}

/// Watches a recording of NetQuake over a socket, until the recording ends or the server announces another one. Returns
/// the recording's messages, each with the moment of its arrival.
pub(crate) fn timed_over_udp(server: SocketAddr) -> Vec<(Vec<u8>, Instant)> {
    let (socket, mut buffer, began) = (client(server, Duration::from_millis(20)), [0; 2048], Instant::now());
    let (mut incoming, mut outgoing, mut context) =
        (Incoming::default(), Outgoing::default(), Context::quake());
    let (mut seen, mut accepted) = (Vec::new(), false);
    outgoing.queue(b"\x01");
    let is_end = |(body, _): &(Vec<u8>, Instant)| body == b"\x02" || body == b"\x09reconnect\n\0";
    while !seen.last().is_some_and(is_end) {
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
            Packet::Control(Control::Accept { port, .. }) if !accepted => {
                accepted = true;
                socket.connect((server.ip(), u16::try_from(port).unwrap())).unwrap();
            }
            Packet::Ack { sequence } => outgoing.acknowledged(sequence),
            Packet::Reliable { sequence, .. } => {
                let mut ack = Vec::new();
                Packet::Ack { sequence }.write(&mut ack);
                socket.send(&ack).unwrap();
            }
            Packet::Control(_) | Packet::Unreliable { .. } => {}
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
            seen.push((body.to_vec(), Instant::now()));
        }
    }
    seen
}
