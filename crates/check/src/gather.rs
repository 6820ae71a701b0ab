//! Gathers a [`Summary`] while a recording is read.

use crate::ending::Ending;
use crate::header::{Header, START};
use crate::place::ReaderPosition;
use crate::quick::{may_matter_in_quake, may_matter_in_quake2};
use crate::scan::{BlockRest, SeenMessage, Watch, scan};
use crate::summary::{LevelSummary, NamedProtocol, RawTally, RecordingKind, Summary};
use moviola_format::names::{self, quake, quake2, quakeworld, readable};
use moviola_format::{
    Answer, Block, Context, Dialect, FaultKind, Format, FrameForm, Game, Length, Piece, Stamp, dem, dm2,
    info_value, is_time, mvd2, qw,
};
use std::io::{self, Read};

/// At most this many levels, maps and players are listed, so that the memory does not grow with the file.
const MAX_LISTED: usize = 256;

impl Summary {
    /// Reads a file and identifies it.
    ///
    /// ```
    /// use moviola_check::{RecordingEnd, Summary};
    /// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
    /// let summary = Summary::read(&file[..]).unwrap();
    /// assert_eq!((summary.format, summary.blocks, summary.end), ("dem", 1, RecordingEnd::Disconnect));
    /// ```
    pub fn read(mut source: impl Read) -> io::Result<Self> {
        // `dyn` keeps the compiler from making a copy of the pass for each kind of stream.
        Self::read_stream(&mut source)
    }

    fn read_stream(source: &mut dyn Read) -> io::Result<Self> {
        let (start, source) = peek(source)?;
        Ok(scan(source, Gather::new(start))?.summary())
    }

    /// Like [`Summary::read`], but twice as fast: of a block that begins with a player's frame, only the
    /// frame's time is read, unless its bytes may hold a name, a level, another frame or the end. So
    /// `messages` and `raw` count only the part that was read.
    ///
    /// ```
    /// use moviola_check::Summary;
    /// let file = b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x3c";
    /// let (quick, whole) = (Summary::quick(&file[..]).unwrap(), Summary::read(&file[..]).unwrap());
    /// assert_eq!((quick.frames, quick.raw.count), (1, 0));
    /// assert_eq!((whole.frames, whole.raw.count), (1, 1));
    /// ```
    pub fn quick(mut source: impl Read) -> io::Result<Self> {
        Self::quick_stream(&mut source)
    }

    fn quick_stream(source: &mut dyn Read) -> io::Result<Self> {
        let (start, source) = peek(source)?;
        Ok(scan(source, Gather::quick(start))?.summary())
    }
}

/// The start of a file, and the file with its start put back.
pub(crate) fn peek(mut source: impl Read) -> io::Result<(Vec<u8>, impl Read)> {
    let mut start = Vec::new();
    source.by_ref().take(START as u64).read_to_end(&mut start)?;
    Ok((start.clone(), io::Cursor::new(start).chain(source)))
}

#[derive(Clone)]
pub(crate) struct Gather {
    start: Vec<u8>,
    summary: Summary,
    ending: Ending,
    /// The form of the first frame (Quake II), and the word in its serverdata for the kind of
    /// recording.
    form: Option<FrameForm>,
    isdemo: Option<u8>,
    length: Length,
    /// The last time of the current block: of several times in a block engines play the last.
    now: Option<f64>,
    level: Option<LevelSummary>,
    /// Whether only the time of a frame is read.
    is_quick: bool,
    /// A copy of this state from before the first block after the end. It is restored if those blocks are junk.
    before: Option<Box<Self>>,
}

impl Gather {
    pub(crate) fn new(start: Vec<u8>) -> Self {
        let summary = Summary {
            format: "",
            protocol: None,
            engine: None,
            kind: RecordingKind::Unknown,
            maps: Vec::new(),
            players: Vec::new(),
            player: None,
            game_folder: None,
            mission_pack: false,
            nehahra: false,
            darkplaces: false,
            length: None,
            frames: 0,
            blocks: 0,
            client_blocks: 0,
            largest_block: 0,
            messages: 0,
            bytes: 0,
            raw: RawTally::default(),
            end: crate::summary::RecordingEnd::NoRecording,
            header: None,
            level_count: 0,
            levels: Vec::new(),
        };
        let ending = Ending::default();
        Self {
            start,
            summary,
            ending,
            form: None,
            isdemo: None,
            length: Length::default(),
            now: None,
            level: None,
            is_quick: false,
            before: None,
        }
    }

    /// A gatherer that reads only the time of a frame.
    pub(crate) fn quick(start: Vec<u8>) -> Self {
        Self { is_quick: true, ..Self::new(start) }
    }

