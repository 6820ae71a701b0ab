//! Texts on the screen: rows of characters, wrapped and centered as both games do it.

use crate::{Draw, Overlay, PictureFile};
use moviola_format::names::without_colors;

/// The width and height of a character.
pub(crate) const CHARACTER: i32 = 8;

/// The bit that gives a character its other color.
pub(crate) const BRONZE: u8 = 0x80;

impl Overlay {
    pub(crate) fn width(&self) -> i32 {
        self.screen[0]
    }

    pub(crate) fn height(&self) -> i32 {
        self.screen[1]
    }

    /// Draws a row of characters; `or` is added to the bits of each.
    pub(crate) fn text(&mut self, x: i32, y: i32, text: &[u8], or: u8) {
        for (code, column) in text.iter().zip(0i32..MOST_COLUMNS) {
            if code & !BRONZE != b' ' {
                let at = [x.saturating_add(column * CHARACTER), y];
                self.draws.push(Draw::Character { code: code | or, at });
            }
        }
    }

    pub(crate) fn picture(&mut self, picture: PictureFile, x: i32, y: i32) {
        self.draws.push(Draw::Picture { picture, at: [x, y], alpha: 1.0 });
    }

    /// Draws lines in the middle of the screen, up to `shown` characters.
    pub(crate) fn centered(&mut self, text: &[u8], shown: usize) {
        let lines = text.split(|byte| *byte == b'\n').count();
        let mut y = if lines <= 4 { self.height() * 35 / 100 } else { 48 };
        let mut left = shown;
        for line in text.split(|byte| *byte == b'\n').take(MOST_LINES) {
            let line = line.get(..CENTER_WIDTH).unwrap_or(line);
            let x = (self.width() - line.len() as i32 * CHARACTER) / 2;
            self.text(x, y, line.get(..left).unwrap_or(line), 0);
            left = left.saturating_sub(line.len().saturating_add(1));
            y += CHARACTER;
        }
    }

    /// Draws the last console lines at the top.
    pub(crate) fn notify<'t>(&mut self, texts: impl Iterator<Item = &'t [u8]>) {
        let width = (self.width() / CHARACTER - 2).clamp(8, MOST_COLUMNS) as usize;
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let mut open = false;
        for text in texts {
            let (text, or) = match text {
                [1 | 2, rest @ ..] => (rest, BRONZE),
                text => (text, 0),
            };
            for byte in &*without_colors(text.get(..MOST_TEXT).unwrap_or(text)) {
                match byte {
                    b'\n' => open = false,
                    b'\r' => {}
                    byte => {
                        if !open {
                            lines.push(Vec::new());
                        }
                        open = true;
                        if let Some(line) = lines.last_mut() {
                            line.push(byte | or);
                            wrap(&mut lines, width);
                        }
                    }
                }
            }
        }
        let first = lines.len().saturating_sub(NOTIFY_LINES);
        for (line, row) in lines.iter().skip(first).zip(0..) {
            self.text(CHARACTER, row * CHARACTER, line, 0);
        }
    }
}

/// Breaks a line that is too long after its last whole word.
fn wrap(lines: &mut Vec<Vec<u8>>, width: usize) {
    let Some(line) = lines.last_mut().filter(|line| line.len() > width) else { return };
    let cut = line.iter().rposition(|byte| *byte == b' ').filter(|at| *at > 0).map_or(width, |at| at + 1);
    let rest = line.split_off(cut.min(line.len()));
    lines.push(rest);
}

const MOST_COLUMNS: i32 = 512;
const MOST_LINES: usize = 64;
const MOST_TEXT: usize = 4096;
const CENTER_WIDTH: usize = 40;
const NOTIFY_LINES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(overlay: &Overlay) -> Vec<String> {
        let mut rows = std::collections::BTreeMap::<i32, String>::new();
        for draw in &overlay.draws {
            if let Draw::Character { code, at } = draw {
                rows.entry(at[1]).or_default().push(char::from(code & 0x7f));
            }
        }
        rows.into_values().collect()
    }

    #[test]
    fn the_last_four_lines_are_seen_and_long_ones_are_wrapped() {
        let mut overlay = Overlay { screen: [96, 200], draws: Vec::new() };
        let texts: [&[u8]; 3] = [b"one\ntwo\n", b"three ", b"four five six\n"];
        overlay.notify(texts.into_iter());
        assert_eq!(rows(&overlay), ["one", "two", "threefour", "fivesix"]);
    }
}
