//! A line of a scoreboard, which events keep up to date and the report prints.

use serde::Serialize;

/// A player's line in the scores.
///
/// ```
/// use moviola_analyse::Report;
/// // Player 0 is Al, with three frags, a red shirt and blue trousers.
/// let file = b"-1\n\x2a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
///     \x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0\x0d\0Al\0\x0e\0\x03\0\x11\0\x4d";
/// let al = &Report::read(&file[..]).unwrap().levels[0].scores[0];
/// assert_eq!((al.slot, al.name.as_str(), al.frags, al.colors), (0, "Al", Some(3), Some([4, 13])));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The slot, counted from 0.
    pub slot: u8,
    /// The name.
    pub name: String,
    /// The bytes of the name in hex, if they differ from its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_hex: Option<String>,
    /// The score, if it is known.
    pub frags: Option<i32>,
    /// The colors of shirt and trousers (Quake).
    pub colors: Option<[u8; 2]>,
}
