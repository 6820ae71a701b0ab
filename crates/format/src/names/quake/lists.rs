//! LMPC's numbering of a player's items: `weapons 1 2;` lists entries, not bits.

/// The weapons of `weapons` and `weapon`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::LIST_WEAPONS).name(5).unwrap();
/// assert_eq!(name.to_string(), "Super Nailgun");
/// ```
pub static LIST_WEAPONS: &[(i64, &str)] = &[
    (1, "Axe"),
    (2, "Shotgun"),
    (3, "Super Shotgun"),
    (4, "Nailgun"),
    (5, "Super Nailgun"),
    (6, "Grenade Launcher"),
    (7, "Rocket Launcher"),
    (8, "Thunderbolt"),
    (9, "bit 7"),
];

/// The ammunition of `ammotype`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::LIST_AMMO).name(3).unwrap();
/// assert_eq!(name.to_string(), "Rockets");
/// ```
pub static LIST_AMMO: &[(i64, &str)] = &[(1, "Shells"), (2, "Nails"), (3, "Rockets"), (4, "Cells")];

/// The armors of `armortype`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::LIST_ARMOR).name(2).unwrap();
/// assert_eq!(name.to_string(), "Yellow Armor");
/// ```
pub static LIST_ARMOR: &[(i64, &str)] = &[(1, "Green Armor"), (2, "Yellow Armor"), (3, "Red Armor")];

/// The keys of `keys`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::LIST_KEYS).name(2).unwrap();
/// assert_eq!(name.to_string(), "Gold Key");
/// ```
pub static LIST_KEYS: &[(i64, &str)] = &[(1, "Silver Key"), (2, "Gold Key")];

/// The powerups of `power_ups`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::LIST_POWER_UPS).name(3).unwrap();
/// assert_eq!(name.to_string(), "Biosuit");
/// ```
pub static LIST_POWER_UPS: &[(i64, &str)] =
    &[(1, "Ring of Shadows"), (2, "Pentagram of Protection"), (3, "Biosuit"), (4, "Quad Damage")];

/// The runes of `runes`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::LIST_RUNES).name(3).unwrap();
/// assert_eq!(name.to_string(), "Hell Magic");
/// ```
pub static LIST_RUNES: &[(i64, &str)] =
    &[(1, "Earth Magic"), (2, "Black Magic"), (3, "Hell Magic"), (4, "Elder Magic")];
