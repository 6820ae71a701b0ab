//! The part of a text that is in memory: read, and not yet done.
//!
//! It lies on a [`Sheet`] of fixed size, so that code that takes places modulo [`SIZE`] can read the next
//! characters without a check. After the text are a line end and zeros, at which every reader stops.

use std::io::{self, ErrorKind, Read};

/// The size of a sheet: a power of two, and small enough for the nearer caches.
pub(crate) const SIZE: usize = 1 << 18;

/// The number of characters that may be read ahead from any place.
pub(crate) const AHEAD: usize = 256;

/// The greatest amount of text on a sheet.
const FULL: usize = SIZE - AHEAD;

/// A text's window, if no statement in it is longer than usual.
pub(crate) type Sheet = [u8; SIZE + AHEAD];

/// The text in memory.
#[derive(Debug)]
pub(crate) struct Window {
    buffer: Vec<u8>,
    len: usize,
    /// Whether it reaches to the end of the text.
    pub(crate) complete: bool,
}

impl Window {
    pub(crate) fn new() -> Self {
        Self { buffer: vec![0; size_of::<Sheet>()], len: 0, complete: false }
    }

    /// The text.
    pub(crate) fn text(&self) -> &[u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    /// The sheet with the text, unless the text is too long for one.
    pub(crate) fn sheet(&self) -> Option<&Sheet> {
        self.buffer.first_chunk().filter(|_| self.len <= FULL)
    }

    /// Reads more text. An incomplete statement is read again, so the size doubles to keep repetitions few.
    pub(crate) fn fill(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let full = if self.len <= FULL / 2 { FULL } else { 4 * self.len };
        if self.buffer.len() < full + AHEAD {
            self.buffer.resize(full + AHEAD, 0);
        }
        while self.len < full && !self.complete {
            match input.read(self.buffer.get_mut(self.len..full).unwrap_or_default()) {
                Ok(read) => {
                    self.len += read;
                    self.complete = read == 0;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.seal();
        Ok(())
    }

    /// Drops the start.
    pub(crate) fn advance(&mut self, done: usize) {
        let done = done.min(self.len);
        self.buffer.copy_within(done..self.len, 0);
        self.shorten(self.len - done);
    }

    /// Drops everything after the first `len` bytes.
    pub(crate) fn shorten(&mut self, len: usize) {
        self.len = len;
        self.seal();
    }

    /// Writes the stop characters after the text.
    fn seal(&mut self) {
        for (n, byte) in self.buffer.iter_mut().skip(self.len).take(AHEAD).enumerate() {
            *byte = if n == 0 { b'\n' } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_an_earlier_text_are_not_read_again() {
        let mut window = Window::new();
        window.fill(&mut &b"x".repeat(FULL)[..]).unwrap();
        assert_eq!((window.text().len(), window.complete), (FULL, false));
        window.advance(FULL - 3);
        window.fill(&mut &b"yz"[..]).unwrap();
        assert_eq!((window.text(), window.complete), (&b"xxxyz"[..], true));
        let behind = &window.sheet().unwrap()[5..5 + AHEAD];
        assert_eq!((behind[0], &behind[1..]), (b'\n', &[0; AHEAD - 1][..]));
    }

    #[test]
    fn a_long_text_has_no_sheet() {
        let mut window = Window::new();
        let mut text = &b"x".repeat(5 * FULL)[..];
        window.fill(&mut text).unwrap();
        assert!(window.sheet().is_some());
        window.fill(&mut text).unwrap();
        assert_eq!(window.text().len(), 4 * FULL);
        assert!(window.sheet().is_none());
        window.shorten(7);
        assert_eq!(window.sheet().unwrap()[6..9], *b"x\n\0");
    }
}
