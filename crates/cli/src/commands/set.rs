//! `moviola set`: the CD track; names, colors and skins of players; models of entities; the header and footer of recordings of input.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::Set;
use std::path::Path;

const AFTER_HELP: &str = "\
Settings:
  cdtrack=4                     the music; -1 is the level's own
  cdtrack=none                  no first line at all (Quake; for engines before 1.09)
  player.2.name=\"Bob\"           **Bob** is in bronze
  player.2.colors=13,4          shirt and trousers (Quake)
  player.2.skin=female/athena   model and skin (Quake II)
  player.2.skin=base            skin (QuakeWorld)
  entity.12.model=progs/ogre.mdl
                                another model for an entity, wherever it has one

A player is given by number, counted from 1, or by a part of the name:
player.ranger.name. Texts on the console and the screen keep the old name, and a
note counts them; --in-texts changes the name there. An entity is given by its
number in the level, as `moviola decompile` shows it. Its new model is added to
the level's list; to play the recording, the engine needs the model's file.
Frame numbers stay, so the new model may be seen in other poses.

In recordings of input (DOOM's .lmp and Duke's .dmo):
  Skill=2                       a line of the header, by its name in the text
  portname=\"dsda-doom 0.25.6\"   a text of the footer: portname, cmdline
An unknown name lists all that exist. The counts in dsda-doom's header are
updated.

Examples:
  moviola set run.dem cdtrack=4 -o new.dem
  moviola set run.dem player.1.name='\"**The** Ranger\"' player.1.colors=4,4 -o new.dem
  moviola set duel.dm2 player.2.skin=female/athena -o new.dm2
  moviola set run.dem entity.12.model=progs/ogre.mdl -o actors.dem
  moviola set run.lmp Skill=2 cmdline='-iwad doom2.wad -complevel 2 ' -o new.lmp";

/// The arguments of `set`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SetArgs {
    /// Settings to change.
    #[arg(value_name = "NAME=VALUE", required = true)]
    settings: Vec<String>,
    /// Change the name in chat and other texts too.
    #[arg(long)]
    in_texts: bool,
}

impl EditArgs for SetArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let set = Set::parse(&self.settings).map_err(|mistake| PlanError::word("NAME=VALUE", mistake))?;
        let mut set = if self.in_texts { set.in_texts() } else { set };
        if !set.has_names() {
            return Ok(Plan::of(MistakePlace::Word("NAME=VALUE"), set));
        }
        Ok(Plan::looking(MistakePlace::Word("NAME=VALUE"), move |chain| {
            set.find(chain.open()?)?;
            chain.then(set);
            Ok(())
        }))
    }
}
