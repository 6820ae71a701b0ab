//! `moviola cut` and `moviola drop`: parts of a recording, which play and look as they did.

use crate::edits::{EditArgs, HOW_SPANS, MistakePlace, Plan, PlanError};
use crate::input::ReopenableInput;
use clap::Args;
use moviola::edit::{Chain, Cut, Error, ReplacementSource, Spans, join, rewrite};
use std::io;
use std::path::Path;
use std::rc::Rc;

const CUT: &str = "\
The state of the game before each part is rebuilt: names, colors, frags, light
styles, stats, the view; in Quake II also the config strings and one full frame;
in QuakeWorld all entities, and in an MVD all players with their stats. Every
moment that remains looks and sounds as it did. The match statistics in an MVD
stay as they were.

Examples:
  moviola cut run.dem 12.5..1:30 -o short.dem
  moviola cut run.dem ..0:10,5:00.. -o ends.dem       two parts of it
  moviola cut match.dm2 'chat \"gg\" -20' -o end.dm2    the last 20 seconds
  moviola cut run.dem 30..40 0..10 --in-order-given -o film.dem
  moviola cut - 'level 2' < all.dem > second.dem";

const DROP: &str = "\
Everything except the spans is kept, in the same way as by `moviola cut`.

Examples:
  moviola drop run.dem 0:30..4:00 -o short.dem
  moviola drop run.dem 'level 1' -o rest.dem
  moviola drop run.dem '#500' -o without.dem";

/// The arguments of `cut`.
#[derive(Debug, Args)]
#[command(after_help = format!("{HOW_SPANS}\n\n{CUT}"))]
pub(crate) struct CutArgs {
    #[command(flatten)]
    parts: Parts,
    /// Keep the parts in the order of the command line, not of the recording.
    ///
    /// Each argument is a part. Engines load the level again between two parts.
    #[arg(long)]
    in_order_given: bool,
}

/// The arguments of `drop`.
#[derive(Debug, Args)]
#[command(after_help = format!("{HOW_SPANS}\n\n{DROP}"))]
pub(crate) struct DropArgs {
    #[command(flatten)]
    parts: Parts,
}

#[derive(Debug, Args)]
struct Parts {
    /// The parts; `--help` describes how to write them.
    #[arg(
        value_name = "SPANS",
        allow_hyphen_values = true,
        long_help = "The parts, as described above; more of them may follow"
    )]
    spans: String,
    /// More spans.
    #[arg(value_name = "SPANS", id = "more_spans", hide = true)]
    more: Vec<String>,
}

impl Parts {
    fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.spans).chain(self.more.iter().map(|it| &**it))
    }

    fn as_one(&self) -> String {
        self.all().collect::<Vec<_>>().join(",")
    }
}

impl EditArgs for CutArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        if !self.in_order_given || self.parts.more.is_empty() {
            return Plan::parts(&self.parts.as_one(), Cut::keep);
        }
        let parse = |words: &str| Spans::parse(words).map_err(|mistake| PlanError::word("SPANS", mistake));
        let parts = self.parts.all().map(parse).collect::<Result<Vec<_>, _>>()?;
        Ok(Plan::looking(MistakePlace::Word("SPANS"), move |chain| reorder(chain, &parts)))
    }
}

impl EditArgs for DropArgs {
    fn plan(&self, _: &Path) -> Result<Plan, PlanError> {
        Plan::parts(&self.parts.as_one(), Cut::drop)
    }
}

/// Cuts each part into a file of its own, and joins these in their order.
fn reorder(chain: &mut Chain<'static>, parts: &[Spans]) -> Result<(), Error> {
    let to_io_error = |error: anyhow::Error| Error::Io(io::Error::other(error.to_string()));
    let mut pieces = Vec::new();
    for spans in parts {
        let mut cut = Cut::keep(spans.find(chain.open()?)?);
        let made = ReopenableInput::keep_output(spans.text(), |file| rewrite(chain.open()?, &mut cut, file));
        pieces.push(made.map_err(to_io_error)??);
    }
    let sources =
        pieces.iter().map(ReopenableInput::open).collect::<Result<Vec<_>, _>>().map_err(to_io_error)?;
    let joined =
        ReopenableInput::keep_output("the parts", |file| join(sources, file)).map_err(to_io_error)??;
    let open = move || Ok(Box::new(joined.open().map_err(io::Error::other)?) as _);
    chain.then(ReplacementSource::new(Rc::new(open), format!("{} parts in the order given", parts.len())));
    Ok(())
}
