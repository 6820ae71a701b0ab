//! Quake: flag words, protocol numbers, and the small codes of single messages.
//!
//! A bit that announces a field has the field's keyword in the text as its name; a bit that announces only
//! the high byte of a field (protocol 666) has it with `_high`.

/// Protocol numbers, and the two marks that may precede one.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::PROTOCOL).name(3502).unwrap();
/// assert_eq!(name.to_string(), "DarkPlaces 5");
/// ```
pub static PROTOCOL: &[(i64, &str)] = &[
    (15, "NetQuake"),
    (96, "DarkPlaces 1"),
    (97, "DarkPlaces 2"),
    (250, "Nehahra"),
    (666, "FitzQuake"),
    (668, "FitzQuake Plus"),
    (999, "RMQ"),
    (3500, "DarkPlaces 3"),
    (3501, "DarkPlaces 4"),
    (3502, "DarkPlaces 5"),
    (3503, "DarkPlaces 6"),
    (3504, "DarkPlaces 7"),
    (3505, "DarkPlaces 8"),
    (10_000, "BJP"),
    (10_001, "BJP 2"),
    (10_002, "BJP 3"),
    (0x3245_5446, "FTE2 extensions"),
    (0x5845_5446, "FTEX extensions"),
];

/// The flags that protocol 999 announces after its number: kinds of angles and coordinates.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Bits(quake::PROTOCOL_FLAGS).name(1 << 5).unwrap();
/// assert_eq!(name.to_string(), "PRFL_EDICTSCALE");
/// ```
pub static PROTOCOL_FLAGS: &[(u64, &str)] = &[
    (1 << 1, "PRFL_SHORTANGLE"),
    (1 << 2, "PRFL_FLOATANGLE"),
    (1 << 3, "PRFL_24BITCOORD"),
    (1 << 4, "PRFL_FLOATCOORD"),
    (1 << 5, "PRFL_EDICTSCALE"),
    (1 << 6, "PRFL_ALPHASANITY"),
    (1 << 7, "PRFL_INT32COORD"),
    (1 << 31, "PRFL_MOREFLAGS"),
];

/// Transparency in protocol 666 and its descendants; between the last two values it rises evenly.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::ALPHA).name(1).unwrap();
/// assert_eq!(name.to_string(), "invisible");
/// ```
pub static ALPHA: &[(i64, &str)] = &[(0, "default"), (1, "invisible"), (255, "opaque")];

/// The stages of joining a level. Each has the name of the client's answer; the last one is the client's state
/// after the first entity update.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::SIGNON).name(3).unwrap();
/// assert_eq!(name.to_string(), "begin");
/// ```
pub static SIGNON: &[(i64, &str)] = &[(1, "prespawn"), (2, "spawn"), (3, "begin"), (4, "playing")];

/// The game type in `serverinfo`; it picks the screen at a level's end.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::GAME_TYPE).name(1).unwrap();
/// assert_eq!(name.to_string(), "deathmatch");
/// ```
pub static GAME_TYPE: &[(i64, &str)] = &[(0, "single or coop"), (1, "deathmatch")];

/// The values of `setpause`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::PAUSE).name(1).unwrap();
/// assert_eq!(name.to_string(), "on");
/// ```
pub static PAUSE: &[(i64, &str)] = &[(0, "off"), (1, "on")];

/// Particle counts with a meaning of their own: the greatest stands for a whole explosion.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::PARTICLE_COUNT).name(255).unwrap();
/// assert_eq!(name.to_string(), "explosion, 1024");
/// ```
pub static PARTICLE_COUNT: &[(i64, &str)] = &[(255, "explosion, 1024")];

/// The effects of the first byte of a print on the rest, if it is one of these.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::PRINT_MARK).name(2).unwrap();
/// assert_eq!(name.to_string(), "colored");
/// ```
pub static PRINT_MARK: &[(i64, &str)] = &[(1, "chat sound, colored"), (2, "colored")];
