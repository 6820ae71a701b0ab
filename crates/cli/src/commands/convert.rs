//! `moviola convert`: another protocol, another engine.

use crate::edits::{Asked, EditArgs, Plan, Refused};
use anyhow::{Result, anyhow};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use moviola::check::{ENGINES, Engine};
use moviola::edit::Convert;
use moviola::format::Game;
use std::path::Path;

const MORE: &str = "\
What the other protocol cannot say is listed: things that do not fit, places
that are rounded. Models and sounds beyond 255 get other numbers as long as
fewer are used. What has no room is left out; everything else looks as before.

For an engine, what `moviola check` finds about it is mended where it can be:
the items bit and the size of the first block for Quake before 1.07, missing
items for later ones, messages and effects that it does not know, blocks and
texts that are too long, empty blocks. A damaged recording is for
`moviola repair`.

A recording of QuakeWorld becomes one of Quake: of a .qwd with the eyes of the
player who recorded, of a match (.mvd) with those of --player. Models, sounds and
effects become Quake's; Quake's programs have room for 16 players.

Examples:
  moviola convert new.dem --to 15 -o old.dem
  moviola convert match.mvd --player Bob --to 666 -o bob.dem
  moviola convert run.dem --for id-1.06 -o dos.dem
  moviola convert new.dem --to 15 --for darkplaces -o played.dem
  moviola convert q2-3.05.dm2 --to 34 -o today.dm2";

/// The arguments of `convert`.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct ConvertArgs {
    /// The protocol: 15, 666 or 999 of Quake, 34 of Quake II.
    #[arg(id = "protocol", long = "to", value_name = "PROTOCOL", value_parser = protocols(), hide_possible_values = true)]
    protocol: Option<i32>,
    /// The engine that shall play it; `moviola check` names them.
    #[arg(id = "engine", long = "for", value_name = "ENGINE", value_parser = engines())]
    engine: Option<String>,
    /// Of a QuakeWorld match (.mvd) whose eyes: a part of the name, or the number, counted from 1. Without it those of the
    /// player with the most frags.
    // schema-once: an option
    #[arg(id = "player", long = "player", value_name = "NAME|N")]
    player: Option<String>,
}

impl ConvertArgs {
    /// A recording of QuakeWorld as one of Quake in which nothing is rounded.
    pub(crate) fn exact() -> Self {
        Self { protocol: Some(999), engine: None, player: None }
    }
}

fn protocols() -> impl TypedValueParser<Value = i32> {
    // Clap needs words that live forever; these are four, made once.
    let numbers = Convert::protocols().map(|number| &*number.to_string().leak());
    PossibleValuesParser::new(numbers).try_map(|number| number.parse::<i32>())
}

fn engines() -> PossibleValuesParser {
    // Nothing is converted to QuakeWorld.
    let engines = ENGINES.iter().filter(|engine| engine.game != Game::QuakeWorld);
    engines.map(|engine| engine.name).collect::<Vec<_>>().into()
}

impl EditArgs for ConvertArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        if self.protocol.is_none() && self.engine.is_none() {
            return Err(anyhow!("say what it is for: --to PROTOCOL, --for ENGINE, or both").into());
        }
        let mut convert = self.protocol.map_or_else(Convert::default, Convert::to);
        let engine = self.engine.as_deref().and_then(Engine::find);
        if let Some(engine) = engine {
            convert = convert.engine(engine);
        }
        if let Some(player) = &self.player {
            convert = convert.of_player(player);
        }
        Ok(Plan::looking(Asked::Word("--player"), move |chain| {
            convert.look(chain.open()?)?;
            chain.then(convert);
            engine.map_or(Ok(()), |engine| chain.judge(Some(engine.name)))
        }))
    }
}
