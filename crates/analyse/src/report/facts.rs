//! What a report says: plain data, to be printed, or written as JSON.

use crate::Standing;
use crate::digits;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a recording shows.
///
/// ```
/// use moviola_analyse::Report;
/// // The server announces a level, and takes its leave.
/// let file = b"-1\n\x1f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0\x02";
/// let report = Report::read(&file[..]).unwrap();
/// assert_eq!((report.protocol, report.level_count, report.disconnected), (Some(15), 1, true));
/// assert_eq!(report.events["level_start"], 1);
/// assert!(report.to_string().contains("Hall"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// What kind of file it is: `dem`, `dm2`, or none of them.
    pub format: Option<&'static str>,
    /// The protocol of the first level.
    pub protocol: Option<i32>,
    /// The engine that recorded, by its version print.
    pub engine: Option<String>,
    /// Who recorded, by the last name.
    pub recorder: Option<String>,
    /// The bytes of that name in hex, where they are not its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorder_hex: Option<String>,
    /// Whether it was audited as well, and there was something to judge; if not, the next two are empty. The audit
    /// is a crate above this one, `moviola-audit`, and fills in all three.
    pub audited: bool,
    /// The weight of the strongest sign of cheating; `None` without a sign. `audit` has the evidence.
    pub cheating: Option<Severity>,
    /// The weight of the strongest sign that the file was edited; `None` without a sign.
    pub editing: Option<Severity>,
    /// Bytes of the file.
    pub bytes: u64,
    /// Blocks.
    pub blocks: u64,
    /// Blocks that could not be read to their end: what happened in the rest of them is not known.
    pub damaged_blocks: u64,
    /// Frames of the game.
    pub frames: u64,
    /// How long the recording is, in seconds of the game; none where nothing tells.
    #[serde(serialize_with = "digits::some")]
    pub length: Option<f64>,
    /// The number of console commands that are dangerous to run from a stranger's recording.
    pub dangerous_commands: u64,
    /// The dangers of these commands, each once.
    pub dangers: Vec<String>,
    /// Whether it ends with a disconnect.
    pub disconnected: bool,
    /// How many levels there are.
    pub level_count: u64,
    /// The levels; of very many only the first.
    pub levels: Vec<LevelReport>,
    /// The times of all levels that have one, together.
    #[serde(serialize_with = "digits::some")]
    pub seconds: Option<f64>,
    /// How many of them have one.
    pub timed_levels: u64,
    /// Monsters killed and secrets found in all levels, where that is told.
    pub kills: Option<Tally>,
    /// The same of secrets.
    pub secrets: Option<Tally>,
    /// Everybody of whom something was heard, the best first; of very many only some.
    pub players: Vec<PlayerReport>,
    /// What the recording player fought with.
    pub weapons: Vec<WeaponReport>,
    /// How many events there were of each kind.
    pub events: BTreeMap<&'static str, u64>,
}

/// The weight of a finding of the audit.
///
/// ```
/// use moviola_analyse::Severity;
/// assert!(Severity::Note < Severity::Suspicious && Severity::Suspicious < Severity::Strong);
/// assert_eq!(Severity::Strong.word(), "strong");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know, but not a sign against anybody; it does not count.
    Note,
    /// Unusual, but possible in honest play.
    Suspicious,
    /// Impossible in honest play by the rules of the game.
    Strong,
}

impl Severity {
    /// The weight in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Suspicious => "suspicious",
            Self::Strong => "strong",
        }
    }
}

/// How many, of how many.
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
    /// How many.
    pub done: i64,
    /// Of how many.
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
    /// Its file, without folder and ending.
    pub map: Option<String>,
    /// Its title.
    pub title: String,
    /// The bytes of the title in hex, where they are not its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_hex: Option<String>,
    /// The skill, where the recording shows the hall of the first level in which it was chosen: `Easy`, `Normal`,
    /// `Hard` or `Nightmare`. No message of Quake carries it.
    pub skill: Option<&'static str>,
    /// The block in which it begins.
    pub block: u64,
    /// How it ended: `intermission`, `finale`, `cutscene`, or `left`.
    pub how: &'static str,
    /// The time of the run by the rule of speedrunners: the server's clock when the scores or the text of the
    /// finale came. `None` for a level that ended in another way, and for a deathmatch.
    #[serde(serialize_with = "digits::some")]
    pub seconds: Option<f64>,
    /// The time that a modification printed (`The recorded time was`, `exact time was`).
    #[serde(serialize_with = "digits::some")]
    pub printed: Option<f64>,
    /// How long it was recorded, in seconds of the game.
    #[serde(serialize_with = "digits::short")]
    pub length: f64,
    /// Frames of the game.
    pub frames: u64,
    /// Monsters killed; in Quake II what the field computer showed, and who was seen to die after it.
    pub kills: Option<Tally>,
    /// Secrets found.
    pub secrets: Option<Tally>,
    /// The players at its end, the best first.
    pub scores: Vec<Standing>,
}

/// What was heard of a player.
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
    /// The name; of somebody who was renamed, the last one.
    pub name: String,
    /// The bytes of the name in hex, where they are not its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_hex: Option<String>,
    /// The slot; none if he was in none, or if several in the game have this name and nothing tells which of them it
    /// was: then what is counted is that of all of them.
    pub slot: Option<u8>,
    /// Other players whom he killed.
    pub kills: u64,
    /// How often he died.
    pub deaths: u64,
    /// How often by his own hand.
    pub suicides: u64,
    /// Players of his own team whom he killed.
    pub teamkills: u64,
    /// The most kills in one life.
    pub streak: u64,
    /// The kills of the life at hand.
    #[serde(skip)]
    pub(super) running: u64,
    /// The names that he had before.
    #[serde(skip)]
    pub(super) earlier: Vec<String>,
    /// Whoever comes now may be he, in another slot: he left, or another level began.
    #[serde(skip)]
    pub(super) away: bool,
}

/// What was done with a weapon.
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
    /// The number of shots that the recording player fired; `None` if there are fewer shots than kills, as in
    /// the recordings of bot programs, which keep only some of the sounds.
    pub shots: Option<u64>,
    /// Of pellets that can be followed, how many there were and how many hit.
    pub pellets: Option<Hits>,
    /// Players whom he killed with it.
    pub kills: u64,
    /// How often he was killed with it.
    pub deaths: u64,
}

/// Pellets that hit, of those of which it is known.
///
/// ```
/// use moviola_analyse::Hits;
/// // Five of the six pellets of a shot hit.
/// let all = Hits { hits: 5, pellets: 6 };
/// assert_eq!(serde_json::to_string(&all).unwrap(), r#"{"hits":5,"pellets":6}"#);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hits {
    /// How many hit.
    pub hits: u64,
    /// How many were fired.
    pub pellets: u64,
}
