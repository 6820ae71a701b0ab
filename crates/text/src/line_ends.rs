//! Texts with the line ends of old Macs, a carriage return alone. Read unchanged, everything after their
//! first comment would be a comment. In other texts such a character is a blank, and may stand in comments
//! that LMPC wrote.

use std::io::{self, Read};

/// The amount of text that is examined for its line ends.
const LOOK: usize = 1 << 16;

/// Replaces every carriage return in a text with a line feed, if its beginning has no other line ends.
///
/// No byte moves, so places in the text are those in the file.
#[derive(Debug)]
pub(crate) struct LineEnds<R> {
    input: R,
    /// The examined start of the text, and the length of it already returned.
    start: Vec<u8>,
    lines_given: usize,
    looked: bool,
    returns: bool,
}

impl<R: Read> LineEnds<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, start: Vec::new(), lines_given: 0, looked: false, returns: false }
    }

    fn examine_start(&mut self) -> io::Result<()> {
        let got = (&mut self.input).take(LOOK as u64).read_to_end(&mut self.start)?;
        // The last byte may be the first half of a line end.
        let seen = if got < LOOK { got } else { got - 1 };
        let seen = self.start.get(..seen).unwrap_or_default();
        self.returns = seen.contains(&b'\r') && !seen.contains(&b'\n');
        self.looked = true;
        Ok(())
    }
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.looked {
            self.examine_start()?;
        }
        let rest = self.start.get(self.lines_given..).unwrap_or_default();
        let length = if rest.is_empty() {
            self.start = Vec::new();
            self.lines_given = 0;
            self.input.read(buffer)?
        } else {
            let length = (&*rest).read(buffer)?;
            self.lines_given += length;
            length
        };
        if self.returns {
            let read = buffer.iter_mut().take(length);
            read.filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        LineEnds::new(text).read_to_end(&mut out).unwrap();
        out
    }

    #[test]
    fn only_lone_returns_become_lines() {
        assert_eq!(read(b"// a\rnop;\r"), b"// a\nnop;\n");
        for same in [&b"// a\r\nnop;\r\n"[..], b"// a\rb\nnop;\n", b"nop;", b""] {
            assert_eq!(read(same), same);
        }
        let long = [&b"x".repeat(LOOK - 1)[..], b"\r\ny\rz"].concat();
        assert_eq!(read(&long), long);
        let long = b"xyz\r".repeat(LOOK);
        assert_eq!(read(&long), b"xyz\n".repeat(LOOK));
    }
}
