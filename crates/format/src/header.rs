//! Quake's first line, the CD track, as three generations of players understand it.
//!
//! Writers put a number and a newline. The readers differ: before 1.09 `fscanf` took a number and all white
//! space behind it, 1.09 takes every byte up to the first newline, and `QuakeSpasm` wants a number and then a newline.

/// A player that reads the line in its own way.
///
/// ```
/// use moviola_format::HeaderReader;
/// let players = HeaderReader::ALL.map(|reader| reader.read(b"4\n").map(|it| it.track));
/// assert_eq!(players, [Some(4); 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderReader {
    /// Quake before 1.09: `fscanf("%i\n")`.
    Fscanf,
    /// Quake 1.09 and most that came from it: byte by byte up to the newline.
    StepByStep,
    /// `QuakeSpasm` and `Ironwail`: a number, then a newline.
    QuakeSpasm,
}

/// What a player makes of the line.
///
/// ```
/// use moviola_format::{HeaderReader, HeaderReading};
/// let reading = HeaderReader::QuakeSpasm.read(b"-1\n\x10");
/// assert_eq!(reading, Some(HeaderReading { track: -1, length: 3 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderReading {
    /// The CD track.
    pub track: i32,
    /// How many bytes it took; the first block is looked for behind them.
    pub length: usize,
}

impl HeaderReader {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fscanf, Self::StepByStep, Self::QuakeSpasm];

    /// What this player makes of the start of a file; `None` is "it cannot play it".
    ///
    /// ```
    /// use moviola_format::HeaderReader;
    /// assert_eq!(HeaderReader::StepByStep.read(b"1-\n").unwrap().track, -1);
    /// assert_eq!(HeaderReader::Fscanf.read(b"1-\n").unwrap().length, 1);
    /// assert_eq!(HeaderReader::QuakeSpasm.read(b"1-\n"), None);
    /// ```
    pub fn read(self, file: &[u8]) -> Option<HeaderReading> {
        match self {
            Self::Fscanf => {
                let (track, end) = scan_int(file)?;
                Some(HeaderReading { track, length: skip_white(file, end) })
            }
            Self::StepByStep => {
                let newline = file.iter().position(|byte| *byte == b'\n')?;
                let (mut track, mut negative) = (0i32, false);
                for byte in file.iter().take(newline) {
                    if *byte == b'-' {
                        negative = true;
                    } else {
                        // The engine's `char` is signed, and so are its sums.
                        let digit = i32::from(*byte as i8).wrapping_sub(i32::from(b'0'));
                        track = track.wrapping_mul(10).wrapping_add(digit);
                    }
                }
                Some(HeaderReading {
                    track: if negative { track.wrapping_neg() } else { track },
                    length: newline + 1,
                })
            }
            Self::QuakeSpasm => {
                let (track, end) = scan_int(file)?;
                (file.get(end) == Some(&b'\n')).then_some(HeaderReading { track, length: end + 1 })
            }
        }
    }
}

/// C's white space.
fn is_white(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

fn skip_white(file: &[u8], from: usize) -> usize {
    from + file.iter().skip(from).take_while(|byte| is_white(**byte)).count()
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
        HeaderReader::ALL.map(|reader| reader.read(file).map(|it| (it.track, it.length)))
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
}
