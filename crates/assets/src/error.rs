//! The error of a file, or of a part of it, that cannot be used.

use std::borrow::Cow;
use std::fmt;

/// An error in a file of a game: the problem, the part of the file, and the offset.
///
/// ```
/// let error = moviola_assets::Picture::read(b"\x02\0\0\0\x02\0\0\0abc").unwrap_err();
/// assert_eq!(error.to_string(), "pixels at offset 8: 4 bytes are needed and 3 are left");
/// assert_eq!((error.part, error.offset), ("pixels", 8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetError {
    /// The lump, or the part of a file that has no lumps.
    pub part: &'static str,
    /// The offset in the file in bytes.
    pub offset: usize,
    /// The problem.
    pub problem: Cow<'static, str>,
}

impl AssetError {
    pub(crate) fn new(part: &'static str, offset: usize, problem: impl Into<Cow<'static, str>>) -> Self {
        Self { part, offset, problem: problem.into() }
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at offset {}: {}", self.part, self.offset, self.problem)
    }
}

impl std::error::Error for AssetError {}
