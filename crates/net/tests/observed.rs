//! Observers of a recording that is still being written: they get the beginning of the level, a whole frame, and from
//! then on each block of the recording. Neither the players nor the recording are affected.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::watch::{timed_over_udp, watch_quake, watch_quake2, watch_quakeworld};
use common::{CONNECT, One, bodies, client, lasting, packets, sample};
use moviola_edit::{FromBlock, PieceSink as _, Stage, WholeLists, rewrite};
use moviola_format::{Block, Demo, Format, Game, Messages, Piece, Quake, Quake2, dem, dm2};
use moviola_net::disk::{FileEvent, Recorder};
use moviola_net::live::{GrowingRecording, Live};
use moviola_net::netquake::Packet;
use moviola_net::proxy::{self, Proxy};
use moviola_net::qtv::{self, Broadcast};
use moviola_net::server::{Server, Settings};
use moviola_net::show::Playlist;
use moviola_state::{Playhead, World, quake, quake2, quakeworld};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

/// The step of the clock of `watch_quake`, in real time, since threads do the reading.
const STEP: Duration = Duration::from_millis(5);

/// The same function as in `moviola record`.
fn join(growing: &mut GrowingRecording, first: u64, out: &mut dyn Write) -> io::Result<()> {
    if growing.format() != Format::Qwd {
        return pass(growing, &mut FromBlock::new(first, out));
    }
    let mut whole = WholeLists::default();
    let mut last = Stage::to_file(&mut whole, out);
    pass(growing, &mut FromBlock::before(first, &mut last))
}

fn pass(growing: &mut GrowingRecording, rest: &mut FromBlock<'_>) -> io::Result<()> {
    rest.begin(growing.format()).map_err(io::Error::other)?;
    while growing.next(|piece| rest.take(piece).map_err(io::Error::other))? {}
    rest.end().map_err(io::Error::other)
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("moviola-observed-{}-{name}", std::process::id()))
}

/// A recording that is written piece by piece.
struct Writing {
    pieces: Vec<Vec<u8>>,
    written: usize,
    path: PathBuf,
    file: File,
    live: Live,
}

impl Writing {
    fn new(name: &str) -> Self {
        let (recording, folder) = (sample(name), folder(name));
        let (mut demo, mut pieces) = (Demo::new(&recording[..]).unwrap(), Vec::new());
        let game = demo.game().unwrap();
        while let Some(piece) = demo.next_piece().unwrap() {
            let mut bytes = Vec::new();
            piece.write(game, &mut bytes).unwrap();
            pieces.push(bytes);
        }
        std::fs::create_dir_all(&folder).unwrap();
        let (path, live) = (folder.join(name), Live::new(join));
        let file = File::create(&path).unwrap();
        // All bytes that are written are final.
        let settled = Arc::new(u64::MAX.into());
        live.handle(&FileEvent::Began { path: path.clone(), behind: None, settled });
        Self { pieces, written: 0, path, file, live }
    }

    /// Writes some more pieces; reports the end of the recording when it is reached.
    fn write(&mut self, count: usize) {
        let until = self.pieces.len().min(self.written + count);
        let bytes = self.pieces[self.written..until].concat();
        if !bytes.is_empty() {
            self.file.write_all(&bytes).unwrap();
            self.written = until;
        } else if self.written == self.pieces.len() {
            self.live.handle(&FileEvent::Ended { path: self.path.clone(), bytes: 0 });
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.path.parent().unwrap());
    }
}

/// A hash of a player's view after these blocks.
fn view<W: World>(bodies: &[Vec<u8>]) -> u64 {
    let mut head = Playhead::<W>::new();
    for body in bodies {
        head.step(&Block::new(body));
    }
    head.world.view_hash()
}

/// Writes the first `before` pieces of a recording, lets an observer join, and then writes one piece with each step.
/// Returns the bodies of the recording's blocks, and the bytes that the observer got.
fn observed(name: &str, before: usize) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let mut writing = Writing::new(name);
    writing.write(before);
    let live = writing.live.clone();
    // A frame of Quake II is sent when the one before is acknowledged, which takes some steps.
    let mut left = if name.ends_with("dem") { 100 } else { 800 };
    let mut goes_on = |now| {
        thread::sleep(STEP);
        // By this time the observer has joined.
        if now > STEP * 10 {
            writing.write(1);
        }
        left -= usize::from(writing.written == writing.pieces.len());
        left > 0
    };
    let seen = match name.rsplit('.').next() {
        Some("dem") => watch_quake(&live.of(Game::Quake), 0, &mut goes_on),
        Some("qwd") => watch_quakeworld(&live.of(Game::QuakeWorld), 0, &[], &mut goes_on),
        _ => watch_quake2(&live.of(Game::Quake2), 0, &mut goes_on),
    };
    let mut recording = bodies(&sample(name));
    while recording.last().is_some_and(|body| body == b"\x02") {
        recording.pop();
    }
    (recording, if name.ends_with("qwd") { packets(&seen) } else { bodies(&seen) })
}

