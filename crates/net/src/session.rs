//! Finds the game of a connection from its datagrams, and makes the tape for it.

use crate::bytes::out_of_band;
use crate::netquake::{Control, DemTape, Packet};
use crate::quake2::Dm2Tape;
use crate::quakeworld::QwdTape;
use crate::tape::{Cut, Direction, Notice, Tape};
use std::time::Duration;

/// The network protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Quake's original protocol, of 1996.
    NetQuake,
    /// QuakeWorld's.
    QuakeWorld,
    /// Quake II's.
    Quake2,
}

impl Protocol {
    /// The protocol that this datagram reveals, if it does.
    ///
    /// ```
    /// use moviola_net::{Protocol, Direction};
    /// assert_eq!(Protocol::of(Direction::Down, b"\xff\xff\xff\xffchallenge 77"), Some(Protocol::Quake2));
    /// assert_eq!(Protocol::of(Direction::Down, b"\xff\xff\xff\xffc77\0"), Some(Protocol::QuakeWorld));
    /// assert_eq!(Protocol::of(Direction::Up, b"\xff\xff\xff\xffgetchallenge\n"), None);
    /// ```
    pub fn of(way: Direction, datagram: &[u8]) -> Option<Self> {
        let Some(text) = out_of_band(datagram) else {
            let shows = matches!(
                (way, Packet::parse(datagram)?),
                (Direction::Up, Packet::Control(Control::Connect))
                    | (Direction::Down, Packet::Control(Control::Accept { .. }))
            );
            return shows.then_some(Self::NetQuake);
        };
        match (way, text) {
            (Direction::Down, [b'c', digit, ..]) if digit.is_ascii_digit() || *digit == b'-' => {
                Some(Self::QuakeWorld)
            }
            (Direction::Down, text) if text.starts_with(b"challenge ") => Some(Self::Quake2),
            (Direction::Up, text) if text.starts_with(b"connect 28 ") => Some(Self::QuakeWorld),
            (Direction::Up, text) if text.starts_with(b"connect 3") => Some(Self::Quake2),
            _ => None,
        }
    }
}

/// A request that follows within this time is a duplicate of the first one.
const SAME_REQUEST: Duration = Duration::from_millis(300);

/// The request of `DarkPlaces`' client. All other clients end theirs with a line break.
const GREETING: &[u8] = b"getchallenge";

/// The longest request for a connection that is kept.
const LONGEST_REQUEST: usize = 2048;

/// A tape that waits until the game is known.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one connection")]
pub struct SessionTape {
    tape: Option<GameTape>,
    recording: bool,
    split: bool,
    /// The time when the client asked for a connection.
    requested_at: Option<Duration>,
    /// Whether the client has sent packets of a connection since then.
    plays: bool,
    /// Whether the client has greeted the server as `DarkPlaces` does.
    is_darkplaces: bool,
    /// The client's request for a new connection. It counts when the server accepts it; until then the present
    /// connection goes on.
    renewal: Option<Vec<u8>>,
}

/// The steps of a handshake that matter here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The client asks for a connection.
    Asks,
    /// The server accepts.
    Accepts,
    /// A packet of the connection.
    Plays,
    Other,
}

impl Step {
    fn of(way: Direction, datagram: &[u8]) -> Self {
        let Some(text) = out_of_band(datagram) else {
            return match (way, Packet::parse(datagram)) {
                (Direction::Up, Some(Packet::Control(Control::Connect))) => Self::Asks,
                (Direction::Down, Some(Packet::Control(Control::Accept { .. }))) => Self::Accepts,
                (_, Some(Packet::Control(_))) => Self::Other,
                _ => Self::Plays,
            };
        };
        match way {
            Direction::Up if text.starts_with(b"connect ") => Self::Asks,
            Direction::Down if text.starts_with(b"client_connect") || text.first() == Some(&b'j') => {
                Self::Accepts
            }
            _ => Self::Other,
        }
    }
}

