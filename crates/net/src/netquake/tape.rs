//! Makes a `.dem` of a NetQuake connection, block by block as the client's own `record` writes it.
//!
//! A block has the player's view angles, which only the client knows. Its moves have them, together with the time of
//! the last frame that it had read. So a block with time T waits until a move echoes T: the move before that one has
//! the angles that the client had when it read the block. Forwarding never waits, and the block is already in the
//! file, with the last known angles.

use super::beginning::LevelBeginning;
use super::moves::{Layout, moves_in};
use super::{Delivered, Incoming, Move, Packet};
use crate::tape::{ChatCommand, Cut, Direction, Notice, Tape, Title};
use moviola_format::dem::{Disconnect, Message, Nop};
use moviola_format::{Context, Messages, Quake};
use std::collections::VecDeque;
use std::time::Duration;

/// After this time a block that no move has answered gets the last known angles, since the client may have stopped. A
/// slow machine that draws its first picture can be silent for more than a second.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// A reliable message that arrives this soon after a frame was sent with it, and is read with it.
const SAME_FRAME: Duration = Duration::from_millis(2);

/// The most blocks that wait for a move. A client answers within a few frames; if more blocks wait, it
/// has left.
const MOST_PENDING: usize = 256;

/// The most blocks of a recording that waits for its file. The file's name needs the level's name, which comes with the
/// first messages, and the player's name, which the client sends after them.
const MOST_UNNAMED: usize = 64;

/// A message that only keeps the connection alive. `DarkPlaces` records it, all other engines do not.
const ONLY_NOP: &[u8] = &[Nop::OP];

/// The last block that a client writes.
const END: &[u8] = &[Disconnect::OP];

/// The file's first line: no CD track is forced.
const HEADER: &[u8] = b"-1\n";

/// Makes a `.dem` of the datagrams between a client and a server.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one connection")]
pub struct DemTape {
    down: Incoming,
    up: Incoming,
    context: Option<Context>,
    pending: VecDeque<PendingBlock>,
    angles: [f32; 3],
    last_timed: Duration,
    last_move: Duration,
    /// The time of the last frame that was written.
    last_time: f32,
    /// Whether the client sends moves in this level.
    moving: bool,
    /// Whether frames of the game have arrived. The client sends its name, if it has one, before the first frame.
    has_frames: bool,
    /// Whether the server shows a recording: the view is then the recording's, not the client's.
    is_shown: bool,
    /// Whether the server has ended the connection.
    is_ended: bool,
    level: LevelBeginning,
    recording: bool,
    /// Whether the recording has its file, and the blocks that wait for that.
    running: bool,
    unnamed: Vec<Cut>,
    /// Whether each level becomes a recording of its own.
    split: bool,
    /// Whether the client is `DarkPlaces`.
    is_darkplaces: bool,
}

/// A block that waits for its view angles.
#[derive(Debug)]
struct PendingBlock {
    body: Vec<u8>,
    time: Option<f32>,
    arrived: Duration,
    /// A turn of the view in this block, which applies from the next block on.
    turn: Option<[f32; 3]>,
    /// Whether the file has it already, with the angles that were known when it arrived.
    is_ahead: bool,
}

/// The facts that the tape needs about one message of the server.
#[derive(Default)]
struct MessageFacts {
    /// Whether the message only turns the view, as no packet but that of a server of recordings does.
    is_turn: bool,
    time: Option<f32>,
    turn: Option<[f32; 3]>,
    begins_level: bool,
    is_end: bool,
}

impl Tape for DemTape {
    fn take_datagram(&mut self, way: Direction, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        let Some(packet) = Packet::parse(datagram) else { return };
        self.give_up_waiting(now, cuts);
        match way {
            Direction::Down => {
                let mut down = std::mem::take(&mut self.down);
                if let Some(Delivered::Reliable(body) | Delivered::Unreliable(body)) = down.receive(&packet) {
                    self.message(body, now, cuts);
                }
                self.down = down;
            }
            Direction::Up => {
                let mut up = std::mem::take(&mut self.up);
                if let Some(Delivered::Reliable(body) | Delivered::Unreliable(body)) = up.receive(&packet) {
                    self.moves(body, now, cuts);
                }
                self.up = up;
            }
        }
    }

    fn start(&mut self, cuts: &mut Vec<Cut>) {
        if self.recording {
            return;
        }
        self.recording = true;
        let blocks: Vec<Cut> =
            self.level.blocks().map(|body| Cut::Bytes(block(&body, self.angles))).collect();
        for block in blocks {
            self.put(block, cuts);
        }
        self.write_ahead(cuts);
    }

