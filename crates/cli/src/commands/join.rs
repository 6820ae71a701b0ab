//! `moviola join`: joins recordings into one.

use crate::cli::Verbosity;
use crate::edits::{in_file, report};
use crate::failure::Outcome;
use crate::input::one_stdin;
use crate::inside::{self, WantedFiles};
use crate::output::{Destination, Kind, Output};
use anyhow::Result;
use clap::Args;
use moviola::edit::join;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Only the last recording keeps its end. Between two recordings, the messages that
take an engine to the next one are added. All recordings must be of the same
game; two of the same level may also follow each other.

Examples:
  moviola join e1m1.dem e1m2.dem e1m3.dem -o episode.dem
  moviola cut run.dem 10..20 | moviola join intro.dem - -o film.dem";

/// Join recordings, one after another
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct JoinArgs {
    /// The recordings, in order; one of them may be `-`, standard input.
    #[arg(value_name = "IN", required = true, num_args = 2..)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    out: Destination,
}

pub(crate) fn run(options: &JoinArgs, talk: Verbosity) -> Result<Outcome> {
    one_stdin(&options.inputs)?;
    let inputs = options.inputs.iter().map(|path| inside::single(path, WantedFiles::Recordings));
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    let names: Vec<String> = inputs.iter().map(|input| input.name().to_owned()).collect();
    let mut writer = options.out.open(Kind::Recording)?.buffered();
    match join(inputs, &mut writer) {
        Ok(summary) => {
            Output::finish(writer)?;
            report(&names.join(", "), &summary, talk);
            Ok(Outcome::Good)
        }
        Err(error) => Err(in_file(error, &names.join(", "))),
    }
}
