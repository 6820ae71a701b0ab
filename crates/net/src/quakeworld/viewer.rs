//! Shows a recording of a `QuakeWorld` client to another one, as its server: each packet of the client is answered with
//! the messages that are due.
//!
//! The client takes part as the recorder. Messages with a lasting effect (texts, scores, health) are sent reliably;
//! those that the next frame replaces (players, entities, sounds) are sent once. A recording's lists of changed
//! entities build on packets that this client never got, so the recordings must have whole lists. The player's view
//! angles are in the file but in no message: they are sent after a mark at the end of a packet, where a
//! [`QwdTape`](super::QwdTape) leaves them out.

use super::TURN;
use super::moves::{ClientMessage, sent};
use crate::Direction;
use crate::presence::Presence;
use crate::quake2::{Channel, Head};
use crate::show::{ENDED, LIVE, Playlist, Request, Shown, Watch, not_yet};
use moviola_format::qw::{Download, DownloadChunk, Message, Print, SetAngle, SetPause, StuffText};
use moviola_format::{
    Angle, Block, ClientRecords, Context, DownloadBytes, DownloadChunkBytes, Float, Lasts, Message as _,
    Messages, Piece, QuakeWorld, Stamp, Str, ViewTurn, client, write_message,
};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// The most bytes of messages in a packet, which every network carries; a longer block is sent in a packet of its own.
const LONGEST: usize = 1400;
/// The most bytes that wait for the acknowledgement of earlier ones.
const MOST_WAITING: usize = 1 << 16;
/// The print level of texts that are always shown.
const HIGH: u8 = 2;

// The commands with which a client asks for each part of a level's beginning.
// not from SCHEMA, all words: commands of the console
const NEW: &[u8] = b"new";
const SOUNDS: &[u8] = b"soundlist";
const MODELS: &[u8] = b"modellist";
const PRESPAWN: &[u8] = b"prespawn";
const SPAWN: &[u8] = b"spawn";
const BEGIN: &[u8] = b"begin";
const WORDS: [&[u8]; 6] = [NEW, SOUNDS, MODELS, PRESPAWN, SPAWN, BEGIN];

/// A client that watches a recording.
pub struct QuakeWorldViewer {
    watch: Watch,
    channel: Channel,
    /// Whether the client's newest packet was not answered yet.
    asks: bool,
    /// Messages for the next reliable parts.
    waiting: VecDeque<Vec<u8>>,
    context: Context,
    demo: Option<Shown>,
    next: Option<NextPacket>,
    stage: Stage,
    /// The first word of the command that the client must send before the next block, and the first words of the
    /// commands that it has sent in this level.
    awaited: Option<&'static [u8]>,
    received: Vec<&'static [u8]>,
    /// The direction of the view, from the recording's last command.
    angles: Option<[f32; 3]>,
    clock: Option<(f64, Duration)>,
    impulse: u8,
    presence: Presence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The client gets the level's beginning.
    Begins,
    /// The client gets frames.
    Plays,
}

/// A packet of the recording.
struct NextPacket {
    time: f64,
    /// The messages that are sent reliably, and those that may get lost.
    lasting: Vec<u8>,
    fleeting: Vec<u8>,
    angles: Option<[f32; 3]>,
    /// The command that the client must answer with before more is sent.
    awaited: Option<&'static [u8]>,
    /// Whether a level begins in the packet, and whether the level's beginning ends in it.
    begins: bool,
    plays: bool,
}

impl QuakeWorldViewer {
    /// The viewer for a client whose connection was just accepted.
    pub fn new(now: Duration) -> Self {
        Self {
            watch: Watch::default(),
            channel: Channel::default(),
            asks: false,
            waiting: VecDeque::new(),
            context: Context::quakeworld(),
            demo: None,
            next: None,
            stage: Stage::Begins,
            awaited: Some(NEW),
            received: Vec::new(),
            angles: None,
            clock: None,
            impulse: 0,
            presence: Presence::new(now),
        }
    }

