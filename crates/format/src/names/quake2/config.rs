//! Quake II: config strings, the stats that point into them, and the inventory.
//!
//! The words are LMPC's, so that the comments in texts agree with LMPC's. Exceptions are index 29 (see [`CONFIG`])
//! and the general strings, which LMPC does not name.

use super::super::parts::{joined, rows};
use super::super::{Meaning, range_name};

/// The config string with the level's title.
///
/// ```
/// use moviola_format::names::quake2::{CS_NAME, config_role};
/// assert_eq!(config_role(CS_NAME.into()), Some(("map name", None)));
/// ```
pub const CS_NAME: u16 = 0;
/// The config string with the number of the CD track.
///
/// ```
/// use moviola_format::names::quake2::{CS_CDTRACK, config_role};
/// assert_eq!(config_role(CS_CDTRACK.into()), Some(("CD track", None)));
/// ```
pub const CS_CDTRACK: u16 = 1;
/// The config string with the greatest number of players.
///
/// ```
/// use moviola_format::names::quake2::{CS_MAXCLIENTS, config_role};
/// assert_eq!(config_role(CS_MAXCLIENTS.into()), Some(("max clients", None)));
/// ```
pub const CS_MAXCLIENTS: u16 = 30;
/// Config string of the program that draws the status bar; a long one covers the config strings after it.
///
/// ```
/// use moviola_format::names::quake2::{CS_STATUSBAR, config_role};
/// assert_eq!(config_role(CS_STATUSBAR.into()), Some(("statusbar", Some(0))));
/// ```
pub const CS_STATUSBAR: u16 = 5;
/// First config string of the models; the first of them stands for no model, the second for the level.
///
/// ```
/// use moviola_format::names::quake2::{CS_MODELS, config_role};
/// assert_eq!(config_role(CS_MODELS.into()), Some(("model", Some(0))));
/// ```
pub const CS_MODELS: u16 = 32;
/// First config string of the sounds.
///
/// ```
/// use moviola_format::names::quake2::{CS_SOUNDS, config_role};
/// assert_eq!(config_role(CS_SOUNDS.into()), Some(("sound", Some(0))));
/// ```
pub const CS_SOUNDS: u16 = 288;
/// First config string of the images.
///
/// ```
/// use moviola_format::names::quake2::{CS_IMAGES, config_role};
/// assert_eq!(config_role(CS_IMAGES.into()), Some(("image", Some(0))));
/// ```
pub const CS_IMAGES: u16 = 544;
/// First config string of the light styles.
///
/// ```
/// use moviola_format::names::quake2::{CS_LIGHTS, config_role};
/// assert_eq!(config_role(CS_LIGHTS.into()), Some(("lightstyle", Some(0))));
/// ```
pub const CS_LIGHTS: u16 = 800;
/// First config string of the items' names.
///
/// ```
/// use moviola_format::names::quake2::{CS_ITEMS, config_role};
/// assert_eq!(config_role(CS_ITEMS.into()), Some(("item", Some(0))));
/// ```
pub const CS_ITEMS: u16 = 1056;
/// First config string of the players' names and skins.
///
/// ```
/// use moviola_format::names::quake2::{CS_PLAYERSKINS, config_role};
/// assert_eq!(config_role(CS_PLAYERSKINS.into()), Some(("playerskin", Some(0))));
/// ```
pub const CS_PLAYERSKINS: u16 = 1312;
/// First config string that is free for the game; there is none before protocol 32.
///
/// ```
/// use moviola_format::names::quake2::{CS_GENERAL, config_role};
/// assert_eq!(config_role(CS_GENERAL.into()), Some(("general", Some(0))));
/// ```
pub const CS_GENERAL: u16 = 1568;
/// The number of config strings.
///
/// ```
/// use moviola_format::names::quake2::{MAX_CONFIGSTRINGS, config_role};
/// assert_eq!(config_role(MAX_CONFIGSTRINGS.into()), None);
/// ```
pub const MAX_CONFIGSTRINGS: u16 = 2080;

