//! `moviola insert`: messages, commands for the console and fades at moments of a recording.

use crate::edits::{EditArgs, HOW_SPANS, MistakePlace, Plan, PlanError};
use clap::Args;
use moviola::edit::{Insert, Spans};
use std::path::Path;

const AFTER_HELP: &str = "\
WHEN is a time, or spans, which insert at the beginning of each span. WHAT is

  any message, written as in a text     'centerprint \"Go\\n\"'; see docs/text.md
  command TEXT     a console command that changes nothing on the machine of a
                   viewer, such as fov or crosshair
  fov DEGREES      the field of view from then on
  fade SECONDS     a fade to black in this time; from black, if negative (Quake)

A later message of the recording may override the inserted one.

Examples:
  moviola insert run.dem 1:12.5 'centerprint \"Look left\"' -o film.dem
  moviola insert run.dem 'kill -0.5' 'command \"bf\"' -o film.dem   a flash before each kill
  moviola insert run.dem 'level 2' 'fov 110' -o wide.dem
  moviola insert run.dem 2:10 'fade 2' -o end.dem";

/// The arguments of `insert`.
#[derive(Debug, Args)]
#[command(after_help = format!("{HOW_SPANS}\n\n{AFTER_HELP}"))]
pub(crate) struct InsertArgs {
    /// The time, or spans, as one argument.
    #[arg(value_name = "WHEN", allow_hyphen_values = true)]
    when: String,
    /// The content, as one argument.
    #[arg(value_name = "WHAT")]
    what: String,
}

impl EditArgs for InsertArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        let insert = Insert::parse(&self.what).map_err(|mistake| PlanError::word("WHAT", mistake))?;
        // A time alone is not a span: it stands for the span that begins there.
        let open = format!("{}..", self.when);
        let is_time = Spans::parse(&self.when).is_err() && Spans::parse(&open).is_ok();
        let when = if is_time { &open } else { &self.when };
        let when = Spans::parse(when).map_err(|mistake| PlanError::word("WHEN", mistake))?;
        Ok(Plan::looking(MistakePlace::Word("the words"), move |chain| {
            let found = when.find(chain.open()?)?;
            chain.then(insert.at(found));
            Ok(())
        }))
    }
}
