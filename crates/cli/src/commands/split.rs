//! `moviola split`: splits a recording into one for each of its levels, matches or rounds.

use crate::cli::Verbosity;
use crate::edits::{in_file, report};
use crate::failure::Outcome;
use crate::input::{ReopenableInput, is_dash, printable};
use crate::inside::{self, WantedFiles};
use crate::leftovers::make_folder;
use crate::output::{Destination, Kind, Output, not_stdout};
use anyhow::Result;
use clap::{Args, ValueEnum};
use moviola::edit::{Chain, Cut, FixMulti, FoundSpans, SectionKind, sections};
use moviola::format::Demo;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

const AFTER_HELP: &str = "\
Each level becomes a file that plays alone: run.dem gives run-1-e1m1.dem,
run-2-e1m2.dem and so on. Between the levels of Quake II some engines stop: id's
at a block without messages, Q2PRO at a piece of a download, all engines where a
map is missing. Split, the other levels can be watched all the same.

KTX's recordings of QuakeWorld have matches, which begin with the countdown; in
Clan Arena, Wipeout and HoonyMode they also have rounds. Each file lasts until
the next one begins, so it includes the scores after its match or round. The
time before the first match is in no file.

Examples:
  moviola split marathon.dem -o levels
  moviola split unit1.dm2 -o levels --force     replace what is there
  moviola split arena.mvd -o rounds --by round  a file for each round";

/// Split a recording into its levels, matches or rounds
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SplitArgs {
    /// The recording; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The folder for the files; it is created if necessary.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// The content of each file.
    #[arg(long, value_name = "UNIT", value_enum, default_value_t = SplitBy::Level)]
    by: SplitBy,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SplitBy {
    /// A level
    Level,
    /// A match
    Match,
    /// A round
    Round,
}

pub(crate) fn run(options: &SplitArgs, talk: Verbosity) -> Result<Outcome> {
    not_stdout(&options.output)?;
    let recording = Rc::new(ReopenableInput::new(inside::single(&options.input, WantedFiles::Recordings)?)?);
    let of_recording = |error: moviola::edit::Error| in_file(error, recording.name());
    let unit = match options.by {
        SplitBy::Level => SectionKind::Level,
        SplitBy::Match => SectionKind::Match,
        SplitBy::Round => SectionKind::Round,
    };
    let found = sections(recording.open()?, unit).map_err(of_recording)?;
    let ending = Demo::new(recording.open()?)?.format().name();
    let folder = &options.output;
    make_folder(folder)?;
    for (number, section) in (1..).zip(&found) {
        let path = folder.join(file_name(&options.input, number, &section.map, ending));
        let out = Destination { output: Some(path.clone()), force: options.force };
        let mut writer = out.open(Kind::Recording)?.buffered();
        let again = Rc::clone(&recording);
        let open = move || Ok(Box::new(again.open().map_err(io::Error::other)?) as _);
        let mut chain = Chain::of(Rc::new(open));
        chain.then(Cut::keep(FoundSpans::section(section)));
        chain.then(FixMulti::default());
        let done = chain.write(&mut writer).map_err(|failed| of_recording(failed.error))?;
        Output::finish(writer)?;
        if let [first, last] = done.as_slice() {
            let summary = moviola::edit::EditSummary { bytes_out: last.bytes_out, ..first.clone() };
            report(&printable(&path), &summary, talk);
        }
    }
    Ok(Outcome::Good)
}

/// `run.dem` and its second level, `e1m2`: `run-2-e1m2.dem`.
fn file_name(input: &Path, number: u32, map: &str, ending: &str) -> OsString {
    let name = input.file_stem().unwrap_or_default().as_encoded_bytes();
    // For a file in an archive, its own name stands after the archive's.
    let inner = name.rsplit(|byte| *byte == b':').next().and_then(inside::named).unwrap_or_default();
    // not from SCHEMA: a word for the file of something that has no name
    let mut stem = if is_dash(input) { "level".into() } else { inner.into_os_string() };
    let is_safe = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    let map: String = map.chars().filter(is_safe).take(32).collect();
    let map = if map.is_empty() { map } else { format!("-{map}") };
    stem.push(format!("-{number}{map}.{ending}"));
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        assert_eq!(file_name(Path::new("a/run.dem"), 2, "e1m2", "dem"), "run-2-e1m2.dem");
        assert_eq!(file_name(Path::new("-"), 1, "../x y", "dem"), "level-1-xy.dem");
        assert_eq!(file_name(Path::new("all.zip:r.dm2"), 1, "", "dm2"), "r-1.dm2");
    }
}
