//! What the readers of archives have in common; and gzip, which is no archive.

use crate::fault::Fault;
use crate::inflate::{Crc, Inflate};
use crate::limits::Budget;
use crate::section::Section;
use std::io::{self, Read};
use std::time::SystemTime;

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

/// The bytes of a gzip file: all its members, one after the other.
///
/// Zeros behind the last, as tapes leave them, are no error.
pub(crate) struct Gunzip<R: Read> {
    state: Option<Gunzipping<R>>,
    /// Whether a member was read to its end, so that what follows may be none.
    has_content: bool,
    /// Called with a line for people where something was left out.
    warn: Option<fn(&str)>,
}

type Gunzipping<R> = flate2::bufread::GzDecoder<io::BufReader<R>>;

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(input: R, warn: Option<fn(&str)>) -> Self {
        let input = io::BufReader::with_capacity(1 << 15, input);
        Self { state: Some(flate2::bufread::GzDecoder::new(input)), has_content: false, warn }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(state) = &mut self.state {
            let got = match state.read(buffer) {
                // It began like a member and is none.
                Err(error) if self.has_content && state.header().is_none() && is_wrong(&error) => {
                    self.state = None;
                    self.warn_of_rest();
                    break;
                }
                result => result.map_err(damaged)?,
            };
            if got > 0 {
                return Ok(got);
            }
            self.has_content = true;
            let Some(mut input) = self.state.take().map(Gunzipping::into_inner) else { break };
            if starts_with(&mut input, 0x1F)? {
                self.state = Some(Gunzipping::new(input));
                continue;
            }
            while starts_with(&mut input, 0)? {
                io::BufRead::consume(&mut input, 1);
            }
            if !io::BufRead::fill_buf(&mut input)?.is_empty() {
                self.warn_of_rest();
            }
        }
        Ok(0)
    }
}

impl<R: Read> Gunzip<R> {
    /// The checksum of the content was right, so nothing of it is missing. gzip warns as well.
    fn warn_of_rest(&self) {
        if let Some(warn) = self.warn {
            warn("gzip: bytes behind the compressed data were left out");
        }
    }
}

/// Whether the decoder says that bytes are wrong, and not that they are missing or cannot be read.
fn is_wrong(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidInput && Fault::of(error).is_none()
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
        Gunzip::new(bytes, None).read_to_end(&mut out).map(|_| out).map_err(|error| error.to_string())
    }

    #[test]
    fn all_members_of_a_gzip_file_are_read() {
        let two = [gzip(b"hello "), gzip(b"world")].concat();
        assert_eq!(gunzip(&two).unwrap(), b"hello world");
        assert_eq!(gunzip(&[&two[..], &[0; 100]].concat()).unwrap(), b"hello world");
        assert_eq!(gunzip(&[&two[..], b"rubbish"].concat()).unwrap(), b"hello world");
        assert_eq!(
            gunzip(&[&two[..], b"\x1fbut no gzip, and long enough"].concat()).unwrap(),
            b"hello world"
        );
        assert!(gunzip(&[&two[..], b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff\xff\xff\xff"].concat()).is_err());
        assert!(gunzip(&two[..two.len() - 1]).unwrap_err().contains("ends early"));
        let mut wrong = two.clone();
        wrong[two.len() - 6] ^= 1;
        assert!(gunzip(&wrong).unwrap_err().contains("damaged"));
    }
}
