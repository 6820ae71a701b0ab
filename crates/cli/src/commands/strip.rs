//! `moviola strip`: removes messages of a kind from a recording.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::Strip;
use std::path::Path;

const AFTER_HELP: &str = "\
WHAT can be:
  chat          what players say
  prints        all console lines, including chat
  centerprints  texts in the middle of the screen
  cheats        engines' lines about cheating, and commands that cheat
  sounds        sounds that start, and Quake's ambient sounds
  commands      console commands, except those known to be harmless; the removed
                ones are listed
  pauses        pauses, and the blocks that only repeat during one (Quake)
  fades         commands that tint the screen
  entity:12     the entity with this number in the level, as with --entity 12: it
                becomes invisible, and its sounds are still heard
  MESSAGE       every message of this name; `moviola explain NAME` describes it

In recordings of QuakeWorld also:
  spectators    what spectators say
  hidden        the hidden messages of an MVD: damage, commands, statistics
  addresses     keys of players and servers whose value is a network address
  key:NAME      a key of the players' userinfo, such as key:team

Messages that engines need for playback stay. One WHAT may list several names,
separated by commas.

In recordings of input (DOOM's .lmp and Duke's .dmo):
  footer        the data that a port wrote after the tics
  pauses        pauses, with the tics that they last
  saves         the saving of games

Examples:
  moviola strip run.dem chat -o quiet.dem
  moviola strip run.dem prints,centerprints,pauses,fades -o clean.dem
  moviola strip stranger.dm2 commands -o safe.dm2
  moviola strip run.dem particle,temp_entity -o plain.dem
  moviola strip run.dem --entity 12 --entity 13 -o empty.dem
  moviola strip match.mvd spectators,addresses -o public.mvd
  moviola strip run.lmp footer -o plain.lmp";

/// The arguments of `strip`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StripArgs {
    /// The content to remove.
    // not from SCHEMA: an option
    #[arg(value_name = "WHAT", required_unless_present = "entity")]
    what: Vec<String>,
    /// Hide the entity with this number; may be repeated.
    #[arg(long, value_name = "NUMBER")]
    entity: Vec<u16>,
}

impl EditArgs for StripArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let hidden = self.entity.iter().map(|number| format!("entity:{number}"));
        let what: Vec<String> = self.what.iter().cloned().chain(hidden).collect();
        let strip = Strip::parse(&what.join(" ")).map_err(|mistake| PlanError::word("WHAT", mistake))?;
        Ok(Plan::of(MistakePlace::Word("WHAT"), strip))
    }
}
