//! `moviola make`: recordings for testers of players and readers.

use super::new::{CameraPlace, Game};
use crate::failure::Outcome;
use crate::output::{Destination, Kind, Output};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use moviola::stage::{all_messages, cdtrack, qfont, record};
use std::io::Write;

const MORE: &str = "\
  qfont         shows all 252 letters of Quake's font, on the screen and the console
  cdtrack       asks for the CD track 8 where Quake up to 1.08 reads its first
                line, and for 10 where later ones do; both play it
  all-messages  has every message of a protocol with several values: for readers,
                not for playing

The first two are played in a level; every Quake has e1m1.

Examples:
  moviola make qfont -o qfont.dem
  moviola make cdtrack --map start -o cd.dem
  moviola make all-messages --protocol 666 -o all.dem
  moviola make all-messages --protocol 34 -o all.dm2";

/// Make a recording for testers: all letters, two CD tracks, all messages
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    what: Subject,
    /// all-messages: whose messages, 15 by default; `explain messages` lists them.
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

pub(crate) fn run(options: &Options) -> Result<Outcome> {
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
