//! `moviola info`: what recordings are, a line each.

use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{Files, Input, printable};
use crate::inside;
use crate::parallel::in_order;
use crate::progress::Bar;
use crate::table::{Side, Table};
use crate::units;
use anyhow::Result;
use clap::Args;
use moviola::check::{End, Summary};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};

const EXAMPLES: &str = "\
The columns: file, format, protocol, the side that recorded, length in game
time, blocks, bytes, how it ends, maps, players. With -r, files that are no
recordings are left out; -v shows them.

Examples:
  moviola info run.dem
  moviola info -r demos
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

/// A file's name, and what there is to say about it, in one JSON object.
#[derive(Serialize)]
pub(crate) struct Named<'a, T> {
    pub(crate) file: &'a str,
    #[serde(flatten)]
    pub(crate) what: &'a T,
}

/// How many lines are aligned with each other, so that long lists begin to appear.
const BATCH: usize = 500;

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    let mut listing = Listing::new(options.json, options.files.is_recursive() && !talk.verbose);
    for line in &wrong {
        listing.trouble(line);
    }
    let total = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), talk.quiet);
    let mut result = Ok(());
    in_order(
        &files,
        |file| inside::each(file, &bar, 1, options.files.is_recursive(), summary),
        |summaries| {
            result = bar.aside(|| summaries.into_iter().try_for_each(|summary| listing.add(summary)));
            result.is_ok()
        },
    );
    bar.finish();
    result.and_then(|()| listing.flush())?;
    Ok(listing.outcome)
}

fn summary(input: Input) -> Result<(String, Summary)> {
    let name = input.path().map_or_else(|| "-".to_owned(), printable);
    Ok((name, Summary::read(input)?))
}

/// The lines, as they get ready.
struct Listing {
    json: bool,
    only_recordings: bool,
    table: Table<10>,
    waiting: Vec<[String; 10]>,
    outcome: Outcome,
}

impl Listing {
    fn new(json: bool, only_recordings: bool) -> Self {
        use Side::{Left, Right};
        let table = Table::new([Left, Left, Left, Left, Right, Right, Right, Left, Left, Left]);
        Self { json, only_recordings, table, waiting: Vec::new(), outcome: Outcome::Good }
    }

    fn trouble(&mut self, line: &str) {
        failure::say(line);
        self.outcome = Outcome::Trouble;
    }

    fn add(&mut self, summary: Result<(String, Summary), String>) -> io::Result<()> {
        let (name, summary) = match summary {
            Ok(it) => it,
            Err(line) => {
                self.trouble(&line);
                return Ok(());
            }
        };
        if self.only_recordings && summary.end == End::NoRecording {
            return Ok(());
        }
        if self.json {
            let object = serde_json::to_string(&Named { file: &name, what: &summary })?;
            return writeln!(io::stdout(), "{object}");
        }
        let row = row(name, &summary);
        self.table.fit(&row);
        self.waiting.push(row);
        if self.waiting.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
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
        assert_eq!(printable(std::path::Path::new("a\nb")), "a\u{fffd}b");
    }
}
