//! Makes a `.qwd` of a QuakeWorld connection, in the form of a recording that began before it: whole packets, and the
//! client's commands, which contain the view angles.

use super::moves::{ClientMessage, Command, sent};
use super::without_turn;
use crate::bytes::out_of_band;
use crate::quake2::Head;
use crate::tape::{ChatCommand, Cut, Direction, Notice, Tape, Title};
use moviola_format::info_value;
use moviola_format::names::quakeworld::WHOLE_INFO;
use std::time::Duration;

/// The types of a recording's blocks: a command of the client, a packet of the server.
const DEM_CMD: u8 = 0;
const DEM_READ: u8 = 1;

/// The connection request of the protocol whose commands are read here; 26 and older have narrower fields.
const PROTOCOL: &[u8] = b"connect 28 ";

/// The request with which each connection begins.
const CHALLENGE: &[u8] = b"getchallenge";

/// The most copies of a command that are written in place of lost packets of the client. After more lost packets an
/// engine ignores deltas anyway.
const MOST_COPIES: u32 = 63;

/// Makes a `.qwd` of the datagrams between a client and a server.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one connection")]
pub struct QwdTape {
    /// Whether connections are recorded.
    recording: bool,
    /// Whether this connection is recorded. Its beginning has the lists of sounds and models, without which it cannot
    /// be read, so a recording that is started in the middle waits for the next connection.
    has_beginning: bool,
    running: bool,
    started_at: Option<Duration>,
    title: Title,
    /// Whether the server has accepted since the client asked for a challenge. A second acceptance is ignored: the
    /// network may duplicate it, and a waiting client repeats its request.
    answered: bool,
    /// Whether the server has accepted the connection; its answer is the first packet of the file.
    accepted: bool,
    last_up: u32,
    last_down: u32,
    waiting: Vec<Vec<u8>>,
    command: Option<Command>,
}

impl Tape for QwdTape {
    fn take_datagram(&mut self, way: Direction, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        let began = *self.started_at.get_or_insert(now);
        let time = now.saturating_sub(began).as_secs_f32();
        if let Some(text) = out_of_band(datagram) {
            match way {
                Direction::Up if text.starts_with(CHALLENGE) => self.answered = false,
                Direction::Up if text.starts_with(PROTOCOL) => {
                    let info = text.split(|byte| *byte == b'"').nth(1).unwrap_or_default();
                    // not from SCHEMA: a key of user info
                    let name = info_value(info, b"name").unwrap_or_default();
                    self.title.player = String::from_utf8_lossy(name).into_owned();
                }
                Direction::Down if text.first() == Some(&b'j') && !self.answered => {
                    (self.answered, self.accepted, self.last_up, self.last_down) = (true, true, 0, 0);
                    self.has_beginning = self.recording;
                    self.packet(datagram, time, cuts);
                }
                _ => {}
            }
            return;
        }
        let Some((head, body)) = Head::parse(datagram, way) else { return };
        if !self.accepted {
            return;
        }
        match way {
            Direction::Down if head.sequence > self.last_down => {
                self.last_down = head.sequence;
                if let Some(map) = map_of(body) {
                    self.title.map = map;
                }
                self.packet(without_turn(datagram), time, cuts);
            }
            Direction::Up if head.sequence > self.last_up => {
                let missed = (head.sequence - self.last_up - 1).min(MOST_COPIES);
                self.last_up = head.sequence;
                self.client(body, missed, time, cuts);
            }
            _ => {}
        }
    }

    fn start(&mut self, cuts: &mut Vec<Cut>) {
        if self.accepted && !self.has_beginning && !self.recording {
            cuts.push(Cut::Notice(Notice::NextConnection));
        }
        self.recording = true;
    }

    fn stop(&mut self, cuts: &mut Vec<Cut>) {
        if !self.waiting.is_empty() {
            self.begin(cuts);
        }
        if self.running {
            cuts.push(Cut::End);
        }
        (self.running, self.recording, self.has_beginning) = (false, false, false);
    }
}

