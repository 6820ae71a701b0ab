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
const MAX_REQUESTS: usize = 16;
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
    /// The name under which a browser saves it; `None` if the browser shows it.
    pub file: Option<String>,
    /// The number of its bytes.
    pub length: u64,
    /// Its bytes.
    pub body: Box<dyn Read + Send>,
}

/// Serves pages until `stop` is set.
pub fn run(listener: &TcpListener, site: &Arc<dyn Site>, stop: &AtomicBool) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let own_address = listener.local_addr()?;
    let busy = Arc::new(AtomicUsize::new(0));
    while !stop.load(Ordering::Relaxed) {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(TICK);
            continue;
        };
        // Dropping a connection refuses it.
        if busy.load(Ordering::Relaxed) >= MAX_REQUESTS {
            continue;
        }
        busy.fetch_add(1, Ordering::Relaxed);
        let (site, done) = (Arc::clone(site), Arc::clone(&busy));
        thread::spawn(move || {
            // An error of a client that has disconnected is of no interest.
            let _ = answer(&stream, &*site, own_address);
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
    /// The wanted part of a file, in the words of the request.
    part: Option<String>,
}

impl PageRequest {
    /// Reads the lines up to the empty one, or as many bytes as a head may have.
    pub fn read(from: impl Read) -> io::Result<Self> {
        let mut head = BufReader::new(from.take(LONGEST_HEAD));
        let (mut first, mut line) = (String::new(), String::new());
        let (mut host, mut part, mut is_conditional) = (None, None, false);
        head.read_line(&mut first)?;
        while {
            line.clear();
            head.read_line(&mut line)? > 0 && !line.trim().is_empty()
        } {
            let Some((name, value)) = line.split_once(':') else { continue };
            match name.to_ascii_lowercase().as_str() {
                "host" => host = Some(value.trim().to_owned()),
                // not from SCHEMA: a header of HTTP
                "range" => part = Some(value.trim().to_owned()),
                "if-range" => is_conditional = true,
                _ => {}
            }
        }
        let mut words = first.split_ascii_whitespace().map(str::to_owned);
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // The condition is that the file has not changed, which is not known here.
        Ok(Self { method, path, host, part: part.filter(|_| !is_conditional) })
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

/// The bytes of a file that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    /// From the first of these to before the second.
    Part(u64, u64),
    /// The requested bytes are after the end.
    Nothing,
}

impl Wanted {
    /// Reads `bytes=0-499`, `bytes=500-` and `bytes=-500`, which are the last 500. For any other request the whole file
    /// is sent.
    fn of(text: Option<&str>, length: u64) -> Self {
        let Some((first, last)) =
            text.and_then(|it| it.strip_prefix("bytes=")).and_then(|it| it.split_once('-'))
        else {
            return Self::All;
        };
        let (from, to) = match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
            (Ok(from), Ok(to)) if from <= to => (from, to.saturating_add(1).min(length)),
            (Ok(from), Err(_)) if last.trim().is_empty() => (from, length),
            (Err(_), Ok(count)) if first.trim().is_empty() => (length.saturating_sub(count), length),
            _ => return Self::All,
        };
        if from < to { Self::Part(from, to) } else { Self::Nothing }
    }
}

fn answer(stream: &TcpStream, site: &dyn Site, own: SocketAddr) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    let request = PageRequest::read(Timed { stream, deadline: Instant::now() + REQUEST })?;
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
    let text = |text: &'static str| Page {
        kind: "text/plain; charset=utf-8",
        file: None,
        length: text.len() as u64,
        body: Box::new(text.as_bytes()),
    };
    let (mut status, mut page) = match found {
        Ok(page) => ("200 OK", page),
        Err((status, why)) => (status, text(why)),
    };
    let mut headers = Vec::new();
    if let Some(name) = &page.file {
        headers = vec![disposition(name), "Accept-Ranges: bytes\r\n".to_owned()];
        let total_length = page.length;
        match Wanted::of(request.part.as_deref(), total_length) {
            Wanted::All => {}
            Wanted::Part(from, to) => {
                if method != "HEAD" {
                    io::copy(&mut page.body.by_ref().take(from), &mut io::sink())?;
                }
                (status, page.length) = ("206 Partial Content", to - from);
                page.body = Box::new(page.body.take(to - from));
                headers.push(format!("Content-Range: bytes {from}-{}/{total_length}\r\n", to - 1));
            }
            Wanted::Nothing => {
                (status, page) = ("416 Range Not Satisfiable", text("The file ends before that."));
                headers = vec![format!("Content-Range: bytes */{total_length}\r\n")];
            }
        }
    }
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; img-src 'self' data:\r\n\r\n",
        page.kind,
        page.length,
        headers.concat(),
    );
    let mut out = io::BufWriter::new(Timed { stream, deadline: Instant::now() + ANSWER });
    out.write_all(head.as_bytes())?;
    if method != "HEAD" {
        io::copy(&mut page.body, &mut out)?;
    }
    out.flush()
}

/// A connection with a time limit.
struct Timed<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl Timed<'_> {
    /// The time until the limit, but never zero, since a timeout of zero means to wait forever.
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
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

/// The header line with the name under which a browser saves the file: in ASCII for old browsers, and exactly.
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|it| if it.is_ascii_graphic() && !"\"\\%".contains(it) { it } else { '_' })
        .collect();
    let encode = |byte: u8| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let encoded: String = name.bytes().map(encode).collect();
    format!("Content-Disposition: attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_file() {
        for (text, expected) in [
            ("bytes=0-3", Wanted::Part(0, 4)),
            ("bytes=4-", Wanted::Part(4, 10)),
            ("bytes=-3", Wanted::Part(7, 10)),
            ("bytes=-30", Wanted::Part(0, 10)),
            ("bytes=9-18446744073709551615", Wanted::Part(9, 10)),
            ("bytes=10-", Wanted::Nothing),
            ("bytes=-0", Wanted::Nothing),
            ("bytes=3-2", Wanted::All),
            ("bytes=0-1,3-4", Wanted::All),
            ("bytes=-", Wanted::All),
            ("bytes=a-b", Wanted::All),
            ("lines=0-3", Wanted::All),
        ] {
            assert_eq!(Wanted::of(Some(text), 10), expected, "{text}");
        }
        assert_eq!(Wanted::of(None, 10), Wanted::All);
        assert_eq!(Wanted::of(Some("bytes=0-"), 0), Wanted::Nothing);
    }

    #[test]
    fn every_name_is_kept_and_ends_no_line() {
        let line = disposition("100% \"\u{dc}ber\"\r\n.dem");
        let expected = "Content-Disposition: attachment; filename=\"100____ber___.dem\"; \
                        filename*=UTF-8''100%25%20%22%C3%9Cber%22%0D%0A.dem\r\n";
        assert_eq!(line, expected);
    }
}