/// The notice about a handshake that no tape can read.
fn unreadable(way: Direction, text: &[u8]) -> Option<Notice> {
    let request = text.strip_prefix(b"connect ").filter(|_| way == Direction::Up)?;
    let is_read = [&b"34 "[..], b"28 "].iter().any(|protocol| request.starts_with(protocol));
    (!is_read).then_some(Notice::OtherProtocol)
}

#[derive(Debug)]
enum GameTape {
    NetQuake(DemTape),
    QuakeWorld(QwdTape),
    Quake2(Dm2Tape),
}

impl GameTape {
    fn new(protocol: Protocol, session: &SessionTape) -> Self {
        let recording = session.recording;
        match protocol {
            Protocol::NetQuake => {
                let mut tape = DemTape::new(recording).split(session.split);
                if session.is_darkplaces {
                    tape.is_of_darkplaces();
                }
                Self::NetQuake(tape)
            }
            Protocol::QuakeWorld => Self::QuakeWorld(QwdTape::new(recording)),
            Protocol::Quake2 => Self::Quake2(Dm2Tape::new(recording)),
        }
    }

    fn tape(&mut self) -> &mut dyn Tape {
        match self {
            Self::NetQuake(tape) => tape,
            Self::QuakeWorld(tape) => tape,
            Self::Quake2(tape) => tape,
        }
    }
}

impl SessionTape {
    /// A tape that begins to record with the connection, or waits for [`start`](Tape::start).
    pub fn new(recording: bool) -> Self {
        Self { recording, ..Self::default() }
    }

    /// Makes each level of Quake a recording of its own, as each of Quake II always is.
    #[must_use]
    pub fn split(mut self, split: bool) -> Self {
        self.split = split;
        self
    }

    /// Hands the datagram to the game's tape.
    fn pass(&mut self, way: Direction, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        if self.tape.is_none() {
            let protocol = Protocol::of(way, datagram);
            self.tape = protocol.map(|protocol| GameTape::new(protocol, self));
        }
        if let Some(tape) = &mut self.tape {
            tape.tape().take_datagram(way, datagram, now, cuts);
        }
    }
}

impl Tape for SessionTape {
    fn take_datagram(&mut self, way: Direction, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        if way == Direction::Up && out_of_band(datagram) == Some(GREETING) {
            self.is_darkplaces = true;
            if let Some(GameTape::NetQuake(tape)) = &mut self.tape {
                tape.is_of_darkplaces();
            }
        }
        // A client that connects again from the same port begins a new connection, with new sequence numbers.
        match (Step::of(way, datagram), way) {
            (Step::Asks, _) => {
                let is_new = self.requested_at.is_none_or(|before| now.saturating_sub(before) > SAME_REQUEST);
                if self.plays && is_new {
                    let kept = datagram.get(..LONGEST_REQUEST).unwrap_or(datagram);
                    self.renewal = Some(kept.to_vec());
                }
                self.requested_at = Some(now);
            }
            (Step::Accepts, _) => {
                if let Some(request) = self.renewal.take() {
                    self.close(cuts);
                    (self.tape, self.plays) = (None, false);
                    self.pass(Direction::Up, &request, now, cuts);
                }
            }
            (Step::Plays, Direction::Up) => self.plays = true,
            _ => {}
        }
        if let Some(notice) = out_of_band(datagram).and_then(|text| unreadable(way, text)) {
            cuts.push(Cut::Notice(notice));
        }
        self.pass(way, datagram, now, cuts);
    }

    fn start(&mut self, cuts: &mut Vec<Cut>) {
        self.recording = true;
        if let Some(tape) = &mut self.tape {
            tape.tape().start(cuts);
        }
    }

    fn stop(&mut self, cuts: &mut Vec<Cut>) {
        self.recording = false;
        if let Some(tape) = &mut self.tape {
            tape.tape().stop(cuts);
        }
    }

    fn unacknowledged(&self) -> Option<i32> {
        match &self.tape {
            Some(GameTape::Quake2(tape)) => tape.unacknowledged(),
            _ => None,
        }
    }

    fn close(&mut self, cuts: &mut Vec<Cut>) {
        if let Some(tape) = &mut self.tape {
            tape.tape().close(cuts);
        }
    }
}
