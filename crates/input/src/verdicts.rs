//! The findings about a recording of input, and the engines that play it, as two tables.
//!
//! The engines were tested with Freedoom: Debian's chocolate-doom, crispy-doom and dsda-doom. An engine that plays a
//! recording may still desynchronize, which depends on the WAD.

use crate::form::{CLASSIC, OLD_DOOM};
use crate::summary::InputSummary;
use serde::Serialize;

moviola_format::codes! {
    /// The findings about recordings of input.
    ///
    /// ```
    /// use moviola_input::InputCode;
    /// assert_eq!(InputCode::find("l001"), Some(InputCode::NoEndMark));
    /// ```
    pub enum InputCode;

    /// The byte 0x80 that ends a recording is missing: the game crashed, or ran out of room. chocolate-doom and
    /// crispy-doom play on into the bytes after it in memory.
    NoEndMark "L001" "no end mark"
    /// The last tic has not a record of each player.
    IncompleteTic "L002" "the last tic lacks players"
    /// The bytes after the last record are a part of one.
    PartOfRecord "L003" "bytes of a record that is not whole"
    /// The footer begins like a WAD file, but not like one that a port writes. It is kept as bytes.
    BrokenFooter "L004" "footer that is not a sound WAD file"
    /// dsda-doom's wrapper, or Duke's header, says another number of tics, another end than there is.
    UntrueCounts "L005" "the header counts otherwise"
    /// Nobody plays: chocolate-doom and crispy-doom hang.
    NoPlayer "L006" "no player"
    /// The player who recorded does not play. chocolate-doom ends with a segmentation fault, dsda-doom with an error.
    StrangeView "L007" "the recorder does not play"
    /// The skill is none of the five that the games have. Engines play it.
    StrangeSkill "L008" "unusual skill"
    /// The game is a guess: nothing in the file proves it. `--game` decides.
    Guessed "L009" "the game is a guess"
    /// The kind of recording is only recognized; its tics are not read.
    UnreadFormat "L010" "only recognized"
    /// A signature in the footer holds for the tics as they were recorded. An edit makes it invalid: dsda-doom says so, but
    /// still plays it.
    Signed "L011" "signed by dsda-doom"
    /// The number of the map is higher than any of the game's own, and the footer names no WAD file that could have it.
    /// Without such a file engines end with an error.
    StrangeMap "L012" "no game has such a map"
    /// Blocks of Duke's recording cannot be unpacked. Their bytes are kept, and the records of the others are read, but
    /// the game stops at the damage.
    Damaged "L013" "damaged blocks"
    /// MBF21 has 25 flags of compatibility, and a port that knows only these cannot know the meaning of the others.
    ManyFlags "L014" "more flags than MBF21 has"
    /// MBF's version with Boom's signature is LxDoom's, whose headers have no byte of compatibility after the signature;
    /// this one has such a byte, since only so its records lead to an end mark.
    StrangeSignature "L015" "a byte more than LxDoom's header has"
    /// dsda-doom's third outer header, newer than dsda-doom 0.25.6, by which engines were measured.
    NewWrapper "L016" "a newer outer header of dsda-doom"
    /// dsda-doom's outer header says that the recording begins at a key frame, a state of the game that is not in the
    /// file. Without it dsda-doom 0.25.6 crashes.
    KeyFrame "L017" "begun from a key frame"
    /// dsda-doom's outer header says that the records end past the end of the file. dsda-doom 0.25.6 crashes.
    EndBeyond "L018" "dsda-doom's header promises more records than the file has"
}

/// An engine that plays recordings of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Player {
    name: &'static str,
    /// The versions that it plays.
    versions: &'static [u8],
    /// Versions that it plays with an option on its command line.
    with: &'static [(u8, &'static str)],
    /// Whether it knows dsda-doom's and `PrBoom+um`'s wrappers.
    wrappers: bool,
    /// The findings at which it fails, and how it fails.
    fails: &'static [(InputCode, &'static str)],
}

/// The versions that dsda-doom plays; 0 means DOOM before 1.4, whose headers have no version.
const ALL_OF_DSDA: &[u8] =
    &[0, 104, 105, 106, 107, 108, 109, 110, 111, 200, 201, 202, 203, 210, 211, 212, 213, 214, 221];

