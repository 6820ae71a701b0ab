//! The records of a block in version 1: simple differences, without a prediction.

use super::changes::read_keep;
use super::message;
use super::packed_reader::{LARGEST_BLOCK, PackedReader};
use super::world::World;
use std::io::{self, Read};

/// Reads the records of a block to its end.
pub(crate) fn records<R: Read>(
    feed: &mut PackedReader<R>,
    world: &mut World,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    // Whether entities have changed whose updates must be written before the next message.
    let mut pending = false;
    loop {
        let first = feed.byte()?;
        if let 0x80..=0x87 = first {
            entities(feed, world, first)?;
            pending = true;
            continue;
        }
        if std::mem::take(&mut pending) {
            write_updates(world, out);
        }
        match first {
            0 => return Ok(()),
            6 => sound(feed, out)?,
            7 => message::message(feed, world, 35, out)?,
            1..=0x26 => message::message(feed, world, first, out)?,
            0x88..=0xEF => message::update(feed, world, first, out)?,
            0xF0..=0xFF => world.player.read_old(feed, first, out)?,
            _ => return Err(feed.fault("an unknown message")),
        }
        if out.len() > LARGEST_BLOCK {
            return Err(feed.fault("a block has no end"));
        }
    }
}

/// Copies a sound, which is stored unchanged.
fn sound<R: Read>(feed: &mut PackedReader<R>, out: &mut Vec<u8>) -> io::Result<()> {
    let flags = feed.byte()?;
    out.extend([6, flags]);
    // not from SCHEMA: a flag of Dzip's own record
    feed.copy(9 + (flags & 0x03).count_ones() as usize, out)
}

/// Reads one record with changes of entities.
fn entities<R: Read>(feed: &mut PackedReader<R>, world: &mut World, first: u8) -> io::Result<()> {
    match first {
        0x82 => Ok(()),
        0x83 => loop {
            let entity = feed.short()?;
            if entity == 0 {
                return Ok(());
            }
            let Some((now, base)) = world.change(entity) else {
                return Err(feed.fault("an entity's number is too large"));
            };
            *now = *base;
            let base = *base;
            world.set_old(entity, base);
            if let Ok(at) = world.live.binary_search(&entity) {
                world.live.remove(at);
            }
        },
        0x84 => read_keep(feed, world),
        _ => {
            // The first word of an 81 has a low byte of 1.
            let mut w = if first == 0x81 { u32::from(feed.byte()?) << 8 | 1 } else { feed.short()?.into() };
            while update(feed, world, w)? {
                w = feed.short()?.into();
            }
            Ok(())
        }
    }
}

/// Reads the changes of an entity; returns whether more follow.
fn update<R: Read>(feed: &mut PackedReader<R>, world: &mut World, mut w: u32) -> io::Result<bool> {
    if w & 0x8000 != 0 {
        w |= u32::from(feed.byte()?) << 16;
        if w & 0x80_0000 != 0 {
            w |= u32::from(feed.byte()?) << 24;
        }
    }
    let has = |bit: u32| w & bit != 0;
    let entity = (w & 0x1FF) as u16 | if has(0x0800_0000) { 0x200 } else { 0 };
    if entity == 0 {
        return Ok(false);
    }
    let old_state = world.old(entity);
    if let Err(at) = world.live.binary_search(&entity) {
        world.live.insert(at, entity);
    }
    let Some((now, _)) = world.change(entity) else { return Ok(false) };
    if has(0x01_0000) {
        now.model = feed.byte()?.into();
    }
    if has(0x0200) {
        now.frame = old_state.frame.wrapping_add(1) & 0xFF;
    }
    if has(0x08_0000) {
        now.frame = old_state.frame.wrapping_add(feed.byte()?.into()) & 0xFF;
    }
    for (bit, value) in
        [(0x0100_0000, &mut now.colormap), (0x0200_0000, &mut now.skin), (0x0400_0000, &mut now.effects)]
    {
        if has(bit) {
            *value = feed.byte()?;
        }
    }
    let places = now.origin.iter_mut().zip(old_state.origin);
    let turns = now.angles.iter_mut().zip(old_state.angles);
    let bits = [(0x0400, 0x10_0000, 0x2000), (0x0800, 0x20_0000, 0x4000), (0x1000, 0x40_0000, 0x02_0000)];
    for (((place, old_place), (angle, old_angle)), (by, to, turn)) in places.zip(turns).zip(bits) {
        if has(by) {
            *place = old_place.wrapping_add(feed.step()?);
        }
        if has(to) {
            *place = feed.whole()?;
        }
        if has(turn) {
            *angle = old_angle.wrapping_add(feed.byte()?);
        }
    }
    now.no_lerp ^= has(0x04_0000);
    Ok(true)
}

fn write_updates(world: &mut World, out: &mut Vec<u8>) {
    world.write_live(out);
    let live = std::mem::take(&mut world.live);
    for entity in &live {
        let now = *world.current(*entity);
        world.set_old(*entity, now);
    }
    world.live = live;
}
