//! `moviola highlights`: what is interesting in a recording, and nothing else.

use crate::edits::{Ask, Asked, Plan, Refused};
use anyhow::Result;
use clap::Args;
use moviola::edit::{Cut, highlights};
use std::path::Path;

const MORE: &str = "\
Kept are kills, deaths, pickups, damage, chat, secrets, flags and powerups,
with some seconds before and after each; `moviola events` lists them. The parts
play and look as they did, by the rules of `moviola cut`.

Examples:
  moviola highlights match.dem -o film.dem
  moviola highlights match.dm2 --before 5 --after 3 -o film.dm2";

/// What `highlights` is told besides.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Words {
    /// How many seconds are kept before each event.
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = seconds)]
    before: f64,
    /// How many seconds are kept after each event.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    after: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "say a number of seconds, as in 2.5".into())
}

impl Ask for Words {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        let (before, after) = (self.before, self.after);
        Ok(Plan::looking(Asked::Word("--before"), move |chain| {
            let found = highlights(chain.open()?, before, after)?;
            chain.then(Cut::keep(found));
            Ok(())
        }))
    }
}
