//! Makes a `.dm2` of a Quake II connection: a beginning as `record` writes it, then each packet as a block.

use super::whole_frames::last_frame;
use super::{CLIENT_NOP, Head, STRING_COMMAND, USERINFO};
use crate::bytes::{Bytes, out_of_band};
use crate::tape::{ChatCommand, Cut, Direction, Notice, Tape, Title, map_name};
use moviola_format::dm2::{ConfigString, Message, ServerData, StuffText};
use moviola_format::names::quake2::{CS_MODELS, RECORD_CLIENT};
use moviola_format::{Context, Messages, Quake2, Str, info_value, write_message};
use std::collections::BTreeMap;
use std::time::Duration;

/// The size of a block of the beginning, and the room that id's engine leaves for one more string or
/// baseline.
const BEGINNING_BLOCK: usize = 1400;
const ROOM_FOR_STRING: usize = 32;
const ROOM_FOR_BASELINE: usize = 64;

/// The number that id's engine adds to the server's number, so that a recording is not taken for a live game.
const RECORDED: i32 = 0x1_0000;

/// The end mark after a recording's last block.
const END: [u8; 4] = [0xff; 4];

/// The config string with the path of the level's file: the first model.
const CS_MAP: i16 = CS_MODELS as i16 + 1;

/// Limits that no server reaches: servers send at most 2080 config strings and 1024 baselines.
const MOST_STRINGS: usize = 4096;
const MOST_BASELINES: usize = 8192;

/// How long the server is asked for a whole frame. It sends ten frames a second.
const MAX_ASKING: Duration = Duration::from_secs(1);

/// Makes a `.dm2` of the datagrams between a client and a server.
#[derive(Debug, Default)]
pub struct Dm2Tape {
    context: Option<Context>,
    server: Option<Server>,
    /// Config strings, with their NULs.
    strings: BTreeMap<i16, Vec<u8>>,
    baselines: Vec<Vec<u8>>,
    title: Title,
    last_down: u32,
    last_up: u32,
    recording: bool,
    /// Whether the beginning is written, which happens with the first whole frame.
    running: bool,
    asking: WholeFrameRequest,
}

/// Whether a recording that starts in the middle of a level waits for a whole frame.
#[derive(Clone, Copy, Debug, Default)]
enum WholeFrameRequest {
    #[default]
    No,
    /// The tape waits for a whole frame, and has done so since this moment.
    Since(Duration),
    /// The whole frame has arrived, with this number. No later frame may build on frames before it. So until the client
    /// has acknowledged it or a later one, the server must not learn that the client has earlier frames.
    Has(i32),
    /// The server sends none although it was asked.
    Denied,
}

/// The server data at the beginning of a level.
#[derive(Debug)]
struct Server {
    protocol: i32,
    key: i32,
    /// The game's folder; like the level's title, with its NUL.
    folder: Vec<u8>,
    player: i16,
    level: Vec<u8>,
}

impl Tape for Dm2Tape {
    fn take_datagram(&mut self, way: Direction, datagram: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        if let Some(text) = out_of_band(datagram) {
            if let Some(info) = text.strip_prefix(b"connect ") {
                self.add_name(info.split(|byte| *byte == b'"').nth(1).unwrap_or_default());
            }
            return;
        }
        let Some((head, body)) = Head::parse(datagram, way) else { return };
        let last = if way == Direction::Down { &mut self.last_down } else { &mut self.last_up };
        if head.sequence <= *last {
            return;
        }
        *last = head.sequence;
        match way {
            Direction::Down => self.packet(body, now, cuts),
            Direction::Up => {
                if let (WholeFrameRequest::Has(first), Some(last)) = (self.asking, last_frame(datagram))
                    && last >= first
                {
                    self.asking = WholeFrameRequest::No;
                }
                self.commands(body, cuts);
            }
        }
    }

    fn unacknowledged(&self) -> Option<i32> {
        match self.asking {
            WholeFrameRequest::Since(_) => Some(i32::MAX),
            WholeFrameRequest::Has(first) => Some(first),
            WholeFrameRequest::No | WholeFrameRequest::Denied => None,
        }
    }

    fn start(&mut self, _: &mut Vec<Cut>) {
        self.recording = true;
    }

    fn stop(&mut self, cuts: &mut Vec<Cut>) {
        if self.running {
            cuts.push(Cut::Bytes(END.to_vec()));
            cuts.push(Cut::End);
            self.running = false;
        }
        (self.recording, self.asking) = (false, WholeFrameRequest::No);
    }
}

impl Dm2Tape {
    /// A tape that begins to record with the connection, or waits for [`start`](Tape::start).
    pub fn new(recording: bool) -> Self {
        Self { recording, ..Self::default() }
    }

    fn add_name(&mut self, info: &[u8]) {
        // not from SCHEMA: a key of user info
        if let Some(name) = info_value(info, b"name") {
            self.title.player = String::from_utf8_lossy(name).into_owned();
        }
    }