    pub(crate) fn summary(self) -> Summary {
        self.summary
    }

    fn tick(&mut self, time: Option<f64>) {
        self.summary.frames += 1;
        self.now = time.filter(|time| is_time(*time));
        let Some(time) = self.now else { return };
        if let Some(level) = &mut self.level {
            level.start.get_or_insert(time);
            level.end = Some(time);
        }
    }

    /// Adds the last time of the current block to the length.
    fn play(&mut self) {
        if let Some(time) = self.now.take() {
            self.length.tick(time);
        }
    }

    fn begin_level(&mut self, level: LevelSummary) {
        self.close_level();
        self.summary.level_count += 1;
        self.summary.protocol.get_or_insert_with(|| level.protocol.clone());
        self.level = Some(level);
    }

    fn close_level(&mut self) {
        self.play();
        let length = self.length.end_level();
        let Some(mut level) = self.level.take() else { return };
        level.length = length.unwrap_or_default();
        if let Some(map) = &level.map {
            list(&mut self.summary.maps, map.clone());
        }
        if self.summary.levels.len() < MAX_LISTED {
            self.summary.levels.push(level);
        }
    }

    fn kind(&self, format: &str) -> RecordingKind {
        let by_word = |isdemo| match isdemo {
            quake2::RECORD_NETWORK => RecordingKind::Network,
            quake2::RECORD_SERVER => RecordingKind::Server,
            quake2::RECORD_RELAY => RecordingKind::Relay,
            _ => RecordingKind::Client,
        };
        match (format, self.form, self.isdemo) {
            ("dem" | "qwd", ..) => RecordingKind::Client,
            // Engines never look at this word, so where it disagrees with the frame's form, the form is
            // right.
            ("mvd" | "mvd2", ..) | (_, Some(FrameForm::Server), _) => RecordingKind::Server,
            (_, Some(FrameForm::Relay), _) => RecordingKind::Relay,
            (_, Some(FrameForm::Client), Some(quake2::RECORD_NETWORK)) => RecordingKind::Network,
            (_, Some(FrameForm::Client), _) => RecordingKind::Client,
            (_, None, Some(word)) => by_word(word),
            (_, None, None) => RecordingKind::Unknown,
        }
    }

    fn config_string(&mut self, index: i16, text: &[u8]) {
        const PLAYERS: std::ops::Range<i32> = quake2::CS_PLAYERSKINS as i32..quake2::CS_GENERAL as i32;
        const MAP: i32 = quake2::CS_MODELS as i32 + 1;
        let index = i32::from(index);
        if index == MAP {
            if let Some(level) = &mut self.level {
                // After its first frame a client loads no other level.
                if level.start.is_none() {
                    level.map = Some(map_name(text));
                }
            } else {
                list(&mut self.summary.maps, map_name(text));
            }
        } else if PLAYERS.contains(&index) {
            let name = text.split(|byte| *byte == b'\\').next().unwrap_or_default();
            list(&mut self.summary.players, shortened(name));
        } else if let Some(level) = &mut self.level {
            match names::range_name(quake2::CONFIG, i64::from(index)) {
                Some(_) if index == i32::from(quake2::CS_MAXCLIENTS) => {
                    level.maxclients = readable(start(text)).parse().ok();
                }
                Some(_) if text.is_empty() => {}
                Some(_) if (MAP + 1..i32::from(quake2::CS_SOUNDS)).contains(&index) => level.models += 1,
                Some(_) if (i32::from(quake2::CS_SOUNDS)..i32::from(quake2::CS_IMAGES)).contains(&index) => {
                    level.sounds += 1;
                }
                _ => {}
            }
        }
    }
}

/// At most this many bytes of a name or a title are listed; a mark shows that it was longer.
const MAX_NAME: usize = 200;

/// A string of the recording as text, cut where it is far longer than any engine shows.
fn shortened(bytes: &[u8]) -> String {
    let mark = if bytes.len() > MAX_NAME { "..." } else { "" };
    readable(start(bytes)) + mark
}

/// The part of a string that is listed.
fn start(bytes: &[u8]) -> &[u8] {
    bytes.get(..MAX_NAME).unwrap_or(bytes)
}

/// Adds a name that is new.
fn list(names: &mut Vec<String>, name: String) {
    if names.len() < MAX_LISTED && !name.is_empty() && !names.contains(&name) {
        names.push(name);
    }
}

/// A level at the block that announces it, before its lists and frames.
fn announced(here: &ReaderPosition, title: &[u8], protocol: NamedProtocol) -> LevelSummary {
    LevelSummary {
        map: None,
        title: shortened(title),
        protocol,
        maxclients: None,
        models: 0,
        sounds: 0,
        block: here.block.saturating_sub(1),
        offset: here.offset,
        start: None,
        end: None,
        length: 0.0,
    }
}

