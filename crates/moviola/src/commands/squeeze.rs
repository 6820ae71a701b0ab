//! `moviola squeeze`: the same recording in fewer bytes.

use crate::cli::Talk;
use crate::edits::{self, Ask, Asked, Plan, Refused, To};
use crate::failure::Outcome;
use anyhow::Result;
use clap::Args;
use moviola::edit::Squeeze;
use std::path::{Path, PathBuf};

const MORE: &str = "\
After every block the state is the same; only what was said twice is left out.
Quake: fields of updates that are as the baseline has them. Quake II: each frame
builds on that of the last fifteen against which it is shortest.

Examples:
  moviola squeeze match.dm2 -o small.dm2
  moviola diff --state match.dm2 small.dm2     nothing differs";

/// Make a recording smaller without changing what it shows
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
pub(crate) struct Words {}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    edits::edit(&options.input, &options.words, &options.to, talk)
}

impl Ask for Words {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        Ok(Plan::of(Asked::Word("IN"), Squeeze::default()))
    }
}
