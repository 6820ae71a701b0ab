//! Quake: items, weapons, stats, effects, sounds, colors.
//!
//! Things that players know by name carry that name; things that only the engine knows carry the engine's
//! constant. If the document of DEM 1.0.9 and the engine differ, the engine is right.

mod lists;
mod wire;

use super::parts::{joined, rows};
pub use lists::*;
pub use wire::{ALPHA, GAME_TYPE, PARTICLE_COUNT, PAUSE, PRINT_MARK, PROTOCOL, PROTOCOL_FLAGS, SIGNON};

/// The items that a player carries, in id's own game; bits 28 to 31 are the runes of the four episodes.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Bits(quake::ITEMS).name(1 << 13).unwrap();
/// assert_eq!(name.to_string(), "Green Armor");
/// ```
pub static ITEMS: &[(u64, &str)] = &[
    (1 << 0, "Shotgun"),
    (1 << 1, "Super Shotgun"),
    (1 << 2, "Nailgun"),
    (1 << 3, "Super Nailgun"),
    (1 << 4, "Grenade Launcher"),
    (1 << 5, "Rocket Launcher"),
    (1 << 6, "Thunderbolt"),
    (1 << 7, "Extra Weapon"),
    (1 << 8, "Shells"),
    (1 << 9, "Nails"),
    (1 << 10, "Rockets"),
    (1 << 11, "Cells"),
    (1 << 12, "Axe"),
    (1 << 13, "Green Armor"),
    (1 << 14, "Yellow Armor"),
    (1 << 15, "Red Armor"),
    (1 << 16, "Megahealth"),
    (1 << 17, "Silver Key"),
    (1 << 18, "Gold Key"),
    (1 << 19, "Ring of Shadows"),
    (1 << 20, "Pentagram of Protection"),
    (1 << 21, "Biosuit"),
    (1 << 22, "Quad Damage"),
    (1 << 28, "Rune 1"),
    (1 << 29, "Rune 2"),
    (1 << 30, "Rune 3"),
    (1 << 31, "Rune 4"),
];

/// The items that a player carries in Scourge of Armagon (`hipnotic`); the bits from 23 on are the game's
/// second items field.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Bits(quake::ITEMS_HIPNOTIC).name(1 << 13).unwrap();
/// assert_eq!(name.to_string(), "Green Armor");
/// ```
pub static ITEMS_HIPNOTIC: &[(u64, &str)] = &joined::<_, 27>(&[
    rows(ITEMS, 0, 7),
    &[(1 << 7, "Mjolnir")],
    rows(ITEMS, 8, 16),
    &[(1 << 16, "Proximity Gun")],
    rows(ITEMS, 17, 23),
    &[
        (1 << 23, "Laser Cannon"),
        (1 << 24, "Wetsuit"),
        (1 << 25, "Empathy Shields"),
        (1 << 26, "Horn of Conjuring"),
    ],
]);

/// The items that a player carries in Dissolution of Eternity (`rogue`): the bits of ammunition and axe are
/// one lower than in id's game, those of armor and the new items are above bit 22.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Bits(quake::ITEMS_ROGUE).name(1 << 16).unwrap();
/// assert_eq!(name.to_string(), "Plasma Gun");
/// ```
pub static ITEMS_ROGUE: &[(u64, &str)] = &joined::<_, 32>(&[
    rows(ITEMS, 0, 7),
    &[
        (1 << 7, "Shells"),
        (1 << 8, "Nails"),
        (1 << 9, "Rockets"),
        (1 << 10, "Cells"),
        (1 << 11, "Axe"),
        (1 << 12, "Lava Nailgun"),
        (1 << 13, "Super Lava Nailgun"),
        (1 << 14, "Multi Grenade Launcher"),
        (1 << 15, "Multi Rocket Launcher"),
        (1 << 16, "Plasma Gun"),
    ],
    rows(ITEMS, 17, 23),
    &[
        (1 << 23, "Green Armor"),
        (1 << 24, "Yellow Armor"),
        (1 << 25, "Red Armor"),
        (1 << 26, "Lava Nails"),
        (1 << 27, "Plasma"),
        (1 << 28, "Multi Rockets"),
        (1 << 29, "Power Shield"),
        (1 << 30, "Anti-Grav Belt"),
        (1 << 31, "Megahealth"),
    ],
]);