    /// The signs of life of the client.
    pub(crate) fn presence(&self) -> &Presence {
        &self.presence
    }

    /// Whether the client is gone.
    pub fn is_gone(&self, now: Duration) -> bool {
        self.presence.is_gone(now)
    }

    /// Handles a datagram of the client.
    pub fn receive(&mut self, datagram: &[u8], now: Duration) {
        let Some((head, body)) = Head::parse(datagram, Direction::Up) else { return };
        if !self.channel.receive(&head) {
            return;
        }
        self.presence.answered(now);
        self.asks = true;
        for message in sent(body) {
            match message {
                ClientMessage::Line(line) => self.command(line),
                ClientMessage::Move(command) => {
                    if std::mem::replace(&mut self.impulse, command.impulse) != command.impulse {
                        self.watch.requests.extend(Request::of_impulse(command.impulse));
                    }
                }
            }
        }
    }

    fn command(&mut self, line: &[u8]) {
        let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match word {
            b"drop" => self.presence.leave(),
            // not from SCHEMA: a command of the console
            b"download" => self.refuse(line.get(word.len() + 1..).unwrap_or_default()),
            _ => match WORDS.iter().find(|it| **it == word) {
                Some(known) if !self.received.contains(known) => self.received.push(known),
                Some(_) => {}
                None => self.watch.requests.extend(Request::of(line)),
            },
        }
    }

    /// No files are downloaded from this server: the viewer needs the level's files, as for playing the recording.
    fn refuse(&mut self, name: &[u8]) {
        let mut wire = name.to_vec();
        wire.push(0);
        let none = DownloadChunkBytes::File { chunk: -1, size: -1, name: Str::new(&wire) };
        self.message(&if self.context.sends_chunks() {
            Message::DownloadChunk(DownloadChunk { piece: none })
        } else {
            Message::Download(Download { piece: DownloadBytes { size: -1, percent: 0, data: &[] } })
        });
    }

    /// Sends the answer to the client's newest packet, with a call of `send`.
    pub fn tick(&mut self, playlist: &dyn Playlist, now: Duration, send: &mut dyn FnMut(&[u8])) {
        if !self.presence.is_known() {
            return;
        }
        self.carry_out_requests(playlist);
        if !std::mem::take(&mut self.asks) {
            return;
        }
        let mut messages = Vec::new();
        while (self.channel.is_free() || self.stage == Stage::Plays) && self.size() < MOST_WAITING {
            let room = LONGEST.saturating_sub(self.size() + messages.len());
            let Some(next) = self.advance(playlist, now, room) else { break };
            if self.channel.is_free() && !next.lasting.is_empty() && !messages.is_empty() {
                // Lasting messages have to arrive in the recording's order.
                self.waiting.push_back(std::mem::take(&mut messages));
            }
            self.waiting.push_back(next.lasting);
            if next.fleeting.len() > room {
                // Late frames of a live recording are left out, as if they had been lost.
                messages.clear();
            }
            messages.extend(next.fleeting);
            (self.angles, self.awaited) = (next.angles.or(self.angles), next.awaited);
            if next.begins || next.awaited == Some(NEW) {
                self.received.clear();
            }
            if next.begins {
                (self.stage, self.clock, self.angles) = (Stage::Begins, None, None);
            } else if next.plays {
                self.stage = Stage::Plays;
                if playlist.len() > 1 && !std::mem::replace(&mut self.watch.has_menu, true) {
                    self.print(&self.watch.list(playlist));
                }
            }
        }
        if self.channel.is_free() {
            let mut part = self.waiting.pop_front().unwrap_or_default();
            while self.waiting.front().is_some_and(|more| part.len() + more.len() <= LONGEST) {
                part.append(&mut self.waiting.pop_front().unwrap_or_default());
            }
            if !part.is_empty() {
                self.channel.begin(part);
            }
        }
        if !messages.is_empty() {
            self.turn(&mut messages);
        }
        send(&self.channel.numbered(self.channel.last_in(), &messages));
    }

