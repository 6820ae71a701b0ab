//! Assembles console lines from the pieces in which games print them.

use moviola_format::names::PrintMark;

/// A line of the console.
///
/// ```
/// use moviola_analyse::Lines;
/// let mut read = Vec::new();
/// let mut lines = Lines::default();
/// for print in [&b"Bob"[..], b" died\n"] {
///     lines.add(print, |name| name == b"Bob", &mut |line| read.push(line));
/// }
/// assert_eq!((&read[0].bytes[..], read[0].first_piece()), (&b"Bob died"[..], Some(&b"Bob"[..])));
/// assert_eq!((read[0].plain(), read[0].mark), (b"Bob died".to_vec(), None));
/// lines.flush(&mut |_| unreachable!());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its bytes without mark and line break.
    pub bytes: Vec<u8>,
    /// The end of its first piece.
    pub first: usize,
    /// The mark that it began with.
    pub mark: Option<PrintMark>,
}

impl Line {
    /// The first piece: in Quake's own lines a name, if the line has other pieces.
    pub fn first_piece(&self) -> Option<&[u8]> {
        self.bytes.get(..self.first).filter(|piece| !piece.is_empty() && piece.len() < self.bytes.len())
    }

    /// The line without bit 7, which makes characters bronze.
    pub fn plain(&self) -> Vec<u8> {
        plain(&self.bytes)
    }
}

/// Bytes without bit 7.
pub(crate) fn plain(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| byte & 0x7F).collect()
}

/// The greatest length of a line; longer ones are dropped.
const MAX_LINE: usize = 2048;

/// Assembles the lines of the console from prints.
///
/// ```
/// use moviola_analyse::Lines;
/// let mut read = Vec::new();
/// Lines::default().add(b"one\ntwo\n", |_| false, &mut |line| read.push(line.bytes));
/// assert_eq!(read, [b"one", b"two"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lines {
    open: Line,
    pieces: usize,
}

impl Lines {
    /// Takes a print, and passes on the lines that it completes. A piece that is a player's name never ends a
    /// line, because names may contain line breaks.
    pub fn add(&mut self, print: &[u8], is_name: impl Fn(&[u8]) -> bool, done: &mut dyn FnMut(Line)) {
        let (mark, mut text) = PrintMark::split(print);
        if mark.is_some() {
            self.flush(done);
            self.open.mark = mark;
            // The line break after the mark of the version does not end a line.
            text = text.strip_prefix(b"\n").unwrap_or(text);
        } else if !text.is_empty() && is_name(text) {
            self.put(text, done);
            return;
        }
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            self.put(text.get(..end).unwrap_or_default(), done);
            self.flush(done);
            text = text.get(end.saturating_add(1)..).unwrap_or_default();
        }
        if !text.is_empty() {
            self.put(text, done);
        }
    }

    fn put(&mut self, piece: &[u8], done: &mut dyn FnMut(Line)) {
        if self.open.bytes.len().saturating_add(piece.len()) > MAX_LINE {
            self.flush(done);
        }
        self.open.bytes.extend_from_slice(piece.get(..MAX_LINE).unwrap_or(piece));
        if self.pieces == 0 {
            self.open.first = self.open.bytes.len();
        }
        self.pieces = self.pieces.saturating_add(1);
    }

    /// Passes on the incomplete line.
    pub fn flush(&mut self, done: &mut dyn FnMut(Line)) {
        self.pieces = 0;
        let line = std::mem::take(&mut self.open);
        if !line.bytes.is_empty() {
            done(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(prints: &[&[u8]], name: &[u8]) -> Vec<(Vec<u8>, Option<PrintMark>)> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for print in prints {
            lines.add(print, |piece| piece == name, &mut |line| found.push((line.bytes, line.mark)));
        }
        lines.flush(&mut |line| found.push((line.bytes, line.mark)));
        found
    }

    #[test]
    fn pieces_become_lines() {
        let found = lines(&[b"Bob", b" was nailed by ", b"Al", b"\n", b"one\ntwo\n\nthree"], b"");
        let texts: Vec<&[u8]> = found.iter().map(|(line, _)| &line[..]).collect();
        assert_eq!(texts, [&b"Bob was nailed by Al"[..], b"one", b"two", b"three"]);
    }

    #[test]
    fn a_name_does_not_end_a_line_and_a_mark_begins_one() {
        let found = lines(&[b"Bo\n", b" died\n", b"left over", b"\x02\nVERSION", b"\x01Bo\n: hi\n"], b"Bo\n");
        let texts: Vec<&[u8]> = found.iter().map(|(line, _)| &line[..]).collect();
        assert_eq!(texts, [&b"Bo\n died"[..], b"left over", b"VERSION", b"Bo", b": hi"]);
        assert_eq!(found[2].1, Some(PrintMark::Bronze));
    }

    #[test]
    fn no_line_grows_without_end() {
        let long = vec![b'x'; 5000];
        let found = lines(&[&long, &long], b"");
        assert!(found.iter().all(|(line, _)| line.len() <= MAX_LINE), "{}", found.len());
    }
}
