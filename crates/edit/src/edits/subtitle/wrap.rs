//! Breaks lines as the engines need it: they draw only the first forty signs of a line.

/// The greatest number of signs in a line (`SCR_DrawCenterString` of both games).
const COLUMNS: usize = 40;

/// Breaks a text of the games' font into lines that fit, at blanks where there are any.
pub(super) fn wrap(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n').flat_map(wrap_line);
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// A blank, in white or in bronze.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0xA0)
}

fn wrap_line(line: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    for word in line.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()) {
        for (part, piece) in word.chunks(COLUMNS).enumerate() {
            let Some(last) = lines.last_mut() else { continue };
            if last.is_empty() {
                last.extend_from_slice(piece);
            } else if part == 0 && last.len() + 1 + piece.len() <= COLUMNS {
                last.push(b' ');
                last.extend_from_slice(piece);
            } else {
                lines.push(piece.to_vec());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let wrapped = wrap(text.as_bytes());
        String::from_utf8(wrapped).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn lines_break_at_blanks() {
        let text = "The quick brown fox jumps over the lazy dog and is seen no more";
        assert_eq!(lines(text), ["The quick brown fox jumps over the lazy", "dog and is seen no more"]);
        assert_eq!(lines("one\n  two  three "), ["one", "two three"]);
        assert_eq!(lines(""), Vec::<String>::new());
    }

    #[test]
    fn forty_fit_and_longer_words_are_cut() {
        let forty = "a".repeat(40);
        assert_eq!(lines(&forty), [forty.as_str()]);
        assert_eq!(lines(&format!("b {forty}cc d")), ["b", forty.as_str(), "cc d"]);
        assert!(wrap(&[0xE1; 100]).split(|byte| *byte == b'\n').all(|line| line.len() <= COLUMNS));
    }

    #[test]
    fn a_word_in_bronze_breaks_at_bronze_blanks() {
        let text = [&[0xE1; 30][..], &[0xA0], &[0xE1; 30]].concat();
        assert_eq!(wrap(&text).iter().position(|byte| *byte == b'\n'), Some(30));
    }
}