    fn packet(&mut self, body: &[u8], now: Duration, cuts: &mut Vec<Cut>) {
        let (mut frame, mut begins, mut ends, mut at) = (None, false, false, 0);
        let mut messages = Messages::<Quake2>::new(body, self.context.unwrap_or_else(Context::quake2));
        while let Some(entry) = messages.next() {
            let bytes = body.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            match entry.message {
                Message::ServerData(it) => {
                    begins = true;
                    self.strings.clear();
                    self.baselines.clear();
                    self.server = Some(Server {
                        protocol: it.serverversion,
                        key: it.key,
                        folder: it.game.wire().to_vec(),
                        player: it.client,
                        level: it.mapname.wire().to_vec(),
                    });
                }
                Message::ConfigString(it) => {
                    if it.index == CS_MAP {
                        self.title.map = map_name(it.string.bytes());
                    }
                    if self.strings.len() < MOST_STRINGS {
                        self.strings.insert(it.index, it.string.wire().to_vec());
                    }
                }
                Message::SpawnBaseline(_) if self.baselines.len() < MOST_BASELINES => {
                    self.baselines.push(bytes.to_vec());
                }
                Message::FrameMessage(it) => frame = Some(it.head),
                Message::Disconnect(_) | Message::Reconnect(_) => ends = true,
                _ => {}
            }
        }
        self.context = Some(*messages.context());
        if begins && self.running {
            // A new level is a new recording: engines stop at the second level of a file.
            cuts.extend([Cut::Bytes(END.to_vec()), Cut::End]);
            self.running = false;
        }
        if begins {
            self.asking = WholeFrameRequest::No;
        } else if let Some(frame) = frame.filter(|_| self.recording && !self.running) {
            self.first_frame(frame.seq1, frame.seq2 <= 0, now, cuts);
        }
        if self.running && !body.is_empty() {
            cuts.push(block(body));
        }
        if ends {
            let recording = self.recording;
            self.stop(cuts);
            self.recording = recording;
        }
    }

    /// Begins the recording with a whole frame, and makes the server send one.
    fn first_frame(&mut self, number: i32, is_whole: bool, now: Duration, cuts: &mut Vec<Cut>) {
        match self.asking {
            _ if is_whole => {
                self.begin(cuts);
                let was_asked = matches!(self.asking, WholeFrameRequest::Since(_));
                self.asking = if was_asked { WholeFrameRequest::Has(number) } else { WholeFrameRequest::No };
            }
            WholeFrameRequest::Since(moment) if now.saturating_sub(moment) > MAX_ASKING => {
                self.asking = WholeFrameRequest::Denied;
                cuts.push(Cut::Notice(Notice::NoWholeFrame));
            }
            // Before the level's beginning is known, a whole frame is useless.
            WholeFrameRequest::No | WholeFrameRequest::Has(_) if self.server.is_some() => {
                self.asking = WholeFrameRequest::Since(now);
            }
            _ => {}
        }
    }

    fn commands(&mut self, body: &[u8], cuts: &mut Vec<Cut>) {
        let mut bytes = Bytes::new(body);
        while let Some(op) = bytes.u8() {
            match op {
                CLIENT_NOP => {}
                USERINFO => {
                    let Some(info) = bytes.string() else { return };
                    self.add_name(info);
                }
                STRING_COMMAND => {
                    let Some(line) = bytes.string() else { return };
                    match ChatCommand::of(line) {
                        Some(ChatCommand::Record) => self.start(cuts),
                        Some(ChatCommand::Stop) => self.stop(cuts),
                        // not from SCHEMA: a command of the console
                        None if line == b"disconnect" => self.stop(cuts),
                        None => {}
                    }
                }
                _ => return,
            }
        }
    }

    /// Writes the level's beginning as id's `record` does, in blocks that every engine accepts.
    fn begin(&mut self, cuts: &mut Vec<Cut>) {
        let Some(server) = &self.server else { return };
        cuts.push(Cut::Begin(Title { extension: "dm2", ..self.title.clone() }));
        let context = self.context.unwrap_or_else(Context::quake2);
        let mut data = Vec::new();
        let first = ServerData {
            serverversion: server.protocol,
            key: server.key.wrapping_add(RECORDED),
            isdemo: RECORD_CLIENT,
            game: Str::new(&server.folder),
            client: server.player,
            mapname: Str::new(&server.level),
        };
        write_message(&Message::ServerData(first), &mut data, &context);
        for (index, text) in self.strings.iter().filter(|(_, text)| text.len() > 1) {
            if data.len() + text.len() + ROOM_FOR_STRING > BEGINNING_BLOCK {
                cuts.push(block(&std::mem::take(&mut data)));
            }
            let string = ConfigString { index: *index, string: Str::new(text) };
            write_message(&Message::ConfigString(string), &mut data, &context);
        }
        for baseline in &self.baselines {
            if data.len() + ROOM_FOR_BASELINE > BEGINNING_BLOCK {
                cuts.push(block(&std::mem::take(&mut data)));
            }
            data.extend(baseline);
        }
        let last = StuffText { string: Str::new(b"precache\n\0") };
        write_message(&Message::StuffText(last), &mut data, &context);
        cuts.push(block(&data));
        self.running = true;
    }
}

/// A block in the form of the file: length, messages.
fn block(body: &[u8]) -> Cut {
    let mut out = Vec::with_capacity(body.len() + 4);
    out.extend((body.len() as u32).to_le_bytes());
    out.extend_from_slice(body);
    Cut::Bytes(out)
}
