//! `moviola strip`: messages of a kind out of a recording.

use crate::cli::Talk;
use crate::edits::{self, To};
use crate::failure::Outcome;
use anyhow::Result;
use clap::Args;
use moviola::edit::Strip;
use std::path::PathBuf;

const MORE: &str = "\
What can go:
  chat          what players say
  prints        all lines of the console, chat too
  centerprints  texts in the middle of the screen
  cheats        what engines say when somebody cheats, and commands that do
  sounds        sounds that start, and Quake's that never end
  commands      for the console, unless they are known to be harmless; what goes
                is named
  pauses        pauses, and the blocks that only repeat while one lasts (Quake)
  fades         commands that tint the screen
  MESSAGE       every message of this name; `moviola explain NAME` tells about it

What engines need for the playback stays. Names with commas between are one WHAT.

Examples:
  moviola strip run.dem chat -o quiet.dem
  moviola strip run.dem prints,centerprints,pauses,fades -o clean.dem
  moviola strip stranger.dm2 commands -o safe.dm2
  moviola strip run.dem particle,temp_entity -o plain.dem";

/// Take chat, prints, sounds, commands or messages by name out of a recording
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// The recording; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// What is to go.
    #[arg(value_name = "WHAT", required = true)]
    what: Vec<String>,
    #[command(flatten)]
    to: To,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    match Strip::parse(&options.what.join(" ")) {
        Ok(mut strip) => edits::edit(&options.input, &options.to, talk, "WHAT", &mut strip),
        Err(mistake) => Ok(edits::mistakes(&[mistake], "WHAT", &options.to, talk)),
    }
}
