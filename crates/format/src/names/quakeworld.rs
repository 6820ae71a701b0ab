//! QuakeWorld: protocols, extensions, levels of prints, kinds of temporary entities and of hidden messages.

/// Protocol numbers.
///
/// ```
/// use moviola_format::names::{Meaning, quakeworld};
/// let name = Meaning::Value(quakeworld::PROTOCOL).name(26).unwrap();
/// assert_eq!(name.to_string(), "QuakeWorld 2.20");
/// ```
pub static PROTOCOL: &[(i64, &str)] = &[
    (24, "QuakeWorld 1.64"),
    (25, "QuakeWorld 2.00"),
    (26, "QuakeWorld 2.20"),
    (27, "QuakeWorld 2.29"),
    (28, "QuakeWorld 2.30"),
];

/// The words that announce extensions, each followed by 32 flags.
///
/// ```
/// use moviola_format::names::{Meaning, quakeworld};
/// let name = Meaning::Value(quakeworld::EXTENSION).name(0x3144_564D).unwrap();
/// assert_eq!(name.to_string(), "MVD1");
/// ```
pub static EXTENSION: &[(i64, &str)] = &[(0x3144_564D, "MVD1"), (0x3245_5446, "FTE2"), (0x5845_5446, "FTEX")];

/// The beginning of the console command with the whole server info, up to the info, which ends with another quotation
/// mark.
///
/// ```
/// use moviola_format::names::quakeworld::WHOLE_INFO;
/// let command = b"fullserverinfo \"\\map\\dm4\"\n";
/// assert_eq!(command.strip_prefix(WHOLE_INFO), Some(&b"\\map\\dm4\"\n"[..]));
/// ```
pub const WHOLE_INFO: &[u8] = b"fullserverinfo \"";

/// FTE's extensions (`PEXT_`).
///
/// ```
/// use moviola_format::names::{Meaning, quakeworld};
/// let name = Meaning::Bits(quakeworld::FTE).name(0x8008).unwrap();
/// assert_eq!(name.to_string(), "TRANS | FLOATCOORDS");
/// ```
pub static FTE: &[(u64, &str)] = &[
    (0x1, "SETVIEW"),
    (0x2, "SCALE"),
    (0x4, "LIGHTSTYLECOL"),
    (0x8, "TRANS"),
    (0x10, "VIEW2"),
    (0x40, "ACCURATETIMINGS"),
    (0x80, "SOUNDDBL"),
    (0x100, "FATNESS"),
    (0x200, "HLBSP"),
    (0x400, "TE_BULLET"),
    (0x800, "HULLSIZE"),
    (0x1000, "MODELDBL"),
    (0x2000, "ENTITYDBL"),
    (0x4000, "ENTITYDBL2"),
    (0x8000, "FLOATCOORDS"),
    (0x2_0000, "Q2BSP"),
    (0x4_0000, "Q3BSP"),
    (0x8_0000, "COLOURMOD"),
    (0x10_0000, "SPLITSCREEN"),
    (0x20_0000, "HEXEN2"),
    (0x40_0000, "SPAWNSTATIC2"),
    (0x80_0000, "CUSTOMTEMPEFFECTS"),
    (0x100_0000, "256PACKETENTITIES"),
    (0x400_0000, "SHOWPIC"),
    (0x800_0000, "SETATTACHMENT"),
    (0x2000_0000, "CHUNKEDDOWNLOADS"),
    (0x4000_0000, "CSQC"),
    (0x8000_0000, "DPFLAGS"),
];

/// The second word of FTE's extensions (`PEXT2_`).
///
/// ```
/// use moviola_format::names::{Meaning, quakeworld};
/// let name = Meaning::Bits(quakeworld::FTE2).name(2).unwrap();
/// assert_eq!(name.to_string(), "VOICECHAT");
/// ```
pub static FTE2: &[(u64, &str)] = &[
    (0x1, "PRYDONCURSOR"),
    (0x2, "VOICECHAT"),
    (0x4, "SETANGLEDELTA"),
    (0x8, "REPLACEMENTDELTAS"),
    (0x10, "MAXPLAYERS"),
    (0x20, "PREDINFO"),
    (0x40, "NEWSIZEENCODING"),
    (0x80, "INFOBLOBS"),
];

/// MVDSV's extensions (`MVD_PEXT1_`).
///
/// ```
/// use moviola_format::names::{Meaning, quakeworld};
/// let name = Meaning::Bits(quakeworld::MVD1).name(0x20).unwrap();
/// assert_eq!(name.to_string(), "HIDDEN_MESSAGES");
/// ```
pub static MVD1: &[(u64, &str)] = &[
    (0x1, "FLOATCOORDS"),
    (0x2, "HIGHLAGTELEPORT"),
    (0x4, "SERVERSIDEWEAPON"),
    (0x8, "DEBUG_WEAPON"),
    (0x10, "DEBUG_ANTILAG"),
    (0x20, "HIDDEN_MESSAGES"),
    (0x40, "SERVERSIDEWEAPON2"),
    (0x80, "WEAPONPREDICTION"),
    (0x100, "SIMPLEPROJECTILE"),
];

/// The importance of a printed text.
///
/// ```
/// use moviola_format::names::{Meaning, quakeworld};
/// let name = Meaning::Value(quakeworld::PRINT_LEVEL).name(3).unwrap();
/// assert_eq!(name.to_string(), "chat");
/// ```
pub static PRINT_LEVEL: &[(i64, &str)] = &[(0, "low"), (1, "medium"), (2, "high"), (3, "chat")];

/// Kinds of temporary entities.
///
/// ```
/// use moviola_format::names::{Meaning, quakeworld};
/// let name = Meaning::Value(quakeworld::TEMP_ENTITY).name(12).unwrap();
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
    (12, "TE_BLOOD"),
    (13, "TE_LIGHTNINGBLOOD"),
];
