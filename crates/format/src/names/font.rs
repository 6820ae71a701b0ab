//! The games' fonts: what a byte of a string looks like on the screen.

/// The glyphs of the bytes below 32; bytes from 128 on are the same in bronze.
const LOW: &[u8; 32] = b"............>...[]0123456789.<=>";

/// A string as a person reads it, in plain ASCII: bronze letters lose their colour, line breaks and tabs become blanks.
///
/// ```
/// use moviola_format::names::readable;
/// assert_eq!(readable(b"\xd2anger\x12\n"), "Ranger0");
/// ```
pub fn readable(bytes: &[u8]) -> String {
    let text: String = bytes
        .iter()
        .map(|byte| match byte & 0x7F {
            b'\t' | b'\n' | b'\r' if *byte < 128 => ' ',
            low @ 0..32 => LOW.get(usize::from(low)).map_or('.', |glyph| char::from(*glyph)),
            127 => '.',
            plain => char::from(plain),
        })
        .collect();
    text.trim().to_owned()
}