    /// The number of waiting bytes.
    fn size(&self) -> usize {
        self.waiting.iter().map(Vec::len).sum()
    }

    /// Appends the direction of the view.
    fn turn(&self, messages: &mut Vec<u8>) {
        let Some(angles) = self.angles else { return };
        let address = self.context.addresses_angles().then_some(0);
        let angles = angles.map(|angle| Angle::nearest(self.context.angle, f64::from(angle)));
        messages.extend(TURN);
        let turn = SetAngle { angles: ViewTurn { address, angles } };
        write_message(&Message::SetAngle(turn), messages, &self.context);
    }

    fn carry_out_requests(&mut self, playlist: &dyn Playlist) {
        for request in std::mem::take(&mut self.watch.requests) {
            match request {
                Request::Pause => {
                    (self.watch.paused, self.clock) = (!self.watch.paused, None);
                    self.message(&Message::SetPause(SetPause { pausestate: self.watch.paused.into() }));
                }
                Request::List => self.print(&self.watch.list(playlist)),
                Request::Seek(_) | Request::Speed(_) if playlist.is_live() => self.print(LIVE),
                Request::Play(number) if number < playlist.len() => self.reconnect(number, None),
                Request::Play(_) => self.print("There is no such recording.\n"),
                Request::Chosen(number) => {
                    let number = number.unwrap_or((self.watch.number + 1) % playlist.len().max(1));
                    if playlist.len() > 1 && number < playlist.len() {
                        self.reconnect(number, None);
                    }
                }
                Request::Next => self.reconnect((self.watch.number + 1) % playlist.len().max(1), None),
                Request::Seek(seconds) => self.reconnect(self.watch.number, Some(seconds)),
                Request::Speed(speed) => (self.watch.speed, self.clock) = (speed, None),
            }
        }
    }

    /// Sends `reconnect`, so that the client loads the level again and asks for its beginning.
    fn reconnect(&mut self, number: usize, from: Option<f64>) {
        self.watch.choose(number, from);
        for line in [&b"changing\n\0"[..], b"reconnect\n\0"] {
            self.message(&Message::StuffText(StuffText { string: Str::new(line) }));
        }
        (self.demo, self.next, self.stage, self.awaited) = (None, None, Stage::Begins, Some(NEW));
        self.received.clear();
        self.context = Context::quakeworld();
    }

    fn print(&mut self, text: &str) {
        let wire = [text.as_bytes(), &[0]].concat();
        self.message(&Message::Print(Print { level: HIGH, string: Str::new(&wire) }));
    }

    fn message(&mut self, message: &Message<'_>) {
        let mut body = Vec::new();
        write_message(message, &mut body, &self.context);
        self.waiting.push_back(body);
    }

    /// The packet of the recording that is due, if any. If other messages are in the packet already, it must fit into
    /// the remaining room.
    fn advance(&mut self, playlist: &dyn Playlist, now: Duration, room: usize) -> Option<NextPacket> {
        if self.watch.ended || self.awaited.is_some_and(|word| !self.received.contains(&word)) {
            return None;
        }
        self.awaited = None;
        if self.demo.is_none() {
            match playlist.demo(self.watch.number, self.watch.from) {
                Ok(demo) => self.demo = Some(demo),
                Err(why) if not_yet(&why) => return None,
                Err(why) => {
                    self.print(&format!("{why}\n"));
                    self.watch.ended = true;
                    return None;
                }
            }
        }
        if self.next.is_none() {
            match self.read() {
                Err(why) if not_yet(&why) => return None,
                read => self.next = read.ok().flatten(),
            }
        }
        let Some(next) = &self.next else {
            self.end(playlist);
            return None;
        };
        if self.stage == Stage::Plays && !next.begins {
            if self.watch.paused {
                return None;
            }
            if !playlist.is_live() {
                let (first, shown) = *self.clock.get_or_insert((next.time, now));
                let after = (next.time - first) / self.watch.speed;
                if !(0.0..3600.0).contains(&after) {
                    self.clock = Some((next.time, now));
                } else if now.saturating_sub(shown).as_secs_f64() < after {
                    return None;
                }
            }
        }
        let size = next.lasting.len() + if playlist.is_live() { 0 } else { next.fleeting.len() };
        if size > room && room < LONGEST {
            return None;
        }
        self.next.take()
    }

