//! The pages of `serve`: only what is there is given, and on loopback only to this machine.
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
        let page = || Page { kind: "text/html", file: None, length: 7, body: Box::new(&b"<p>here"[..]) };
        Ok((path == "/").then(page))
    }
}

#[test]
fn only_what_is_there_is_given_and_only_to_this_machine() {
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
    assert!(ask("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n").contains(" 405 "));
    assert!(ask("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").contains(" 403 "));
    assert!(ask("GET / HTTP/1.1\r\n\r\n").contains(" 403 "));
    // A request of which a byte comes now and then ends all the same.
    let (mut slow, began) = (TcpStream::connect(address).unwrap(), Instant::now());
    while slow.write_all(b"G").is_ok() {
        assert!(began.elapsed() < Duration::from_secs(20), "the request never ends");
        thread::sleep(Duration::from_millis(500));
    }
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap();
}