/// The number of config strings with Q2PRO's extended limits.
///
/// ```
/// use moviola_format::names::quake2::{MAX_CONFIGSTRINGS_Q2PRO, q2pro_role};
/// assert_eq!(q2pro_role(MAX_CONFIGSTRINGS_Q2PRO.into()), None);
/// ```
pub const MAX_CONFIGSTRINGS_Q2PRO: u16 = 13630;

/// A part of the config strings: its first number, and the number of its strings.
type ConfigPart = (u16, u16);

/// The parts of id's config strings, each with its place among Q2PRO's extended ones. The small parts before and
/// between the large ones are in the order of their numbers.
static EXTENDED_CONFIG: &[(ConfigPart, ConfigPart)] = &[
    ((0, CS_STATUSBAR), (0, CS_STATUSBAR)),
    ((CS_STATUSBAR, 24), (5, 54)),
    ((29, 1), (59, 1)),
    ((CS_MAXCLIENTS, 1), (60, 1)),
    ((31, 1), (61, 1)),
    ((CS_MODELS, 256), (62, 8192)),
    ((CS_SOUNDS, 256), (8254, 2048)),
    ((CS_IMAGES, 256), (10302, 2048)),
    ((CS_LIGHTS, 256), (12350, 256)),
    ((CS_ITEMS, 256), (12606, 256)),
    ((CS_PLAYERSKINS, 256), (12862, 256)),
    ((CS_GENERAL, 512), (13118, 512)),
];

/// The part of id's config strings to which one of Q2PRO's belongs, as the first number of that part, and its place in
/// the part. The place can be beyond id's limit.
///
/// ```
/// use moviola_format::names::quake2::{CS_MODELS, CS_SOUNDS, q2pro_part};
/// assert_eq!(q2pro_part(62 + 300), Some((CS_MODELS, 300)));
/// assert_eq!(q2pro_part(8254), Some((CS_SOUNDS, 0)));
/// ```
pub fn q2pro_part(index: u16) -> Option<(u16, u16)> {
    EXTENDED_CONFIG.iter().find_map(|((base, _), (first, count))| {
        let place = index.checked_sub(*first)?;
        (place < *count).then_some((*base, place))
    })
}

/// The number at id of one of Q2PRO's config strings; `None` if id's limits have no room for it.
///
/// ```
/// use moviola_format::names::quake2::{CS_MODELS, id_config};
/// assert_eq!((id_config(62 + 7), id_config(62 + 300)), (Some(CS_MODELS + 7), None));
/// ```
pub fn id_config(index: u16) -> Option<u16> {
    let (base, place) = q2pro_part(index)?;
    let ((_, room), _) = EXTENDED_CONFIG.iter().find(|((first, _), _)| *first == base)?;
    (place < *room).then_some(base + place)
}

/// The number among Q2PRO's config strings of a place in a part of id's.
///
/// ```
/// use moviola_format::names::quake2::{CS_MODELS, CS_SOUNDS, q2pro_config};
/// assert_eq!((q2pro_config(CS_MODELS, 300), q2pro_config(CS_SOUNDS, 1)), (Some(362), Some(8255)));
/// ```
pub fn q2pro_config(base: u16, place: u16) -> Option<u16> {
    let (_, (first, _)) = EXTENDED_CONFIG.iter().find(|((first, _), _)| *first == base)?;
    first.checked_add(place)
}

/// The role of one of Q2PRO's config strings and its number, as [`config_role`] has it for id's.
///
/// ```
/// use moviola_format::names::quake2::q2pro_role;
/// assert_eq!(q2pro_role(62 + 300), Some(("model", Some(300))));
/// assert_eq!(q2pro_role(60), Some(("max clients", None)));
/// ```
pub fn q2pro_role(index: i64) -> Option<(&'static str, Option<u16>)> {
    let (base, place) = q2pro_part(u16::try_from(index).ok()?)?;
    if base == 0 {
        return config_role(index);
    }
    let (role, number) = config_role(base.into())?;
    Some((role, number.map(|_| place)))
}

