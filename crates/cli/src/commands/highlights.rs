//! `moviola highlights`: keeps only the interesting parts of a recording.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use crate::event_kinds::EventKindParser;
use anyhow::Result;
use clap::Args;
use moviola::edit::{Cut, Highlights};
use std::path::Path;

const AFTER_HELP: &str = "\
The kills of the recorder are kept, with some seconds before and after each. If
the recorder kills nobody, all kills are kept; if the game has no players to
kill, the events of a game for one player are. --kind selects other events, as
in `moviola events`. --top keeps only the best parts: kills close to each other
count for more, and so do those in the last ten seconds of a level. The parts
look and sound as they did, as with `moviola cut`.

Examples:
  moviola highlights match.dem -o film.dem
  moviola highlights match.dem --top 5 -o film.dem
  moviola highlights match.dm2 --kind kill,flag --before 5 --after 3 -o film.dm2";

/// The arguments of `highlights`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct HighlightsArgs {
    /// The number of seconds to keep before each event.
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = seconds)]
    before: f64,
    /// The number of seconds to keep after each event.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    after: f64,
    /// Keep events of these kinds, by all players, instead of the recorder's kills.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', hide_possible_values = true,
        value_parser = EventKindParser)]
    kind: Vec<String>,
    /// Keep only this number of best parts.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    top: Option<u16>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "give a number of seconds, as in 2.5".into())
}

impl EditArgs for HighlightsArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let mut wanted =
            Highlights::new(self.before, self.after).of_kinds(self.kind.iter().map(String::as_str));
        if let Some(count) = self.top {
            wanted = wanted.top(usize::from(count));
        }
        Ok(Plan::looking(MistakePlace::Word("--before"), move |chain| {
            let found = wanted.find(chain.open()?)?;
            chain.then(Cut::keep(found));
            Ok(())
        }))
    }
}
