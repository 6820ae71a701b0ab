//! `moviola ghost`: other runs of the same level in a recording.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError, beside};
use crate::input::ReopenableInput;
use crate::inside::{self, WantedFiles};
use clap::Args;
use moviola::edit::{Ghost, OpenInput};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

const AFTER_HELP: &str = "\
The recorders of the other runs are shown in IN at the same game time, so that
viewers see who is ahead. If an OTHER has several attempts at a level, the first
one is shown. Ghosts make no sound and cast no light. They are half transparent in
Quake II and in the protocols of Quake that have transparency (666 and 999;
`moviola convert --to 666` converts to one of them). In QuakeWorld a ghost is a
player in an unused slot, OTHER is a .qwd, and both count from their first moment
in the level.

--gap shows once a second how far apart the runs are in time: +1.3 means that the
other runner was at this place 1.3 seconds earlier, -0.4 that the other runner
arrives 0.4 seconds later. Nothing is shown where the other runner never was, or
while the game itself shows a text in the middle of the screen.

Examples:
  moviola ghost mine.dem record.dem -o race.dem
  moviola ghost mine.dem slow.dem --shift -1.5 -o race.dem      with a head start
  moviola ghost mine.dem record.dem --gap -o race.dem
  moviola ghost mine.dm2 yours.dm2 theirs.dm2 -o race.dm2
  moviola cut all.dem 'level 3' | moviola ghost - record.dem -o race.dem";

/// The arguments of `ghost`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct GhostArgs {
    /// The other runs: all recordings after the first.
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,
    /// Show the ghosts this many seconds later; earlier, if negative.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true)]
    shift: f64,
    /// Show the time between the runs in the middle of the screen.
    #[arg(long)]
    gap: bool,
}

impl EditArgs for GhostArgs {
    fn files(&self) -> &[PathBuf] {
        &self.others
    }

    fn plan(&self, folder: &Path) -> Result<Plan, PlanError> {
        let mut others: Vec<(String, OpenInput<'static>)> = Vec::new();
        for path in &self.others {
            let other =
                ReopenableInput::new(inside::single(&beside(folder, path), WantedFiles::Recordings)?)?;
            let name = other.name().to_owned();
            let open = move || Ok(Box::new(other.open().map_err(io::Error::other)?) as _);
            others.push((name, Rc::new(open)));
        }
        let (shift, has_gap) = (self.shift, self.gap);
        Ok(Plan::looking(MistakePlace::Word("OTHER"), move |chain| {
            let ghost = Ghost::find(|| chain.open(), others)?;
            let ghost = ghost.shifted(shift);
            chain.then(if has_gap { ghost.with_gap() } else { ghost });
            Ok(())
        }))
    }
}
