//! Entities of protocol 15: baselines, statics and updates (D2 7.21, 7.23, 7.36; wire A1.2, A1.5, A2.1).

use super::{Index, Net};
use crate::{Message, Wire};

/// A second mask byte follows.
pub const U_MOREBITS: u32 = 1 << 0;
/// No data: the entity moves in steps and must not be smoothed. The document calls it `new`.
pub const U_STEP: u32 = 1 << 5;
/// The entity number is a short.
pub const U_LONGENTITY: u32 = 1 << 14;
/// 666 and `DarkPlaces`: a third mask byte follows. Nehahra: floats follow. id: no data.
pub const U_EXTEND1: u32 = 1 << 15;
/// 666 and `DarkPlaces`: a fourth mask byte follows.
pub const U_EXTEND2: u32 = 1 << 23;

/// An entity's state before any change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Baseline {
    /// Model index.
    pub model: u16,
    /// Frame of the model.
    pub frame: u8,
    /// Color map.
    pub colormap: u8,
    /// Skin.
    pub skin: u8,
    /// Place.
    pub origin: [f32; 3],
    /// Orientation in degrees.
    pub angles: [f32; 3],
}

impl Baseline {
    fn put(&self, net: &Net, wire: Wire) -> Wire {
        let wire = put_model(net, wire, self.model).u8(self.frame).u8(self.colormap).u8(self.skin);
        put_places(net, wire, self.origin, self.angles)
    }
}

pub(super) fn put_places(net: &Net, wire: Wire, origin: [f32; 3], angles: [f32; 3]) -> Wire {
    origin
        .into_iter()
        .zip(angles)
        .fold(wire, |wire, (place, degrees)| wire.coord(net.coord, place).angle(net.angle, degrees))
}

fn put_model(net: &Net, wire: Wire, model: u16) -> Wire {
    match net.models {
        Index::Byte => wire.u8(model as u8),
        Index::Short => wire.u16(model),
    }
}

/// Id 0x14: a static entity, such as a torch.
pub fn spawnstatic(net: &Net, baseline: &Baseline) -> Message {
    baseline.put(net, Wire::id(0x14)).done()
}

/// Id 0x16: the starting state of an entity.
pub fn spawnbaseline(net: &Net, entity: i16, baseline: &Baseline) -> Message {
    baseline.put(net, Wire::id(0x16).i16(entity)).done()
}

/// The data that Nehahra puts after an update with bit 15 (wire A1.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trans {
    /// 1, or 2 when `fullbright` follows.
    pub kind: f32,
    /// Transparency.
    pub alpha: f32,
    /// Whether the entity is fully bright; sent only with kind 2.
    pub fullbright: Option<f32>,
}

/// The arguments of [`updateentity`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Update {
    /// The entity.
    pub entity: u16,
    /// Announced by bit 10 of the flag word.
    pub model: Option<u16>,
    /// Announced by bit 6 of the flag word.
    pub frame: Option<u8>,
    /// Announced by bit 11 of the flag word.
    pub colormap: Option<u8>,
    /// Announced by bit 12 of the flag word.
    pub skin: Option<u8>,
    /// Announced by bit 13 of the flag word.
    pub effects: Option<u8>,
    /// Bits 1, 2, 3.
    pub origin: [Option<f32>; 3],
    /// Bits 8, 4, 9.
    pub angles: [Option<f32>; 3],
    /// Bit 16, protocol 666 and its successors, as the following four.
    pub alpha: Option<u8>,
    /// Announced by bit 20 of the flag word.
    pub scale: Option<u8>,
    /// Bit 17: high byte of the frame.
    pub frame2: Option<u8>,
    /// Bit 18: high byte of the model.
    pub model2: Option<u8>,
    /// Announced by bit 19 of the flag word.
    pub lerpfinish: Option<u8>,
    /// Bit 15 in Nehahra's meaning.
    pub trans: Option<Trans>,
    /// Additional mask bits.
    pub bits: u32,
}

