//! Finds the game of a connection from its datagrams, and makes the tape for it.

use crate::bytes::out_of_band;
use crate::netquake::{Control, DemTape, Packet};
use crate::quake2::Dm2Tape;
use crate::quakeworld::QwdTape;
use crate::tape::{Cut, Direction, Tape};
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

/// Answers within this time belong to one connection: clients ask every 2.5 to 5 seconds, three times at
/// most.
const SAME_CONNECTION: Duration = Duration::from_secs(8);

/// A tape that waits until the game is known.
#[derive(Debug, Default)]
pub struct SessionTape {
    tape: Option<GameTape>,
    recording: bool,
    split: bool,
    opened: Option<Duration>,
}

#[derive(Debug)]
enum GameTape {
    NetQuake(DemTape),
    QuakeWorld(QwdTape),
    Quake2(Dm2Tape),
}

impl GameTape {
    fn new(protocol: Protocol, recording: bool, split: bool) -> Self {
        match protocol {
            Protocol::NetQuake => Self::NetQuake(DemTape::new(recording).split(split)),
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
}

impl Tape for SessionTape {
    fn take_datagram(&mut self, way: Direction, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        // A client that connects again from the same port begins a new connection, with new sequence numbers.
        // Until it is connected it asks every few seconds, and gets an answer each time: only an answer long
        // after the last one opens a new connection.
        let opens = match Packet::parse(datagram) {
            Some(Packet::Control(Control::Accept { .. })) => way == Direction::Down,
            _ => out_of_band(datagram)
                .is_some_and(|text| way == Direction::Up && text.starts_with(b"connect ")),
        };
        let again = opens && self.opened.is_some_and(|before| now.saturating_sub(before) > SAME_CONNECTION);
        if opens {
            self.opened = Some(now);
        }
        if again && let Some(mut old) = self.tape.take() {
            old.tape().close(cuts);
        }
        if self.tape.is_none() {
            let protocol = Protocol::of(way, datagram);
            self.tape = protocol.map(|protocol| GameTape::new(protocol, self.recording, self.split));
        }
        if let Some(tape) = &mut self.tape {
            tape.tape().take_datagram(way, datagram, now, cuts);
        }
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
