//! The games' font: the sign that a byte of a string has on the screen, and the byte for a sign.
//!
//! The font has 128 signs in white and again, from byte 128 on, in bronze (Quake II: green). Most are ASCII;
//! the others are in one table. In texts, bronze is written like bold in Markdown: `**Ranger**`.

use super::latin::transliterate;
use std::borrow::Cow;
use std::iter;

/// The signs that are not ASCII: byte, sign, and the nearest ASCII character. Taken from the picture
/// `conchars`.
const SIGNS: &[(u8, char, u8)] = &[
    (0x00, '∙', b'.'),
    (0x01, '╺', b'.'),
    (0x02, '╍', b'.'),
    (0x03, '╸', b'.'),
    (0x04, '◈', b'.'),
    (0x05, '•', b'.'),
    (0x06, '◇', b'.'),
    (0x07, '┣', b'.'),
    (0x08, '╋', b'.'),
    (0x0b, '█', b'.'),
    (0x0c, '␣', b'.'),
    (0x0e, '⋅', b'.'),
    (0x0f, '·', b'.'),
    (0x10, '⟦', b'['),
    (0x11, '⟧', b']'),
    (0x12, '⓪', b'0'),
    (0x13, '①', b'1'),
    (0x14, '②', b'2'),
    (0x15, '③', b'3'),
    (0x16, '④', b'4'),
    (0x17, '⑤', b'5'),
    (0x18, '⑥', b'6'),
    (0x19, '⑦', b'7'),
    (0x1a, '⑧', b'8'),
    (0x1b, '⑨', b'9'),
    (0x1c, '‧', b'.'),
    (0x1d, '╞', b'<'),
    (0x1e, '═', b'='),
    (0x1f, '╡', b'>'),
    (0x7f, '◂', b'.'),
    (0x80, '⊏', b'.'),
    (0x81, '─', b'.'),
    (0x82, '⊐', b'.'),
    (0x83, '◆', b'.'),
    (0x89, '┫', b'.'),
    (0x8a, '␊', b' '),
    (0x8d, '▶', b'>'),
];

/// A byte that is in bronze.
const BRONZE: u8 = 0x80;

/// A sign on the screen.
///
/// ```
/// use moviola_format::names::Glyph;
/// assert_eq!(Glyph::of(b'a'), Glyph { sign: 'a', bronze: false });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// The sign: ASCII if it looks like ASCII, a line break or a tab if it acts as one.
    pub sign: char,
    /// Whether it is in bronze (Quake II: green). Golden digits and brackets are other signs: `①`, `⟦`.
    pub bronze: bool,
}

impl Glyph {
    /// The sign of a byte in a string.
    ///
    /// ```
    /// use moviola_format::names::Glyph;
    /// assert_eq!(Glyph::of(0xD2), Glyph { sign: 'R', bronze: true });
    /// assert_eq!(Glyph::of(0x13), Glyph { sign: '①', bronze: false });
    /// ```
    pub fn of(byte: u8) -> Self {
        let row = |wanted: u8| SIGNS.iter().find(|row| row.0 == wanted);
        // The upper half has a few signs that the lower one lacks, and otherwise repeats it.
        let sign = match row(byte).or_else(|| row(byte & !BRONZE)) {
            Some(row) => row.1,
            None => char::from(byte & !BRONZE),
        };
        Self { sign, bronze: byte >= BRONZE }
    }

    /// The byte that shows this sign, if the font has it.
    ///
    /// ```
    /// use moviola_format::names::Glyph;
    /// assert_eq!(Glyph { sign: 'R', bronze: true }.byte(), Some(0xD2));
    /// assert_eq!(Glyph { sign: 'é', bronze: false }.byte(), None);
    /// ```
    pub fn byte(self) -> Option<u8> {
        let low = match SIGNS.iter().find(|row| row.1 == self.sign) {
            Some(row) => row.0,
            None => u8::try_from(self.sign).ok().filter(u8::is_ascii)?,
        };
        let byte = if self.bronze { low | BRONZE } else { low };
        (Self::of(byte) == self).then_some(byte)
    }
}

/// The nearest ASCII character of every byte, as a table, because texts of whole recordings are converted.
#[expect(clippy::indexing_slicing, reason = "a wrong index would not compile")]
static PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let mut byte = 0;
    while byte < plain.len() {
        let mut nearest = byte as u8 & !BRONZE;
        // The upper half has a few signs that the lower one lacks, and otherwise repeats it: later rows win.
        let mut row = 0;
        while row < SIGNS.len() {
            let (sign, _, ascii) = SIGNS[row];
            if sign == byte as u8 || sign == byte as u8 & !BRONZE {
                nearest = ascii;
            }
            row += 1;
        }
        let breaks = byte < BRONZE as usize && matches!(nearest, b'\t' | b'\n' | b'\r');
        plain[byte] = if nearest.is_ascii_control() && !breaks { b'.' } else { nearest };
        byte += 1;
    }
    plain
};

