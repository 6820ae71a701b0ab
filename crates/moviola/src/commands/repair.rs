//! `moviola repair`: damaged recordings into ones that play.

use crate::cli::Talk;
use crate::edits::{To, fails, write, write_by};
use crate::failure::Outcome;
use crate::input::Again;
use crate::inside::{self, Wanted};
use anyhow::Result;
use clap::Args;
use moviola::edit::{Repair, Signon};
use std::path::PathBuf;

const MORE: &str = "\
What is mended: a file that ends inside a block or without its end, blocks
that cannot be read to their end, blocks without messages, bytes that are no
block, what stops an engine between levels, a missing line for the CD track,
and missing stages of the connection. What was lost is said; a recording that
is sound stays as it is.

A recording that was begun in the middle of a game does not say which level is
played. Another one of the same level, of the same engine if possible, can lend
its beginning: the level, models, sounds and things at their first places.

Examples:
  moviola repair joined-late.dem --signon other.dem -o whole.dem
  moviola repair crashed.dem -o whole.dem
  moviola repair unit1.dm2 -o plays-through.dm2
  moviola check whole.dem";

/// Mend a recording so that engines play it
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// The recording; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Take the beginning from this recording of the same level.
    #[arg(long, value_name = "OTHER")]
    signon: Option<PathBuf>,
    #[command(flatten)]
    to: To,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let recording = Again::new(inside::single(&options.input, Wanted::Recordings)?)?;
    if let Some(other) = &options.signon {
        let other = inside::single(other, Wanted::Recordings)?;
        let name = other.name().to_owned();
        let signon = match Signon::of(other) {
            Ok(signon) => signon,
            Err(error) => return fails(error, &name),
        };
        return match Repair::look_behind(recording.open()?, &signon) {
            Ok(mut repair) => write_by(recording.open()?, &options.to, talk, "", |input, sink| {
                signon.rewrite(input, &mut repair, sink)
            }),
            Err(error) => fails(error, recording.name()),
        };
    }
    match Repair::look(recording.open()?) {
        Ok(mut repair) => write(recording.open()?, &options.to, talk, "", &mut repair),
        Err(error) => fails(error, recording.name()),
    }
}
