//! `moviola info`: what recordings are, a line each.

use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{Files, Input, printable};
use crate::progress::Bar;
use crate::table::{Side, Table};
use crate::units;
use crate::{inside, json};
use anyhow::Result;
use clap::Args;
use moviola::check::{End, Summary};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
The columns: file, format, protocol, the side that recorded, length in game
time, blocks, bytes, how it ends, maps, players. With -r, files that are no
recordings are left out; -v shows them.

Examples:
  moviola info run.dem
  moviola info demos
  moviola info --json run.dem | jq .levels
  moviola info demos.zip                every recording in it
  moviola info id1/pak0.pak:demo1.dem   one of them";

/// Say what recordings are: game, protocol, map, players, length
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
    /// Print everything that is known, as JSON Lines.
    #[arg(long)]
    json: bool,
}

/// How many lines are aligned with each other, so that long lists begin to appear.
const BATCH: usize = 500;

/// How long lines wait for others on a terminal.
const PATIENCE: Duration = Duration::from_millis(500);

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    let mut listing = Listing::new(options.json, options.files.has_folder() && !talk.verbose);
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

fn summary(input: Input, _: bool) -> Result<(PathBuf, Summary)> {
    let path = input.path().unwrap_or(Path::new("-")).to_owned();
    Ok((path, Summary::read(input)?))
}

/// The lines, as they get ready.
struct Listing {
    json: bool,
    only_recordings: bool,
    table: Table<10>,
    waiting: Vec<[String; 10]>,
    /// Since when the lines wait, where somebody watches.
    since: Option<Instant>,
    outcome: Outcome,
}

impl Listing {
    fn new(json: bool, only_recordings: bool) -> Self {
        use Side::{Left, Right};
        let table = Table::new([Left, Left, Left, Left, Right, Right, Right, Left, Left, Left]);
        let since = io::stdout().is_terminal().then(Instant::now);
        Self { json, only_recordings, table, waiting: Vec::new(), since, outcome: Outcome::Good }
    }

    fn trouble(&mut self, path: &Path, line: &str) -> io::Result<()> {
        failure::say(line);
        self.outcome = Outcome::Trouble;
        if self.json { json::error(path, line) } else { Ok(()) }
    }

    fn add(&mut self, file: &Path, summary: Result<(PathBuf, Summary), String>) -> io::Result<()> {
        let (path, summary) = match summary {
            Ok(it) => it,
            Err(line) => return self.trouble(file, &line),
        };
        if self.only_recordings && summary.end == End::NoRecording {
            return Ok(());
        }
        if self.json {
            return json::line(&path, &summary);
        }
        let row = row(printable(&path), &summary);
        self.table.fit(&row);
        self.waiting.push(row);
        let is_long = self.since.is_some_and(|since| since.elapsed() >= PATIENCE);
        if is_long || self.waiting.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.since = self.since.map(|_| Instant::now());
        let mut out = io::stdout().lock();
        self.waiting.drain(..).try_for_each(|row| writeln!(out, "{}", self.table.line(&row)))
    }
}

fn row(name: String, summary: &Summary) -> [String; 10] {
    let columns = summary.columns();
    let blocks =
        if summary.end == End::NoRecording { "-".into() } else { units::things(summary.blocks, "block") };
    [
        name,
        columns.format,
        columns.protocol,
        columns.kind,
        columns.length,
        blocks,
        units::things(summary.bytes, "byte"),
        columns.end,
        units::few(&summary.maps, 3),
        units::few(&summary.players, 4),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_no_gaps() {
        let summary = Summary::read(&b"nothing"[..]).unwrap();
        let row = row("x".into(), &summary);
        assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?}");
        assert!(!printable(std::path::Path::new("a\nb")).contains('\n'));
    }
}
