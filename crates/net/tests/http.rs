//! The pages of `serve`: only existing pages are sent, and on loopback only to this machine.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::ask;
use moviola_net::http::{Page, Site, run};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

struct One;

impl Site for One {
    fn page(&self, path: &str) -> io::Result<Option<Page>> {
        let page = |file| Page { kind: "text/html", file, length: 7, body: Box::new(&b"<p>here"[..]) };
        Ok(match path {
            "/" => Some(page(None)),
            "/file" => Some(page(Some("\u{dc}.dem".to_owned()))),
            _ => None,
        })
    }
}

#[test]
fn only_existing_pages_are_given_and_only_to_this_machine() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
    let (site, ends): (Arc<dyn Site>, _) = (Arc::new(One), Arc::clone(&stop));
    let running = thread::spawn(move || run(&listener, &site, &ends).unwrap());
    let ask = |request: &str| ask(address, request);
    let page = ask("GET / HTTP/1.1\r\nHost: localhost:80\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("<p>here"), "{page}");
    let has_length =
        |answer: &str, length: usize| answer.contains(&format!("\r\nContent-Length: {length}\r\n"));
    assert!(has_length(&page, 7));
    assert!(ask("GET /?from=mail HTTP/1.1\r\nHost: localhost\r\n\r\n").ends_with("<p>here"));
    let missing = ask("GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(has_length(&missing, "There is nothing here.".len()), "{missing}");
    assert!(!ask("HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").contains("here"));
    assert!(ask("GET /../etc/passwd HTTP/1.1\r\nHost: [::1]:7\r\n\r\n").contains(" 404 "));
    let part = |range: &str| ask(&format!("GET /file HTTP/1.1\r\nHost: localhost\r\n{range}\r\n\r\n"));
    let file = part("Accept: */*");
    assert!(file.starts_with("HTTP/1.1 200 ") && file.ends_with("\r\n\r\n<p>here"), "{file}");
    assert!(file.contains("filename*=UTF-8''%C3%9C.dem\r\n"), "{file}");
    let middle = part("Range: bytes=1-3");
    assert!(middle.starts_with("HTTP/1.1 206 ") && middle.ends_with("\r\n\r\np>h"), "{middle}");
    assert!(middle.contains("\r\nContent-Range: bytes 1-3/7\r\n") && has_length(&middle, 3), "{middle}");
    let behind = part("Range: bytes=7-");
    assert!(
        behind.starts_with("HTTP/1.1 416 ") && behind.contains("\r\nContent-Range: bytes */7\r\n"),
        "{behind}"
    );
    assert!(part("Range: bytes=1-3\r\nIf-Range: \"x\"").ends_with("\r\n\r\n<p>here"));
    assert!(!ask("GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=1-\r\n\r\n").contains(" 206 "));
    assert!(ask("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n").contains(" 405 "));
    assert!(ask("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").contains(" 403 "));
    assert!(ask("GET / HTTP/1.1\r\n\r\n").contains(" 403 "));
    // A request that arrives byte by byte with long pauses is aborted.
    let (mut slow, began) = (TcpStream::connect(address).unwrap(), Instant::now());
    while slow.write_all(b"G").is_ok() {
        assert!(began.elapsed() < Duration::from_secs(20), "the request never ends");
        thread::sleep(Duration::from_millis(500));
    }
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}
