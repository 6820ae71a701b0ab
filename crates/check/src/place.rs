//! Positions in a recording.

use serde::{Serialize, Serializer};

/// A place in a recording: by block and time for a person, by offset for a hex editor.
///
/// ```
/// let file = b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x3c";
/// let report = moviola_check::check(&file[..]).unwrap();
/// let place = report.raw[0].place;
/// assert_eq!((place.block, place.at), (Some(0), Some(1)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// The block, counted from 0 as in the text; `None` before the first.
    pub block: Option<u64>,
    /// The offset in the file.
    pub offset: u64,
    /// The offset in the block's messages; `None` for a whole block, or without one.
    pub at: Option<usize>,
    /// The game's time in seconds: of the level's clock in Quake, of the frame's number in Quake II.
    #[serde(serialize_with = "seconds")]
    pub time: Option<f64>,
    /// The level, counted from 1; 0 before the first one is announced.
    pub level: u32,
}

/// A moment of the game in few digits: Quake's clock is a float of 32 bits.
#[expect(clippy::ref_option, reason = "as serde calls it")]
pub(crate) fn seconds<S: Serializer>(time: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time as f32).serialize(to)
}

/// The current position of the reader, from which the [`Place`] of a finding is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReaderPosition {
    /// How many blocks were begun.
    pub(crate) block: u64,
    /// Whether a block is being read.
    pub(crate) inside: bool,
    /// The offset of the current piece in the file.
    pub(crate) offset: u64,
    /// The offset of the block's messages in the file.
    pub(crate) data: u64,
    /// The offset of the current message in its block.
    pub(crate) at: usize,
    /// The game's time.
    pub(crate) time: Option<f64>,
    /// How many levels were announced.
    pub(crate) level: u32,
}

impl ReaderPosition {
    /// The current piece as a whole.
    pub(crate) fn piece(&self) -> Place {
        let block = self.block.checked_sub(1).filter(|_| self.inside);
        Place { block, offset: self.offset, at: None, time: self.time, level: self.level }
    }

    /// The current message.
    pub(crate) fn message(&self) -> Place {
        self.byte(self.at)
    }

    /// A byte of the current block.
    pub(crate) fn byte(&self, at: usize) -> Place {
        Place { at: Some(at), offset: self.data + at as u64, ..self.piece() }
    }
}
