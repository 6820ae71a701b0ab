//! Shows a Quake recording to one client, as its server: sends the recording's messages at the recording's pace.
//!
//! The beginning of a level is sent reliably, and waits at each signon stage for the client's command. Then each block
//! with a time is sent when that time comes, and each block without a time is sent reliably, in the file's order. The
//! player's view angles are in the file but in no message, so each frame is preceded by a packet that only turns the
//! view. No game sends such packets: a [`DemTape`](super::DemTape) takes the angles from them and leaves them out of
//! its recording.

use super::{Control, Delivered, FRAGMENT, Incoming, Move, Outgoing, Packet, moves};
use crate::presence::{HANDSHAKE, Presence};
use crate::show::{ENDED, LIVE, Playlist, Request, Shown, Watch, not_yet};
use moviola_format::dem::{Disconnect, Message, Nop, Print, SetAngle, SetPause, StuffText};
use moviola_format::{Angle, Context, Lasts, Message as _, Messages, Piece, Quake, Str, write_message};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// The client's commands after the first, second and third signon stage.
const ANSWERS: [&[u8]; 3] = [b"prespawn", b"spawn", b"begin"];

/// Nothing is sent to an address that has not answered. Today's clients send something at once; those of 1996
/// wait for the server, so after this time they get one byte, once, which they acknowledge.
const MAX_SILENCE: Duration = Duration::from_secs(1);
/// How often a client that watches a still picture gets a packet that keeps the connection alive.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// A live frame that is later than this is left out if a newer one is there. Frames are late when the client
/// has loaded the level.
const BEHIND: f64 = 0.5;

/// A client that watches a recording.
pub struct NetQuakeViewer {
    watch: Watch,
    incoming: Incoming,
    outgoing: Outgoing,
    context: Context,
    presence: Presence,
    /// Whether a silent client was sent a byte to acknowledge.
    is_asked: bool,
    /// The next block to send.
    next: Option<NextBlock>,
    demo: Option<Shown>,
    /// The index in `ANSWERS` of the command that the client must send before the next block.
    awaited: Option<usize>,
    answers: VecDeque<Vec<u8>>,
    /// A moment of the level, and the time at which it was shown; it determines when later blocks are sent.
    clock: Option<(f64, Duration)>,
    /// The time when the recording was opened. If it is live, its first frame was the newest one then.
    joined: Duration,
    sent: Duration,
    /// Whether the level was entered and no frame of the game was sent yet: the state in the first blocks must reach the client.
    enters: bool,
    /// The time at which the client was sent away. The connection ends when the client has received that, or after a
    /// while.
    leaves: Option<Duration>,
}

/// A block that was read ahead.
struct NextBlock {
    body: Vec<u8>,
    angles: [f32; 3],
    time: Option<f64>,
    stage: Option<u8>,
    /// Whether a later frame makes up for the loss of this packet.
    is_frame: bool,
}

