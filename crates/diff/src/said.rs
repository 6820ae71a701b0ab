//! A message as in the text: keyword and fields by name, so that two can be compared regardless of their
//! bytes.

use crate::change::{FieldChange, How, MessageChange};
use crate::reel::Item;
use moviola_format::names::Meaning;
use moviola_format::{Dialect, Game, Message, Messages, Quake, Schema, with_table};
use moviola_state::Hash64;
use std::collections::BTreeMap;

/// A message as words.
#[derive(Clone, Debug)]
pub(crate) struct WordedMessage {
    pub(crate) message: &'static str,
    pub(crate) fields: Vec<(String, String)>,
    /// Equal for messages with the same meaning.
    pub(crate) hash: u64,
    /// Equal for messages about the same thing.
    pub(crate) about: u64,
}

/// The messages of a piece, and the unread rest of it.
pub(crate) fn said(item: &Item, game: Option<Game>) -> (Vec<WordedMessage>, Vec<u8>) {
    match (game, item.block()) {
        (Some(game), Some(block)) => with_table!(block.table(game), D => each::<D>(item)),
        _ => each::<Quake>(item),
    }
}

fn each<D: Dialect>(item: &Item) -> (Vec<WordedMessage>, Vec<u8>) {
    let Some(block) = item.block() else { return (Vec::new(), item.data.clone()) };
    let mut messages: Messages<'_, D> = block.messages(item.context);
    let mut all = Vec::new();
    while let Some(entry) = messages.next() {
        let text = moviola_text::print_message::<D>(&entry.message, messages.context());
        all.push(WordedMessage::new(entry.message.schema(), entry.unicast, &text));
    }
    (all, messages.rest().to_vec())
}

impl WordedMessage {
    fn new(row: &'static Schema, unicast: Option<u8>, text: &str) -> Self {
        let mut fields = fields(row, text);
        if let Some(client) = unicast {
            fields.insert(0, ("unicast".to_owned(), client.to_string()));
        }
        let (mut hash, mut about) = (Hash64::new(), Hash64::new());
        hash.bytes(row.name.as_bytes());
        about.bytes(row.name.as_bytes());
        for (name, value) in &fields {
            hash.bytes(name.as_bytes());
            hash.bytes(value.as_bytes());
        }
        // The field that names the thing comes before the fields about it.
        if let Some(first) = row.fields.first().filter(|_| row.fields.len() > 1)
            && !matches!(first.meaning, Meaning::Number)
            && let Some((_, value)) = fields.iter().find(|(name, _)| name == first.name)
        {
            about.bytes(value.as_bytes());
        }
        Self { message: row.name, fields, hash: hash.finish(), about: about.finish() }
    }

    /// The difference for a message that only one recording has.
    pub(crate) fn alone(&self, how: How) -> MessageChange {
        let field = |(name, value): &(String, String)| {
            let (name, value) = (name.clone(), Some(value.clone()));
            match how {
                How::Removed => FieldChange { name, old: value, new: None },
                How::Added | How::Changed => FieldChange { name, old: None, new: value },
            }
        };
        MessageChange {
            how,
            message: self.message.to_owned(),
            fields: self.fields.iter().map(field).collect(),
        }
    }

    /// The difference between this message and `other`.
    pub(crate) fn changed(&self, other: &Self) -> MessageChange {
        MessageChange {
            how: How::Changed,
            message: self.message.to_owned(),
            fields: compare(&self.fields, &other.fields),
        }
    }
}

/// The fields that differ, in their order; a name that occurs several times is compared one by one.
pub(crate) fn compare(a: &[(String, String)], b: &[(String, String)]) -> Vec<FieldChange> {
    let mut new: BTreeMap<&str, std::collections::VecDeque<&String>> = BTreeMap::new();
    for (name, value) in b {
        new.entry(name).or_default().push_back(value);
    }
    let mut changes = Vec::new();
    for (name, old) in a {
        let value = new.get_mut(name.as_str()).and_then(std::collections::VecDeque::pop_front);
        if value != Some(old) {
            let (name, new) = (name.clone(), value.cloned());
            changes.push(FieldChange { name, old: Some(old.clone()), new });
        }
    }
    for (name, value) in b {
        let is_left =
            new.get(name.as_str()).is_some_and(|left| left.iter().any(|it| std::ptr::eq(*it, value)));
        if is_left {
            changes.push(FieldChange { name: name.clone(), old: None, new: Some(value.clone()) });
        }
    }
    changes
}

/// The fields of a message from its text; those of a list's records have the record in front.
fn fields(row: &Schema, text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if row.fields.is_empty() && row.flags.is_empty() {
        return found;
    }
    let mut groups: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '}' {
            groups.pop();
            rest = rest.get(1..).unwrap_or_default().trim_start();
            continue;
        }
        let end =
            rest.find(|it: char| it.is_whitespace() || matches!(it, ';' | '{' | '"')).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let behind = behind.trim_start();
        if let Some(inside) = behind.strip_prefix('{') {
            groups.push(word.to_owned());
            rest = inside.trim_start();
            continue;
        }
        let length = value_length(behind);
        let value = behind.get(..length).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        // A record of a list is identified by its first field.
        if groups.len() > 1
            && let Some(group) = groups.last_mut()
            && !group.contains(' ')
        {
            *group = format!("{group} {value}");
        }
        let inner = groups.get(1..).unwrap_or_default().join(" ");
        let name = match (groups.is_empty(), inner.is_empty()) {
            (true, _) => row.fields.first().map_or(word, |field| field.name).to_owned(),
            (false, true) => word.to_owned(),
            (false, false) => format!("{inner} {word}"),
        };
        found.push((name, value));
        rest = behind.get(length + 1..).unwrap_or_default().trim_start();
    }
    found
}

/// The length of a value, up to its `;`.
fn value_length(text: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    let end = text.bytes().position(|byte| {
        let ends = byte == b';' && !quoted;
        if byte == b'"' && !escaped {
            quoted = !quoted;
        }
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_format::{dem, dm2};

    fn of(row: &Schema, text: &str) -> String {
        fields(row, text).iter().map(|(name, value)| format!("{name}={value}|")).collect::<Vec<_>>().concat()
    }

    #[test]
    fn texts_are_taken_apart() {
        assert_eq!(of(&dem::Print::SCHEMA, " print \"a;{\\\"} b\";\n"), "string=\"a;{\\\"} b\"|");
        let text = "clientdata {\n health 100;\n megahealth;\n weapons 1 2;\n}\n";
        assert_eq!(of(&dem::ClientData::SCHEMA, text), "health=100|megahealth=|weapons=1 2|");
        let list = "packetentities { packetentity { entity 5; frame 3; } packetentity { entity 6; } }";
        assert_eq!(
            of(&dm2::PacketEntities::SCHEMA, list),
            "packetentity 5 entity=5|packetentity 5 frame=3|packetentity 6 entity=6|"
        );
        assert_eq!(of(&dem::Nop::SCHEMA, " nop;\n"), "");
    }

    #[test]
    fn fields_are_compared_by_name() {
        let list = |text: &str| fields(&dem::ClientData::SCHEMA, text);
        let changes = compare(&list("x { a 1; b 2; b 3; }"), &list("x { b 2; a 5; b 4; c 6; }"));
        let said: Vec<_> =
            changes.iter().map(|it| (it.name.as_str(), it.old.as_deref(), it.new.as_deref())).collect();
        assert_eq!(said, [("a", Some("1"), Some("5")), ("b", Some("3"), Some("4")), ("c", None, Some("6"))]);
    }
}
