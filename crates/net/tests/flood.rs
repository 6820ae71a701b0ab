//! A flood of garbage at the proxy: it neither stops play nor grows memory. The test is a separate program, since it
//! measures the memory of its whole process.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::{CONNECT, client, client_at, echo, enter, memory, packet};
use moviola_net::disk::Recorder;
use moviola_net::proxy::{Proxy, Settings};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

/// Datagrams a second.
const RATE: u32 = 100_000;
const SECONDS: u32 = 3;
const TIMEOUT: Duration = Duration::from_secs(5);

/// Sends garbage at this rate, or as fast as the machine can: random bytes, packets without a connection, and requests
/// for connections from always new ports.
fn flood(proxy: SocketAddr, stop: &AtomicBool) -> (u32, Duration) {
    let flooder = || client_at("127.0.0.2", proxy, TIMEOUT);
    let (socket, mut sent, began) = (flooder(), 0_u32, Instant::now());
    let moves = packet(7);
    while !stop.load(Ordering::Relaxed) {
        let due = began.elapsed().as_secs_f64() * f64::from(RATE);
        if f64::from(sent) > due {
            thread::sleep(Duration::from_micros(500));
            continue;
        }
        for number in 0..100_u32 {
            let _ = socket.send(match number % 4 {
                0 => &b"\xff\xff\xff\xff\xff\xff\xff\xff"[..],
                1 => &moves,
                2 => b"\x80\0\0\x05\xee",
                _ => &[0; 700],
            });
        }
        sent += 100;
        if sent.is_multiple_of(10_000) {
            let _ = flooder().send(CONNECT);
        }
    }
    (sent, began.elapsed())
}

/// The number of datagrams that the system has dropped because the socket's buffer was full, if the system reports it.
fn dropped_for(socket: SocketAddr) -> Option<u64> {
    let (list, port) = (std::fs::read_to_string("/proc/net/udp").ok()?, format!(":{:04X}", socket.port()));
    let is_its = |line: &&str| line.split_whitespace().nth(1).is_some_and(|local| local.ends_with(&port));
    list.lines().find(is_its)?.split_whitespace().last()?.parse().ok()
}

#[test]
fn garbage_neither_stops_play_nor_grows_memory() {
    let folder = std::env::temp_dir().join(format!("moviola-flood-{}", std::process::id()));
    let (copies, captured) = sync_channel(1024);
    let listen = "127.0.0.1:0".parse().unwrap();
    let proxy = Proxy::bind(Settings { listen, server: echo(), clients: 4 }, copies).unwrap();
    let (address, handle) = (proxy.address().unwrap(), proxy.handle());
    let recorder = Recorder::new(&folder.join("file"), true);
    let writing = thread::spawn(move || recorder.run(&captured, |_| {}));
    let running = thread::spawn(move || proxy.run().unwrap());
    let (player, mut buffer) = (client(address, TIMEOUT), [0; 2048]);
    let play = |number: u32, buffer: &mut [u8]| {
        let began = Instant::now();
        player.send(&packet(number)).unwrap();
        // An answer to an earlier packet may arrive late.
        while let Ok(length) = player.recv(buffer) {
            if buffer[..length] == packet(number) {
                return Some(began.elapsed());
            }
        }
        None
    };
    enter(&player);
    // A late packet does not count as lost.
    player.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    assert!((1..50).all(|number| play(number, &mut buffer).is_some()));
    let before = memory();
    let stop = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&stop);
    let flooding = thread::spawn(move || flood(address, &ends));
    let began = Instant::now();
    let (mut times, mut lost) = (Vec::new(), 0);
    while began.elapsed() < Duration::from_secs(SECONDS.into()) {
        match play((50 + times.len() + lost) as u32, &mut buffer) {
            Some(time) => times.push(time),
            None => lost += 1,
        }
        thread::sleep(Duration::from_millis(5));
    }
    let (after, dropped) = (memory(), dropped_for(address));
    stop.store(true, Ordering::Relaxed);
    let (sent, took) = flooding.join().unwrap();
    // A new player can still connect.
    let newcomer = client_at("127.0.0.3", address, TIMEOUT);
    newcomer.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let answered = (0..10).any(|_| newcomer.send(CONNECT).is_ok() && newcomer.recv(&mut buffer).is_ok());
    assert!(answered, "nobody new gets in");
    handle.stop();
    running.join().unwrap();
    writing.join().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    times.sort();
    println!(
        "{:.0} datagrams of garbage a second; {lost} of {} packets lost; there and back: median {:?}, 99 of 100 within {:?}; \
         memory {before:?} kB, then {after:?}",
        f64::from(sent) / took.as_secs_f64(),
        times.len() + lost,
        times[times.len() / 2],
        times[times.len() * 99 / 100]
    );
    assert_eq!(handle.lost(), 0);
    // On a machine that is too slow, the system drops packets before the proxy gets them, players' packets as well as
    // garbage.
    if dropped == Some(0) {
        assert_eq!(lost, 0, "packets of the player");
    } else {
        println!("NOT CHECKED: that no packet is lost, because the system has dropped {dropped:?}");
        assert!(lost < times.len(), "{lost} packets lost, {} not", times.len());
    }
    let grown = after.unwrap_or(0).saturating_sub(before.unwrap_or(0));
    assert!(grown < 8 << 10, "memory grew by {grown} kB");
}
