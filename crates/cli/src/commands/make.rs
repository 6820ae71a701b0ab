//! `moviola make`: recordings for testers of players and readers.

use super::new::{CameraPlace, Game};
use crate::failure::Outcome;
use crate::output::{Destination, Kind, Output};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use moviola::stage::{all_messages, cdtrack, qfont, record};
use std::io::Write;

const AFTER_HELP: &str = "\
Kinds:
  qfont         shows all 252 letters of Quake's font, on the screen and the console
  cdtrack       asks for CD track 8 in Quake up to 1.08 and for track 10 in later
                engines, which read its first line in another way; both play it
  all-messages  contains every message of a protocol with several values: for
                programs that read recordings, not for playing

The first two are played in a level; every Quake has e1m1.

Examples:
  moviola make qfont -o qfont.dem
  moviola make cdtrack --map start -o cd.dem
  moviola make all-messages --protocol 666 -o all.dem
  moviola make all-messages --protocol 34 -o all.dm2";

/// Make a recording for testing: all letters, two CD tracks, or all messages
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MakeArgs {
    what: Subject,
    /// The protocol of all-messages, 15 by default; `explain messages` lists them.
    #[arg(long, value_name = "N")]
    protocol: Option<i32>,
    #[command(flatten)]
    place: CameraPlace,
    #[command(flatten)]
    out: Destination,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subject {
    Qfont,
    Cdtrack,
    AllMessages,
}

pub(crate) fn run(options: &MakeArgs) -> Result<Outcome> {
    let stage = options.place.stage(Game::Quake)?;
    if options.protocol.is_some() && options.what != Subject::AllMessages {
        bail!("--protocol is for all-messages: every Quake plays the others");
    }
    let recording = match options.what {
        Subject::Qfont => record(&qfont(&stage))?,
        Subject::Cdtrack => record(&cdtrack(&stage))?,
        Subject::AllMessages => all_messages(options.protocol.unwrap_or(15))?,
    };
    let mut out = options.out.open(Kind::Recording)?.buffered();
    out.write_all(&recording)?;
    Output::finish(out)?;
    Ok(Outcome::Good)
}
