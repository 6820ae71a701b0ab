//! `moviola cut` and `moviola drop`: parts of a recording, which play and look as they did.

use crate::edits::{Asked, EditArgs, HOW_SPANS, Plan, Refused};
use crate::input::Again;
use clap::Args;
use moviola::edit::{Chain, Cut, Error, Replaced, Spans, join, rewrite};
use std::io;
use std::path::Path;
use std::rc::Rc;

const CUT: &str = "\
What stands before each part is rebuilt: names, colors, frags, light styles,
stats, the view; in Quake II also the config strings and one full frame; in
QuakeWorld all entities, and of an MVD all players with their stats. Every moment
that remains is drawn and heard as it was. An MVD's statistics of the match stay.

Examples:
  moviola cut run.dem 12.5..1:30 -o short.dem
  moviola cut run.dem ..0:10,5:00.. -o ends.dem       two parts of it
  moviola cut match.dm2 'chat \"gg\" -20' -o end.dm2    the last 20 seconds
  moviola cut run.dem 30..40 0..10 --in-order-given -o film.dem
  moviola cut - 'level 2' < all.dem > second.dem";

const DROP: &str = "\
Everything but the spans is kept, by the rules of `moviola cut`.

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
    /// Keep the parts in the order in which they are named, not in that of the recording.
    ///
    /// Each word of spans is a part. Engines load the level again between two of them.
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
    /// Which parts, in words; `--help` says how.
    #[arg(value_name = "SPANS", allow_hyphen_values = true, long_help = "Which parts, as above")]
    spans: String,
    /// More parts.
    #[arg(value_name = "SPANS", id = "more_spans")]
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
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        if !self.in_order_given || self.parts.more.is_empty() {
            return Plan::parts(&self.parts.as_one(), Cut::keep);
        }
        let parse = |words: &str| Spans::parse(words).map_err(|mistake| Refused::word("SPANS", mistake));
        let parts = self.parts.all().map(parse).collect::<Result<Vec<_>, _>>()?;
        Ok(Plan::looking(Asked::Word("SPANS"), move |chain| reorder(chain, &parts)))
    }
}

impl EditArgs for DropArgs {
    fn plan(&self, _: &Path) -> Result<Plan, Refused> {
        Plan::parts(&self.parts.as_one(), Cut::drop)
    }
}

/// Cuts each part into a file of its own, and joins these in their order.
fn reorder(chain: &mut Chain<'static>, parts: &[Spans]) -> Result<(), Error> {
    let kept = |error: anyhow::Error| Error::Io(io::Error::other(error.to_string()));
    let mut pieces = Vec::new();
    for spans in parts {
        let mut cut = Cut::keep(spans.find(chain.open()?)?);
        let made = Again::made(spans.text(), |file| rewrite(chain.open()?, &mut cut, file));
        pieces.push(made.map_err(kept)??);
    }
    let sources = pieces.iter().map(Again::open).collect::<Result<Vec<_>, _>>().map_err(kept)?;
    let joined = Again::made("the parts", |file| join(sources, file)).map_err(kept)??;
    let open = move || Ok(Box::new(joined.open().map_err(io::Error::other)?) as _);
    chain.then(Replaced::new(Rc::new(open), format!("{} parts in the order given", parts.len())));
    Ok(())
}
