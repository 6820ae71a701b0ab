//! `moviola audit`: signs that the player cheated, or that the file was edited.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Files, Input};
use crate::progress::Bar;
use crate::{input, inside, json, units};
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use clap::Args;
use moviola::audit::{self, AuditFinding, AuditReport, AuditSeverity, GameCode, Proof};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
The numbers in a recording are compared with each other and with the rules of
the game, and its messages with the habits of engines. Each finding has a code
for `moviola explain`, its evidence, and its limits:
  strong       the rules allow no honest explanation
  suspicious   unusual, but an honest explanation is possible
  note         useful to know; it accuses nobody, and does not count

Finding nothing proves nothing: a player who was never hit shows no god mode.
If nothing can be judged, the audit says so and exits with code 2.

Examples:
  moviola audit run.dem
  moviola audit -q demos           only the recordings with findings
  moviola audit -v run.dem         all the evidence that was kept
  moviola audit --json *.dem | jq 'select(.cheating == \"strong\") | .file'";

/// Look for signs of cheating and of editing
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    files: Files,
    /// Print everything that was found, as JSON Lines.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &AuditArgs, talk: Verbosity) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    let mut output = OutputState { json: options.json, verbosity: talk, outcome: Outcome::Good };
    for wrong in &wrong {
        output.trouble(&wrong.path, wrong)?;
    }
    let total: u64 = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::steps(total, talk.quiet && options.json);
    let result = inside::each_of(&files, &options.files, &bar, 1, audit_file, |file, found, one| {
        output.add(file, found, one)
    });
    bar.finish();
    result?;
    Ok(output.outcome)
}

/// A file that was audited.
struct AuditedFile {
    name: String,
    path: PathBuf,
    report: AuditReport,
}

fn audit_file(mut input: Input, found: bool) -> Result<AuditedFile> {
    if !input.is_recording()? && !found {
        return Err(input.no_recording());
    }
    let name = input.name().to_owned();
    let path = input.path().unwrap_or(Path::new("-")).to_owned();
    Ok(AuditedFile { name, path, report: audit::audit(input)? })
}

/// The state of the output.
struct OutputState {
    json: bool,
    verbosity: Verbosity,
    outcome: Outcome,
}

impl OutputState {
    fn trouble(&mut self, path: &Path, line: &str) -> io::Result<()> {
        failure::print_error(line);
        self.outcome = Outcome::Trouble;
        if self.json { json::error(path, line) } else { Ok(()) }
    }

    /// `found` is true for a file that was found in a folder, and not named.
    fn add(&mut self, file: &Path, found: bool, one: Result<AuditedFile, String>) -> io::Result<()> {
        let AuditedFile { name, path, report } = match one {
            Ok(it) => it,
            Err(line) => return self.trouble(file, &line),
        };
        if report.game.is_none() {
            let line = input::no_recording(&name);
            return if found { Ok(()) } else { self.trouble(file, &line) };
        }
        let outcome = match (report.is_clean(), report.audited) {
            (false, _) => Outcome::Bad,
            (true, true) => Outcome::Good,
            (true, false) => Outcome::Trouble,
        };
        self.outcome = self.outcome.max(outcome);
        if self.verbosity.quiet && outcome == Outcome::Good {
            return Ok(());
        }
        if self.json {
            return json::line(&path, &report);
        }
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = print_report(&mut text, &name, &report, self.verbosity.verbose);
        anstream::stdout().write_all(text.as_bytes())
    }
}

const GOOD: Style = AnsiColor::Green.on_default();
const WARNING_STYLE: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

fn style(severity: AuditSeverity) -> Style {
    match severity {
        AuditSeverity::Note => Style::new(),
        AuditSeverity::Suspicious => WARNING_STYLE,
        AuditSeverity::Strong => BAD,
    }
}

fn print_report(out: &mut String, name: &str, report: &AuditReport, verbose: bool) -> std::fmt::Result {
    let signs = |severity: Option<AuditSeverity>, of: &str| {
        severity.map(|severity| {
            let style = style(severity);
            format!("{style}{}{style:#} signs of {of}", severity.word())
        })
    };
    let signs = [signs(report.cheating, "cheating"), signs(report.editing, "editing")];
    let verdict: Vec<String> = signs.into_iter().flatten().collect();
    if verdict.is_empty() && !report.audited {
        writeln!(out, "{name}: {WARNING_STYLE}not audited{WARNING_STYLE:#}{}", coverage_text(report))?;
    } else if verdict.is_empty() {
        writeln!(out, "{name}: {GOOD}nothing found{GOOD:#}{}", coverage_text(report))?;
    } else {
        writeln!(out, "{name}: {}{}", verdict.join(", "), coverage_text(report))?;
    }
    report.findings.iter().try_for_each(|found| finding(out, found, verbose))
}

/// How much data there was to judge.
fn coverage_text(report: &AuditReport) -> String {
    let looked = &report.looked;
    // not from SCHEMA: a word for people
    let mut parts = vec![units::counted(looked.frames, "frame"), units::counted(looked.blows, "hit")];
    if report.game == Some("quake2") {
        parts.truncate(1);
    }
    if looked.game_code == GameCode::Modified {
        parts.push("modified game".to_owned());
    }
    if looked.models_only {
        parts.push("only the models of players are known".to_owned());
    }
    if looked.lossy_levels > 0 {
        // not from SCHEMA: a word for people
        let levels = units::counted(looked.lossy_levels, "level");
        parts.push(format!("{levels} not judged: frames arrived out of order"));
    }
    if looked.unread > 0 {
        let of = units::counted(looked.blocks, "block");
        parts.push(format!("{} of {of} not read completely", units::count(looked.unread)));
    }
    format!(" ({})", parts.join(", "))
}

fn finding(out: &mut String, found: &AuditFinding, verbose: bool) -> std::fmt::Result {
    /// The pieces of evidence that are shown without -v.
    const MAX_SHOWN: usize = 2;
    let style = style(found.severity);
    let often =
        if found.count > 1 { format!(" ({} times)", units::count(found.count)) } else { String::new() };
    let (severity, code) = (found.severity.word(), found.code.number());
    writeln!(out, "  {style}{severity:<10}{style:#} {code}  {}{often}", found.title)?;
    let shown = if verbose { found.evidence.len() } else { MAX_SHOWN };
    for proof in found.evidence.iter().take(shown) {
        writeln!(out, "{:18}{}: {}", "", place(proof), proof.description)?;
    }
    writeln!(out, "{:18}cannot know: {}", "", found.cannot_know)
}

fn place(proof: &Proof) -> String {
    match proof.time {
        Some(time) => format!("block {} at {}", proof.block, units::time(time)),
        None => format!("block {}", proof.block),
    }
}
