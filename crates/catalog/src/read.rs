//! Makes the row of a recording in one pass over its bytes.

use crate::match_data::Match;
use crate::table::Recording;
use moviola_analyse::{PassPosition, PlayerReport, Report, Reporter, Watch, watch};
use moviola_check::{Inspected, Inspection, Playability, RecordingEnd, Summary};
use moviola_export::{FixedWord, Hashed, Word};
use moviola_format::names::{quake2::PROTOCOL, value};
use moviola_format::{Format, Piece};
use moviola_input::{InputReport, InputSummary};
use std::io::{self, Read};

/// The amount of work for a row, and so the number of its filled columns.
///
/// ```
/// use moviola_catalog::{Depth, recording};
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let quick = recording(&file[..], Depth::Quick).unwrap().unwrap();
/// let full = recording(&file[..], Depth::Full).unwrap().unwrap();
/// assert_eq!((quick.findings, full.findings.unwrap().to_json().as_str()), (None, r#"["M012"]"#));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The summary: all columns except those of [`FULL`](crate::FULL). Of a block that can only be a frame of the game,
    /// only the time is read.
    Quick,
    /// Also the events and the findings.
    Full,
}

/// The number of first bytes by which a file's format is recognized.
const START: u64 = 1 << 16;

/// The row of a recording, without the columns for its place; `None` for a file that is not a recording.
///
/// ```
/// use moviola_catalog::{Depth, recording};
/// assert_eq!(recording(&b"a text"[..], Depth::Full).unwrap(), None);
/// ```
pub fn recording(source: impl Read, depth: Depth) -> io::Result<Option<Recording>> {
    let mut source = Hashed::new(source);
    let mut start = Vec::new();
    source.by_ref().take(START).read_to_end(&mut start)?;
    let complete = (start.len() as u64) < START;
    let is_input = moviola_format::sniff(&start, complete).game().is_none()
        && moviola_input::kind(&start, complete).is_some();
    let mut whole = start.as_slice().chain(&mut source);
    let mut row = match depth {
        _ if is_input => pressed(&InputSummary::read(whole, None)?),
        Depth::Quick => recording_of(&Summary::quick(&mut whole)?),
        Depth::Full => full(&mut whole)?,
    };
    if let Some(row) = &mut row {
        row.recording = source.id().word();
        row.version = Word::from_static(env!("CARGO_PKG_VERSION"));
    }
    Ok(row)
}

/// Inspects the pieces in the same pass in which the events are made.
struct Inspector(Inspection);

impl Watch for Inspector {
    fn begin(&mut self, format: Format) {
        self.0.take_format(format);
    }

    fn file_piece(&mut self, piece: &Piece<'_>, _: &PassPosition) {
        self.0.take_piece(piece);
    }
}

fn full(source: &mut dyn Read) -> io::Result<Option<Recording>> {
    let mut start = Vec::new();
    source.take(Inspection::START as u64).read_to_end(&mut start)?;
    let mut inspector = Inspector(Inspection::new(&start));
    let mut reporter = Reporter::new();
    let mut contest = Match::default();
    watch(start.as_slice().chain(source), &mut [&mut inspector, &mut reporter, &mut contest])?;
    let Inspected { summary, findings, engines } = inspector.0.end();
    let Some(mut row) = recording_of(&summary) else { return Ok(None) };

    if matches!(summary.format, "qwd" | "mvd") {
        contest.fill(&mut row);
    }
    let report = reporter.report();
    if row.length.is_some() {
        happened(&mut row, &report);
    }
    row.players = summary.players.iter().chain(&bots(&summary, &report)).collect();
    row.player_count = row.players.iter().count() as i32;
    row.recorder = report.recorder.map(Word::from);
    row.damaged_blocks = Some(summary.raw.count as i64);

    let mut codes: Vec<&str> = findings.iter().map(|finding| finding.code.number()).collect();
    codes.sort_unstable();
    codes.dedup();
    row.findings = Some(codes.into_iter().collect());
    row.severity =
        findings.iter().map(|finding| finding.severity).max().map(|it| FixedWord::from_static(it.word()));
    let plays = engines.iter().filter(|it| it.plays == Playability::Yes).map(|it| it.engine);
    row.plays = Some(plays.collect());
    Ok(Some(row))
}

/// Fills the columns about events. If no frame could be read, their absence proves nothing.
fn happened(row: &mut Recording, report: &Report) {
    // The times in recordings have few digits, so further digits in sums of them are only noise.
    row.time = report.seconds.map(|time| (time * 1000.0).round() / 1000.0);
    row.finished = Some(report.timed_levels as i32);
    (row.monsters, row.total_monsters) = report.kills.map(|it| (it.done, it.total)).unzip();
    (row.secrets, row.total_secrets) = report.secrets.map(|it| (it.done, it.total)).unzip();
    let sum = |count: fn(&PlayerReport) -> u64| {
        Some(report.players.iter().map(count).fold(0_u64, u64::saturating_add) as i64)
    };
    row.kills = sum(|player| player.kills);
    row.deaths = sum(|player| player.deaths);
}

/// Bots that are not clients, so that only events have their names.
fn bots(summary: &Summary, report: &Report) -> Vec<String> {
    let unlisted = |player: &&PlayerReport| player.slot.is_none() && !summary.players.contains(&player.name);
    report.players.iter().filter(unlisted).map(|player| player.name.clone()).collect()
}

