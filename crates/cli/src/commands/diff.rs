//! `moviola diff`: the differences between two recordings.

use crate::cli::Verbosity;
use crate::failure::Outcome;
use crate::input::{ReopenableInput, is_dash};
use crate::inside::{self, WantedFiles};
use crate::{differences, json};
use anyhow::{Result, bail};
use clap::Args;
use moviola::diff::{diff, diff_views};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Blocks are aligned by their content and by the game's clock, so that the parts
that were cut out or inserted are found. Then the messages of blocks that differ
are compared field by field. `-` is a message that only A has, `+` one that only
B has, and `~` one with different values.

Examples:
  moviola diff before.dem after.dem
  moviola diff --state before.dem after.dem   does a viewer see a difference?
  moviola diff --json a.dm2 b.dm2 | jq .messages
  moviola diff -q a.dem b.dem && echo the same
  moviola diff runs.zip:run1.dem run1.dem";

/// Compare two recordings message by message, or as a viewer sees them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArgs {
    /// The first recording; `-` is standard input.
    a: PathBuf,
    /// The second recording.
    b: PathBuf,
    /// Compare what a viewer sees, not the messages.
    #[arg(long)]
    state: bool,
    /// Print the differences as JSON Lines, and the totals last.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &DiffArgs, talk: Verbosity) -> Result<Outcome> {
    if is_dash(&options.a) && is_dash(&options.b) {
        bail!("standard input can be only one of the two");
    }
    let open = |path| {
        let mut input = inside::single(path, WantedFiles::Recordings)?;
        if !input.is_recording()? {
            return Err(input.no_recording());
        }
        ReopenableInput::new(input)
    };
    let (a, b) = (open(&options.a)?, open(&options.b)?);
    let (first, second) = (|| a.open().map_err(io::Error::other), || b.open().map_err(io::Error::other));
    let mut out = io::BufWriter::new(anstream::stdout());
    let mut printer = differences::Printer::new(a.name(), b.name(), talk.verbose);
    let quiet = talk.quiet;
    let is_same = if options.state {
        let totals = diff_views(first, second, &mut |change| match (quiet, options.json) {
            (true, _) => Ok(()),
            (_, true) => json::object(&mut out, &change),
            _ => printer.view(&mut out, &change),
        })?;
        match (quiet, options.json) {
            (true, _) => {}
            (_, true) => json::object(&mut out, &Totals { totals })?,
            _ => printer.view_totals(&mut out, &totals)?,
        }
        totals.is_same()
    } else {
        let totals = diff(first, second, &mut |change| match (quiet, options.json) {
            (true, _) => Ok(()),
            (_, true) => json::object(&mut out, &change),
            _ => printer.change(&mut out, &change),
        })?;
        match (quiet, options.json) {
            (true, _) => {}
            (_, true) => json::object(&mut out, &Totals { totals })?,
            _ => printer.totals(&mut out, &totals)?,
        }
        totals.is_same()
    };
    out.flush()?;
    Ok(if is_same { Outcome::Good } else { Outcome::Bad })
}

/// The last line of the JSON output.
#[derive(Serialize)]
struct Totals<T> {
    totals: T,
}
