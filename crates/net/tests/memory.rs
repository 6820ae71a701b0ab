//! Recording sixteen games at once takes little memory. The test is a separate program, since it measures the memory of
//! its whole process.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::{client, echo, enter, memory, packet};
use moviola_net::disk::Recorder;
use moviola_net::proxy::{Proxy, Settings};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

const PLAYERS: usize = 16;
/// Packets of each player, 72 a second.
const PACKETS: u32 = 216;
/// The most memory of the program, in kB.
const MAX_MEMORY: u64 = 8 << 10;

#[test]
fn sixteen_games_take_eight_megabytes() {
    let before = memory();
    let folder = std::env::temp_dir().join(format!("moviola-memory-{}", std::process::id()));
    let (copies, captured) = sync_channel(1024);
    let listen = "127.0.0.1:0".parse().unwrap();
    let proxy = Proxy::bind(Settings { listen, server: echo(), clients: PLAYERS }, copies).unwrap();
    let (address, handle) = (proxy.address().unwrap(), proxy.handle());
    let recorder = Recorder::new(&folder.join("file"), true);
    let writing = thread::spawn(move || recorder.run(&captured, |_| {}));
    let running = thread::spawn(move || proxy.run().unwrap());
    let players: Vec<_> = (0..PLAYERS).map(|_| client(address, Duration::from_secs(5))).collect();
    let mut buffer = [0; 2048];
    players.iter().for_each(enter);
    // A packet that is recorded: the echo sends it back in the form of a server's message.
    let frame = |number: u32| {
        let mut frame = packet(number);
        frame.pop();
        frame.extend(b"\x08a line of text for the console\n\0");
        let length = (frame.len() as u16).to_be_bytes();
        frame[2..4].copy_from_slice(&length);
        frame
    };
    let (began, mut most) = (Instant::now(), 0);
    for number in 0..PACKETS {
        thread::sleep(Duration::from_secs_f64(f64::from(number) / 72.0).saturating_sub(began.elapsed()));
        for player in &players {
            player.send(&frame(number)).unwrap();
        }
        for player in &players {
            let length = player.recv(&mut buffer).unwrap();
            assert_eq!(buffer[..length], frame(number));
        }
        most = most.max(memory().unwrap_or_default());
    }
    handle.stop();
    running.join().unwrap();
    writing.join().unwrap();
    let files = std::fs::read_dir(&folder).unwrap().count();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((files, handle.lost()), (PLAYERS, 0));
    let taken = most.saturating_sub(before.unwrap_or_default());
    println!("{PLAYERS} recorded games take {taken} kB, behind {before:?} kB of the test itself");
    assert!(taken < MAX_MEMORY, "{taken} kB");
}