/// The weapon in hand, in id's own game: the weapon's bit in [`ITEMS`]. The axe is 4096, which is 0 in the
/// byte of `clientdata`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::WEAPON).name(16).unwrap();
/// assert_eq!(name.to_string(), "Grenade Launcher");
/// ```
pub static WEAPON: &[(i64, &str)] = &[
    (0, "Axe"),
    (1, "Shotgun"),
    (2, "Super Shotgun"),
    (4, "Nailgun"),
    (8, "Super Nailgun"),
    (16, "Grenade Launcher"),
    (32, "Rocket Launcher"),
    (64, "Thunderbolt"),
    (128, "Extra Weapon"),
    (4096, "Axe"),
];

/// The weapon in hand in Scourge of Armagon: the number of its bit in [`ITEMS_HIPNOTIC`].
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::WEAPON_HIPNOTIC).name(5).unwrap();
/// assert_eq!(name.to_string(), "Rocket Launcher");
/// ```
pub static WEAPON_HIPNOTIC: &[(i64, &str)] = &[
    (0, "Shotgun"),
    (1, "Super Shotgun"),
    (2, "Nailgun"),
    (3, "Super Nailgun"),
    (4, "Grenade Launcher"),
    (5, "Rocket Launcher"),
    (6, "Thunderbolt"),
    (7, "Mjolnir"),
    (12, "Axe"),
    (16, "Proximity Gun"),
    (23, "Laser Cannon"),
];

/// The weapon in hand in Dissolution of Eternity: the number of its bit in [`ITEMS_ROGUE`].
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::WEAPON_ROGUE).name(6).unwrap();
/// assert_eq!(name.to_string(), "Thunderbolt");
/// ```
pub static WEAPON_ROGUE: &[(i64, &str)] = &[
    (0, "Shotgun"),
    (1, "Super Shotgun"),
    (2, "Nailgun"),
    (3, "Super Nailgun"),
    (4, "Grenade Launcher"),
    (5, "Rocket Launcher"),
    (6, "Thunderbolt"),
    (11, "Axe"),
    (12, "Lava Nailgun"),
    (13, "Super Lava Nailgun"),
    (14, "Multi Grenade Launcher"),
    (15, "Multi Rocket Launcher"),
    (16, "Plasma Gun"),
];

/// The player's stats; those above 14 are additions of later engines.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::STAT).name(14).unwrap();
/// assert_eq!(name.to_string(), "MONSTERS");
/// ```
pub static STAT: &[(i64, &str)] = &[
    (0, "HEALTH"),
    (1, "FRAGS"),
    (2, "WEAPON"),
    (3, "AMMO"),
    (4, "ARMOR"),
    (5, "WEAPONFRAME"),
    (6, "SHELLS"),
    (7, "NAILS"),
    (8, "ROCKETS"),
    (9, "CELLS"),
    (10, "ACTIVEWEAPON"),
    (11, "TOTALSECRETS"),
    (12, "TOTALMONSTERS"),
    (13, "SECRETS"),
    (14, "MONSTERS"),
    (15, "ITEMS"),
    (16, "VIEWHEIGHT"),
    (17, "TIME"),
    (18, "MATCHSTARTTIME"),
    (20, "VIEW2"),
    (21, "VIEWZOOM"),
    (25, "IDEALPITCH"),
    (26, "PUNCHANGLE_X"),
    (27, "PUNCHANGLE_Y"),
    (28, "PUNCHANGLE_Z"),
    (29, "PUNCHVECTOR_X"),
    (30, "PUNCHVECTOR_Y"),
    (31, "PUNCHVECTOR_Z"),
];

/// The lights and glows of an entity.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Bits(quake::EFFECTS).name(4).unwrap();
/// assert_eq!(name.to_string(), "EF_BRIGHTLIGHT");
/// ```
pub static EFFECTS: &[(u64, &str)] = &[
    (1 << 0, "EF_BRIGHTFIELD"),
    (1 << 1, "EF_MUZZLEFLASH"),
    (1 << 2, "EF_BRIGHTLIGHT"),
    (1 << 3, "EF_DIMLIGHT"),
];

