//! Every message of all tables from random bytes: its text means the same message in every spelling.

use crate::common::Random;
use crate::common::format::{mvd2_contexts, quake_contexts, quake2_contexts, quakeworld_contexts};
use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::*;
use moviola_text::{Arena, parse_message, print_message};
use std::collections::BTreeMap;

/// The number of messages made from each row under each context.
const ROUNDS: usize = 60;
/// How many messages of each row there must be, at least.
const LEAST: usize = 40;
/// The most attempts to make them: random values seldom are a list whose every part must be possible.
const ATTEMPTS: usize = 40 * ROUNDS;

fn every_row<D: Dialect>(contexts: Vec<(String, Context)>) {
    let mut random = Random(41);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, context) in contexts {
        for row in <D::Message<'_> as Message>::SCHEMA {
            if row.families != 0 && !context.has_family(row.families) {
                continue;
            }
            for attempt in 0..ATTEMPTS {
                if attempt >= ROUNDS && counts.get(row.name).is_some_and(|count| *count >= LEAST) {
                    break;
                }
                let kept = EntropyBytes::default();
                let length = random.below(700);
                let bytes = random.bytes(length);
                let op = row.op + random.below(usize::from(row.last - row.op) + 1) as u8;
                let Ok(message) = Entropy::new(&bytes, &kept, context).message::<D::Message<'_>>(op) else {
                    continue;
                };
                // With a type and a size that are known, an unknown hidden message is a known one.
                if row.rust == hidden::UnknownHidden::SCHEMA.rust && !reads_as::<D>(row, &message, context) {
                    continue;
                }
                *counts.entry(row.name).or_default() += 1;
                let arena = Arena::default();
                there_and_back::<D>(&name, &message, &context, &mut random, &arena);
            }
        }
    }
    for row in <D::Message<'_> as Message>::SCHEMA {
        // Only the whole block shows that it is this message, and entropy does not know the block.
        if row.rust == hidden::PausedBare::SCHEMA.rust {
            continue;
        }
        assert!(
            counts.get(row.name).is_some_and(|count| *count >= LEAST),
            "{}: {:?}",
            row.name,
            counts.get(row.name)
        );
    }
}

/// Whether the bytes of the message are read as the message of this row.
fn reads_as<D: Dialect>(row: &Schema, message: &D::Message<'_>, context: Context) -> bool {
    let mut bytes = Vec::new();
    write_message(message, &mut bytes, &context);
    Messages::<D>::new(&bytes, context).next().is_some_and(|it| it.message.schema().name == row.name)
}

fn there_and_back<'a, D: Dialect>(
    name: &str,
    message: &D::Message<'a>,
    context: &Context,
    random: &mut Random,
    arena: &'a Arena,
) {
    let text = print_message::<D>(message, context);
    says::<D>(name, &text, message, context, arena);
    let spellings = [
        in_hex(&text),
        with_comments(&text, random),
        shuffled(&text, random),
        with_comments(&in_hex(&shuffled(&text, random)), random),
        text.replace('\n', "\r\n"),
        text.replace('\n', " "),
    ];
    says::<D>(name, &spellings[random.below(spellings.len())], message, context, arena);
}

/// Checks that the text means exactly this message.
fn says<'a, D: Dialect>(
    name: &str,
    text: &str,
    message: &D::Message<'a>,
    context: &Context,
    arena: &'a Arena,
) {
    let parsed: D::Message<'a> =
        parse_message::<D>(text.as_bytes(), context, arena).unwrap_or_else(|mistakes| {
            panic!("{name}: {message:?}\n{text}\n{}", crate::common::shown(&mistakes));
        });
    let (mut bytes, mut expected) = (Vec::new(), Vec::new());
    write_message(&parsed, &mut bytes, context);
    write_message(message, &mut expected, context);
    assert!(bytes == expected, "{name}: {message:?}\n{parsed:?}\n{text}\n{bytes:02x?}\n{expected:02x?}");
    assert_eq!(format!("{parsed:?}"), format!("{message:?}"), "{name}\n{text}");
}

