//! What all three games' recordings have in common while they are being made.

use std::time::Duration;

/// Which way a datagram goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the server to the client.
    Down,
    /// From the client to the server.
    Up,
}

/// What a tape wants done with its file. Every `Bytes` ends with a whole block, so a file that is written so far can
/// be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A recording begins.
    Begin(Title),
    /// More of it.
    Bytes(Vec<u8>),
    /// It is complete.
    End,
}

/// What a file can be named after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// The level's file, without folder and ending.
    pub map: String,
    /// The player's name.
    pub player: String,
    /// The ending of the file's name.
    pub extension: &'static str,
}

/// A recording of one connection, made from copies of its datagrams.
///
/// A tape only listens: whatever it makes of a datagram, the game has it already.
pub trait Tape: Send {
    /// A datagram has passed; `now` counts from any fixed moment.
    fn hear(&mut self, way: Way, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>);
    /// Starts recording, in the middle of a level too; nothing happens while it records already.
    fn start(&mut self, cuts: &mut Vec<Cut>);
    /// Ends the recording, with what the engine's own `stop` writes.
    fn stop(&mut self, cuts: &mut Vec<Cut>);
    /// The connection is over.
    fn close(&mut self, cuts: &mut Vec<Cut>) {
        self.stop(cuts);
    }
}

/// What a player says to the proxy from the game, as a line of chat. The server gets the line too: to keep a reliable
/// message from it, the proxy would have to play both ends of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoken {
    /// `say .record`
    Record,
    /// `say .stop`
    Stop,
}

impl Spoken {
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let words = line.trim_ascii().strip_prefix(b"say ")?.trim_ascii();
        let words = words.strip_prefix(b"\"").unwrap_or(words);
        match words.strip_suffix(b"\"").unwrap_or(words) {
            b".record" => Some(Self::Record),
            b".stop" => Some(Self::Stop),
            _ => None,
        }
    }
}

/// The name of a level out of the path of its file: `maps/e1m1.bsp` is `e1m1`.
pub(crate) fn map_name(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".bsp").unwrap_or(name).to_owned()
}

/// A value of a list of keys and values: `\name\Ranger\skin\base`.
pub(crate) fn info_value<'a>(info: &'a [u8], key: &str) -> Option<&'a [u8]> {
    let mut words = info.strip_prefix(b"\\").unwrap_or(info).split(|byte| *byte == b'\\');
    while let (Some(name), Some(value)) = (words.next(), words.next()) {
        if name == key.as_bytes() {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_out_of_paths_and_lists() {
        assert_eq!(map_name(b"maps/e1m1.bsp"), "e1m1");
        assert_eq!(map_name(b""), "");
        assert_eq!(info_value(b"\\name\\Ranger\\skin\\base", "skin"), Some(&b"base"[..]));
        assert_eq!(info_value(b"\\name", "name"), None);
    }
}