/// The engines, measured as the head of this file describes.
const PLAYERS: [Player; 3] = [
    Player {
        name: "chocolate-doom",
        versions: &[109, 111],
        with: &[
            (0, "-gameversion 1.2"),
            (106, "-gameversion 1.666"),
            (107, "-gameversion 1.7"),
            (108, "-gameversion 1.8"),
        ],
        wrappers: false,
        fails: &[
            (InputCode::NoEndMark, "plays on into what lies after it in memory"),
            (InputCode::StrangeView, "ends with a segmentation fault"),
            (InputCode::NoPlayer, "hangs"),
            (InputCode::StrangeMap, "stops with an error"),
        ],
    },
    Player {
        name: "crispy-doom",
        versions: &[109, 111],
        with: &[],
        wrappers: false,
        fails: &[
            (InputCode::NoEndMark, "plays on into what lies after it in memory"),
            (InputCode::NoPlayer, "hangs"),
            (InputCode::StrangeMap, "stops with an error"),
        ],
    },
    Player {
        name: "dsda-doom",
        versions: ALL_OF_DSDA,
        with: &[],
        wrappers: true,
        fails: &[
            (InputCode::NoEndMark, "plays on into what lies after it in memory"),
            (InputCode::StrangeView, "stops with an error or crashes"),
            (InputCode::NoPlayer, "stops with an error or crashes"),
            (InputCode::StrangeMap, "stops with an error"),
            (InputCode::ManyFlags, "stops with an error"),
            (InputCode::StrangeSignature, "stops with an error"),
            (InputCode::NewWrapper, "before its next version stops with an error"),
            (InputCode::KeyFrame, "crashes"),
            (InputCode::EndBeyond, "crashes"),
        ],
    },
];

/// The engines of the other games, by the game and its version. Their levels are not free, so these engines were not
/// tested: only the form of a recording is considered.
const OTHERS: [(&str, &str, &[&str]); 3] = [
    ("HERETIC", "1.0", &["chocolate-heretic", "crispy-heretic", "dsda-doom"]),
    ("HEXEN", "1.1", &["chocolate-hexen", "dsda-doom"]),
    ("STRIFE", "1.01", &["chocolate-strife"]),
];

/// Findings with which engines of the other games may fail; how they fail was not tested.
const DOUBTS: [InputCode; 4] =
    [InputCode::NoEndMark, InputCode::NoPlayer, InputCode::StrangeView, InputCode::StrangeMap];

/// The verdict of an engine on a recording.
///
/// ```
/// use moviola_input::{InputReport, InputSummary};
/// let recording = b"\xcb\x1dMBF\xe6\0\0\x03\x01\x01\0\0";
/// let mut whole = recording.to_vec();
/// whole.resize(0x4d, 0);
/// whole.push(1);
/// whole.resize(0x6d, 0);
/// whole.push(0x80);
/// let report = InputReport::of(&InputSummary::read(&whole[..], None).unwrap());
/// assert!(report.engines.iter().any(|it| it.engine == "dsda-doom" && it.plays));
/// assert!(report.engines.iter().any(|it| it.engine == "chocolate-doom" && !it.plays));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputEngine {
    /// The engine.
    pub engine: &'static str,
    /// Whether it plays the recording to the end.
    pub plays: bool,
    /// Whether this was measured; if not, it follows from the form of the recording alone.
    pub measured: bool,
    /// The option with which it has to be started.
    pub with: Option<&'static str>,
    /// The reason if it does not.
    pub why: Option<String>,
}

/// The findings about a recording of input, and the verdicts of the engines.
///
/// ```
/// use moviola_input::{InputCode, InputReport, InputSummary};
/// let cut = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x32";
/// let report = InputReport::of(&InputSummary::read(&cut[..], None).unwrap());
/// assert_eq!(report.findings, [InputCode::NoEndMark, InputCode::PartOfRecord]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputReport {
    /// The findings.
    pub findings: Vec<InputCode>,
    /// The verdicts of the engines; empty for games whose engines are not in the tables.
    pub engines: Vec<InputEngine>,
}

