//! Recognizes containers, and opens them with the right reader.

use crate::archive::Archive;
use crate::limits::Budget;
use crate::section::Section;
use crate::{dz, pak, zip};
use std::io::{self, Read, Seek};

/// The kind of a file, as far as containers matter.
///
/// ```
/// use moviola_container::ContainerKind;
/// assert_eq!(ContainerKind::of(b"PK\x03\x04"), ContainerKind::Zip);
/// assert_eq!(ContainerKind::Dzip.name(), "Dzip");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContainerKind {
    /// Not a container.
    Plain,
    /// A gzip file, which contains the bytes of one file.
    Gzip,
    /// A zip archive, which may have the extension pk3.
    Zip,
    /// A Quake PAK file.
    Pak,
    /// A Dzip archive.
    Dzip,
}

impl ContainerKind {
    /// The number of bytes that decide.
    pub const PEEK: usize = 12;

    /// Recognizes a file by its first [`PEEK`](Self::PEEK) bytes, or by all if it has fewer.
    ///
    /// ```
    /// use moviola_container::ContainerKind;
    /// assert_eq!(ContainerKind::of(b"\x1f\x8b\x08\0"), ContainerKind::Gzip);
    /// assert_eq!(ContainerKind::of(b"-1\n"), ContainerKind::Plain);
    /// ```
    pub fn of(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, 8, ..] => Self::Gzip,
            // A first file, or the end of the directory of an empty archive.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Self::Zip,
            [b'P', b'A', b'C', b'K', ..] => Self::Pak,
            // A truncated archive, or one with an unknown version, counts as an archive that cannot be read.
            [b'D', b'Z', 1..=9, ..] => Self::Dzip,
            _ => Self::Plain,
        }
    }

    /// Recognizes a file by its first bytes, or by its end if it is a self-extracting program.
    ///
    /// ```
    /// use moviola_container::ContainerKind;
    /// use std::io::Cursor;
    /// assert_eq!(ContainerKind::of_file(Cursor::new(b"MZ, a program")).unwrap(), ContainerKind::Plain);
    /// // One of Git's files.
    /// assert_eq!(ContainerKind::of_file(Cursor::new(b"PACK\0\0\0\x02\0\0\x01\0...")).unwrap(), ContainerKind::Plain);
    /// ```
    pub fn of_file(file: impl Read + Seek + Send + 'static) -> io::Result<Self> {
        Self::of_section(&Section::whole(file)?)
    }

    /// Recognizes an open file like [`of_file`](Self::of_file).
    pub(crate) fn of_section(file: &Section) -> io::Result<Self> {
        let start = file.start(Self::PEEK as u64)?;
        match Self::of(&start) {
            Self::Pak if is_of_git(&start, file.length()) => Ok(Self::Plain),
            Self::Plain if start.starts_with(b"MZ") && zip::is_behind(file) => Ok(Self::Zip),
            kind => Ok(kind),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zip => "zip",
            Self::Pak => "PAK",
            Self::Dzip => "Dzip",
        }
    }
}

/// Git's pack files begin with the same letters. Their version and their count, read as the offset and size of a
/// directory, hardly ever fit the file.
fn is_of_git(start: &[u8], length: u64) -> bool {
    let Some([_, at, size]) = pak::words(start) else { return false };
    let is_version = matches!(at.swap_bytes(), 2 | 3);
    let fits =
        u64::from(at).saturating_add(size.into()) <= length && u64::from(size).is_multiple_of(pak::ROW);
    is_version && !fits
}

/// Reads the directory of an archive; `None` if the file is not an archive.
pub(crate) fn open(
    kind: ContainerKind,
    section: Section,
    budget: &Budget,
) -> io::Result<Option<Box<dyn Archive>>> {
    let archive: Box<dyn Archive> = match kind {
        ContainerKind::Plain | ContainerKind::Gzip => return Ok(None),
        ContainerKind::Zip => Box::new(zip::Zip::open(section, budget)?),
        ContainerKind::Pak => Box::new(pak::Pak::open(section)?),
        ContainerKind::Dzip => Box::new(dz::Dzip::open(section, budget)?),
    };
    budget.count_files(archive.count() as u64)?;
    Ok(Some(archive))
}

/// An archive without its directory, or with a part of it, with the files that can still be found. `None` if the file
/// is not an archive, and if no file is found.
pub(crate) fn salvage(
    kind: ContainerKind,
    section: Section,
    budget: &Budget,
) -> io::Result<Option<Box<dyn Archive>>> {
    let archive: Box<dyn Archive> = match kind {
        ContainerKind::Plain | ContainerKind::Gzip => return Ok(None),
        ContainerKind::Pak => Box::new(pak::Pak::salvage(section)?),
        ContainerKind::Zip => Box::new(zip::Zip::salvage(section, budget)?),
        ContainerKind::Dzip => Box::new(dz::Dzip::salvage(section, budget)?),
    };
    budget.count_files(archive.count() as u64)?;
    Ok(Some(archive).filter(|it| it.count() > 0))
}
