//! The server of recordings with many viewers, and with clients that ask for too much.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::watch::timed_over_udp;
use common::{CONNECT, One, bodies, client, sample};
use moviola_net::server::{Server, Settings};
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const VIEWERS: usize = 32;
/// The packet that a modern client sends to keep the connection alive.
const NOP: &[u8] = b"\0\x09\0\x09\0\0\0\0\x01";

fn server() -> (SocketAddr, Arc<AtomicBool>, thread::JoinHandle<()>) {
    server_for(VIEWERS)
}

fn server_for(viewers: usize) -> (SocketAddr, Arc<AtomicBool>, thread::JoinHandle<()>) {
    let settings = Settings {
        listen: "127.0.0.1:0".parse().unwrap(),
        name: "Moviola".into(),
        viewers,
        quake: Box::new(One(sample("qs_15_lq_e0m9.dem"))),
        quake2: Box::new(One(sample("yq_sp.dm2"))),
        quakeworld: Box::new(One(Vec::new())),
    };
    let server = Server::bind(settings).unwrap();
    let (address, stop) = (server.address().unwrap(), server.stop_flag());
    (address, stop, thread::spawn(move || server.run().unwrap()))
}

/// The time of a frame of the game, in seconds.
fn time(body: &[u8]) -> Option<f64> {
    let time: [u8; 4] = body.strip_prefix(b"\x07")?.get(..4)?.try_into().ok()?;
    Some(f32::from_le_bytes(time).into())
}

/// The delay of each frame relative to the recording's clock and to the least delayed frame. The first frames are left
/// out, since they come while the client enters the level.
fn lateness(seen: &[(Vec<u8>, Instant)]) -> Vec<f64> {
    let began = seen[0].1;
    let late: Vec<f64> = seen
        .iter()
        .filter_map(|(body, at)| Some((*at - began).as_secs_f64() - time(body)?))
        .skip(3)
        .collect();
    let least = late.iter().copied().fold(f64::INFINITY, f64::min);
    late.into_iter().map(|late| late - least).collect()
}

/// Each of many viewers gets every message, and each frame at its time. The limit is wide, because the machine may be
/// busy.
#[test]
fn thirty_two_watch_at_once() {
    let recording = sample("qs_15_lq_e0m9.dem");
    let mut expected = bodies(&recording);
    let end = expected.iter().position(|body| body == b"\x02").unwrap();
    expected.truncate(end + 1);
    let (address, stop, running) = server();
    let mut viewers = Vec::new();
    // Addresses that only ask keep nobody out, even if they send a packet to the server's public port.
    for _ in 0..40 {
        let forged = client(address, Duration::from_secs(1));
        forged.send(CONNECT).unwrap();
        forged.send(NOP).unwrap();
    }
    for _ in 0..VIEWERS {
        viewers.push(thread::spawn(move || timed_over_udp(address)));
        // Clients that have not answered yet are few at a time.
        thread::sleep(Duration::from_millis(20));
    }
    let mut late = Vec::new();
    for viewer in viewers {
        let timed = viewer.join().unwrap();
        late.extend(lateness(&timed));
        let seen: Vec<Vec<u8>> = timed.into_iter().map(|(body, _)| body).collect();
        assert!(seen == expected, "{} of {} messages", seen.len(), expected.len());
    }
    late.sort_by(f64::total_cmp);
    let [median, most] = [late.len() / 2, late.len() * 99 / 100].map(|at| late[at] * 1e3);
    println!("{VIEWERS} viewers: frames late by {median:.1} ms in the median, 99 of 100 within {most:.1} ms");
    assert!(most < 500.0, "99 of 100 frames within {most:.1} ms");
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

/// Questions about players and rules are answered, and a client that finds the server full gets an answer too.
#[test]
fn a_client_gets_answers() {
    let (address, stop, running) = server();
    let (socket, mut buffer) = (client(address, Duration::from_secs(5)), [0; 2048]);
    let mut ask = |request: &[u8]| {
        socket.send(request).unwrap();
        let length = socket.recv(&mut buffer).unwrap();
        buffer[4..length].to_vec()
    };
    assert_eq!(ask(b"\x80\0\0\x06\x04\0"), b"\x85recordings\x001\0");
    assert_eq!(ask(b"\x80\0\0\x10\x04recordings\0"), b"\x85version\0Moviola\0");
    assert_eq!(ask(b"\x80\0\0\x0d\x04version\0"), b"\x85");
    // A viewer.
    let accepted = ask(CONNECT);
    let port = u16::from_le_bytes([accepted[1], accepted[2]]);
    socket.send_to(NOP, (address.ip(), port)).unwrap();
    thread::sleep(Duration::from_millis(100));
    // A request that the line has doubled ends no connection.
    assert_eq!(ask(CONNECT), accepted);
    let asks = client(address, Duration::from_secs(5));
    asks.send(b"\x80\0\0\x06\x03\0").unwrap();
    let mut buffer = [0; 2048];
    let length = asks.recv(&mut buffer).unwrap();
    assert!(buffer[4..length].starts_with(b"\x84\0viewer 1\0"));
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
    let (address, stop, running) = server_for(0);
    let refused = client(address, Duration::from_secs(5));
    refused.send(CONNECT).unwrap();
    let length = refused.recv(&mut buffer).unwrap();
    assert_eq!(&buffer[4..length], b"\x82Server is full.\n\0");
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

/// A sender with a forged address must not make the server send more to that address than the sender sends itself.
#[test]
fn no_answer_is_longer_than_the_request() {
    let (address, stop, running) = server();
    let out_of_band = |text: &str| [b"\xff\xff\xff\xff", text.as_bytes()].concat();
    let requests = [
        CONNECT.to_vec(),
        b"\x80\0\0\x0c\x01QUAKE\0\x02".to_vec(),
        b"\x80\0\0\x06\x03\0".to_vec(),
        b"\0\x09\0\x09\0\0\0\0\x01".to_vec(),
        b"\0\x10\0\x09\0\0\0\0\x02".to_vec(),
        out_of_band("getchallenge"),
        out_of_band("getchallenge\n"),
        out_of_band("connect"),
        out_of_band("connect 34 1 1"),
        out_of_band("connect 36 1 1"),
        out_of_band("connect 28 1 1"),
        out_of_band("connect 28 1 1 \"\\name\\me\"\n"),
        out_of_band("k"),
        out_of_band("ping"),
        out_of_band("rcon x y"),
        vec![0; 12],
        vec![0xff; 12],
    ];
    // Each request comes from an address of its own, and the sender receives for a while afterwards.
    let asking = requests.map(|request| {
        thread::spawn(move || {
            // The socket receives answers from any port.
            let (socket, mut answered, mut buffer) = (UdpSocket::bind("127.0.0.1:0").unwrap(), 0, [0; 2048]);
            socket.set_read_timeout(Some(Duration::from_millis(1300))).unwrap();
            socket.send_to(&request, address).unwrap();
            if request == CONNECT {
                // A sender with a forged address does not know the port of the connection.
                socket.send_to(NOP, address).unwrap();
            }
            while let Ok(length) = socket.recv(&mut buffer) {
                answered += length;
            }
            // A client of 1996 that was accepted gets one additional byte, once, which it acknowledges.
            let most = if request == CONNECT { 18 } else { request.len() };
            assert!(answered <= most, "{answered} bytes for {:?}", String::from_utf8_lossy(&request));
        })
    });
    for asking in asking {
        asking.join().unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}
