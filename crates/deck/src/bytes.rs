//! The bytes of a file, in memory once.

use std::ops::Deref;
use std::sync::Arc;

/// Shared bytes. A vector becomes shared without a copy, which `Arc<[u8]>` would make: the memory of WebAssembly never
/// shrinks again.
///
/// ```
/// let bytes = moviola_deck::SharedBytes::from(vec![1, 2, 3]);
/// assert_eq!(bytes.clone()[1..], [2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedBytes(Arc<Vec<u8>>);

impl From<Vec<u8>> for SharedBytes {
    fn from(mut bytes: Vec<u8>) -> Self {
        bytes.shrink_to_fit();
        Self(Arc::new(bytes))
    }
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
