//! The commands that are one edit each. On the command line a recording comes before their words and an
//! output after them; a line of a script has nothing but the words.

use super::{
    camera, capture, convert, copy, cut, ghost, highlights, insert, repair, replace, retime, set, squeeze,
    strip, subtitle, view,
};
use crate::edits::EditArgs;
use clap::{Args, Subcommand};

/// One edit; `B` are the arguments before its own, and `A` those after them.
#[derive(Debug, Subcommand)]
pub(crate) enum SingleEdit<B: Args, A: Args> {
    /// Keep only some parts of a recording
    Cut(SurroundedArgs<B, cut::CutArgs, A>),
    /// Remove parts of a recording
    Drop(SurroundedArgs<B, cut::DropArgs, A>),
    /// Keep only the interesting parts of a recording
    Highlights(SurroundedArgs<B, highlights::HighlightsArgs, A>),
    /// Remove chat, prints, sounds, commands or messages by name
    Strip(SurroundedArgs<B, strip::StripArgs, A>),
    /// Set the CD track, or a player's name, colors or skin
    Set(SurroundedArgs<B, set::SetArgs, A>),
    /// Show an entity a second time
    Copy(SurroundedArgs<B, copy::CopyArgs, A>),
    /// Add subtitles to a recording
    Subtitle(SurroundedArgs<B, subtitle::SubtitleArgs, A>),
    /// Insert a message, a console command or a fade
    Insert(SurroundedArgs<B, insert::InsertArgs, A>),
    /// Replace a block with blocks that are written as text
    Replace(SurroundedArgs<B, replace::ReplaceArgs, A>),
    /// Film a recording with a camera that leaves the player
    Camera(SurroundedArgs<B, camera::CameraArgs, A>),
    /// Slow down or speed up parts of a recording
    Retime(SurroundedArgs<B, retime::RetimeArgs, A>),
    /// Show other runs of the same level as ghosts, at the same game time
    Ghost(SurroundedArgs<B, ghost::GhostArgs, A>),
    /// Extract one player's recording from that of a server, a Relay or a match
    View(SurroundedArgs<B, view::ViewArgs, A>),
    /// Repair a damaged recording so that engines play it
    Repair(SurroundedArgs<B, repair::RepairArgs, A>),
    /// Make a recording smaller without changing what it shows
    Squeeze(SurroundedArgs<B, squeeze::SqueezeArgs, A>),
    /// Convert a recording to another protocol or for an engine
    Convert(SurroundedArgs<B, convert::ConvertArgs, A>),
    /// Make a recording take screenshots, and write a script that films it
    Capture(SurroundedArgs<B, capture::CaptureArgs, A>),
}

/// The arguments of a command, with those before and after them.
#[derive(Debug, Args)]
pub(crate) struct SurroundedArgs<B: Args, W: Args, A: Args> {
    #[command(flatten)]
    before: B,
    #[command(flatten)]
    words: W,
    #[command(flatten)]
    after: A,
}

/// No arguments, for a command that has none before or none after the words of its edit.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct NoArgs {}

impl<B: Args, A: Args> SingleEdit<B, A> {
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

impl<B: Args, W: Args + EditArgs, A: Args> SurroundedArgs<B, W, A> {
    fn parts(&self) -> (&B, &dyn EditArgs, &A) {
        (&self.before, &self.words, &self.after)
    }
}