/// `maps/e1m1.bsp` is e1m1.
fn map_name(path: &[u8]) -> String {
    let file = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    shortened(file.strip_suffix(b".bsp").unwrap_or(file))
}

impl Watch for Gather {
    fn take_format(&mut self, format: Format) {
        self.summary.format = format.name();
        self.ending.begin(format.game());
        if let Format::Quake { header } = format {
            self.summary.header = Some(Header::of(&std::mem::take(&mut self.start), header));
        }
        self.length = format.game().map(Length::of).unwrap_or_default();
    }

    fn take_piece(&mut self, here: &ReaderPosition, piece: &Piece<'_>, _: &Context) {
        match piece {
            Piece::Block(_) if self.ending.may_be_junk() && self.before.is_none() => {
                self.before = Some(Box::new(self.clone()));
            }
            Piece::End | Piece::EndOfMvd2 => self.before = None,
            _ => {}
        }
        self.ending.take_piece(here, piece);
    }

    fn quake(&mut self, seen: &SeenMessage<'_>, message: &dem::Message<'_>) {
        let here = seen.here;
        match message {
            dem::Message::Time(_) => self.tick(here.time),
            dem::Message::Print(it) if self.summary.engine.is_none() && here.level < 2 => {
                self.summary.engine = names::engine(start(it.string.bytes()));
            }
            dem::Message::UpdateName(it) => list(&mut self.summary.players, shortened(it.netname.bytes())),
            dem::Message::SetView(it) if self.summary.player.is_none() => {
                // The entities of players follow the world's, which is number 0.
                self.summary.player = it.entity.checked_sub(1).filter(|player| (0..256).contains(player));
            }
            dem::Message::Disconnect(_) => self.ending.disconnect(),
            dem::Message::ServerInfo(it) => {
                self.summary.mission_pack |= seen.context.mission_pack;
                let models = it.precache.models();
                let number = it.protocol.version();
                let name = names::value_name(quake::PROTOCOL, i64::from(number));
                let protocol = NamedProtocol { number, name, flags: it.protocol.flags() };
                self.begin_level(LevelSummary {
                    map: models.iter().next().map(|name| map_name(name.bytes())),
                    maxclients: Some(u32::from(it.maxclients)),
                    models: models.iter().count() as u32,
                    sounds: it.precache.sounds().iter().count() as u32,
                    ..announced(here, it.mapname.bytes(), protocol)
                });
            }
            _ => {}
        }
    }

    fn quake2(&mut self, seen: &SeenMessage<'_>, message: &dm2::Message<'_>) {
        let here = seen.here;
        match message {
            dm2::Message::FrameMessage(it) => {
                self.form.get_or_insert(it.head.form);
                self.tick(here.time);
            }
            dm2::Message::Disconnect(_) => self.ending.disconnect(),
            dm2::Message::ConfigString(it) => {
                if let Some(index) = seen.context.limits.id_config(it.index) {
                    self.config_string(index, it.string.bytes());
                }
            }
            dm2::Message::ServerData(it) => {
                self.isdemo.get_or_insert(it.isdemo);
                if self.summary.player.is_none() && it.client >= 0 {
                    self.summary.player = Some(it.client);
                }
                self.summary.game_folder.get_or_insert_with(|| shortened(it.game.bytes()));
                let name = names::value_name(quake2::PROTOCOL, i64::from(it.serverversion));
                let protocol = NamedProtocol { number: it.serverversion, name, flags: 0 };
                self.begin_level(announced(here, it.mapname.bytes(), protocol));
            }
            _ => {}
        }
    }

    fn mvd2(&mut self, seen: &SeenMessage<'_>, message: &mvd2::Message<'_>) {
        let here = seen.here;
        match message {
            mvd2::Message::FrameMessage(_) => self.tick(here.time),
            mvd2::Message::ConfigString(it) => self.config_string(it.index, it.string.bytes()),
            mvd2::Message::ServerData(it) => {
                self.summary.game_folder.get_or_insert_with(|| shortened(it.game.bytes()));
                let number = mvd2::PROTOCOL;
                let name = names::value_name(quake2::PROTOCOL, i64::from(number));
                let title = it.config.iter().find(|it| it.index == 0).map(|it| shortened(it.string.bytes()));
                let flags = u32::from(it.version.all_flags());
                self.begin_level(LevelSummary {
                    map: None,
                    title: title.unwrap_or_default(),
                    protocol: NamedProtocol { number, name, flags },
                    maxclients: None,
                    models: 0,
                    sounds: 0,
                    block: here.block.saturating_sub(1),
                    offset: here.offset,
                    start: None,
                    end: None,
                    length: 0.0,
                });
                it.config.iter().for_each(|it| self.config_string(it.index, it.string.bytes()));
                self.tick(here.time);
            }
            _ => {}
        }
    }

