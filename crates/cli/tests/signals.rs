//! `moviola record` starts and stops at signals, and loses nothing when it is killed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(20);
/// A client's request for a connection.
const CONNECT: &[u8] = b"\x80\0\0\x0c\x01QUAKE\0\x03";

/// A server of Quake that sends the same frame of a level for each packet.
fn serve(socket: &UdpSocket) {
    let (mut buffer, mut number) = ([0; 2048], 0_u32);
    let own = u32::from(socket.local_addr().unwrap().port());
    while let Ok((_, from)) = socket.recv_from(&mut buffer) {
        if buffer[0] == 0x80 {
            let accept = [b"\x80\0\0\x09\x81", &own.to_le_bytes()[..]].concat();
            socket.send_to(&accept, from).unwrap();
            continue;
        }
        let body: &[u8] = match number {
            0 => b"\x0b\x0f\0\0\0\x01\0a title\0maps/e1m1.bsp\0\0\0\x19\x02",
            _ => b"\x07\0\0\0\x40",
        };
        let mut packet = vec![0, 0x10, 0, body.len() as u8 + 8];
        packet.extend(number.to_be_bytes());
        packet.extend(body);
        socket.send_to(&packet, from).unwrap();
        number += 1;
    }
}

/// Waits for a line that contains the words.
fn wait_for(lines: &Receiver<String>, words: &str) -> String {
    loop {
        let line = lines.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no line with {words}"));
        if line.contains(words) {
            return line;
        }
    }
}

/// Starts `record` with these words in front of a server; returns the program, its lines, and its address.
fn record(words: &[&str], output: &std::path::Path) -> (Child, Receiver<String>, SocketAddr) {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let to = server.local_addr().unwrap().to_string();
    thread::spawn(move || serve(&server));
    let mut program = Command::new(env!("CARGO_BIN_EXE_moviola"))
        .args(["record", "--listen", "127.0.0.1:0", "--to", &to, "-o"])
        .arg(output)
        .args(words)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (tell, lines) = channel();
    let stderr = BufReader::new(program.stderr.take().unwrap());
    thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    let first = wait_for(&lines, " -> ");
    let proxy = first.split_once(" -> ").unwrap().0.rsplit(' ').next().unwrap().parse().unwrap();
    (program, lines, proxy)
}

/// A packet of a client that may get lost.
fn unreliable(number: u32, body: &[u8]) -> Vec<u8> {
    let head = [0, 0x10, 0, body.len() as u8 + 8];
    [&head[..], &number.to_be_bytes(), body].concat()
}

/// Connects, and acknowledges the packet by which the proxy makes sure of the player's address.
fn connect(proxy: SocketAddr) -> UdpSocket {
    let (player, mut buffer) = (UdpSocket::bind("127.0.0.1:0").unwrap(), [0; 2048]);
    player.connect(proxy).unwrap();
    player.set_read_timeout(Some(TIMEOUT)).unwrap();
    player.send(CONNECT).unwrap();
    assert_eq!(player.recv(&mut buffer).unwrap(), 9);
    player.send(&unreliable(0, b"\x01")).unwrap();
    assert_eq!(player.recv(&mut buffer).unwrap(), 8);
    player.send(&[&[0, 2, 0, 8], &buffer[4..8]].concat()).unwrap();
    player.recv(&mut buffer).unwrap();
    player
}

#[test]
fn signals_start_and_stop_a_recording() {
    let folder = std::env::temp_dir().join(format!("moviola-signals-{}", std::process::id()));
    let (mut program, lines, proxy) = record(&["--wait"], &folder.join("{map}"));
    thread::spawn(move || {
        let player = connect(proxy);
        for number in 1_u32.. {
            thread::sleep(Duration::from_millis(50));
            let _ = player.send(&unreliable(number, b"\x01"));
        }
    });
    thread::sleep(Duration::from_millis(500));
    let id = program.id().to_string();
    let send = |signal: &str| assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    send("-USR1");
    wait_for(&lines, "e1m1.dem: recording");
    send("-USR2");
    wait_for(&lines, "e1m1.dem: complete");
    send("-INT");
    assert!(program.wait().unwrap().success());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The blocks that wait for the player's view angles are in the file before they have them.
#[test]
fn a_killed_recording_has_all_that_has_passed() {
    const FRAMES: u32 = 20;
    let folder = std::env::temp_dir().join(format!("moviola-killed-{}", std::process::id()));
    let (mut program, lines, proxy) = record(&[], &folder.join("run"));
    let (player, mut buffer) = (connect(proxy), [0; 2048]);
    // A move that says that the client has read nothing so far; behind it the client is silent about what it has read.
    let a_move = [&b"\x03\0\0\x80\x3f"[..], &[0; 11]].concat();
    for number in 1..=FRAMES {
        let body = if number == 1 { &a_move[..] } else { b"\x01" };
        player.send(&unreliable(number, body)).unwrap();
        player.recv(&mut buffer).unwrap();
    }
    wait_for(&lines, "run.dem: recording");
    let file = folder.join("run.dem");
    let frames = || {
        let file = std::fs::read(&file).unwrap();
        file.windows(9).filter(|it| it.starts_with(&[5, 0, 0, 0])).count()
    };
    let began = std::time::Instant::now();
    while frames() < FRAMES as usize && began.elapsed() < Duration::from_millis(400) {
        thread::sleep(Duration::from_millis(5));
    }
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(frames(), FRAMES as usize, "frames in the file");
    let check = Command::new(env!("CARGO_BIN_EXE_moviola")).arg("check").arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(check.status.success() && !said.contains("cut off"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}
