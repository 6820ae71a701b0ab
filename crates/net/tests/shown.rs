//! A recording that is served and recorded again is the same recording, even over a bad line.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::watch::{get_quake2, watch_quake, watch_quake2};
use common::{One, bodies, sample};
use moviola_format::{Block, Context, Demo, Game, Messages, Piece, Quake, dem};
use moviola_net::First;
use moviola_net::netquake::{Delivered, Incoming, NetQuakeViewer, Packet};
use moviola_net::show::Playlist;
use std::io::{self, Read};
use std::time::Duration;

fn for_minutes(minutes: u64) -> impl FnMut(Duration) -> bool {
    move |now| now < Duration::from_mins(minutes)
}

#[test]
fn a_quake_recording_comes_back() {
    for name in ["qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem", "quake1.07_DM1.dem"] {
        let recording = sample(name);
        let expected = bodies(&recording);
        assert_eq!(bodies(&watch_quake(&One(recording), 0, for_minutes(5))), expected, "{name}");
    }
}

/// A bad line may lose frames, as in a game; reliable messages all arrive, in order.
#[test]
fn over_a_bad_line_nothing_is_wrong_and_nothing_reliable_is_lost() {
    let recording = sample("qs_15_lq_e0m9.dem");
    let expected = bodies(&recording);
    let served = bodies(&watch_quake(&One(recording), 20, for_minutes(10)));
    assert!(served.len() > expected.len() * 8 / 10, "{} of {}", served.len(), expected.len());
    let mut all = expected.iter();
    let mut recorded = Vec::new();
    for body in &served {
        let at = all.by_ref().position(|it| it == body);
        assert!(at.is_some(), "a block that the recording has not, or out of its order: {body:?}");
        recorded.push(body);
    }
    let is_reliable = |body: &&Vec<u8>| {
        let mut messages = Messages::<Quake>::new(body, Context::quake());
        !messages.any(|entry| matches!(entry.message, dem::Message::Time(_)))
    };
    let reliable: Vec<_> = expected.iter().filter(is_reliable).collect();
    assert_eq!(recorded.into_iter().filter(is_reliable).collect::<Vec<_>>(), reliable);
}

#[test]
fn a_quake2_recording_comes_back_over_a_bad_line_too() {
    let recording = sample("yq_sp.dm2");
    for loss in [0, 20] {
        let served = watch_quake2(&One(recording.clone()), loss, for_minutes(2));
        assert_eq!(served, recording, "1 in {loss} lost");
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

/// A recording that was cut from the middle of another may have messages between its connection and its first frame,
/// which no later frame repeats.
#[test]
fn the_state_before_the_first_frame_is_not_lost() {
    let whole = sample("qs_15_lq_e0m9.dem");
    let (mut demo, mut recording, mut is_begun) = (Demo::new(&whole[..]).unwrap(), Vec::new(), false);
    let state = b"\x07\0\0\0\x40\x0c\x05abc\0";
    while let Some(piece) = demo.next_piece().unwrap() {
        if let (Piece::Block(block), false) = (&piece, is_begun)
            && block.data.starts_with(b"\x07")
        {
            let mut messages = Messages::<Quake>::new(block.data, Context::quake());
            if !messages.any(|entry| matches!(entry.message, dem::Message::SignonNum(_))) {
                is_begun = true;
                Piece::Block(Block::new(state)).write(Game::Quake, &mut recording).unwrap();
            }
        }
        piece.write(Game::Quake, &mut recording).unwrap();
    }
    for loss in 2..12 {
        let served = bodies(&watch_quake(&One(recording.clone()), loss, for_minutes(1)));
        assert!(served.iter().any(|body| body == state), "1 in {loss} lost");
    }
}

/// A playlist whose only recording is missing.
struct Gone;

impl Playlist for Gone {
    fn len(&self) -> usize {
        1
    }
    fn title(&self, _: usize) -> String {
        "gone.dem".into()
    }
    fn map(&self, _: usize) -> String {
        "e1m1".into()
    }
    fn open(&self, _: usize, _: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        Err(io::Error::other("gone.dem is gone"))
    }
}

#[test]
fn the_reason_why_nothing_is_shown_arrives_even_if_it_is_lost_at_first() {
    let (mut viewer, mut now) = (NetQuakeViewer::new(Duration::ZERO), Duration::ZERO);
    let mut hello = Vec::new();
    Packet::Reliable { sequence: 0, last: true, body: b"\x01" }.write(&mut hello);
    viewer.receive(&hello, now, &mut Vec::new());
    let (mut sent, mut incoming, mut seen) = (0, Incoming::default(), Vec::new());
    while !viewer.is_gone(now) && now < Duration::from_secs(30) {
        now += Duration::from_millis(50);
        let mut arrived = Vec::new();
        viewer.tick(&Gone, now, &mut |datagram| {
            sent += 1;
            // The first three get lost.
            if sent > 3 {
                arrived.push(datagram.to_vec());
            }
        });
        for datagram in arrived {
            let packet = Packet::parse(&datagram).unwrap();
            if let Some(Delivered::Reliable(body)) = incoming.receive(&packet) {
                seen.extend(body.to_vec());
            }
            if let Packet::Reliable { sequence, .. } = packet {
                let mut ack = Vec::new();
                Packet::Ack { sequence }.write(&mut ack);
                viewer.receive(&ack, now, &mut Vec::new());
            }
        }
    }
    // The client gets the reason and then a disconnect, so that the game does not wait for a level.
    assert_eq!(seen, b"\x08gone.dem is gone\n\0\x02");
    assert!(now < Duration::from_secs(20), "{now:?}");
}

/// Two recordings, so that the server offers a menu.
struct Two(Vec<u8>);

impl Playlist for Two {
    fn len(&self) -> usize {
        2
    }
    fn title(&self, number: usize) -> String {
        format!("{number} {}", "a name with ä and more signs than fit ".repeat(9))
    }
    fn map(&self, _: usize) -> String {
        "oracle2".into()
    }
    fn open(&self, _: usize, _: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(io::Cursor::new(self.0.clone())))
    }
}

#[test]
fn a_viewer_of_quake2_gets_the_menu() {
    let (_, got) = get_quake2(&Two(sample("yq_sp.dm2")), 0, for_minutes(1));
    let menu = b"\x0a\x03\n>  1 0 a name with ? and more";
    let is_menu = |body: &Vec<u8>| body.starts_with(menu) && body.len() < 300;
    assert_eq!(got.iter().filter(|body| is_menu(body)).count(), 1);
}
