//! Shows a Quake II recording to one client, as its server: sends each block of the recording in a reliable
//! packet.
//!
//! A frame is a delta from an earlier one, and a recording cannot replace a frame when its packet is lost. So
//! frames are sent reliably too, each after the one before was acknowledged; at ten frames a second there is
//! time for that.

use super::{CLIENT_NOP, Channel, Head, STRING_COMMAND, USERINFO};
use crate::Direction;
use crate::bytes::Bytes;
use crate::presence::Presence;
use crate::show::{ENDED, LIVE, Playlist, Request, Shown, Watch, not_yet};
use moviola_format::dm2::{Message, Print, ServerData, StuffText};
use moviola_format::names::quake2::PRINT_LEVEL;
use moviola_format::names::value;
use moviola_format::{Context, Messages, Piece, Quake2, Str, write_message};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// How soon an empty packet follows one that is not acknowledged. Its acknowledgement shows whether the other
/// was lost.
const ASK_AGAIN: Duration = Duration::from_millis(200);
const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// The longest packet that a client reads, without its head.
const LONGEST_BODY: usize = 1392;
/// A line that makes the client send a packet. While it loads a level it otherwise sends only one per second,
/// and each block of the level's beginning would wait that long for its acknowledgement.
const ECHO: &[u8] = b"cmd moviola\n\0";
/// The length of a frame in seconds.
const FRAME: f64 = 0.1;
/// The number that the engine's `record` adds to a server's number; subtracting it gives the recorded game's
/// number.
const RECORDED: i32 = 0x1_0000;
/// The line in a recording at the point where a live server orders the client to load the level.
const PRECACHE: &[u8] = b"precache\n";
/// The print level of chat.
const CHAT: u8 = value(PRINT_LEVEL, "PRINT_CHAT") as u8;

/// A client that watches a recording.
pub struct Quake2Viewer {
    watch: Watch,
    channel: Channel,
    queue: VecDeque<Vec<u8>>,
    context: Context,
    demo: Option<Shown>,
    next: Option<(Vec<u8>, Option<i32>)>,
    stage: Stage,
    key: i32,
    clock: Option<(i32, Duration)>,
    presence: Presence,
    sent: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The client has not sent `new` yet.
    Greets,
    /// The client gets the level's beginning.
    Begins,
    /// The client loads the level; it sends `begin` when it is done.
    Loads,
    /// The client gets frames.
    Plays,
}

