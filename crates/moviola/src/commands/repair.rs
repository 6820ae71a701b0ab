//! `moviola repair`: damaged recordings into ones that play.

use crate::cli::Talk;
use crate::edits::{To, fails, write};
use crate::failure::Outcome;
use crate::input::Again;
use crate::inside::{self, Wanted};
use anyhow::Result;
use clap::Args;
use moviola::edit::Repair;
use std::path::PathBuf;

const MORE: &str = "\
What is mended: a file that ends inside a block or without its end, blocks
that cannot be read to their end, blocks without messages, bytes that are no
block, what stops an engine between levels, a missing line for the CD track,
and missing stages of the connection. What was lost is said; a recording that
is sound stays as it is.

Examples:
  moviola repair crashed.dem -o whole.dem
  moviola repair unit1.dm2 -o plays-through.dm2
  moviola check whole.dem";

/// Mend a recording so that engines play it
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// The recording; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    #[command(flatten)]
    to: To,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let recording = Again::new(inside::single(&options.input, Wanted::Recordings)?)?;
    match Repair::look(recording.open()?) {
        Ok(mut repair) => write(recording.open()?, &options.to, talk, "", &mut repair),
        Err(error) => fails(error, recording.name()),
    }
}
