//! Quake II: flag words, protocol numbers, and the small codes of single messages.
//!
//! A bit that announces a field has the field's keyword in the text as its name; a bit that announces the
//! wide form has it with `16`. Both forms of skin, effects or renderfx together mean 32 bits.

/// Protocol numbers and the games that use them.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::PROTOCOL).name(35).unwrap();
/// assert_eq!(name.to_string(), "R1Q2");
/// ```
pub static PROTOCOL: &[(i64, &str)] = &[
    (25, "Quake II test 3.00"),
    (26, "Quake II 3.05, 3.06"),
    (27, "Quake II 3.07, 3.08"),
    (28, "Quake II 3.09"),
    (30, "Quake II 3.10"),
    (31, "Quake II 3.12 to 3.14"),
    (32, "Quake II 3.15"),
    (33, "Quake II 3.17"),
    (34, "Quake II 3.18 to 3.21"),
    (35, "R1Q2"),
    (36, "Q2PRO"),
    (37, "MVD2"),
    (56, "KMQuake2"),
    (1038, "Q2rePRO"),
    (2022, "re-release demo"),
    (2023, "re-release network"),
    (3434, "Q2PRO extended 1"),
    (3435, "Q2PRO extended 2"),
    (3436, "Q2PRO extended 3"),
];

/// The flags of an MVD2: `flags` in its `serverdata`.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// assert_eq!(Meaning::Bits(quake2::MVD2_FLAGS).name(1).unwrap().to_string(), "NOMSGS");
/// ```
pub static MVD2_FLAGS: &[(u64, &str)] =
    &[(1, "NOMSGS"), (2, "SINGLEPOV"), (4, "EXTLIMITS"), (8, "EXTLIMITS_2")];

/// The kind of recording: `isdemo` in `serverdata`.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::RECORD).name(2).unwrap();
/// assert_eq!(name.to_string(), "RECORD_SERVER");
/// ```
pub static RECORD: &[(i64, &str)] = &[
    (RECORD_NETWORK as i64, "RECORD_NETWORK"),
    (RECORD_CLIENT as i64, "RECORD_CLIENT"),
    (RECORD_SERVER as i64, "RECORD_SERVER"),
    (RECORD_RELAY as i64, "RECORD_RELAY"),
];

/// A recording of the data that came over the net: one of [`RECORD`].
///
/// ```
/// use moviola_format::names::{quake2, value_name};
/// assert_eq!(value_name(quake2::RECORD, quake2::RECORD_NETWORK.into()), Some("RECORD_NETWORK"));
/// ```
pub const RECORD_NETWORK: u8 = 0;
/// A player's recording: one of [`RECORD`].
///
/// ```
/// use moviola_format::names::{quake2, value_name};
/// assert_eq!(value_name(quake2::RECORD, quake2::RECORD_CLIENT.into()), Some("RECORD_CLIENT"));
/// ```
pub const RECORD_CLIENT: u8 = 1;
/// A server's recording: one of [`RECORD`].
///
/// ```
/// use moviola_format::names::{quake2, value_name};
/// assert_eq!(value_name(quake2::RECORD, quake2::RECORD_SERVER.into()), Some("RECORD_SERVER"));
/// ```
pub const RECORD_SERVER: u8 = 2;
/// A recording of the Relay modification: one of [`RECORD`].
///
/// ```
/// use moviola_format::names::{quake2, value_name};
/// assert_eq!(value_name(quake2::RECORD, quake2::RECORD_RELAY.into()), Some("RECORD_RELAY"));
/// ```
pub const RECORD_RELAY: u8 = 0x80;

/// Numbers of the recorder that are not players: a server's recording, or a film.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::CLIENT).name(-1).unwrap();
/// assert_eq!(name.to_string(), "no player");
/// ```
pub static CLIENT: &[(i64, &str)] = &[(-1, "no player")];

/// The number of a frame's base if the frame has none.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::DELTA_FRAME).name(-1).unwrap();
/// assert_eq!(name.to_string(), "full frame");
/// ```
pub static DELTA_FRAME: &[(i64, &str)] = &[(-1, "full frame")];

/// The size of a download that has no data.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::DOWNLOAD_SIZE).name(-1).unwrap();
/// assert_eq!(name.to_string(), "not found");
/// ```
pub static DOWNLOAD_SIZE: &[(i64, &str)] = &[(-1, "not found")];

/// The number of a `TE_STEAM` that is momentary and so has no duration.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::STEAM_ID).name(-1).unwrap();
/// assert_eq!(name.to_string(), "once");
/// ```
pub static STEAM_ID: &[(i64, &str)] = &[(-1, "once")];
