//! `moviola squeeze`: the same recording in fewer bytes.

use crate::edits::{Asked, EditArgs, Plan, Refused};
use clap::Args;
use moviola::edit::Squeeze;
use std::path::Path;

const MORE: &str = "\
After every block the state is the same; only repeated values are left out.
Quake: fields of updates that are as the baseline has them. Quake II: each frame
builds on that of the last fifteen against which it is shortest. QuakeWorld:
baselines that are blank, values that the client has already, and lists of all
entities where changes can be understood. Servers write an .mvd nearly as short
as it can be: expect 3 to 6 %, and of a .qwd mostly 10 to 50 %.

Examples:
  moviola squeeze match.dm2 -o small.dm2
  moviola squeeze match.qwd -o small.qwd
  moviola diff --state match.dm2 small.dm2     nothing differs";

/// The arguments of `squeeze`.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct SqueezeArgs {}

impl EditArgs for SqueezeArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        Ok(Plan::of(Asked::Word("IN"), Squeeze::default()))
    }
}
