//! Quake II: effects, temporary entities, movement, sounds, colors.
//!
//! Things that players know by name carry that name; things that only the engine knows carry the engine's
//! constant. Stats and config strings carry LMPC's words.

mod config;
mod flash;
mod wire;

use super::Name;
use super::parts::{joined, rows};
pub use super::quake::{ATTENUATION, ATTENUATION_RAW, LIGHT_STYLE, SOUND_CHANNEL};
pub use config::{
    CONFIG, CS_CDTRACK, CS_GENERAL, CS_IMAGES, CS_ITEMS, CS_LIGHTS, CS_MAXCLIENTS, CS_MODELS, CS_NAME,
    CS_PLAYERSKINS, CS_SOUNDS, CS_STATUSBAR, FLASHES, INVENTORY, LAYOUTS, MAX_CONFIGSTRINGS,
    MAX_CONFIGSTRINGS_Q2PRO, SPECTATOR, STAT, STAT_CTF, config_role, id_config, off_word, q2pro_config,
    q2pro_part, q2pro_role, stat_meaning,
};
pub use flash::{MUZZLEFLASH, MUZZLEFLASH2};
pub use wire::{
    CLIENT, DELTA_FRAME, DOWNLOAD_SIZE, MVD2_FLAGS, PROTOCOL, RECORD, RECORD_CLIENT, RECORD_NETWORK,
    RECORD_RELAY, RECORD_SERVER, STEAM_ID,
};

/// Kinds of temporary entities from protocol 32 (game 3.15) on; for earlier ones see [`TEMP_ENTITY_OLD`]. No
/// client of id reads 31 and 32.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::TEMP_ENTITY).name(28).unwrap();
/// assert_eq!(name.to_string(), "TE_PLASMA_EXPLOSION");
/// ```
pub static TEMP_ENTITY: &[(i64, &str)] = &[
    (0, "TE_GUNSHOT"),
    (1, "TE_BLOOD"),
    (2, "TE_BLASTER"),
    (3, "TE_RAILTRAIL"),
    (4, "TE_SHOTGUN"),
    (5, "TE_EXPLOSION1"),
    (6, "TE_EXPLOSION2"),
    (7, "TE_ROCKET_EXPLOSION"),
    (8, "TE_GRENADE_EXPLOSION"),
    (9, "TE_SPARKS"),
    (10, "TE_SPLASH"),
    (11, "TE_BUBBLETRAIL"),
    (12, "TE_SCREEN_SPARKS"),
    (13, "TE_SHIELD_SPARKS"),
    (14, "TE_BULLET_SPARKS"),
    (15, "TE_LASER_SPARKS"),
    (16, "TE_PARASITE_ATTACK"),
    (17, "TE_ROCKET_EXPLOSION_WATER"),
    (18, "TE_GRENADE_EXPLOSION_WATER"),
    (19, "TE_MEDIC_CABLE_ATTACK"),
    (20, "TE_BFG_EXPLOSION"),
    (21, "TE_BFG_BIGEXPLOSION"),
    (22, "TE_BOSSTPORT"),
    (23, "TE_BFG_LASER"),
    (24, "TE_GRAPPLE_CABLE"),
    (25, "TE_WELDING_SPARKS"),
    (26, "TE_GREENBLOOD"),
    (27, "TE_BLUEHYPERBLASTER"),
    (28, "TE_PLASMA_EXPLOSION"),
    (29, "TE_TUNNEL_SPARKS"),
    (30, "TE_BLASTER2"),
    (31, "TE_RAILTRAIL2"),
    (32, "TE_FLAME"),
    (33, "TE_LIGHTNING"),
    (34, "TE_DEBUGTRAIL"),
    (35, "TE_PLAIN_EXPLOSION"),
    (36, "TE_FLASHLIGHT"),
    (37, "TE_FORCEWALL"),
    (38, "TE_HEATBEAM"),
    (39, "TE_MONSTER_HEATBEAM"),
    (40, "TE_STEAM"),
    (41, "TE_BUBBLETRAIL2"),
    (42, "TE_MOREBLOOD"),
    (43, "TE_HEATBEAM_SPARKS"),
    (44, "TE_HEATBEAM_STEAM"),
    (45, "TE_CHAINFIST_SMOKE"),
    (46, "TE_ELECTRIC_SPARKS"),
    (47, "TE_TRACKER_EXPLOSION"),
    (48, "TE_TELEPORT_EFFECT"),
    (49, "TE_DBALL_GOAL"),
    (50, "TE_WIDOWBEAMOUT"),
    (51, "TE_NUKEBLAST"),
    (52, "TE_WIDOWSPLASH"),
    (53, "TE_EXPLOSION1_BIG"),
    (54, "TE_EXPLOSION1_NP"),
    (55, "TE_FLECHETTE"),
];

