//! `moviola replace`: blocks written as a text, in the place of a block.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::Replace;
use std::path::Path;

const AFTER_HELP: &str = "\
TEXT is `block { ... }` as one argument, as `moviola decompile` writes it for this
block, with your changes; it may be several blocks. It is read as if it stood in
the text of the whole recording, and the rest of the recording does not change.
The deck in the browser (`moviola watch`) writes such lines for scripts.

Examples:
  moviola decompile run.dem --blocks 149..149 > block.txt
  moviola replace run.dem '#149' \"$(cat block.txt)\" -o changed.dem";

/// The arguments of `replace`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ReplaceArgs {
    /// The number of the block, counted from 0.
    #[arg(value_name = "BLOCK")]
    block: String,
    /// The text that replaces it.
    #[arg(value_name = "TEXT")]
    text: String,
}

impl EditArgs for ReplaceArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let replace =
            Replace::parse(&self.block, &self.text).map_err(|mistake| PlanError::word("BLOCK", mistake))?;
        Ok(Plan::of(MistakePlace::Word("TEXT"), replace))
    }
}
