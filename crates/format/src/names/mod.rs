//! The meanings of the numbers in a recording.
//!
//! The message tables define the places of numbers, the tables here their meanings. The text printer's
//! comments, `explain`, JSON and the manual all read them. They are pure data and a lookup, know no messages,
//! and cannot fail.

mod all;
mod engine;
mod font;
mod latin;
mod parts;
pub mod quake;
pub mod quake2;
pub mod quakeworld;

pub use all::ALL;
pub use engine::engine;
pub use font::{
    Glyph, PrintMark, is_plain, marked, plain, readable, unmarked, without_colors, without_marks,
};
pub use latin::transliterate;

use crate::game::Game;
use core::fmt;

/// The meaning of the number in a field.
///
/// Some meanings follow from the number alone ([`Meaning::name`] finds these); the others depend on the
/// recording: its model list, its config strings, its players.
///
/// ```
/// use moviola_format::dem::Version;
/// use moviola_format::names::Meaning;
/// let meaning = Version::SCHEMA.fields[0].meaning;
/// assert_eq!(meaning.name(666).unwrap().to_string(), "FitzQuake");
/// assert_eq!(Meaning::Number.name(666), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// A number without further meaning.
    Number,
    /// Index into the level's model list (Quake; 0 is none).
    Model,
    /// Index into the level's sound list (Quake).
    Sound,
    /// A player's slot, counted from 0 (Quake); it stands for the player's name.
    Player,
    /// Quake II: a config string's text, at this base plus the number.
    Config(u16),
    /// Quake II: the numbers of items that the player carries. The config strings from this number on name the items.
    Counts(u16),
    /// Quake II: an entity's size, packed into 16 bits.
    Solid,
    /// Index of a config string: its role.
    ConfigIndex,
    /// An entity's number.
    Entity,
    /// One of a few named values, sorted by value.
    Value(&'static [(i64, &'static str)]),
    /// A sum of named bits, sorted by bit.
    Bits(&'static [(u64, &'static str)]),
    /// A palette index: the color's rough name (see [`palette_name`]).
    Palette,
    /// A number with named ranges: (first, last, name).
    Range(&'static [(i64, i64, &'static str)]),
    /// Quake II: an entity's skin; if the entity's model is [`quake2::PLAYERS_MODEL`], the slot of its
    /// player.
    Skin,
    /// The value of the Quake II stat whose index was given just before (see
    /// [`quake2::stat_meaning`]).
    StatValue,
}

impl Meaning {
    /// The name of `value`, if it does not depend on the recording: named values, sums of bits, ranges, and
    /// the roles of config strings.
    ///
    /// `None` if there is no such name, no bit is set, or the meaning depends on more than the number.
    ///
    /// A negative `value` of at most 32 bits is taken as those 32 bits, so that items may be
    /// given signed or unsigned.
    ///
    /// ```
    /// use moviola_format::names::{Meaning, quake};
    ///
    /// assert_eq!(Meaning::Value(quake::TEMP_ENTITY).name(3).unwrap().to_string(), "TE_EXPLOSION");
    /// assert_eq!(Meaning::Bits(quake::ITEMS).name(0x1001).unwrap().to_string(), "Shotgun | Axe");
    /// ```
    pub fn name(&self, value: i64) -> Option<Name> {
        match *self {
            Self::Value(table) => value_name(table, value).map(Name::Word),
            Self::Range(table) => range_name(table, value).map(Name::Word),
            Self::Bits(table) => {
                let value = unsigned(value);
                (value != 0).then_some(Name::Bits { table, value })
            }
            Self::ConfigIndex => {
                let (role, number) = quake2::config_role(value)?;
                Some(number.map_or(Name::Word(role), |number| Name::Numbered(role, number)))
            }
            Self::Solid => quake2::solid(value),
            Self::Number
            | Self::Model
            | Self::Sound
            | Self::Player
            | Self::Config(_)
            | Self::Counts(_)
            | Self::Entity
            | Self::Palette
            | Self::Skin
            | Self::StatValue => None,
        }
    }
}