    fn quakeworld(&mut self, seen: &SeenMessage<'_>, message: &qw::Message<'_>) {
        let here = seen.here;
        match message {
            qw::Message::StuffText(it) if self.summary.engine.is_none() => {
                self.summary.engine = info_value(it.string.bytes(), b"*version").map(shortened);
            }
            qw::Message::UpdateUserInfo(it) => {
                // not from SCHEMA: a key of user info
                if let Some(name) = info_value(it.string.bytes(), b"name") {
                    list(&mut self.summary.players, shortened(name));
                }
            }
            qw::Message::ModelList(it) => {
                if let Some(level) = &mut self.level {
                    if it.list.first.unwrap_or_default() == 0 {
                        level.map = it.list.names.iter().next().map(|name| map_name(name.bytes()));
                    }
                    level.models += it.list.names.iter().count() as u32;
                }
            }
            qw::Message::SoundList(it) => {
                if let Some(level) = &mut self.level {
                    level.sounds += it.list.names.iter().count() as u32;
                }
            }
            qw::Message::Disconnect(_) => self.ending.disconnect(),
            qw::Message::Connless(it) if it.packet.ends() => self.ending.disconnect(),
            qw::Message::ServerData(it) => {
                if self.summary.player.is_none() {
                    self.summary.player = it.client.slot().map(i16::from);
                }
                self.summary.game_folder.get_or_insert_with(|| shortened(it.game.bytes()));
                let number = it.flags.0;
                let name = names::value_name(quakeworld::PROTOCOL, i64::from(number));
                let protocol = NamedProtocol { number, name, flags: it.extensions.all().fte };
                self.begin_level(announced(here, it.mapname.bytes(), protocol));
                self.tick(here.time);
            }
            _ => {}
        }
    }

    fn wants_frame(&self, seen: &SeenMessage<'_>, block: &Block<'_>) -> bool {
        // Recordings of servers and of Relay have other messages in the blocks of frames.
        let is_client = self.form.is_none_or(|form| form == FrameForm::Client);
        if !self.is_quick || !is_client || self.ending.is_over() || seen.context.raw {
            return true;
        }
        let clients = self.level.as_ref().and_then(|level| level.maxclients).unwrap_or(u32::MAX);
        match seen.context.game {
            Game::Quake => may_matter_in_quake(block.data, clients),
            Game::Quake2 => may_matter_in_quake2(block.data),
            Game::QuakeWorld => true,
        }
    }

    fn block_end<D: Dialect>(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>) {
        if !self.ending.block_end(here, rest) {
            self.before = None;
        }
        self.summary.client_blocks += u64::from(rest.block.is_from_client());
        // A frame of QuakeWorld consists of all blocks of one time.
        if let Stamp::Qwd { numbers: Some(_), .. } | Stamp::Mvd { msec: 1.., .. } = rest.block.stamp {
            self.tick(here.time);
        }
        self.play();
        self.summary.largest_block = self.summary.largest_block.max(rest.block.data.len() as u64);
        // A truncated block is not evidence.
        if rest.block.is_truncated() {
            return;
        }
        self.summary.blocks += 1;
        self.summary.messages += rest.messages;
        self.summary.nehahra |= rest.context_after.nehahra == Answer::Yes;
        self.summary.darkplaces |= rest.fault.is_some_and(|fault| fault.kind == FaultKind::DarkPlaces);
        if rest.fault.is_some() && !rest.block.is_from_client() {
            self.summary.raw.count += 1;
            self.summary.raw.bytes += rest.raw.len() as u64;
        }
        if rest.context_after.raw && self.summary.protocol.is_none() {
            // A level whose announcement could not be read completely.
            let (number, name) = (rest.context_after.protocol, rest.context_after.protocol_name());
            self.summary.protocol = (number != 0).then_some(NamedProtocol { number, name, flags: 0 });
        }
    }

    fn end(&mut self, here: &ReaderPosition) {
        if let Some(before) = self.before.take() {
            let ending = std::mem::take(&mut self.ending);
            *self = Self { ending, ..*before };
        }
        self.close_level();
        self.summary.bytes = here.offset;
        self.summary.end = self.ending.at(here.offset);
        self.summary.length = self.length.seconds();
        self.summary.kind = self.kind(self.summary.format);
    }
}
