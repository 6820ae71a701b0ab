//! `moviola convert`: another protocol, another engine.

use crate::cli::Talk;
use crate::edits::{self, To};
use crate::failure::Outcome;
use anyhow::{Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use moviola::check::{ENGINES, Engine};
use moviola::edit::Convert;
use std::path::PathBuf;

const MORE: &str = "\
What the other protocol cannot say is listed: things that do not fit, places
that are rounded. Models and sounds beyond 255 get other numbers as long as
fewer are used. What has no room is left out; everything else looks as before.

For an engine, what `moviola check` finds about it is mended where it can be:
the items bit and the size of the first block for Quake before 1.07, missing
items for later ones, messages and effects that it does not know, blocks and
texts that are too long, empty blocks. A damaged recording is for
`moviola repair`.

Examples:
  moviola convert new.dem --to 15 -o old.dem
  moviola convert run.dem --for id-1.06 -o dos.dem
  moviola convert new.dem --to 15 --for darkplaces -o played.dem
  moviola convert q2-3.00.dm2 --to 34 -o today.dm2";

/// Convert a recording to another protocol, or for an engine
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// The recording; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The protocol: 15, 666 or 999 of Quake, 34 of Quake II.
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol)]
    to: Option<i32>,
    /// The engine that shall play it; `moviola check` names them.
    #[arg(id = "engine", long = "for", value_name = "ENGINE", value_parser = engines())]
    engine: Option<String>,
    #[command(flatten)]
    into: To,
}

fn protocol(word: &str) -> Result<i32, String> {
    let known: Vec<String> = Convert::protocols().map(|it| it.to_string()).collect();
    let number = word.parse().ok().filter(|_| known.iter().any(|it| it == word));
    number.ok_or_else(|| format!("protocols to convert to are {}", known.join(", ")))
}

fn engines() -> PossibleValuesParser {
    ENGINES.iter().map(|engine| engine.name).collect::<Vec<_>>().into()
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    if options.to.is_none() && options.engine.is_none() {
        bail!("say what it is for: --to PROTOCOL, --for ENGINE, or both");
    }
    let mut convert = options.to.map_or_else(Convert::default, Convert::to);
    if let Some(engine) = options.engine.as_deref().and_then(Engine::find) {
        convert = convert.engine(engine);
    }
    edits::edit_prepared(&options.input, &options.into, talk, "", convert, |convert, recording| {
        convert.look(recording.open().map_err(std::io::Error::other)?)
    })
}
