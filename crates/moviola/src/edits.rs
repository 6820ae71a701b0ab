//! What the commands of the cutting room have in common: a recording in, an edit, a recording out, and one line about it.

use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{Again, Input};
use crate::inside::{self, Wanted};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::render;
use anyhow::Result;
use clap::Args;
use moviola::edit::{Error, Found, Mistake, Rewrite, Spans, Summary, rewrite};
use std::io::BufWriter;
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
    write(inside::single_or_stdin(Some(input), Wanted::Recordings)?, to, talk, asked, rewriter)
}

/// Takes a recording through an edit that has to read it before: `prepare` opens it as often as it likes.
pub(crate) fn edit_prepared<R: Rewrite>(
    input: &Path,
    to: &To,
    talk: Talk,
    asked: &str,
    mut rewriter: R,
    prepare: impl FnOnce(&mut R, &Again) -> Result<(), Error>,
) -> Result<Outcome> {
    let recording = Again::new(inside::single_or_stdin(Some(input), Wanted::Recordings)?)?;
    match prepare(&mut rewriter, &recording) {
        Ok(()) => write(recording.open()?, to, talk, asked, &mut rewriter),
        Err(error) => failed(error, recording.name(), asked, to, talk),
    }
}

/// Takes parts of a recording through an edit that `make` makes of them. It is read twice, so that mistakes in the
/// spans are told before anything is written.
pub(crate) fn edit_parts<R: Rewrite>(
    input: &Path,
    spans: &str,
    to: &To,
    talk: Talk,
    make: impl FnOnce(Found) -> R,
) -> Result<Outcome> {
    let recording = Again::new(inside::single_or_stdin(Some(input), Wanted::Recordings)?)?;
    let found = match Spans::parse(spans) {
        Ok(spans) => spans.find(recording.open()?),
        Err(mistake) => Err(mistake.into()),
    };
    match found {
        Ok(found) => write(recording.open()?, to, talk, SPANS, &mut make(found)),
        Err(error) => failed(error, recording.name(), SPANS, to, talk),
    }
}

/// What mistakes in spans are in.
const SPANS: &str = "SPANS";

/// How spans are written, for the help of the commands that take them.
pub(crate) const HOW_SPANS: &str = "\
Spans, several with commas between:
  12.5..1:30             game time, in seconds or m:ss; either end may be left out
  #100..#200             blocks, counted from 0
  level 2                a level; level 2 0:10..0:20 is a part of it
  'chat \"cut here\" +5'   from an event until 5 seconds after it; -5 is before it,
                         -5 +5 around it; also print, centerprint, command
  'chat \"in\"..chat \"out\"'  from one event to another";

/// Takes a recording through an edit, and says what was done.
pub(crate) fn write(
    input: Input,
    to: &To,
    talk: Talk,
    asked: &str,
    rewriter: &mut dyn Rewrite,
) -> Result<Outcome> {
    write_by(input, to, talk, asked, |input, sink| rewrite(input, rewriter, sink))
}

/// The same, for an edit that drives itself.
pub(crate) fn write_by(
    input: Input,
    to: &To,
    talk: Talk,
    asked: &str,
    drive: impl FnOnce(Input, &mut BufWriter<Output>) -> Result<Summary, Error>,
) -> Result<Outcome> {
    let name = input.name().to_owned();
    let mut writer = to.out.open(Kind::Recording)?.buffered();
    let bar = Bar::bytes(input.size(), talk.quiet);
    let edited = drive(input.watched(&bar), &mut writer);
    bar.finish();
    let summary = match edited {
        Ok(summary) => summary,
        Err(error) => return failed(error, &name, asked, to, talk),
    };
    Output::finish(writer)?;
    report(&name, &summary, talk);
    Ok(Outcome::Good)
}

/// Says what was done, and what else is to be known.
pub(crate) fn report(name: &str, summary: &Summary, talk: Talk) {
    if !talk.quiet {
        failure::line(&format!("{name}: {summary}"));
        for note in &summary.notes {
            failure::line(&format!("  {note}"));
        }
    }
}

/// Says why nothing was written, for edits that are asked nothing.
pub(crate) fn fails(error: Error, name: &str) -> Result<Outcome> {
    match error {
        Error::Io(error) => Err(error.into()),
        error => anyhow::bail!("{name}: {error}"),
    }
}

/// Says why nothing was written.
fn failed(error: Error, name: &str, asked: &str, to: &To, talk: Talk) -> Result<Outcome> {
    match error {
        Error::Io(error) => Err(error.into()),
        Error::Mistakes(found) => Ok(if asked == SPANS {
            misused(&found, asked, to, talk)
        } else {
            mistakes(&found, asked, to, talk)
        }),
        error => anyhow::bail!("{name}: {error}"),
    }
}

/// Tells the mistakes in a word of the command line.
pub(crate) fn misused(found: &[Mistake], asked: &str, to: &To, talk: Talk) -> Outcome {
    mistakes(found, asked, to, talk);
    Outcome::Trouble
}

/// Tells the mistakes in what an edit was asked.
pub(crate) fn mistakes(found: &[Mistake], asked: &str, to: &To, talk: Talk) -> Outcome {
    render::mistakes(found, asked, to.json, talk.quiet, "no recording was made");
    Outcome::Bad
}