/// The roles of the config strings. LMPC counts 29 as a piece of the status bar, and it is one when a long
/// status bar runs over it; id's servers keep their air acceleration there.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Range(quake2::CONFIG).name(31).unwrap();
/// assert_eq!(name.to_string(), "map checksum");
/// ```
pub static CONFIG: &[(i64, i64, &str)] = &[
    (CS_NAME as i64, CS_NAME as i64, "map name"),
    (CS_CDTRACK as i64, CS_CDTRACK as i64, "CD track"),
    (2, 2, "sky"),
    (3, 3, "skyaxis"),
    (4, 4, "sky rotate"),
    (5, 28, "statusbar"),
    (29, 29, "air acceleration"),
    (CS_MAXCLIENTS as i64, CS_MAXCLIENTS as i64, "max clients"),
    (31, 31, "map checksum"),
    (32, 287, "model"),
    (288, 543, "sound"),
    (544, 799, "image"),
    (800, 1055, "lightstyle"),
    (1056, 1311, "item"),
    (1312, 1567, "playerskin"),
    (1568, 2079, "general"),
];

/// The role of a config string and, if the role has several, its number among them, as LMPC prints it:
/// `("model", Some(1))` is `model[1]`.
///
/// ```
/// use moviola_format::names::quake2::config_role;
/// assert_eq!(config_role(33), Some(("model", Some(1))));
/// assert_eq!(config_role(30), Some(("max clients", None)));
/// ```
pub fn config_role(index: i64) -> Option<(&'static str, Option<u16>)> {
    let role = range_name(CONFIG, index)?;
    let &(first, last, _) = CONFIG.iter().find(|row| row.0 <= index && index <= row.1)?;
    let number = if first == last { None } else { u16::try_from(index - first).ok() };
    Some((role, number))
}

/// The meaning of a stat's value. Only the stats of id's own game are known here; a modified game may use
/// those from 17 on differently.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// assert_eq!(quake2::stat_meaning(0), Meaning::Config(quake2::CS_IMAGES));
/// ```
pub fn stat_meaning(index: i64) -> Meaning {
    match index {
        0 | 2 | 4 | 6 | 7 | 9 | 11 => Meaning::Config(CS_IMAGES),
        8 | 16 => Meaning::Config(0),
        12 => Meaning::Config(CS_ITEMS),
        13 => Meaning::Value(LAYOUTS),
        15 => Meaning::Value(FLASHES),
        17 => Meaning::Value(SPECTATOR),
        _ => Meaning::Number,
    }
}

/// The meaning of the value 0 in a stat that refers to the config strings from `base` on.
///
/// ```
/// use moviola_format::names::quake2::{CS_IMAGES, off_word};
/// assert_eq!(off_word(CS_IMAGES), Some("image off"));
/// ```
pub fn off_word(base: u16) -> Option<&'static str> {
    match base {
        0 => Some("string off"),
        CS_IMAGES => Some("image off"),
        CS_ITEMS => Some("item off"),
        _ => None,
    }
}

/// The stats of id's own game.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::STAT).name(9).unwrap();
/// assert_eq!(name.to_string(), "TIMER_ICON");
/// ```
pub static STAT: &[(i64, &str)] = &[
    (0, "HEALTH_ICON"),
    (1, "HEALTH"),
    (2, "AMMO_ICON"),
    (3, "AMMO"),
    (4, "ARMOR_ICON"),
    (5, "ARMOR"),
    (6, "SELECTED_ICON"),
    (7, "PICKUP_ICON"),
    (8, "PICKUP_STRING"),
    (9, "TIMER_ICON"),
    (10, "TIMER"),
    (11, "HELPICON"),
    (12, "SELECTED_ITEM"),
    (13, "LAYOUTS"),
    (14, "FRAGS"),
    (15, "FLASHES"),
    (16, "CHASE"),
    (17, "SPECTATOR"),
];

/// The stats of id's capture the flag, which has meanings of its own from 17 on.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::STAT_CTF).name(15).unwrap();
/// assert_eq!(name.to_string(), "FLASHES");
/// ```
pub static STAT_CTF: &[(i64, &str)] = &joined::<_, 31>(&[
    rows(STAT, 0, 17),
    &[
        (17, "TEAM1_PIC"),
        (18, "TEAM1_CAPS"),
        (19, "TEAM2_PIC"),
        (20, "TEAM2_CAPS"),
        (21, "FLAG_PIC"),
        (22, "JOINED_TEAM1_PIC"),
        (23, "JOINED_TEAM2_PIC"),
        (24, "TEAM1_HEADER"),
        (25, "TEAM2_HEADER"),
        (26, "TECH"),
        (27, "ID_VIEW"),
        (28, "MATCH"),
        (29, "ID_VIEW_COLOR"),
        (30, "TEAMINFO"),
    ],
]);