/// Kinds of temporary entities. 12 and 13 came with the second mission pack, 14 and 15 are from id's test
/// builds, 16 and 17 from Nehahra, those from 50 on from `DarkPlaces`.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::TEMP_ENTITY).name(50).unwrap();
/// assert_eq!(name.to_string(), "TE_BLOOD");
/// ```
pub static TEMP_ENTITY: &[(i64, &str)] = &[
    (0, "TE_SPIKE"),
    (1, "TE_SUPERSPIKE"),
    (2, "TE_GUNSHOT"),
    (3, "TE_EXPLOSION"),
    (4, "TE_TAREXPLOSION"),
    (5, "TE_LIGHTNING1"),
    (6, "TE_LIGHTNING2"),
    (7, "TE_WIZSPIKE"),
    (8, "TE_KNIGHTSPIKE"),
    (9, "TE_LIGHTNING3"),
    (10, "TE_LAVASPLASH"),
    (11, "TE_TELEPORT"),
    (12, "TE_EXPLOSION2"),
    (13, "TE_BEAM"),
    (14, "TE_IMPLOSION"),
    (15, "TE_RAILTRAIL"),
    (16, "TE_EXPLOSION3"),
    (17, "TE_LIGHTNING4"),
    (50, "TE_BLOOD"),
    (51, "TE_SPARK"),
    (52, "TE_BLOODSHOWER"),
    (53, "TE_EXPLOSIONRGB"),
    (54, "TE_PARTICLECUBE"),
    (55, "TE_PARTICLERAIN"),
    (56, "TE_PARTICLESNOW"),
    (57, "TE_GUNSHOTQUAD"),
    (58, "TE_SPIKEQUAD"),
    (59, "TE_SUPERSPIKEQUAD"),
    (70, "TE_EXPLOSIONQUAD"),
    (72, "TE_SMALLFLASH"),
    (73, "TE_CUSTOMFLASH"),
    (74, "TE_FLAMEJET"),
    (75, "TE_PLASMABURN"),
    (76, "TE_TEI_G3"),
    (77, "TE_TEI_SMOKE"),
    (78, "TE_TEI_BIGEXPLOSION"),
    (79, "TE_TEI_PLASMAHIT"),
];

/// The sound channels of an entity; 5 to 7 are free for modified games.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::SOUND_CHANNEL).name(2).unwrap();
/// assert_eq!(name.to_string(), "CHAN_VOICE");
/// ```
pub static SOUND_CHANNEL: &[(i64, &str)] =
    &[(0, "CHAN_AUTO"), (1, "CHAN_WEAPON"), (2, "CHAN_VOICE"), (3, "CHAN_ITEM"), (4, "CHAN_BODY")];

/// Attenuations: how fast a sound fades with distance.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::ATTENUATION).name(2).unwrap();
/// assert_eq!(name.to_string(), "ATTN_IDLE");
/// ```
pub static ATTENUATION: &[(i64, &str)] =
    &[(0, "ATTN_NONE"), (1, "ATTN_NORM"), (2, "ATTN_IDLE"), (3, "ATTN_STATIC")];

/// [`ATTENUATION`] by the byte on the wire, which counts 64ths.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::ATTENUATION_RAW).name(128).unwrap();
/// assert_eq!(name.to_string(), "ATTN_IDLE");
/// ```
pub static ATTENUATION_RAW: &[(i64, &str)] =
    &[(0, "ATTN_NONE"), (64, "ATTN_NORM"), (128, "ATTN_IDLE"), (192, "ATTN_STATIC")];

/// The uses of the light styles; Quake II has the same numbers.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Range(quake::LIGHT_STYLE).name(7).unwrap();
/// assert_eq!(name.to_string(), "candle 2");
/// ```
pub static LIGHT_STYLE: &[(i64, i64, &str)] = &[
    (0, 0, "normal"),
    (1, 1, "flicker"),
    (2, 2, "slow strong pulse"),
    (3, 3, "candle"),
    (4, 4, "fast strobe"),
    (5, 5, "gentle pulse"),
    (6, 6, "flicker 2"),
    (7, 7, "candle 2"),
    (8, 8, "candle 3"),
    (9, 9, "slow strobe"),
    (10, 10, "fluorescent flicker"),
    (11, 11, "slow pulse, never black"),
    (12, 12, "underwater"),
    (32, 62, "switched lamp"),
    (63, 63, "testing"),
];

