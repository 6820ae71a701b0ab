//! `moviola capture`: a recording that takes pictures of itself, and the script that makes a film of them.

use crate::edits::{Asked, EditArgs, Plan, Refused};
use clap::Args;
use moviola::edit::Capture;
use std::path::Path;

const MORE: &str = "\
The recording says the command to the engine that plays it, as often as pictures
are due. Beside it a script is written (film.sh for film.dem) that sets the
engine's clock to one picture a frame, runs it, and makes film.mp4 of the
pictures with ffmpeg. So the film is smooth however slow the engine is.

  GAME=/games/quake sh film.sh

The script begins with what can be set: ENGINE, GAME, MOD, PICTURES, OPTIONS.

Examples:
  moviola capture run.dem --fps 60 -o film.dem
  moviola capture duel.dm2 --fps 30 -o film.dm2
  moviola cut run.dem 1:00..1:10 | moviola capture - --fps 60 -o film.dem
  moviola capture run.dem --fps 30 --command 'screenshot jpg' -o film.dem";

/// The arguments of `capture`.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct CaptureArgs {
    /// How many pictures a second.
    #[arg(long, value_name = "N")]
    fps: f64,
    /// The engine's command for a picture.
    #[arg(long, value_name = "WORDS", default_value = "screenshot")]
    command: String,
}

impl EditArgs for CaptureArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        let capture = Capture::new(self.fps, &self.command).map_err(|mistake| {
            let asked = if mistake.source == self.command.trim() { "--command" } else { "--fps" };
            Refused::word(asked, mistake)
        })?;
        Ok(Plan::of(Asked::Word("--command"), capture.clone()).and_film(capture))
    }
}