#[test]
fn an_observer_of_quake_joins_in_the_middle() {
    for name in ["qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem"] {
        let before = 60;
        let (recording, seen) = observed(name, before);
        // The first piece is the header; the block that ends the recording does not end the observer's connection.
        let rest = &recording[before - 2..];
        let joined = seen.windows(rest.len()).position(|window| window == rest);
        let joined = joined.unwrap_or_else(|| panic!("{name}: {} blocks, not the recording's", seen.len()));
        let stages = |bodies: &[Vec<u8>]| {
            let mut context = moviola_format::Context::quake();
            let mut stages = Vec::new();
            for body in bodies {
                let mut messages = Messages::<Quake>::new(body, context);
                for entry in messages.by_ref() {
                    if let dem::Message::SignonNum(it) = entry.message {
                        stages.push(it.signon);
                    }
                }
                context = *messages.context();
            }
            stages
        };
        assert_eq!(stages(&seen), [1, 2, 3], "{name}");
        assert!(joined > 3, "{name}: {joined} blocks before");
        assert_eq!(
            view::<quake::World>(&seen[..=joined]),
            view::<quake::World>(&recording[..before - 1]),
            "{name}: another picture where it joined"
        );
        assert_eq!(
            view::<quake::World>(&seen[..joined + rest.len()]),
            view::<quake::World>(&recording),
            "{name}: another picture at the end"
        );
    }
}

#[test]
fn an_observer_of_quake2_joins_in_the_middle() {
    let before = 60;
    let (recording, seen) = observed("yq_sp.dm2", before);
    // Frames are encoded again until their base frames are those of the recording.
    let rest = &recording[before + 16..];
    let end = seen.windows(rest.len()).position(|window| window == rest).map(|at| at + rest.len());
    let end = end.unwrap_or_else(|| panic!("{} blocks, {} of the recording", seen.len(), rest.len()));
    let seen = &seen[..end];
    let frames = |bodies: &[Vec<u8>]| {
        let mut context = moviola_format::Context::quake2();
        let mut frames = Vec::new();
        for body in bodies {
            let mut messages = Messages::<Quake2>::new(body, context);
            for entry in messages.by_ref() {
                if let dm2::Message::FrameMessage(it) = entry.message {
                    frames.push((it.head.seq1, it.head.seq2));
                }
            }
            context = *messages.context();
        }
        frames
    };
    let (all, got) = (frames(&recording), frames(seen));
    assert!(got[0].1 <= 0, "the first frame builds on {}", got[0].1);
    let numbers = |frames: &[(i32, i32)]| frames.iter().map(|it| it.0).collect::<Vec<_>>();
    assert!(numbers(&all).ends_with(&numbers(&got)), "a frame is missing");
    assert_eq!(view::<quake2::World>(seen), view::<quake2::World>(&recording));
}

/// An observer of QuakeWorld gets all lasting messages, and the frames that are not late.
#[test]
fn an_observer_of_quakeworld_joins_in_the_middle() {
    let name = "ez_duo_lqdm2.qwd";
    let (_, seen) = observed(name, 600);
    let mut whole = Vec::new();
    rewrite(&sample(name)[..], &mut WholeLists::default(), &mut whole).unwrap();
    let all = packets(&whole);
    let (expected, got) = (lasting(&all), lasting(&seen));
    let rest = &expected[expected.len() - 10..];
    assert!(got.windows(rest.len()).any(|it| it == rest), "{} messages that last", got.len());
    let first = all.windows(2).position(|it| it[0].starts_with(b"\x2a")).unwrap();
    let frames = all[first..].iter().filter(|it| seen.contains(it)).count();
    assert!(frames > 100, "{frames} frames");
}

