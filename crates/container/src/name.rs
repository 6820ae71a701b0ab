//! Names in archives: arbitrary bytes, which become paths for people and paths that are safe to write.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

/// The separator between the path of an archive and the path inside it.
///
/// ```
/// use moviola_container::INSIDE;
/// assert_eq!("pak0.pak:demo1.dem".split_once(INSIDE), Some(("pak0.pak", "demo1.dem")));
/// ```
pub const INSIDE: char = ':';

/// A name as text: UTF-8, otherwise each byte as a character of Latin 1. Both separators become `/`.
///
/// ```
/// assert_eq!(moviola_container::name_text(b"demos\\caf\xe9.dem"), "demos/café.dem");
/// ```
pub fn name_text(name: &[u8]) -> String {
    decoded(name, char::from)
}

/// A name as text: UTF-8, otherwise the characters of DOS, which zip archives use by default.
pub(crate) fn dos(name: &[u8]) -> String {
    let letter = |byte: u8| match byte.checked_sub(128) {
        None => char::from(byte),
        Some(at) => DOS.chars().nth(at.into()).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    decoded(name, letter)
}

/// The characters of DOS from 128 on: code page 437.
const DOS: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

fn decoded(name: &[u8], letter: impl Fn(u8) -> char) -> String {
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    let text = match std::str::from_utf8(name) {
        Ok(text) => text.to_owned(),
        Err(_) => name.iter().copied().map(letter).collect(),
    };
    text.replace('\\', "/")
}

/// A path inside the file that `above` names.
pub(crate) fn join(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}{INSIDE}{name}") }
}

/// The names of an archive so far. An archive that was updated may contain a name twice: the second one becomes
/// `name~2`, so that each file has a unique name.
#[derive(Default)]
pub(crate) struct Names {
    state: RandomState,
    /// The last number of each name, by its hash, because names can be long.
    last: HashMap<u64, u32>,
}

impl Names {
    /// The name, or its next free numbered form.
    pub(crate) fn unused(&mut self, name: &str) -> String {
        let hash = self.state.hash_one(name);
        let Some(mut number) = self.last.get(&hash).copied() else {
            self.last.insert(hash, 1);
            return name.to_owned();
        };
        loop {
            number = number.saturating_add(1);
            let free = numbered(name, number);
            let of_free = self.state.hash_one(&free);
            if number == u32::MAX || !self.last.contains_key(&of_free) {
                self.last.insert(hash, number);
                self.last.insert(of_free, 1);
                return free;
            }
        }
    }
}

/// `in/run~2.dem` for `in/run.dem`.
fn numbered(name: &str, number: u32) -> String {
    let folder = name.rfind('/').map_or(0, |at| at + 1);
    let point = name.rfind('.').filter(|at| *at > folder).unwrap_or(name.len());
    let (stem, extension) = name.split_at_checked(point).unwrap_or((name, ""));
    format!("{stem}~{number}{extension}")
}

/// A path inside a container as a relative path that is safe to write on any system.
///
/// Drives, `..` and leading separators are removed, nested archives become folders, and characters and names
/// that some systems do not allow are changed. Some names become empty.
///
/// ```
/// use moviola_container::safe_path;
/// use std::path::Path;
/// assert_eq!(safe_path("pak0.pak:demo1.dem").as_deref(), Some(Path::new("pak0.pak/demo1.dem")));
/// assert_eq!(safe_path("../../etc/passwd").as_deref(), Some(Path::new("etc/passwd")));
/// assert_eq!(safe_path("C:\\aux.dem").as_deref(), Some(Path::new("C/_aux.dem")));
/// assert_eq!(safe_path(".."), None);
/// ```
pub fn safe_path(path: &str) -> Option<PathBuf> {
    let parts = path.split(['/', '\\', INSIDE]).filter_map(safe_part);
    let safe: PathBuf = parts.collect();
    (!safe.as_os_str().is_empty()).then_some(safe)
}

fn safe_part(part: &str) -> Option<String> {
    // Windows drops dots and blanks at the end, so `.. ` would be `..` there.
    let part = part.trim_end_matches(['.', ' ']).trim_start();
    let mut safe = String::new();
    for character in part.chars() {
        let odd = character.is_control() || matches!(character, '<' | '>' | '"' | '|' | '?' | '*');
        let character = if odd { '_' } else { character };
        // File systems allow names of 255 bytes.
        if safe.len() + character.len_utf8() > 255 {
            break;
        }
        safe.push(character);
    }
    let stem = safe.split('.').next().unwrap_or_default().trim_end();
    if is_device(stem) && safe.len() < 255 {
        safe.insert(0, '_');
    }
    (!safe.is_empty()).then_some(safe)
}

/// Names of devices on Windows, with any extension.
fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    let numbered = |word: &str| {
        let rest = stem.strip_prefix(word).map(str::as_bytes);
        matches!(rest, Some([b'0'..=b'9']))
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Component, Path};

    #[test]
    fn no_name_leads_out() {
        let names = [
            "/etc/passwd",
            "..\\..\\x",
            "a/../../b",
            ".. /x",
            "...",
            "\\\\host\\share\\x",
            "C:..\\x",
            "con",
            "a//b",
            "NUL.txt",
            "x\0y",
            " ..",
            "lpt1 .dem",
            "\u{1}",
            "a/./b",
            "::x",
        ];
        for name in names {
            let Some(path) = safe_path(name) else { continue };
            assert!(path.components().all(|part| matches!(part, Component::Normal(_))), "{name:?}: {path:?}");
        }
        assert_eq!(safe_path("lpt1 .dem").as_deref(), Some(Path::new("_lpt1 .dem")));
        assert_eq!(safe_path("console.dem").as_deref(), Some(Path::new("console.dem")));
        let long = "x".repeat(1000);
        assert_eq!(safe_path(&long).unwrap().as_os_str().len(), 255);
    }

    #[test]
    fn equal_names_get_numbers() {
        let mut names = Names::default();
        let all =
            ["a.dem", "a.dem", "a~2.dem", "a.dem", "d.x/.y", "d.x/.y", ""].map(|name| names.unused(name));
        assert_eq!(all, ["a.dem", "a~2.dem", "a~2~2.dem", "a~3.dem", "d.x/.y", "d.x/.y~2", ""]);
    }

    #[test]
    fn names_are_text() {
        assert_eq!(name_text(b"demos\\run.dem\0rubbish"), "demos/run.dem");
        assert_eq!(name_text(b"caf\xe9.dem"), "caf\u{e9}.dem");
        assert_eq!(name_text("caf\u{e9}".as_bytes()), "caf\u{e9}");
        assert_eq!((dos(b"caf\x82"), dos("caf\u{e9}".as_bytes())), ("caf\u{e9}".into(), "caf\u{e9}".into()));
        assert_eq!((DOS.chars().count(), dos(b"\x80\xE1\xFF")), (128, "\u{c7}\u{df}\u{a0}".into()));
        assert_eq!([join("", "x"), join("a.zip", "x")], ["x", "a.zip:x"]);
    }
}
