//! Strings as an engine reads them: short enough for its buffer, without the byte that it takes for the end, and with a
//! NUL.

use super::target::Target;
use moviola_check::CheckCode;
use moviola_format::Str;
use std::borrow::Cow;

/// The longest text that fits into an engine's buffer, less a margin.
const MAX_TEXT: usize = 2000;

/// The letter that looks like 0xFF in the fonts of both games.
const HIGH: u8 = 0xFF;
const LIKE_HIGH: u8 = 0x7F;

/// A string as the engine needs it, in parts that it reads completely; mostly one part. Texts that are shown one after
/// another are cut at the ends of lines, if there are any.
pub(super) fn parts<'s>(string: Str<'s>, target: &Target, by_line: bool) -> Vec<Cow<'s, [u8]>> {
    let long = target.rejects(CheckCode::LongString, string.bytes().len() as i64);
    let high = target.rejects(CheckCode::HighByteInString, 0) && string.bytes().contains(&HIGH);
    let open = target.rejects(CheckCode::UnterminatedString, 0) && !string.is_terminated();
    if !(long || high || open) {
        return vec![Cow::Borrowed(string.wire())];
    }
    let mut parts = Vec::new();
    let mut rest = string.bytes();
    loop {
        let mut room = if long { rest.len().min(MAX_TEXT) } else { rest.len() };
        if by_line && room < rest.len() {
            let line = rest.get(..room).and_then(|part| part.iter().rposition(|byte| *byte == b'\n'));
            room = line.map_or(room, |at| at.saturating_add(1));
        }
        let Some((part, behind)) = rest.split_at_checked(room) else { return parts };
        let mut part = part.to_vec();
        if high {
            part.iter_mut().filter(|byte| **byte == HIGH).for_each(|byte| *byte = LIKE_HIGH);
        }
        part.push(0);
        parts.push(Cow::Owned(part));
        if behind.is_empty() {
            return parts;
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_check::Engine;

    #[test]
    fn texts_fit_the_engine() {
        let id = Target { engine: Engine::find("id-1.09"), ..Target::default() };
        assert_eq!(parts(Str::new(b"as it is\0"), &id, true), [&b"as it is\0"[..]]);
        assert_eq!(parts(Str::new(b"open\xff"), &id, true), [&b"open\x7f\0"[..]]);
        let long = [vec![b'a'; 1500], vec![b'\n'], vec![b'b'; 1500], vec![0]].concat();
        let lengths =
            |by_line| parts(Str::new(&long), &id, by_line).iter().map(|part| part.len()).collect::<Vec<_>>();
        assert_eq!(lengths(true), [1502, 1501]);
        assert_eq!(lengths(false), [2001, 1002]);
        let none = Target::default();
        assert_eq!(parts(Str::new(b"open\xff"), &none, true), [&b"open\xff"[..]]);
    }
}
