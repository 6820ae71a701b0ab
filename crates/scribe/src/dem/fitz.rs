//! The messages that `FitzQuake` added for protocol 666 (wire A2.4).

use super::Net;
use super::entity::put_places;
use crate::{Message, Wire};

/// The model index is a short.
pub const B_LARGE_MODEL: u8 = 0x01;
/// The frame is a short.
pub const B_LARGE_FRAME: u8 = 0x02;
/// A transparency byte follows.
pub const B_ALPHA: u8 = 0x04;
/// A scale byte follows; only newer engines write it.
pub const B_SCALE: u8 = 0x08;

/// The arguments of [`spawnbaseline2`] and [`spawnstatic2`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Baseline2 {
    /// Model index.
    pub model: u16,
    /// Frame of the model.
    pub frame: u16,
    /// Color map.
    pub colormap: u8,
    /// Skin.
    pub skin: u8,
    /// Place.
    pub origin: [f32; 3],
    /// Orientation in degrees.
    pub angles: [f32; 3],
    /// Transparency.
    pub alpha: Option<u8>,
    /// Scale in sixteenths.
    pub scale: Option<u8>,
    /// Additional mask bits, such as [`B_LARGE_MODEL`] with a small index.
    pub bits: u8,
}

impl Baseline2 {
    fn put(&self, net: &Net, wire: Wire) -> Wire {
        let mut bits = self.bits;
        if self.model > 0xFF {
            bits |= B_LARGE_MODEL;
        }
        if self.frame > 0xFF {
            bits |= B_LARGE_FRAME;
        }
        if self.alpha.is_some() {
            bits |= B_ALPHA;
        }
        if self.scale.is_some() {
            bits |= B_SCALE;
        }
        let mut wire = wire.u8(bits);
        wire = if bits & B_LARGE_MODEL == 0 { wire.u8(self.model as u8) } else { wire.u16(self.model) };
        wire = if bits & B_LARGE_FRAME == 0 { wire.u8(self.frame as u8) } else { wire.u16(self.frame) };
        wire = wire.u8(self.colormap).u8(self.skin);
        put_places(net, wire, self.origin, self.angles).opt(self.alpha, Wire::u8).opt(self.scale, Wire::u8)
    }
}

/// Id 0x25: the sky. Nehahra has it too.
pub fn skybox(name: impl AsRef<[u8]>) -> Message {
    Wire::id(0x25).str0(name).done()
}

/// Id 0x28: the flash of a picked up item.
pub fn bf() -> Message {
    vec![0x28]
}

/// Id 0x29: fog; density and color in 1/255, time in hundredths of seconds.
pub fn fog(density: u8, rgb: [u8; 3], time: i16) -> Message {
    Wire::id(0x29).u8(density).each(rgb, Wire::u8).i16(time).done()
}

/// Id 0x2A: a baseline with wide numbers.
pub fn spawnbaseline2(net: &Net, entity: i16, baseline: &Baseline2) -> Message {
    baseline.put(net, Wire::id(0x2A).i16(entity)).done()
}

/// Id 0x2B: a static entity with wide numbers.
pub fn spawnstatic2(net: &Net, baseline: &Baseline2) -> Message {
    baseline.put(net, Wire::id(0x2B)).done()
}

/// Id 0x2C: a static sound with a wide index.
pub fn spawnstaticsound2(net: &Net, origin: [f32; 3], index: u16, volume: u8, attenuation: u8) -> Message {
    Wire::id(0x2C).pos(net.coord, origin).u16(index).u8(volume).u8(attenuation).done()
}
