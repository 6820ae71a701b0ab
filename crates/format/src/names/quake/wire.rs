//! Quake: flag words, protocol numbers, and the small codes of single messages.
//!
//! A bit that announces a field bears the field's keyword in the text; a bit that announces only
//! the high byte of a field (protocol 666) bears it with `_high`.

/// Protocol numbers, and the two marks that may stand before one.
pub const PROTOCOL: &[(i64, &str)] = &[
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

/// What protocol 999 announces behind its number: kinds of angles and coordinates.
pub const PROTOCOL_FLAGS: &[(u64, &str)] = &[
    (1 << 1, "PRFL_SHORTANGLE"),
    (1 << 2, "PRFL_FLOATANGLE"),
    (1 << 3, "PRFL_24BITCOORD"),
    (1 << 4, "PRFL_FLOATCOORD"),
    (1 << 5, "PRFL_EDICTSCALE"),
    (1 << 6, "PRFL_ALPHASANITY"),
    (1 << 7, "PRFL_INT32COORD"),
    (1 << 31, "PRFL_MOREFLAGS"),
];

/// Which fields an `updateentity` carries. `new` asks not to blend movement; bits from 15 on are
/// of protocol 666 and its descendants.
pub const UPDATE_BITS: &[(u64, &str)] = &[
    (1 << 0, "morebits"),
    (1 << 1, "origin_x"),
    (1 << 2, "origin_y"),
    (1 << 3, "origin_z"),
    (1 << 4, "angles_2"),
    (1 << 5, "new"),
    (1 << 6, "frame"),
    (1 << 7, "signal"),
    (1 << 8, "angles_1"),
    (1 << 9, "angles_3"),
    (1 << 10, "modelindex"),
    (1 << 11, "colormap"),
    (1 << 12, "skin"),
    (1 << 13, "effects"),
    (1 << 14, "longentity"),
    (1 << 15, "extend1"),
    (1 << 16, "alpha"),
    (1 << 17, "frame_high"),
    (1 << 18, "modelindex_high"),
    (1 << 19, "lerpfinish"),
    (1 << 20, "scale"),
    (1 << 23, "extend2"),
];

/// Which fields a `clientdata` carries. `punchangle_x` is the pitch the server would like, the
/// three `angles` are the kick of the view; bits from 15 on are of protocol 666 and its
/// descendants.
pub const CLIENTDATA_BITS: &[(u64, &str)] = &[
    (1 << 0, "view_ofs_z"),
    (1 << 1, "punchangle_x"),
    (1 << 2, "angles_1"),
    (1 << 3, "angles_2"),
    (1 << 4, "angles_3"),
    (1 << 5, "vel_x"),
    (1 << 6, "vel_y"),
    (1 << 7, "vel_z"),
    (1 << 8, "aiment"),
    (1 << 9, "items"),
    (1 << 10, "onground"),
    (1 << 11, "inwater"),
    (1 << 12, "weaponframe"),
    (1 << 13, "armorvalue"),
    (1 << 14, "weaponmodel"),
    (1 << 15, "extend1"),
    (1 << 16, "weaponmodel_high"),
    (1 << 17, "armorvalue_high"),
    (1 << 18, "currentammo_high"),
    (1 << 19, "ammo_shells_high"),
    (1 << 20, "ammo_nails_high"),
    (1 << 21, "ammo_rockets_high"),
    (1 << 22, "ammo_cells_high"),
    (1 << 23, "extend2"),
    (1 << 24, "weaponframe_high"),
    (1 << 25, "weaponalpha"),
    (1 << 31, "extend3"),
];

/// Which fields a `sound` carries. `looping` never has data; the two `large` ones are of
/// protocol 666 and its descendants.
pub const SOUND_BITS: &[(u64, &str)] = &[
    (1 << 0, "vol"),
    (1 << 1, "attenuation"),
    (1 << 2, "looping"),
    (1 << 3, "largeentity"),
    (1 << 4, "largesound"),
];

/// Which fields of a protocol 666 baseline are wide, and which it has at all.
pub const BASELINE_BITS: &[(u64, &str)] =
    &[(1 << 0, "largemodel"), (1 << 1, "largeframe"), (1 << 2, "alpha"), (1 << 3, "scale")];

/// Transparency in protocol 666 and its descendants; between the last two it rises evenly.
pub const ALPHA: &[(i64, &str)] = &[(0, "default"), (1, "invisible"), (255, "opaque")];

/// Steps of joining a level: each is what the client answers with, the last one what it becomes
/// with the first entity it is shown.
pub const SIGNON: &[(i64, &str)] = &[(1, "prespawn"), (2, "spawn"), (3, "begin"), (4, "playing")];

/// The game type in `serverinfo`; it picks the screen at a level's end.
pub const GAME_TYPE: &[(i64, &str)] = &[(0, "single or coop"), (1, "deathmatch")];

/// What `setpause` switches to.
pub const PAUSE: &[(i64, &str)] = &[(0, "off"), (1, "on")];

/// Particle counts with a meaning of their own: the greatest stands for a whole explosion.
pub const PARTICLE_COUNT: &[(i64, &str)] = &[(255, "explosion, 1024")];

/// What the first byte of a print does to the rest, when it is one of these.
pub const PRINT_MARK: &[(i64, &str)] = &[(1, "chat sound, coloured"), (2, "coloured")];
