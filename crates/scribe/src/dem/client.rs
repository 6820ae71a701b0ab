//! The clientdata message (D2 7.16, wire A1.3 and A2.2).

use super::{Index, Net};
use crate::{Message, Wire};

/// The number of the items and its mask bit 0x0200, in the three combinations that servers send (errata 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Items {
    /// The bit is set and the number follows: versions 1.09, and 1.06 when the items are not the default.
    Marked(i32),
    /// The bit is clear, but the number follows: versions 1.07 and 1.08.
    Unmarked(i32),
    /// The bit is clear and no number follows. In versions up to 1.06 this means the default 0x4001.
    Absent,
}

/// The high bytes that protocol 666 puts after all other fields, each with a mask bit of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct High {
    /// Bit 16: weapon model.
    pub weapon: Option<u8>,
    /// Announced by bit 17 of the flag word.
    pub armor: Option<u8>,
    /// Bit 18: current ammo.
    pub ammo: Option<u8>,
    /// Announced by bit 19 of the flag word.
    pub shells: Option<u8>,
    /// Announced by bit 20 of the flag word.
    pub nails: Option<u8>,
    /// Announced by bit 21 of the flag word.
    pub rockets: Option<u8>,
    /// Announced by bit 22 of the flag word.
    pub cells: Option<u8>,
    /// Announced by bit 24 of the flag word.
    pub weapon_frame: Option<u8>,
    /// Bit 25: not a high byte but the weapon's transparency.
    pub weapon_alpha: Option<u8>,
}

/// The arguments of [`clientdata`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clientdata {
    /// Announced by bit 0 of the flag word.
    pub view_height: Option<i8>,
    /// Bit 1; the document calls it punchangle.
    pub ideal_pitch: Option<i8>,
    /// Bits 2 to 4; the document calls them angles.
    pub punch: [Option<i8>; 3],
    /// Bits 5 to 7, in sixteens of units per second.
    pub velocity: [Option<i8>; 3],
    /// Bit 9 and its long.
    pub items: Items,
    /// Announced by bit 12 of the flag word.
    pub weapon_frame: Option<u8>,
    /// Announced by bit 13 of the flag word.
    pub armor: Option<u8>,
    /// Bit 14: a model index.
    pub weapon: Option<u16>,
    /// Always there.
    pub health: i16,
    /// Always there: ammo of the weapon in hand.
    pub ammo: u8,
    /// Always there: shells, nails, rockets, cells.
    pub stock: [u8; 4],
    /// The weapon in hand. The mission packs' servers leave this byte out when the player has none
    /// (errata 1.8).
    pub active_weapon: Option<u8>,
    /// Protocol 666 and its successors only.
    pub high: High,
    /// Additional mask bits. Bits 8, 10 and 11 have no data. Neither has bit 15 in protocol 15, nor the unused bits
    /// above 16 in the others.
    pub bits: u32,
}

impl Default for Clientdata {
    fn default() -> Self {
        Self {
            view_height: None,
            ideal_pitch: None,
            punch: [None; 3],
            velocity: [None; 3],
            items: Items::Marked(0x1101),
            weapon_frame: None,
            armor: None,
            weapon: None,
            health: 100,
            ammo: 25,
            stock: [25, 0, 0, 0],
            active_weapon: Some(1),
            high: High::default(),
            bits: 0,
        }
    }
}

impl High {
    fn all(&self) -> [(u32, Option<u8>); 9] {
        [
            (16, self.weapon),
            (17, self.armor),
            (18, self.ammo),
            (19, self.shells),
            (20, self.nails),
            (21, self.rockets),
            (22, self.cells),
            (24, self.weapon_frame),
            (25, self.weapon_alpha),
        ]
    }
}

impl Clientdata {
    fn mask(&self) -> u32 {
        let [punch1, punch2, punch3] = self.punch;
        let [velocity1, velocity2, velocity3] = self.velocity;
        let low = [
            (0, self.view_height.is_some()),
            (1, self.ideal_pitch.is_some()),
            (2, punch1.is_some()),
            (3, punch2.is_some()),
            (4, punch3.is_some()),
            (5, velocity1.is_some()),
            (6, velocity2.is_some()),
            (7, velocity3.is_some()),
            (9, matches!(self.items, Items::Marked(_))),
            (12, self.weapon_frame.is_some()),
            (13, self.armor.is_some()),
            (14, self.weapon.is_some()),
        ];
        let high = self.high.all().map(|(bit, value)| (bit, value.is_some()));
        let mut mask =
            low.iter().chain(&high).fold(self.bits, |mask, &(bit, on)| mask | u32::from(on) << bit);
        if mask >> 24 != 0 {
            mask |= 1 << 23;
        }
        if mask >> 16 != 0 {
            mask |= 1 << 15;
        }
        mask
    }
}

/// Id 0x0F: the status bar and the camera's offsets.
pub fn clientdata(net: &Net, data: &Clientdata) -> Message {
    let mask = data.mask();
    let mut wire = Wire::id(0x0F).u16(mask as u16);
    if net.extended() {
        if mask & 1 << 15 != 0 {
            wire = wire.u8((mask >> 16) as u8);
        }
        if mask & 1 << 23 != 0 {
            wire = wire.u8((mask >> 24) as u8);
        }
    }
    wire = wire.opt(data.view_height, Wire::i8).opt(data.ideal_pitch, Wire::i8);
    for (punch, velocity) in data.punch.into_iter().zip(data.velocity) {
        wire = wire.opt(punch, Wire::i8).opt(velocity, Wire::i8);
    }
    wire = match data.items {
        Items::Marked(items) | Items::Unmarked(items) => wire.i32(items),
        Items::Absent => wire,
    };
    wire = wire.opt(data.weapon_frame, Wire::u8).opt(data.armor, Wire::u8);
    wire = wire.opt(data.weapon, |wire, model| match net.models {
        Index::Byte => wire.u8(model as u8),
        Index::Short => wire.u16(model),
    });
    wire = wire.i16(data.health).u8(data.ammo).each(data.stock, Wire::u8).opt(data.active_weapon, Wire::u8);
    if net.extended() {
        wire = data.high.all().into_iter().fold(wire, |wire, (_, value)| wire.opt(value, Wire::u8));
    }
    wire.done()
}
