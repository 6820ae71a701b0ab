//! The colors of chat, which ezQuake writes into its lines.

use moviola_format::names::without_colors;
use std::borrow::Cow;

/// A line of chat as QuakeWorld's clients show it: without codes for colors, and without each pair of braces, which only
/// gives the words between them another color.
///
/// ```
/// use moviola_state::quakeworld::without_chat_colors;
/// assert_eq!(*without_chat_colors(b"pack at [{low-rl}] {2}"), *b"pack at [low-rl] 2");
/// assert_eq!(*without_chat_colors(b"{took} {&cf00ra&cfff} :}"), *b"took ra :");
/// assert_eq!(*without_chat_colors(b"}:-{ or {a{b}"), *b"}:- or {a{b");
/// ```
pub fn without_chat_colors(line: &[u8]) -> Cow<'_, [u8]> {
    let (mut kept, mut rest) = (Vec::new(), line);
    while let Some((before, words, after)) = braces(rest) {
        kept.extend_from_slice(before);
        kept.extend_from_slice(words);
        rest = after;
    }
    if rest.len() == line.len() {
        return without_colors(line);
    }
    kept.extend_from_slice(rest);
    Cow::Owned(without_colors(&kept).into_owned())
}

/// The parts of a line before, in and after its first pair of braces.
fn braces(line: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (before, [_, inner @ ..]) = line.split_at_checked(line.iter().position(|byte| *byte == b'{')?)?
    else {
        return None;
    };
    let (words, [_, after @ ..]) = inner.split_at_checked(inner.iter().position(|byte| *byte == b'}')?)?
    else {
        return None;
    };
    Some((before, words, after))
}
