//! `moviola view`: one player's recording out of a server's.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::View;
use std::path::Path;

const AFTER_HELP: &str = "\
Quake II cannot play the recordings that servers make, but it plays the result of
this command. Data that the server did not record, such as a player's weapon and
health, is missing. Relay recordings contain all of it, and so do Q2PRO's match
recordings (.mvd2). From a QuakeWorld match (.mvd) the command makes the .qwd of
any player, with health, weapons and messages. No .mvd2 can be made from a server's
.dm2, which lacks the states of players and does not say who could hear a sound.

Examples:
  moviola view server.dm2 --player 2 -o two.dm2
  moviola view server.dm2 --player Ranger -o ranger.dm2
  moviola view match.mvd2 --player Ranger -o ranger.dm2
  moviola view match.mvd --player Ranger -o ranger.qwd";

/// The arguments of `view`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ViewArgs {
    /// The player: a part of the name, or the number, counted from 1.
    #[arg(long, value_name = "NAME|N")]
    player: String,
}

impl ViewArgs {
    /// The view of this player.
    pub(crate) fn of(who: &str) -> Self {
        Self { player: who.to_owned() }
    }
}

impl EditArgs for ViewArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let mut view = View::of(&*self.player);
        Ok(Plan::looking(MistakePlace::Word("--player"), move |chain| {
            view.find(chain.open()?)?;
            chain.then(view);
            chain.judge(None)
        }))
    }
}
