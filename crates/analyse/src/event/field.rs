//! The values of events' fields, and their form in JSON.

// not from SCHEMA, all words: events, their fields and evidence have names of their own.

use crate::GameText;
use crate::digits::ShortFloat;
use serde::ser::SerializeMap;

/// A player: the slot, counted from 0, if it is known, and the name.
///
/// ```
/// use moviola_analyse::EventPlayer;
/// let who = EventPlayer::new(Some(3), b"\xd2anger");
/// assert_eq!((who.slot, who.name.text()), (Some(3), "Ranger"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventPlayer {
    /// The slot.
    pub slot: Option<u8>,
    /// The name.
    pub name: GameText,
}

impl EventPlayer {
    /// A player of this slot and name.
    pub fn new(slot: Option<u8>, name: &[u8]) -> Self {
        Self { slot, name: GameText::new(name) }
    }
}

/// A field's value, of any type.
///
/// ```
/// use moviola_analyse::{EventKind, FieldValue};
/// let mut fields = Vec::new();
/// let secret = EventKind::Secret { secrets: 1, total: None };
/// secret.fields(&mut |name, value| fields.push((name, value)));
/// assert_eq!(fields, [("secrets", FieldValue::Int(1)), ("total", FieldValue::None)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// No value.
    None,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A word out of a fixed set.
    Word(&'static str),
    /// A string of the recording.
    Text(&'a GameText),
    /// A player.
    Player(&'a EventPlayer),
    /// A place in the level.
    Place([f64; 3]),
}

/// A type that a field may have.
///
/// ```
/// use moviola_analyse::{EventField, FieldValue, EventPlayer};
/// assert_eq!((bool::TYPE, <Option<EventPlayer>>::TYPE), ("bool", "player"));
/// assert_eq!((7_u8.value(), None::<f64>.value()), (FieldValue::Int(7), FieldValue::None));
/// ```
pub trait EventField {
    /// The type's name, for tables and documents.
    const TYPE: &'static str;
    /// The value.
    fn value(&self) -> FieldValue<'_>;
}

macro_rules! fields {
    ($( $type:ty, $name:literal, $it:ident => $value:expr; )*) => { $(
        impl EventField for $type {
            const TYPE: &'static str = $name;
            fn value(&self) -> FieldValue<'_> {
                let $it = self;
                $value
            }
        }
    )* };
}

fields! {
    bool, "bool", it => FieldValue::Bool(*it);
    u8, "int", it => FieldValue::Int((*it).into());
    u16, "int", it => FieldValue::Int((*it).into());
    u32, "int", it => FieldValue::Int((*it).into());
    i32, "int", it => FieldValue::Int((*it).into());
    f64, "float", it => FieldValue::Float(*it);
    &'static str, "word", it => if it.is_empty() { FieldValue::None } else { FieldValue::Word(it) };
    GameText, "text", it => FieldValue::Text(it);
    EventPlayer, "player", it => FieldValue::Player(it);
    [f64; 3], "place", it => FieldValue::Place(*it);
}

impl<T: EventField> EventField for Option<T> {
    const TYPE: &'static str = T::TYPE;
    fn value(&self) -> FieldValue<'_> {
        self.as_ref().map_or(FieldValue::None, EventField::value)
    }
}

/// Writes fields to a JSON object.
pub(super) struct Fields<'m, M: SerializeMap> {
    pub(super) map: &'m mut M,
    pub(super) failed: Option<M::Error>,
}

impl<M: SerializeMap> Fields<'_, M> {
    pub(super) fn add(&mut self, name: &str, value: FieldValue<'_>) {
        if self.failed.is_none() {
            self.failed = self.put(name, value).err();
        }
    }

    fn put(&mut self, name: &str, value: FieldValue<'_>) -> Result<(), M::Error> {
        match value {
            FieldValue::None => Ok(()),
            FieldValue::Bool(it) => self.map.serialize_entry(name, &it),
            FieldValue::Int(it) => self.map.serialize_entry(name, &it),
            FieldValue::Float(it) => self.map.serialize_entry(name, &ShortFloat(it)),
            FieldValue::Word(it) => self.map.serialize_entry(name, it),
            FieldValue::Place(it) => self.map.serialize_entry(name, &it.map(ShortFloat)),
            FieldValue::Text(it) => self.text(name, it),
            FieldValue::Player(it) => {
                self.map.serialize_entry(name, it.name.text())?;
                if let Some(slot) = it.slot {
                    self.map.serialize_entry(&format!("{name}_slot"), &slot)?;
                }
                self.hex(name, &it.name)
            }
        }
    }

    fn text(&mut self, name: &str, text: &GameText) -> Result<(), M::Error> {
        self.map.serialize_entry(name, text.text())?;
        self.hex(name, text)
    }

    fn hex(&mut self, name: &str, text: &GameText) -> Result<(), M::Error> {
        match text.hex() {
            Some(hex) => self.map.serialize_entry(&format!("{name}_hex"), &hex),
            None => Ok(()),
        }
    }
}
