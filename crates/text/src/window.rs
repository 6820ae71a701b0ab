//! The part of a text that is in memory: what was read of it and is not yet done with.
//!
//! It lies on a [`Sheet`] of fixed size, so that whoever takes places modulo [`SIZE`] may look at the next characters
//! without asking whether they are there. Behind the text stand a line's end and zeros, at which everything stops.

use std::io::{self, ErrorKind, Read};

/// How large a sheet is: a power of two, and small enough for the nearer caches.
pub(crate) const SIZE: usize = 1 << 18;

/// How many characters may be looked at from any place.
pub(crate) const AHEAD: usize = 256;

/// So much text is on a sheet.
const FULL: usize = SIZE - AHEAD;

/// A text's window, if no statement in it is longer than usual.
pub(crate) type Sheet = [u8; SIZE + AHEAD];

/// What was read of a text.
#[derive(Debug)]
pub(crate) struct Window {
    buffer: Vec<u8>,
    len: usize,
    /// Whether it ends where the text does.
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

    /// The text and what is behind it, unless it is too long.
    pub(crate) fn sheet(&self) -> Option<&Sheet> {
        self.buffer.first_chunk().filter(|_| self.len <= FULL)
    }

    /// Reads on. A statement that did not fit is read again: rather a few times than often.
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

    /// Lets go of its start.
    pub(crate) fn advance(&mut self, done: usize) {
        let done = done.min(self.len);
        self.buffer.copy_within(done..self.len, 0);
        self.shorten(self.len - done);
    }

    /// Lets go of what is behind so many characters.
    pub(crate) fn shorten(&mut self, len: usize) {
        self.len = len;
        self.seal();
    }

    /// Puts behind the text what stops its readers.
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
    fn what_was_there_before_is_not_read_again() {
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
    fn what_is_long_has_no_sheet() {
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
