//! The records of a block in versions 2 and 3: most are unchanged messages.
//!
//! This crate does not depend on the one that reads recordings, so the lengths of messages are repeated here as Dzip
//! knows them: it knows fewer messages than exist, and one under another id. A test compares it with the output of the
//! independent writer.

use super::packed_reader::PackedReader;
use super::world::World;
use super::{Version, changes};
use std::io::{self, Read};

/// Reads a record after its first byte, and writes its messages.
pub(crate) fn read<R: Read>(
    feed: &mut PackedReader<R>,
    world: &mut World,
    first: u8,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    match first {
        0x30..=0x37 => changes::read(feed, world, out),
        0x40..=0x4F => world.player.read(feed, first, out),
        0x38..=0x3F | 0x60..=0x7F => sound(feed, world, first, out),
        0x80..=0xFF => update(feed, world, first, out),
        6 => Err(feed.fault("a sound that is not packed")),
        7 => {
            let by = feed.short()?.into();
            time(world, by, out);
            Ok(())
        }
        _ => message(feed, world, first, out),
    }
}

/// Copies a message that has the same form in every version.
pub(crate) fn message<R: Read>(
    feed: &mut PackedReader<R>,
    world: &mut World,
    first: u8,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    if first == 35 {
        let by = feed.read_u32()?;
        time(world, by, out);
        return Ok(());
    }
    if matches!(first, 22 | 42) {
        return baseline(feed, world, first, out);
    }
    // The message with id 35 has id 38 in the packed form, where 35 is the long time.
    out.push(if first == 38 { 35 } else { first });
    let rest = match first {
        1 | 2 | 21 | 27 | 28 | 30 | 33 => 0,
        24 | 25 => 1,
        3 | 41 => 5,
        4 => 4,
        5 | 16 | 17 | 32 => 2,
        10 | 14 => 3,
        18 => 11,
        19 => 8,
        20 => 13,
        29 => 9,
        44 => 10,
        8 | 9 | 26 | 31 | 34 | 36 | 37 => {
            feed.string(out)?;
            0
        }
        12 | 13 => {
            feed.copy(1, out)?;
            feed.string(out)?;
            0
        }
        38 => {
            feed.string(out)?;
            feed.string(out)?;
            2
        }
        11 => return serverinfo(feed, world, out),
        23 => temp_entity(feed, out)?,
        43 => {
            let bits = feed.byte()?;
            out.push(bits);
            13 + (bits & 7).count_ones() as usize
        }
        _ => return Err(feed.fault("an unknown message")),
    };
    feed.copy(rest, out)
}

/// The number of bytes after the kind of a temporary entity, after its string if it has one.
fn temp_entity<R: Read>(feed: &mut PackedReader<R>, out: &mut Vec<u8>) -> io::Result<usize> {
    let kind = feed.byte()?;
    out.push(kind);
    Ok(match kind {
        0..=4 | 7 | 8 | 10 | 11 | 14 | 15 => 6,
        5 | 6 | 9 | 13 => 14,
        12 => 8,
        16 => 12,
        17 => {
            feed.string(out)?;
            14
        }
        _ => return Err(feed.fault("an unknown temporary entity")),
    })
}

/// Handles the beginning of a level, and stores its protocol.
fn serverinfo<R: Read>(feed: &mut PackedReader<R>, world: &mut World, out: &mut Vec<u8>) -> io::Result<()> {
    let protocol = feed.read_u32()?;
    out.extend(protocol.to_le_bytes());
    feed.copy(2, out)?;
    feed.string(out)?;
    // The names of models, then of sounds.
    for _ in 0..2 {
        while !feed.string(out)? {}
    }
    world.cursor = 0;
    world.extended = world.version == Version::Three && protocol != 15;
    Ok(())
}

/// Moves the clock, whose bits are those of a float.
fn time(world: &mut World, by: u32, out: &mut Vec<u8>) {
    world.clock = world.clock.wrapping_add(by);
    out.push(7);
    out.extend(world.clock.to_le_bytes());
}

/// Reads an entity's state at the start of a level.
fn baseline<R: Read>(
    feed: &mut PackedReader<R>,
    world: &mut World,
    first: u8,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let w = feed.short()?;
    let (entity, m) = if first == 22 {
        // The step has ten bits; the other six bits are flags.
        world.cursor = world.cursor.wrapping_add(w) & 0x3FF;
        (world.cursor, w >> 8 & 0xFC)
    } else {
        let mut m = u16::from(feed.byte()?);
        if m & 0x01 != 0 {
            m |= u16::from(feed.byte()?) << 8;
        }
        (w, m)
    };
    let Some((_, base)) = world.change(entity) else {
        return Err(feed.fault("an entity's number is too large"));
    };
    let value = |feed: &mut PackedReader<R>, wide: u16| {
        if m & wide != 0 { feed.short() } else { feed.byte().map(u16::from) }
    };
    *base = super::entity::Entity::default();
    base.model = value(feed, 0x0200)?;
    if m & 0x04 != 0 {
        base.frame = value(feed, 0x0400)?;
    }
    if m & 0x08 != 0 {
        base.colormap = feed.byte()?;
    }
    if m & 0x10 != 0 {
        base.skin = feed.byte()?;
    }
    if m & 0x20 != 0 {
        for place in &mut base.origin {
            *place = feed.whole()?;
        }
    }
    let [angle0, angle1, angle2] = &mut base.angles;
    if m & 0x40 != 0 {
        *angle1 = feed.byte()?;
    }
    if m & 0x80 != 0 {
        *angle0 = feed.byte()?;
        *angle2 = feed.byte()?;
    }
    if m & 0x0800 != 0 {
        base.alpha = feed.byte()?;
    }
    let base = *base;
    world.rebase = true;
    // A plain baseline whose number has more than ten bits must be stored in the other form.
    let is_plain = first == 22 || m & 0x0100 != 0;
    out.push(if is_plain { 22 } else { 42 });
    out.extend(entity.to_le_bytes());
    if !is_plain {
        out.push((m >> 9 & 0x07) as u8);
    }
    for (number, wide) in [(base.model, 0x0200), (base.frame, 0x0400)] {
        let length = if m & wide != 0 { 2 } else { 1 };
        out.extend(number.to_le_bytes().into_iter().take(length));
    }
    out.extend([base.colormap, base.skin]);
    for (place, angle) in base.origin.into_iter().zip(base.angles) {
        out.extend((place as u16).to_le_bytes());
        out.push(angle);
    }
    if m & 0x0800 != 0 {
        out.push(base.alpha);
    }
    Ok(())
}

