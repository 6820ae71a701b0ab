//! `moviola view`: one player's recording out of a server's.

use crate::cli::Talk;
use crate::edits::{self, To};
use crate::failure::Outcome;
use anyhow::Result;
use clap::Args;
use moviola::edit::View;
use std::path::PathBuf;

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
    /// Whose: a part of his name, or his number, counted from 1.
    #[arg(long, value_name = "NAME|N")]
    player: String,
    #[command(flatten)]
    to: To,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let view = View::of(&*options.player);
    edits::edit_prepared(&options.input, &options.to, talk, "--player", view, |view, recording| {
        view.find(recording.open().map_err(std::io::Error::other)?)
    })
}