/// Kinds of temporary entities that only Q2PRO's extended limits add: those of the re-release, and the points of damage
/// that the player dealt.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::TEMP_ENTITY_Q2PRO).name(128).unwrap();
/// assert_eq!(name.to_string(), "TE_DAMAGE_DEALT");
/// ```
pub static TEMP_ENTITY_Q2PRO: &[(i64, &str)] = &[
    (56, "TE_BLUEHYPERBLASTER_2"),
    (57, "TE_BFG_ZAP"),
    (58, "TE_BERSERK_SLAM"),
    (59, "TE_GRAPPLE_CABLE_2"),
    (60, "TE_POWER_SPLASH"),
    (61, "TE_LIGHTNING_BEAM"),
    (62, "TE_EXPLOSION1_NL"),
    (63, "TE_EXPLOSION2_NL"),
    (128, "TE_DAMAGE_DEALT"),
];

/// Kinds of temporary entities before protocol 32, where 26 and 27 have other meanings and other fields.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::TEMP_ENTITY_OLD).name(14).unwrap();
/// assert_eq!(name.to_string(), "TE_BULLET_SPARKS");
/// ```
pub static TEMP_ENTITY_OLD: &[(i64, &str)] =
    &joined::<_, 28>(&[rows(TEMP_ENTITY, 0, 26), &[(26, "TE_PLASMATRAIL"), (27, "TE_GREENBLOOD")]]);

/// The model number of the player's own model, which the config string of the player's skin names.
///
/// ```
/// use moviola_format::{Meaning, names::quake2};
/// let name = Meaning::Value(quake2::MODEL_SPECIAL).name(quake2::PLAYERS_MODEL).unwrap();
/// assert_eq!(name.to_string(), "player's own");
/// ```
pub const PLAYERS_MODEL: i64 = 255;

/// The meaning of an entity's packed size: 5 bits to the sides, 5 down and 6 up, in eights, up less 32; or
/// the entity's model is a part of the level.
///
/// ```
/// use moviola_format::names::quake2::solid;
/// assert_eq!(solid(31).unwrap().to_string(), "brush model");
/// assert_eq!(solid(0x2062).unwrap().to_string(), "box: 16 around, 24 below, 32 above");
/// assert_eq!(solid(0), None);
/// ```
pub fn solid(value: i64) -> Option<Name> {
    let bits = value & 0xFFFF;
    match bits {
        0 => None,
        31 => Some(Name::Word("brush model")),
        _ => Some(Name::Box {
            around: 8 * (bits & 31) as u8,
            below: 8 * (bits >> 5 & 31) as u8,
            above: 8 * (bits >> 10 & 63) as i16 - 32,
        }),
    }
}

/// The substance of a splash: the last field of a `TE_SPLASH`.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::SPLASH).name(3).unwrap();
/// assert_eq!(name.to_string(), "SPLASH_BROWN_WATER");
/// ```
pub static SPLASH: &[(i64, &str)] = &[
    (0, "SPLASH_UNKNOWN"),
    (1, "SPLASH_SPARKS"),
    (2, "SPLASH_BLUE_WATER"),
    (3, "SPLASH_BROWN_WATER"),
    (4, "SPLASH_SLIME"),
    (5, "SPLASH_LAVA"),
    (6, "SPLASH_BLOOD"),
];

/// The two places from which a dying widow beams out: the type of a `TE_WIDOWBEAMOUT`.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::WIDOW_BEAM).name(20_002).unwrap();
/// assert_eq!(name.to_string(), "second beam");
/// ```
pub static WIDOW_BEAM: &[(i64, &str)] = &[(20_001, "first beam"), (20_002, "second beam")];

