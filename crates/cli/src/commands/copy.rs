//! `moviola copy`: an entity a second time.

use super::new::point;
use crate::edits::{EditArgs, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::{CopyEntity, CopyPlace};
use std::path::Path;

const AFTER_HELP: &str = "\
ENTITY is the number that `moviola decompile` shows. The copy is visible while
its original is, and moves with it; it makes no sound of its own in Quake, and
nobody bumps into it. `strip --entity` can hide the original, and
`set entity.N.model=...` can give the copy another model, where N is the number
that `copy` prints.

Examples:
  moviola copy run.dem 13 --by 64,0,0 -o two.dem
  moviola copy run.dem 1 --at 480,-352,88 --turn 90 -o statue.dem
  moviola copy run.dm2 57 --by 0,0,96 | moviola strip - --entity 57 -o moved.dm2";

/// The arguments of `copy`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CopyArgs {
    /// The number of the entity.
    #[arg(value_name = "ENTITY")]
    entity: u16,
    /// The distance of the copy from its original, in units of the game.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    by: Option<[f64; 3]>,
    /// The position of the copy.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    #[arg(conflicts_with = "by", required_unless_present = "by")]
    at: Option<[f64; 3]>,
    /// Turn the copy to the left; to the right, if negative.
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f64,
}

impl EditArgs for CopyArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let (entity, turn) = (self.entity, self.turn);
        let stand = self.at.map_or(CopyPlace::Beside(self.by.unwrap_or_default()), CopyPlace::At);
        Ok(Plan::looking(MistakePlace::Word("ENTITY"), move |chain| {
            let copy = CopyEntity::find(chain.open()?, entity, stand, turn)?;
            chain.then(copy);
            Ok(())
        }))
    }
}
