//! The errors of containers, with their places.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;

/// A fault in a container; the readers wrap it into an [`io::Error`].
///
/// ```
/// use moviola_container::{ContainerFault, WalkOptions, Walk};
/// use std::io::Cursor;
/// let error = Walk::new(Cursor::new(&b"PACK\xff\xff\xff\xff\0\0\0\0"[..]), WalkOptions::default()).unwrap_err();
/// let fault = ContainerFault::of(&error).unwrap();
/// assert_eq!(fault.offset(), Some(4));
/// assert_eq!(error.to_string(), "PAK: the directory begins after the end of the file, at offset 0x4");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerFault {
    layer: &'static str,
    text: String,
    offset: Option<u64>,
    is_limit: bool,
}

impl ContainerFault {
    /// The fault inside an error, if it is one of this crate's.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// The offset of the fault in the layer that [`Display`] names.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// Whether a [limit](crate::Limits) was exceeded, as opposed to a rule of the format.
    ///
    /// ```
    /// use moviola_container::{ContainerFault, WalkOptions, Walk};
    /// use std::io::Cursor;
    /// let error = Walk::new(Cursor::new(&b"PACK\xff\xff\xff\xff\0\0\0\0"[..]), WalkOptions::default()).unwrap_err();
    /// assert!(!ContainerFault::of(&error).unwrap().is_limit());
    /// ```
    pub fn is_limit(&self) -> bool {
        self.is_limit
    }

    /// A violation of the format, at an unknown place.
    pub(crate) fn new(layer: &'static str, what: impl Into<String>) -> Self {
        Self { layer, text: what.into(), offset: None, is_limit: false }
    }

    /// A fault without an offset, as an [`io::Error`].
    pub(crate) fn wrong(layer: &'static str, what: impl Into<String>) -> io::Error {
        Self::new(layer, what).into()
    }

    /// A violation of the format, at an offset of the layer.
    pub(crate) fn at(layer: &'static str, offset: u64, what: impl Into<String>) -> io::Error {
        Self { layer, text: what.into(), offset: Some(offset), is_limit: false }.into()
    }

    /// An exceeded limit.
    pub(crate) fn limit(what: impl Into<String>) -> io::Error {
        Self { layer: "", text: what.into(), offset: None, is_limit: true }.into()
    }
}

impl From<ContainerFault> for io::Error {
    fn from(fault: ContainerFault) -> Self {
        Self::new(io::ErrorKind::InvalidData, fault)
    }
}

impl Display for ContainerFault {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if !self.layer.is_empty() {
            write!(out, "{}: ", self.layer)?;
        }
        out.write_str(&self.text)?;
        match self.offset {
            Some(offset) => write!(out, ", at offset 0x{offset:X}"),
            None => Ok(()),
        }
    }
}

impl Error for ContainerFault {}

/// An error, with the path inside the container of the file that could not be read.
///
/// ```
/// use moviola_container::ContainerError;
/// let trouble = ContainerError { path: "runs.dz".into(), error: std::io::ErrorKind::UnexpectedEof.into() };
/// assert_eq!(trouble.to_string(), "runs.dz: unexpected end of file");
/// ```
#[derive(Debug)]
pub struct ContainerError {
    /// The path inside the container; empty for the outermost file itself.
    pub path: String,
    /// The error.
    pub error: io::Error,
}

impl Display for ContainerError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path)?;
        }
        self.error.fmt(out)
    }
}

impl Error for ContainerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}
