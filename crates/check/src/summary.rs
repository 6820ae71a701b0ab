//! A short description of a recording: the data of `info`.

use crate::header::Header;
use crate::place::seconds;
use moviola_format::clock_text;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A protocol by number and name.
///
/// ```
/// use moviola_check::Summary;
/// let file = b"\x0c\0\0\0\x0c\x22\0\0\0\x01\0\0\0\x01\0\0";
/// assert_eq!(Summary::read(&file[..]).unwrap().protocol, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedProtocol {
    /// Its number.
    #[serde(rename = "protocol")]
    pub number: i32,
    /// The protocol's name; `None` for an unknown one.
    #[serde(rename = "protocol_name")]
    pub name: Option<&'static str>,
    /// The flags that protocol 999 adds.
    #[serde(rename = "protocol_flags")]
    pub flags: u32,
}

/// A protocol with the same keys as in catalogs and tables; all values are empty if the protocol is unknown.
#[expect(clippy::ref_option, reason = "as serde calls it")]
fn protocol<S: Serializer>(it: &Option<NamedProtocol>, to: S) -> Result<S::Ok, S::Error> {
    let it = it.as_ref();
    let mut fields = to.serialize_struct("Protocol", 3)?;
    fields.serialize_field("protocol", &it.map(|it| it.number))?;
    fields.serialize_field("protocol_name", &it.and_then(|it| it.name))?;
    fields.serialize_field("protocol_flags", &it.map(|it| it.flags))?;
    fields.end()
}

/// The side that made a recording.
///
/// ```
/// assert_eq!(moviola_check::RecordingKind::Relay.word(), "relay");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RecordingKind {
    /// By a player.
    Client,
    /// By a Quake II server.
    Server,
    /// By the Relay modification.
    Relay,
    /// A copy of the network's packets, as Quake II calls it.
    Network,
    /// Nothing in the recording shows the side.
    Unknown,
}

impl RecordingKind {
    /// The kind in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Client => "client", // not from SCHEMA: a kind of recording
            Self::Server => "server",
            Self::Relay => "relay",
            Self::Network => "network",
            Self::Unknown => "unknown",
        }
    }
}

/// How a recording ends.
///
/// ```
/// use moviola_check::RecordingEnd;
/// assert_eq!(RecordingEnd::Truncated { bytes: 9, of: Some(20) }.words(), "truncated block (9 of 20 bytes)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RecordingEnd {
    /// With a disconnect, as Quake ends it; in Quake II the server's, with no mark after it.
    Disconnect,
    /// With the end mark, as Quake II ends it.
    Mark,
    /// After a block, without any mark.
    Open,
    /// Inside a block.
    Truncated {
        /// How many bytes of the block the file has, with its head.
        bytes: u64,
        /// How many bytes it should have; `None` if its head is not complete.
        of: Option<u64>,
    },
    /// With bytes that are not part of it.
    Trailing {
        /// Whether the recording had ended before the block.
        after_end: bool,
        /// How many.
        bytes: u64,
    },
    /// The file is not a recording.
    NoRecording,
}

impl RecordingEnd {
    /// The end in a few words.
    pub fn words(self) -> String {
        match self {
            Self::Disconnect => "disconnect".to_owned(), // not from SCHEMA: a kind of ending
            Self::Mark => "end mark".to_owned(),
            Self::Open => "no end".to_owned(),
            Self::Truncated { bytes, of: Some(of) } => format!("truncated block ({bytes} of {of} bytes)"),
            Self::Truncated { bytes, of: None } => format!("truncated block ({bytes} bytes)"),
            Self::Trailing { after_end: true, bytes } => format!("{bytes} bytes after the end"),
            Self::Trailing { after_end: false, bytes } => {
                format!("no end, {bytes} bytes that are not a block")
            }
            Self::NoRecording => "-".to_owned(),
        }
    }
}

/// A level, from where the server announced it.
///
/// ```
/// use moviola_check::Summary;
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// assert!(Summary::read(&file[..]).unwrap().levels.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelSummary {
    /// The name of its file, without folder and ending.
    pub map: Option<String>,
    /// Its title.
    pub title: String,
    /// The protocol.
    #[serde(flatten)]
    pub protocol: NamedProtocol,
    /// How many players there is room for.
    pub maxclients: Option<u32>,
    /// How many models it loads.
    pub models: u32,
    /// How many sounds it loads.
    pub sounds: u32,
    /// The block with the announcement, counted from 0 as in the text.
    pub block: u64,
    /// Its offset in the file.
    pub offset: u64,
    /// The game's time at the first frame.
    #[serde(serialize_with = "seconds")]
    pub start: Option<f64>,
    /// The game's time at the last frame.
    #[serde(serialize_with = "seconds")]
    pub end: Option<f64>,
    /// How long it was recorded, in seconds of the game.
    pub length: f64,
}

