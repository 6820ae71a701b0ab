//! The id of a recording: a number computed from its bytes, independent of the file's name and place.

use crate::Word;
use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// The id of a recording.
///
/// ```
/// use moviola_export::Id;
/// let id = Id::of(&b"-1\n"[..]).unwrap();
/// assert_eq!(id.word().as_str().len(), 32);
/// assert_eq!(id.shard(1), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id([u8; 16]);

impl Id {
    /// The id of these bytes: the first half of their SHA-256, which other programs can compute too.
    pub fn of(bytes: impl Read) -> io::Result<Self> {
        let mut bytes = Hashed::new(bytes);
        let mut buffer = vec![0; 1 << 16];
        loop {
            match bytes.read(&mut buffer) {
                Ok(0) => return Ok(bytes.id()),
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
        }
    }

    /// Its bytes.
    ///
    /// ```
    /// let id = moviola_export::Id::of(&b"-1\n"[..]).unwrap();
    /// assert_eq!(id.word(), moviola_export::Word::digits(&id.bytes()));
    /// ```
    pub fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// The id in hexadecimal digits.
    pub fn word(self) -> Word {
        Word::digits(&self.0)
    }

    /// The shard, of this many, to which the recording belongs.
    pub fn shard(self, shards: u64) -> u64 {
        let number = self.0.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        number.checked_rem(shards).unwrap_or_default()
    }
}

/// Passes bytes on and computes their id at the same time, for a reader that needs all of them anyway.
///
/// ```
/// use moviola_export::{Hashed, Id};
/// let mut bytes = Hashed::new(&b"-1\n"[..]);
/// std::io::copy(&mut bytes, &mut std::io::sink()).unwrap();
/// assert_eq!(bytes.id(), Id::of(&b"-1\n"[..]).unwrap());
/// ```
#[derive(Clone, Debug)]
pub struct Hashed<R> {
    source: R,
    hash: Sha256,
}

impl<R> Hashed<R> {
    /// Begins with no bytes read.
    pub fn new(source: R) -> Self {
        Self { source, hash: Sha256::new() }
    }

    /// The id of the bytes that were read.
    pub fn id(&self) -> Id {
        let mut id = [0; 16];
        for (to, from) in id.iter_mut().zip(self.hash.clone().finalize()) {
            *to = from;
        }
        Id(id)
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.source.read(buffer)?;
        self.hash.update(buffer.get(..got).unwrap_or_default());
        Ok(got)
    }
}