/// Fills the columns of the summary.
fn recording_of(summary: &Summary) -> Option<Recording> {
    let ending = match summary.end {
        RecordingEnd::NoRecording => return None,
        RecordingEnd::Disconnect => "disconnect", // not from SCHEMA: a kind of ending
        RecordingEnd::Mark => "mark",
        RecordingEnd::Open => "open",
        RecordingEnd::Truncated { .. } => "truncated",
        RecordingEnd::Trailing { .. } => "trailing",
    };
    let (protocol, protocol_name) = if summary.format == Format::Mvd2.name() {
        // Events are read as from a recording of Relay, whose messages have an older protocol.
        const MVD2: &str = "MVD2";
        (i32::try_from(value(PROTOCOL, MVD2)).ok(), Some(MVD2))
    } else {
        let protocol = summary.protocol.as_ref();
        (protocol.map(|it| it.number), protocol.and_then(|it| it.name))
    };
    Some(Recording {
        bytes: summary.bytes as i64,
        game: FixedWord::from_static(match summary.format {
            "dm2" | "mvd2" => "quake2",
            "qwd" | "mvd" => "quakeworld",
            _ => "quake",
        }),
        protocol,
        protocol_name: protocol_name.map(FixedWord::from_static),
        side: FixedWord::from_static(summary.kind.word()),
        engine: word_of(summary.engine.as_deref()),
        folder: word_of(summary.game_folder.as_deref()),
        cd_track: summary.header.as_ref().and_then(|it| it.readers.first()?.track),
        maps: summary.maps.iter().collect(),
        players: summary.players.iter().collect(),
        player_count: i32::try_from(summary.players.len()).unwrap_or(i32::MAX),
        levels: i32::try_from(summary.level_count).unwrap_or(i32::MAX),
        length: summary.length,
        frames: summary.length.map(|_| summary.frames as i64),
        blocks: summary.blocks as i64,
        ending: FixedWord::from_static(ending),
        ..Recording::default()
    })
}

/// The row of an input recording; `None` for a format that is only recognized.
fn pressed(summary: &InputSummary) -> Option<Recording> {
    if summary.format == "unknown" {
        return None;
    }
    let report = InputReport::of(summary);
    let codes: Vec<&str> = report.findings.iter().map(|code| code.number()).collect();
    let plays = report.engines.iter().filter(|it| it.plays && it.measured).map(|it| it.engine);
    Some(Recording {
        bytes: summary.bytes as i64,
        game: FixedWord(summary.game_word().into()),
        protocol: summary.version_byte.map(i32::from),
        protocol_name: match summary.version_name {
            // Without a version in the header, only the layout has a name.
            "" => word_of(Some(&format!("{} {}", summary.game, summary.version))).map(FixedWord),
            name => Some(FixedWord::from_static(name)),
        },
        side: FixedWord::from_static("client"), // not from SCHEMA: a kind of recording
        engine: word_of(summary.port.as_deref()),
        complevel: summary.complevel.map(i32::from),
        wads: summary.iwad.iter().chain(&summary.wads).collect(),
        category: summary.category.iter().collect(),
        maps: summary.maps.iter().map(|map| map.to_lowercase()).collect(),
        players: summary.names.iter().collect(),
        player_count: summary.players as i32,
        levels: 1,
        length: Some(summary.seconds),
        frames: Some(summary.tics as i64),
        blocks: summary.tics as i64,
        ending: FixedWord::from_static(
            match (summary.end_mark || summary.format == "dmo", summary.footer_bytes) {
                (true, 0) => "mark",
                (true, _) => "trailing",
                (false, 0) => "open",
                (false, _) => "truncated",
            },
        ),
        findings: Some(codes.into_iter().collect()),
        plays: Some(plays.collect()),
        ..Recording::default()
    })
}

/// The text, unless it is empty.
fn word_of(text: Option<&str>) -> Option<Word> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(Word::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::FULL;
    use moviola_export::schema::{CellValue, Cells, Row};

    struct CellTexts(Vec<(&'static str, String)>);
    impl Cells for CellTexts {
        fn cell(&mut self, at: usize, value: CellValue<'_>) {
            if value != CellValue::Null {
                self.0.push((Recording::TABLE.columns[at].name, format!("{value:?}")));
            }
        }
    }

    fn cells(row: &Recording) -> Vec<(&'static str, String)> {
        let mut texts = CellTexts(Vec::new());
        row.cells(&mut texts);
        texts.0
    }

    #[test]
    fn a_quick_reading_leaves_out_only_the_named_columns() {
        for sample in moviola_scribe::samples() {
            let quick = recording(&sample.bytes[..], Depth::Quick).unwrap();
            let full = recording(&sample.bytes[..], Depth::Full).unwrap();
            let (Some(quick), Some(full)) = (quick, full) else { continue };
            let (mut quick, mut full) = (cells(&quick), cells(&full));
            full.retain(|(name, _)| !FULL.contains(name));
            if ["every-message", "needless", "strange-floats"].iter().any(|end| sample.name.ends_with(end)) {
                // A frame with a player for whom there is no slot, or with a clock that is not a time: no server sends
                // these.
                for cells in [&mut quick, &mut full] {
                    cells.retain(|(name, _)| !["players", "player_count", "length", "frames"].contains(name));
                }
            }
            assert_eq!(quick, full, "{}", sample.name);
        }
    }

    #[test]
    fn a_recording_kept_raw_has_only_a_protocol() {
        // Q2Test's protocol.
        let mut file = vec![24, 0, 0, 0, 12, 25, 0, 0, 0];
        file.resize(28, 0);
        file.extend([0xFF; 4]);
        let row = recording(&file[..], Depth::Full).unwrap().unwrap();
        assert_eq!((row.protocol, row.length, row.kills, row.finished), (Some(25), None, None, None));
    }
}
