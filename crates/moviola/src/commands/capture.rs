//! `moviola capture`: a recording that takes pictures of itself, and the script that makes a film of them.

use crate::cli::Talk;
use crate::edits::{self, To};
use crate::failure::{self, Outcome};
use crate::input::is_dash;
use crate::output::{Destination, Kind, Output};
use anyhow::Result;
use clap::Args;
use moviola::edit::Capture;
use std::io::Write;
use std::path::PathBuf;

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

/// Make a recording take pictures of itself, and a script that makes a film
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// The recording; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// How many pictures a second.
    #[arg(long, value_name = "N")]
    fps: f64,
    /// The engine's command for a picture.
    #[arg(long, value_name = "WORDS", default_value = "screenshot")]
    command: String,
    #[command(flatten)]
    to: To,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let mut capture = match Capture::new(options.fps, &options.command) {
        Ok(capture) => capture,
        Err(mistake) => {
            let asked = if mistake.source == options.command.trim() { "--command" } else { "--fps" };
            return Ok(edits::misused(&[mistake], asked, &options.to, talk));
        }
    };
    let beside = options.to.out.output.as_deref().filter(|path| !is_dash(path));
    let script = beside.map(|path| {
        let script = path.with_extension("sh");
        (path, Destination { output: Some(script), force: options.to.out.force })
    });
    // Both are opened before either appears.
    let script = match script {
        Some((path, place)) => Some((path, place.open(Kind::Text)?.buffered())),
        None => None,
    };
    let outcome = edits::edit(&options.input, &options.to, talk, "", &mut capture)?;
    if let (Some((path, mut writer)), Outcome::Good) = (script, outcome) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writer.write_all(capture.script(&name).as_bytes())?;
        Output::finish(writer)?;
        if !talk.quiet {
            failure::line(&format!("  sh {} makes the film", path.with_extension("sh").display()));
        }
    }
    Ok(outcome)
}
