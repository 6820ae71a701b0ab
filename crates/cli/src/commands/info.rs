//! `moviola info`: describes recordings, a line for each.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Files, Input, printable};
use crate::progress::Bar;
use crate::table::{Alignment, Table, shortened};
use crate::units;
use crate::{inside, json};
use anyhow::Result;
use clap::Args;
use moviola::check::{RecordingEnd, Summary};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
LENGTH is the playing time of the recording. CLOCK is the game's clock at its
first and last frame, for spans such as `cut run.dem 5:00..5:30`; a span that
begins with + counts from the beginning of the recording instead. Each level of
a recording has its own clock. --wide adds the recording side (a client, a
server...), the number of blocks, and the end of the recording. Files in folders
that are not recordings are left out; -v lists them.

Examples:
  moviola info run.dem
  moviola info demos
  moviola info --json run.dem | jq .levels
  moviola info demos.zip                every recording in it
  moviola info id1/pak0.pak:demo1.dem   one of them";

/// Show what recordings are: game, protocol, map, players, length
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    files: Files,
    /// Print everything that is known, as JSON Lines.
    #[arg(long)]
    json: bool,
    /// Print all columns, and every cell in full.
    #[arg(short, long, conflicts_with = "json")]
    wide: bool,
}

/// A column of the list.
struct Column {
    title: &'static str,
    side: Alignment,
    /// The most characters of its cells without --wide; `None` if it is then left out.
    narrow: Option<usize>,
    cell: fn(&str, &Summary) -> String,
}

/// The columns in their order. Together the narrow ones and the gaps between them take 100 characters.
const COLUMNS: [Column; 11] = [
    Column { title: "FILE", side: Alignment::Left, narrow: Some(26), cell: |name, _| name.to_owned() },
    Column { title: "FORMAT", side: Alignment::Left, narrow: Some(7), cell: |_, it| it.columns().format },
    Column { title: "PROTOCOL", side: Alignment::Left, narrow: Some(8), cell: |_, it| it.columns().protocol },
    Column { title: "SIDE", side: Alignment::Left, narrow: None, cell: |_, it| it.columns().kind },
    Column { title: "LENGTH", side: Alignment::Right, narrow: Some(8), cell: |_, it| length(it) },
    Column { title: "CLOCK", side: Alignment::Left, narrow: Some(15), cell: |_, it| clock(it) },
    Column { title: "BLOCKS", side: Alignment::Right, narrow: None, cell: |_, it| blocks(it) },
    Column { title: "BYTES", side: Alignment::Right, narrow: None, cell: |_, it| units::count(it.bytes) },
    Column { title: "ENDS", side: Alignment::Left, narrow: None, cell: |_, it| it.columns().end },
    Column { title: "MAPS", side: Alignment::Left, narrow: Some(11), cell: |_, it| units::few(&it.maps, 3) },
    Column {
        title: "PLAYERS",
        side: Alignment::Left,
        narrow: Some(13),
        cell: |_, it| units::few(&it.players, 4),
    },
];

fn length(summary: &Summary) -> String {
    summary.length.map_or_else(|| "-".into(), units::time)
}

/// The game's clock at the first and the last frame.
fn clock(summary: &Summary) -> String {
    match &summary.levels[..] {
        [level] => match (level.start, level.end) {
            (Some(start), Some(end)) => format!("{}..{}", units::time(start), units::time(end)),
            _ => "-".into(),
        },
        [] => "-".into(),
        // not from SCHEMA: a word for people
        _ => units::counted(summary.level_count, "level"),
    }
}

fn blocks(summary: &Summary) -> String {
    if summary.end == RecordingEnd::NoRecording { "-".into() } else { units::count(summary.blocks) }
}

/// How many lines are aligned together; a limit, so that long lists begin to appear early.
const LINES_TOGETHER: usize = 500;

/// The longest time that lines wait for others on a terminal.
const PATIENCE: Duration = Duration::from_millis(500);