/// An observer whose game loads for a second gets the newest frame, not the missed ones.
#[test]
fn a_slow_observer_of_quake_skips_frames() {
    let (name, before, meanwhile) = ("qs_15_lq_e0m9.dem", 60, 100);
    let mut writing = Writing::new(name);
    writing.write(before);
    let (live, mut steps) = (writing.live.clone(), 0);
    let seen = watch_quake(&live.of(Game::Quake), 0, |_| {
        thread::sleep(STEP / 5);
        steps += 1;
        // After the beginning of the level nothing arrives for a second, then many blocks at once, then the rest.
        match steps {
            600 => writing.write(meanwhile),
            900.. => writing.write(usize::MAX >> 1),
            _ => {}
        }
        steps < 1500
    });
    let (recording, seen) = (bodies(&sample(name)), bodies(&seen));
    let frames = recording[before..before + meanwhile - 2].iter().filter(|body| body[0] == 7);
    let (sent, missed): (Vec<_>, Vec<_>) = frames.partition(|body| seen.contains(body));
    assert!(missed.len() > sent.len() * 5, "{} sent, {} skipped", sent.len(), missed.len());
    let reliable = recording[before..].iter().filter(|body| body[0] != 7);
    assert!(reliable.clone().all(|body| seen.contains(body)), "a reliable message was skipped");
}

/// Broadcasts a recording while it is written, from its middle on, to a viewer of QTV; returns the bytes that the
/// viewer received.
fn offered(mut writing: Writing, recordings: Box<dyn Playlist>) -> Vec<u8> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
    let settings = qtv::Settings { viewers: 4, recordings };
    let ends = Arc::clone(&stop);
    let running = thread::spawn(move || qtv::run(&listener, settings, &ends).unwrap());
    let stream = Broadcast::parse(&format!("qtv:{address}/1")).unwrap().open().unwrap();
    let folder = writing.path.with_file_name("received");
    let pattern = folder.join("{map}");
    let receiving = thread::spawn(move || qtv::keep(stream, &pattern, &AtomicBool::new(false), &mut |_| {}));
    while writing.written < writing.pieces.len() {
        thread::sleep(Duration::from_millis(2));
        writing.write(20);
    }
    writing.write(1);
    // As at the end of the program, everything is sent to its end.
    writing.live.finish(Duration::from_mins(1));
    stop.store(true, Ordering::Relaxed);
    receiving.join().unwrap().unwrap();
    running.join().unwrap();
    std::fs::read(folder.join("lqdm2.mvd")).unwrap()
}

#[test]
fn a_broadcast_is_offered_on() {
    let mut writing = Writing::new("mvdsv_bots_lqdm2.mvd");
    let recording = sample("mvdsv_bots_lqdm2.mvd");
    let half = writing.pieces.len() / 2;
    writing.write(half);
    let after = writing.pieces[half..].concat();
    let live = Box::new(writing.live.of(Game::QuakeWorld));
    let received = offered(writing, live);
    assert!(received.ends_with(&after), "{} bytes are not the last of the recording", received.len());
    let beginning = &received[..received.len() - after.len()];
    assert!(beginning.windows(14).any(|window| window == b"fullserverinfo"), "no beginning");
    // The beginning leads to the same state as all blocks before the middle.
    assert_eq!(players(&received), players(&recording));
}

/// A player's game of QuakeWorld is offered as a broadcast of the messages that the player received.
#[test]
fn a_players_game_is_offered_as_a_broadcast() {
    let mut writing = Writing::new("ez_duo_lqdm2.qwd");
    writing.write(writing.pieces.len() / 2);
    let live = Box::new(writing.live.made_into(Format::Mvd, Game::QuakeWorld, |growing, first, out| {
        let mut broadcast = moviola_edit::Broadcast::default();
        let mut last = Stage::to_file(&mut broadcast, out);
        pass(growing, &mut FromBlock::before(first, &mut last))
    }));
    let received = offered(writing, live);
    assert_eq!(players(&received), players(&sample("ez_duo_lqdm2.qwd")));
    assert_eq!(Demo::new(&received[..]).unwrap().format(), Format::Mvd);
    assert!(received.len() > 40_000, "{} bytes", received.len());
}

/// The positions of the players and entities at the end of a recording.
fn players(recording: &[u8]) -> Vec<String> {
    let (mut demo, mut head) = (Demo::new(recording).unwrap(), Playhead::<quakeworld::World>::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            head.step(&block);
        }
    }
    head.world.players.iter().map(|player| format!("{player:?}")).collect()
}

/// Clients that connect to observe and then neither read nor answer.
fn stuck(address: std::net::SocketAddr, count: usize) -> Vec<std::net::UdpSocket> {
    let connect = |_| {
        let (socket, mut buffer) = (client(address, Duration::from_secs(2)), [0; 2048]);
        socket.send(CONNECT).unwrap();
        socket.recv(&mut buffer).unwrap();
        assert_ne!(buffer[4], 0x82, "refused");
        let mut wire = Vec::new();
        Packet::Reliable { sequence: 0, last: true, body: b"\x01" }.write(&mut wire);
        socket.send(&wire).unwrap();
        thread::sleep(Duration::from_millis(50));
        socket
    };
    (0..count).map(connect).collect()
}