/// Shirt and pants colors; each is a ramp of the palette.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Value(quake::PLAYER_COLOR).name(8).unwrap();
/// assert_eq!(name.to_string(), "purple");
/// ```
pub static PLAYER_COLOR: &[(i64, &str)] = &[
    (0, "white"),
    (1, "brown"),
    (2, "light blue"),
    (3, "green"),
    (4, "red"),
    (5, "ochre"),
    (6, "gold"),
    (7, "tan"),
    (8, "purple"),
    (9, "pink"),
    (10, "beige"),
    (11, "gray green"),
    (12, "yellow"),
    (13, "blue"),
    (14, "fire"),
    (15, "bright"),
];

/// Particle colors: the palette's ramps, with names for the colors of particles in id's game.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Range(quake::PARTICLE_COLOR).name(128).unwrap();
/// assert_eq!(name.to_string(), "purple");
/// ```
pub static PARTICLE_COLOR: &[(i64, i64, &str)] = &[
    (0, 0, "chunk"),
    (1, 15, "gray"),
    (16, 31, "brown"),
    (32, 47, "light blue"),
    (48, 63, "olive"),
    (64, 72, "dark red"),
    (73, 73, "blood"),
    (74, 74, "dark red"),
    (75, 75, "barrel"),
    (76, 79, "dark red"),
    (80, 95, "ochre"),
    (96, 111, "gold"),
    (112, 127, "tan"),
    (128, 143, "purple"),
    (144, 159, "pink"),
    (160, 175, "beige"),
    (176, 191, "gray green"),
    (192, 207, "yellow"),
    (208, 223, "blue"),
    (224, 224, "fire"),
    (225, 225, "thunderbolt"),
    (226, 239, "fire"),
    (240, 243, "bright gold"),
    (244, 246, "bright blue"),
    (247, 251, "bright red"),
    (252, 254, "bright white"),
    (255, 255, "transparent"),
];

/// The palette in plain words: fourteen ramps from dark to light or back, the fire ramp, and
/// sixteen colors that shine in the dark.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Range(quake::PALETTE).name(160).unwrap();
/// assert_eq!(name.to_string(), "beige");
/// ```
pub static PALETTE: &[(i64, i64, &str)] = &[
    (0, 15, "gray"),
    (16, 31, "brown"),
    (32, 47, "light blue"),
    (48, 63, "olive"),
    (64, 79, "dark red"),
    (80, 95, "ochre"),
    (96, 111, "gold"),
    (112, 127, "tan"),
    (128, 143, "purple"),
    (144, 159, "pink"),
    (160, 175, "beige"),
    (176, 191, "gray green"),
    (192, 207, "yellow"),
    (208, 223, "blue"),
    (224, 239, "fire"),
    (240, 243, "bright gold"),
    (244, 246, "bright blue"),
    (247, 251, "bright red"),
    (252, 254, "bright white"),
    (255, 255, "transparent"),
];

/// Frames of the player's model, `progs/player.mdl`; those that begin with `ax` hold the axe.
///
/// ```
/// use moviola_format::names::{Meaning, quake};
/// let name = Meaning::Range(quake::PLAYER_FRAME).name(61).unwrap();
/// assert_eq!(name.to_string(), "death2");
/// ```
pub static PLAYER_FRAME: &[(i64, i64, &str)] = &[
    (0, 5, "axrun"),
    (6, 11, "run"),
    (12, 16, "stand"),
    (17, 28, "axstand"),
    (29, 34, "axpain"),
    (35, 40, "pain"),
    (41, 49, "axdeath"),
    (50, 60, "death1"),
    (61, 69, "death2"),
    (70, 84, "death3"),
    (85, 93, "death4"),
    (94, 102, "death5"),
    (103, 104, "attack nailgun"),
    (105, 106, "attack thunderbolt"),
    (107, 112, "attack rocket"),
    (113, 118, "attack shotgun"),
    (119, 142, "attack axe"),
];