/// The amount of data that could not be read as messages.
///
/// ```
/// use moviola_check::{RawTally, Summary};
/// let file = b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x3c";
/// assert_eq!(Summary::read(&file[..]).unwrap().raw, RawTally { count: 1, bytes: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RawTally {
    /// How many blocks end in bytes that could not be read.
    pub count: u64,
    /// How many bytes these are.
    pub bytes: u64,
}

/// A short description of a recording.
///
/// ```
/// use moviola_check::{RecordingKind, Summary};
/// let summary = Summary::read(&b"\x01\0\0\0\x06\xff\xff\xff\xff"[..]).unwrap();
/// assert_eq!((summary.format, summary.bytes, summary.messages), ("dm2", 9, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The kind of file: `dem`, `dm2`, the name of something else that is known, `unknown` or `empty`.
    pub format: &'static str,
    /// The protocol of the first level.
    #[serde(flatten, serialize_with = "protocol")]
    pub protocol: Option<NamedProtocol>,
    /// The engine that recorded, by its version print.
    pub engine: Option<String>,
    /// The side that made it.
    #[serde(rename = "side")]
    pub kind: RecordingKind,
    /// The files of the levels, in order, each once.
    pub maps: Vec<String>,
    /// The players' names, in order, each once.
    pub players: Vec<String>,
    /// The number of the player who recorded, where it is known.
    #[serde(rename = "recorder_slot")]
    pub player: Option<i16>,
    /// Quake II: the game's folder.
    pub game_folder: Option<String>,
    /// Quake: whether a level belongs to a mission pack, by the models and sounds that it loads.
    pub mission_pack: bool,
    /// Quake: whether Nehahra's additions appear.
    pub nehahra: bool,
    /// Quake: whether a `DarkPlaces` server recorded, which extends protocol 15 by its own updates.
    pub darkplaces: bool,
    /// The length in seconds of the game, all levels together; `None` if its frames are not read.
    pub length: Option<f64>,
    /// Frames of the game: Quake's `time` messages, Quake II's frames.
    pub frames: u64,
    /// Whole blocks; `end` describes what follows them.
    pub blocks: u64,
    /// Blocks that a client sent to its server, which players skip.
    pub client_blocks: u64,
    /// The largest block.
    pub largest_block: u64,
    /// The number of messages in these whole blocks.
    pub messages: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Whole blocks that could not be read to their end.
    pub raw: RawTally,
    /// How it ends.
    pub end: RecordingEnd,
    /// Quake: the bytes before the first block.
    pub header: Option<Header>,
    /// How many levels there are.
    pub level_count: u64,
    /// The levels; of very many only the first.
    pub levels: Vec<LevelSummary>,
}

/// A summary in columns of text, for a table with one line a file.
///
/// ```
/// use moviola_check::Summary;
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let columns = Summary::read(&file[..]).unwrap().columns();
/// assert_eq!((columns.format.as_str(), columns.end.as_str()), ("dem", "disconnect"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryColumns {
    /// The format.
    pub format: String,
    /// The protocol's number and name.
    pub protocol: String,
    /// The side that made it.
    pub kind: String,
    /// The maps.
    pub maps: String,
    /// The players.
    pub players: String,
    /// The length as `m:ss.t`.
    pub length: String,
    /// How many blocks.
    pub blocks: String,
    /// How many bytes.
    pub bytes: String,
    /// How it ends.
    pub end: String,
}

impl Summary {
    /// The columns of a table.
    pub fn columns(&self) -> SummaryColumns {
        let protocol = self.protocol.as_ref().map_or_else(dash, |it| {
            let spoken = if self.darkplaces { " (DarkPlaces)" } else { "" };
            format!("{} {}{spoken}", it.number, it.name.unwrap_or("unknown"))
        });
        let recording = self.end != RecordingEnd::NoRecording;
        let list = |names: &[String]| if names.is_empty() { dash() } else { names.join(",") };
        SummaryColumns {
            format: self.format.to_owned(),
            protocol,
            kind: if recording { self.kind.word().to_owned() } else { dash() },
            maps: list(&self.maps),
            players: list(&self.players),
            length: self
                .length
                .map_or_else(dash, |seconds| clock_text((seconds.max(0.0) * 10.0).round() as u64)),
            blocks: if recording { self.blocks.to_string() } else { dash() },
            bytes: self.bytes.to_string(),
            end: self.end.words(),
        }
    }
}

fn dash() -> String {
    "-".to_owned()
}
