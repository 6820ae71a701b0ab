//! A small HTTP server of pages: it answers `GET` and `HEAD`, one request per connection, and reads only the
//! request's head.
//!
//! A web page must not read recordings on its visitor's machine. So on loopback only requests whose `Host` is
//! this machine are answered, even if another name resolves to it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a request's head that are read.
const LONGEST_HEAD: u64 = 8192;
/// A request or an answer that takes longer than this is given up: a client that sends or reads only a byte now and then
/// must not keep others from the pages.
const REQUEST: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_mins(10);
/// The most requests that are served at once.
const MOST: usize = 16;
/// How often the server checks whether it should stop.
const TICK: Duration = Duration::from_millis(50);

/// The pages to serve.
pub trait Site: Send + Sync {
    /// The page at a path, which begins with `/` and has no query; `None` if there is no such page.
    fn page(&self, path: &str) -> io::Result<Option<Page>>;
}

/// A page to look at, or a file to save.
pub struct Page {
    /// Its media type.
    pub kind: &'static str,
    /// The name under which a browser saves it; `None` for a page to look at.
    pub file: Option<String>,
    /// The number of its bytes.
    pub length: u64,
    /// Its bytes.
    pub body: Box<dyn Read + Send>,
}

/// Serves pages until `stop` is set.
pub fn run(listener: &TcpListener, site: &Arc<dyn Site>, stop: &AtomicBool) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let own = listener.local_addr()?;
    let busy = Arc::new(AtomicUsize::new(0));
    while !stop.load(Ordering::Relaxed) {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(TICK);
            continue;
        };
        // Dropping a connection refuses it.
        if busy.load(Ordering::Relaxed) >= MOST {
            continue;
        }
        busy.fetch_add(1, Ordering::Relaxed);
        let (site, done) = (Arc::clone(site), Arc::clone(&busy));
        thread::spawn(move || {
            // A client that has gone away needs no error.
            let _ = answer(&stream, &*site, own);
            done.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

/// The parts of a request's head that decide the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    method: String,
    path: String,
    host: Option<String>,
}

impl PageRequest {
    /// Reads the lines up to the empty one, or as many bytes as a head may have.
    pub fn read(from: impl Read) -> io::Result<Self> {
        let mut head = BufReader::new(from.take(LONGEST_HEAD));
        let (mut first, mut line, mut host) = (String::new(), String::new(), None);
        head.read_line(&mut first)?;
        while {
            line.clear();
            head.read_line(&mut line)? > 0 && !line.trim().is_empty()
        } {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                host = Some(value.trim().to_owned());
            }
        }
        let mut words = first.split_ascii_whitespace().map(str::to_owned);
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        Ok(Self { method, path, host })
    }

    /// Whether a server at this address may answer: on loopback, `Host` must be this machine.
    pub fn is_meant_for(&self, own: SocketAddr) -> bool {
        let Some(host) = self.host.as_deref().filter(|_| own.ip().is_loopback()) else {
            return !own.ip().is_loopback();
        };
        let name =
            host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |it| it.0);
        let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
        name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
    }
}

fn answer(stream: &TcpStream, site: &dyn Site, own: SocketAddr) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    let request = PageRequest::read(Timed { stream, until: Instant::now() + REQUEST })?;
    let (method, path) = (&request.method[..], &request.path[..]);
    let found = match method {
        _ if !request.is_meant_for(own) => Err(("403 Forbidden", "This name is not this machine's.")),
        "GET" | "HEAD" if path.starts_with('/') => match site.page(path.split('?').next().unwrap_or(path)) {
            Ok(Some(page)) => Ok(page),
            Ok(None) => Err(("404 Not Found", "There is nothing here.")),
            Err(_) => Err(("500 Internal Server Error", "This recording cannot be read.")),
        },
        _ => Err(("405 Method Not Allowed", "Only GET and HEAD are answered.")),
    };
    let (status, mut page) = match found {
        Ok(page) => ("200 OK", page),
        Err((status, text)) => {
            let (kind, length) = ("text/plain; charset=utf-8", text.len() as u64);
            (status, Page { kind, file: None, length, body: Box::new(text.as_bytes()) })
        }
    };
    let kept =
        page.file.map(|name| format!("Content-Disposition: attachment; filename=\"{}\"\r\n", plain(&name)));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; img-src data:\r\n\r\n",
        page.kind,
        page.length,
        kept.unwrap_or_default()
    );
    let mut out = io::BufWriter::new(Timed { stream, until: Instant::now() + ANSWER });
    out.write_all(head.as_bytes())?;
    if method != "HEAD" {
        io::copy(&mut page.body, &mut out)?;
    }
    out.flush()
}

/// A connection until a moment.
struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Timed<'_> {
    /// The time that is left, at least a moment: zero would mean to wait for ever.
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// A file name without the characters that would end it in the head of an answer.
fn plain(name: &str) -> String {
    name.chars().map(|it| if it.is_ascii_graphic() && !"\"\\".contains(it) { it } else { '_' }).collect()
}