    fn stop(&mut self, cuts: &mut Vec<Cut>) {
        self.write_all(cuts);
        // After the server's disconnect message engines write their own; a recording that is shown already has both.
        self.end(!(self.is_shown && self.is_ended), cuts);
        self.recording = false;
    }
}

impl DemTape {
    /// A tape that begins to record with the connection, or waits for [`start`](Tape::start).
    pub fn new(recording: bool) -> Self {
        Self { recording, ..Self::default() }
    }

    /// Makes each level a recording of its own.
    #[must_use]
    pub fn split(mut self, split: bool) -> Self {
        self.split = split;
        self
    }

    /// From now on records the messages that `DarkPlaces` records.
    pub(crate) fn is_of_darkplaces(&mut self) {
        self.is_darkplaces = true;
    }

    /// Appends a block to the recording, which gets its file as soon as its name is known.
    fn put(&mut self, block: Cut, cuts: &mut Vec<Cut>) {
        if self.running {
            cuts.push(block);
            return;
        }
        self.unnamed.push(block);
        if self.is_named() || self.unnamed.len() >= MOST_UNNAMED {
            self.begin(cuts);
        }
    }

    /// Whether all is known that can be part of the file's name.
    fn is_named(&self) -> bool {
        let Title { map, player, .. } = &self.level.title;
        !map.is_empty() && (self.has_frames || !player.is_empty())
    }

    fn begin(&mut self, cuts: &mut Vec<Cut>) {
        cuts.push(Cut::Begin(Title { extension: "dem", ..self.level.title.clone() }));
        cuts.push(Cut::Bytes(HEADER.to_vec()));
        cuts.append(&mut self.unnamed);
        self.running = true;
    }

    fn end(&mut self, has_mark: bool, cuts: &mut Vec<Cut>) {
        if !self.unnamed.is_empty() {
            self.begin(cuts);
        }
        if self.running {
            cuts.extend(has_mark.then(|| Cut::Bytes(block(END, self.angles))));
            cuts.push(Cut::End);
        }
        self.running = false;
    }

    fn message(&mut self, body: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        if body == ONLY_NOP && !self.is_darkplaces {
            return;
        }
        let was_begun = self.level.is_complete();
        let look = self.facts_of(body);
        if let Some(turn) = look.turn.filter(|_| look.is_turn) {
            (self.is_shown, self.angles) = (true, turn);
            return;
        }
        if look.begins_level {
            self.write_all(cuts);
            self.moving = false;
            if Layout::of(self.context) == Layout::Unknown {
                cuts.push(Cut::Notice(Notice::DarkPlaces));
            }
            if self.split && self.running {
                self.end(true, cuts);
            }
        }
        if !was_begun || look.begins_level {
            self.level.keep(body);
        }
        if look.time.is_some() {
            self.last_timed = now;
        }
        self.has_frames |= look.time.is_some();
        let (body, time) = (body.to_vec(), look.time);
        let pending = PendingBlock { body, time, arrived: now, turn: look.turn, is_ahead: false };
        self.pending.push_back(pending);
        if !self.moving || self.is_shown || self.pending.len() > MOST_PENDING {
            self.write_all(cuts);
        }
        self.write_ahead(cuts);
        if look.begins_level {
            // The client clears its state while it reads the level's first message, so that block still has
            // the old angles.
            (self.angles, self.last_time) = ([0.0; 3], 0.0);
        }
        if look.is_end {
            self.is_ended = true;
            self.stop(cuts);
            self.is_ended = false;
        }
    }

    fn facts_of(&mut self, body: &[u8]) -> MessageFacts {
        let mut look = MessageFacts::default();
        let context = self.context.unwrap_or_else(Context::quake);
        let mut messages = Messages::<Quake>::new(body, context);
        let (mut before, mut count) = (0, 0);
        while let Some(entry) = messages.next() {
            count += 1;
            let bytes = body.get(before..messages.pos()).unwrap_or_default();
            before = messages.pos();
            match entry.message {
                Message::Time(it) => look.time = Some(it.time.value()),
                Message::SetAngle(it) => look.turn = Some(it.angles.map(|angle| angle.value() as f32)),
                Message::Disconnect(_) => look.is_end = true,
                _ => {}
            }
            look.begins_level |= self.level.take(&entry.message, bytes, messages.context());
        }
        look.is_turn = count == 1 && look.turn.is_some() && messages.rest().is_empty();
        self.context = Some(*messages.context());
        look
    }

