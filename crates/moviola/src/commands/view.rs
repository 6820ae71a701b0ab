//! `moviola view`: one player's recording out of a server's.

use crate::cli::Talk;
use crate::edits::{self, Ask, Asked, Plan, Refused, To};
use crate::failure::Outcome;
use anyhow::Result;
use clap::Args;
use moviola::edit::View;
use std::path::{Path, PathBuf};

const MORE: &str = "\
Quake II cannot play back the recordings that servers make; now it can. What a
server does not record of a player, his weapon, his health, is not there. Relay
recordings have all of it.

Examples:
  moviola view server.dm2 --player 2 -o two.dm2
  moviola view server.dm2 --player Ranger -o ranger.dm2";

/// Make one player's recording of a server's or a Relay recording (Quake II)
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
    /// Whose: a part of his name, or his number, counted from 1.
    #[arg(long, value_name = "NAME|N")]
    player: String,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    edits::edit(&options.input, &options.words, &options.to, talk)
}

impl Ask for Words {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        let mut view = View::of(&*self.player);
        Ok(Plan::looking(Asked::Word("--player"), move |chain| {
            view.find(chain.open()?)?;
            chain.then(view);
            Ok(())
        }))
    }
}
