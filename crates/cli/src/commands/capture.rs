//! `moviola capture`: a recording that takes pictures of itself, and the script that makes a film of them.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::Capture;
use std::path::Path;

const AFTER_HELP: &str = "\
The recording sends the screenshot command to the engine that plays it, once for
each picture of the film. The script beside it (film.sh for film.dem) sets the
engine's clock to one picture a frame, runs the engine, and makes film.mp4 from
the pictures with ffmpeg. So the film is smooth, however slow the engine is.

  GAME=/games/quake sh film.sh

The script begins with its settings: ENGINE, GAME, MOD, PICTURES, OPTIONS.

Examples:
  moviola capture run.dem --fps 60 -o film.dem
  moviola capture duel.dm2 --fps 30 -o film.dm2
  moviola cut run.dem 1:00..1:10 | moviola capture - --fps 60 -o film.dem
  moviola capture run.dem --fps 30 --command 'screenshot jpg' -o film.dem";

/// The arguments of `capture`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CaptureArgs {
    /// The number of pictures a second.
    #[arg(long, value_name = "N")]
    fps: f64,
    /// The engine's command for a screenshot.
    #[arg(long, value_name = "WORDS", default_value = "screenshot")]
    command: String,
}

impl EditArgs for CaptureArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let capture = Capture::new(self.fps, &self.command).map_err(|mistake| {
            let asked = if mistake.source == self.command.trim() { "--command" } else { "--fps" };
            PlanError::word(asked, mistake)
        })?;
        Ok(Plan::of(MistakePlace::Word("--command"), capture.clone()).and_film(capture))
    }
}
