//! The effects of the announced protocol on the encoding of numbers.

use crate::{Angle, Coord};

/// The encoding of an index of a model or a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Index {
    /// One byte.
    Byte,
    /// A short.
    Short,
}

/// The properties of a protocol that change the width of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Net {
    /// The number in the serverinfo message.
    pub protocol: i32,
    /// RMQ's protocol flags, written only by protocol 999.
    pub flags: u32,
    /// Coordinates.
    pub coord: Coord,
    /// Angles, except in entity updates.
    pub angle: Angle,
    /// Angles in entity updates.
    pub update_angle: Angle,
    /// Model indices of updates, baselines and the weapon in clientdata.
    pub models: Index,
    /// The sound index of the sound message.
    pub sounds: Index,
    /// The sound index of the spawnstaticsound message.
    pub static_sounds: Index,
}

impl Net {
    /// Protocol 15, id's own (D2).
    pub const fn netquake() -> Self {
        Self {
            protocol: 15,
            flags: 0,
            coord: Coord::Eighths,
            angle: Angle::Byte,
            update_angle: Angle::Byte,
            models: Index::Byte,
            sounds: Index::Byte,
            static_sounds: Index::Byte,
        }
    }

    /// Protocol 15's layout under another number, for instance Nehahra's 250 (wire A1.7).
    pub const fn numbered(protocol: i32) -> Self {
        Self { protocol, ..Self::netquake() }
    }

    /// Protocol 666, `FitzQuake` (wire A2).
    pub const fn fitz() -> Self {
        Self::numbered(666)
    }

    /// Protocol 668, Mark V: 666 with short angles in entity updates only (wire A2.5).
    pub const fn fitz_plus() -> Self {
        Self { update_angle: Angle::Short, ..Self::numbered(668) }
    }

    /// Protocol 999, RMQ, with its flags. When several flags compete, a float wins over everything, a 32-bit
    /// coordinate over a 24-bit one (wire A3).
    pub const fn rmq(flags: u32) -> Self {
        let coord = if flags & 0x10 != 0 {
            Coord::Float
        } else if flags & 0x80 != 0 {
            Coord::Sixteenths
        } else if flags & 0x08 != 0 {
            Coord::Fixed24
        } else {
            Coord::Eighths
        };
        let angle = if flags & 0x04 != 0 {
            Angle::Float
        } else if flags & 0x02 != 0 {
            Angle::Short
        } else {
            Angle::Byte
        };
        Self { flags, coord, angle, update_angle: angle, ..Self::numbered(999) }
    }

    /// Protocol 10000: BJP, short model indices (wire A4).
    pub const fn bjp() -> Self {
        Self { models: Index::Short, ..Self::numbered(10000) }
    }

    /// Protocol 10001: BJP2, short model and sound indices (wire A4).
    pub const fn bjp2() -> Self {
        Self {
            models: Index::Short,
            sounds: Index::Short,
            static_sounds: Index::Short,
            ..Self::numbered(10001)
        }
    }

    /// Protocol 10002: BJP3. Engines disagree about the index of static sounds (wire A4), so the caller
    /// chooses.
    pub const fn bjp3(static_sounds: Index) -> Self {
        Self { models: Index::Short, sounds: Index::Short, static_sounds, ..Self::numbered(10002) }
    }

    /// Whether extension bytes follow bit 15 of updates and clientdata, and the wide sound flags have data.
    pub const fn extended(&self) -> bool {
        matches!(self.protocol, 666 | 668 | 999)
    }
}
