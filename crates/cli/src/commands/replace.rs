//! `moviola replace`: blocks written as a text, in the place of a block.

use crate::edits::{Asked, EditArgs, Plan, Refused};
use clap::Args;
use moviola::edit::Replace;
use std::path::Path;

const MORE: &str = "\
TEXT is `block { ... }`, in one word, as decompile writes it for this block, with
whatever changes; it may be several blocks. It is read as if it stood in the text
of the whole recording, and nothing else of the recording changes. The deck in the
browser (`moviola watch`) writes such lines for scripts.

Examples:
  moviola decompile run.dem --blocks 149..149 > block.txt
  moviola replace run.dem '#149' \"$(cat block.txt)\" -o changed.dem";

/// The arguments of `replace`.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct ReplaceArgs {
    /// The block, by its number, counted from 0.
    #[arg(value_name = "BLOCK")]
    block: String,
    /// The text in its place.
    #[arg(value_name = "TEXT")]
    text: String,
}

impl EditArgs for ReplaceArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        let replace =
            Replace::parse(&self.block, &self.text).map_err(|mistake| Refused::word("BLOCK", mistake))?;
        Ok(Plan::of(Asked::Word("TEXT"), replace))
    }
}
