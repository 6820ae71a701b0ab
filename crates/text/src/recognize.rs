//! Recognizes texts of the language, for callers that accept both texts and recordings.

use crate::compile::MARK;
use crate::statement_kind::StatementKind;

/// Whether these first bytes of a file read like a text: blanks and comments, then a statement.
///
/// A misspelled statement counts, so that people get a message about it; a word alone does not.
///
/// Check for a recording first: [`moviola_format::sniff`] knows recordings better.
///
/// ```
/// use moviola_text::is_text;
/// assert!(is_text(b"// source: DEM binary file x.dem\n\ntrack \"-1\\n\";\nblock {"));
/// assert!(!is_text(b"-1\n\x01\0\0\0\0\0\0\0"));
/// ```
pub fn is_text(start: &[u8]) -> bool {
    if matches!(start, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        // UTF-16 counts too: the compiler then explains how to save the file.
        return true;
    }
    if start.contains(&0) {
        return false;
    }
    let start = start.strip_prefix(MARK).unwrap_or(start);
    let mut rest = start;
    loop {
        rest = rest.trim_ascii_start();
        match rest.strip_prefix(b"//") {
            Some(comment) => {
                let length = comment.iter().position(|byte| *byte == b'\n');
                rest = length.and_then(|length| comment.get(length..)).unwrap_or_default();
            }
            None => break,
        }
    }
    let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let after = rest.get(word..).unwrap_or_default().trim_ascii_start();
    let known = rest.get(..word).and_then(StatementKind::find).is_some_and(StatementKind::is_outside);
    let commented = rest.len() < start.trim_ascii_start().len();
    if rest.is_empty() {
        commented
    } else {
        word > 0 && (known || matches!(after.first(), Some(b'{' | b';' | b'"')))
    }
}

/// Whether a text begins like one in UTF-16: with its mark, or with two letters that each have a NUL.
pub(crate) fn is_utf16(start: &[u8]) -> bool {
    let letter = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    match start {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => true,
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] => letter(a) && letter(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn texts_are_recognized() {
        for text in [
            &b"track \"x\";"[..],
            b" \x0c block {",
            b"\xEF\xBB\xBFblock {",
            b"\xFF\xFEb\0l\0",
            b"// only\n// comments",
            b"betweenblock;",
            b"track",
            b"blok {",
        ] {
            assert!(is_text(text), "{}", text.escape_ascii());
        }
        for other in [
            &b""[..],
            b"  \n",
            b"-1\n",
            b"{ \"json\": 1 }",
            b"A sentence, in prose.",
            b"word",
            b"word 5",
            b"block {\0",
        ] {
            assert!(!is_text(other), "{}", other.escape_ascii());
        }
    }
}
