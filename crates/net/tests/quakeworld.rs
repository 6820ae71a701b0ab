//! Recordings of QuakeWorld players are shown to a live client and recorded again, with the same messages.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::watch::watch_quakeworld;
use common::{One, client, lasting, packets, sample};
use moviola_edit::{WholeLists, rewrite};
use moviola_net::quakeworld::QwdTape;
use moviola_net::server::{Server, Settings};
use moviola_net::{Cut, Direction, Notice, Tape};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

const NAME: &str = "ez_duo_lqdm2.qwd";

/// The sample in the form for live clients: with whole lists of entities.
fn sample_with_whole_lists() -> Vec<u8> {
    let mut whole = Vec::new();
    rewrite(&sample(NAME)[..], &mut WholeLists::default(), &mut whole).unwrap();
    whole
}

fn for_minutes(minutes: u64) -> impl FnMut(Duration) -> bool {
    move |now| now < Duration::from_mins(minutes)
}

#[test]
fn a_recording_comes_back() {
    let recording = sample_with_whole_lists();
    let expected = packets(&recording);
    let served = packets(&watch_quakeworld(&One(recording), 0, &[], for_minutes(2)));
    assert!(served.len() * 10 > expected.len() * 9, "{} of {} packets", served.len(), expected.len());
    assert!(served.concat() == expected.concat(), "other messages");
}

#[test]
fn over_a_bad_line_nothing_that_lasts_is_lost() {
    let recording = sample_with_whole_lists();
    let expected = packets(&recording);
    let served = packets(&watch_quakeworld(&One(recording), 20, &[], for_minutes(2)));
    assert!(served.len() * 10 > expected.len() * 7, "{} of {} packets", served.len(), expected.len());
    let (expected, got) = (lasting(&expected), lasting(&served));
    assert!(expected.len() > 100);
    assert!(got == expected, "{} of {} messages that last", got.len(), expected.len());
}

/// A viewer who asks for another moment connects anew, and gets the level's beginning once more.
#[test]
fn a_viewer_begins_again() {
    let recording = sample_with_whole_lists();
    let says = [(Duration::from_secs(6), "say .play 1"), (Duration::from_secs(8), "say .pause")];
    let served = packets(&watch_quakeworld(&One(recording), 0, &says, for_minutes(1)));
    let begins = served.iter().filter(|it| it.first() == Some(&11)).count();
    assert_eq!(begins, 2, "the level's beginnings");
    assert!(served.iter().any(|it| it.windows(2).any(|it| it == [24, 1])), "no pause");
}

/// If there are recordings of Quake II too, a client finds its game by asking twice; and nothing is downloaded.
#[test]
fn a_client_finds_its_game() {
    let [quake, quake2, quakeworld] =
        [Vec::new(), sample("yq_sp.dm2"), sample_with_whole_lists()].map(|it| Box::new(One(it)) as Box<_>);
    let listen = "127.0.0.1:0".parse().unwrap();
    let settings = Settings { listen, name: "Moviola".into(), viewers: 4, quake, quake2, quakeworld };
    let server = Server::bind(settings).unwrap();
    let (address, stop) = (server.address().unwrap(), server.stop_flag());
    let running = thread::spawn(move || server.run().unwrap());
    let (socket, mut buffer) = (client(address, Duration::from_secs(5)), [0; 2048]);
    let mut ask = |request: &str| {
        socket.send(&[b"\xff\xff\xff\xff", request.as_bytes()].concat()).unwrap();
        let length = socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[4..length]).into_owned()
    };
    assert!(ask("getchallenge\n").starts_with("challenge "));
    // A client of QuakeWorld reads this as the number 0.
    let challenge = ask("connect 28 9 0 \"\\name\\me\"\n");
    let number = challenge.strip_prefix('c').unwrap().trim_end_matches('\0');
    assert_eq!(ask(&format!("connect 28 9 {number} \"\\name\\me\"\n")), "j");
    let packet = [&b"\x01\0\0\x80\0\0\0\0\x09\0"[..], b"\x04download maps/a.bsp\0"].concat();
    socket.send(&packet).unwrap();
    let length = socket.recv(&mut buffer).unwrap();
    assert_eq!(&buffer[8..length], b"\x29\xff\xff\0", "no file");
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

/// If the beginning of a connection was not recorded, the rest cannot be read. So a recording that is started in the
/// middle begins with the next connection.
#[test]
fn a_tape_started_in_mid_game_begins_with_the_next_connection() {
    let (mut tape, mut cuts) = (QwdTape::new(false), Vec::new());
    let pass = |number: u32, tape: &mut QwdTape, cuts: &mut Vec<Cut>| {
        let head = [number.to_le_bytes(), 0_u32.to_le_bytes()].concat();
        let datagram = [&head[..], b"\x09fullserverinfo \"\\map\\lqdm2\"\n\0"].concat();
        tape.take_datagram(Direction::Down, &datagram, Duration::ZERO, cuts);
    };
    let connect = |tape: &mut QwdTape, cuts: &mut Vec<Cut>| {
        for (way, text) in [(Direction::Up, "getchallenge\n"), (Direction::Down, "j")] {
            let datagram = [b"\xff\xff\xff\xff", text.as_bytes()].concat();
            tape.take_datagram(way, &datagram, Duration::ZERO, cuts);
        }
    };
    connect(&mut tape, &mut cuts);
    pass(1, &mut tape, &mut cuts);
    tape.start(&mut cuts);
    pass(2, &mut tape, &mut cuts);
    assert_eq!(std::mem::take(&mut cuts), [Cut::Notice(Notice::NextConnection)]);
    connect(&mut tape, &mut cuts);
    pass(1, &mut tape, &mut cuts);
    assert!(
        matches!(&cuts[..], [Cut::Begin(title), Cut::Bytes(_), Cut::Bytes(_)] if title.map == "lqdm2"),
        "{cuts:?}"
    );
}
