//! The words that `strip` understands.

use crate::{EditCode, Mistake};
use moviola_format::{Schema, Table};
use moviola_text::nearest;

/// A kind of content that `strip` removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Chat,
    Prints,
    CenterPrints,
    Cheats,
    Sounds,
    Commands,
    Pauses,
    Fades,
    /// Texts of spectators (QuakeWorld).
    Spectators,
    /// The hidden messages of an MVD.
    Hidden,
    /// Keys whose value is a network address.
    Addresses,
    /// A key of the players' user info.
    Key(String),
    /// An entity, by its number.
    Entity(u16),
    /// Messages with this keyword.
    Message(&'static str),
}

const WORDS: [(&str, Content); 11] = [
    ("chat", Content::Chat),
    ("prints", Content::Prints),
    ("centerprints", Content::CenterPrints),
    ("cheats", Content::Cheats),
    ("sounds", Content::Sounds), // not from SCHEMA: a kind of message
    ("commands", Content::Commands),
    ("pauses", Content::Pauses),
    ("fades", Content::Fades),
    ("spectators", Content::Spectators),
    ("hidden", Content::Hidden), // not from SCHEMA: a kind of block
    ("addresses", Content::Addresses),
];

/// The prefix before the number of an entity.
const ENTITY: &str = "entity:";

/// The prefix before the name of a key of user info.
const KEY: &str = "key:";

pub(super) fn parse(words: &str) -> Result<Vec<Content>, Mistake> {
    let mut contents = Vec::new();
    let is_between = |sign: char| sign == ',' || sign.is_whitespace();
    let mut at = 0;
    for part in words.split(is_between) {
        let place = at..at + part.len();
        at += part.len() + 1;
        if !part.is_empty() {
            contents.push(
                parse_word(part)
                    .map_err(|(code, message, help)| Mistake::new(code, message, words, place).help(help))?,
            );
        }
    }
    if contents.is_empty() {
        let message = "name something to remove";
        return Err(Mistake::new(EditCode::StripWord, message, words, 0..words.len()).help(help()));
    }
    Ok(contents)
}

/// All kinds that can be removed: words, and the names of messages that engines can do without.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let mut names: Vec<&str> =
        schemas().map(|schema| schema.name).filter(|name| parse_word(name).is_ok()).collect();
    names.sort_unstable();
    names.dedup();
    WORDS.iter().map(|(word, _)| *word).chain(names)
}

fn help() -> String {
    let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
    format!("name {}, or a message", words.join(", "))
}

/// The messages of all games. Records are pieces of their own, which are not removed.
fn schemas() -> impl Iterator<Item = &'static Schema> {
    Table::ALL.into_iter().filter(|table| *table != Table::Client).flat_map(Table::schema)
}

fn parse_word(word: &str) -> Result<Content, (EditCode, String, String)> {
    let plural = |known: &str| {
        word == known || known.strip_suffix('s') == Some(word) || word.strip_suffix('s') == Some(known)
    };
    if let Some(key) = word.strip_prefix(KEY) {
        // not from SCHEMA: a key of user infos
        if matches!(key, "" | "name") {
            let message = "a player needs this key".to_owned();
            return Err((EditCode::StripNeeded, message, "`moviola set` changes the name".into()));
        }
        return Ok(Content::Key(key.to_owned()));
    }
    if let Some(number) = word.strip_prefix(ENTITY) {
        return number.parse().ok().filter(|number| *number > 0).map(Content::Entity).ok_or_else(|| {
            let help = "`moviola decompile` shows the entities with their numbers".to_owned();
            (EditCode::StripWord, format!("`{number}` is not the number of an entity"), help)
        });
    }
    let found = schemas().find(|schema| schema.name == word);
    if let Some((_, what)) = WORDS.iter().find(|(known, _)| plural(known)) {
        return Ok(what.clone());
    }
    let Some(schema) = found else {
        let known = WORDS.iter().map(|(word, _)| *word).chain(schemas().map(|schema| schema.name));
        let help = nearest(word, known).map_or_else(help, |meant| format!("did you mean `{meant}`?"));
        return Err((EditCode::StripWord, format!("there is no message `{word}`"), help));
    };
    // Both games may have a message of this name.
    if schemas().any(|row| row.name == schema.name && row.properties.needed) {
        let message = format!("engines need `{word}` to play a recording");
        return Err((EditCode::StripNeeded, message, "edit it as text: `moviola decompile`".into()));
    }
    Ok(Content::Message(schema.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_messages_are_known() {
        assert_eq!(
            parse("chat,prints  particle").unwrap(),
            [Content::Chat, Content::Prints, Content::Message("particle")]
        );
        assert_eq!(parse("entity:12").unwrap(), [Content::Entity(12)]);
        assert_eq!(parse("sounds, sound").unwrap(), [Content::Sounds, Content::Sounds]);
    }

    #[test]
    fn mistakes_have_their_place() {
        let place = |words| parse(words).map_err(|it| (it.code, it.column, it.length)).unwrap_err();
        assert_eq!(place(""), (EditCode::StripWord, 1, 0));
        assert_eq!(place("chat,x y"), (EditCode::StripWord, 6, 1));
        assert_eq!(place("chat,entity:x"), (EditCode::StripWord, 6, 8));
        assert_eq!(place("sound,time"), (EditCode::StripNeeded, 7, 4));
        assert_eq!(place("packetentities"), (EditCode::StripNeeded, 1, 14));
    }
}
