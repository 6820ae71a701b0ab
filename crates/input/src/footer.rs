//! The bytes that ports append after the end mark: a small WAD file with texts, or other bytes.

use crate::escape::{quoted, unquoted};

/// A footer with more bytes than this is not parsed.
pub(crate) const LARGEST: usize = 1 << 20;

const MAGIC: &[u8] = b"PWAD";
const HEAD: usize = 12;
const ENTRY: usize = 16;

/// The texts that ports write, by the names of their lumps.
pub(crate) static LUMPS: &[(&str, &str)] = &[
    ("VERSION", "the version of the footer, by PrBoom+"),
    ("PORTNAME", "the port that recorded, and its version"),
    ("CMDLINE", "the port's command line: the WAD files, -complevel, -solo-net"),
    ("FEATURES", "the features of dsda-doom that were used, and its signature of the tics"),
];

/// A part of a footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FooterPart {
    /// The lump's name; bytes between the lumps have none.
    pub(crate) name: Option<String>,
    pub(crate) bytes: Vec<u8>,
}

/// Whether a key of a text can be a lump's name.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=8).contains(&name.len())
        && name.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-'))
}

/// A footer with a WAD file, and other tools' bytes before and after it. Ports also search for the WAD file anywhere
/// after the end mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) before: Vec<u8>,
    pub(crate) parts: Vec<FooterPart>,
    pub(crate) bytes_after: Vec<u8>,
}

impl Footer {
    /// Reads the first WAD file in a footer; `None` if [`Self::built`] would not make the same bytes from it.
    pub(crate) fn read(footer: &[u8]) -> Option<Self> {
        let at = wad_at(footer)?;
        let (before, wad) = footer.split_at(at);
        let parts = parts(wad)?;
        let behind = wad.strip_prefix(wad_file(&parts).as_slice())?;
        Some(Self { before: before.to_vec(), parts, bytes_after: behind.to_vec() })
    }

    pub(crate) fn built(&self) -> Vec<u8> {
        [&self.before[..], &wad_file(&self.parts), &self.bytes_after].concat()
    }

    /// The text of a lump, without surrounding zeros, line ends and spaces.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let part = self.parts.iter().find(|part| part.name.as_deref() == Some(name))?;
        Some(String::from_utf8_lossy(&part.bytes).trim_matches(['\0', '\n', ' ']).to_owned())
    }

    /// The game's own WAD file that the command line names.
    pub(crate) fn iwad(&self) -> Option<String> {
        option(&words(&self.text("CMDLINE")?), "-iwad").next().cloned()
    }

    /// Replaces the text of a lump, or appends a new one; each is on a separate line, as in ports.
    pub(crate) fn set(&mut self, name: &str, text: &str) {
        let bytes = text.as_bytes().to_vec();
        if let Some(part) = self.parts.iter_mut().find(|part| part.name.as_deref() == Some(name)) {
            part.bytes = bytes;
            return;
        }
        let line_end = || FooterPart { name: None, bytes: b"\n".to_vec() };
        if self.parts.last().is_none_or(|part| part.name.is_some()) {
            self.parts.push(line_end());
        }
        self.parts.push(FooterPart { name: Some(name.to_owned()), bytes });
        self.parts.push(line_end());
    }
}

/// The offset of the first WAD file in a footer.
pub(crate) fn wad_at(footer: &[u8]) -> Option<usize> {
    footer.windows(MAGIC.len()).position(|bytes| bytes == MAGIC)
}

/// The lumps at the start of these bytes, and the bytes between them.
fn parts(wad: &[u8]) -> Option<Vec<FooterPart>> {
    let rest = wad.strip_prefix(MAGIC)?;
    let int = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4)?.first_chunk().map(|it| u32::from_le_bytes(*it) as usize)
    };
    let (count, directory) = (int(rest, 0)?, int(rest, 4)?);
    let entries = wad.get(directory..)?.get(..count.checked_mul(ENTRY)?)?;
    if directory < HEAD {
        return None;
    }
    let (mut parts, mut at) = (Vec::new(), HEAD);
    let between = |from: usize, to: usize, parts: &mut Vec<FooterPart>| {
        let bytes = wad.get(from..to)?;
        if !bytes.is_empty() {
            parts.push(FooterPart { name: None, bytes: bytes.to_vec() });
        }
        Some(())
    };
    for entry in entries.chunks_exact(ENTRY) {
        let (from, length) = (int(entry, 0)?, int(entry, 4)?);
        let name: Vec<u8> = entry.get(8..)?.iter().copied().take_while(|byte| *byte != 0).collect();
        let name = String::from_utf8(name).ok().filter(|name| is_name(name))?;
        between(at, from, &mut parts)?;
        at = from.checked_add(length).filter(|end| *end <= directory)?;
        parts.push(FooterPart { name: Some(name), bytes: wad.get(from..at)?.to_vec() });
    }
    between(at, directory, &mut parts)?;
    Some(parts)
}

/// Builds a WAD file as ports do: the parts in order, then the directory of the lumps.
pub(crate) fn wad_file(parts: &[FooterPart]) -> Vec<u8> {
    let (mut body, mut directory, mut count) = (Vec::new(), Vec::new(), 0u32);
    for part in parts {
        if let Some(name) = &part.name {
            for number in [HEAD + body.len(), part.bytes.len()] {
                directory.extend((number as u32).to_le_bytes());
            }
            let mut padded = name.clone().into_bytes();
            padded.resize(8, 0);
            directory.extend(padded);
            count += 1;
        }
        body.extend_from_slice(&part.bytes);
    }
    let at = (HEAD + body.len()) as u32;
    [MAGIC, &count.to_le_bytes(), &at.to_le_bytes(), &body, &directory].concat()
}

/// The lines for a footer in a text: its lumps by name, and its other bytes.
pub(crate) fn lines(footer: &[u8]) -> Vec<(String, String)> {
    let raw = |bytes: &[u8]| -> Vec<_> {
        bytes.chunks(WIDE).map(|bytes| ("Bytes".to_owned(), quoted(bytes))).collect()
    };
    let Some(Footer { before, parts, bytes_after: behind }) = Footer::read(footer) else {
        return raw(footer);
    };
    let line = |part: FooterPart| (part.name.unwrap_or_else(|| "Between".to_owned()), quoted(&part.bytes));
    let mut lines = raw(&before);
    lines.push(("Format".to_owned(), "PWAD".to_owned()));
    lines.extend(parts.into_iter().map(line));
    lines.extend(raw(&behind));
    lines
}

/// The number of bytes on a line.
pub(crate) const WIDE: usize = 48;

/// Parses a line of a footer; `None` if it is not one.
pub(crate) fn part(key: &str, value: &str) -> Option<FooterPart> {
    let name = (!key.eq_ignore_ascii_case("between")).then(|| key.to_owned());
    if name.as_deref().is_some_and(|name| !is_name(name)) {
        return None;
    }
    Some(FooterPart { name, bytes: unquoted(value)? })
}

/// Splits a command line into words; text in quotes is part of one word.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, false);
    for letter in line.chars() {
        match letter {
            '"' => {
                quote = !quote;
                word.get_or_insert_default();
            }
            ' ' | '\t' | '\n' if !quote => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The arguments of an option on a command line, up to the next option.
pub(crate) fn option<'w>(words: &'w [String], name: &str) -> impl Iterator<Item = &'w String> {
    let at = words.iter().position(|word| word.eq_ignore_ascii_case(name));
    words.iter().skip(at.map_or(words.len(), |at| at + 1)).take_while(|word| !word.starts_with('-'))
}
