//! The report and the findings of a recording, and its audit, with their moments.

use crate::clock::Clock;
use moviola_analyse::{Report, Reporter, watch};
use moviola_check::{Engine, Inspected, Severity};
use moviola_format::Demo;
use serde::Serialize;
use std::cmp::Reverse;
use std::io;

/// Report and check of a recording.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let inspection = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap().inspect().unwrap();
/// assert!(inspection.unread == 0 && inspection.report.blocks == 1);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordingInspection {
    /// The report, as `moviola report --json` prints it.
    pub report: Report,
    /// The times at which the levels of the report begin, in seconds of the recording.
    pub starts: Vec<f64>,
    /// The number of blocks of which not all could be read.
    pub unread: u64,
    /// The findings of `check`, the gravest first.
    pub findings: Vec<FindingSummary>,
    /// How each engine of the game plays the recording.
    pub engines: Vec<EngineAnswer>,
}

/// A finding of check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingSummary {
    /// Its code, which `moviola explain` explains.
    pub code: &'static str,
    /// How grave it is, in a word.
    pub severity: &'static str,
    /// The finding in words.
    pub title: String,
    /// How often it was found.
    pub count: u64,
    /// The first places.
    pub places: Vec<FindingPlace>,
}

/// A place of a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingPlace {
    /// The block; `None` if the place is outside of all blocks.
    pub block: Option<u64>,
    /// When it is seen, in seconds of the recording.
    pub seconds: f64,
}

/// How an engine plays a recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineAnswer {
    /// The engine's name for people.
    pub engine: &'static str,
    /// `yes`, `with defects`, `stops early`, `no` or `unknown`.
    pub plays: &'static str,
    /// The gravest of the reasons.
    pub why: Option<String>,
    /// Its place in the recording.
    pub place: Option<FindingPlace>,
}

/// The audit of a recording.
///
/// ```
/// let file = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08godmode ON\n\0";
/// let audited = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap().audit().unwrap();
/// assert_eq!((audited.audited, audited.findings[0].code, audited.findings[0].severity), (false, "C101", "strong"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditSummary {
    /// Whether there was anything to judge. If not, the absence of findings means nothing.
    pub audited: bool,
    /// The findings, the heaviest first.
    pub findings: Vec<AuditFindingSummary>,
}

/// A finding of the audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditFindingSummary {
    /// Its code, which `moviola explain` explains.
    pub code: &'static str,
    /// Its weight, in a word.
    pub severity: &'static str,
    /// The finding in words.
    pub title: &'static str,
    /// The question that the finding cannot answer.
    pub cannot_know: &'static str,
    /// How often it was found.
    pub count: u64,
    /// The first pieces of evidence, each with its place.
    pub evidence: Vec<(String, FindingPlace)>,
}

/// Audits a recording.
pub(crate) fn audit(recording: &[u8], clock: &Clock) -> io::Result<AuditSummary> {
    let found = moviola_audit::audit(recording)?;
    let place = |block| FindingPlace { block: Some(block), seconds: clock.seconds_of(block) };
    let findings = found.findings.into_iter().map(|it| AuditFindingSummary {
        code: it.code.number(),
        severity: it.severity.word(),
        title: it.title,
        cannot_know: it.cannot_know,
        count: it.count,
        evidence: it.evidence.into_iter().map(|proof| (proof.description, place(proof.block))).collect(),
    });
    Ok(AuditSummary { audited: found.audited, findings: findings.collect() })
}

/// Inspects a recording.
pub(crate) fn inspect(recording: &[u8], clock: &Clock) -> io::Result<RecordingInspection> {
    let mut reporter = Reporter::new();
    watch(recording, &mut [&mut reporter])?;
    let checked = checked(recording)?;
    let place = |block: Option<u64>| FindingPlace { block, seconds: clock.seconds_of(block.unwrap_or(0)) };
    let found = checked.findings.into_iter().map(|it| {
        let finding = FindingSummary {
            code: it.code.number(),
            severity: it.severity.word(),
            title: it.message,
            count: it.count,
            places: std::iter::once(&it.place).chain(&it.later).map(|it| place(it.block)).collect(),
        };
        (it.severity, finding)
    });
    let mut findings: Vec<(Severity, FindingSummary)> = found.collect();
    findings.sort_by_key(|(severity, _)| Reverse(*severity));

    let engines = checked.engines.into_iter().map(|it| {
        let reason = it.reasons.into_iter().rev().max_by_key(|reason| reason.effect);
        EngineAnswer {
            engine: Engine::find(it.engine).map_or(it.engine, |engine| engine.about),
            plays: it.plays.word(),
            place: reason.as_ref().map(|reason| place(reason.place.block)),
            why: reason.map(|reason| format!("{} {}", reason.code.number(), reason.message)),
        }
    });
    let report = reporter.report();
    Ok(RecordingInspection {
        starts: report.levels.iter().map(|level| clock.seconds_of(level.block)).collect(),
        unread: report.damaged_blocks,
        report,
        findings: findings.into_iter().map(|(_, finding)| finding).collect(),
        engines: engines.collect(),
    })
}

/// The findings of one pass. Whether the recording is written back exactly is not checked here: that would take a second
/// pass, and the code that writes all messages.
fn checked(recording: &[u8]) -> io::Result<Inspected> {
    let start = recording.get(..moviola_check::Inspection::START).unwrap_or(recording);
    let mut inspection = moviola_check::Inspection::new(start);
    let mut demo = Demo::new(recording)?;
    inspection.take_format(demo.format());
    while let Some(piece) = demo.next_piece()? {
        inspection.take_piece(&piece);
    }
    Ok(inspection.end())
}
