//! The events of a recording: the one list from which everything else is made.

// not from SCHEMA, all words: events, their fields and evidence have names of their own.

mod evidence;
mod field;
mod kinds;
mod other_words;
mod words;

pub use evidence::Evidence;
pub use field::{EventField, EventPlayer, FieldValue};
pub use kinds::{EventKind, FieldRow, KindRow, Listed};
pub use other_words::MeantEvent;

use crate::digits::ShortFloat;
use field::Fields;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Something that happened.
///
/// As JSON it is one flat object. For a string that is not plain ASCII, the object also contains its bytes in
/// hex:
///
/// ```
/// use moviola_analyse::{Event, Evidence, EventKind, GameText, EventPlayer};
/// let event = Event {
///     time: Some(12.5),
///     block: 80,
///     level: 1,
///     kind: EventKind::Leave { player: EventPlayer::new(Some(3), b"\xd2anger"), frags: None },
///     evidence: Evidence::PRINT,
///     origin: None,
/// };
/// assert_eq!(
///     serde_json::to_string(&event).unwrap(),
///     r#"{"time":12.5,"block":80,"level":1,"kind":"leave","player":"Ranger","player_slot":3,"player_hex":"d2616e676572","evidence":["print"]}"#
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The game's time in seconds; `None` before the level's first time.
    pub time: Option<f64>,
    /// The block, counted from 0 as in the text.
    pub block: u64,
    /// The level, counted from 1; 0 before the first one is announced.
    pub level: u32,
    /// The kind of event, with its data.
    pub kind: EventKind,
    /// The evidence for it.
    pub evidence: Evidence,
    /// The position of the event, if its kind does not contain one: the position of the player who acted or
    /// died, if it was seen.
    pub origin: Option<[f32; 3]>,
}

impl Event {
    /// Its kind's name: the one in JSON and on the command line.
    pub fn name(&self) -> &'static str {
        self.kind.row().name
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(time) = self.time {
            map.serialize_entry("time", &ShortFloat(time))?;
        }
        map.serialize_entry("block", &self.block)?;
        map.serialize_entry("level", &self.level)?;
        // not from SCHEMA: a key of JSON
        map.serialize_entry("kind", self.name())?;
        let mut fields = Fields { map: &mut map, failed: None };
        self.kind.fields(&mut |name, value| fields.add(name, value));
        if let Some(origin) = self.origin {
            fields.add("origin", FieldValue::Place(origin.map(f64::from)));
        }
        if let Some(error) = fields.failed {
            return Err(error);
        }
        if !self.evidence.is_empty() {
            map.serialize_entry("evidence", &self.evidence)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_snake_case() {
        let names: Vec<_> = EventKind::ROWS.iter().map(|row| row.name).collect();
        for (at, name) in names.iter().enumerate() {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
            assert!(!names[..at].contains(name), "{name}");
        }
    }

    #[test]
    fn an_event_stays_small() {
        assert!(std::mem::size_of::<Event>() <= 256, "{}", std::mem::size_of::<Event>());
    }
}
