//! The content of a report: plain data, to be printed, or written as JSON.

use super::of_match::MatchReport;
use crate::Standing;
use crate::digits;
use serde::Serialize;
use std::collections::BTreeMap;

/// The results of a report about a recording.
///
/// ```
/// use moviola_analyse::Report;
/// // The server announces a level, and disconnects.
/// let file = b"-1\n\x1f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0\x02";
/// let report = Report::read(&file[..]).unwrap();
/// assert_eq!((report.protocol, report.level_count, report.disconnected), (Some(15), 1, true));
/// assert_eq!(report.events["level_start"], 1);
/// assert!(report.to_string().contains("Hall"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The kind of file: `dem`, `dm2` or another format; `None` if it is unknown.
    pub format: Option<&'static str>,
    /// The protocol of the first level, or MVD2's own.
    pub protocol: Option<i32>,
    /// The engine of the server, from its version print.
    pub engine: Option<String>,
    /// The last name of the recorder.
    pub recorder: Option<String>,
    /// The bytes of that name in hex, if they differ from its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorder_hex: Option<String>,
    /// Whether the recording was audited as well, and could be judged; if not, the next two fields are empty.
    /// The audit is a crate above this one, `moviola-audit`, and fills in all three.
    pub audited: bool,
    /// The weight of the strongest sign of cheating; `None` without a sign. `audit` has the evidence.
    pub cheating: Option<AuditSeverity>,
    /// The weight of the strongest sign that the file was edited; `None` without a sign.
    pub editing: Option<AuditSeverity>,
    /// Bytes of the file.
    pub bytes: u64,
    /// Blocks.
    pub blocks: u64,
    /// Blocks that could not be read to their end, so that the events in the rest of them are unknown.
    pub damaged_blocks: u64,
    /// QuakeWorld: bytes outside of all blocks, which cannot be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread_bytes: u64,
    /// Frames of the game.
    pub frames: u64,
    /// The length of the recording in seconds of the game; `None` if it contains no time.
    #[serde(serialize_with = "digits::some")]
    pub length: Option<f64>,
    /// The number of console commands that are dangerous to run from a stranger's recording; those of one message with the
    /// same danger count once.
    pub dangerous_commands: u64,
    /// The dangers of these commands, each once.
    pub dangers: Vec<String>,
    /// Whether it ends with a disconnect.
    pub disconnected: bool,
    /// The number of levels.
    pub level_count: u64,
    /// The levels; of very many only the first.
    pub levels: Vec<LevelReport>,
    /// The sum of the times of all levels that have one.
    #[serde(serialize_with = "digits::some")]
    pub seconds: Option<f64>,
    /// The number of levels with a time.
    pub timed_levels: u64,
    /// Monsters killed and their total in all levels, if the recording contains them.
    pub kills: Option<Tally>,
    /// Secrets found and their total in all levels, if the recording contains them.
    pub secrets: Option<Tally>,
    /// All players of the recording, the best first; of very many only some.
    pub players: Vec<PlayerReport>,
    /// The weapons that the recorder used.
    pub weapons: Vec<WeaponReport>,
    /// The matches of a `QuakeWorld` recording.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<MatchReport>,
    /// The number of events of each kind.
    pub events: BTreeMap<&'static str, u64>,
}

/// The weight of a finding of the audit.
///
/// ```
/// use moviola_analyse::AuditSeverity;
/// assert!(AuditSeverity::Note < AuditSeverity::Suspicious && AuditSeverity::Suspicious < AuditSeverity::Strong);
/// assert_eq!(AuditSeverity::Strong.word(), "strong");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AuditSeverity {
    /// Useful information, but not a sign against anyone; it does not count.
    Note,
    /// Unusual, but possible in honest play.
    Suspicious,
    /// Impossible in honest play by the rules of the game.
    Strong,
}

impl AuditSeverity {
    /// The weight in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Suspicious => "suspicious",
            Self::Strong => "strong",
        }
    }
}

/// A number and its total.
///
/// ```
/// use moviola_analyse::{Report, Tally};
/// // Of two monsters, one is killed: the totals, a kill, the scores.
/// let file = b"-1\n\x26\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
///     \x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0\x03\x0c\x02\0\0\0\x1b\x1e";
/// assert_eq!(Report::read(&file[..]).unwrap().kills, Some(Tally { done: 1, total: 2 }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The number so far.
    pub done: i64,
    /// The total.
    pub total: i64,
}

