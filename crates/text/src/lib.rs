//! The text language of Moviola: recordings to text and back, exactly.
#![forbid(unsafe_code)]

mod diagnostic;
mod fix_multi;
mod options;
mod recognise;

pub use diagnostic::*;
pub use fix_multi::{Fixed, fix_multi};
pub use options::*;
pub use recognise::is_text;
use std::io::{self, Read, Write};

/// Turns a recording into text.
///
/// # Errors
/// When reading or writing fails.
pub fn decompile<R: Read, W: Write>(input: R, output: W, options: &DecompileOptions) -> io::Result<Decompiled> {
    let _ = (input, output, options);
    Ok(Decompiled::default())
}

/// Turns a text into the recording that it describes.
///
/// # Errors
/// When reading or writing fails, or the text has mistakes.
pub fn compile<R: Read, W: Write>(input: R, output: W, options: &CompileOptions) -> Result<Compiled, CompileError> {
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
