//! The playerinfo message (M2 3.18, wire C5).

use crate::{Message, Wire};

/// The data that bit 13 announces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gun {
    /// Frame of the weapon's model.
    pub frame: u8,
    /// In quarters of a unit.
    pub offset: [i8; 3],
    /// In quarters of a degree.
    pub angles: [i8; 3],
}

/// The arguments of [`playerinfo`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Player {
    /// Bit 0.
    pub pm_type: Option<u8>,
    /// Bit 1.
    pub origin: Option<[f32; 3]>,
    /// Bit 2.
    pub velocity: Option<[f32; 3]>,
    /// Bit 3.
    pub pm_time: Option<u8>,
    /// Bit 4.
    pub pm_flags: Option<u8>,
    /// Bit 5.
    pub gravity: Option<i16>,
    /// Bit 6, degrees.
    pub delta_angles: Option<[f32; 3]>,
    /// Bit 7, in quarters of a unit.
    pub view_offset: Option<[i8; 3]>,
    /// Bit 8, degrees.
    pub view_angles: Option<[f32; 3]>,
    /// Bit 9, in quarters of a degree.
    pub kick_angles: Option<[i8; 3]>,
    /// Bit 12.
    pub gun_index: Option<u8>,
    /// Bit 13.
    pub gun: Option<Gun>,
    /// Bit 10, red, green, blue and opacity in 1/255.
    pub blend: Option<[u8; 4]>,
    /// Bit 11, degrees.
    pub fov: Option<u8>,
    /// Bit 14.
    pub rdflags: Option<u8>,
    /// The stats, each 0 to 31 with its value, ascending.
    pub stats: Vec<(u8, i16)>,
    /// Additional mask bits; only bit 15 has no data.
    pub bits: u16,
}

/// Id 0x11: the state of the recorder. Fields 12 and 13 come before 10 and 11; one mask is at the
/// start, and a second one, which is always there, before the stats.
pub fn playerinfo(player: &Player) -> Message {
    let fields = [
        (0, player.pm_type.is_some()),
        (1, player.origin.is_some()),
        (2, player.velocity.is_some()),
        (3, player.pm_time.is_some()),
        (4, player.pm_flags.is_some()),
        (5, player.gravity.is_some()),
        (6, player.delta_angles.is_some()),
        (7, player.view_offset.is_some()),
        (8, player.view_angles.is_some()),
        (9, player.kick_angles.is_some()),
        (10, player.blend.is_some()),
        (11, player.fov.is_some()),
        (12, player.gun_index.is_some()),
        (13, player.gun.is_some()),
        (14, player.rdflags.is_some()),
    ];
    let mask = fields.iter().fold(player.bits, |mask, &(bit, on)| mask | u16::from(on) << bit);
    let stat_mask = player.stats.iter().fold(0u32, |mask, &(stat, _)| mask | 1 << stat);
    let angles16 = |wire: Wire, degrees: [f32; 3]| wire.each(degrees, Wire::angle16);
    let chars = |wire: Wire, values: [i8; 3]| wire.each(values, Wire::i8);
    let wire = Wire::id(0x11)
        .u16(mask)
        .opt(player.pm_type, Wire::u8)
        .opt(player.origin, Wire::pos16)
        .opt(player.velocity, Wire::pos16)
        .opt(player.pm_time, Wire::u8)
        .opt(player.pm_flags, Wire::u8)
        .opt(player.gravity, Wire::i16)
        .opt(player.delta_angles, angles16)
        .opt(player.view_offset, chars)
        .opt(player.view_angles, angles16)
        .opt(player.kick_angles, chars)
        .opt(player.gun_index, Wire::u8)
        .opt(player.gun, |wire, gun| chars(chars(wire.u8(gun.frame), gun.offset), gun.angles))
        .opt(player.blend, |wire, blend| wire.each(blend, Wire::u8))
        .opt(player.fov, Wire::u8)
        .opt(player.rdflags, Wire::u8)
        .u32(stat_mask);
    player.stats.iter().fold(wire, |wire, &(_, value)| wire.i16(value)).done()
}