pub(crate) fn run(options: &InfoArgs, talk: Verbosity) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    let mut listing = Listing::new(options, options.files.has_folder() && !talk.verbose);
    for wrong in &wrong {
        listing.trouble(&wrong.path, wrong)?;
    }
    let total = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), talk.quiet);
    let result = inside::each_of(&files, &options.files, &bar, 1, summary, |file, _, summary| {
        listing.add(file, summary)
    });
    bar.finish();
    result.and_then(|()| listing.flush())?;
    Ok(listing.outcome)
}

fn summary(mut input: Input, _: bool) -> Result<(PathBuf, Summary)> {
    if input.has_damaged_beginning()? {
        return Err(input.no_recording());
    }
    let path = input.path().unwrap_or(Path::new("-")).to_owned();
    Ok((path, Summary::read(input)?))
}

/// Prints the lines as they are ready.
struct Listing {
    json: bool,
    wide: bool,
    only_recordings: bool,
    table: Table,
    /// The titles of the columns, until the first row.
    header: Option<Vec<String>>,
    waiting: Vec<Vec<String>>,
    /// When the first of the waiting lines came, if the output is a terminal.
    since: Option<Instant>,
    outcome: Outcome,
}

impl Listing {
    fn new(options: &InfoArgs, only_recordings: bool) -> Self {
        let InfoArgs { json, wide, .. } = *options;
        let table = Table::new(columns(wide).map(|it| it.side));
        let since = io::stdout().is_terminal().then(Instant::now);
        let header = (!json).then(|| columns(wide).map(|it| it.title.to_owned()).collect());
        let outcome = Outcome::Good;
        Self { json, wide, only_recordings, table, header, waiting: Vec::new(), since, outcome }
    }

    fn push(&mut self, row: Vec<String>) {
        self.table.fit(&row);
        self.waiting.push(row);
    }

    fn trouble(&mut self, path: &Path, line: &str) -> io::Result<()> {
        failure::print_error(line);
        self.outcome = Outcome::Trouble;
        if self.json { json::error(path, line) } else { Ok(()) }
    }

    fn add(&mut self, file: &Path, summary: Result<(PathBuf, Summary), String>) -> io::Result<()> {
        let (path, summary) = match summary {
            Ok(it) => it,
            Err(line) => return self.trouble(file, &line),
        };
        if self.only_recordings && summary.end == RecordingEnd::NoRecording {
            return Ok(());
        }
        if self.json {
            return json::line(&path, &summary);
        }
        if let Some(header) = self.header.take() {
            self.push(header);
        }
        self.push(row(&printable(&path), &summary, self.wide));
        let is_long = self.since.is_some_and(|since| since.elapsed() >= PATIENCE);
        if is_long || self.waiting.len() >= LINES_TOGETHER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.since = self.since.map(|_| Instant::now());
        let mut out = io::stdout().lock();
        self.waiting.drain(..).try_for_each(|row| writeln!(out, "{}", self.table.line(&row)))
    }
}

/// The columns to print.
fn columns(wide: bool) -> impl Iterator<Item = &'static Column> {
    COLUMNS.iter().filter(move |column| wide || column.narrow.is_some())
}

fn row(name: &str, summary: &Summary, wide: bool) -> Vec<String> {
    let cells = columns(wide).map(|column| {
        let cell = (column.cell)(name, summary);
        match column.narrow.filter(|_| !wide) {
            // In a short cell the number of a protocol stays, and of a path the end, which is the file's
            // name.
            Some(most) if column.title == "PROTOCOL" => {
                let number = cell.split(' ').next().unwrap_or_default();
                shortened(number.to_owned(), most, Alignment::Left)
            }
            Some(most) => {
                shortened(cell, most, if column.title == "FILE" { Alignment::Right } else { Alignment::Left })
            }
            None => cell,
        }
    });
    cells.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_no_gaps() {
        let summary = Summary::read(&b"nothing"[..]).unwrap();
        let row = row("x", &summary, true);
        let widths = columns(false).filter_map(|it| it.narrow.map(|width| width.max(it.title.len()) + 2));
        assert_eq!(widths.sum::<usize>() - 2, 100);
        assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?}");
        assert!(!printable(std::path::Path::new("a\nb")).contains('\n'));
    }
}
