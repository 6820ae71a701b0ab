//! JSON Lines: an object for each file, which begins with the file's name.

use crate::input::{is_dash, printable};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// A file's name and the data about it, in one JSON object.
#[derive(Serialize)]
struct Named<'a, T> {
    /// The name in printable form.
    file: String,
    /// The name's bytes in hexadecimal, if not all of them are printable.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
    #[serde(flatten)]
    what: &'a T,
}

/// The reason why the other fields are missing.
#[derive(Serialize)]
struct Failed<'a> {
    error: &'a str,
}

/// Prints the data about a file; `-` is standard input.
pub(crate) fn line(path: &Path, what: &impl Serialize) -> io::Result<()> {
    write(&mut io::stdout(), path, what)
}

/// Writes the data about a file.
pub(crate) fn write(out: &mut (impl Write + ?Sized), path: &Path, what: &impl Serialize) -> io::Result<()> {
    object(out, &Named { file: shown(path), file_hex: hex(path), what })
}

/// Writes an object that belongs to no single file.
pub(crate) fn object(out: &mut (impl Write + ?Sized), what: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(what)?)
}

/// Prints the reason why a file could not be read.
pub(crate) fn error(path: &Path, why: &str) -> io::Result<()> {
    line(path, &Failed { error: why })
}

fn shown(path: &Path) -> String {
    if is_dash(path) { "-".into() } else { printable(path) }
}

fn hex(path: &Path) -> Option<String> {
    let bytes = path.as_os_str().as_encoded_bytes();
    (shown(path).as_bytes() != bytes).then(|| {
        bytes.iter().fold(String::new(), |mut hex, byte| {
            // Writing into a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cannot_be_shown_are_printed_in_bytes() {
        assert_eq!((shown(Path::new("a.dem")), hex(Path::new("a.dem"))), ("a.dem".into(), None));
        assert_eq!(hex(Path::new("a\nb")).as_deref(), Some("610a62"));
        #[cfg(unix)]
        {
            let bytes: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"a\xffb");
            assert_eq!(hex(Path::new(bytes)).as_deref(), Some("61ff62"));
        }
        assert_eq!((shown(Path::new("-")), hex(Path::new("-"))), ("-".into(), None));
    }
}
