//! Which recording: a number made from its bytes, the same wherever the file lies and whatever it is called.

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
    /// The id of these bytes: the first half of their SHA-256, which other programs can make too.
    pub fn of(mut bytes: impl Read) -> io::Result<Self> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let got = match bytes.read(&mut buffer) {
                Ok(0) => break,
                Ok(got) => got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hash.update(buffer.get(..got).unwrap_or_default());
        }
        let mut id = [0; 16];
        for (to, from) in id.iter_mut().zip(hash.finalize()) {
            *to = from;
        }
        Ok(Self(id))
    }

    /// It in hexadecimal digits.
    pub fn word(self) -> Word {
        Word::digits(&self.0)
    }

    /// Which of so many shards it belongs to.
    pub fn shard(self, shards: u64) -> u64 {
        let number = self.0.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        number.checked_rem(shards).unwrap_or_default()
    }
}
