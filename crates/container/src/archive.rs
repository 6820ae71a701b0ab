//! What the readers of archives have in common, and which reader is for which file.

use crate::fault::Fault;
use crate::inflate::{Crc, Inflate};
use crate::limits::Budget;
use crate::section::Section;
use crate::{dz, pak, zip};
use std::io::{self, Read, Seek};
use std::time::SystemTime;

/// What a file is, as far as this crate is concerned.
///
/// ```
/// use moviola_container::Kind;
/// assert_eq!(Kind::of(b"PK\x03\x04"), Kind::Zip);
/// assert_eq!(Kind::Dzip.name(), "Dzip");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// No container.
    Plain,
    /// A gzip file, which is one file of which only the bytes are kept.
    Gzip,
    /// A zip archive, perhaps called pk3.
    Zip,
    /// A Quake PAK file.
    Pak,
    /// A Dzip archive.
    Dzip,
}

impl Kind {
    /// How many bytes tell.
    pub const PEEK: usize = 12;

    /// Says what a file is by its first [`PEEK`](Self::PEEK) bytes, or all that it has.
    ///
    /// ```
    /// use moviola_container::Kind;
    /// assert_eq!(Kind::of(b"\x1f\x8b\x08\0"), Kind::Gzip);
    /// assert_eq!(Kind::of(b"-1\n"), Kind::Plain);
    /// ```
    pub fn of(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, 8, ..] => Self::Gzip,
            // A first file, or the end of the directory of an archive of nothing.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Self::Zip,
            [b'P', b'A', b'C', b'K', ..] if start.len() >= 12 => Self::Pak,
            [b'D', b'Z', 1..=3, ..] if start.len() >= 12 => Self::Dzip,
            _ => Self::Plain,
        }
    }

    /// Says what a file is by its first bytes, or by its end where it is a program that unpacks itself.
    ///
    /// ```
    /// use moviola_container::Kind;
    /// use std::io::Cursor;
    /// assert_eq!(Kind::of_file(Cursor::new(b"MZ, a program")).unwrap(), Kind::Plain);
    /// ```
    pub fn of_file(file: impl Read + Seek + Send + 'static) -> io::Result<Self> {
        Self::of_section(&Section::whole(file)?)
    }

    pub(crate) fn of_section(file: &Section) -> io::Result<Self> {
        let start = file.start(Self::PEEK as u64)?;
        match Self::of(&start) {
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

/// A stream of bytes that belongs to nobody else.
pub(crate) type Stream = Box<dyn Read + Send>;

/// The directory of an archive.
pub(crate) trait Archive: Send {
    /// How many files it names.
    fn count(&self) -> usize;

    /// A file's name, and the size that the directory claims; `None` is for folders and such.
    fn member(&mut self, index: usize) -> io::Result<Option<Member>>;

    /// What is in a file.
    fn open(&mut self, index: usize) -> io::Result<Content>;
}

/// What a directory says of a file.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
}

/// What is in a file of an archive.
pub(crate) enum Content {
    /// Bytes that come out of something.
    Stream(Stream),
    /// Bytes that stand there as they are; who says so, and with which checksum.
    Stored(Section, &'static str, Crc),
    /// An archive that is stored in its parts, and how it reads as a whole.
    Parts(Box<dyn Archive>, Stream),
}

/// Reads the directory of an archive; what is none is `None`.
pub(crate) fn open(kind: Kind, section: Section, budget: &Budget) -> io::Result<Option<Box<dyn Archive>>> {
    let archive: Box<dyn Archive> = match kind {
        Kind::Plain | Kind::Gzip => return Ok(None),
        Kind::Zip => Box::new(zip::Zip::open(section, budget)?),
        Kind::Pak => Box::new(pak::Pak::open(section)?),
        Kind::Dzip => Box::new(dz::Dzip::open(section, budget)?),
    };
    budget.enlist(archive.count() as u64)?;
    Ok(Some(archive))
}

/// The bytes of a gzip file: all its members, one after the other.
///
/// Zeros behind the last, as tapes leave them, are no error.
pub(crate) struct Gunzip<R: Read> {
    state: Option<Gunzipping<R>>,
}

type Gunzipping<R> = flate2::bufread::GzDecoder<io::BufReader<R>>;

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(input: R) -> Self {
        let input = io::BufReader::with_capacity(1 << 15, input);
        Self { state: Some(flate2::bufread::GzDecoder::new(input)) }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(state) = &mut self.state {
            let got = state.read(buffer).map_err(damaged)?;
            if got > 0 {
                return Ok(got);
            }
            let Some(mut input) = self.state.take().map(Gunzipping::into_inner) else { break };
            if starts_with(&mut input, 0x1F)? {
                self.state = Some(Gunzipping::new(input));
                continue;
            }
            while starts_with(&mut input, 0)? {
                io::BufRead::consume(&mut input, 1);
            }
            if !io::BufRead::fill_buf(&mut input)?.is_empty() {
                return Err(Fault::wrong("gzip", "something else stands behind the compressed data"));
            }
        }
        Ok(0)
    }
}

fn starts_with(input: &mut impl io::BufRead, byte: u8) -> io::Result<bool> {
    Ok(input.fill_buf()?.first() == Some(&byte))
}

/// Errors of the decoder in our words; those of the file below it as they are.
fn damaged(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Fault::wrong("gzip", "the compressed data ends early"),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if Fault::of(&error).is_none() => {
            Fault::wrong("gzip", format!("the compressed data is damaged ({error})"))
        }
        _ => error,
    }
}

/// A deflate stream of an archive, metered.
pub(crate) fn metered<R: Read>(inner: Inflate<R>, budget: &Budget) -> crate::limits::Metered<Inflate<R>> {
    crate::limits::Metered { inner, budget: budget.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn gunzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        Gunzip::new(bytes).read_to_end(&mut out).map(|_| out).map_err(|error| error.to_string())
    }

    #[test]
    fn all_members_of_a_gzip_file_are_read() {
        let two = [gzip(b"hello "), gzip(b"world")].concat();
        assert_eq!(gunzip(&two).unwrap(), b"hello world");
        assert_eq!(gunzip(&[&two[..], &[0; 100]].concat()).unwrap(), b"hello world");
        assert!(gunzip(&[&two[..], b"rubbish"].concat()).unwrap_err().contains("something else"));
        assert!(gunzip(&two[..two.len() - 1]).unwrap_err().contains("ends early"));
        let mut wrong = two.clone();
        wrong[two.len() - 6] ^= 1;
        assert!(gunzip(&wrong).unwrap_err().contains("damaged"));
    }
}
