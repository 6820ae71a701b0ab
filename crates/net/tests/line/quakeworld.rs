//! QuakeWorld: a server that answers each packet of the client with a packet of the same number.

use crate::{ask, number, session, socket};
use moviola_net::quakeworld::QwdTape;
use moviola_net::{Cut, Direction, Tape};
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

const PACKETS: u32 = 600;
const ACCEPTED: &[u8] = b"\xff\xff\xff\xffj";

fn serve(socket: &UdpSocket, _: u16) {
    let (mut buffer, mut last) = ([0; 2048], 0);
    while let Ok((length, from)) = socket.recv_from(&mut buffer) {
        let datagram = &buffer[..length];
        let mut answer = match datagram.strip_prefix(b"\xff\xff\xff\xff") {
            Some(text) if text.starts_with(b"getchallenge") => b"\xff\xff\xff\xffc1234\0".to_vec(),
            Some(_) => ACCEPTED.to_vec(),
            None if number(datagram, 0) <= last => continue,
            None => {
                last = number(datagram, 0);
                let head = last.to_le_bytes();
                [head, head].concat()
            }
        };
        if last > 0 {
            if last < 20 {
                answer.extend(b"\x09fullserverinfo \"\\map\\dm6\"\n\0");
            }
            answer.extend((0..last % 300).map(|at| (at * last) as u8));
        }
        socket.send_to(&answer, from).unwrap();
        if last > PACKETS {
            return;
        }
    }
}

/// Plays a number of packets; returns the server's packets as received, with their heads.
fn play(proxy: SocketAddr) -> Vec<Vec<u8>> {
    let socket = socket(proxy, Duration::from_millis(3));
    let given = |answer: &[u8]| {
        let number = answer.strip_prefix(b"\xff\xff\xff\xffc")?.strip_suffix(b"\0")?;
        Some(String::from_utf8_lossy(number).into_owned())
    };
    let challenge = ask(&socket, b"\xff\xff\xff\xffgetchallenge\n", given);
    let connect = format!("connect 28 9 {challenge} \"\\name\\me\"\n");
    let connect = [b"\xff\xff\xff\xff", connect.as_bytes()].concat();
    ask(&socket, &connect, |answer| (answer == ACCEPTED).then_some(()));
    let (mut seen, mut last, mut buffer) = (vec![ACCEPTED.to_vec()], 0_u32, [0; 2048]);
    for sequence in 1..=PACKETS {
        let mut packet = sequence.to_le_bytes().to_vec();
        packet.extend(last.to_le_bytes());
        // The qport, and a move: checksum, loss, two empty commands, and one with a yaw.
        packet.extend([9, 0, 3, 0, 0, 0, 13, 0, 13, 0x80]);
        packet.extend((sequence as u16).to_le_bytes());
        packet.push(13);
        socket.send(&packet).unwrap();
        if sequence == PACKETS {
            // Packets that are still on their way are recorded too.
            socket.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        }
        while let Ok(length) = socket.recv(&mut buffer) {
            // A client ignores a second acceptance, and packets that are older than the newest.
            if !buffer.starts_with(&[0xff; 4]) && number(&buffer, 0) > last {
                last = number(&buffer, 0);
                seen.push(buffer[..length].to_vec());
            }
        }
    }
    seen
}

#[test]
fn a_recording_has_what_the_client_saw() {
    let (seen, file) = session("quakeworld", serve, play);
    let (mut packets, mut yaws, mut rest) = (Vec::new(), Vec::new(), &file[..]);
    while !rest.is_empty() {
        // A time, a kind, and the client's command or a packet with its length.
        let length = if rest[4] == 0 {
            yaws.push(number(rest, 13));
            41
        } else {
            let length = 9 + number(rest, 5) as usize;
            packets.push(rest[9..length].to_vec());
            length
        };
        rest = &rest[length..];
    }
    assert!(seen.len() > PACKETS as usize * 7 / 10, "{}", seen.len());
    assert_eq!(packets, seen);
    let turn = |yaw| (f64::from(yaw) * 360.0 / 65536.0) as f32;
    let expected: Vec<u32> = (1..=PACKETS).map(|yaw| turn(yaw).to_bits()).collect();
    assert_eq!(yaws, expected, "one command for each packet of the client");
}

/// The network may duplicate the acceptance, and a server that was asked twice may send it twice. Clients ignore the
/// second one, but after a new challenge it begins a new connection.
#[test]
fn a_doubled_acceptance_begins_nothing() {
    let (mut tape, mut cuts, first) = (QwdTape::new(true), Vec::new(), b"\x01\0\0\0\x01\0\0\0");
    let connect = b"\xff\xff\xff\xffconnect 28 9 1234 \"\"\n";
    for again in [&b""[..], b"\xff\xff\xff\xffgetchallenge\n"] {
        tape.take_datagram(Direction::Up, again, Duration::ZERO, &mut cuts);
        for datagram in [ACCEPTED, first, ACCEPTED, first] {
            tape.take_datagram(Direction::Up, connect, Duration::ZERO, &mut cuts);
            tape.take_datagram(Direction::Down, datagram, Duration::ZERO, &mut cuts);
        }
    }
    tape.close(&mut cuts);
    let count = cuts.iter().filter(|cut| matches!(cut, Cut::Bytes(_))).count();
    assert_eq!(count, 4, "an acceptance and one packet, twice");
}
