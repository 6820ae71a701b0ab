//! Names of files as text that keeps every byte and can be turned back into the name, for lists that are
//! kept: two files never have the same text, and a listed file is found again.

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{ffi::OsString, os::unix::ffi::OsStringExt};

/// A name as text. Bytes that are not text, and control signs of a terminal, are written as `\xNN`.
#[cfg(unix)]
pub(crate) fn text(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for (at, character) in chunk.valid().char_indices() {
            let rest = chunk.valid().get(at..).unwrap_or_default();
            if character.is_control() || escaped_byte(rest.as_bytes()).is_some() {
                let mut bytes = [0; 4];
                push_escaped(&mut text, character.encode_utf8(&mut bytes).as_bytes());
            } else {
                text.push(character);
            }
        }
        push_escaped(&mut text, chunk.invalid());
    }
    text
}

/// The name from its text.
#[cfg(unix)]
pub(crate) fn path(text: &str) -> PathBuf {
    let mut rest = text.as_bytes();
    let mut name = Vec::with_capacity(rest.len());
    while let Some((byte, more)) = rest.split_first() {
        if let Some(escaped) = escaped_byte(rest) {
            name.push(escaped);
            rest = rest.get(ESCAPE_LENGTH..).unwrap_or_default();
        } else {
            name.push(*byte);
            rest = more;
        }
    }
    let name: OsString = OsStringExt::from_vec(name);
    name.into()
}

/// The length of a byte that is written in digits.
#[cfg(unix)]
const ESCAPE_LENGTH: usize = 4;

/// The byte at the start of a text, if it is written in digits.
#[cfg(unix)]
fn escaped_byte(text: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = *text else { return None };
    let digit = |it: u8| char::from(it).to_digit(16).and_then(|it| u8::try_from(it).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

#[cfg(unix)]
fn push_escaped(text: &mut String, bytes: &[u8]) {
    use std::fmt::Write as _;
    for byte in bytes {
        // Writing into a string cannot fail.
        let _ = write!(text, "\\x{byte:02x}");
    }
}

/// On other systems names are text, with odd exceptions, and a backslash separates folders.
#[cfg(not(unix))]
pub(crate) fn text(path: &Path) -> String {
    let shown = path.display().to_string();
    shown.chars().map(|it| if it.is_control() { char::REPLACEMENT_CHARACTER } else { it }).collect()
}

/// The name from its text.
#[cfg(not(unix))]
pub(crate) fn path(text: &str) -> PathBuf {
    text.into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::{path, text};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    #[test]
    fn every_name_comes_back() {
        for (name, shown) in [
            (&b"runs/caf\xC3\xA9.dem"[..], "runs/café.dem"),
            (b"caf\xE9.dem", "caf\\xe9.dem"),
            (b"a\nb", "a\\x0ab"),
            (b"\xC2\x85", "\\xc2\\x85"),
            (b"a\\xe9\\xg0\\", "a\\x5cxe9\\xg0\\"),
        ] {
            let name = Path::new(OsStr::from_bytes(name));
            assert_eq!(text(name), shown);
            assert_eq!(path(shown), name);
        }
    }
}
