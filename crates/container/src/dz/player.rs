//! The recorder's own state: reads its differences, and writes the complete message.

use super::packed_reader::PackedReader;
use std::io::{self, Read};

/// The state that the differences are added to.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    viewheight: u8,
    idealpitch: u8,
    punch: [u8; 3],
    velocity: [u8; 3],
    items: u32,
    on_ground: bool,
    in_water: bool,
    no_items: bool,
    walpha: u8,
    wframe: u16,
    armor: u16,
    wmodel: u16,
    health: u16,
    /// Ammo, shells, nails, rockets, cells.
    ammo: [u16; 5],
    active: u8,
    /// The fields that are sent although they have their default value.
    keep: u16,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            viewheight: 22,
            idealpitch: 0,
            punch: [0; 3],
            velocity: [0; 3],
            items: 0x4001,
            on_ground: false,
            in_water: false,
            no_items: false,
            walpha: 0,
            wframe: 0,
            armor: 0,
            wmodel: 0,
            health: 0,
            ammo: [0; 5],
            active: 0,
            keep: 0,
        }
    }
}

/// Adds a difference to a small number, if its bit announces one.
fn small<R: Read>(feed: &mut PackedReader<R>, present: bool, value: &mut u8) -> io::Result<()> {
    if present {
        *value = value.wrapping_add(feed.byte()?);
    }
    Ok(())
}

/// Adds a difference to a large number. The difference is signed if the number was large before; otherwise
/// the high byte stays 0.
pub(crate) fn add_difference(old: u16, by: u8) -> u16 {
    if old >= 256 {
        old.wrapping_add_signed(i16::from(by as i8))
    } else {
        u16::from((old as u8).wrapping_add(by))
    }
}

/// Sets a large number, or adds a difference to it.
fn large<R: Read>(
    feed: &mut PackedReader<R>,
    mask: u64,
    bit: u64,
    wide: u64,
    value: &mut u16,
) -> io::Result<()> {
    if mask & wide != 0 {
        *value = feed.short()?;
    } else if mask & bit != 0 {
        *value = add_difference(*value, feed.byte()?);
    }
    Ok(())
}

impl Player {
    /// Reads the differences of versions 2 and 3 after their first byte, and writes the message.
    pub(crate) fn read<R: Read>(
        &mut self,
        feed: &mut PackedReader<R>,
        first: u8,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let mut m = u64::from(first);
        for (more, shift) in [(0x08, 8), (0x8000, 16), (0x80_0000, 24), (0x8000_0000_u64, 32)] {
            if m & more == 0 {
                break;
            }
            m |= u64::from(feed.byte()?) << shift;
        }
        let walpha = self.walpha;
        let [punch0, punch1, punch2] = &mut self.punch;
        let [velocity0, velocity1, velocity2] = &mut self.velocity;
        let [ammo, shells, nails, rockets, cells] = &mut self.ammo;
        small(feed, m & 0x01 != 0, velocity2)?;
        small(feed, m & 0x02 != 0, velocity0)?;
        small(feed, m & 0x04 != 0, velocity1)?;
        large(feed, m, 0x0100, 0x2000_0000, &mut self.wframe)?;
        self.on_ground ^= m & 0x0200 != 0;
        small(feed, m & 0x0400 != 0, punch0)?;
        large(feed, m, 0x0800, 0x4000_0000, ammo)?;
        if m & 0x1000 != 0 {
            self.health = self.health.wrapping_add(feed.short()?);
        }
        if m & 0x2000 != 0 {
            self.items ^= feed.read_u32()?;
        }
        large(feed, m, 0x4000, 0x1_0000_0000, &mut self.armor)?;
        small(feed, m & 0x01_0000 != 0, &mut self.idealpitch)?;
        large(feed, m, 0x02_0000, 0x2_0000_0000, shells)?;
        large(feed, m, 0x04_0000, 0x4_0000_0000, nails)?;
        large(feed, m, 0x08_0000, 0x8_0000_0000, rockets)?;
        large(feed, m, 0x10_0000, 0x10_0000_0000, &mut self.wmodel)?;
        small(feed, m & 0x20_0000 != 0, &mut self.active)?;
        self.in_water ^= m & 0x40_0000 != 0;
        small(feed, m & 0x0100_0000 != 0, &mut self.viewheight)?;
        large(feed, m, 0x0200_0000, 0x20_0000_0000, cells)?;
        small(feed, m & 0x0400_0000 != 0, punch1)?;
        small(feed, m & 0x0800_0000 != 0, punch2)?;
        self.no_items ^= m & 0x1000_0000 != 0;
        small(feed, m & 0x40_0000_0000 != 0, &mut self.walpha)?;
        self.read_keep(feed, 0x50)?;
        self.write(self.walpha != walpha, out);
        Ok(())
    }