/// A name that was found; print it with `{}`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Bits(quake::EFFECTS).name(0x12).unwrap();
/// assert_eq!(name.to_string(), "EF_MUZZLEFLASH | 0x10");
/// assert_eq!(name.as_word(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// One name: `TE_EXPLOSION`.
    Word(&'static str),
    /// A name and the place in its range: `model[3]`.
    Numbered(&'static str, u16),
    /// The names of the set bits, lowest first, and the bits without a name in hex: `Shotgun | Axe |
    /// 0x800000`.
    Bits {
        /// The table of the names.
        table: &'static [(u64, &'static str)],
        /// The bits, at least one.
        value: u64,
    },
    /// A box around an entity: its extent to every side, down and up.
    Box {
        /// The extent to the four sides.
        around: u8,
        /// The extent downwards.
        below: u8,
        /// The extent upwards; a lying body ends below its middle.
        above: i16,
    },
}

impl Name {
    /// The name if it is a single word, for media that want text without an allocation.
    pub fn as_word(&self) -> Option<&'static str> {
        match *self {
            Self::Word(word) => Some(word),
            Self::Numbered(..) | Self::Bits { .. } | Self::Box { .. } => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Word(word) => f.write_str(word),
            Self::Numbered(word, number) => write!(f, "{word}[{number}]"),
            Self::Box { around, below, above } => {
                write!(f, "box: {around} around, {below} below, {above} above")
            }
            Self::Bits { table, value } => {
                let mut between = "";
                for name in bit_names(table, value) {
                    f.write_str(between)?;
                    f.write_str(name)?;
                    between = " | ";
                }
                match unnamed_bits(table, value) {
                    0 => Ok(()),
                    rest => write!(f, "{between}{rest:#x}"),
                }
            }
        }
    }
}