/// Reads a sound, whose position is relative to the entity that makes it.
fn sound<R: Read>(feed: &mut PackedReader<R>, world: &World, first: u8, out: &mut Vec<u8>) -> io::Result<()> {
    const LONG_ENTITY: u8 = 0x08;
    const LONG_SOUND: u8 = 0x10;
    // If the record has bits for them, two flags are stored inverted.
    let large = if first >= 0x60 { !first & (LONG_ENTITY | LONG_SOUND) } else { 0 };
    let flags = first & 0x07 | large;
    out.extend([6, flags]);
    // not from SCHEMA: a flag of Dzip's own record
    feed.copy((flags & 0x03).count_ones() as usize, out)?;
    let entity = feed.short()?;
    let entity = if flags & LONG_ENTITY != 0 {
        out.extend(entity.to_le_bytes());
        feed.copy(1, out)?;
        entity
    } else {
        // The channel is stored as its distance to 2, so that the usual ones are small.
        let channel = 2_u16.wrapping_sub(entity & 7) & 7;
        out.extend((entity & 0xFFF8 | channel).to_le_bytes());
        entity >> 3
    };
    feed.copy(if flags & LONG_SOUND != 0 { 2 } else { 1 }, out)?;
    if entity >= 0x8000 {
        // The six bytes of the position follow as separate records.
        return Ok(());
    }
    for place in world.current(entity).origin {
        out.extend(feed.short()?.wrapping_add(place as u16).to_le_bytes());
    }
    Ok(())
}

/// Reads an update of an entity after the group: it is stored unchanged, and does not change the state.
pub(crate) fn update<R: Read>(
    feed: &mut PackedReader<R>,
    world: &World,
    first: u8,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    out.push(first);
    let mut f = u16::from(first & 0x7F);
    if f & 0x01 != 0 {
        let more = feed.byte()?;
        out.push(more);
        f |= u16::from(more) << 8;
    }
    let mut rest = 1;
    if f & 0x8000 != 0 && world.version == Version::Three {
        if !world.extended {
            return Err(feed.fault("an update with flags of another protocol"));
        }
        // A third byte of flags. The fields that it announces follow as separate records.
        rest += 1;
    }
    // One byte each: a long number, model, frame, colormap, skin, effects, three angles.
    rest += (f & (0x4000 | 0x0400 | 0x40 | 0x0800 | 0x1000 | 0x2000 | 0x0100 | 0x10 | 0x0200)).count_ones();
    rest += 2 * (f & 0x0E).count_ones();
    feed.copy(rest as usize, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_scribe::dem::{Variant, dem_messages};
    use std::collections::BTreeSet;

    /// The ids of messages that Dzip does not copy: it encodes the clock, sounds, states, updates and baselines in its
    /// own records, and does not know the newer ones.
    const OTHERWISE: [u8; 8] = [0, 6, 7, 15, 22, 40, 42, 51];
    /// Dzip assumes that fog is one byte shorter than it is, and reads its last byte as the next record.
    const FOG: u8 = 41;

    #[test]
    fn messages_are_as_long_as_in_recordings() {
        let (mut known, mut others) = (BTreeSet::new(), BTreeSet::new());
        for variant in [Variant::NetQuake, Variant::Nehahra, Variant::Fitz] {
            for (name, bytes) in dem_messages(variant) {
                let [first, rest @ ..] = &bytes[..] else { panic!("{name} is empty") };
                if OTHERWISE.contains(first) || *first >= 128 {
                    others.insert(*first);
                    continue;
                }
                let mut world = World::new(Version::Three);
                let (mut feed, mut out) = (PackedReader::new(rest), Vec::new());
                message(&mut feed, &mut world, if *first == 35 { 38 } else { *first }, &mut out).unwrap();
                let left = usize::from(*first == FOG);
                assert_eq!(out, bytes[..bytes.len() - left], "{name}");
                feed.copy(left, &mut out).unwrap();
                assert_eq!(feed.peek().unwrap(), None, "{name}");
                known.insert(*first);
            }
        }
        assert!(known.len() > 30 && OTHERWISE.iter().all(|id| others.contains(id)), "{known:?} {others:?}");
    }
}
