//! Quoted strings in ASCII; other bytes are escaped in octal, as in the texts of Quake's recordings.

/// Quotes bytes as a string.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => text.extend(['\\', octal(*byte >> 6), octal(*byte >> 3), octal(*byte)]),
        }
    }
    text.push('"');
    text
}

fn octal(value: u8) -> char {
    char::from(b'0' + (value & 7))
}

/// The bytes of a quoted string; `None` if the text is not one.
pub(crate) fn unquoted(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.trim().strip_prefix('"')?.strip_suffix('"')?.bytes();
    let mut unquoted = Vec::new();
    while let Some(byte) = bytes.next() {
        unquoted.push(match byte {
            b'"' => return None,
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                first @ b'0'..=b'3' => {
                    let digits = [first, bytes.next()?, bytes.next()?];
                    digits.iter().try_fold(0u8, |value, digit| {
                        matches!(digit, b'0'..=b'7').then(|| (value << 3) | (digit - b'0'))
                    })?
                }
                other @ (b'"' | b'\\') => other,
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(unquoted)
}
