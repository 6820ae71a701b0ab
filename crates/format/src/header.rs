//! Quake's first line, the CD track, in the three ways in which engines read it.
//!
//! Recorders write a number and a newline. The readers differ: before 1.09 `fscanf` took a number and all
//! white space after it, 1.09 takes every byte up to the first newline, and `QuakeSpasm` requires a number
//! and then a newline.

use crate::sniff::blocks_begin;

/// A family of engines that read the line in the same way.
///
/// ```
/// use moviola_format::HeaderReader;
/// let players = HeaderReader::ALL.map(|reader| reader.read(b"4\n").and_then(|it| it.track));
/// assert_eq!(players, [Some(4); 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderReader {
    /// Quake before 1.09: `fscanf("%i\n")`.
    Fscanf,
    /// Quake 1.09 and most of its descendants: byte by byte up to the newline.
    StepByStep,
    /// `QuakeSpasm` and `Ironwail`: a number, then a newline.
    QuakeSpasm,
}

/// The result of reading the line.
///
/// ```
/// use moviola_format::{HeaderReader, HeaderReading};
/// let reading = HeaderReader::QuakeSpasm.read(b"-1\n\x10");
/// assert_eq!(reading, Some(HeaderReading { track: Some(-1), length: 3 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderReading {
    /// The CD track; `None` if the engine found no number and plays on with an arbitrary track.
    pub track: Option<i32>,
    /// The number of bytes that it took; the first block is expected after them.
    pub length: usize,
}

impl HeaderReader {
    /// All families.
    pub const ALL: [Self; 3] = [Self::Fscanf, Self::StepByStep, Self::QuakeSpasm];

    /// Whether this engine finds blocks after the line, even if they begin elsewhere for other engines.
    /// `start` is the start of a file, or all of it (`complete`).
    ///
    /// ```
    /// use moviola_format::HeaderReader;
    /// let two_in_one = [&b"-1\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\n"[..], b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02"].concat();
    /// assert!(HeaderReader::Fscanf.finds_blocks(b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02", true));
    /// assert!(HeaderReader::StepByStep.finds_blocks(&two_in_one, true));
    /// ```
    pub fn finds_blocks(self, start: &[u8], complete: bool) -> bool {
        self.read(start).is_some_and(|it| blocks_begin(start, it.length, complete))
    }

    /// Reads the line at the start of a file; `None` if this engine cannot play the file.
    ///
    /// ```
    /// use moviola_format::HeaderReader;
    /// assert_eq!(HeaderReader::StepByStep.read(b"1-\n").unwrap().track, Some(-1));
    /// assert_eq!(HeaderReader::Fscanf.read(b"1-\n").unwrap().length, 1);
    /// assert_eq!(HeaderReader::QuakeSpasm.read(b"1-\n"), None);
    /// ```
    pub fn read(self, file: &[u8]) -> Option<HeaderReading> {
        match self {
            // This reader does not check whether a number was found (DEM 1.0.9, section 6.1.1).
            Self::Fscanf => Some(scan_int(file).map_or_else(
                || HeaderReading { track: None, length: before_number(file) },
                |(track, end)| HeaderReading { track: Some(track), length: skip_white(file, end) },
            )),
            Self::StepByStep => {
                let newline = file.iter().position(|byte| *byte == b'\n')?;
                let (mut track, mut negative) = (0i32, false);
                for byte in file.iter().take(newline) {
                    if *byte == b'-' {
                        negative = true;
                    } else {
                        // The engine's `char` is signed, so its sums can be negative.
                        let digit = i32::from(*byte as i8).wrapping_sub(i32::from(b'0'));
                        track = track.wrapping_mul(10).wrapping_add(digit);
                    }
                }
                Some(HeaderReading {
                    track: Some(if negative { track.wrapping_neg() } else { track }),
                    length: newline + 1,
                })
            }
            Self::QuakeSpasm => {
                let (track, end) = scan_int(file)?;
                (file.get(end) == Some(&b'\n'))
                    .then_some(HeaderReading { track: Some(track), length: end + 1 })
            }
        }
    }
}

