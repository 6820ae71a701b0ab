//! The marks for letters in subtitles: `<b>` and `**` give bronze letters, other marks are removed.

use moviola_format::names::unmarked;

/// Converts a subtitle: returns the text with bronze letters between `**` and without other marks; the same in the
/// games' font; and the number of letters that the font lacks.
pub(super) fn to_font(text: &str) -> (String, Vec<u8>, usize) {
    let mut marked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let mark = match sign {
            '<' => tag(rest),
            '{' if rest.starts_with("{\\") => rest.find('}').map(|end| (end + 1, "")),
            '&' => entity(rest),
            _ => None,
        };
        let taken = if let Some((length, written)) = mark {
            marked.push_str(written);
            length
        } else {
            marked.push(sign);
            sign.len_utf8()
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    let strange = marked.chars().filter(|sign| is_strange(*sign)).count();
    let in_font = unmarked(&marked);
    (marked, in_font, strange)
}

/// Whether the font lacks this sign, so that a question mark would be shown instead.
fn is_strange(sign: char) -> bool {
    let asks = ['\u{bf}', '\u{61f}', '\u{203d}', '\u{ff1f}'];
    !sign.is_ascii() && !asks.contains(&sign) && unmarked(sign.encode_utf8(&mut [0; 4])) == b"?"
}

/// The length of a tag, and the text that is written for it.
fn tag(rest: &str) -> Option<(usize, &'static str)> {
    let end = rest.find('>')?;
    let inside = rest.get(1..end).unwrap_or_default();
    let name: String = inside
        .trim_start_matches('/')
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let is_time =
        inside.contains(':') && inside.bytes().all(|it| it.is_ascii_digit() || b":.,".contains(&it));
    let written = match name.as_str() {
        "b" => "**",
        "i" | "u" | "s" | "c" | "v" | "font" | "ruby" | "rt" | "lang" | "span" => "",
        // Times of words, for karaoke.
        _ if is_time => "",
        _ => return None,
    };
    Some((end + 1, written))
}

/// The length of a named character, and the text that is written for it.
fn entity(rest: &str) -> Option<(usize, &'static str)> {
    const NAMED: [(&str, &str); 8] = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&lrm;", "\u{200e}"),
        ("&rlm;", "\u{200f}"),
    ];
    NAMED.iter().find(|(name, _)| rest.starts_with(name)).map(|(name, text)| (name.len(), *text))
}

#[cfg(test)]
mod tests {
    fn to_font(text: &str) -> Vec<u8> {
        super::to_font(text).1
    }

    #[test]
    fn strange_letters_are_counted() {
        let (marked, in_font, strange) = super::to_font("<i>\u{41f}? \u{bf}\u{e9}</i>\u{4f60}\u{597d}");
        assert_eq!(
            (&*marked, &*in_font, strange),
            ("\u{41f}? \u{bf}\u{e9}\u{4f60}\u{597d}", &b"P? ?e??"[..], 2)
        );
    }

    #[test]
    fn bold_is_bronze_and_other_marks_go() {
        assert_eq!(to_font("<b>ab</b> c"), b"\xe1\xe2 c");
        assert_eq!(to_font("**ab** c"), b"\xe1\xe2 c");
        assert_eq!(to_font("{\\an8}<i>x</i> <font color=\"red\">y</font><c.loud>z</c>"), b"x yz");
        assert_eq!(to_font("<v Bob>Hi <00:19.000>there"), b"Hi there");
    }

    #[test]
    fn text_that_is_not_markup_stays() {
        assert_eq!(to_font("1 < 2 > 0 & {x} &c; <3"), b"1 < 2 > 0 & {x} &c; <3");
        assert_eq!(to_font("a &amp; b &lt;b&gt;"), b"a & b <b>");
        assert_eq!(to_font("\u{e9}t\u{e9}\u{2026}"), b"ete...");
    }
}
