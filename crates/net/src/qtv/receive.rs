//! Records a broadcast: everything after the answer's empty line is an MVD.

use super::{ANSWER, REQUEST, VERSION, lines, pair};
use crate::disk::FileEvent;
use crate::disk::FileWriter;
use crate::quakeworld::map_of;
use crate::tape::{Cut, Title};
use moviola_format::Audience;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The port of a server's broadcasts, if an address names none.
const PORT: u16 = 28000;
/// A broadcast that sends nothing for this long is over; servers give up on a viewer after as long.
const SILENCE: Duration = Duration::from_secs(45);
/// How often a waiting recorder checks whether it should stop.
const TICK: Duration = Duration::from_millis(250);
/// The most bytes of blocks that wait for the name of the map.
const MOST_WAITING: usize = 256 << 10;
/// The longest block; engines read at most 8192 bytes.
const LONGEST_BLOCK: usize = 1 << 16;

/// A broadcast's address: `qtv:HOST:PORT/ID`. Without an id a server sends its own game.
///
/// ```
/// use moviola_net::qtv::Broadcast;
/// let broadcast = Broadcast::parse("qtv:play.example:28000/2").unwrap();
/// assert_eq!((&broadcast.host[..], &broadcast.id[..]), ("play.example:28000", "2"));
/// assert_eq!(Broadcast::parse("qtv:play.example").unwrap().host, "play.example:28000");
/// assert_eq!(Broadcast::parse("play.example:27500"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// The host and port.
    pub host: String,
    /// The number or name of the source at this host; empty for a server's own game.
    pub id: String,
}

impl Broadcast {
    /// Parses an address.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("qtv:")?;
        let (host, id) = rest.split_once('/').unwrap_or((rest, ""));
        let port = if host.contains(':') { String::new() } else { format!(":{PORT}") };
        (!host.is_empty()).then(|| Self { host: format!("{host}{port}"), id: id.to_owned() })
    }

    /// Connects and asks; the stream that is returned begins with the first block.
    pub fn open(&self) -> io::Result<TcpStream> {
        let found = self.host.to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
        let mut stream = TcpStream::connect_timeout(&found, SILENCE)?;
        stream.set_read_timeout(Some(SILENCE))?;
        let source = if self.id.is_empty() { String::new() } else { format!("SOURCE: {}\n", self.id) };
        stream.write_all(format!("{REQUEST}\nVERSION: {VERSION}\n{source}RECEIVE\n\n").as_bytes())?;
        begins(&mut stream)?;
        Ok(stream)
    }
}

/// Reads a server's answer up to the first block of the stream.
///
/// ```
/// use moviola_net::qtv::begins;
/// let mut stream = &b"QTVSV 1\nBEGIN: match\n\n\0\x06"[..];
/// begins(&mut stream).unwrap();
/// assert_eq!(stream, b"\0\x06");
/// let refused = begins(&mut &b"QTVSV 1\nPERROR: full\n\n"[..]).unwrap_err();
/// assert_eq!(refused.to_string(), "it answers: full");
/// ```
pub fn begins(from: &mut impl Read) -> io::Result<()> {
    let answer = lines(from)?;
    if !answer.first().is_some_and(|line| line.starts_with(ANSWER)) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "this is not QTV"));
    }
    for (key, value) in answer.iter().map(|line| pair(line)) {
        match key {
            "BEGIN" => return Ok(()),
            "AUTH" => return Err(io::Error::other("it asks for a password")),
            "ERROR" | "TERROR" | "PERROR" => {
                return Err(io::Error::other(format!("it answers: {value}")));
            }
            _ => {}
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "it does not say that a stream begins"))
}