impl QwdTape {
    /// A tape that begins to record with the connection, or with the next one after [`start`](Tape::start).
    pub fn new(recording: bool) -> Self {
        Self { recording, ..Self::default() }
    }

    fn packet(&mut self, datagram: &[u8], time: f32, cuts: &mut Vec<Cut>) {
        let mut out = Vec::with_capacity(datagram.len() + 9);
        out.extend(time.to_le_bytes());
        out.push(DEM_READ);
        out.extend((datagram.len() as u32).to_le_bytes());
        out.extend_from_slice(datagram);
        self.write(out, cuts);
    }

    /// Appends a block. The file is named after its map, whose name arrives a few packets after the start; until then
    /// blocks are kept.
    fn write(&mut self, block: Vec<u8>, cuts: &mut Vec<Cut>) {
        const MOST_WAITING: usize = 64;
        if !self.has_beginning {
            return;
        }
        if self.running {
            cuts.push(Cut::Bytes(block));
            return;
        }
        self.waiting.push(block);
        if !self.title.map.is_empty() || self.waiting.len() >= MOST_WAITING {
            self.begin(cuts);
        }
    }

    fn begin(&mut self, cuts: &mut Vec<Cut>) {
        cuts.push(Cut::Begin(Title { extension: "qwd", ..self.title.clone() }));
        cuts.extend(self.waiting.drain(..).map(Cut::Bytes));
        self.running = true;
    }

    fn client(&mut self, body: &[u8], missed: u32, time: f32, cuts: &mut Vec<Cut>) {
        let last_command = self.command;
        for message in sent(body) {
            match message {
                ClientMessage::Move(command) => self.command = Some(command),
                ClientMessage::Line(line) => match ChatCommand::of(line) {
                    Some(ChatCommand::Record) => self.start(cuts),
                    Some(ChatCommand::Stop) => self.stop(cuts),
                    None if line == b"drop" => self.accepted = false,
                    None => {}
                },
            }
        }
        if let Some(command) = last_command {
            for _ in 0..missed {
                self.write(command.block(time), cuts);
            }
        }
        if let Some(command) = self.command {
            self.write(command.block(time), cuts);
        }
        if !self.accepted && self.running {
            self.running = false;
            cuts.push(Cut::End);
        }
    }
}

/// The map in the server's settings, which arrive as a console command.
pub(crate) fn map_of(body: &[u8]) -> Option<String> {
    let at = body.windows(WHOLE_INFO.len()).position(|window| window == WHOLE_INFO)?;
    let settings = body.get(at + WHOLE_INFO.len()..)?.split(|byte| *byte == b'"').next()?;
    info_value(settings, b"map").map(|map| String::from_utf8_lossy(map).into_owned())
}

impl Command {
    /// A block with the client's command in the layout of the engine's memory, and the view angles.
    fn block(&self, time: f32) -> Vec<u8> {
        let mut angles = self.angles.map(|angle| (f64::from(angle) * (360.0 / 65536.0)) as f32);
        let [pitch, _, roll] = &mut angles;
        for angle in [pitch, roll] {
            if *angle >= 180.0 {
                *angle -= 360.0;
            }
        }
        let mut out = Vec::with_capacity(41);
        out.extend(time.to_le_bytes());
        out.push(DEM_CMD);
        // Engines leave arbitrary bytes in the three unused bytes after the duration.
        out.extend([self.milliseconds, 0, 0, 0]);
        out.extend(angles.iter().flat_map(|angle| angle.to_le_bytes()));
        out.extend(self.moves.iter().flat_map(|speed| speed.to_le_bytes()));
        out.extend([self.buttons, self.impulse]);
        out.extend(angles.iter().flat_map(|angle| angle.to_le_bytes()));
        out
    }
}
