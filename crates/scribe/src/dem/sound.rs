//! Sounds (D2 7.7, 7.17, 7.30; wire A1.1, A2.3, A4).

use super::{Index, Net};
use crate::{Message, Wire};

/// Mask bit 2: no data in any of these protocols.
pub const SND_LOOPING: u8 = 0x04;
/// Mask bit 3: 666 and later write entity and channel separately. No data in protocol 15 (errata 1.25).
pub const SND_LARGEENTITY: u8 = 0x08;
/// Mask bit 4: 666 and later write a short sound index. No data in protocol 15 (errata 1.25).
pub const SND_LARGESOUND: u8 = 0x10;

/// The arguments of [`sound`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sound {
    /// Bit 0, in 1/255; 255 when left out.
    pub volume: Option<u8>,
    /// Bit 1, in 1/64; 64 when left out.
    pub attenuation: Option<u8>,
    /// The entity that makes the sound.
    pub entity: u16,
    /// Its channel, 0 to 7 (up to 255 with a large entity).
    pub channel: u8,
    /// Index in the list of sounds.
    pub index: u16,
    /// The position.
    pub origin: [f32; 3],
    /// Additional mask bits.
    pub bits: u8,
}

/// Id 0x06: a sound starts.
pub fn sound(net: &Net, data: &Sound) -> Message {
    let mut mask = data.bits | u8::from(data.volume.is_some()) | u8::from(data.attenuation.is_some()) << 1;
    if net.extended() {
        if data.entity > 0x1FFF || data.channel > 7 {
            mask |= SND_LARGEENTITY;
        }
        if data.index > 0xFF {
            mask |= SND_LARGESOUND;
        }
    }
    let mut wire = Wire::id(0x06).u8(mask).opt(data.volume, Wire::u8).opt(data.attenuation, Wire::u8);
    wire = if net.extended() && mask & SND_LARGEENTITY != 0 {
        wire.u16(data.entity).u8(data.channel)
    } else {
        wire.u16(data.entity << 3 | u16::from(data.channel) & 7)
    };
    let short = net.sounds == Index::Short || net.extended() && mask & SND_LARGESOUND != 0;
    wire = if short { wire.u16(data.index) } else { wire.u8(data.index as u8) };
    wire.pos(net.coord, data.origin).done()
}

/// Id 0x10: a sound stops.
pub fn stopsound(entity: u16, channel: u8) -> Message {
    Wire::id(0x10).u16(entity << 3 | u16::from(channel) & 7).done()
}

/// Id 0x1D: a sound that never ends, such as wind.
pub fn spawnstaticsound(net: &Net, origin: [f32; 3], index: u16, volume: u8, attenuation: u8) -> Message {
    let wire = Wire::id(0x1D).pos(net.coord, origin);
    let wire = match net.static_sounds {
        Index::Byte => wire.u8(index as u8),
        Index::Short => wire.u16(index),
    };
    wire.u8(volume).u8(attenuation).done()
}
