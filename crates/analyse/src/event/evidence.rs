//! The evidence for an event: the kinds of traces that agree on it.

// not from SCHEMA, all words: events, their fields and evidence have names of their own.

use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// A set of traces.
///
/// ```
/// use moviola_analyse::Evidence;
/// let both = Evidence::PRINT | Evidence::SOUND;
/// assert!(both.has(Evidence::SOUND) && !both.has(Evidence::ITEMS));
/// assert_eq!(both.to_string(), "print, sound");
/// assert!(Evidence::NONE.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence(u32);

macro_rules! traces {
    ($( $(#[$note:meta])* $constant:ident = $bit:literal $name:literal, )*) => {
        impl Evidence {
            $( $(#[$note])* pub const $constant: Self = Self(1 << $bit); )*
            const NAMES: &[(Self, &'static str)] = &[$((Self::$constant, $name)),*];
        }
    };
}

traces! {
    /// A message with exactly this meaning.
    MESSAGE = 0 "message",
    /// Text on the console.
    PRINT = 1 "print",
    /// A sound.
    SOUND = 2 "sound",
    /// The flash of the screen that comes with a pickup.
    FLASH = 3 "flash",
    /// The bits of the items carried.
    ITEMS = 4 "items",
    /// A number of the status bar: health, armor, ammunition.
    STATS = 5 "stats",
    /// The score of a player.
    FRAGS = 6 "frags",
    /// A change of the score that contradicts the event.
    FRAGS_DIFFER = 7 "frags_differ",
    /// An entity: its position, model, frame or effects.
    ENTITY = 8 "entity",
    /// An effect: an explosion, the sparkles of a teleport.
    EFFECT = 9 "effect",
    /// The player's name or colors, or the config string that holds them.
    PLAYERS = 10 "players",
    /// Text in the middle of the screen.
    CENTERPRINT = 11 "centerprint",
    /// The layout: scores or field computer.
    LAYOUT = 12 "layout",
    /// The weapon in hand, or its flash.
    WEAPON = 13 "weapon",
    /// The message about damage.
    DAMAGE = 14 "damage",
    /// The position of the camera, or the angles that the server set.
    VIEW = 15 "view",
    /// The state of the player's movement.
    MOVEMENT = 16 "movement",
    /// It is the most likely of several possibilities.
    GUESS = 17 "guess",
}

impl Evidence {
    /// No trace.
    pub const NONE: Self = Self(0);

    /// Whether all traces of `other` are in it.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These signs, and `other` as well if `when` is true.
    #[must_use]
    pub(crate) fn with(self, other: Self, when: bool) -> Self {
        if when { self | other } else { self }
    }

    /// The names of the traces.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(trace, _)| self.has(*trace)).map(|(_, name)| *name)
    }
}

impl BitOr for Evidence {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Evidence {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for name in self.names() {
            write!(f, "{between}{name}")?;
            between = ", ";
        }
        Ok(())
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}
