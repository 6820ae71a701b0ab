//! `moviola highlights`: keeps only the interesting parts of a recording.

use crate::edits::{Asked, EditArgs, Plan, Refused};
use anyhow::Result;
use clap::Args;
use clap::builder::PossibleValuesParser;
use moviola::analyse::Kind;
use moviola::edit::{Cut, Highlights};
use std::path::Path;

const MORE: &str = "\
Kept are the kills of the recording player, with some seconds before and after
each. A recording in which this player kills nobody is cut to all kills, and one
without players to kill to what happens in it. --kind names other events, as
`moviola events` does. --top keeps the best parts only: kills close to each other
count for more, and so do those in the last ten seconds of a level. The parts
play and look as they did, by the rules of `moviola cut`.

Examples:
  moviola highlights match.dem -o film.dem
  moviola highlights match.dem --top 5 -o film.dem
  moviola highlights match.dm2 --kind kill,flag --before 5 --after 3 -o film.dm2";

/// The arguments of `highlights`.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct HighlightsArgs {
    /// How many seconds are kept before each event.
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = seconds)]
    before: f64,
    /// How many seconds are kept after each event.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    after: f64,
    /// Keep events of these kinds, of all players, instead of the player's kills.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', hide_possible_values = true,
        value_parser = PossibleValuesParser::new(Kind::ROWS.iter().map(|row| row.name)))]
    kind: Vec<String>,
    /// Keep only the best parts, up to this number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    top: Option<u16>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "say a number of seconds, as in 2.5".into())
}

impl EditArgs for HighlightsArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        let mut wanted =
            Highlights::new(self.before, self.after).of_kinds(self.kind.iter().map(String::as_str));
        if let Some(count) = self.top {
            wanted = wanted.top(usize::from(count));
        }
        Ok(Plan::looking(Asked::Word("--before"), move |chain| {
            let found = wanted.find(chain.open()?)?;
            chain.then(Cut::keep(found));
            Ok(())
        }))
    }
}
