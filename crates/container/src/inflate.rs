//! Deflate streams of known length, and the check of their output.

use crate::fault::ContainerFault;
use flate2::{Decompress, FlushDecompress, Status};
use std::io::{self, BufRead, BufReader, Read};

/// The output of a deflate stream.
///
/// The zlib trailer is never read: old encoders omitted it or wrote it wrong, and every archive has a check
/// of its own.
pub(crate) struct Inflate<R> {
    input: BufReader<R>,
    state: Decompress,
    layer: &'static str,
    /// Whether the two bytes of a zlib header are still to be read.
    header: bool,
    /// The length of the header that was read.
    skipped: u64,
    ended: bool,
}

impl<R: Read> Inflate<R> {
    /// A stream with a zlib header.
    pub(crate) fn zlib(input: R, layer: &'static str) -> Self {
        Self { header: true, ..Self::raw(input, layer) }
    }

    /// A stream without a zlib header.
    pub(crate) fn raw(input: R, layer: &'static str) -> Self {
        let input = BufReader::with_capacity(1 << 15, input);
        Self { input, state: Decompress::new(false), layer, header: false, skipped: 0, ended: false }
    }

    /// How many bytes of the input were needed for the output so far.
    pub(crate) fn taken(&self) -> u64 {
        self.state.total_in().saturating_add(self.skipped)
    }

    /// Reads the header. The compression method must be deflate, without a preset dictionary; the header's
    /// checksum is ignored, because the check of the content suffices.
    fn skip_header(&mut self) -> io::Result<()> {
        let mut header = [0; 2];
        self.input
            .read_exact(&mut header)
            .map_err(|_| ContainerFault::wrong(self.layer, "the zlib stream is missing"))?;
        let [method, flags] = header;
        // not from SCHEMA: a flag of zlib's header
        if method & 0x0F != 8 || flags & 0x20 != 0 {
            return Err(ContainerFault::wrong(self.layer, "this is not a zlib stream"));
        }
        self.header = false;
        self.skipped = 2;
        Ok(())
    }
}

impl<R: Read> Read for Inflate<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.header {
            self.skip_header()?;
        }
        while !self.ended && !buffer.is_empty() {
            let input = self.input.fill_buf()?;
            let is_last = input.is_empty();
            let (read, written) = (self.state.total_in(), self.state.total_out());
            let status = self.state.decompress(input, buffer, FlushDecompress::None);
            let (read, written) = (self.state.total_in() - read, self.state.total_out() - written);
            self.input.consume(read as usize);
            match status {
                Ok(Status::StreamEnd) => self.ended = true,
                Ok(Status::Ok | Status::BufError) => {}
                Err(_) => {
                    let at = self.state.total_in();
                    return Err(ContainerFault::at(self.layer, at, "the compressed data is damaged"));
                }
            }
            if written > 0 {
                return Ok(written as usize);
            }
            if is_last && !self.ended {
                return Err(ContainerFault::at(
                    self.layer,
                    self.state.total_in(),
                    "the compressed data ends early",
                ));
            }
        }
        Ok(0)
    }
}

/// The kind of CRC-32 that a format stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crc {
    /// No checksum.
    Absent,
    /// The ordinary checksum.
    Usual(u32),
    /// A checksum without the inversion at the end.
    Plain(u32),
}

/// A reader that checks the number of bytes and their checksum.
pub(crate) struct Checked<R> {
    inner: R,
    layer: &'static str,
    size: u64,
    bytes_read: u64,
    crc: Crc,
    hasher: crc32fast::Hasher,
    is_done: bool,
}

impl<R: Read> Checked<R> {
    pub(crate) fn new(inner: R, layer: &'static str, size: u64, crc: Crc) -> Self {
        Self { inner, layer, size, bytes_read: 0, crc, hasher: crc32fast::Hasher::new(), is_done: false }
    }

    fn judge(&self) -> io::Result<()> {
        if self.bytes_read != self.size {
            let what = format!("{} bytes come out of it, the directory says {}", self.bytes_read, self.size);
            return Err(ContainerFault::wrong(self.layer, what));
        }
        let crc = self.hasher.clone().finalize();
        let (found, recorded) = match self.crc {
            Crc::Absent => return Ok(()),
            Crc::Usual(recorded) => (crc, recorded),
            Crc::Plain(recorded) => (!crc, recorded),
        };
        if found != recorded {
            let what = format!("the CRC of what comes out is {found:08x}, the directory says {recorded:08x}");
            return Err(ContainerFault::wrong(self.layer, what));
        }
        Ok(())
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_done || buffer.is_empty() {
            return Ok(0);
        }
        let count = self.inner.read(buffer)?;
        if count == 0 {
            self.judge()?;
            self.is_done = true;
            return Ok(0);
        }
        self.bytes_read = self.bytes_read.saturating_add(count as u64);
        if self.bytes_read > self.size {
            let what = format!("more comes out of it than the {} bytes that the directory says", self.size);
            return Err(ContainerFault::wrong(self.layer, what));
        }
        if self.crc != Crc::Absent {
            self.hasher.update(buffer.get(..count).unwrap_or_default());
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn inflate(stream: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Inflate::zlib(stream, "test").read_to_end(&mut out).map(|_| out)
    }

    #[test]
    fn a_wrong_or_missing_trailer_is_accepted() {
        let mut stream = zlib(b"hello hello hello");
        let whole = stream.len();
        *stream.last_mut().unwrap() ^= 1;
        assert_eq!(inflate(&stream).unwrap(), b"hello hello hello");
        assert_eq!(inflate(&stream[..whole - 4]).unwrap(), b"hello hello hello");
        assert!(inflate(&stream[..whole - 6]).unwrap_err().to_string().contains("ends early"));
        assert!(inflate(b"").unwrap_err().to_string().contains("missing"));
        assert!(inflate(b"PK\x03\x04").unwrap_err().to_string().contains("not a zlib stream"));
        assert_eq!(inflate(&zlib(b"")).unwrap(), b"");
    }

    #[test]
    fn size_and_checksum_are_checked() {
        let read = |size, crc| io::copy(&mut Checked::new(&b"hi\n"[..], "test", size, crc), &mut io::sink());
        // The second is the example of dzip's documentation.
        assert!(read(3, Crc::Usual(!0x1290_8585)).is_ok());
        assert!(read(3, Crc::Plain(0x1290_8585)).is_ok());
        assert!(read(3, Crc::Absent).is_ok());
        assert!(read(3, Crc::Plain(0)).unwrap_err().to_string().contains("12908585"));
        assert!(read(2, Crc::Absent).is_err() && read(4, Crc::Absent).is_err());
    }
}
