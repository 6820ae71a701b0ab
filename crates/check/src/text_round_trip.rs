//! Checks whether a recording survives the conversion to text and back. One thread decompiles into a pipe; the other
//! compiles from it and compares the result with the recording, which is read a second time. Only the bytes in the pipe
//! are in memory.

use crate::exact::check_with;
use crate::report::CheckReport;
use moviola_format::{Game, Piece};
use moviola_text::{CompileError, CompileOptions, DecompileOptions, Diagnostic, compile, decompile};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::thread;

/// The failure of a recording in the conversion to text and back.
///
/// ```
/// use moviola_check::{TextDifference, through_text};
/// let (one, other) = (b"\x01\0\0\0\x06\xff\xff\xff\xff", b"\x01\0\0\0\x07\xff\xff\xff\xff");
/// // Compared with another recording, it is not exact.
/// let stray = through_text(&one[..], &other[..]).unwrap();
/// assert!(matches!(stray, Some(TextDifference::Bytes { offset: 4, .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextDifference {
    /// The result has other bytes.
    Bytes {
        /// The offset of the first different byte.
        offset: u64,
        /// The bytes of the result at that place; empty if the result is too short.
        written: Vec<u8>,
    },
    /// The text was refused.
    Refused(Box<Diagnostic>),
}

/// How many of the wrong bytes are kept.
const MAX_SHOWN: usize = 64;

/// Converts a recording to text and back, and compares the result with the recording; `original` reads the recording a second time. `None`
/// means that they are equal.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// assert_eq!(moviola_check::through_text(&file[..], &file[..]).unwrap(), None);
/// ```
pub fn through_text(recording: impl Read + Send, again: impl Read) -> io::Result<Option<TextDifference>> {
    let (reader, writer) = io::pipe()?;
    let mut compared = CompareWriter::new(again);
    let (decompiled, made) = thread::scope(|scope| {
        let decompiled = scope.spawn(move || {
            let mut writer = BufWriter::with_capacity(1 << 16, writer);
            decompile(recording, &mut writer, &DecompileOptions::default())?;
            writer.flush()
        });
        let made = compile(reader, &mut compared, &CompileOptions { limit: 1, ..CompileOptions::default() });
        (decompiled.join().unwrap_or_else(|_| Err(io::Error::other("the decompiler stopped"))), made)
    });
    if let Some(stray) = compared.stray.take() {
        return Ok(Some(stray));
    }
    match made {
        Err(CompileError::Mistakes(mistakes)) => {
            return Ok(mistakes.into_iter().next().map(|mistake| TextDifference::Refused(Box::new(mistake))));
        }
        Err(CompileError::Io(error)) => return Err(error),
        Ok(_) => decompiled?,
    }
    compared.close()
}

/// Checks a file that is known to change in the conversion, to find the place of the change.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let report = moviola_check::check_stray(&file[..], 19, b"\x01").unwrap();
/// assert!(!report.exact);
/// ```
pub fn check_stray(source: impl Read, offset: u64, written: &[u8]) -> io::Result<CheckReport> {
    let mut bytes_before = 0;
    let mut round_trip = |game: Game, piece: &Piece<'_>, _: &_, out: &mut Vec<u8>| {
        let start = out.len();
        if piece.write(game, out).is_ok() {
            let length = (out.len() - start) as u64;
            if (bytes_before..bytes_before + length).contains(&offset) {
                out.truncate(start + (offset - bytes_before) as usize);
                out.extend_from_slice(written);
            }
            bytes_before += length;
        }
    };
    check_with(source, Some(&mut round_trip))
}

/// A writer that only compares its bytes with those of a reader.
struct CompareWriter<R: Read> {
    original: BufReader<R>,
    offset: u64,
    stray: Option<TextDifference>,
}

impl<R: Read> CompareWriter<R> {
    fn new(again: R) -> Self {
        Self { original: BufReader::with_capacity(1 << 16, again), offset: 0, stray: None }
    }

    /// Ends the comparison: the reader must be at its end too.
    fn close(mut self) -> io::Result<Option<TextDifference>> {
        let left = io::BufRead::fill_buf(&mut self.original)?;
        Ok((!left.is_empty()).then_some(TextDifference::Bytes { offset: self.offset, written: Vec::new() }))
    }
}

impl<R: Read> Write for CompareWriter<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let stays = io::BufRead::fill_buf(&mut self.original)?;
        let length = stays.len().min(bytes.len());
        let is_equal = match (stays.get(..length), bytes.get(..length)) {
            // Comparing whole slices is fast; bytes are compared only to find the first difference.
            (Some(old), Some(new)) if old == new => length,
            (Some(old), Some(new)) => old.iter().zip(new).take_while(|(old, new)| old == new).count(),
            _ => 0,
        };
        io::BufRead::consume(&mut self.original, is_equal);
        self.offset += is_equal as u64;
        if is_equal == length && length > 0 || bytes.is_empty() {
            return Ok(length);
        }
        let written = bytes.iter().copied().skip(is_equal).take(MAX_SHOWN).collect();
        self.stray = Some(TextDifference::Bytes { offset: self.offset, written });
        Err(io::Error::other("other bytes came back"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"\x02\0\0\0\x06\x06\x01\0\0\0\x06\xff\xff\xff\xff";

    #[test]
    fn another_byte_is_found() {
        let mut other = FILE.to_vec();
        other[5] = 8;
        let stray = through_text(FILE, &other[..]).unwrap();
        let Some(TextDifference::Bytes { offset, written }) = stray else { panic!("{stray:?}") };
        assert_eq!((offset, written.first()), (5, Some(&6)));
        let report = check_stray(&other[..], offset, &written).unwrap();
        let difference = report.difference.unwrap();
        assert!(difference.through && !report.exact);
        assert_eq!((difference.place.offset, difference.message), (5, Some("reconnect")));
    }

    #[test]
    fn more_and_less_are_found() {
        let offset = |again: &[u8]| match through_text(FILE, again).unwrap() {
            Some(TextDifference::Bytes { offset, .. }) => Some(offset),
            _ => None,
        };
        assert_eq!(offset(&FILE[..7]), Some(7));
        assert_eq!(offset(&[FILE, b"x"].concat()), Some(FILE.len() as u64));
        assert_eq!(offset(FILE), None);
    }

    #[test]
    fn any_bytes_come_back() {
        let long = vec![0; 100_000];
        for bytes in [&b""[..], b"no recording", b"track \"1\";\n", &long] {
            assert_eq!(through_text(bytes, bytes).unwrap(), None);
        }
    }
}
