//! A message as its keyword and named fields, in the words of the text, so that messages can be compared independently
//! of their bytes.

use crate::change::{ChangeKind, FieldChange, MessageChange};
use crate::reel::ReelItem;
use moviola_format::names::Meaning;
use moviola_format::{Dialect, Game, Message, Messages, Quake, Schema, with_table};
use moviola_state::Hash64;
use moviola_text::{FieldText, StatementKind, message_fields};
use std::collections::BTreeMap;

/// A message as words.
#[derive(Clone, Debug)]
pub(crate) struct WordedMessage {
    pub(crate) message: &'static str,
    pub(crate) fields: Vec<(String, String)>,
    /// A hash that is equal for messages with the same meaning.
    pub(crate) hash: u64,
    /// A hash that is equal for messages about the same object.
    pub(crate) subject_hash: u64,
}

/// The messages of a piece, and the unread rest of it.
pub(crate) fn worded_messages(item: &ReelItem, game: Option<Game>) -> (Vec<WordedMessage>, Vec<u8>) {
    match (game, item.block()) {
        (Some(game), Some(block)) => with_table!(block.table(game), D => words_of_all::<D>(item)),
        _ => words_of_all::<Quake>(item),
    }
}

fn words_of_all<D: Dialect>(item: &ReelItem) -> (Vec<WordedMessage>, Vec<u8>) {
    let Some(block) = item.block() else { return (Vec::new(), item.data.clone()) };
    let mut messages: Messages<'_, D> = block.messages(item.context);
    let mut all = Vec::new();
    while let Some(entry) = messages.next() {
        let fields = message_fields::<D>(&entry.message, messages.context());
        all.push(WordedMessage::new(entry.message.schema(), entry.unicast, fields));
    }
    (all, messages.rest().to_vec())
}

impl WordedMessage {
    fn new(row: &'static Schema, unicast: Option<u8>, fields: Vec<FieldText>) -> Self {
        let client = unicast.map(|it| (StatementKind::Unicast.keyword().to_owned(), it.to_string()));
        let fields: Vec<_> =
            client.into_iter().chain(fields.into_iter().map(|it| (it.name, it.value))).collect();
        let (mut hash, mut about) = (Hash64::new(), Hash64::new());
        hash.bytes(row.name.as_bytes());
        about.bytes(row.name.as_bytes());
        for (name, value) in &fields {
            hash.bytes(name.as_bytes());
            hash.bytes(value.as_bytes());
        }
        // The field that identifies the object comes before the fields about it.
        if let Some(first) = row.fields.first().filter(|_| row.fields.len() > 1)
            && !matches!(first.meaning, Meaning::Number)
            && let Some((_, value)) = fields.iter().find(|(name, _)| name == first.name)
        {
            about.bytes(value.as_bytes());
        }
        Self { message: row.name, fields, hash: hash.finish(), subject_hash: about.finish() }
    }

    /// The difference for a message that only one recording has.
    pub(crate) fn one_sided(&self, how: ChangeKind) -> MessageChange {
        let field = |(name, value): &(String, String)| {
            let (name, value) = (name.clone(), Some(value.clone()));
            match how {
                ChangeKind::Removed => FieldChange { name, old: value, new: None },
                ChangeKind::Added | ChangeKind::Changed => FieldChange { name, old: None, new: value },
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
            how: ChangeKind::Changed,
            message: self.message.to_owned(),
            fields: compare(&self.fields, &other.fields),
        }
    }
}

/// The fields that differ, in their order. Fields with the same name are compared in their order.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_compared_by_name() {
        let list = |fields: &[(&str, &str)]| -> Vec<_> {
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let changes = compare(
            &list(&[("a", "1"), ("b", "2"), ("b", "3")]),
            &list(&[("b", "2"), ("a", "5"), ("b", "4"), ("c", "6")]),
        );
        let shown: Vec<_> =
            changes.iter().map(|it| (it.name.as_str(), it.old.as_deref(), it.new.as_deref())).collect();
        assert_eq!(shown, [("a", Some("1"), Some("5")), ("b", Some("3"), Some("4")), ("c", None, Some("6"))]);
    }
}
