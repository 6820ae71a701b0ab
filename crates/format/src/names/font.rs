//! The games' font: what a name made of its glyphs looks like in plain letters.

/// A string in the games' font as plain text: the bronze glyphs (bit 7) as the plain ones, the digits and brackets
/// below the space as digits and brackets, other ornaments as a dot, a mark or nothing that could harm a terminal.
///
/// ```
/// use moviola_format::names::readable;
/// assert_eq!(readable(b"\x90\xF2\xE5\xE4\x91\x12"), "[red]0");
/// ```
pub fn readable(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| letter(*byte)).collect()
}

fn letter(byte: u8) -> char {
    match byte & 0x7F {
        0x10 => '[',
        0x11 => ']',
        digit @ 0x12..=0x1B => char::from(b'0' + (digit - 0x12)),
        0x1D => '<',
        0x1E => '=',
        0x1F => '>',
        0x0D if byte >= 0x80 => '>',
        b'\t' | b'\n' | b'\r' => ' ',
        0x05 | 0x0E | 0x0F | 0x1C => '.',
        0x00..0x20 | 0x7F => '#',
        plain => char::from(plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_printable() {
        for byte in 0..=u8::MAX {
            assert!(matches!(letter(byte), ' '..='~'), "{byte}");
        }
    }
}
