//! `moviola strip`: messages of a kind out of a recording.

use crate::cli::Talk;
use crate::edits::{self, Ask, Asked, Plan, Refused, To};
use crate::failure::Outcome;
use anyhow::Result;
use clap::Args;
use moviola::edit::Strip;
use std::path::{Path, PathBuf};

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
    #[command(flatten)]
    words: Words,
    #[command(flatten)]
    to: To,
}

/// What it is told besides.
#[derive(Debug, Args)]
pub(crate) struct Words {
    /// What is to go.
    #[arg(value_name = "WHAT", required = true)]
    what: Vec<String>,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    edits::edit(&options.input, &options.words, &options.to, talk)
}

impl Ask for Words {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        let strip = Strip::parse(&self.what.join(" ")).map_err(|mistake| Refused::word("WHAT", mistake))?;
        Ok(Plan::of(Asked::Word("WHAT"), strip))
    }
}
