//! Entity records: spawnbaseline and packetentities (M2 3.15, 3.19, wire C6).

use crate::{Message, Wire};

/// A second mask byte follows.
pub const E_MOREBITS1: u32 = 1 << 7;
/// A third mask byte follows.
pub const E_MOREBITS2: u32 = 1 << 15;
/// A fourth mask byte follows.
pub const E_MOREBITS3: u32 = 1 << 23;
/// The number is a short.
pub const E_NUMBER16: u32 = 1 << 8;
/// The bits without meaning and data: 13 and 28 to 31.
pub const E_UNUSED: u32 = 1 << 13 | 0xF000_0000;

/// A value whose width the mask selects: the low bit alone is a byte, the high bit alone a short, both a
/// long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Num {
    /// The value is missing.
    #[default]
    None,
    /// One byte.
    Byte(u8),
    /// A short.
    Short(u16),
    /// A long.
    Long(u32),
}

impl Num {
    fn bits(self, low: u32, high: u32) -> u32 {
        match self {
            Self::None => 0,
            Self::Byte(_) => 1 << low,
            Self::Short(_) => 1 << high,
            Self::Long(_) => 1 << low | 1 << high,
        }
    }

    fn put(self, wire: Wire) -> Wire {
        match self {
            Self::None => wire,
            Self::Byte(value) => wire.u8(value),
            Self::Short(value) => wire.u16(value),
            Self::Long(value) => wire.u32(value),
        }
    }
}

/// The changes of an entity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Entity {
    /// The entity.
    pub number: u16,
    /// Bit 6: the entity is gone. In packetentities the record then ends after the number, whatever the mask
    /// contains (errata 2.8, against M2); in spawnbaseline the bit has no meaning.
    pub remove: bool,
    /// Bits 11, 20, 21, 22.
    pub models: [Option<u8>; 4],
    /// Bit 4.
    pub frame8: Option<u8>,
    /// Bit 17; if bit 4 is set too, both numbers are sent and this one counts.
    pub frame16: Option<i16>,
    /// Bits 16 and 25; above the low byte sits the visible weapon.
    pub skin: Num,
    /// Bits 14 and 19.
    pub effects: Num,
    /// Bits 12 and 18.
    pub renderfx: Num,
    /// Bits 0, 1, 9.
    pub origin: [Option<f32>; 3],
    /// Bits 10, 2, 3.
    pub angles: [Option<f32>; 3],
    /// Bit 24.
    pub old_origin: Option<[f32; 3]>,
    /// Bit 26.
    pub sound: Option<u8>,
    /// Bit 5.
    pub event: Option<u8>,
    /// Bit 27.
    pub solid: Option<i16>,
    /// Additional mask bits.
    pub bits: u32,
}

impl Entity {
    fn mask(&self) -> u32 {
        let [x, y, z] = self.origin;
        let [pitch, yaw, roll] = self.angles;
        let [model1, model2, model3, model4] = self.models;
        let fields = [
            (0, x.is_some()),
            (1, y.is_some()),
            (2, yaw.is_some()),
            (3, roll.is_some()),
            (4, self.frame8.is_some()),
            (5, self.event.is_some()),
            (6, self.remove),
            (8, self.number > 255),
            (9, z.is_some()),
            (10, pitch.is_some()),
            (11, model1.is_some()),
            (17, self.frame16.is_some()),
            (20, model2.is_some()),
            (21, model3.is_some()),
            (22, model4.is_some()),
            (24, self.old_origin.is_some()),
            (26, self.sound.is_some()),
            (27, self.solid.is_some()),
        ];
        let mut mask = fields.iter().fold(self.bits, |mask, &(bit, on)| mask | u32::from(on) << bit);
        mask |= self.skin.bits(16, 25) | self.effects.bits(14, 19) | self.renderfx.bits(12, 18);
        for (above, more) in [(24, E_MOREBITS3), (16, E_MOREBITS2), (8, E_MOREBITS1)] {
            if mask >> above != 0 {
                mask |= more;
            }
        }
        mask
    }

    fn put_head(&self, wire: Wire) -> Wire {
        let mask = self.mask();
        let [first, second, third, fourth] = mask.to_le_bytes();
        let mut wire = wire.u8(first);
        for (more, byte) in [(E_MOREBITS1, second), (E_MOREBITS2, third), (E_MOREBITS3, fourth)] {
            if mask & more != 0 {
                wire = wire.u8(byte);
            }
        }
        if mask & E_NUMBER16 == 0 { wire.u8(self.number as u8) } else { wire.u16(self.number) }
    }

    fn put_fields(&self, wire: Wire) -> Wire {
        let wire = wire.each(self.models, |wire, model| wire.opt(model, Wire::u8));
        let wire = wire.opt(self.frame8, Wire::u8).opt(self.frame16, Wire::i16);
        let wire = self.renderfx.put(self.effects.put(self.skin.put(wire)));
        wire.each(self.origin, |wire, value| wire.opt(value, Wire::coord16))
            .each(self.angles, |wire, value| wire.opt(value, Wire::angle8))
            .opt(self.old_origin, Wire::pos16)
            .opt(self.sound, Wire::u8)
            .opt(self.event, Wire::u8)
            .opt(self.solid, Wire::i16)
    }

    fn put_update(&self, wire: Wire) -> Wire {
        let wire = self.put_head(wire);
        if self.remove { wire } else { self.put_fields(wire) }
    }
}

/// Id 0x0E: the starting state of an entity.
pub fn spawnbaseline(entity: &Entity) -> Message {
    entity.put_fields(entity.put_head(Wire::id(0x0E))).done()
}

/// Id 0x12: the entities of a frame, closed by a zero mask and a zero number.
pub fn packetentities(entities: &[Entity]) -> Message {
    packetentities_until(entities, 0)
}

/// Id 0x12 with a closing record of number 0 and these mask bits, none of which has data (errata 2.9).
pub fn packetentities_until(entities: &[Entity], bits: u32) -> Message {
    let wire = entities.iter().fold(Wire::id(0x12), |wire, entity| entity.put_update(wire));
    Entity { bits, ..Entity::default() }.put_head(wire).done()
}
