//! Synthetic recordings: a stage on which actors can be placed, and test files for players.
//!
//! ```
//! use moviola_stage::{Stage, record};
//! let stage = Stage::new("e1m1").unwrap();
//! let recording = record(&stage.quake()).unwrap();
//! assert!(recording.starts_with(b"-1\n"));
//! ```
#![forbid(unsafe_code)]

mod every;
mod scene;
mod special;

pub use every::{MissingMessages, all_messages};
pub use scene::{NoStage, Stage};
pub use special::{cdtrack, qfont};

use moviola_text::{CompileError, CompileOptions, compile};
use std::io;

/// The recording of a text from this crate.
///
/// ```
/// use moviola_stage::{Stage, record};
/// let recording = record(&Stage::new("base1").unwrap().quake2()).unwrap();
/// assert!(recording.ends_with(b"\xff\xff\xff\xff"));
/// ```
pub fn record(text: &str) -> io::Result<Vec<u8>> {
    let mut recording = Vec::new();
    match compile(text.as_bytes(), &mut recording, &CompileOptions::default()) {
        Ok(_) => Ok(recording),
        Err(CompileError::Io(error)) => Err(error),
        Err(CompileError::Mistakes(mistakes)) => {
            let first = mistakes.first().map_or("", |mistake| &mistake.message);
            Err(io::Error::new(io::ErrorKind::InvalidInput, format!("the text has mistakes: {first}")))
        }
    }
}
