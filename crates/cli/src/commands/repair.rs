//! `moviola repair`: damaged recordings into ones that play.

use crate::edits::{self, EditArgs, MistakePlace, Plan, PlanError, beside};
use crate::inside::{self, WantedFiles};
use clap::Args;
use moviola::edit::{Repair, Signon};
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
These problems are repaired: a file that ends inside a block or without its end,
blocks that cannot be read completely, blocks without messages, bytes outside of
blocks, wrong lengths of blocks, frames of Quake II that build on lost ones,
messages at which an engine stops, a clock that goes back so far that engines
crash, a missing line for the CD track, and missing stages of the connection. In
recordings of QuakeWorld also the kinds of blocks, times and numbers of packets
(clients drop all packets up to a number that damage has raised), and lists of
entities that build on lost packets. Losses are listed; an undamaged recording
stays the same.

A recording that began in the middle of a game does not contain the name of its
level. Another recording of the same level, if possible by the same engine, can
supply the beginning: the level, models, sounds and first positions of entities.
If only a part of it is damaged or lost, only that part is taken.

Examples:
  moviola repair joined-late.dem --signon other.dem -o whole.dem
  moviola repair crashed.dem -o whole.dem
  moviola repair unit1.dm2 -o plays-through.dm2
  moviola repair torn.qwd -o whole.qwd
  moviola check whole.dem";

/// The arguments of `repair`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RepairArgs {
    /// Take the beginning from this recording of the same level.
    #[arg(long, value_name = "OTHER")]
    signon: Option<PathBuf>,
}

impl EditArgs for RepairArgs {
    fn files(&self) -> &[PathBuf] {
        self.signon.as_slice()
    }

    fn plan(&self, folder: &Path) -> Result<Plan, PlanError> {
        let Some(other) = &self.signon else {
            return Ok(Plan::looking(MistakePlace::Word("IN"), |chain| {
                let repair = Repair::look(chain.open()?)?;
                chain.then(repair);
                chain.judge(None)
            }));
        };
        let other = inside::single(&beside(folder, other), WantedFiles::Recordings)?;
        let name = other.name().to_owned();
        let signon = Signon::of(other).map_err(|error| edits::in_file(error, &name))?;
        Ok(Plan::looking(MistakePlace::Word("--signon"), move |chain| {
            let signon = signon.fit(chain.open()?)?;
            chain.then(signon);
            let repair = Repair::look_behind(chain.open()?)?;
            chain.then(repair);
            chain.judge(None)
        }))
    }
}
