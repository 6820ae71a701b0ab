//! `moviola record` starts and stops at signals.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

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
        let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no line with {words}"));
        if line.contains(words) {
            return line;
        }
    }
}

#[test]
fn signals_start_and_stop_a_recording() {
    let folder = std::env::temp_dir().join(format!("moviola-signals-{}", std::process::id()));
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let to = server.local_addr().unwrap().to_string();
    thread::spawn(move || serve(&server));
    let mut program = Command::new(env!("CARGO_BIN_EXE_moviola"))
        .args(["record", "--wait", "--listen", "127.0.0.1:0", "--to", &to, "-o"])
        .arg(folder.join("{map}"))
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (tell, lines) = channel();
    let stderr = BufReader::new(program.stderr.take().unwrap());
    thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    let first = wait_for(&lines, "waiting");
    let proxy: SocketAddr = first.split_once(" -> ").unwrap().0.rsplit(' ').next().unwrap().parse().unwrap();
    thread::spawn(move || {
        let player = UdpSocket::bind("127.0.0.1:0").unwrap();
        player.connect(proxy).unwrap();
        player.send(b"\x80\0\0\x0c\x01QUAKE\0\x03").unwrap();
        for number in 0_u32.. {
            thread::sleep(Duration::from_millis(50));
            let _ = player.send(&[b"\0\x10\0\x09", &number.to_be_bytes()[..], b"\x01"].concat());
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
