//! Games of each protocol are played over a bad line and through the proxy: the recording has exactly the bytes that
//! the client received.
//!
//! Server and client are small programs of this test, with their own reading of each protocol. They use real sockets,
//! as the proxy does: client, proxy, line, server.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod netquake;
mod quake2;
mod quakeworld;
mod shaper;

use moviola_net::disk::Recorder;
use moviola_net::proxy::{Proxy, Settings};
use shaper::Harm;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

/// Runs `client` against `server` through the proxy and the bad line; returns what the client received and the recorded
/// file.
fn session<Seen>(
    name: &str,
    server: impl FnOnce(&UdpSocket, u16) + Send + 'static,
    client: impl FnOnce(SocketAddr) -> Seen,
) -> (Seen, Vec<u8>) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (line, harm) = shaper::between(socket.local_addr().unwrap(), 7);
    thread::spawn(move || server(&socket, line.port()));
    let folder = std::env::temp_dir().join(format!("moviola-line-{}-{name}", std::process::id()));
    let (copies, captured) = sync_channel(1 << 14);
    let listen = "127.0.0.1:0".parse().unwrap();
    let proxy = Proxy::bind(Settings { listen, server: line, clients: 2 }, copies).unwrap();
    let (address, handle) = (proxy.address().unwrap(), proxy.handle());
    let recorder = Recorder::new(&folder.join("file"), true);
    let writing = thread::spawn(move || recorder.run(&captured, |_| {}));
    let running = thread::spawn(move || proxy.run().unwrap());
    let seen = client(address);
    thread::sleep(Duration::from_millis(50));
    handle.stop();
    running.join().unwrap();
    writing.join().unwrap();
    assert_eq!(handle.lost(), 0);
    was_bad(&harm);
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let written = std::fs::read(file).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    (seen, written)
}

fn was_bad(harm: &Harm) {
    let [lost, doubled, delayed] =
        [&harm.lost, &harm.doubled, &harm.delayed].map(|it| it.load(Ordering::Relaxed));
    println!("the line lost {lost} datagrams, doubled {doubled} and delayed {delayed}");
    assert!(lost > 10 && doubled > 10 && delayed > 10);
}

/// The socket of a client, which waits `patience` for a datagram.
fn socket(to: SocketAddr, patience: Duration) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(to).unwrap();
    socket.set_read_timeout(Some(patience)).unwrap();
    socket
}

/// Repeats a request until an answer arrives that `fits`.
fn ask<T>(socket: &UdpSocket, request: &[u8], fits: impl Fn(&[u8]) -> Option<T>) -> T {
    let mut buffer = [0; 2048];
    for _ in 0..100 {
        socket.send(request).unwrap();
        while let Ok(length) = socket.recv(&mut buffer) {
            if let Some(answer) = fits(&buffer[..length]) {
                return answer;
            }
        }
    }
    panic!("no answer");
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}
