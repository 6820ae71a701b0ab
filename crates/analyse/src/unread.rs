//! The parts of a recording that cannot be read, for commands that show the rest.

use crate::pass::{PassPosition, Watch};
use moviola_format::{Format, Piece};
use moviola_state::{quake, quake2, quakeworld};
use std::fmt;

/// Counts the parts of a recording that cannot be read.
///
/// ```
/// use moviola_analyse::{UnreadParts, watch};
/// let mut unread = UnreadParts::default();
/// // The block begins with a message that does not exist.
/// watch(&b"-1\n\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x7fhi"[..], &mut [&mut unread]).unwrap();
/// assert_eq!(unread.to_string(), "1 block could not be read completely");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnreadParts {
    /// The number of blocks that could not be read to their end.
    pub blocks: u64,
    /// The bytes between and after the blocks. Quake and Quake II have none: their blocks are torn instead.
    pub bytes: u64,
    is_quakeworld: bool,
}

impl UnreadParts {
    pub(crate) fn new(blocks: u64, bytes: u64) -> Self {
        Self { blocks, bytes, ..Self::default() }
    }

    /// Whether everything could be read.
    pub fn is_empty(&self) -> bool {
        self.blocks == 0 && self.bytes == 0
    }

    /// Counts a block if it could not be read to its end.
    pub(crate) fn block(&mut self, here: &PassPosition) {
        self.blocks = self.blocks.saturating_add(u64::from(here.fault.is_some()));
    }
}

impl Watch for UnreadParts {
    fn begin(&mut self, format: Format) {
        self.is_quakeworld = matches!(format, Format::Qwd | Format::Mvd);
    }

    fn file_piece(&mut self, piece: &Piece<'_>, _: &PassPosition) {
        if let (Piece::Raw(bytes), true) = (piece, self.is_quakeworld) {
            self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        }
    }

    fn quake(&mut self, _: &quake::World, here: &PassPosition) {
        self.block(here);
    }

    fn quake2(&mut self, _: &quake2::World, here: &PassPosition) {
        self.block(here);
    }

    fn quakeworld(&mut self, _: &quakeworld::World, here: &PassPosition) {
        self.block(here);
    }
}

impl fmt::Display for UnreadParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = match self.blocks {
            1 => "1 block".to_owned(),
            blocks => format!("{blocks} blocks"),
        };
        match (self.blocks, self.bytes) {
            (_, 0) => write!(f, "{blocks} could not be read completely"),
            (0, bytes) => write!(f, "{bytes} bytes are in no block"),
            (_, bytes) => {
                write!(f, "{blocks} could not be read completely, and {bytes} bytes are in no block")
            }
        }
    }
}
