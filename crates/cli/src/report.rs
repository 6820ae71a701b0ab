//! Prints the results of `check` for people: exact or the first difference, findings, engines.

use crate::commands::check::Checked;
use crate::units;
use anstyle::{AnsiColor, Style};
use moviola::check::{ByteDifference, ByteWindow, Finding, Place, Playability, Remainder, Severity, Verdict};
use std::fmt::Write as _;
use std::io::{self, Write as _};

const GOOD: Style = AnsiColor::Green.on_default();
const WARNING_STYLE: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Prints it on standard output.
pub(crate) fn print(name: &str, checked: &Checked, verbose: bool) -> io::Result<()> {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = print_report(&mut text, name, checked, verbose);
    anstream::stdout().write_all(text.as_bytes())
}

fn print_report(out: &mut String, name: &str, checked: &Checked, verbose: bool) -> std::fmt::Result {
    let report = &checked.report;
    if report.exact {
        writeln!(out, "{name}: {GOOD}exact{GOOD:#}")?;
    } else {
        writeln!(out, "{name}: {BAD}not exact{BAD:#}")?;
    }
    if let Some(found) = &report.difference {
        difference(out, found)?;
    }
    if let Some(why) = &checked.refused {
        writeln!(out, "  its own text does not compile: {why}")?;
    }
    report.findings.iter().try_for_each(|found| finding(out, found))?;
    if verbose {
        report.raw.iter().try_for_each(|rest| remainder(out, rest))?;
    }
    engines(out, &report.engines)
}

fn difference(out: &mut String, found: &ByteDifference) -> std::fmt::Result {
    let conversion = if found.through { " after a conversion to text" } else { "" };
    let what = match (found.message, found.field) {
        (Some(message), Some(field)) => format!(", {message}.{field}"),
        (Some(message), None) => format!(", {message}"),
        _ => String::new(),
    };
    writeln!(
        out,
        "  first difference{conversion}: {}{what}, offset {} (0x{:X})",
        place(&found.place),
        found.place.offset,
        found.place.offset
    )?;
    window(out, "read", &found.read)?;
    window(out, "written", &found.written)
}

fn remainder(out: &mut String, rest: &Remainder) -> std::fmt::Result {
    let what = rest.message.map_or_else(String::new, |message| match rest.field {
        Some(field) => format!(", {message}.{field}"),
        None => format!(", {message}"),
    });
    writeln!(
        out,
        "  {} kept raw: {}{what}: {}",
        units::counted(rest.bytes, "byte"),
        place(&rest.place),
        rest.why
    )?;
    window(out, rest.code.number(), &rest.window)
}

/// A place for people; blocks are counted as in the text.
fn place(place: &Place) -> String {
    let position =
        place.block.map_or_else(|| format!("offset {}", place.offset), |block| format!("block {block}"));
    match place.time {
        Some(time) => format!("{position} at {}", units::time(time)),
        None => position,
    }
}

/// Lines of 16 bytes, with a caret under the byte in question.
fn window(out: &mut String, label: &str, window: &ByteWindow) -> std::fmt::Result {
    let mut label = label;
    let meant = window.caret / 16;
    let rows = window.bytes.chunks(16).enumerate().filter(|(row, _)| row.abs_diff(meant) <= 1);
    for (row, bytes) in rows {
        let offset = window.offset + 16 * row as u64;
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "    {label:<8} {offset:08x}  {}", hex.join(" "))?;
        if row == meant {
            writeln!(out, "             {:>8}  {}{BAD}^^{BAD:#}", "", "   ".repeat(window.caret % 16))?;
        }
        label = "";
    }
    if window.bytes.is_empty() {
        writeln!(out, "    {label:<8} (nothing more)")?;
    }
    Ok(())
}

fn finding(out: &mut String, found: &Finding) -> std::fmt::Result {
    let style = match found.severity {
        Severity::Note => Style::new(),
        Severity::Warning => WARNING_STYLE,
        Severity::Error => BAD,
    };
    let often = if found.count > 1 {
        format!("{} times, first in ", units::count(found.count))
    } else {
        String::new()
    };
    let severity = format!("{style}{:<7}{style:#}", found.severity.word());
    writeln!(out, "  {severity} {}  {} ({often}{})", found.code.number(), found.message, place(&found.place))
}

/// Engines with the same verdict, in a line.
fn engines(out: &mut String, verdicts: &[Verdict]) -> std::fmt::Result {
    let mut lines: Vec<(&str, String, Vec<&str>)> = Vec::new();
    for verdict in verdicts {
        let does = match verdict.plays {
            Playability::Yes => "plays in",
            Playability::WithDefects => "plays with defects in",
            Playability::StopsEarly => "stops early in",
            Playability::No => "does not play in",
            Playability::Unknown => "may play in",
        };
        let why = verdict
            .reasons
            .iter()
            .rev()
            .max_by_key(|it| it.effect)
            .filter(|_| verdict.plays != Playability::Yes);
        let why = why.map_or_else(String::new, |it| format!(": {} ({})", it.code.number(), place(&it.place)));
        match lines.iter_mut().find(|line| line.0 == does && line.1 == why) {
            Some(line) => line.2.push(verdict.engine),
            None => lines.push((does, why, vec![verdict.engine])),
        }
    }
    lines.iter().try_for_each(|(does, why, engines)| writeln!(out, "  {does} {}{why}", engines.join(", ")))
}
