//! `moviola squeeze`: the same recording in fewer bytes.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::Squeeze;
use std::path::Path;

const AFTER_HELP: &str = "\
The state after every block stays the same; only repeated values are left out.
In Quake these are fields of updates that equal the baseline. In Quake II each
frame is built on the one of the last fifteen that makes it shortest. In
QuakeWorld they are blank baselines, values that the client already has, and full
lists of entities where changes are enough. Servers write an .mvd nearly as short
as possible: expect to save 3 to 6 %, and mostly 10 to 50 % with a .qwd.

Examples:
  moviola squeeze match.dm2 -o small.dm2
  moviola squeeze match.qwd -o small.qwd
  moviola diff --state match.dm2 small.dm2     nothing differs";

/// The arguments of `squeeze`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SqueezeArgs {}

impl EditArgs for SqueezeArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        Ok(Plan::of(MistakePlace::Word("IN"), Squeeze::default()))
    }
}
