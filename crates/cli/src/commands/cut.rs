//! `moviola cut` and `moviola drop`: parts of a recording, which play and look as they did.

use crate::edits::{EditArgs, HOW_SPANS, Plan, Refused};
use clap::Args;
use moviola::edit::Cut;
use std::path::Path;

const CUT: &str = "\
What stands before each part is rebuilt: names, colors, frags, light styles,
stats, the view; in Quake II also the config strings and one full frame. Every
moment that remains is drawn and heard as it was.

Examples:
  moviola cut run.dem 12.5..1:30 -o short.dem
  moviola cut run.dem ..0:10,5:00.. -o ends.dem       two parts of it
  moviola cut match.dm2 'chat \"gg\" -20' -o end.dm2    the last 20 seconds
  moviola cut - 'level 2' < all.dem > second.dem";

const DROP: &str = "\
Everything but the spans is kept, by the rules of `moviola cut`.

Examples:
  moviola drop run.dem 0:30..4:00 -o short.dem
  moviola drop run.dem 'level 1' -o rest.dem
  moviola drop run.dem '#500' -o without.dem";

/// The arguments of `cut`.
#[derive(Debug, Args)]
#[command(after_help = format!("{HOW_SPANS}\n\n{CUT}"))]
pub(crate) struct CutArgs {
    #[command(flatten)]
    parts: Parts,
}

/// The arguments of `drop`.
#[derive(Debug, Args)]
#[command(after_help = format!("{HOW_SPANS}\n\n{DROP}"))]
pub(crate) struct DropArgs {
    #[command(flatten)]
    parts: Parts,
}

#[derive(Debug, Args)]
struct Parts {
    /// Which parts, in one word; `--help` says how.
    #[arg(
        value_name = "SPANS",
        allow_hyphen_values = true,
        long_help = "Which parts, as above, in one word"
    )]
    spans: String,
}

impl EditArgs for CutArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        Plan::parts(&self.parts.spans, Cut::keep)
    }
}

impl EditArgs for DropArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        Plan::parts(&self.parts.spans, Cut::drop)
    }
}