/// The name of `value` in a table of named values.
///
/// ```
/// use moviola_format::names::{quake, value_name};
/// assert_eq!(value_name(quake::SOUND_CHANNEL, 2), Some("CHAN_VOICE"));
/// ```
pub fn value_name(table: &[(i64, &'static str)], value: i64) -> Option<&'static str> {
    let at = table.binary_search_by_key(&value, |row| row.0).ok()?;
    table.get(at).map(|row| row.1)
}

/// The value that a table of named values has under a name; 0 if none. For constants: the number itself stays
/// only in the table that names it.
///
/// ```
/// use moviola_format::names::{quake, value};
/// const TELEPORT: i64 = value(quake::TEMP_ENTITY, "TE_TELEPORT");
/// assert_eq!(TELEPORT, 11);
/// ```
#[must_use]
pub const fn value(mut table: &[(i64, &'static str)], name: &str) -> i64 {
    while let [(value, its), rest @ ..] = table {
        if same(its.as_bytes(), name.as_bytes()) {
            return *value;
        }
        table = rest;
    }
    0
}

/// The bit that a table of named bits has under a name; 0 if none. For constants, like [`value`].
///
/// ```
/// use moviola_format::names::{bit, quake2};
/// const BEAM: u64 = bit(quake2::RENDERFX, "RF_BEAM");
/// assert_eq!(BEAM, 0x80);
/// ```
#[must_use]
pub const fn bit(mut table: &[(u64, &'static str)], name: &str) -> u64 {
    while let [(bit, its), rest @ ..] = table {
        if same(its.as_bytes(), name.as_bytes()) {
            return *bit;
        }
        table = rest;
    }
    0
}

/// Whether two names are the same. For constants, which cannot use `==` yet.
///
/// ```
/// use moviola_format::names::same;
/// const SAME: bool = same(b"origin", b"origin");
/// assert!(SAME && !same(b"origin", b"angles"));
/// ```
#[must_use]
pub const fn same(mut one: &[u8], mut other: &[u8]) -> bool {
    loop {
        match (one, other) {
            ([], []) => return true,
            ([a, one_rest @ ..], [b, other_rest @ ..]) if *a == *b => (one, other) = (one_rest, other_rest),
            _ => return false,
        }
    }
}

/// The name of the range of a table that `value` falls in.
///
/// ```
/// use moviola_format::names::{quake, range_name};
/// assert_eq!(range_name(quake::LIGHT_STYLE, 40), Some("switched lamp"));
/// ```
pub fn range_name(table: &[(i64, i64, &'static str)], value: i64) -> Option<&'static str> {
    let after = table.partition_point(|row| row.0 <= value);
    let &(_, last, name) = table.get(after.checked_sub(1)?)?;
    (value <= last).then_some(name)
}

/// The names of the bits set in `value`, lowest first; bits without a name are skipped.
///
/// ```
/// use moviola_format::names::{bit_names, quake};
/// assert_eq!(bit_names(quake::ITEMS, 0x11).collect::<Vec<_>>(), ["Shotgun", "Grenade Launcher"]);
/// ```
pub fn bit_names(
    table: &'static [(u64, &'static str)],
    value: u64,
) -> impl Iterator<Item = &'static str> + Clone {
    table.iter().filter(move |row| value & row.0 != 0).map(|row| row.1)
}

/// The bits set in `value` that the table has no name for.
///
/// ```
/// use moviola_format::names::{quake, unnamed_bits};
/// assert_eq!(unnamed_bits(quake::EFFECTS, 0x12), 0x10);
/// ```
pub fn unnamed_bits(table: &[(u64, &'static str)], value: u64) -> u64 {
    table.iter().fold(value, |rest, row| rest & !row.0)
}

/// The rough name of a palette color: particles, sparks, lasers, the players' shirts.
///
/// ```
/// use moviola_format::Game;
/// use moviola_format::names::palette_name;
/// assert_eq!(palette_name(Game::Quake, 192), "yellow");
/// ```
pub fn palette_name(game: Game, index: u8) -> &'static str {
    let table = match game {
        Game::Quake | Game::QuakeWorld => quake::PALETTE,
        Game::Quake2 => quake2::PALETTE,
    };
    range_name(table, i64::from(index)).unwrap_or("color")
}

/// The bits of a number that may have been read signed from a 32-bit field.
fn unsigned(value: i64) -> u64 {
    match i32::try_from(value) {
        Ok(narrow) => u64::from(narrow as u32),
        Err(_) => value as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(meaning: Meaning, value: i64) -> String {
        meaning.name(value).map_or(String::from("-"), |name| name.to_string())
    }

    #[test]
    fn bits_are_joined_and_the_unknown_is_hex() {
        let items = Meaning::Bits(quake::ITEMS);
        assert_eq!(name_of(items, 0x1001), "Shotgun | Axe");
        assert_eq!(name_of(items, 0x0080_0001), "Shotgun | 0x800000");
        assert_eq!(name_of(items, 0x0080_0000), "0x800000");
        assert_eq!(name_of(items, 0), "-");
        assert_eq!(name_of(items, i64::from(i32::MIN)), "Rune 4");
        assert_eq!(name_of(items, 0x8000_0000), "Rune 4");
        assert_eq!(name_of(items, i64::MIN), "0x8000000000000000");
    }

    #[test]
    fn a_range_ends_where_it_ends() {
        let table = &[(3, 4, "a"), (6, 6, "b")];
        let names: Vec<_> = (2..8).map(|n| range_name(table, n)).collect();
        assert_eq!(names, [None, Some("a"), Some("a"), None, Some("b"), None]);
        assert_eq!(range_name(&[], 1), None);
    }

    #[test]
    fn roles_are_spelled_as_lmpc_spells_them() {
        let role = |index| name_of(Meaning::ConfigIndex, index);
        assert_eq!(role(0), "map name");
        assert_eq!(role(1), "CD track");
        assert_eq!(role(4), "sky rotate");
        assert_eq!(role(5), "statusbar[0]");
        assert_eq!(role(30), "max clients");
        assert_eq!(role(31), "map checksum");
        assert_eq!(role(33), "model[1]");
        assert_eq!(role(289), "sound[1]");
        assert_eq!(role(571), "image[27]");
        assert_eq!(role(863), "lightstyle[63]");
        assert_eq!(role(1097), "item[41]");
        assert_eq!(role(1312), "playerskin[0]");
        assert_eq!(role(-1), "-");
        assert_eq!(role(2080), "-");
    }

    #[test]
    fn both_palettes_name_every_color() {
        for index in 0..=u8::MAX {
            assert!(range_name(quake::PALETTE, index.into()).is_some(), "{index}");
            assert!(range_name(quake2::PALETTE, index.into()).is_some(), "{index}");
        }
        assert_eq!(palette_name(Game::Quake, 73), "dark red");
        assert_eq!(palette_name(Game::Quake, 225), "fire");
        assert_eq!(palette_name(Game::Quake2, 0xd0), "bright green");
        assert_eq!(palette_name(Game::Quake2, 0xe8), "blood red");
    }
}
