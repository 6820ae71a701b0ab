//! QTV: an MVD as a stream over TCP, after a few lines of text. `QuakeWorld`'s servers and proxies send games
//! like this while they are played, and ezquake watches them with `qtvplay`.

mod receive;
mod send;

pub use receive::{Blocks, Broadcast, begins, keep};
pub use send::{Settings, ViewerRequest, command, run};

use std::io::{self, Read};

/// The first line of a request.
const REQUEST: &str = "QTV";
/// The first line of an answer, up to its version.
const ANSWER: &str = "QTVSV";
const VERSION: &str = "1";
/// The most bytes of a request or an answer before the stream.
const LONGEST: usize = 8192;

/// Reads lines up to an empty one, byte by byte, because a stream follows.
fn lines(from: &mut impl Read) -> io::Result<Vec<String>> {
    let mut text = Vec::new();
    while !text.ends_with(b"\n\n") && !text.ends_with(b"\n\r\n") {
        let mut byte = [0];
        if text.len() >= LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the lines before the stream do not end"));
        }
        from.read_exact(&mut byte)?;
        text.extend(byte);
    }
    Ok(String::from_utf8_lossy(&text)
        .lines()
        .map(str::to_owned)
        .take_while(|line| !line.is_empty())
        .collect())
}

/// A line's key and value: `SOURCE: 1` has both. Values may stand in quotes.
fn pair(line: &str) -> (&str, &str) {
    let (key, value) = line.split_once(':').unwrap_or((line, ""));
    (key.trim(), value.trim().trim_matches('"'))
}
