//! Single typing mistakes all over texts of every message: each is reported as one mistake at the right line,
//! and its fix gives a text without mistakes.

use crate::common::{shown, text_with, try_compile};
use moviola_text::{CompileOptions, DecompileOptions, Diagnostic};

/// The kind of a piece of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    /// A keyword of a statement or of a field, with values or a `;` after it.
    Name,
    /// A keyword before a `{`.
    Record,
    Text,
    Sign(u8),
}

/// A typing mistake: the kind of token, the changed token (`None` if it cannot be changed), and whether there
/// must be a fix.
type Slip = (&'static str, fn(Token) -> bool, fn(&str) -> Option<String>, bool);

const SLIPS: &[Slip] = &[
    (", for ;", |it| it == Token::Sign(b';'), |_| Some(",".into()), true),
    (": for ;", |it| it == Token::Sign(b';'), |_| Some(":".into()), true),
    (") for ;", |it| it == Token::Sign(b';'), |_| Some(")".into()), true),
    ("] for ;", |it| it == Token::Sign(b';'), |_| Some("]".into()), true),
    (") for }", |it| it == Token::Sign(b'}'), |_| Some(")".into()), true),
    ("] for }", |it| it == Token::Sign(b'}'), |_| Some("]".into()), true),
    ("( for {", |it| it == Token::Sign(b'{'), |_| Some("(".into()), true),
    ("[ for {", |it| it == Token::Sign(b'{'), |_| Some("[".into()), true),
    ("no {", |it| it == Token::Sign(b'{'), |_| Some(String::new()), true),
    ("no message's name", |it| it == Token::Record, |_| Some(String::new()), false),
    ("no field's name", |it| it == Token::Name, |name| (name != CHECKED).then(String::new), false),
    ("swapped letters", |it| it == Token::Name, swapped, true),
    (
        "a letter left out",
        |it| it == Token::Name,
        |name| (name.len() > 5).then(|| name[..2].to_owned() + &name[3..]),
        true,
    ),
    (
        "a capital",
        |it| it == Token::Name,
        |name| (name.len() > 2 && name != CHECKED).then(|| name[..1].to_uppercase() + &name[1..]),
        true,
    ),
    ("no first quote", |it| it == Token::Text, |text| (text.len() > 2).then(|| text[1..].to_owned()), true),
    ("quotes inside", |it| it == Token::Text, |text| Some(format!("\"say \"hi\" to {}", &text[1..])), true),
    (
        "a quote at the end",
        |it| it == Token::Text,
        |text| Some(format!("{}\"hi\"\"", &text[..text.len() - 1])),
        true,
    ),
    ("two lines", |it| it == Token::Text, |text| Some(format!("\"one\ntwo {}", &text[1..])), true),
];

/// A field that may be left out, but whose length is in another field; without it, the other one is the
/// mistake.
const CHECKED: &str = "data";

fn swapped(name: &str) -> Option<String> {
    let letters = name.as_bytes();
    (name.len() > 5 && letters[1] != letters[2])
        .then(|| format!("{}{}{}{}", &name[..1], &name[2..3], &name[1..2], &name[3..]))
}

/// The pieces of a text, without its numbers.
fn tokens(text: &str) -> Vec<(usize, usize, Token)> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut begins) = (Vec::new(), 0, true);
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b'/' if bytes.get(at) == Some(&b'/') => {
                at = text[start..].find('\n').map_or(text.len(), |end| start + end);
            }
            b'"' => {
                while bytes[at] != b'"' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at += 1;
                tokens.push((start, at, Token::Text));
            }
            sign @ (b';' | b'{' | b'}') => {
                tokens.push((start, at, Token::Sign(sign)));
                begins = true;
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
                let end = |it: &u8| !(it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b':'));
                at += bytes[at..].iter().position(end).unwrap();
                let record = text[at..].trim_start().starts_with('{');
                if std::mem::take(&mut begins) {
                    tokens.push((start, at, if record { Token::Record } else { Token::Name }));
                }
            }
            _ => {}
        }
    }
    tokens
}

fn mistakes(text: &str) -> Vec<Diagnostic> {
    try_compile(text.as_bytes(), &CompileOptions::default()).err().unwrap_or_default()
}

/// The lines around a place.
fn around(text: &str, at: usize) -> String {
    let line = text[..at].matches('\n').count();
    text.lines().skip(line.saturating_sub(3)).take(7).map(|line| format!("    {line}\n")).collect()
}

/// A text with every message of Quake, and one with every message of Quake II.
fn texts() -> [(&'static str, String); 2] {
    let joined = |messages: Vec<(&str, Vec<u8>)>| {
        messages.into_iter().flat_map(|(_, bytes)| bytes).collect::<Vec<u8>>()
    };
    let quake = joined(moviola_scribe::dem_messages(moviola_scribe::Variant::NetQuake));
    let quake2 = joined(moviola_scribe::dm2_messages(34));
    let length = |data: &[u8]| u32::try_from(data.len()).unwrap().to_le_bytes().to_vec();
    let quake = [b"-1\n".to_vec(), length(&quake), vec![0; 12], quake].concat();
    let quake2 = [length(&quake2), quake2, vec![0xFF; 4]].concat();
    let options = DecompileOptions { bare: true, ..DecompileOptions::default() };
    let text = |recording: Vec<u8>| String::from_utf8(text_with(&recording, &options)).unwrap();
    [("Quake", text(quake)), ("Quake II", text(quake2))]
}

#[test]
fn a_slip_is_one_mistake_and_its_fix_mends_it() {
    let mut wrong = Vec::new();
    let mut tried = [0; SLIPS.len()];
    for (name, text) in texts() {
        assert_eq!(mistakes(&text), []);
        // The header has a line before the first block.
        let first = text.find("block").unwrap();
        for (start, end, token) in tokens(&text).into_iter().filter(|(start, ..)| *start > first) {
            for ((slip, on, make, mends), tried) in SLIPS.iter().zip(&mut tried) {
                let Some(made) = on(token).then(|| make(&text[start..end])).flatten() else { continue };
                *tried += 1;
                let slipped = format!("{}{made}{}", &text[..start], &text[end..]);
                let found = mistakes(&slipped);
                let line = 1 + text[..start].matches('\n').count() as u64;
                let fix = found.first().and_then(|it| it.fix.as_ref());
                let mended = fix.map(|fix| {
                    let at = fix.offset as usize;
                    format!("{}{}{}", &slipped[..at], fix.replacement, &slipped[at + fix.length..])
                });
                let left = mended.as_deref().map(mistakes).unwrap_or_default();
                let lacks = *mends && mended.is_none();
                let far = found.first().is_some_and(|it| it.line.abs_diff(line) > 1);
                if found.len() != 1 || lacks || far || !left.is_empty() {
                    let (at, found, left) = (around(&slipped, start), shown(&found), shown(&left));
                    wrong.push(format!("{slip} in {name}:{line}\n{at}{found}left: {left}"));
                }
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried > 15), "{tried:?}");
    assert!(
        wrong.is_empty(),
        "{} of {} slips\n{}",
        wrong.len(),
        tried.iter().sum::<usize>(),
        wrong.join("\n")
    );
}
