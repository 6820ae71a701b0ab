//! `moviola new`: the text of a recording that nobody played, a stage to put actors on.

use crate::failure::Outcome;
use crate::output::{Destination, Kind, Output};
use anyhow::Result;
use clap::{Args, ValueEnum};
use moviola::stage::{NoStage, Stage};
use std::io::Write;

const AFTER_HELP: &str = "\
The text describes a level in which nothing happens yet. Its comments explain
how to move the camera and how to bring on an actor. `moviola compile` makes a
recording from it that the game plays. The tutorial turns it into a scene.

Examples:
  moviola new --game quake --map e1m1 --at 480,-352,88 --yaw 90 -o scene.txt
  moviola new --game quake2 --map base1 --seconds 20 -o scene.txt
  moviola compile scene.txt -o scene.dem";

/// Write the text of a recording that nobody played: a stage for actors
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct NewArgs {
    /// The game that will play it.
    #[arg(long)]
    game: Game,
    /// The length in seconds, up to an hour.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    #[command(flatten)]
    place: CameraPlace,
    #[command(flatten)]
    out: Destination,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Game {
    Quake,
    Quake2,
}

/// Where the camera is.
#[derive(Debug, Args)]
pub(crate) struct CameraPlace {
    /// The level, by the name of its file; if left out, e1m1, and base1 for Quake II.
    #[arg(long, value_name = "NAME", value_parser = level)]
    map: Option<Stage>,
    /// The position of the camera, in units, as shown by the game's `viewpos` or by an event of a recording.
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true, value_parser = point)]
    at: [f64; 3],
    /// The direction of the camera, in degrees: 0 is east, 90 north.
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    yaw: f64,
}

fn level(name: &str) -> Result<Stage, String> {
    Stage::new(name).map_err(|bad| bad.to_string())
}

pub(crate) fn point(text: &str) -> Result<[f64; 3], String> {
    let parts: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    parts.and_then(|parts| parts.try_into().ok()).ok_or_else(|| "give X,Y,Z, as in 480,-352,88".into())
}

impl CameraPlace {
    /// A stage with the camera there. The default level is one that every copy of the game has.
    pub(crate) fn stage(&self, game: Game) -> Result<Stage, NoStage> {
        let map = match (&self.map, game) {
            (Some(map), _) => map.clone(),
            (None, Game::Quake) => Stage::new("e1m1")?,
            (None, Game::Quake2) => Stage::new("base1")?,
        };
        map.seen_from(self.at, self.yaw)
    }
}

pub(crate) fn run(options: &NewArgs) -> Result<Outcome> {
    let stage = options.place.stage(options.game)?.lasting(options.seconds);
    let text = match options.game {
        Game::Quake => stage.quake(),
        Game::Quake2 => stage.quake2(),
    };
    let mut out = options.out.open(Kind::Text)?.buffered();
    out.write_all(text.as_bytes())?;
    Output::finish(out)?;
    Ok(Outcome::Good)
}
