//! `moviola retime`: slow motion and time-lapse.

use crate::edits::{EditArgs, HOW_SPANS, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::{FoundSpans, Retime, Speed};
use std::path::Path;

const AFTER_HELP: &str = "\
Quake: only the game's times are rewritten. Engines do not smooth steps longer
than 0.1 s; a note lists such steps. --smooth adds 20 blocks a second with
interpolated movement, except across teleports.
QuakeWorld: the times of all blocks and of the player's commands are rewritten.
Quake II has no times, but ten frames a second: frames are added or removed, and
positions and angles in added frames are interpolated. Sounds, prints and effects
occur once, at their time.

Examples:
  moviola retime run.dem 0.25 1:02..1:05 -o slow.dem    a jump in slow motion
  moviola retime run.dem 1/4 --smooth 1:02..1:05 -o slow.dem
  moviola retime run.dem 1/2 -o half.dem                all of it
  moviola retime duel.dm2 4x '..0:30' -o short.dm2      a quick beginning";

/// The arguments of `retime`.
#[derive(Debug, Args)]
#[command(after_help = format!("{HOW_SPANS}\n\n{AFTER_HELP}"))]
pub(crate) struct RetimeArgs {
    /// The speed: 0.5, 1/2 or 50% is half as fast, 2 or 2x twice as fast.
    #[arg(value_name = "SPEED", allow_hyphen_values = true)]
    speed: String,
    /// The parts, as one argument; the whole recording, if left out.
    #[arg(value_name = "SPANS", allow_hyphen_values = true)]
    spans: Option<String>,
    /// Quake: add blocks in slow motion, so that it does not stutter.
    #[arg(long)]
    smooth: bool,
}

impl EditArgs for RetimeArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let speed = Speed::parse(&self.speed).map_err(|mistake| PlanError::word("SPEED", mistake))?;
        let is_smooth = self.smooth;
        let retime = move |found| {
            let retime = Retime::new(speed, found);
            if is_smooth { retime.smoothed() } else { retime }
        };
        match &self.spans {
            Some(spans) => Plan::parts(spans, retime),
            None => Ok(Plan::of(MistakePlace::Word("SPEED"), retime(FoundSpans::all()))),
        }
    }
}