/// Writes a stream into a file whose name is made of `pattern`, until it ends or `should_stop` is set. The file grows
/// by whole blocks.
pub fn keep(
    mut stream: TcpStream,
    pattern: &Path,
    should_stop: &AtomicBool,
    report: &mut impl FnMut(FileEvent),
) -> io::Result<()> {
    stream.set_read_timeout(Some(TICK))?;
    let (mut keeper, mut blocks) = (FileWriter::new(pattern), Blocks::default());
    let (mut buffer, mut cuts, mut last_received) = (vec![0; LONGEST_BLOCK], Vec::new(), Instant::now());
    let ended = loop {
        if should_stop.load(Ordering::Relaxed) {
            break Ok(());
        }
        match stream.read(&mut buffer) {
            Ok(0) => break Ok(()),
            Ok(length) => {
                last_received = Instant::now();
                if !blocks.take(buffer.get(..length).unwrap_or_default(), &mut cuts) {
                    break Err(io::Error::new(io::ErrorKind::InvalidData, "the stream is not an MVD"));
                }
                keeper.write(&mut cuts, report);
            }
            Err(why) if matches!(why.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                if last_received.elapsed() > SILENCE {
                    break Err(io::ErrorKind::TimedOut.into());
                }
            }
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(why) => break Err(why),
        }
    };
    blocks.end(&mut cuts);
    keeper.write(&mut cuts, report);
    ended
}

/// Splits the stream into whole blocks. The file is named after its map, so the first blocks are kept until the name is
/// known.
///
/// ```
/// use moviola_net::{Cut, qtv::Blocks};
/// let (mut blocks, mut cuts) = (Blocks::default(), Vec::new());
/// assert!(blocks.take(b"\0\x06\x01\0\0\0\x01\0\x06\x01\0\0", &mut cuts));
/// blocks.end(&mut cuts);
/// assert_eq!(cuts[1..], [Cut::Bytes(b"\0\x06\x01\0\0\0\x01".to_vec()), Cut::End]);
/// ```
#[derive(Debug, Default)]
pub struct Blocks {
    bytes: Vec<u8>,
    waiting: Vec<u8>,
    running: bool,
}

impl Blocks {
    /// Takes the next bytes of the stream; returns `false` if they are not part of an MVD.
    pub fn take(&mut self, bytes: &[u8], cuts: &mut Vec<Cut>) -> bool {
        self.bytes.extend_from_slice(bytes);
        let mut at = 0;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            match size(rest) {
                Some(size) if size > LONGEST_BLOCK => return false,
                Some(size) if size <= rest.len() => at += size,
                _ => break,
            }
        }
        let whole: Vec<u8> = self.bytes.drain(..at).collect();
        if self.running {
            cuts.push(Cut::Bytes(whole));
            return true;
        }
        self.waiting.extend(whole);
        let map = map_of(&self.waiting);
        if map.is_some() || self.waiting.len() > MOST_WAITING {
            self.begin(map.unwrap_or_default(), cuts);
        }
        true
    }

    fn begin(&mut self, map: String, cuts: &mut Vec<Cut>) {
        cuts.push(Cut::Begin(Title { map, extension: "mvd", ..Title::default() }));
        cuts.push(Cut::Bytes(std::mem::take(&mut self.waiting)));
        self.running = true;
    }

    /// Ends the recording; the bytes of a block that is not whole are dropped.
    pub fn end(&mut self, cuts: &mut Vec<Cut>) {
        if !self.waiting.is_empty() {
            self.begin(String::new(), cuts);
        }
        if self.running {
            cuts.push(Cut::End);
        }
    }
}

/// The size of the block at the start of these bytes; `None` while its head is incomplete.
fn size(bytes: &[u8]) -> Option<usize> {
    const KIND: u8 = 7;
    /// A record of two sequence numbers.
    const SET: u8 = 2;
    let kind = *bytes.get(1)?;
    let head = match Audience::of(kind) {
        _ if kind & KIND == SET => return Some(10),
        Some(Audience::Multiple) => 6,
        Some(_) => 2,
        None => return Some(usize::MAX),
    };
    let length = bytes.get(head..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
    Some(usize::try_from(length).ok()?.saturating_add(head + 4))
}
