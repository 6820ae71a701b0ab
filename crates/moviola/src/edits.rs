//! What the commands of the cutting room have in common: a recording in, an edit, a recording out, and one line about it.

use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::inside::{self, Wanted};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::render;
use anyhow::Result;
use clap::Args;
use moviola::edit::{Error, Mistake, Rewrite, rewrite};
use std::path::Path;

/// Where the edited recording goes, and how mistakes are told.
#[derive(Debug, Args)]
pub(crate) struct To {
    #[command(flatten)]
    pub(crate) out: Destination,
    /// Print mistakes as JSON Lines on standard error.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Takes the recording through an edit. `asked` names what the edit's mistakes are in: a file, or an argument.
pub(crate) fn edit(
    input: &Path,
    to: &To,
    talk: Talk,
    asked: &str,
    rewriter: &mut dyn Rewrite,
) -> Result<Outcome> {
    let input = inside::single_or_stdin(Some(input), Wanted::Recordings)?;
    let name = input.name().to_owned();
    let mut writer = to.out.open(Kind::Recording)?.buffered();
    let bar = Bar::bytes(input.size(), talk.quiet);
    let edited = rewrite(input.watched(&bar), rewriter, &mut writer);
    bar.finish();
    let summary = match edited {
        Ok(summary) => summary,
        Err(Error::Io(error)) => return Err(error.into()),
        Err(Error::Mistakes(found)) => return Ok(mistakes(&found, asked, to, talk)),
        Err(error) => anyhow::bail!("{name}: {error}"),
    };
    Output::finish(writer)?;
    if !talk.quiet {
        failure::line(&format!("{name}: {summary}"));
        for note in &summary.notes {
            failure::line(&format!("  {note}"));
        }
    }
    Ok(Outcome::Good)
}

/// Tells the mistakes in what an edit was asked.
pub(crate) fn mistakes(found: &[Mistake], asked: &str, to: &To, talk: Talk) -> Outcome {
    render::mistakes(found, asked, to.json, talk.quiet);
    Outcome::Bad
}
