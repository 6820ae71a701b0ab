//! Prints `info`, `check` and `report` of a recording of input.

use crate::input::printable;
use crate::units;
use moviola::input::{InputReport, InputSummary};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The row of `check --json`.
#[derive(Serialize)]
pub(super) struct Checked<'r> {
    format: &'static str,
    exact: Option<bool>,
    findings: Vec<Finding>,
    engines: &'r [moviola::input::InputEngine],
}

#[derive(Serialize)]
struct Finding {
    code: &'static str,
    title: &'static str,
}

impl<'r> Checked<'r> {
    pub(super) fn of(summary: &InputSummary, report: &'r InputReport, exact: Option<bool>) -> Self {
        let findings = report.findings.iter().map(|it| Finding { code: it.number(), title: it.title() });
        Self { format: summary.format, exact, findings: findings.collect(), engines: &report.engines }
    }
}

/// Prints a line of facts, and more lines below it unless the line is one of a list.
pub(super) fn info(
    out: &mut impl Write,
    path: &Path,
    summary: &InputSummary,
    is_listed: bool,
) -> io::Result<()> {
    let map = summary.map();
    // not from SCHEMA: a unit that is counted
    let players = units::counted(summary.players as u64, "player");
    let (tics, bytes) = (units::counted(summary.tics, "tic"), units::counted(summary.bytes, "byte"));
    let guess = if summary.guess { " (a guess)" } else { "" };
    let version = if summary.version.is_empty() { String::new() } else { format!(" {}", summary.version) };
    let name = printable(path);
    writeln!(
        out,
        "{name}  {}  {}{version}{guess}  {map}  {players}  {}  {tics}  {bytes}  {}",
        summary.format,
        summary.game,
        summary.length(),
        summary.ending()
    )?;
    for (key, value) in summary.facts().into_iter().filter(|_| !is_listed) {
        // Texts of a footer may contain any bytes, and must not act as commands for a terminal.
        writeln!(out, "  {:<18} {}", key + ":", value.replace(char::is_control, "?"))?;
    }
    Ok(())
}

pub(super) fn check(
    out: &mut impl Write,
    path: &Path,
    report: &InputReport,
    exact: bool,
    quiet: bool,
) -> io::Result<()> {
    let name = printable(path);
    if quiet && exact {
        return Ok(());
    }
    writeln!(out, "{name}: {}", if exact { "exact" } else { "not exact: its text gives other bytes" })?;
    for finding in &report.findings {
        writeln!(out, "  {} {}", finding.number(), finding.title())?;
    }
    let column = report.engines.iter().map(|it| it.engine.len()).max().unwrap_or_default() + 1;
    for engine in &report.engines {
        match &engine.why {
            Some(why) => writeln!(out, "  {:<column$} no: {why}", engine.engine)?,
            None if engine.measured => {
                let with = engine.with.map(|option| format!(" with {option}")).unwrap_or_default();
                writeln!(out, "  {:<column$} plays it{with}", engine.engine)?;
            }
            None => writeln!(out, "  {:<column$} takes it by its form; not measured", engine.engine)?,
        }
    }
    Ok(())
}

/// The most weapon changes that are listed.
const MAX_LISTED: usize = 20;

pub(super) fn pressed(out: &mut impl Write, path: &Path, summary: &InputSummary) -> io::Result<()> {
    writeln!(out, "{}\n{}, {} tics", printable(path), summary.length(), summary.tics)?;
    for (player, pressed) in summary.pressed.iter().enumerate() {
        if summary.pressed.len() > 1 {
            writeln!(out, "  player {}", player + 1)?;
        }
        let share = |count: u64| {
            format!("{:>7}  {:>5.1} %", count, count as f64 * 100.0 / summary.tics.max(1) as f64)
        };
        let is_packed = summary.format == "dmo"; // not from SCHEMA: a file extension
        // Duke Nukem 3D has other speeds and units of turns, and its pauses are not counted.
        let is_dooms = |what: &str| what.starts_with("SR") || ["turns of a mouse", "pauses"].contains(&what);
        for (what, count) in pressed.counts().into_iter().filter(|it| !(is_packed && is_dooms(it.0))) {
            writeln!(out, "  {what:<22} {}", share(count))?;
        }
        writeln!(out, "  {:<22} {:>7}", "times fire was pressed", pressed.shots)?;
        writeln!(out, "  {:<22} {:>7}", "weapon changes", pressed.weapon_changes)?;
        let rate = if is_packed { 30.0 } else { 35.0 };
        for (tic, weapon) in pressed.weapons.iter().take(MAX_LISTED) {
            let seconds = tic.saturating_sub(1) as f64 / rate;
            let (minutes, rest) = ((seconds / 60.0) as u64, seconds % 60.0);
            writeln!(out, "    {minutes:>3}:{rest:05.2}  weapon {weapon}")?;
        }
        if pressed.weapon_changes > MAX_LISTED as u64 {
            writeln!(out, "    ... the first {MAX_LISTED}; --json has more, `export --tables tics` has all")?;
        }
    }
    Ok(())
}