/// The continuous effects of an entity: light, trail, animation.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Bits(quake2::EFFECTS).name(1 << 16).unwrap();
/// assert_eq!(name.to_string(), "EF_PENT");
/// ```
pub static EFFECTS: &[(u64, &str)] = &[
    (1 << 0, "EF_ROTATE"),
    (1 << 1, "EF_GIB"),
    (1 << 3, "EF_BLASTER"),
    (1 << 4, "EF_ROCKET"),
    (1 << 5, "EF_GRENADE"),
    (1 << 6, "EF_HYPERBLASTER"),
    (1 << 7, "EF_BFG"),
    (1 << 8, "EF_COLOR_SHELL"),
    (1 << 9, "EF_POWERSCREEN"),
    (1 << 10, "EF_ANIM01"),
    (1 << 11, "EF_ANIM23"),
    (1 << 12, "EF_ANIM_ALL"),
    (1 << 13, "EF_ANIM_ALLFAST"),
    (1 << 14, "EF_FLIES"),
    (1 << 15, "EF_QUAD"),
    (1 << 16, "EF_PENT"),
    (1 << 17, "EF_TELEPORTER"),
    (1 << 18, "EF_FLAG1"),
    (1 << 19, "EF_FLAG2"),
    (1 << 20, "EF_IONRIPPER"),
    (1 << 21, "EF_GREENGIB"),
    (1 << 22, "EF_BLUEHYPERBLASTER"),
    (1 << 23, "EF_SPINNINGLIGHTS"),
    (1 << 24, "EF_PLASMA"),
    (1 << 25, "EF_TRAP"),
    (1 << 26, "EF_TRACKER"),
    (1 << 27, "EF_DOUBLE"),
    (1 << 28, "EF_SPHERETRANS"),
    (1 << 29, "EF_TAGTRAIL"),
    (1 << 30, "EF_HALF_DAMAGE"),
    (1 << 31, "EF_TRACKERTRAIL"),
];

/// The flags of an entity's drawing; 13 and 14 are unused.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Bits(quake2::RENDERFX).name(1 << 8).unwrap();
/// assert_eq!(name.to_string(), "RF_CUSTOMSKIN");
/// ```
pub static RENDERFX: &[(u64, &str)] = &[
    (1 << 0, "RF_MINLIGHT"),
    (1 << 1, "RF_VIEWERMODEL"),
    (1 << 2, "RF_WEAPONMODEL"),
    (1 << 3, "RF_FULLBRIGHT"),
    (1 << 4, "RF_DEPTHHACK"),
    (1 << 5, "RF_TRANSLUCENT"),
    (1 << 6, "RF_FRAMELERP"),
    (1 << 7, "RF_BEAM"),
    (1 << 8, "RF_CUSTOMSKIN"),
    (1 << 9, "RF_GLOW"),
    (1 << 10, "RF_SHELL_RED"),
    (1 << 11, "RF_SHELL_GREEN"),
    (1 << 12, "RF_SHELL_BLUE"),
    (1 << 15, "RF_IR_VISIBLE"),
    (1 << 16, "RF_SHELL_DOUBLE"),
    (1 << 17, "RF_SHELL_HALF_DAM"),
    (1 << 18, "RF_USE_DISGUISE"),
];

/// The event of an entity in one frame.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::EVENT).name(4).unwrap();
/// assert_eq!(name.to_string(), "EV_FALL");
/// ```
pub static EVENT: &[(i64, &str)] = &[
    (0, "EV_NONE"),
    (1, "EV_ITEM_RESPAWN"),
    (2, "EV_FOOTSTEP"),
    (3, "EV_FALLSHORT"),
    (4, "EV_FALL"),
    (5, "EV_FALLFAR"),
    (6, "EV_PLAYER_TELEPORT"),
    (7, "EV_OTHER_TELEPORT"),
];

/// The kinds of a player's movement. The last is also used for the end of a level and for a chase camera.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::PM_TYPE).name(2).unwrap();
/// assert_eq!(name.to_string(), "PM_DEAD");
/// ```
pub static PM_TYPE: &[(i64, &str)] =
    &[(0, "PM_NORMAL"), (1, "PM_SPECTATOR"), (2, "PM_DEAD"), (3, "PM_GIB"), (4, "PM_FREEZE")];

/// The states of the player's movement; `pm_time` counts the duration of the three `TIME` ones.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Bits(quake2::PM_FLAGS).name(8).unwrap();
/// assert_eq!(name.to_string(), "PMF_TIME_WATERJUMP");
/// ```
pub static PM_FLAGS: &[(u64, &str)] = &[
    (1 << 0, "PMF_DUCKED"),
    (1 << 1, "PMF_JUMP_HELD"),
    (1 << 2, "PMF_ON_GROUND"),
    (1 << 3, "PMF_TIME_WATERJUMP"),
    (1 << 4, "PMF_TIME_LAND"),
    (1 << 5, "PMF_TIME_TELEPORT"),
    (1 << 6, "PMF_NO_PREDICTION"),
];

