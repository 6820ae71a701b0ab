//! Quake II: flag words, protocol numbers, and the small codes of single messages.
//!
//! A bit that announces a field bears the field's keyword in the text; a bit that announces the
//! wide form bears it with `16`. Both forms of skin, effects or renderfx together mean 32 bits.

/// Protocol numbers and the games that speak them.
pub const PROTOCOL: &[(i64, &str)] = &[
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

/// Which fields an entity carries in `spawnbaseline` and `packetentities`; `longentity` makes its
/// number two bytes long.
pub const ENTITY_BITS: &[(u64, &str)] = &[
    (1 << 0, "origin_x"),
    (1 << 1, "origin_y"),
    (1 << 2, "angles_2"),
    (1 << 3, "angles_3"),
    (1 << 4, "frame"),
    (1 << 5, "event"),
    (1 << 6, "remove"),
    (1 << 7, "morebits1"),
    (1 << 8, "longentity"),
    (1 << 9, "origin_z"),
    (1 << 10, "angles_1"),
    (1 << 11, "modelindex"),
    (1 << 12, "renderfx"),
    (1 << 14, "effects"),
    (1 << 15, "morebits2"),
    (1 << 16, "skin"),
    (1 << 17, "frame16"),
    (1 << 18, "renderfx16"),
    (1 << 19, "effects16"),
    (1 << 20, "modelindex2"),
    (1 << 21, "modelindex3"),
    (1 << 22, "modelindex4"),
    (1 << 23, "morebits3"),
    (1 << 24, "old_origin"),
    (1 << 25, "skin16"),
    (1 << 26, "sound"),
    (1 << 27, "solid"),
];

/// Which fields a `playerinfo` carries; with `gunframe` go `gunoffset` and `gunangles`.
pub const PLAYERINFO_BITS: &[(u64, &str)] = &[
    (1 << 0, "pm_type"),
    (1 << 1, "origin"),
    (1 << 2, "velocity"),
    (1 << 3, "pm_time"),
    (1 << 4, "pm_flags"),
    (1 << 5, "gravity"),
    (1 << 6, "delta_angles"),
    (1 << 7, "viewoffset"),
    (1 << 8, "viewangles"),
    (1 << 9, "kick_angles"),
    (1 << 10, "blend"),
    (1 << 11, "fov"),
    (1 << 12, "gunindex"),
    (1 << 13, "gunframe"),
    (1 << 14, "rdflags"),
];

/// Which fields a `sound` carries; with `entity` goes `channel`.
pub const SOUND_BITS: &[(u64, &str)] =
    &[(1 << 0, "vol"), (1 << 1, "attenuation"), (1 << 2, "origin"), (1 << 3, "entity"), (1 << 4, "timeofs")];

/// The kind of recording: `isdemo` in `serverdata`.
pub const RECORD: &[(i64, &str)] =
    &[(0, "RECORD_NETWORK"), (1, "RECORD_CLIENT"), (2, "RECORD_SERVER"), (128, "RECORD_RELAY")];

/// Numbers of the recording player that are no player: a server's recording, or a film.
pub const CLIENT: &[(i64, &str)] = &[(-1, "no player")];

/// The frame that a frame is told by difference from, where there is none.
pub const DELTA_FRAME: &[(i64, &str)] = &[(-1, "full frame")];

/// The size of a download that has no data.
pub const DOWNLOAD_SIZE: &[(i64, &str)] = &[(-1, "not found")];

/// The number of a `TE_STEAM` that does not last, and so sends no duration.
pub const STEAM_ID: &[(i64, &str)] = &[(-1, "once")];
