//! The server of recordings with many viewers, and with clients that want more than they give.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

use moviola_format::{Context, Demo, Messages, Piece, Quake, dem};
use moviola_net::netquake::{Delivered, Incoming, Outgoing, Packet};
use moviola_net::server::{Server, Settings};
use moviola_net::show::Playlist;
use std::io::{self, Cursor, Read};
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const VIEWERS: usize = 32;

struct Recording(Vec<u8>);

impl Playlist for Recording {
    fn len(&self) -> usize {
        usize::from(!self.0.is_empty())
    }
    fn title(&self, _: usize) -> String {
        "one".into()
    }
    fn map(&self, _: usize) -> String {
        "lq_e0m9".into()
    }
    fn open(&self, _: usize, _: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Cursor::new(self.0.clone())))
    }
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap()
}

fn server() -> (SocketAddr, Arc<AtomicBool>, thread::JoinHandle<()>) {
    let settings = Settings {
        listen: "127.0.0.1:0".parse().unwrap(),
        name: "Moviola".into(),
        viewers: VIEWERS,
        quake: Box::new(Recording(sample("qs_15_lq_e0m9.dem"))),
        quake2: Box::new(Recording(sample("yq_sp.dm2"))),
    };
    let server = Server::bind(settings).unwrap();
    let (address, stop) = (server.address().unwrap(), server.stop_flag());
    (address, stop, thread::spawn(move || server.run().unwrap()))
}

fn client(address: SocketAddr, patience: u64) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(address).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(patience))).unwrap();
    socket
}

/// Watches a recording to its end; returns the messages that are the recording's.
fn watch(server: SocketAddr) -> Vec<Vec<u8>> {
    let (socket, mut buffer, began) = (client(server, 20), [0; 2048], Instant::now());
    let (mut incoming, mut outgoing, mut context) =
        (Incoming::default(), Outgoing::default(), Context::quake());
    let (mut seen, mut accepted) = (Vec::new(), false);
    outgoing.queue(b"\x01");
    while seen.last().is_none_or(|body| body != b"\x02") {
        assert!(began.elapsed() < Duration::from_secs(100), "{} messages", seen.len());
        let mut datagram = Vec::new();
        if !accepted {
            socket.send(b"\x80\0\0\x0c\x01QUAKE\0\x03").unwrap();
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

#[test]
fn thirty_two_watch_at_once() {
    let recording = sample("qs_15_lq_e0m9.dem");
    let (mut demo, mut expected) = (Demo::new(&recording[..]).unwrap(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            expected.push(block.data.to_vec());
        }
    }
    let end = expected.iter().position(|body| body == b"\x02").unwrap();
    expected.truncate(end + 1);
    let (address, stop, running) = server();
    let mut viewers = Vec::new();
    for _ in 0..VIEWERS {
        viewers.push(thread::spawn(move || watch(address)));
        // Clients that have not answered yet are few at a time.
        thread::sleep(Duration::from_millis(20));
    }
    for viewer in viewers {
        let seen = viewer.join().unwrap();
        assert!(seen == expected, "{} of {} messages", seen.len(), expected.len());
    }
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

/// A sender with a forged address must not make the server send more to that address than it sends itself.
#[test]
fn no_answer_is_longer_than_the_request() {
    let (address, stop, running) = server();
    let out_of_band = |text: &str| [b"\xff\xff\xff\xff", text.as_bytes()].concat();
    let requests = [
        b"\x80\0\0\x0c\x01QUAKE\0\x03".to_vec(),
        b"\x80\0\0\x0c\x01QUAKE\0\x02".to_vec(),
        b"\x80\0\0\x06\x03\0".to_vec(),
        b"\0\x09\0\x09\0\0\0\0\x01".to_vec(),
        b"\0\x10\0\x09\0\0\0\0\x02".to_vec(),
        out_of_band("getchallenge"),
        out_of_band("getchallenge\n"),
        out_of_band("connect"),
        out_of_band("connect 34 1 1"),
        out_of_band("connect 36 1 1"),
        out_of_band("ping"),
        out_of_band("rcon x y"),
        vec![0; 12],
        vec![0xff; 12],
    ];
    // Each from an address of its own, and long enough for what is sent later.
    let asking = requests.map(|request| {
        thread::spawn(move || {
            let (socket, mut answered, mut buffer) = (client(address, 1300), 0, [0; 2048]);
            socket.send(&request).unwrap();
            while let Ok(length) = socket.recv(&mut buffer) {
                answered += length;
            }
            // A client of 1996 that was accepted gets one byte, once, which it acknowledges.
            let most = request.len() + if answered == 18 && request[4] == 1 { 9 } else { 0 };
            assert!(answered <= most, "{answered} bytes for {:?}", String::from_utf8_lossy(&request));
        })
    });
    for asking in asking {
        asking.join().unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}
