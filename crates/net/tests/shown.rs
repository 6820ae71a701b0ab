//! A recording that is served and recorded again is the same recording, even over a bad line.
//!
//! Server, line, client and tape run on a clock of the test's own. The line loses, doubles and reorders
//! packets; the tape is on the client's side of it, as the proxy is.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

use moviola_format::{Context, Demo, Game, Messages, Piece, Quake, dem};
use moviola_net::netquake::{Delivered, Incoming, NetQuakeViewer, Outgoing, Packet};
use moviola_net::quake2::{Head, Quake2Viewer};
use moviola_net::show::Playlist;
use moviola_net::{Cut, First, Tape, Way, netquake::DemTape, quake2::Dm2Tape};
use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::time::Duration;

const STEP: Duration = Duration::from_millis(5);

struct One(Vec<u8>);

impl Playlist for One {
    fn len(&self) -> usize {
        1
    }
    fn title(&self, _: usize) -> String {
        "one".into()
    }
    fn map(&self, _: usize) -> String {
        String::new()
    }
    fn open(&self, _: usize, _: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Cursor::new(self.0.clone())))
    }
}

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

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap()
}

fn file(cuts: &[Cut]) -> Vec<u8> {
    let bytes =
        cuts.iter().filter_map(|cut| if let Cut::Bytes(bytes) = cut { Some(&bytes[..]) } else { None });
    bytes.flatten().copied().collect()
}

fn bodies(file: &[u8]) -> Vec<Vec<u8>> {
    let (mut demo, mut bodies) = (Demo::new(file).unwrap(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            bodies.push(block.data.to_vec());
        }
    }
    bodies
}

/// A NetQuake client as a server sees it: it acknowledges, and answers each signon stage of a level's
/// beginning.
fn watch_quake(recording: Vec<u8>, loss: u32, minutes: u64) -> Vec<u8> {
    let playlist = One(recording);
    let mut viewer = NetQuakeViewer::new(Duration::ZERO);
    let (mut down, mut up) = (Line::new(loss), Line::new(loss));
    let (mut incoming, mut outgoing, mut context) =
        (Incoming::default(), Outgoing::default(), Context::quake());
    let (mut tape, mut cuts) = (DemTape::new(true), Vec::new());
    outgoing.queue(b"\x01");
    let mut now = Duration::ZERO;
    while now < Duration::from_secs(60 * minutes) && !cuts.contains(&Cut::End) {
        now += STEP;
        let mut datagram = Vec::new();
        if outgoing.due(now, &mut datagram) {
            tape.hear(Way::Up, &datagram, now, &mut cuts);
            up.send(&datagram);
        }
        while let Some(datagram) = up.arrived.pop_front() {
            let mut reply = Vec::new();
            viewer.receive(&datagram, now, &mut reply);
            if !reply.is_empty() {
                down.send(&reply);
            }
        }
        viewer.tick(&playlist, now, &mut |datagram| down.send(datagram));
        while let Some(datagram) = down.arrived.pop_front() {
            tape.hear(Way::Down, &datagram, now, &mut cuts);
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
fn watch_quake2(recording: Vec<u8>, loss: u32) -> Vec<u8> {
    let playlist = One(recording);
    let mut viewer = Quake2Viewer::new(Duration::ZERO);
    let (mut down, mut up) = (Line::new(loss), Line::new(loss));
    let (mut tape, mut cuts) = (Dm2Tape::new(true), Vec::new());
    // The client's own reliable packets: its sequence number, the parity of the last one sent, the packet in
    // flight.
    let (mut sequence, mut odd_out, mut flight) = (0, false, None::<(u32, Vec<u8>)>);
    let mut words: VecDeque<Vec<u8>> = [b"\x04new\0".to_vec()].into();
    let (mut last_in, mut odd_in) = (0, false);
    let mut now = Duration::ZERO;
    while now < Duration::from_mins(2) {
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
            tape.hear(Way::Up, &datagram, now, &mut cuts);
            up.send(&datagram);
        }
        while let Some(datagram) = up.arrived.pop_front() {
            viewer.receive(&datagram, now);
        }
        viewer.tick(&playlist, now, &mut |datagram| down.send(datagram));
        while let Some(datagram) = down.arrived.pop_front() {
            tape.hear(Way::Down, &datagram, now, &mut cuts);
            let (head, body) = Head::parse(&datagram, Way::Down).unwrap();
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

#[test]
fn a_quake_recording_comes_back() {
    for name in ["qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem", "quake1.07_DM1.dem"] {
        let recording = sample(name);
        let expected = bodies(&recording);
        assert_eq!(bodies(&watch_quake(recording, 0, 5)), expected, "{name}");
    }
}

/// A bad line may lose frames, as in a game; reliable messages all arrive, in order.
#[test]
fn over_a_bad_line_nothing_is_wrong_and_nothing_reliable_is_lost() {
    let recording = sample("qs_15_lq_e0m9.dem");
    let expected = bodies(&recording);
    let served = bodies(&watch_quake(recording, 20, 10));
    assert!(served.len() > expected.len() * 8 / 10, "{} of {}", served.len(), expected.len());
    let mut all = expected.iter();
    let mut kept = Vec::new();
    for body in &served {
        let at = all.by_ref().position(|it| it == body);
        assert!(at.is_some(), "a block that the recording has not, or out of its order: {body:?}");
        kept.push(body);
    }
    let is_reliable = |body: &&Vec<u8>| {
        let mut messages = Messages::<Quake>::new(body, Context::quake());
        !messages.any(|entry| matches!(entry.message, dem::Message::Time(_)))
    };
    let reliable: Vec<_> = expected.iter().filter(is_reliable).collect();
    assert_eq!(kept.into_iter().filter(is_reliable).collect::<Vec<_>>(), reliable);
}

#[test]
fn a_quake2_recording_comes_back_over_a_bad_line_too() {
    let recording = sample("yq_sp.dm2");
    for loss in [0, 20] {
        assert_eq!(watch_quake2(recording.clone(), loss), recording, "1 in {loss} lost");
    }
}

#[test]
fn a_recording_says_its_game_and_level() {
    let first = |name| First::of(&sample(name)[..]).unwrap();
    let quake = first("qs_15_lq_e0m9.dem").unwrap();
    assert_eq!((quake.game, &quake.map[..]), (Game::Quake, "lq_e0m9"));
    let quake2 = first("yq_sp.dm2").unwrap();
    assert_eq!((quake2.game, &quake2.map[..], quake2.is_players), (Game::Quake2, "oracle2", true));
    assert_eq!(First::of(&b"no recording at all"[..]).unwrap(), None);
}