    fn end(&mut self, playlist: &dyn Playlist) {
        if playlist.is_live() || playlist.len() > 1 {
            self.watch.after(playlist);
            self.reconnect(self.watch.number, None);
            if playlist.is_live() {
                self.print(ENDED);
            }
        } else {
            self.watch.ended = true;
        }
    }

    /// Reads up to the next packet of the recording.
    fn read(&mut self) -> io::Result<Option<NextPacket>> {
        let Some(demo) = &mut self.demo else { return Ok(None) };
        let mut angles = None;
        loop {
            let Some(piece) = demo.next_piece()? else { return Ok(None) };
            match piece {
                Piece::Block(block @ Block { stamp: Stamp::Record { .. }, .. }) => {
                    for entry in block.messages::<ClientRecords>(self.context) {
                        if let client::Message::Command(it) = entry.message {
                            angles = Some(it.uk_angles.map(Float::value));
                        }
                    }
                }
                Piece::Block(block @ Block { stamp: Stamp::Qwd { time, numbers: Some(_) }, .. }) => {
                    let time = f64::from(f32::from_bits(time));
                    let (next, context) = packet(block.data, self.context, self.stage, time);
                    self.context = context;
                    if !block.data.is_empty() {
                        return Ok(Some(NextPacket { angles, ..next }));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Takes a packet of the recording apart.
fn packet(data: &[u8], context: Context, stage: Stage, time: f64) -> (NextPacket, Context) {
    let (mut awaited, mut begins, mut plays, mut lasts) = (None, false, false, 0);
    let mut messages = Messages::<QuakeWorld>::new(data, context);
    while let Some(entry) = messages.next() {
        let is_beginning = begins || stage == Stage::Begins;
        let mut is_lasting =
            !matches!(entry.message.schema().properties.lasts, Lasts::Frame | Lasts::Moment | Lasts::Never);
        match entry.message {
            Message::ServerData(_) => (begins, awaited) = (true, Some(SOUNDS)),
            Message::SoundList(it) if is_beginning && it.list.next.unwrap_or(0) == 0 => {
                awaited = Some(MODELS);
            }
            Message::ModelList(it) if is_beginning && it.list.next.unwrap_or(0) == 0 => {
                awaited = Some(PRESPAWN);
            }
            Message::ModelListShort(it) if is_beginning && it.list.next.unwrap_or(0) == 0 => {
                awaited = Some(PRESPAWN);
            }
            Message::StuffText(it) => {
                let line = it.string.bytes();
                if line.split(|byte| *byte == b'\n').any(|line| line == b"reconnect") {
                    awaited = Some(NEW);
                } else if is_beginning && line.starts_with(b"cmd spawn ") {
                    awaited = Some(SPAWN);
                } else if is_beginning && line.starts_with(b"skins") {
                    (awaited, plays) = (Some(BEGIN), true);
                }
            }
            Message::Print(_) | Message::CenterPrint(_) => is_lasting = true,
            Message::PacketEntities(_) => plays |= is_beginning,
            _ => {}
        }
        if is_lasting || (is_beginning && !plays) {
            lasts = messages.pos();
        }
    }
    if !messages.rest().is_empty() {
        lasts = data.len();
    }
    let (lasting, fleeting) = data.split_at_checked(lasts).unwrap_or((data, &[]));
    let (lasting, fleeting) = (lasting.to_vec(), fleeting.to_vec());
    (NextPacket { time, lasting, fleeting, angles: None, awaited, begins, plays }, *messages.context())
}
