//! NetQuake: reliable messages in parts, frames, and the view angles of the client's moves.

use crate::{ask, number, session, socket};
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

const FRAMES: u32 = 600;
const FRAME: Duration = Duration::from_millis(3);

fn packet(flags: u8, sequence: u32, body: &[u8]) -> Vec<u8> {
    let length = (body.len() + 8) as u16;
    let mut packet = vec![0, flags];
    packet.extend(length.to_be_bytes());
    packet.extend(sequence.to_be_bytes());
    packet.extend(body);
    packet
}

fn head(datagram: &[u8]) -> (u8, u32, &[u8]) {
    (datagram[1], u32::from_be_bytes(datagram[4..8].try_into().unwrap()), &datagram[8..])
}

/// Sends a level's beginning and prints reliably, and frames that may be lost.
fn serve(socket: &UdpSocket, port: u16) {
    socket.set_read_timeout(Some(FRAME)).unwrap();
    let mut buffer = [0; 2048];
    let mut client = None;
    // Messages in parts of at most 1024 bytes; the last part of a message is marked.
    let mut parts: Vec<(u8, Vec<u8>)> = Vec::new();
    let reliable = |message: &[u8], parts: &mut Vec<(u8, Vec<u8>)>| {
        let count = message.chunks(1024).count();
        parts.extend(
            message
                .chunks(1024)
                .enumerate()
                .map(|(at, part)| (if at + 1 == count { 9 } else { 1 }, part.into())),
        );
    };
    let mut info = vec![11];
    info.extend(666_u32.to_le_bytes());
    info.extend([4, 1]);
    info.extend(b"a title\0maps/e1m1.bsp\0");
    // The names of models are so many that the message is sent in three parts.
    info.extend((0..120).flat_map(|at| format!("progs/model{at}.mdl\0").into_bytes()));
    info.extend([0, 0]);
    reliable(&info, &mut parts);
    reliable(b"\x19\x01", &mut parts);
    let beginning = parts.len();
    let (mut current, mut sent, mut frame, mut last) = (0, None::<Instant>, 0_u32, Instant::now());
    let mut expected = 0;
    loop {
        if let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let datagram = &buffer[..length];
            if datagram[0] == 0x80 {
                client = Some(from);
                let mut accept = vec![0x80, 0, 0, 9, 0x81];
                accept.extend(u32::from(port).to_le_bytes());
                socket.send_to(&accept, from).unwrap();
            } else {
                match head(datagram) {
                    (2, number, _) if number == current as u32 && sent.is_some() => {
                        (current, sent) = (current + 1, None);
                    }
                    (1 | 9, number, body) => {
                        socket.send_to(&packet(2, number, b""), from).unwrap();
                        expected += u32::from(number == expected);
                        if body == b"\x02" {
                            return;
                        }
                    }
                    _ => {}
                }
            }
        }
        // As in a game, the server sends nothing before the client has acknowledged a packet.
        let Some(client) = client.filter(|_| expected > 0) else { continue };
        if let Some((flags, body)) = parts.get(current)
            && sent.is_none_or(|sent| sent.elapsed() > Duration::from_millis(40))
        {
            socket.send_to(&packet(*flags, current as u32, body), client).unwrap();
            sent = Some(Instant::now());
        }
        if current >= beginning && frame < FRAMES && last.elapsed() >= FRAME {
            (frame, last) = (frame + 1, Instant::now());
            let mut body = vec![7];
            body.extend((frame as f32 / 72.0).to_le_bytes());
            // A print whose length and letters differ from frame to frame.
            body.push(8);
            body.extend((0..frame % 200).map(|at| (at * frame) as u8 | 1));
            body.push(0);
            socket.send_to(&packet(0x10, frame, &body), client).unwrap();
            if frame.is_multiple_of(10) {
                reliable(format!("\x08print {frame}\n\0").as_bytes(), &mut parts);
            }
            if frame.is_multiple_of(50) {
                socket.send_to(&packet(0x10, frame, b"\x01"), client).unwrap();
            }
        }
    }
}

/// A message with the bits of the angles that the client had when it got it.
type Seen = (Vec<u8>, [u32; 3]);