/// The stat `LAYOUTS`: bit 0 shows the layout, bit 1 the inventory.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::LAYOUTS).name(2).unwrap();
/// assert_eq!(name.to_string(), "inventory");
/// ```
pub static LAYOUTS: &[(i64, &str)] =
    &[(0, "popup off"), (1, "help"), (2, "inventory"), (3, "help | inventory")];

/// The stat `FLASHES`: bit 0 for lost health, bit 1 for a hit that the armor took.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::FLASHES).name(2).unwrap();
/// assert_eq!(name.to_string(), "armor");
/// ```
pub static FLASHES: &[(i64, &str)] = &[(0, "flash off"), (1, "health"), (2, "armor"), (3, "health | armor")];

/// The stat `SPECTATOR`.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::SPECTATOR).name(1).unwrap();
/// assert_eq!(name.to_string(), "spectator");
/// ```
pub static SPECTATOR: &[(i64, &str)] = &[(0, "playing"), (1, "spectator")];

/// The items of id's own game by their place in the inventory. A recording's config strings from [`CS_ITEMS`]
/// on take precedence.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::INVENTORY).name(21).unwrap();
/// assert_eq!(name.to_string(), "Rockets");
/// ```
pub static INVENTORY: &[(i64, &str)] = &[
    (1, "Body Armor"),
    (2, "Combat Armor"),
    (3, "Jacket Armor"),
    (4, "Armor Shard"),
    (5, "Power Screen"),
    (6, "Power Shield"),
    (7, "Blaster"),
    (8, "Shotgun"),
    (9, "Super Shotgun"),
    (10, "Machinegun"),
    (11, "Chaingun"),
    (12, "Grenades"),
    (13, "Grenade Launcher"),
    (14, "Rocket Launcher"),
    (15, "HyperBlaster"),
    (16, "Railgun"),
    (17, "BFG10K"),
    (18, "Shells"),
    (19, "Bullets"),
    (20, "Cells"),
    (21, "Rockets"),
    (22, "Slugs"),
    (23, "Quad Damage"),
    (24, "Invulnerability"),
    (25, "Silencer"),
    (26, "Rebreather"),
    (27, "Environment Suit"),
    (28, "Ancient Head"),
    (29, "Adrenaline"),
    (30, "Bandolier"),
    (31, "Ammo Pack"),
    (32, "Data CD"),
    (33, "Power Cube"),
    (34, "Pyramid Key"),
    (35, "Data Spinner"),
    (36, "Security Pass"),
    (37, "Blue Key"),
    (38, "Red Key"),
    (39, "Commander's Head"),
    (40, "Airstrike Marker"),
    (41, "Health"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_base_begins_its_role() {
        for (base, role) in [
            (CS_STATUSBAR, "statusbar"),
            (CS_MODELS, "model"),
            (CS_SOUNDS, "sound"),
            (CS_IMAGES, "image"),
            (CS_LIGHTS, "lightstyle"),
            (CS_ITEMS, "item"),
            (CS_PLAYERSKINS, "playerskin"),
            (CS_GENERAL, "general"),
        ] {
            assert_eq!(config_role(base.into()), Some((role, Some(0))));
        }
        assert_eq!(config_role(i64::from(MAX_CONFIGSTRINGS) - 1), Some(("general", Some(511))));
        assert_eq!(config_role(MAX_CONFIGSTRINGS.into()), None);
    }

    #[test]
    fn icons_are_images_and_texts_are_strings() {
        for &(index, name) in STAT {
            let image = stat_meaning(index) == Meaning::Config(CS_IMAGES);
            assert_eq!(image, name.ends_with("ICON"), "{name}");
        }
        assert_eq!(stat_meaning(8), Meaning::Config(0));
        assert_eq!(stat_meaning(12), Meaning::Config(CS_ITEMS));
        assert_eq!(off_word(CS_IMAGES), Some("image off"));
        assert_eq!(off_word(CS_SOUNDS), None);
    }
}