/// A level of a recording.
///
/// ```
/// use moviola_analyse::Report;
/// let file = b"-1\n\x1e\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0";
/// let level = &Report::read(&file[..]).unwrap().levels[0];
/// assert_eq!((level.map.as_deref(), level.title.as_str(), level.how), (Some("hall"), "Hall", "left"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LevelReport {
    /// Its file, without folder and extension.
    pub map: Option<String>,
    /// Its title.
    pub title: String,
    /// The bytes of the title in hex, if they differ from its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_hex: Option<String>,
    /// The skill, if the recording contains the hall of the first level in which it was chosen: `Easy`,
    /// `Normal`, `Hard` or `Nightmare`. No message of Quake contains it.
    pub skill: Option<&'static str>,
    /// The block in which it begins.
    pub block: u64,
    /// The kind of end: `intermission`, `finale`, `cutscene`, or `left`.
    pub how: &'static str,
    /// The time of the run by the rule of speedrunners: the server's clock when the scores or the text of the
    /// finale came. `None` for a level with another end, and for a deathmatch.
    #[serde(serialize_with = "digits::some")]
    pub seconds: Option<f64>,
    /// The time that a modification printed (`The recorded time was`, `exact time was`).
    #[serde(serialize_with = "digits::some")]
    pub printed: Option<f64>,
    /// The recorded length, in seconds of the game.
    #[serde(serialize_with = "digits::short")]
    pub length: f64,
    /// Frames of the game.
    pub frames: u64,
    /// Monsters killed; in Quake II those on the field computer, and those seen to die after that.
    pub kills: Option<Tally>,
    /// Secrets found.
    pub secrets: Option<Tally>,
    /// The players at its end, the best first.
    pub scores: Vec<Standing>,
}

/// The statistics of a player.
///
/// ```
/// use moviola_analyse::Report;
/// // Al records, and kills Bob.
/// let file = b"-1\n\x31\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
///     \x05\x01\0\x0d\0Al\0\x0d\x01Bob\0\x08Bob ate 2 loads of Al's buckshot\n\0";
/// let report = Report::read(&file[..]).unwrap();
/// let al = &report.players[0];
/// assert_eq!((al.name.as_str(), al.kills, al.deaths, al.streak), ("Al", 1, 0, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlayerReport {
    /// The name; for a renamed player, the last one.
    pub name: String,
    /// The bytes of the name in hex, if they differ from its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_hex: Option<String>,
    /// The slot; `None` for a player without a slot, and for players of the same name who cannot be told
    /// apart: then the counts are those of all of them.
    pub slot: Option<u8>,
    /// The number of other players killed.
    pub kills: u64,
    /// The number of deaths.
    pub deaths: u64,
    /// The number of suicides.
    pub suicides: u64,
    /// The number of teammates killed.
    pub teamkills: u64,
    /// The most kills in one life.
    pub streak: u64,
    /// The kills in the current life.
    #[serde(skip)]
    pub(super) running: u64,
    /// The player's earlier names.
    #[serde(skip)]
    pub(super) earlier: Vec<String>,
    /// Whether a new player with this name may be the same one in another slot, because the player left or
    /// another level began.
    #[serde(skip)]
    pub(super) away: bool,
}

/// The statistics of a weapon.
///
/// ```
/// use moviola_analyse::Report;
/// // Al records, and kills Bob.
/// let file = b"-1\n\x31\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
///     \x05\x01\0\x0d\0Al\0\x0d\x01Bob\0\x08Bob ate 2 loads of Al's buckshot\n\0";
/// let report = Report::read(&file[..]).unwrap();
/// let gun = &report.weapons[0];
/// assert_eq!((gun.weapon.as_str(), gun.kills, gun.deaths), ("Super Shotgun", 1, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WeaponReport {
    /// The weapon.
    pub weapon: String,
    /// The number of shots that the recorder fired; `None` if there are fewer shots than kills, as in
    /// the recordings of bot programs, which keep only some of the sounds.
    pub shots: Option<u64>,
    /// Of the pellets that can be traced, the number fired and the number that hit.
    pub pellets: Option<Hits>,
    /// The number of players that the recorder killed with it.
    pub kills: u64,
    /// The number of times that it killed the recorder.
    pub deaths: u64,
}

/// The hits of the pellets that can be traced.
///
/// ```
/// use moviola_analyse::Hits;
/// // Five of the six pellets of a shot hit.
/// let all = Hits { hits: 5, pellets: 6 };
/// assert_eq!(serde_json::to_string(&all).unwrap(), r#"{"hits":5,"pellets":6}"#);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hits {
    /// The number that hit.
    pub hits: u64,
    /// The number fired.
    pub pellets: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
