//! Quake's first line, the CD track, and how engines read it.

use moviola_format::HeaderReader;
use serde::Serialize;

/// The bytes before the first block.
///
/// ```
/// use moviola_check::Summary;
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let header = Summary::read(&file[..]).unwrap().header.unwrap();
/// assert!(header.is_usual());
/// assert_eq!((header.text.as_str(), header.length), ("-1\\n", 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Header {
    /// The bytes, readable.
    pub text: String,
    /// The number of these bytes.
    pub length: usize,
    /// The three ways in which engines read them, by age.
    pub readers: [HeaderView; 3],
}

/// How some engines read the line.
///
/// ```
/// use moviola_check::Summary;
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let header = Summary::read(&file[..]).unwrap().header.unwrap();
/// assert!(header.readers.iter().all(|view| view.plays && view.track == Some(-1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HeaderView {
    /// The name of these engines.
    pub reader: &'static str,
    /// The CD track; `None` if they find no number.
    pub track: Option<i32>,
    /// The offset at which they look for the first block.
    pub length: Option<usize>,
    /// Whether they find any blocks there and so can play, even if these are not the blocks that we read.
    pub plays: bool,
}

/// The number of bytes from a file's start that the readers get.
pub(crate) const START: usize = 4096;

/// The names of the engines, in the order of [`HeaderReader::ALL`].
const NAMES: [&str; 3] = ["before 1.09 (fscanf)", "1.09 (step by step)", "QuakeSpasm"];

impl Header {
    /// The header of `length` bytes at the start of a file.
    pub(crate) fn of(start: &[u8], length: usize) -> Self {
        let bytes = start.get(..length).unwrap_or(start);
        let view = |index: usize, reader: HeaderReader| {
            let reading = reader.read(start);
            HeaderView {
                reader: NAMES.get(index).copied().unwrap_or_default(),
                track: reading.and_then(|it| it.track),
                length: reading.map(|it| it.length),
                plays: reading.is_some_and(|it| it.length == length)
                    || reader.finds_blocks(start, start.len() < START),
            }
        };
        let [a, b, c] = HeaderReader::ALL;
        Self { text: bytes.escape_ascii().to_string(), length, readers: [view(0, a), view(1, b), view(2, c)] }
    }

    /// Whether it is a number and a newline, as every engine writes it.
    pub fn is_usual(&self) -> bool {
        let number = self.text.strip_suffix("\\n").unwrap_or_default();
        let digits = number.strip_prefix('-').unwrap_or(number);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }
}