/// The effect of the first byte of a print on all of it.
///
/// ```
/// use moviola_format::names::PrintMark;
/// assert_eq!(PrintMark::split(b"\x02FitzQuake\n").0, Some(PrintMark::Bronze));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintMark {
    /// `\001`: the talk sound, and all in bronze. Chat messages begin with it.
    Talk,
    /// `\002`: all in bronze.
    Bronze,
}

impl PrintMark {
    /// The mark of a print, and the text after it.
    ///
    /// ```
    /// use moviola_format::names::PrintMark;
    /// assert_eq!(PrintMark::split(b"\x01Ranger: hi\n"), (Some(PrintMark::Talk), &b"Ranger: hi\n"[..]));
    /// assert_eq!(PrintMark::split(b"hi\n"), (None, &b"hi\n"[..]));
    /// ```
    pub fn split(print: &[u8]) -> (Option<Self>, &[u8]) {
        match print {
            [1, text @ ..] => (Some(Self::Talk), text),
            [2, text @ ..] => (Some(Self::Bronze), text),
            text => (None, text),
        }
    }
}

/// A string in readable form, in plain ASCII and one line: letters lose their color, line breaks and tabs
/// become blanks, and blanks at both ends are removed.
///
/// ```
/// use moviola_format::names::readable;
/// assert_eq!(readable(b"\xd2anger\x12\n"), "Ranger0");
/// ```
pub fn readable(bytes: &[u8]) -> String {
    let in_line = |sign: u8| if sign.is_ascii_control() { b' ' } else { sign };
    let line: Vec<u8> = bytes.iter().map(|byte| in_line(near(*byte))).collect();
    String::from_utf8_lossy(line.trim_ascii()).into_owned()
}

/// A string in plain ASCII with its layout: letters lose their color, blanks and line breaks stay.
///
/// ```
/// use moviola_format::names::plain;
/// assert_eq!(plain(b"  \xd2anger\x12\n"), "  Ranger0\n");
/// ```
pub fn plain(bytes: &[u8]) -> String {
    // All nearest characters are ASCII.
    String::from_utf8(bytes.iter().map(|byte| near(*byte)).collect()).unwrap_or_default()
}

/// Whether a string is plain ASCII already, so that [`plain`] gives the same bytes.
///
/// ```
/// use moviola_format::names::is_plain;
/// assert!(is_plain(b"Ranger\n") && !is_plain(b"\xd2anger\n"));
/// ```
pub fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| near(*byte) == *byte)
}

/// A string without ezQuake's codes for colors: `&c` with three digits, `&r`, and the braces around the words of a message
/// to the team, which that client does not show either. Without such a color the braces are somebody's own.
///
/// ```
/// use moviola_format::names::without_colors;
/// assert_eq!(*without_colors(b"Sujoy took {&cf00ra&cfff} at {quad}"), *b"Sujoy took ra at quad");
/// assert_eq!(*without_colors(b"{&r} &cold & R&R"), *b"{&r} &cold & R&R");
/// ```
pub fn without_colors(bytes: &[u8]) -> Cow<'_, [u8]> {
    let color_at = |at: usize| match bytes.get(at..) {
        Some([b'&', b'c', digits @ ..]) => {
            digits.first_chunk::<3>().is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit))
        }
        _ => false,
    };
    if !bytes.contains(&b'&') || !(0..bytes.len()).any(color_at) {
        return Cow::Borrowed(bytes);
    }
    let (mut kept, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(rest @ [byte, ..]) = bytes.get(at..) {
        at += match rest {
            _ if color_at(at) => 5,
            [b'&', b'r', ..] => 2,
            [b'{' | b'}', ..] => 1,
            _ => {
                kept.push(*byte);
                1
            }
        };
    }
    Cow::Owned(kept)
}

fn near(byte: u8) -> u8 {
    PLAIN.get(usize::from(byte)).copied().unwrap_or(b'.')
}