/// A game is played through the proxy while some observers watch and others are stuck: the recording is the same as
/// without observers, nothing is lost, and the game takes no longer.
#[test]
fn observers_disturb_nobody() {
    let recording = sample("qs_15_lq_e0m9.dem");
    let server = |quake, quake2| {
        let listen = "127.0.0.1:0".parse().unwrap();
        let (name, quakeworld) = ("Moviola".into(), Box::new(One(Vec::new())));
        let settings = Settings { listen, name, viewers: 16, quake, quake2, quakeworld };
        let server = Server::bind(settings).unwrap();
        let (address, stop) = (server.address().unwrap(), server.stop_flag());
        (address, stop, thread::spawn(move || server.run().unwrap()))
    };
    let (game, stop_game, playing) = server(Box::new(One(recording.clone())), Box::new(One(Vec::new())));
    let live = Live::new(join);
    let (observe, stop_observe, observing) =
        server(Box::new(live.of(Game::Quake)), Box::new(live.of(Game::Quake2)));
    let played = |live: Option<Live>, name: &str| {
        let folder = folder(name);
        let (copies, captured) = sync_channel(1024);
        let listen = "127.0.0.1:0".parse().unwrap();
        let proxy = Proxy::bind(proxy::Settings { listen, server: game, clients: 4 }, copies).unwrap();
        let (address, handle) = (proxy.address().unwrap(), proxy.handle());
        let recorder = Recorder::new(&folder.join("run.dem"), true);
        let writing = thread::spawn(move || {
            recorder.run(&captured, |written| live.iter().for_each(|live| live.handle(&written)));
        });
        let running = thread::spawn(move || proxy.run().unwrap());
        let began = Instant::now();
        let player = thread::spawn(move || timed_over_udp(address));
        (folder, handle, writing, running, player, began)
    };
    let finish = |(folder, handle, writing, running, player, began): Played| {
        let seen = player.join().unwrap();
        let took = began.elapsed();
        handle.stop();
        running.join().unwrap();
        writing.join().unwrap();
        assert_eq!(handle.lost(), 0);
        let file = std::fs::read(folder.join("run.dem")).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        (seen, file, took)
    };
    let (alone, with) = (played(None, "alone"), played(Some(live), "with"));
    thread::sleep(Duration::from_secs(1));
    let observers: Vec<_> = (0..4).map(|_| thread::spawn(move || timed_over_udp(observe))).collect();
    let stuck = stuck(observe, 8);
    let (alone, with) = (finish(alone), finish(with));
    let [alone_seen, with_seen] = [&alone.0, &with.0].map(|seen| messages(seen));
    assert!(with_seen == alone_seen, "the player saw something else");
    assert!(with.1 == alone.1, "{} bytes were recorded, {} without observers", with.1.len(), alone.1.len());
    let longer = with.2.saturating_sub(alone.2);
    assert!(longer < Duration::from_millis(500), "it took {longer:?} longer");
    drop(stuck);
    let mut delays = Vec::new();
    for observer in observers {
        let timed = observer.join().unwrap();
        let (seen, last) = (messages(&timed), &alone_seen[alone_seen.len() - 100..alone_seen.len() - 1]);
        assert!(seen.windows(last.len()).any(|window| window == last), "{} blocks", seen.len());
        // The player gets a message when it passes the proxy.
        let passed: HashMap<&Vec<u8>, Instant> = with.0.iter().map(|(body, at)| (body, *at)).collect();
        let last = &timed[timed.len() - 100..];
        delays.extend(
            last.iter().filter_map(|(body, at)| Some(at.saturating_duration_since(*passed.get(body)?))),
        );
    }
    delays.sort();
    let (median, late) = (delays[delays.len() / 2], delays[delays.len() * 99 / 100]);
    println!(
        "{} messages came to observers later by {median:?} in the median, 99 of 100 by {late:?}",
        delays.len()
    );
    assert!(median < Duration::from_millis(100), "{median:?}");
    for (stop, running) in [(stop_game, playing), (stop_observe, observing)] {
        stop.store(true, Ordering::Relaxed);
        running.join().unwrap();
    }
}

fn messages(timed: &[(Vec<u8>, Instant)]) -> Vec<Vec<u8>> {
    timed.iter().map(|(body, _)| body.clone()).collect()
}

type Played = (
    PathBuf,
    proxy::Handle,
    thread::JoinHandle<()>,
    thread::JoinHandle<()>,
    thread::JoinHandle<Vec<(Vec<u8>, Instant)>>,
    Instant,
);
