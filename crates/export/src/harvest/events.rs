//! Events as rows: the fields that most kinds have in columns of their own, and the whole event as JSON.

// not from SCHEMA, all words: events have fields and kinds of their own.

use super::HarvestPosition;
use crate::tables::Events;
use crate::{FixedWord, Word};
use moviola_analyse::{Event, FieldValue, in_few_digits};

pub(super) fn row(event: &Event, here: &HarvestPosition) -> Events {
    let mut row = Events {
        recording: here.recording.clone(),
        block: event.block as i64,
        level: event.level as i32,
        level_time: event.time.map(|time| time as f32),
        recording_time: event.time.and_then(|_| here.trail.time_of(event.block as i64)),
        kind: FixedWord::from_static(event.name()),
        text: event.kind.to_string().into(),
        // Writing into memory cannot fail.
        json: serde_json::to_string(event).unwrap_or_default().into(),
        ..Events::default()
    };
    if let Some(origin) = event.origin {
        [row.x, row.y, row.z] = origin.map(Some);
    }
    event.kind.fields(&mut |name, value| {
        match value {
            FieldValue::Player(who) => {
                // The name and the slot have the form of the table of players.
                let (text, slot) = (Some(Word::of(who.name.bytes())), who.slot.map(i32::from));
                if name == "attacker" {
                    (row.other, row.other_slot) = (text, slot);
                } else {
                    (row.player, row.player_slot) = (text, slot);
                }
            }
            // The `from` of a teleport is left out, because the player is at the other end when the event happens.
            FieldValue::Place([x, y, z]) if name != "from" => {
                [row.x, row.y, row.z] = [x, y, z].map(|it| Some(it as f32));
            }
            FieldValue::Word(word) if OBJECT_FIELDS.contains(&name) && !word.is_empty() => {
                row.what = Some(Word::from_static(word));
            }
            FieldValue::Text(text) if OBJECT_FIELDS.contains(&name) => {
                row.what = Some(Word::from(text.text()));
            }
            FieldValue::Text(text) if name == "attacker" => row.other = Some(Word::from(text.text())),
            FieldValue::Int(number) if NUMBER.contains(&name) => row.amount = Some(number as f64),
            FieldValue::Float(number) if NUMBER.contains(&name) => row.amount = Some(in_few_digits(number)),
            _ => {}
        }
    });
    row
}

/// Fields that name the thing of an event, such as its weapon or item.
const OBJECT_FIELDS: &[&str] = &["weapon", "item", "powerup", "what", "name"];

/// Fields with the number of an event.
const NUMBER: &[&str] = &["health", "frags", "amount", "seconds", "kills", "secrets"];
