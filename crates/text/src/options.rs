//! What callers can ask of printing and parsing, and what they are told afterwards.

use crate::Diagnostic;
use moviola_format::Game;
use std::io;

/// How a recording is printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecompileOptions {
    /// Leave comments out.
    pub bare: bool,
    /// Say block numbers and the file offset of every message, in comments.
    pub offsets: bool,
    /// Only what LMPC understands; blocks that cannot be said are listed in [`Decompiled::unsaid`].
    pub lmpc: bool,
    /// Only these blocks, counted from 0, the last included.
    pub blocks: Option<(u64, u64)>,
    /// Only blocks of these game times in seconds, the last included.
    pub time: Option<(f64, f64)>,
    /// The name of the recording, for the first line's comment.
    pub source: Option<String>,
}

/// What was printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decompiled {
    /// The game; none where the input was no recording, or empty.
    pub game: Option<Game>,
    /// How many blocks.
    pub blocks: u64,
    /// How many bytes were read.
    pub bytes: u64,
    /// With [`DecompileOptions::lmpc`]: blocks that LMPC's language cannot say, and why.
    pub unsaid: Vec<(u64, String)>,
}

/// How a text is read.
#[derive(Clone, Debug, PartialEq)]
pub struct CompileOptions {
    /// Truncate, wrap and ignore as LMPC did, instead of refusing.
    pub lmpc: bool,
    /// How many mistakes are collected before reading stops.
    pub limit: usize,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self { lmpc: false, limit: 20 }
    }
}

/// What was made of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compiled {
    /// The game, as far as the text says.
    pub game: Option<Game>,
    /// How many blocks.
    pub blocks: u64,
    /// How many bytes were written.
    pub bytes: u64,
    /// What is probably not meant, though it can be said; at most as many as the limit of mistakes.
    pub warnings: Vec<Diagnostic>,
}

/// Why a text could not be turned into a recording.
#[derive(Debug)]
pub enum CompileError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The text has mistakes: all of them, in order, up to the limit.
    Mistakes(Vec<Diagnostic>),
}

impl From<io::Error> for CompileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
