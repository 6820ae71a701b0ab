//! `moviola view`: one player's recording out of a server's.

use crate::edits::{Asked, EditArgs, Plan, Refused};
use clap::Args;
use moviola::edit::View;
use std::path::Path;

const MORE: &str = "\
Quake II cannot play back the recordings that servers make; now it can. What a
server does not record of a player, his weapon, his health, is not there. Relay
recordings have all of it, and so have Q2PRO's of a match (.mvd2). Of a QuakeWorld
match (.mvd) it makes the .qwd of any player, with his health, weapons and messages.

Examples:
  moviola view server.dm2 --player 2 -o two.dm2
  moviola view server.dm2 --player Ranger -o ranger.dm2
  moviola view match.mvd2 --player Ranger -o ranger.dm2
  moviola view match.mvd --player Ranger -o ranger.qwd";

/// The arguments of `view`.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct ViewArgs {
    /// Whose: a part of his name, or his number, counted from 1.
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
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        let mut view = View::of(&*self.player);
        Ok(Plan::looking(Asked::Word("--player"), move |chain| {
            view.find(chain.open()?)?;
            chain.then(view);
            chain.judge(None)
        }))
    }
}