/// The words of a text; a string or a comment counts as one.
fn tokens(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ' ' | '\n' | ';' | '{' | '}' => 1,
            '"' => string_length(rest),
            _ => rest.find([' ', '\n', ';', '{', '}', '"']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        if !matches!(first, ' ' | '\n') {
            all.push(token.to_string());
        }
        rest = after;
    }
    all
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if letter == '"' && !escaped {
            return at + 1;
        }
        escaped = letter == '\\' && !escaped;
    }
    panic!("{text:?} does not end");
}

/// Puts whole numbers in hexadecimal.
pub(crate) fn in_hex(text: &str) -> String {
    let again = |token: String| match token.parse::<u32>() {
        Ok(number) => format!("0x{number:x}"),
        Err(_) => token,
    };
    tokens(text).into_iter().map(again).collect::<Vec<_>>().join(" ")
}

pub(crate) fn with_comments(text: &str, random: &mut Random) -> String {
    const BETWEEN: [&str; 5] = [" ", "\n", " // } \" ; {\n", "\t", "//\n"];
    tokens(text)
        .into_iter()
        .flat_map(|token| [token, BETWEEN[random.below(BETWEEN.len())].to_string()])
        .collect()
}

/// Puts the fields of every record in another order; records of a list keep theirs.
fn shuffled(text: &str, random: &mut Random) -> String {
    let tokens = tokens(text);
    let Some(open) = tokens.iter().position(|token| token == "{") else { return text.to_string() };
    let inside = &tokens[open + 1..tokens.len() - 1];
    format!("{} {{ {} }}", tokens[..open].join(" "), shuffled_fields(inside, random))
}

fn shuffled_fields(tokens: &[String], random: &mut Random) -> String {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut rest = tokens;
    while let Some(name) = rest.first() {
        let end = rest.iter().position(|token| token == ";" || token == "{").unwrap();
        let (field, length) = if rest[end] == ";" {
            (rest[..=end].join(" "), end + 1)
        } else {
            let length = end + closing(&rest[end..]) + 1;
            let inside = shuffled_fields(&rest[end + 1..length - 1], random);
            (format!("{} {{ {inside} }}", rest[..end].join(" ")), length)
        };
        fields.push((name.clone(), field));
        rest = &rest[length..];
    }
    // A sort by random keys that are equal for records of the same name keeps the order of those records.
    let mut keys: BTreeMap<String, u64> = BTreeMap::new();
    for (name, _) in &fields {
        keys.entry(name.clone()).or_insert_with(|| random.next());
    }
    fields.sort_by_key(|(name, _)| keys[name]);
    fields.into_iter().map(|(_, field)| field).collect::<Vec<_>>().join(" ")
}

fn closing(tokens: &[String]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("{tokens:?} is not closed");
}

#[test]
fn messages_of_quake() {
    every_row::<Quake>(quake_contexts());
}

#[test]
fn messages_of_quake2() {
    every_row::<Quake2>(quake2_contexts());
}

#[test]
fn messages_of_mvd2() {
    every_row::<Mvd2>(mvd2_contexts());
}

#[test]
fn messages_of_quakeworld() {
    every_row::<QuakeWorld>(quakeworld_contexts());
}

#[test]
fn hidden_messages_of_quakeworld() {
    // Only an MVD has them.
    every_row::<Hidden>(quakeworld_contexts().into_iter().filter(|(_, context)| context.mvd).collect());
    let (context, mut random) = (Context { mvd: true, ..Context::quakeworld() }, Random(42));
    for msec in 0..=u8::MAX {
        let message = hidden::PausedBare { msec: Unframed(msec) }.into();
        for _ in 0..10 {
            there_and_back::<Hidden>("bare", &message, &context, &mut random, &Arena::default());
        }
    }
}

#[test]
fn records_of_quakeworld() {
    every_row::<ClientRecords>(quakeworld_contexts());
}
