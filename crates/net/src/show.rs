//! The playlist of a server of recordings, and the requests that a viewer can make from the game's console.

use moviola_format::Demo;
use std::fmt::Write as _;
use std::io::{self, Read};

/// A recording that is read for a viewer.
pub type Shown = Demo<Box<dyn Read + Send>>;

/// The recordings that a server shows.
///
/// An implementation must be able to open a recording at a moment, as a recording that begins there.
pub trait Playlist: Send + Sync {
    /// The number of recordings.
    fn len(&self) -> usize;
    /// Whether there are no recordings.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The name of a recording.
    fn title(&self, number: usize) -> String;
    /// The level in which a recording begins.
    fn map(&self, number: usize) -> String;
    /// Opens a recording, at a moment of its film in seconds if `from` is given.
    fn open(&self, number: usize, from: Option<f64>) -> io::Result<Box<dyn Read + Send>>;
    /// Opens a recording as [`open`](Self::open) does, to read its pieces.
    ///
    /// The error `WouldBlock` means here that the recording has not begun yet; when a piece is read, it means that
    /// the next piece is not there yet.
    fn demo(&self, number: usize, from: Option<f64>) -> io::Result<Shown> {
        Demo::new(self.open(number, from)?)
    }
    /// Whether the recordings are still being made. Then each block is sent as soon as it is written, and a
    /// viewer cannot choose the moment or the speed.
    fn is_live(&self) -> bool {
        false
    }
}

/// The answer to a request that only a complete recording can fulfill.
pub(crate) const LIVE: &str = "This is live.\n";

/// Printed when a live recording ends: its viewers wait for the player's next one.
pub(crate) const ENDED: &str = "This recording has ended. Waiting for the next.\n";

/// Whether the error means that a growing recording was shown up to its present end.
pub(crate) fn not_yet(why: &io::Error) -> bool {
    why.kind() == io::ErrorKind::WouldBlock
}

/// The state of a viewer: the recording, the moment where it began, pause and speed, and open requests.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) number: usize,
    pub(crate) from: Option<f64>,
    pub(crate) paused: bool,
    pub(crate) ended: bool,
    pub(crate) has_menu: bool,
    pub(crate) speed: f64,
    pub(crate) requests: Vec<Request>,
}

impl Default for Watch {
    fn default() -> Self {
        let requests = Vec::new();
        Self { number: 0, from: None, paused: false, ended: false, has_menu: false, speed: 1.0, requests }
    }
}

impl Watch {
    pub(crate) fn choose(&mut self, number: usize, from: Option<f64>) {
        (self.number, self.from, self.paused, self.ended) = (number, from, false, false);
    }

    /// Chooses the recording to show after one that has ended: the next in the list; in a game that is still being
    /// played, the next recording of the same player.
    pub(crate) fn after(&mut self, playlist: &dyn Playlist) {
        let number = if playlist.is_live() { self.number } else { (self.number + 1) % playlist.len().max(1) };
        self.choose(number, None);
    }

    /// The menu, as text for the console.
    pub(crate) fn list(&self, playlist: &dyn Playlist) -> String {
        /// The greatest number and length of the lines of a list, which must fit into one packet of every game.
        const MAX_LINES: usize = 20;
        const MAX_LINE: usize = 50;
        let mut text = String::from("\n");
        for number in 0..playlist.len().min(MAX_LINES) {
            let mark = if number == self.number { '>' } else { ' ' };
            let title = playlist.title(number);
            let title = title.chars().map(|sign| if sign.is_ascii() { sign } else { '?' }).take(MAX_LINE);
            let _ = writeln!(text, "{mark}{:>3} {}", number + 1, title.collect::<String>());
        }
        if playlist.len() > MAX_LINES {
            let _ = writeln!(text, "     and {} more", playlist.len() - MAX_LINES);
        }
        text.push_str("say .play 2, .next, .pause, .seek 1:12, .speed 0.5, .list\n");
        text
    }
}

/// A request of a viewer, as a line of chat: every engine can send one without knowing this server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Request {
    List,
    /// The recording with this number, counted from 0.
    Play(usize),
    Next,
    /// The recording with the number of a weapon key, or the next one. With only one recording the keys do nothing.
    Chosen(Option<usize>),
    Pause,
    /// A moment of the film in seconds.
    Seek(f64),
    Speed(f64),
}

impl Request {
    /// The request of an impulse: Quake's weapon keys choose from the menu.
    pub(crate) fn of_impulse(impulse: u8) -> Option<Self> {
        match impulse {
            1..=9 => Some(Self::Chosen(Some(usize::from(impulse) - 1))),
            10 => Some(Self::Chosen(None)),
            _ => None,
        }
    }

    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?.trim();
        let chat = line.strip_prefix("say ").or_else(|| line.strip_prefix("say_team "));
        // `cmd .next` in Quake, and a word that Quake II's console does not know, arrive without `say`.
        let words = chat.or(Some(line).filter(|line| line.starts_with('.')))?.trim();
        let words = words.strip_prefix('"').unwrap_or(words).trim_end_matches('"');
        let (word, value) = words.split_once(' ').unwrap_or((words, ""));
        match word {
            ".list" => Some(Self::List),
            ".next" => Some(Self::Next),
            ".pause" => Some(Self::Pause),
            ".play" => {
                value.trim().parse().ok().and_then(|number: usize| number.checked_sub(1)).map(Self::Play)
            }
            ".seek" => seconds(value.trim()).map(Self::Seek),
            ".speed" => {
                value.trim().parse().ok().filter(|speed| (0.125..=16.0).contains(speed)).map(Self::Speed)
            }
            _ => None,
        }
    }
}

/// `72`, `1:12` and `1:01:12` as seconds.
fn seconds(text: &str) -> Option<f64> {
    let mut sum = 0.0;
    for part in text.split(':') {
        let part: f64 = part.parse().ok()?;
        sum = sum * 60.0 + part;
    }
    (0.0..360_000.0).contains(&sum).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_lines_of_chat() {
        assert_eq!(Request::of(b"say \".seek 1:12\""), Some(Request::Seek(72.0)));
        assert_eq!(Request::of(b"say .play 2"), Some(Request::Play(1)));
        assert_eq!(Request::of(b"say .play 0"), None);
        assert_eq!(Request::of(b"say .speed 100"), None);
        assert_eq!(Request::of(b"say hello"), None);
        assert_eq!(Request::of(b".next"), Some(Request::Next));
        assert_eq!(Request::of(b"prespawn"), None);
        assert_eq!(Request::of_impulse(3), Some(Request::Chosen(Some(2))));
        assert_eq!(Request::of(b"\xff"), None);
    }
}