/// Plays until no packet has arrived for a while; returns the messages in the order of their arrival.
fn play(proxy: SocketAddr) -> Vec<Seen> {
    let socket = socket(proxy, Duration::from_millis(2));
    ask(&socket, b"\x80\0\0\x0c\x01QUAKE\0\x03", |answer| {
        (answer[..5] == *b"\x80\0\0\x09\x81").then_some(())
    });
    let (mut reliable, mut unreliable, mut message) = (0, 0, Vec::new());
    let (mut seen, mut echo, mut turn, mut moves) = (Vec::new(), 0_f32, 0_u16, 0);
    let mut buffer = [0; 2048];
    let (mut nop, mut quiet) = (true, Instant::now());
    let mut angles = [0; 3];
    while quiet.elapsed() < Duration::from_millis(600) {
        if nop {
            socket.send(&packet(9, 0, b"\x01")).unwrap();
        }
        // The client sends moves after the first frame, and each has the time of the last frame that was read.
        if echo > 0.0 {
            turn = turn.wrapping_add(97);
            let mut body = vec![3];
            body.extend(echo.to_le_bytes());
            body.extend([0, turn, 0].iter().flat_map(|angle| angle.to_le_bytes()));
            body.extend([0; 8]);
            socket.send(&packet(0x10, moves, &body)).unwrap();
            angles = [0, ((f64::from(turn) * 360.0 / 65536.0) as f32).to_bits(), 0];
            moves += 1;
        }
        while let Ok(length) = socket.recv(&mut buffer) {
            // The line may double the acceptance.
            if buffer[0] == 0x80 {
                continue;
            }
            let (flags, sequence, body) = head(&buffer[..length]);
            let got = match flags {
                2 => {
                    nop = false;
                    continue;
                }
                1 | 9 => {
                    socket.send(&packet(2, sequence, b"")).unwrap();
                    if sequence != reliable {
                        continue;
                    }
                    reliable += 1;
                    message.extend_from_slice(body);
                    if flags == 1 {
                        continue;
                    }
                    std::mem::take(&mut message)
                }
                _ if sequence < unreliable => continue,
                _ => {
                    unreliable = sequence + 1;
                    body.to_vec()
                }
            };
            quiet = Instant::now();
            if got != b"\x01" {
                if got[0] == 7 {
                    echo = f32::from_le_bytes(got[1..5].try_into().unwrap());
                }
                seen.push((got, angles));
            }
        }
    }
    socket.send(&packet(0x10, moves, b"\x02")).unwrap();
    // This packet makes the server end.
    socket.send(&packet(9, 1, b"\x02")).unwrap();
    seen
}

fn blocks(mut file: &[u8]) -> Vec<Seen> {
    file = file.strip_prefix(b"-1\n").unwrap();
    let mut blocks = Vec::new();
    while !file.is_empty() {
        let length = number(file, 0) as usize;
        let angles = [4, 8, 12].map(|at| number(file, at));
        blocks.push((file[16..16 + length].to_vec(), angles));
        file = &file[16 + length..];
    }
    blocks
}

#[test]
fn a_recording_has_what_the_client_saw() {
    let (seen, file) = session("netquake", serve, play);
    let mut blocks = blocks(&file);
    assert_eq!(blocks.pop().unwrap().0, b"\x02", "the end");
    let bodies = |list: &[Seen]| list.iter().map(|(body, _)| body.clone()).collect::<Vec<_>>();
    assert!(seen.len() > FRAMES as usize * 8 / 10, "{}", seen.len());
    assert_eq!(bodies(&blocks), bodies(&seen));
    // Prints have no time, so their angles may be those of the next frame. The same holds for a frame that the client
    // had not read when it made its first move.
    let timed = seen.iter().zip(&blocks).filter(|((body, _), _)| body[0] == 7);
    let wrong: Vec<_> = timed.filter(|((_, ours), (_, theirs))| ours != theirs).collect();
    let early = wrong.iter().filter(|(_, (_, theirs))| *theirs == [0; 3]).count();
    assert!(early == wrong.len() && early < 9, "{} frames with other angles", wrong.len());
}