impl Update {
    fn mask(&self) -> u32 {
        let [x, y, z] = self.origin;
        let [pitch, yaw, roll] = self.angles;
        let fields = [
            (1, x.is_some()),
            (2, y.is_some()),
            (3, z.is_some()),
            (4, yaw.is_some()),
            (6, self.frame.is_some()),
            (8, pitch.is_some()),
            (9, roll.is_some()),
            (10, self.model.is_some()),
            (11, self.colormap.is_some()),
            (12, self.skin.is_some()),
            (13, self.effects.is_some()),
            (14, self.entity > 255),
            (15, self.trans.is_some()),
            (16, self.alpha.is_some()),
            (17, self.frame2.is_some()),
            (18, self.model2.is_some()),
            (19, self.lerpfinish.is_some()),
            (20, self.scale.is_some()),
        ];
        fields.iter().fold(self.bits, |mask, &(bit, on)| mask | u32::from(on) << bit)
    }

    /// The message with the given mask; `more_bytes` is whether this protocol has mask bytes three and four.
    fn put(&self, net: &Net, mask: u32, more_bytes: bool) -> Wire {
        let mut mask = mask;
        if mask >> 24 != 0 {
            mask |= U_EXTEND2;
        }
        if mask >> 16 != 0 {
            mask |= U_EXTEND1;
        }
        if mask >> 8 != 0 {
            mask |= U_MOREBITS;
        }
        let mut wire = Wire::id(mask as u8 | 0x80);
        if mask & U_MOREBITS != 0 {
            wire = wire.u8((mask >> 8) as u8);
        }
        if more_bytes && mask & U_EXTEND1 != 0 {
            wire = wire.u8((mask >> 16) as u8);
        }
        if more_bytes && mask & U_EXTEND2 != 0 {
            wire = wire.u8((mask >> 24) as u8);
        }
        wire = if mask & U_LONGENTITY == 0 { wire.u8(self.entity as u8) } else { wire.u16(self.entity) };
        wire = wire.opt(self.model, |wire, model| put_model(net, wire, model));
        wire = wire.opt(self.frame, Wire::u8).opt(self.colormap, Wire::u8);
        wire = wire.opt(self.skin, Wire::u8).opt(self.effects, Wire::u8);
        for (place, degrees) in self.origin.into_iter().zip(self.angles) {
            wire = wire.opt(place, |wire, value| wire.coord(net.coord, value));
            wire = wire.opt(degrees, |wire, value| wire.angle(net.update_angle, value));
        }
        wire
    }
}

/// Id 0x80 and above: the changes of an entity.
pub fn updateentity(net: &Net, update: &Update) -> Message {
    let mut wire = update.put(net, update.mask(), net.extended());
    wire = wire.opt(update.alpha, Wire::u8).opt(update.scale, Wire::u8).opt(update.frame2, Wire::u8);
    wire = wire.opt(update.model2, Wire::u8).opt(update.lerpfinish, Wire::u8);
    wire.opt(update.trans, |wire, trans| {
        wire.f32(trans.kind).f32(trans.alpha).opt(trans.fullbright, Wire::f32)
    })
    .done()
}

/// The fields a `DarkPlaces` server adds to updates of protocol 15 (wire A6.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DarkPlaces {
    /// Announced by bit 17 of the flag word.
    pub alpha: Option<u8>,
    /// Announced by bit 18 of the flag word.
    pub scale: Option<u8>,
    /// Announced by bit 19 of the flag word.
    pub effects2: Option<u8>,
    /// Announced by bit 20 of the flag word.
    pub glow_size: Option<u8>,
    /// Announced by bit 21 of the flag word.
    pub glow_color: Option<u8>,
    /// Announced by bit 22 of the flag word.
    pub colormod: Option<u8>,
    /// Announced by bit 26 of the flag word.
    pub frame2: Option<u8>,
    /// Announced by bit 27 of the flag word.
    pub model2: Option<u8>,
}

/// An update in the form of a `DarkPlaces` server under the protocol number 15: the same bit 15 as Nehahra's,
/// but with mask bytes after it. The 666 fields of `update` must be left out.
pub fn darkplaces_update(net: &Net, update: &Update, extra: &DarkPlaces) -> Message {
    let fields = [
        (17, extra.alpha),
        (18, extra.scale),
        (19, extra.effects2),
        (20, extra.glow_size),
        (21, extra.glow_color),
        (22, extra.colormod),
        (26, extra.frame2),
        (27, extra.model2),
    ];
    let mask =
        fields.iter().fold(update.mask(), |mask, &(bit, value)| mask | u32::from(value.is_some()) << bit);
    let wire = update.put(net, mask, true);
    fields.into_iter().fold(wire, |wire, (_, value)| wire.opt(value, Wire::u8)).done()
}
