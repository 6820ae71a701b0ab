//! `moviola report`: a recording on one screen, or as what other programs and archives want.

use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{Again, Files, Input, printable};
use crate::inside::{self, Wanted};
use crate::json;
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use anyhow::{Result, bail};
use clap::Args;
use moviola::analyse::Report;
use moviola::audit::audited_report;
use moviola::export::{Story, page};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
The time of a level is the server's clock when the scores, or the text of the
finale, came: the time by which speedrunners count. A level that was left in
another way has none. In Quake II kills and secrets are known only where the
field computer (F1) was looked at.

Of a recording of input, DOOM's .lmp or Duke's .dmo, the report says how long
each player pressed what, and no more: what came of it, only the game shows.
SR40 and SR50 are tics of running ahead or back at 50 and to the side at 40, as
one key gives it, or at 50, as two keys for the side at once or a mouse do.

The line about marks is what `moviola audit` comes to, which has the evidence.

Examples:
  moviola report run.dem
  moviola report --sda run.dem > run.txt     the text that goes with a run
  moviola report --json match.dem | jq '.levels[].scores'
  moviola report --html run.html run.dem     a page to look at and to share
  moviola report demos
  moviola report run.lmp                     what was pressed in a recording of input
  moviola report runs.dz";

/// Report what recordings show: who, where, how long, scores, kills, secrets
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
    /// Print everything that is known, as JSON Lines.
    #[arg(long, conflicts_with = "sda")]
    json: bool,
    /// Print the block of text that goes with a run to the Speed Demos Archive.
    #[arg(long)]
    sda: bool,
    /// Write a page about one recording to OUT: the way, the events and the scores, in one file of HTML.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "sda"])]
    html: Option<PathBuf>,
    /// Replace OUT if it exists.
    #[arg(long, requires = "html")]
    force: bool,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    if let Some(out) = &options.html {
        return match (files.as_slice(), wrong.first()) {
            ([file], None) => write_page(file, out, options.force),
            (_, Some(wrong)) => bail!("{wrong}"),
            _ => bail!("a page is of one recording: name one"),
        };
    }
    let mut outcome = Outcome::Good;
    for wrong in &wrong {
        trouble(options, &wrong.path, wrong)?;
        outcome = Outcome::Trouble;
    }
    let total = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), talk.quiet);
    let result = inside::each_of(&files, &options.files, &bar, 1, report, |file, _, report| match report {
        Ok(Some((path, report))) => print(options, &path, &report),
        Ok(None) => Ok(()),
        Err(line) => {
            outcome = Outcome::Trouble;
            trouble(options, file, &line)
        }
    });
    bar.finish();
    result?;
    Ok(outcome)
}

fn trouble(options: &Options, path: &Path, line: &str) -> io::Result<()> {
    failure::say(line);
    if options.json { json::error(path, line) } else { Ok(()) }
}

fn write_page(file: &Path, out: &Path, force: bool) -> Result<Outcome> {
    let mut input = inside::single(file, Wanted::Recordings)?;
    if !input.is_recording()? {
        return Err(input.no_recording());
    }
    let target = Destination { output: Some(out.to_owned()), force };
    let mut writer = target.open(Kind::Recording)?.buffered();
    let again = Again::new(input)?;
    let story = Story::read(again.open()?, again.name())?;
    writer.write_all(page(&story, &audited_report(again.open()?)?).as_bytes())?;
    Output::finish(writer)?;
    Ok(Outcome::Good)
}

fn report(mut input: Input, found: bool) -> Result<Option<(PathBuf, Report)>> {
    let path = input.path().unwrap_or(Path::new("-")).to_owned();
    if !input.is_recording()? {
        // In a folder there may be anything.
        return if found { Ok(None) } else { Err(input.no_recording()) };
    }
    Ok(Some((path, audited_report(input)?)))
}

fn print(options: &Options, path: &Path, report: &Report) -> io::Result<()> {
    let name = printable(path);
    let mut out = io::stdout().lock();
    if options.json {
        return json::write(&mut out, path, report);
    }
    if options.sda {
        if report.timed_levels == 0 {
            failure::warn(&format!("{name}: no level was finished, so there is no time to write"));
        }
        return write!(out, "{}", report.sda());
    }
    write!(out, "{name}\n{report}")
}
