//! `moviola convert`: another protocol, another engine.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use anyhow::{Result, anyhow};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use moviola::check::{ENGINES, Engine};
use moviola::edit::Convert;
use moviola::format::Game;
use std::path::Path;

const AFTER_HELP: &str = "\
Losses are listed: entities that do not fit, coordinates that are rounded. Models
and sounds beyond 255 get other numbers as long as no more than that are in use.
Content that does not fit is left out; everything else looks as before.

For an engine, the problems that `moviola check` finds are fixed where possible:
the items bit and the size of the first block for Quake before 1.07, missing items
for later versions, unknown messages and effects, blocks and texts that are too
long, empty blocks. For damaged recordings use `moviola repair`.

A recording of QuakeWorld becomes one of Quake: a .qwd from the recorder's point of
view, a match (.mvd) from that of --player. Models, sounds and effects become
Quake's; Quake's engines have room for 16 players.

Examples:
  moviola convert new.dem --to 15 -o old.dem
  moviola convert match.mvd --player Bob --to 666 -o bob.dem
  moviola convert run.dem --for id-1.06 -o dos.dem
  moviola convert new.dem --to 15 --for darkplaces -o played.dem
  moviola convert q2-3.05.dm2 --to 34 -o today.dm2";

/// The arguments of `convert`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ConvertArgs {
    /// The protocol: 15, 666 or 999 of Quake, 34 of Quake II.
    #[arg(id = "protocol", long = "to", value_name = "PROTOCOL", value_parser = protocols(), hide_possible_values = true)]
    protocol: Option<i32>,
    /// The engine that will play it; `moviola check` names them.
    #[arg(id = "engine", long = "for", value_name = "ENGINE", value_parser = engines())]
    engine: Option<String>,
    /// The player whose point of view is kept of a QuakeWorld match (.mvd): a part of the name, or the number, counted
    /// from 1. If left out, the player with the most frags.
    // not from SCHEMA: an option
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
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        if self.protocol.is_none() && self.engine.is_none() {
            return Err(anyhow!("name --to PROTOCOL, --for ENGINE, or both").into());
        }
        let mut convert = self.protocol.map_or_else(Convert::default, Convert::to);
        let engine = self.engine.as_deref().and_then(Engine::find);
        if let Some(engine) = engine {
            convert = convert.engine(engine);
        }
        if let Some(player) = &self.player {
            convert = convert.of_player(player);
        }
        Ok(Plan::looking(MistakePlace::Word("--player"), move |chain| {
            convert.look(chain.open()?)?;
            chain.then(convert);
            engine.map_or(Ok(()), |engine| chain.judge(Some(engine.name)))
        }))
    }
}
