//! The group of entity changes in versions 2 and 3: first the numbers of the changed entities, then their changes.

use super::packed_reader::PackedReader;
use super::player::add_difference;
use super::{Version, world::World};
use std::io::{self, Read};

/// Reads a group after its first byte, and writes the updates that it encodes.
pub(crate) fn read<R: Read>(
    feed: &mut PackedReader<R>,
    world: &mut World,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    read_attention(feed, world)?;
    let mut live = std::mem::take(&mut world.live);
    let mut result = Ok(());
    live.retain(|entity| {
        let stays = if result.is_ok() { change(feed, world, *entity) } else { Ok(true) };
        stays.unwrap_or_else(|error| {
            result = Err(error);
            true
        })
    });
    world.live = live;
    result?;
    if feed.peek()? == Some(0x31) {
        feed.byte()?;
        read_keep(feed, world)?;
    }
    if feed.peek()? == Some(0x32) && world.version == Version::Three {
        feed.byte()?;
        read_high_keep(feed, world)?;
    }
    world.write_live(out);
    Ok(())
}

/// The entities that have bytes in this group, and those that have some in later groups.
#[allow(clippy::stable_sort_primitive)] // It merges two ascending runs in linear time, and the other does not.
fn read_attention<R: Read>(feed: &mut PackedReader<R>, world: &mut World) -> io::Result<()> {
    // A byte is a number, not a difference; FF raises the base of the numbers.
    let mut from = 0_u16;
    let mut news = Vec::new();
    loop {
        let by = feed.byte()?;
        if by == 0 {
            break;
        }
        if by == 0xFF {
            from = from.saturating_add(0xFE);
            continue;
        }
        let number = from.saturating_add(by.into());
        if !world.has(number.into()) {
            return Err(feed.fault("an entity's number is too large"));
        }
        if let Some((current, _)) = world.change(number) {
            current.is_listed = true;
        }
        news.push(number);
    }
    if !news.is_empty() {
        world.live.append(&mut news);
        world.live.sort();
        world.live.dedup();
    }
    Ok(())
}

/// Reads an entity's changes; returns whether it still exists.
fn change<R: Read>(feed: &mut PackedReader<R>, world: &mut World, entity: u16) -> io::Result<bool> {
    let (version, extended) = (world.version, world.extended);
    let Some((now, base)) = world.change(entity) else { return Ok(false) };
    let old = *now;
    for (place, step) in now.origin.iter_mut().zip(old.step) {
        *place = place.wrapping_add(step);
    }
    if !old.is_listed {
        return Ok(true);
    }
    let mut m = u32::from(feed.byte()?);
    match m {
        0 => {
            now.is_listed = false;
            return Ok(true);
        }
        0x80 => {
            *now = *base;
            return Ok(false);
        }
        _ => {}
    }
    if m & 0x80 != 0 {
        m |= u32::from(feed.byte()?) << 8;
        if m & 0x8000 != 0 {
            m |= u32::from(feed.byte()?) << 16;
        }
    }
    // From the last axis to the first, the order in the stream.
    let places = now.origin.iter_mut().zip(&mut now.step).zip(old.origin.into_iter().zip(old.step)).rev();
    for (((place, step), (old_place, old_step)), (by, to)) in
        places.zip([(0x01, 0x0800), (0x02, 0x0400), (0x04, 0x0200)])
    {
        if m & by != 0 {
            *step = old_step.wrapping_add(feed.step()?);
            *place = old_place.wrapping_add(*step);
        }
        if m & to != 0 {
            *place = feed.whole()?;
            *step = place.wrapping_sub(old_place);
        }
    }
    if m & 0x38 != 0 {
        for (angle, bit) in now.angles.iter_mut().zip([0x08, 0x10, 0x20]) {
            if m & bit != 0 {
                *angle = angle.wrapping_add(feed.byte()?);
            }
        }
    }
    if m & 0x40 != 0 {
        now.frame = old.frame.wrapping_add(1);
        if version != Version::Three {
            now.frame &= 0xFF;
        }
    }
    if m >> 8 == 0 {
        return Ok(true);
    }
    if m & 0x0100 != 0 {
        now.frame = add_difference(old.frame, feed.byte()?);
    }
    if m & 0x40_0000 != 0 {
        now.frame = feed.short()?;
    }
    if m & 0x1000 != 0 {
        now.effects = feed.byte()?;
    }
    if m & 0x2000 != 0 {
        now.model = now.model & 0xFF00 | u16::from(feed.byte()?);
    }
    if m & 0x20_0000 != 0 {
        now.model = now.model & 0x00FF | u16::from(feed.byte()?) << 8;
    }
    now.no_lerp ^= m & 0x4000 != 0;
    if m & 0x01_0000 != 0 {
        now.colormap = feed.byte()?;
    }
    if m & 0x02_0000 != 0 {
        now.skin = feed.byte()?;
    }
    if m & 0x04_0000 != 0 {
        if extended {
            now.alpha = feed.byte()?;
        } else {
            now.fade = feed.read_u32()?;
        }
    }
    if m & 0x08_0000 != 0 {
        let value = feed.byte()?;
        *(if extended { &mut now.scale } else { &mut now.glow }) = value;
    }
    if m & 0x10_0000 != 0 {
        now.lerp = feed.byte()?;
    }
    Ok(true)
}

/// Reads which unchanged fields are sent nevertheless, for entities below 1024.
pub(crate) fn read_keep<R: Read>(feed: &mut PackedReader<R>, world: &mut World) -> io::Result<()> {
    loop {
        let mut w = u32::from(feed.short()?);
        if w == 0 {
            return Ok(());
        }
        let mut kept_bits = !0x83FF_u32;
        if w & 0x8000 != 0 {
            w |= u32::from(feed.byte()?) << 16;
        }
        if world.extended {
            kept_bits &= !0x80_0000;
            if w & 0x80_0000 != 0 {
                w |= u32::from(feed.byte()?) << 24;
            }
        }
        if let Some((current, _)) = world.change((w & 0x3FF) as u16) {
            current.keep ^= w & kept_bits;
        }
    }
}

/// Reads which unchanged fields are sent nevertheless, for any entity; words have 15 bits for the number.
fn read_high_keep<R: Read>(feed: &mut PackedReader<R>, world: &mut World) -> io::Result<()> {
    loop {
        let mut w = u64::from(feed.short()?);
        if w == 0 {
            return Ok(());
        }
        let mut kept_bits = !0x807F_u32;
        w |= u64::from(feed.byte()?) << 16;
        if w & 0x80_0000 != 0 {
            w |= u64::from(feed.byte()?) << 24;
        }
        if world.extended {
            kept_bits &= !0x80_0000;
            if w & 0x8000_0000 != 0 {
                w |= u64::from(feed.byte()?) << 32;
            }
        }
        if let Some((current, _)) = world.change((w & 0x7FFF) as u16) {
            current.keep ^= (w >> 8) as u32 & kept_bits;
        }
    }
}
