//! `moviola index`: a small file with the places of a recording's levels and events, and where playback can
//! begin.
// not from SCHEMA, all words: they are printed for people

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::inside::{self, WantedFiles};
use crate::output::{Destination, Kind, Output};
use crate::units;
use anyhow::{Result, anyhow};
use clap::Args;
use moviola::index::Index;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
With the index, an engine or a viewer can jump and rewind, which the recording
alone does not allow. The index has at most 2 % of the recording's size.
docs/seek-index.md specifies it; the crate moviola-index reads it.

Examples:
  moviola index run.dem -o run.seek
  moviola index pak0.pak:demo1.dem -o demo1.seek";

/// Index the levels and events of a recording, for jumping and rewinding
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct IndexArgs {
    /// The recording; `-`, or nothing, is standard input.
    #[arg(value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    out: Destination,
}

pub(crate) fn run(options: &IndexArgs, talk: Verbosity) -> Result<Outcome> {
    let mut input = inside::single_or_stdin(options.input.as_deref(), WantedFiles::Recordings)?;
    if !input.is_recording()? {
        return Err(input.no_recording());
    }
    let mut out = options.out.open(Kind::Recording)?.buffered();
    let name = input.name().to_owned();
    let index = Index::of(input)?.ok_or_else(|| anyhow!("{name} is not a recording"))?;
    index.write(&mut out)?;
    Output::finish(out)?;
    if !talk.quiet {
        let counts =
            [(index.stops.len(), "stop"), (index.levels.len(), "level"), (index.marks.len(), "mark")];
        let counts = counts.map(|(count, what)| units::counted(count as u64, what));
        failure::line(&format!("{name}: {}", counts.join(", ")));
    }
    Ok(Outcome::Good)
}