impl NetQuakeViewer {
    /// The viewer for a client that has just asked for a connection.
    pub fn new(now: Duration) -> Self {
        Self {
            watch: Watch::default(),
            incoming: Incoming::default(),
            outgoing: Outgoing::default(),
            presence: Presence::new(now),
            is_asked: false,
            context: Context::quake(),
            next: None,
            demo: None,
            awaited: None,
            answers: VecDeque::new(),
            clock: None,
            joined: now,
            sent: now,
            enters: true,
            leaves: None,
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

    /// Handles a datagram of the client; `reply` gets the acknowledgement that is to be sent at once.
    pub fn receive(&mut self, datagram: &[u8], now: Duration, reply: &mut Vec<u8>) {
        let Some(packet) = Packet::parse(datagram) else { return };
        match packet {
            Packet::Control(Control::Connect | _) => return,
            Packet::Ack { sequence } => self.outgoing.acknowledged(sequence),
            Packet::Reliable { sequence, .. } => Packet::Ack { sequence }.write(reply),
            Packet::Unreliable { .. } => {}
        }
        self.presence.answered(now);
        let Some(Delivered::Reliable(body) | Delivered::Unreliable(body)) = self.incoming.receive(&packet)
        else {
            return;
        };
        for message in moves(body) {
            match message {
                Move::Disconnect => self.presence.leave(),
                Move::Command(line) => match Request::of(line) {
                    Some(request) => self.watch.requests.push(request),
                    None if self.answers.len() < 16 => self.answers.push_back(line.to_vec()),
                    None => {}
                },
                Move::View { impulse: 0, .. } => {}
                Move::View { impulse, .. } => self.watch.requests.extend(Request::of_impulse(impulse)),
            }
        }
    }

    /// Sends the datagrams that are due, each with a call of `send`.
    pub fn tick(&mut self, playlist: &dyn Playlist, now: Duration, send: &mut dyn FnMut(&[u8])) {
        let mut datagram = Vec::new();
        if let Some(left) = self.leaves {
            if self.outgoing.is_empty() || now.saturating_sub(left) > HANDSHAKE {
                self.presence.leave();
            }
        } else if self.presence.is_known() {
            // Old clients stop connecting if any packet arrives while they load a level.
            if self.awaited.is_none() {
                self.carry_out_requests(playlist);
            }
            while self.outgoing.is_empty() && self.advance(playlist, now, send) {}
        }
        if !self.presence.is_known()
            && !self.is_asked
            && now.saturating_sub(self.presence.opened()) > MAX_SILENCE
        {
            self.is_asked = true;
            self.outgoing.queue(&[Nop::OP]);
        } else if !self.presence.is_known() {
            // The byte is sent only once, so that a request with a forged address gains nothing.
            return;
        }
        if self.outgoing.due(now, &mut datagram) {
            self.sent = now;
            send(&datagram);
        }
        if self.presence.is_known() && self.awaited.is_none() && now.saturating_sub(self.sent) > KEEP_ALIVE {
            self.unreliable(&[Nop::OP], now, send);
        }
    }

    /// Carries out the client's requests.
    fn carry_out_requests(&mut self, playlist: &dyn Playlist) {
        for request in std::mem::take(&mut self.watch.requests) {
            let answer = match request {
                Request::Pause => {
                    self.watch.paused = !self.watch.paused;
                    if !self.watch.paused && !playlist.is_live() {
                        // The clock continues from the moment at which it stopped.
                        self.clock = None;
                    }
                    let pause = SetPause { pausestate: self.watch.paused.into() };
                    self.reliable(&Message::SetPause(pause));
                    continue;
                }
                Request::List => self.watch.list(playlist),
                Request::Seek(_) | Request::Speed(_) if playlist.is_live() => LIVE.to_owned(),
                Request::Play(number) if playlist.len() > number => {
                    self.watch.choose(number, None);
                    self.reconnect();
                    continue;
                }
                Request::Play(_) => "There is no such recording.\n".to_owned(),
                Request::Next => {
                    self.watch.choose((self.watch.number + 1) % playlist.len().max(1), None);
                    self.reconnect();
                    continue;
                }
                Request::Chosen(number) => {
                    let count = playlist.len();
                    let number = number.unwrap_or((self.watch.number + 1) % count.max(1));
                    if count > 1 && number < count {
                        self.watch.choose(number, None);
                        self.reconnect();
                    }
                    continue;
                }
                Request::Seek(seconds) => {
                    self.watch.choose(self.watch.number, Some(seconds));
                    self.reconnect();
                    continue;
                }
                Request::Speed(speed) => {
                    self.watch.speed = speed;
                    self.clock = None;
                    continue;
                }
            };
            self.print(&answer);
        }
    }

    /// Makes the client reconnect: its clock cannot go back in any other way.
    fn reconnect(&mut self) {
        self.reliable(&Message::StuffText(StuffText { string: Str::new(b"reconnect\n\0") }));
        (self.demo, self.next, self.clock, self.awaited) = (None, None, None, None);
        self.context = Context::quake();
        self.answers.clear();
    }

    fn print(&mut self, text: &str) {
        let mut wire = text.as_bytes().to_vec();
        wire.push(0);
        self.reliable(&Message::Print(Print { string: Str::new(&wire) }));
    }

    fn reliable(&mut self, message: &Message<'_>) {
        let mut body = Vec::new();
        write_message(message, &mut body, &self.context);
        self.outgoing.queue(&body);
    }

    /// Sends the next block if it is due; returns `false` if it has to wait.
    fn advance(&mut self, playlist: &dyn Playlist, now: Duration, send: &mut dyn FnMut(&[u8])) -> bool {
        if let Some(awaited) = self.awaited {
            let word = ANSWERS.get(awaited).copied().unwrap_or_default();
            let Some(at) = self.answers.iter().position(|line| line.starts_with(word)) else { return false };
            self.answers.drain(..=at);
            self.awaited = None;
        }
        if self.demo.is_none() && !self.open(playlist, now) {
            return false;
        }
        if self.next.is_none() {
            match self.read() {
                Err(why) if not_yet(&why) => return false,
                read => self.next = read.ok().flatten(),
            }
        }
        let Some(next) = &self.next else {
            return self.end(playlist);
        };
        if next.time.is_some() && self.watch.paused {
            return false;
        }
        if playlist.is_live() {
            if next.body == [Disconnect::OP] {
                // The game may continue in another file.
                self.next = None;
                return true;
            }
            self.skip(now);
        } else if let Some(time) = next.time {
            let (moment, shown) = *self.clock.get_or_insert((time, now));
            let after = (time - moment) / self.watch.speed;
            // A clock that jumps or is damaged must neither stall the show nor let all blocks go at once.
            if !(0.0..3600.0).contains(&after) {
                self.clock = Some((time, now));
            } else if now.saturating_sub(shown).as_secs_f64() < after {
                return false;
            }
        }
        let Some(next) = self.next.take() else { return false };
        let is_short = next.time.is_some() && next.stage.is_none() && next.body.len() <= FRAGMENT;
        if is_short {
            self.turn(next.angles, now, send);
        }
        // If a recording was opened in its middle, the first blocks contain the state. They must not get lost, since no
        // later block repeats it.
        self.enters &= !next.is_frame;
        if is_short && !self.enters {
            self.unreliable(&next.body, now, send);
        } else {
            self.outgoing.queue(&next.body);
        }
        if let Some(stage) = next.stage.filter(|stage| (1..=3).contains(stage)) {
            self.awaited = Some(usize::from(stage) - 1);
            self.answers.clear();
            self.clock = None;
            self.enters = true;
        }
        true
    }

    /// Replaces a late frame by the newest one, as if the frames between them had been lost on the way.
    fn skip(&mut self, now: Duration) {
        while let Some(NextBlock { time: Some(time), is_frame: true, .. }) = self.next {
            let (moment, shown) = *self.clock.get_or_insert((time, self.joined));
            let late = now.saturating_sub(shown).as_secs_f64() - (time - moment);
            if !(0.0..3600.0).contains(&late) {
                self.clock = Some((time, now));
            }
            if !(BEHIND..3600.0).contains(&late) {
                return;
            }
            let Ok(Some(newer)) = self.read() else { return };
            self.next = Some(newer);
        }
    }

    fn open(&mut self, playlist: &dyn Playlist, now: Duration) -> bool {
        match playlist.demo(self.watch.number, self.watch.from) {
            Ok(demo) => {
                (self.demo, self.joined) = (Some(demo), now);
                if playlist.len() > 1 && !std::mem::replace(&mut self.watch.has_menu, true) {
                    let list = self.watch.list(playlist);
                    self.print(&list);
                }
                true
            }
            Err(why) if not_yet(&why) => false,
            Err(why) => {
                self.print(&format!("{why}\n"));
                self.reliable(&Message::Disconnect(Disconnect {}));
                self.leaves = Some(now);
                false
            }
        }
    }

    fn end(&mut self, playlist: &dyn Playlist) -> bool {
        if self.watch.ended {
            return false;
        }
        if playlist.is_live() {
            self.print(ENDED);
        }
        if playlist.is_live() || playlist.len() > 1 {
            self.watch.after(playlist);
            self.reconnect();
            return true;
        }
        self.watch.ended = true;
        false
    }

    /// Reads the next block of messages, with its time and signon stage, which decide how it is sent.
    fn read(&mut self) -> io::Result<Option<NextBlock>> {
        let Some(demo) = &mut self.demo else { return Ok(None) };
        loop {
            let Some(piece) = demo.next_piece()? else { return Ok(None) };
            let Piece::Block(block) = piece else { continue };
            if block.is_from_client() || block.data.is_empty() {
                continue;
            }
            let angles = block.angles.map(f32::from_bits);
            let (mut next, mut serves) = (
                NextBlock { body: block.data.to_vec(), angles, time: None, stage: None, is_frame: true },
                false,
            );
            let mut messages = Messages::<Quake>::new(block.data, self.context);
            for entry in messages.by_ref() {
                let lasts = entry.message.schema().properties.lasts;
                next.is_frame &= matches!(lasts, Lasts::Frame | Lasts::Moment | Lasts::Never);
                match entry.message {
                    Message::Time(it) => next.time = Some(it.time.value().into()),
                    Message::SignonNum(it) => next.stage = Some(it.signon),
                    Message::ServerInfo(_) => serves = true,
                    _ => {}
                }
            }
            next.is_frame &= next.time.is_some() && messages.rest().is_empty();
            self.context = *messages.context();
            if serves {
                self.clock = None;
            }
            return Ok(Some(next));
        }
    }

    /// Turns the client's view, in a packet of its own.
    fn turn(&mut self, angles: [f32; 3], now: Duration, send: &mut dyn FnMut(&[u8])) {
        let kind = self.context.angle;
        let angles = angles.map(|angle| Angle::nearest(kind, f64::from(angle)));
        let mut body = Vec::new();
        write_message(&Message::SetAngle(SetAngle { angles }), &mut body, &self.context);
        self.unreliable(&body, now, send);
    }

    fn unreliable(&mut self, body: &[u8], now: Duration, send: &mut dyn FnMut(&[u8])) {
        let mut datagram = Vec::new();
        self.outgoing.unreliable(body, &mut datagram);
        self.sent = now;
        send(&datagram);
    }
}