/// The flags of the view's drawing.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Bits(quake2::RDFLAGS).name(4).unwrap();
/// assert_eq!(name.to_string(), "RDF_IRGOGGLES");
/// ```
pub static RDFLAGS: &[(u64, &str)] = &[
    (1 << 0, "RDF_UNDERWATER"),
    (1 << 1, "RDF_NOWORLDMODEL"),
    (1 << 2, "RDF_IRGOGGLES"),
    (1 << 3, "RDF_UVGOGGLES"),
];

/// The parts of the color that fills the screen.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::BLEND).name(2).unwrap();
/// assert_eq!(name.to_string(), "blue");
/// ```
pub static BLEND: &[(i64, &str)] = &[(0, "red"), (1, "green"), (2, "blue"), (3, "alpha")];

/// The priority of a print.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::PRINT_LEVEL).name(2).unwrap();
/// assert_eq!(name.to_string(), "PRINT_HIGH");
/// ```
pub static PRINT_LEVEL: &[(i64, &str)] =
    &[(0, "PRINT_LOW"), (1, "PRINT_MEDIUM"), (2, "PRINT_HIGH"), (3, "PRINT_CHAT")];

/// The collision of an entity with a moving player. Other numbers pack a box: five bits of half width and
/// five of depth in eights, then the height in eights from 32 below the origin.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::SOLID).name(4194).unwrap();
/// assert_eq!(name.to_string(), "crouching player");
/// ```
pub static SOLID: &[(i64, &str)] =
    &[(0, "none"), (31, "brush model"), (4194, "crouching player"), (8290, "standing player")];

/// Model numbers that are not an index: a player's model comes from the config string of the player's skin.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Value(quake2::MODEL_SPECIAL).name(255).unwrap();
/// assert_eq!(name.to_string(), "player's own");
/// ```
pub static MODEL_SPECIAL: &[(i64, &str)] = &[(0, "none"), (255, "player's own")];

/// Frames of the player's model.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Range(quake2::PLAYER_FRAME).name(95).unwrap();
/// assert_eq!(name.to_string(), "taunt");
/// ```
pub static PLAYER_FRAME: &[(i64, i64, &str)] = &[
    (0, 39, "stand"),
    (40, 45, "run"),
    (46, 53, "attack"),
    (54, 65, "pain"),
    (66, 71, "jump"),
    (72, 83, "flip"),
    (84, 94, "salute"),
    (95, 111, "taunt"),
    (112, 122, "wave"),
    (123, 134, "point"),
    (135, 172, "crouch"),
    (173, 177, "crouch death"),
    (178, 183, "death1"),
    (184, 189, "death2"),
    (190, 197, "death3"),
];

/// The palette in plain words: ramps of eight or sixteen colors, mostly from light to dark.
///
/// ```
/// use moviola_format::names::{Meaning, quake2};
/// let name = Meaning::Range(quake2::PALETTE).name(176).unwrap();
/// assert_eq!(name.to_string(), "violet");
/// ```
pub static PALETTE: &[(i64, i64, &str)] = &[
    (0, 15, "gray"),
    (16, 31, "brown"),
    (32, 47, "warm gray"),
    (48, 55, "tan"),
    (56, 63, "amber"),
    (64, 79, "red"),
    (80, 95, "brown"),
    (96, 103, "rust"),
    (104, 107, "pink"),
    (108, 111, "pale blue"),
    (112, 127, "steel blue"),
    (128, 143, "dull red"),
    (144, 159, "gray green"),
    (160, 175, "brick red"),
    (176, 191, "violet"),
    (192, 207, "olive"),
    (208, 214, "bright green"),
    (215, 215, "white"),
    (216, 223, "yellow"),
    (224, 231, "orange"),
    (232, 239, "blood red"),
    (240, 240, "bright red"),
    (241, 241, "bright blue"),
    (242, 242, "bright red"),
    (243, 243, "bright blue"),
    (244, 246, "dark gray"),
    (247, 250, "copper"),
    (251, 254, "beige"),
    (255, 255, "transparent"),
];