/// The CD track in the line as recorders write it: a decimal number, with nothing but white space around it.
/// [`HeaderReader`] gives the number that an engine makes of other lines.
///
/// ```
/// use moviola_format::header_track;
/// assert_eq!((header_track(b"-1\n"), header_track(b"1-\n")), (Some(-1), None));
/// ```
pub fn header_track(header: &[u8]) -> Option<i32> {
    std::str::from_utf8(header).ok()?.trim().parse().ok()
}

/// C's white space.
fn is_white(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

fn skip_white(file: &[u8], from: usize) -> usize {
    from + file.iter().skip(from).take_while(|byte| is_white(**byte)).count()
}

/// The bytes that C's `%i` takes before it finds that there is no number: white space, and a sign.
fn before_number(file: &[u8]) -> usize {
    let at = skip_white(file, 0);
    at + usize::from(matches!(file.get(at), Some(b'-' | b'+')))
}

/// A number as C's `%i` reads it: white space, a sign, then decimal, octal or hexadecimal digits.
fn scan_int(file: &[u8]) -> Option<(i32, usize)> {
    let mut at = skip_white(file, 0);
    let negative = file.get(at) == Some(&b'-');
    if matches!(file.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let radix = match (file.get(at), file.get(at + 1)) {
        (Some(b'0'), Some(b'x' | b'X')) if file.get(at + 2).is_some_and(u8::is_ascii_hexdigit) => {
            at += 2;
            16
        }
        (Some(b'0'), _) => 8,
        _ => 10,
    };
    let (mut value, first) = (0i32, at);
    while let Some(digit) = file.get(at).and_then(|byte| char::from(*byte).to_digit(radix)) {
        value = value.wrapping_mul(radix as i32).wrapping_add(digit as i32);
        at += 1;
    }
    (at > first).then_some((if negative { value.wrapping_neg() } else { value }, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(file: &[u8]) -> [Option<(i32, usize)>; 3] {
        HeaderReader::ALL.map(|reader| reader.read(file).and_then(|it| Some((it.track?, it.length))))
    }

    #[test]
    fn the_three_readers() {
        assert_eq!(readings(b"-1\nrest"), [Some((-1, 3)); 3]);
        assert_eq!(readings(b"-1 L\0\0\n"), [Some((-1, 3)), Some((3728, 7)), None]);
        assert_eq!(readings(b" 2\n\t"), [Some((2, 4)), Some((-158, 3)), Some((2, 3))]);
        assert_eq!(readings(b"0x1F\n"), [Some((31, 5)), readings(b"0x1F\n")[1], Some((31, 5))]);
        assert_eq!(readings(b"no number"), [None, None, None]);
        assert_eq!(readings(b""), [None, None, None]);
    }

    #[test]
    fn a_track_is_the_whole_line() {
        let tracks =
            [&b" 12\r\n"[..], b"+7", b"010\n", b"0x1F\n", b"4 5\n", b"4\xff\n", b"\n", b"3000000000\n"]
                .map(header_track);
        assert_eq!(tracks, [Some(12), Some(7), Some(10), None, None, None, None, None]);
    }

    #[test]
    fn the_first_reader_plays_on_without_a_number() {
        let took =
            |file: &[u8]| HeaderReader::Fscanf.read(file).filter(|it| it.track.is_none()).map(|it| it.length);
        assert_eq!(took(b""), Some(0));
        assert_eq!(took(b"\x01\0\0\0"), Some(0));
        assert_eq!(took(b"\n\x01\0\0\0"), Some(1));
        assert_eq!(took(b" -\x01\0\0\0"), Some(2));
        assert_eq!(took(b"5\0\0\0"), None);
    }
}
