//! Helpers of several tests: samples, recordings as lists of blocks, clients, servers.
#![allow(dead_code, reason = "each test is a program of its own, which uses some of this")]

pub(crate) mod watch;

use moviola_format::{Context, Demo, Lasts, Message as _, Messages, Piece, QuakeWorld, Stamp, qw};
use moviola_net::show::Playlist;
use std::io::{self, Cursor, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The request for a connection of a client of NetQuake.
pub(crate) const CONNECT: &[u8] = b"\x80\0\0\x0c\x01QUAKE\0\x03";

/// A playlist of one recording.
pub(crate) struct One(pub(crate) Vec<u8>);

impl Playlist for One {
    fn len(&self) -> usize {
        1
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

pub(crate) fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap()
}

/// The messages of each block of a recording.
pub(crate) fn bodies(file: &[u8]) -> Vec<Vec<u8>> {
    let (mut demo, mut bodies) = (Demo::new(file).unwrap(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            bodies.push(block.data.to_vec());
        }
    }
    bodies
}

/// The messages of each of the server's packets in a recording of QuakeWorld.
pub(crate) fn packets(file: &[u8]) -> Vec<Vec<u8>> {
    let (mut demo, mut packets) = (Demo::new(file).unwrap(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece
            && matches!(block.stamp, Stamp::Qwd { numbers: Some(_), .. })
        {
            packets.push(block.data.to_vec());
        }
    }
    packets
}

/// The messages that are sent reliably, in their order.
pub(crate) fn lasting(packets: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let (mut context, mut lasting) = (Context::quakeworld(), Vec::new());
    for packet in packets {
        let (mut messages, mut at) = (Messages::<QuakeWorld>::new(packet, context), 0);
        while let Some(entry) = messages.next() {
            let bytes = packet[at..messages.pos()].to_vec();
            at = messages.pos();
            let lasts = entry.message.schema().properties.lasts;
            if matches!(entry.message, qw::Message::Print(_) | qw::Message::CenterPrint(_))
                || !matches!(lasts, Lasts::Frame | Lasts::Moment | Lasts::Never)
            {
                lasting.push(bytes);
            }
        }
        context = *messages.context();
    }
    lasting
}

/// A server of datagrams that sends everything back.
pub(crate) fn echo() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let _ = socket.send_to(&buffer[..length], from);
        }
    });
    address
}

/// A client at any port of this machine, which waits so long for a datagram.
pub(crate) fn client(to: SocketAddr, patience: Duration) -> UdpSocket {
    client_at("127.0.0.1", to, patience)
}

/// A client at another of this machine's addresses.
pub(crate) fn client_at(own: &str, to: SocketAddr, patience: Duration) -> UdpSocket {
    let socket = UdpSocket::bind((own, 0)).unwrap();
    socket.connect(to).unwrap();
    socket.set_read_timeout(Some(patience)).unwrap();
    socket
}

/// An unreliable packet of NetQuake with this number, whose only message is a nop, which is not recorded.
pub(crate) fn packet(number: u32) -> Vec<u8> {
    let mut packet = vec![0, 0x10, 0, 9];
    packet.extend(number.to_be_bytes());
    packet.push(1);
    packet
}

/// Connects through a proxy to a server that sends everything back. Like a Quake client, it acknowledges the packet
/// with which the proxy checks the address.
pub(crate) fn enter(player: &UdpSocket) {
    let mut buffer = [0; 2048];
    let mut receive = || {
        let length = player.recv(&mut buffer).unwrap();
        buffer[..length].to_vec()
    };
    player.send(CONNECT).unwrap();
    assert_eq!(receive(), CONNECT);
    player.send(&packet(0)).unwrap();
    let question = receive();
    assert_eq!(question[..4], [0, 9, 0, 8]);
    player.send(&acknowledgement(&question)).unwrap();
    assert_eq!(receive(), packet(0));
}

/// The answer of a client of NetQuake to a reliable packet.
pub(crate) fn acknowledgement(reliable: &[u8]) -> Vec<u8> {
    [&[0, 2, 0, 8], &reliable[4..8]].concat()
}

/// Asks a proxy or a server of Quake II or QuakeWorld for the number with which a connection begins.
pub(crate) fn challenge(player: &UdpSocket) -> String {
    let mut buffer = [0; 2048];
    player.send(b"\xff\xff\xff\xffgetchallenge\n").unwrap();
    let length = player.recv(&mut buffer).unwrap();
    let digits = buffer[4..length].iter().filter(|byte| byte.is_ascii_digit());
    digits.take(9).map(|byte| char::from(*byte)).collect()
}

/// Sends a request over TCP and reads all of the answer.
pub(crate) fn ask(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The resident memory of this program in kB, if the system reports it.
pub(crate) fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("VmRSS:"))?.split_whitespace().nth(1)?.parse().ok()
}