impl InputReport {
    /// Judges a recording by its summary.
    ///
    /// ```
    /// use moviola_input::{InputReport, InputSummary};
    /// let sound = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
    /// let report = InputReport::of(&InputSummary::read(&sound[..], None).unwrap());
    /// assert!(report.findings.is_empty() && report.engines.iter().all(|it| it.plays));
    /// ```
    pub fn of(summary: &InputSummary) -> Self {
        let findings: Vec<InputCode> =
            findings(summary).into_iter().filter(|(_, is)| *is).map(|(code, _)| code).collect();
        let is_doom = summary.format == "lmp" // not from SCHEMA: a file extension
            && version(summary).is_some_and(|byte| ALL_OF_DSDA.contains(&byte) || byte == 204)
            && summary.game != "STRIFE";
        let engines = if is_doom {
            PLAYERS.iter().map(|player| player.judge(summary, &findings)).collect()
        } else {
            let is_in_doubt = findings.iter().any(|code| DOUBTS.contains(code));
            let other = |(game, version, _): &&(&str, &str, _)| {
                (*game, *version) == (&*summary.game, &*summary.version) && !is_in_doubt
            };
            let names = OTHERS.iter().find(other).map_or(&[][..], |(.., names)| names);
            let engine = |name: &&'static str| InputEngine {
                engine: name,
                plays: true,
                measured: false,
                with: None,
                why: None,
            };
            names.iter().map(engine).collect()
        };
        Self { findings, engines }
    }
}

/// The version byte; 0 for DOOM before 1.4, which has none.
fn version(summary: &InputSummary) -> Option<u8> {
    let is_old = || summary.format == "lmp" && summary.game == OLD_DOOM.game; // not from SCHEMA: a file extension
    summary.version_byte.or_else(|| is_old().then_some(0))
}

/// Each finding, and whether it applies to the recording.
fn findings(summary: &InputSummary) -> [(InputCode, bool); 18] {
    let is_lmp = summary.format == "lmp"; // not from SCHEMA: a file extension
    let is_known = summary.format != "unknown";
    // Without players the end mark cannot be found, and there is no recorder.
    let is_played = summary.players > 0;
    let without_mark = is_lmp && is_played && !summary.end_mark;
    [
        (InputCode::NoEndMark, without_mark),
        (InputCode::IncompleteTic, summary.incomplete),
        (InputCode::PartOfRecord, (without_mark || summary.format == "dmo") && summary.footer_bytes > 0),
        (InputCode::BrokenFooter, summary.broken_footer),
        (InputCode::UntrueCounts, !summary.true_counts),
        (InputCode::NoPlayer, is_known && !is_played),
        (InputCode::StrangeView, is_played && summary.strange_view),
        (InputCode::StrangeSkill, is_lmp && summary.skill.is_some_and(|skill| !(1..=5).contains(&skill))),
        (InputCode::Guessed, summary.guess),
        (InputCode::UnreadFormat, !is_known),
        (InputCode::Signed, summary.features.is_some()),
        (InputCode::StrangeMap, summary.strange_map),
        (InputCode::Damaged, summary.damaged_bytes > 0),
        (InputCode::ManyFlags, summary.many_flags),
        (InputCode::StrangeSignature, summary.strange_signature),
        (InputCode::NewWrapper, summary.new_wrapper),
        (InputCode::KeyFrame, summary.from_key_frame),
        (InputCode::EndBeyond, summary.end_beyond),
    ]
}

/// The engines, each with the versions that it plays.
pub(crate) fn engines() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    PLAYERS.iter().map(|player| (player.name, player.versions))
}

impl Player {
    fn judge(&self, summary: &InputSummary, findings: &[InputCode]) -> InputEngine {
        let option =
            self.with.iter().find(|(byte, _)| version(summary) == Some(*byte)).map(|(_, option)| *option);
        let refuses = match summary.wrapper {
            Some(wrapper) if !self.wrappers => Some(format!("does not know {wrapper}'s header")),
            _ if summary.game == CLASSIC.game => {
                Some("takes it for DOOM 1.91's, whose header is shorter".to_owned())
            }
            _ if option.is_none() && version(summary).is_some_and(|byte| !self.versions.contains(&byte)) => {
                Some(format!("refuses version {}", summary.version))
            }
            _ => None,
        };
        let fails = || {
            let found = self.fails.iter().find(|(code, _)| findings.contains(code));
            found.map(|(code, how)| format!("{how}: {}", code.title()))
        };
        let why = refuses.or_else(fails);
        let with = option.filter(|_| why.is_none());
        InputEngine { engine: self.name, plays: why.is_none(), measured: true, with, why }
    }
}
