//! The common parts of the readers of archives; and gzip, which is not an archive.

use crate::fault::ContainerFault;
use crate::inflate::{Crc, Inflate};
use crate::limits::Budget;
use crate::section::Section;
use crate::walk::ContainerWarning;
use std::io::{self, Read};
use std::time::SystemTime;

/// An owned stream of bytes.
pub(crate) type Stream = Box<dyn Read + Send>;

/// The directory of an archive.
pub(crate) trait Archive: Send {
    /// The number of files in the directory.
    fn count(&self) -> usize;

    /// A file's name, and the size that the directory states; `None` for folders and similar entries.
    fn member(&mut self, index: usize) -> io::Result<Option<Member>>;

    /// The content of a file.
    fn open(&mut self, index: usize) -> io::Result<Content>;
}

/// The directory's data about a file.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
}

/// The content of a file in an archive.
pub(crate) enum Content {
    /// A stream of unpacked bytes.
    Stream(Stream),
    /// Bytes that are stored uncompressed, with the name of the format and the checksum.
    Stored(Section, &'static str, Crc),
    /// An archive that is stored in parts, and a stream of it as a whole file.
    Parts(Box<dyn Archive>, Stream),
}

/// The bytes of a gzip file: all its members, one after the other.
///
/// Zeros after the last member, which tapes leave there, are not an error.
pub(crate) struct Gunzip<R: Read> {
    state: Option<Gunzipping<R>>,
    /// Whether a member was read to its end, after which bytes of another kind may follow.
    has_content: bool,
    /// Called with a message for people if a part was left out.
    warn: Option<ContainerWarning>,
}

type Gunzipping<R> = flate2::bufread::GzDecoder<io::BufReader<R>>;

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(input: R, warn: Option<ContainerWarning>) -> Self {
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
            let count = match state.read(buffer) {
                // The bytes begin like a member but are not one.
                Err(error) if self.has_content && state.header().is_none() && is_wrong(&error) => {
                    self.state = None;
                    self.warn_of_rest();
                    break;
                }
                result => result.map_err(damaged)?,
            };
            if count > 0 {
                return Ok(count);
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
    /// Warns about bytes after the content, as gzip does. The checksum was right, so no content is missing.
    fn warn_of_rest(&self) {
        if let Some(warn) = &self.warn {
            warn.report("gzip: bytes after the compressed data were left out");
        }
    }
}

/// Whether the error is about wrong bytes, not about missing or unreadable ones.
fn is_wrong(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidInput && ContainerFault::of(error).is_none()
}

fn starts_with(input: &mut impl io::BufRead, byte: u8) -> io::Result<bool> {
    Ok(input.fill_buf()?.first() == Some(&byte))
}

/// Errors of the decoder in our words; errors of the file below it unchanged.
fn damaged(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ContainerFault::wrong("gzip", "the compressed data ends early"),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if ContainerFault::of(&error).is_none() => {
            ContainerFault::wrong("gzip", format!("the compressed data is damaged ({error})"))
        }
        _ => error,
    }
}

/// A deflate stream of an archive whose output counts against the limits.
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
