//! The types that the tapes of all three games share.

use std::time::Duration;

/// The direction of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the server to the client.
    Down,
    /// From the client to the server.
    Up,
}

/// A step in the making of a recording's file. Every `Bytes` and `Ahead` ends with a whole block, so the file can be
/// played at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A recording begins.
    Begin(Title),
    /// The next bytes of the recording. If blocks were written ahead, these bytes replace the first of them, which has
    /// the same length.
    Bytes(Vec<u8>),
    /// A block after all others that is not final yet. It is written already, so that nothing is lost if the program
    /// ends.
    Ahead(Vec<u8>),
    /// The blocks that were written ahead do not become a part of the recording.
    Withdraw,
    /// The recording is complete.
    End,
    /// The reason why nothing is recorded.
    Notice(Notice),
}

/// A reason why a connection or a part of it is not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notice {
    /// A recording of Quake II that starts in the middle of a level.
    NoWholeFrame,
    /// A recording of QuakeWorld that starts in the middle of a connection.
    NextConnection,
    /// A server of DarkPlaces speaks one of its protocols whose moves are not read.
    DarkPlaces,
    /// A client asks for another protocol than those that are recorded.
    OtherProtocol,
}

impl Notice {
    /// Whether the notice is about the game and not about a recording. Such a notice is reported once.
    pub(crate) fn is_of_the_game(self) -> bool {
        matches!(self, Self::DarkPlaces | Self::OtherProtocol)
    }
}

impl std::fmt::Display for Notice {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::NoWholeFrame => {
                "the server was asked for a whole frame and has sent none: the recording begins with the next one"
            }
            Self::NextConnection => {
                "QuakeWorld's list of models is sent at the beginning alone: the recording begins with the next connection"
            }
            Self::DarkPlaces => {
                "a game plays in a rare protocol of DarkPlaces, and its recording has no view angles: start the server \
                 with `sv_protocolname QUAKE` or `DP7`"
            }
            Self::OtherProtocol => {
                "a game asks for a protocol that is forwarded and not recorded: Quake II's is 34, QuakeWorld's 28"
            }
        })
    }
}

/// The facts that can be part of a file's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// The name of the level's file, without folder and extension.
    pub map: String,
    /// The player's name.
    pub player: String,
    /// The extension of the file's name.
    pub extension: &'static str,
}

/// A recording of one connection, made from copies of its datagrams.
///
/// A tape only listens: the game already has each datagram, however the tape handles it.
pub trait Tape: Send {
    /// Handles a datagram; `now` counts from any fixed moment.
    fn take_datagram(&mut self, way: Direction, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>);
    /// Starts recording, even in the middle of a level; does nothing if it is already recording.
    fn start(&mut self, cuts: &mut Vec<Cut>);
    /// Ends the recording, with the bytes that the engine's own `stop` writes.
    fn stop(&mut self, cuts: &mut Vec<Cut>);
    /// Frames below this number must not be acknowledged to the server, so that it sends a whole frame with which the
    /// recording can begin.
    fn unacknowledged(&self) -> Option<i32> {
        None
    }
    /// Ends the recording because the connection is over.
    fn close(&mut self, cuts: &mut Vec<Cut>) {
        self.stop(cuts);
    }
}

/// A player's command for the proxy, as a line of chat. The server gets the line too: to keep a reliable
/// message from it, the proxy would have to play both ends of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChatCommand {
    /// `say .record`
    Record,
    /// `say .stop`
    Stop,
}

impl ChatCommand {
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

/// The name of a level by the path of its file: `maps/e1m1.bsp` is `e1m1`.
pub(crate) fn map_name(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".bsp").unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_out_of_paths_and_lists() {
        assert_eq!(map_name(b"maps/e1m1.bsp"), "e1m1");
        assert_eq!(map_name(b""), "");
    }
}