/// A string as Unicode text from which [`unmarked`] makes the same bytes: bronze is written between `**`.
///
/// ```
/// use moviola_format::names::{marked, unmarked};
/// assert_eq!(marked(b"You got the \xf2\xef\xe3\xeb\xe5\xf4s \x12\n"), "You got the **rocket**s ⓪\n");
/// assert_eq!(unmarked("You got the **rocket**s ⓪\n"), b"You got the \xf2\xef\xe3\xeb\xe5\xf4s \x12\n");
/// ```
pub fn marked(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut bronze = false;
    for glyph in bytes.iter().map(|byte| Glyph::of(*byte)) {
        if glyph.bronze != bronze {
            text.push_str("**");
            bronze = glyph.bronze;
        }
        if matches!(glyph.sign, '*' | '\\') {
            text.push('\\');
        }
        text.push(glyph.sign);
    }
    if bronze {
        text.push_str("**");
    }
    text
}

/// A text in the font: `**` begins and ends bronze, `\*` is a star, letters with accents lose them, and other
/// characters that the font lacks become `?`.
///
/// ```
/// use moviola_format::names::unmarked;
/// assert_eq!(unmarked("Où est **le café** ?"), b"Ou est \xec\xe5\xa0\xe3\xe1\xe6\xe5 ?");
/// assert_eq!(unmarked("2 * 3 \\* 4"), b"2 * 3 * 4");
/// ```
pub fn unmarked(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for glyph in glyphs(text) {
        put(glyph, &mut bytes);
    }
    bytes
}

/// A text without its marks: the letters that [`unmarked`] finds, as other programs show them.
///
/// ```
/// use moviola_format::names::without_marks;
/// assert_eq!(without_marks("Où est **le café** \\*?"), "Où est le café *?");
/// ```
pub fn without_marks(text: &str) -> String {
    glyphs(text).map(|glyph| glyph.sign).collect()
}

/// The letters of a text, in which `**` begins and ends bronze.
fn glyphs(text: &str) -> impl Iterator<Item = Glyph> {
    let mut bronze = false;
    let mut signs = text.chars().peekable();
    iter::from_fn(move || {
        loop {
            let sign = signs.next()?;
            let next = signs.peek().copied();
            match (sign, next) {
                ('*', Some('*')) => {
                    signs.next();
                    bronze = !bronze;
                }
                ('\\', Some(escaped @ ('*' | '\\'))) => {
                    signs.next();
                    return Some(Glyph { sign: escaped, bronze });
                }
                (sign, _) => return Some(Glyph { sign, bronze }),
            }
        }
    })
}

fn put(Glyph { sign, bronze }: Glyph, bytes: &mut Vec<u8>) {
    // A line break has no bronze form, and neither have some signs.
    let byte_of = |bronze| Glyph { sign, bronze }.byte();
    let byte = match sign {
        '\t' | '\n' | '\r' => byte_of(false),
        _ => byte_of(bronze).or_else(|| byte_of(!bronze)),
    };
    if let Some(byte) = byte {
        bytes.push(byte);
    } else {
        let tint = if bronze { BRONZE } else { 0 };
        bytes.extend(transliterate(sign).bytes().map(|byte| byte | tint));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_one_sign_and_every_sign_one_byte() {
        for byte in 0..=u8::MAX {
            assert_eq!(Glyph::of(byte).byte(), Some(byte), "{byte:#04x} {:?}", Glyph::of(byte));
        }
    }

    #[test]
    fn marked_text_comes_back_as_the_same_bytes() {
        // 0x89, 0x8D: a tab and a return in bronze are signs of their own, so nothing is lost.
        let all: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(unmarked(&marked(&all)), all);
        for pair in [[b'*', b'*'], [b'*', 0xAA], [0xAA, b'*'], [b'\\', b'*'], [0xDC, 0xAA], [b'\\', b'\\']] {
            assert_eq!(unmarked(&marked(&pair)), pair, "{}", marked(&pair));
        }
    }

    #[test]
    fn ascii_is_itself_and_the_rest_is_near() {
        for byte in b' '..0x7f {
            assert_eq!(Glyph::of(byte).sign, char::from(byte));
            assert_eq!(plain(&[byte, byte | 0x80]), format!("{0}{0}", char::from(byte)));
        }
        assert_eq!(plain(b"\x90\x12\x1b\x91\x1d\x1e\x9f \x0d\x8d"), "[09]<=> \r>");
        assert!((0..=u8::MAX).all(|byte| plain(&[byte]).is_ascii()));
    }

    #[test]
    fn stars_that_mark_nothing_and_marks_without_an_end() {
        assert_eq!(unmarked("a*b"), b"a*b");
        assert_eq!(unmarked("**ab"), b"\xe1\xe2");
        assert_eq!(unmarked("**a\nb**"), b"\xe1\n\xe2");
        assert_eq!(unmarked("**é**漢"), b"\xe5?");
    }
}
