//! The commands that are one edit each. On the command line a recording comes before their words and an
//! output behind them; a line of a script has nothing but the words.

use super::{
    camera, capture, convert, copy, cut, ghost, highlights, insert, repair, replace, retime, set, squeeze,
    strip, subtitle, view,
};
use crate::edits::EditArgs;
use clap::{Args, Subcommand};

/// One edit; `B` are the arguments before its own, and `A` those after them.
#[derive(Debug, Subcommand)]
pub(crate) enum Single<B: Args, A: Args> {
    /// Keep just some parts of a recording
    Cut(Around<B, cut::CutArgs, A>),
    /// Leave parts of a recording out
    Drop(Around<B, cut::DropArgs, A>),
    /// Keep what is interesting in a recording
    Highlights(Around<B, highlights::HighlightsArgs, A>),
    /// Take chat, prints, sounds, commands or messages by name out of a recording
    Strip(Around<B, strip::StripArgs, A>),
    /// Set the CD track, or a player's name, colors or skin
    Set(Around<B, set::SetArgs, A>),
    /// Show an entity a second time
    Copy(Around<B, copy::CopyArgs, A>),
    /// Put subtitles into a recording
    Subtitle(Around<B, subtitle::SubtitleArgs, A>),
    /// Put a message, a console command or a fade into a recording
    Insert(Around<B, insert::InsertArgs, A>),
    /// Put blocks written as a text in the place of a block
    Replace(Around<B, replace::ReplaceArgs, A>),
    /// Film a recording anew: the camera leaves the player
    Camera(Around<B, camera::CameraArgs, A>),
    /// Make parts of a recording slower or faster
    Retime(Around<B, retime::RetimeArgs, A>),
    /// Show other runs of the same level in a recording, in step with its clock
    Ghost(Around<B, ghost::GhostArgs, A>),
    /// Make one player's recording of a server's, a Relay's or a match's recording
    View(Around<B, view::ViewArgs, A>),
    /// Mend a recording so that engines play it
    Repair(Around<B, repair::RepairArgs, A>),
    /// Make a recording smaller without changing what it shows
    Squeeze(Around<B, squeeze::SqueezeArgs, A>),
    /// Convert a recording to another protocol, or for an engine
    Convert(Around<B, convert::ConvertArgs, A>),
    /// Make a recording take pictures of itself, and a script that makes a film
    Capture(Around<B, capture::CaptureArgs, A>),
}

/// The arguments of a command, with those before and after them.
#[derive(Debug, Args)]
pub(crate) struct Around<B: Args, W: Args, A: Args> {
    #[command(flatten)]
    before: B,
    #[command(flatten)]
    words: W,
    #[command(flatten)]
    after: A,
}

/// Nothing before the words of a command, or after them.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Nothing {}

impl<B: Args, A: Args> Single<B, A> {
    /// The arguments before the words, the words, and the arguments after them.
    pub(crate) fn parts(&self) -> (&B, &dyn EditArgs, &A) {
        match self {
            Self::Cut(it) => it.parts(),
            Self::Drop(it) => it.parts(),
            Self::Highlights(it) => it.parts(),
            Self::Strip(it) => it.parts(),
            Self::Set(it) => it.parts(),
            Self::Copy(it) => it.parts(),
            Self::Subtitle(it) => it.parts(),
            Self::Insert(it) => it.parts(),
            Self::Replace(it) => it.parts(),
            Self::Camera(it) => it.parts(),
            Self::Retime(it) => it.parts(),
            Self::Ghost(it) => it.parts(),
            Self::View(it) => it.parts(),
            Self::Repair(it) => it.parts(),
            Self::Squeeze(it) => it.parts(),
            Self::Convert(it) => it.parts(),
            Self::Capture(it) => it.parts(),
        }
    }
}

impl<B: Args, W: Args + EditArgs, A: Args> Around<B, W, A> {
    fn parts(&self) -> (&B, &dyn EditArgs, &A) {
        (&self.before, &self.words, &self.after)
    }
}
