//! Helpers for finding the files of an archive without its directory.

use crate::archive::metered;
use crate::fault::ContainerFault;
use crate::inflate::Inflate;
use crate::limits::Budget;
use crate::section::Section;
use std::io::{self, Read};

/// How many offsets are examined before more of the file is read. It is small at first, because the next file is often
/// near, and because a file full of headers would otherwise be read a thousand times.
const FIRST_CHUNK: usize = 1 << 8;
const CHUNK: usize = 1 << 16;

/// The number of bytes available at each examined offset, unless the file ends.
const LOOKAHEAD: usize = 32;

/// The end of a deflate stream of unknown length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The stream is complete.
    Whole,
    /// It ends because the file ends.
    Cut,
    /// It ends at bytes that are not a deflate stream.
    Damaged,
}

/// The result of inflating a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inflated {
    pub(crate) end: End,
    /// The number of input bytes, a zlib header included.
    pub(crate) packed: u64,
    /// The number of output bytes.
    pub(crate) size: u64,
    /// The checksum that zlib puts after the stream.
    pub(crate) adler: u32,
}

/// Inflates a stream to find its end. The output counts against the limits.
pub(crate) fn measure(inflate: Inflate<Section>, length: u64, budget: &Budget) -> io::Result<Inflated> {
    let mut stream = metered(inflate, budget);
    let mut buffer = vec![0; 1 << 15];
    let (mut size, mut adler) = (0_u64, Adler::default());
    let end = loop {
        match stream.read(&mut buffer) {
            Ok(0) => break End::Whole,
            Ok(got) => {
                adler.update(buffer.get(..got).unwrap_or_default());
                size = size.saturating_add(got as u64);
            }
            Err(error) if !is_damage(&error) => return Err(error),
            Err(_) if stream.inner.taken() >= length => break End::Cut,
            Err(_) => break End::Damaged,
        }
    };
    Ok(Inflated { end, packed: stream.inner.taken(), size, adler: adler.value() })
}

/// Whether an error is about wrong bytes, not about an exceeded limit or an unreadable disk.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    ContainerFault::of(error).is_some_and(|fault| !fault.is_limit())
}

/// The first offset, starting with `start`, that `is_it` accepts. It gets the next bytes and the offset.
pub(crate) fn find(
    file: &Section,
    start: u64,
    mut is_it: impl FnMut(&[u8], u64) -> io::Result<bool>,
) -> io::Result<Option<u64>> {
    let (mut at, mut chunk) = (start, FIRST_CHUNK);
    loop {
        let Some(rest) = file.from(at) else { return Ok(None) };
        let bytes = rest.start((chunk + LOOKAHEAD) as u64)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        for offset in 0..bytes.len().min(chunk) {
            let here = at.saturating_add(offset as u64);
            if is_it(bytes.get(offset..).unwrap_or_default(), here)? {
                return Ok(Some(here));
            }
        }
        at = at.saturating_add(chunk as u64);
        chunk = (chunk * 4).min(CHUNK);
    }
}

/// The error at the end of a file whose other bytes are missing.
pub(crate) struct MissingEnd(pub(crate) ContainerFault);

impl Read for MissingEnd {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.clone().into())
    }
}

/// The checksum of zlib streams (RFC 1950, 8.2): two sums modulo 65521.
struct Adler(u32, u32);

impl Default for Adler {
    fn default() -> Self {
        Self(1, 0)
    }
}

impl Adler {
    fn update(&mut self, bytes: &[u8]) {
        // The number of bytes that can be added before 32 bits overflow.
        for some in bytes.chunks(5552) {
            for byte in some {
                self.0 = self.0.wrapping_add((*byte).into());
                self.1 = self.1.wrapping_add(self.0);
            }
            self.0 %= 65521;
            self.1 %= 65521;
        }
    }

    fn value(&self) -> u32 {
        self.1 << 16 | self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::{Cursor, Write};

    #[test]
    fn a_stream_is_measured() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&b"hello ".repeat(5000)).unwrap();
        let zlib = encoder.finish().unwrap();
        let measured = |bytes: Vec<u8>| {
            let file = Section::whole(Cursor::new(bytes)).unwrap();
            let (length, budget) = (file.length(), Budget::new(crate::Limits::default(), 0));
            measure(Inflate::zlib(file, "test"), length, &budget).unwrap()
        };
        let whole = measured([&zlib[..], b"more"].concat());
        assert_eq!((whole.end, whole.packed, whole.size), (End::Whole, zlib.len() as u64 - 4, 30_000));
        assert_eq!(&whole.adler.to_be_bytes(), &zlib[zlib.len() - 4..]);
        assert_eq!(measured(zlib[..zlib.len() - 10].to_vec()).end, End::Cut);
        assert_eq!(measured([&zlib[..8], &[0xFF; 100]].concat()).end, End::Damaged);
    }

    #[test]
    fn a_signature_across_chunks_is_found() {
        let is_it = |bytes: &[u8], _| Ok(bytes.starts_with(b"PK\x03\x04"));
        for zeros in [FIRST_CHUNK - 1, FIRST_CHUNK, 5 * FIRST_CHUNK - 2] {
            let file = Section::whole(Cursor::new([&vec![0; zeros][..], b"PK\x03\x04"].concat())).unwrap();
            assert_eq!(find(&file, 0, is_it).unwrap(), Some(zeros as u64));
        }
        let mut bytes = vec![0; CHUNK - 1];
        bytes.extend(b"PK\x03\x04");
        let file = Section::whole(Cursor::new(bytes)).unwrap();
        assert_eq!(find(&file, 0, is_it).unwrap(), Some(CHUNK as u64 - 1));
        assert_eq!(find(&file, CHUNK as u64, is_it).unwrap(), None);
    }
}