    fn moves(&mut self, body: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        for message in moves_in(body, Layout::of(self.context)) {
            match message {
                Move::View { echo, angles, .. } => {
                    self.view(echo, angles, cuts);
                    self.last_move = now;
                }
                Move::Command(line) => {
                    if let Some(name) = line.strip_prefix(b"name ") {
                        let name = name.trim_ascii();
                        let bare = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
                        self.level.title.player = String::from_utf8_lossy(bare.unwrap_or(name)).into_owned();
                    }
                    match ChatCommand::of(line) {
                        Some(ChatCommand::Record) => self.start(cuts),
                        Some(ChatCommand::Stop) => self.stop(cuts),
                        None => {}
                    }
                }
                Move::Disconnect => {
                    self.forget_unread(cuts);
                    self.stop(cuts);
                }
            }
        }
    }

    /// Drops the blocks that arrived after the client's last move. The client sends a move and then reads all packets
    /// that have arrived, so it never read these blocks, and its own recording lacks them.
    fn forget_unread(&mut self, cuts: &mut Vec<Cut>) {
        if self.moving {
            let read_until = self.last_move + SAME_FRAME;
            let before = self.pending.len();
            self.pending.retain(|it| it.arrived <= read_until);
            if self.pending.len() < before && self.running {
                cuts.push(Cut::Withdraw);
                self.pending.iter_mut().for_each(|it| it.is_ahead = false);
            }
        }
    }

    /// Writes the waiting blocks with the last known angles. They are overwritten when the right angles arrive.
    fn write_ahead(&mut self, cuts: &mut Vec<Cut>) {
        if !self.running && !self.unnamed.is_empty() && self.is_named() {
            self.begin(cuts);
        }
        if !self.recording || !self.running {
            return;
        }
        let mut angles = self.angles;
        for waiting in &mut self.pending {
            if !std::mem::replace(&mut waiting.is_ahead, true) {
                cuts.push(Cut::Ahead(block(&waiting.body, angles)));
            }
            angles = waiting.turn.unwrap_or(angles);
        }
    }

    /// Writes the blocks that the client had read before this move.
    fn view(&mut self, echo: f32, angles: [f32; 3], cuts: &mut Vec<Cut>) {
        self.moving = true;
        if self.is_shown {
            return;
        }
        if self.is_darkplaces {
            return self.view_of_darkplaces(echo, angles, cuts);
        }
        while let Some(head) = self.pending.front() {
            let read_before = match head.time {
                Some(time) => time <= echo,
                None => self.pending.iter().any(|it| it.time.is_some_and(|time| time <= echo)),
            };
            let with_last_frame =
                head.time.is_none() && head.arrived.saturating_sub(self.last_timed) < SAME_FRAME;
            if read_before || with_last_frame {
                self.write_one(cuts);
            } else if head.time.is_none() {
                // The client read this packet in the frame in which it sent the move.
                self.angles = angles;
                self.write_one(cuts);
            } else {
                break;
            }
        }
        self.angles = angles;
    }

    /// `DarkPlaces` reads the packets that have arrived and then sends its move, so a block has the angles of the first
    /// move after it. The time in the move is that of a clock which runs from the last frame but one to the last.
    fn view_of_darkplaces(&mut self, echo: f32, angles: [f32; 3], cuts: &mut Vec<Cut>) {
        // `DarkPlaces` also keeps the yaw between -180 and 180.
        let [pitch, yaw, roll] = angles;
        self.angles = [pitch, if yaw >= 180.0 { yaw - 360.0 } else { yaw }, roll];
        while let Some(head) = self.pending.front() {
            if head.time.is_some_and(|time| time > echo && self.last_time > echo) {
                break;
            }
            self.write_one(cuts);
        }
    }

    fn give_up_waiting(&mut self, now: Duration, cuts: &mut Vec<Cut>) {
        while self.pending.front().is_some_and(|head| now.saturating_sub(head.arrived) > MAX_WAIT) {
            self.write_one(cuts);
        }
    }

    fn write_all(&mut self, cuts: &mut Vec<Cut>) {
        while !self.pending.is_empty() {
            self.write_one(cuts);
        }
    }

    fn write_one(&mut self, cuts: &mut Vec<Cut>) {
        let Some(head) = self.pending.pop_front() else { return };
        if self.recording {
            self.put(Cut::Bytes(block(&head.body, self.angles)), cuts);
        }
        self.last_time = head.time.unwrap_or(self.last_time);
        if let Some(turn) = head.turn {
            self.angles = turn;
        }
    }
}

/// A block in the form of the file: length, angles, messages.
fn block(body: &[u8], angles: [f32; 3]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + 16);
    out.extend((body.len() as u32).to_le_bytes());
    for angle in angles {
        out.extend(angle.to_le_bytes());
    }
    out.extend_from_slice(body);
    out
}