    /// Reads the differences of version 1 after their first byte, and writes the message.
    pub(crate) fn read_old<R: Read>(
        &mut self,
        feed: &mut PackedReader<R>,
        first: u8,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let mut m = u32::from(first);
        for (more, shift) in [(0x01, 8), (0x0100, 16), (0x01_0000, 24)] {
            if m & more == 0 {
                break;
            }
            m |= u32::from(feed.byte()?) << shift;
        }
        let has = |bit: u32| m & bit != 0;
        let [punch0, punch1, punch2] = &mut self.punch;
        let [velocity0, velocity1, velocity2] = &mut self.velocity;
        small(feed, has(0x0100_0000), &mut self.viewheight)?;
        small(feed, has(0x0010_0000), &mut self.idealpitch)?;
        small(feed, has(0x0800_0000), punch0)?;
        small(feed, has(0x0400_0000), punch1)?;
        small(feed, has(0x0200_0000), punch2)?;
        small(feed, has(0x08), velocity0)?;
        small(feed, has(0x04), velocity1)?;
        small(feed, has(0x02), velocity2)?;
        self.on_ground ^= has(0x8000);
        self.in_water ^= has(0x40_0000);
        self.no_items ^= has(0x1000_0000);
        if has(0x20_0000) {
            self.items = self.items.wrapping_add(feed.read_u32()?);
        }
        let byte = |feed: &mut PackedReader<R>, present: bool, value: &mut u16| -> io::Result<()> {
            if present {
                *value = u16::from((*value as u8).wrapping_add(feed.byte()?));
            }
            Ok(())
        };
        byte(feed, has(0x4000), &mut self.wframe)?;
        byte(feed, has(0x08_0000), &mut self.armor)?;
        byte(feed, has(0x02_0000), &mut self.wmodel)?;
        if has(0x04_0000) {
            self.health = self.health.wrapping_add(feed.short()?);
        }
        for (bit, value) in [0x2000, 0x1000, 0x0800, 0x0400, 0x80_0000].into_iter().zip(&mut self.ammo) {
            byte(feed, has(bit), value)?;
        }
        small(feed, has(0x0200), &mut self.active)?;
        self.read_keep(feed, 0xE0)?;
        self.write(false, out);
        Ok(())
    }

    /// Reads which fields are sent although they have their default value, if this changed.
    fn read_keep<R: Read>(&mut self, feed: &mut PackedReader<R>, tag: u8) -> io::Result<()> {
        let Some(first) = feed.peek()?.filter(|byte| byte & 0xF0 == tag) else { return Ok(()) };
        feed.byte()?;
        let high = if first & 0x08 != 0 { feed.byte()? } else { 0 };
        self.keep ^= u16::from_le_bytes([first, high]) & 0xFF07;
        Ok(())
    }

    /// The message: `svc_clientdata`.
    fn write(&self, with_walpha: bool, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0x0F, 0, 0, 0, 0]);
        let mut s = if self.no_items { 0_u32 } else { 0x0200 };
        let [punch0, punch1, punch2] = self.punch;
        let [velocity0, velocity1, velocity2] = self.velocity;
        let mut optional = |out: &mut Vec<u8>, value: u8, default: u8, keep: u16, flag: u32| {
            if value != default || self.keep & keep != 0 {
                s |= flag;
                out.push(value);
            }
        };
        optional(out, self.viewheight, 22, 0x0800, 0x0001);
        optional(out, self.idealpitch, 0, 0x1000, 0x0002);
        optional(out, punch0, 0, 0x0100, 0x0004);
        optional(out, velocity0, 0, 0x0001, 0x0020);
        optional(out, punch1, 0, 0x0200, 0x0008);
        optional(out, velocity1, 0, 0x0002, 0x0040);
        optional(out, punch2, 0, 0x0400, 0x0010);
        optional(out, velocity2, 0, 0x0004, 0x0080);
        out.extend(self.items.to_le_bytes());
        optional(out, self.wframe as u8, 0, 0x2000, 0x1000);
        optional(out, self.armor as u8, 0, 0x4000, 0x2000);
        optional(out, self.wmodel as u8, 0, 0x8000, 0x4000);
        out.extend(self.health.to_le_bytes());
        out.extend(self.ammo.map(|number| number as u8));
        out.push(self.active);
        let [ammo, shells, nails, rockets, cells] = self.ammo;
        let high = [self.wmodel, self.armor, ammo, shells, nails, rockets, cells, self.wframe];
        for (number, value) in high.into_iter().enumerate() {
            // The flag of the weapon's alpha is between the last two.
            optional(
                out,
                (value >> 8) as u8,
                0,
                0,
                if number == 7 { 0x0100_0000 } else { 0x01_0000 << number },
            );
        }
        s |= if self.on_ground { 0x0400 } else { 0 } | if self.in_water { 0x0800 } else { 0 };
        if with_walpha {
            s |= 0x0200_0000;
            out.push(self.walpha);
        }
        s |= if s & 0xFF00_0000 != 0 { 0x0080_0000 } else { 0 };
        s |= if s & 0xFFFF_0000 != 0 { 0x8000 } else { 0 };
        let [low, second, third, fourth] = s.to_le_bytes();
        let flags = [0x0F, low, second, third, fourth];
        let length = if s & 0x0080_0000 != 0 {
            5
        } else if s & 0x8000 != 0 {
            4
        } else {
            3
        };
        // Space was reserved for the longest form.
        out.splice(start..start + 5, flags.into_iter().take(length));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_grow_and_shrink() {
        assert_eq!(
            [
                add_difference(255, 1),
                add_difference(256, 0xFF),
                add_difference(300, 1),
                add_difference(5, 0xFF)
            ],
            [0, 255, 301, 4]
        );
    }

    #[test]
    fn an_unchanged_player_gives_the_default_state() {
        let mut out = Vec::new();
        Player::default().read(&mut PackedReader::new(&b""[..]), 0x40, &mut out).unwrap();
        assert_eq!(out, b"\x0f\x00\x02\x01\x40\0\0\0\0\0\0\0\0\0\0");
    }

    #[test]
    fn wide_values_take_more_flags() {
        let mut out = Vec::new();
        // Mask bits 8, 15, 23, 29: the weapon's frame is 0x0123.
        let mut feed = PackedReader::new(&b"\x80\x80\x20\x23\x01"[..]);
        Player::default().read(&mut feed, 0x48, &mut out).unwrap();
        assert_eq!(out, b"\x0f\x00\x92\x80\x01\x01\x40\0\0\x23\0\0\0\0\0\0\0\0\x01");
    }
}