impl Quake2Viewer {
    /// The viewer for a client whose connection was just accepted.
    pub fn new(now: Duration) -> Self {
        Self {
            watch: Watch::default(),
            channel: Channel::default(),
            queue: VecDeque::new(),
            context: Context::quake2(),
            demo: None,
            next: None,
            stage: Stage::Greets,
            key: 1,
            clock: None,
            presence: Presence::new(now),
            sent: now,
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
        let mut bytes = Bytes::new(body);
        while let Some(op) = bytes.u8() {
            match op {
                CLIENT_NOP => {}
                USERINFO if bytes.string().is_some() => {}
                STRING_COMMAND => {
                    let Some(line) = bytes.string() else { return };
                    self.command(line);
                }
                _ => return,
            }
        }
    }

    fn command(&mut self, line: &[u8]) {
        let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match word {
            // not from SCHEMA: a command of the console
            b"new" if self.stage == Stage::Greets => self.stage = Stage::Begins,
            b"begin" if self.stage == Stage::Loads => self.stage = Stage::Plays,
            // not from SCHEMA: a command of the console
            b"disconnect" => self.presence.leave(),
            _ => self.watch.requests.extend(Request::of(line)),
        }
    }

    /// Sends the datagrams that are due, each with a call of `send`.
    pub fn tick(&mut self, playlist: &dyn Playlist, now: Duration, send: &mut dyn FnMut(&[u8])) {
        if !self.presence.is_known() {
            return;
        }
        self.carry_out_requests(playlist);
        if self.stage == Stage::Plays
            && playlist.len() > 1
            && !std::mem::replace(&mut self.watch.has_menu, true)
        {
            let list = self.watch.list(playlist);
            self.print(&list);
        }
        while self.channel.is_free() {
            let Some(body) = self.queue.pop_front().or_else(|| self.advance(playlist, now)) else { break };
            self.channel.begin(body);
            self.transmit(now, send);
        }
        let silent = now.saturating_sub(self.sent);
        if self.channel.is_due() || silent > KEEP_ALIVE || (!self.channel.is_free() && silent > ASK_AGAIN) {
            self.transmit(now, send);
        }
    }

    fn transmit(&mut self, now: Duration, send: &mut dyn FnMut(&[u8])) {
        self.sent = now;
        send(&self.channel.next(&[]));
    }

    fn carry_out_requests(&mut self, playlist: &dyn Playlist) {
        for request in std::mem::take(&mut self.watch.requests) {
            match request {
                Request::Pause => {
                    (self.watch.paused, self.clock) = (!self.watch.paused, None);
                    self.send_to_console(if self.watch.paused { b"paused 1\n\0" } else { b"paused 0\n\0" });
                }
                Request::List => {
                    let list = self.watch.list(playlist);
                    self.print(&list);
                }
                Request::Play(number) if number < playlist.len() => self.reconnect(number, None),
                Request::Play(_) | Request::Chosen(_) => self.print("There is no such recording.\n"),
                Request::Next => self.reconnect((self.watch.number + 1) % playlist.len().max(1), None),
                Request::Seek(_) | Request::Speed(_) if playlist.is_live() => self.print(LIVE),
                Request::Seek(seconds) => self.reconnect(self.watch.number, Some(seconds)),
                Request::Speed(speed) => (self.watch.speed, self.clock) = (speed, None),
            }
        }
    }

    /// Makes the client reconnect, because frame numbers cannot go back.
    fn reconnect(&mut self, number: usize, from: Option<f64>) {
        self.watch.choose(number, from);
        self.queue.clear();
        self.send_to_console(b"changing\n\0");
        self.send_to_console(b"reconnect\n\0");
        (self.demo, self.next, self.clock, self.stage) = (None, None, None, Stage::Greets);
        self.context = Context::quake2();
    }

    fn send_to_console(&mut self, line: &'static [u8]) {
        self.message(&Message::StuffText(StuffText { string: Str::new(line) }));
    }

    fn print(&mut self, text: &str) {
        let mut wire = text.as_bytes().to_vec();
        wire.push(0);
        self.message(&Message::Print(Print { level: CHAT, string: Str::new(&wire) }));
    }

    fn message(&mut self, message: &Message<'_>) {
        let mut body = Vec::new();
        write_message(message, &mut body, &self.context);
        self.queue.push_back(body);
    }

    /// The block that is due, if any.
    fn advance(&mut self, playlist: &dyn Playlist, now: Duration) -> Option<Vec<u8>> {
        if matches!(self.stage, Stage::Greets | Stage::Loads) || self.watch.ended {
            return None;
        }
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
        let Some((_, frame)) = &self.next else {
            if playlist.is_live() || playlist.len() > 1 {
                self.watch.after(playlist);
                self.reconnect(self.watch.number, None);
                if playlist.is_live() {
                    self.print(ENDED);
                }
            } else {
                self.watch.ended = true;
            }
            return None;
        };
        if let Some(frame) = *frame {
            if self.watch.paused || self.stage != Stage::Plays {
                return None;
            }
            if playlist.is_live() {
                return self.next.take().map(|(body, _)| body);
            }
            let (first, shown) = *self.clock.get_or_insert((frame, now));
            let after = f64::from(frame.wrapping_sub(first)) * FRAME / self.watch.speed;
            if !(0.0..3600.0).contains(&after) {
                self.clock = Some((frame, now));
            } else if now.saturating_sub(shown).as_secs_f64() < after {
                return None;
            }
        }
        self.next.take().map(|(body, _)| body)
    }

    /// Reads the next block. The server data gets the live server's number, and `precache` gets the form that
    /// makes a client load the level.
    fn read(&mut self) -> io::Result<Option<(Vec<u8>, Option<i32>)>> {
        let Some(demo) = &mut self.demo else { return Ok(None) };
        loop {
            let Some(piece) = demo.next_piece()? else { return Ok(None) };
            let Piece::Block(block) = piece else { continue };
            let (mut body, mut frame) = (Vec::with_capacity(block.data.len() + 16), None);
            let mut messages = Messages::<Quake2>::new(block.data, self.context);
            let mut at = 0;
            while let Some(entry) = messages.next() {
                let bytes = block.data.get(at..messages.pos()).unwrap_or_default();
                at = messages.pos();
                match entry.message {
                    Message::ServerData(it) => {
                        self.key = it.key.wrapping_sub(RECORDED);
                        let live = ServerData { key: self.key, ..it };
                        write_message(&Message::ServerData(live), &mut body, messages.context());
                    }
                    Message::StuffText(it)
                        if it.string.bytes() == PRECACHE && self.stage == Stage::Begins =>
                    {
                        self.stage = Stage::Loads;
                        let line = format!("precache {}\n\0", self.key);
                        let stuff = StuffText { string: Str::new(line.as_bytes()) };
                        write_message(&Message::StuffText(stuff), &mut body, messages.context());
                    }
                    Message::FrameMessage(it) => {
                        frame = Some(it.head.seq1);
                        body.extend_from_slice(bytes);
                    }
                    _ => body.extend_from_slice(bytes),
                }
            }
            body.extend_from_slice(messages.rest());
            self.context = *messages.context();
            if self.stage == Stage::Begins && frame.is_none() && body.len() + ECHO.len() < LONGEST_BODY {
                let echo = StuffText { string: Str::new(ECHO) };
                write_message(&Message::StuffText(echo), &mut body, &self.context);
            }
            if !body.is_empty() {
                return Ok(Some((body, frame)));
            }
        }
    }
}
