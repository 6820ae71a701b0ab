//! QTV: a recording that is broadcast and recorded again is the same, byte for byte; other requests get an answer.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::ask;
use moviola_net::First;
use moviola_net::disk::FileEvent;
use moviola_net::qtv::{self, Broadcast, Settings};
use moviola_net::show::Playlist;
use std::io::{self, Cursor, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

struct Recordings(Vec<Vec<u8>>);

impl Playlist for Recordings {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn title(&self, number: usize) -> String {
        format!("match {number}.mvd")
    }
    fn map(&self, _: usize) -> String {
        "dm6".into()
    }
    fn open(&self, number: usize, _: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Cursor::new(self.0[number].clone())))
    }
}

/// A block for all viewers, `msec` after the one before.
fn block(msec: u8, body: &[u8]) -> Vec<u8> {
    let mut block = vec![msec, 6];
    block.extend((body.len() as u32).to_le_bytes());
    block.extend(body);
    block
}

/// A recording of half a second: a beginning, a print with each block, one record and a hidden block.
fn recording(map: &str) -> Vec<u8> {
    let mut beginning = b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0a title\0".to_vec();
    beginning.extend([0; 40]);
    beginning.extend(format!("\x09fullserverinfo \"\\map\\{map}\"\n\0").bytes());
    let mut file = block(0, &beginning);
    file.extend(b"\0\x02\x01\0\0\0\x01\0\0\0");
    for at in 0..20_u8 {
        file.extend(block(25, format!("\x08\x03print {at}\n\0").as_bytes()));
    }
    file.extend(b"\x0a\x03\0\0\0\0\x03\0\0\0\x0a\0\x11");
    file.extend(block(0, b"\x02EndOfDemo\0"));
    file
}

fn server(recordings: Vec<Vec<u8>>) -> (SocketAddr, Arc<AtomicBool>, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
    let ends = Arc::clone(&stop);
    let settings = Settings { viewers: 4, recordings: Box::new(Recordings(recordings)) };
    (address, stop, thread::spawn(move || qtv::run(&listener, settings, &ends).unwrap()))
}

/// Records a broadcast to its end; returns the file's name and bytes.
fn recorded(address: SocketAddr, id: &str, folder: &str) -> (String, Vec<u8>) {
    let folder = std::env::temp_dir().join(format!("moviola-qtv-{}-{folder}", std::process::id()));
    let broadcast = Broadcast::parse(&format!("qtv:{address}{id}")).unwrap();
    let mut ended = None;
    let stream = broadcast.open().unwrap();
    qtv::keep(stream, &folder.join("{map}"), &AtomicBool::new(false), &mut |written| {
        if let FileEvent::Ended { path, .. } = written {
            ended = Some(path);
        }
    })
    .unwrap();
    let path = ended.unwrap();
    let (name, bytes) =
        (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap());
    std::fs::remove_dir_all(folder).unwrap();
    (name, bytes)
}

#[test]
fn a_broadcast_comes_back_in_its_own_time() {
    let file = recording("dm6");
    assert_eq!(First::of(&file[..]).unwrap().map(|it| (it.map, it.is_players)), Some(("dm6".into(), false)));
    let (address, stop, running) = server(vec![file.clone()]);
    for id in ["", "/1"] {
        let began = Instant::now();
        let (name, bytes) = recorded(address, id, &format!("whole{}", id.len()));
        assert_eq!((&name[..], bytes == file), ("dm6.mvd", true), "{} of {} bytes", bytes.len(), file.len());
        assert!((0.45..20.0).contains(&began.elapsed().as_secs_f64()), "{:?}", began.elapsed());
    }
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

#[test]
fn other_requests_get_an_answer() {
    let (address, stop, running) = server(vec![recording("dm6"), recording("dm4")]);
    let ask = |request: &str| ask(address, request);
    let list = "QTVSV 1\nASOURCE: 1: match_0.mvd: moviola\nASOURCE: 2: match_1.mvd: moviola\n\n";
    assert_eq!(ask("QTV\nVERSION: 1\nSOURCELIST\n\n"), list);
    assert!(ask("QTV\nVERSION: 1\nSOURCE: 9\n\n").contains("PERROR"));
    assert_eq!(ask("GET / HTTP/1.1\r\n\r\n"), "");
    let broadcast = Broadcast::parse(&format!("qtv:{address}/9")).unwrap();
    assert!(broadcast.open().unwrap_err().to_string().contains("no such recording"));
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

/// A viewer says `.next`, and gets the beginning of the other recording.
#[test]
fn a_viewer_chooses() {
    let (address, stop, running) = server(vec![recording("dm6"), recording("dm4")]);
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"QTV\nVERSION: 1\nSOURCE: 1\n\n").unwrap();
    stream.write_all(b"\x0d\0\x01say .next\0").unwrap();
    let (mut seen, mut buffer) = (Vec::<u8>::new(), [0; 512]);
    while !seen.windows(9).any(|it| it == b"\\map\\dm4\"") {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "the stream ended");
        seen.extend(&buffer[..length]);
    }
    assert!(!seen.windows(9).any(|it| it == b"EndOfDemo"), "it waited for the end");
    stream.shutdown(Shutdown::Both).unwrap();
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

/// If a stream ends in the middle of a block, the file has only whole blocks.
#[test]
fn a_broken_stream_leaves_whole_blocks() {
    let file = recording("dm6");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let cut = file[..file.len() - 3].to_vec();
    let sending = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 256];
        let length = stream.read(&mut request).unwrap();
        assert!(request[..length].ends_with(b"RECEIVE\n\n"));
        stream.write_all(b"QTVSV 1\nBEGIN\n\n").unwrap();
        stream.write_all(&cut).unwrap();
    });
    let (_, bytes) = recorded(address, "", "broken");
    sending.join().unwrap();
    assert_eq!(bytes, file[..file.len() - block(0, b"\x02EndOfDemo\0").len()]);
}
