//! Version 1 of Dzip: no archive with it is available, so this file contains a small writer, made from the document
//! alone. It invents a game of moving entities, and writes it both as a recording and in the packed form of version 1.

use crate::build::{dzip, unpack};
use moviola_container::{Walk, WalkOptions};
use std::io::{Cursor, Read};

#[derive(Clone, Copy, Default, PartialEq)]
struct Thing {
    model: u8,
    frame: u8,
    colormap: u8,
    skin: u8,
    effects: u8,
    origin: [i16; 3],
    angles: [u8; 3],
    no_lerp: bool,
}

/// Pseudo-random numbers.
struct Dice(u32);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % sides
    }
}

/// The recording and its packed form.
#[derive(Default)]
struct Both {
    demo: Vec<u8>,
    packed: Vec<u8>,
}

impl Both {
    /// Adds a message that is the same in both forms.
    fn same(&mut self, bytes: &[u8]) {
        self.demo.extend(bytes);
        self.packed.extend(bytes);
    }
}

const COUNT: usize = 700;

/// Writes an update in the game's form.
fn update(number: usize, now: &Thing, base: &Thing, out: &mut Vec<u8>) {
    let mut flags = 0x80_u16;
    let mut fields = Vec::new();
    let long = number > 255;
    let mut byte = |flag: u16, now: u8, base: u8| {
        if now != base {
            flags |= flag;
            fields.push(now);
        }
    };
    byte(0x0400, now.model, base.model);
    byte(0x0040, now.frame, base.frame);
    byte(0x0800, now.colormap, base.colormap);
    byte(0x1000, now.skin, base.skin);
    byte(0x2000, now.effects, base.effects);
    for (axis, (place, turn)) in
        [(0x0002, 0x0100), (0x0004, 0x0010), (0x0008, 0x0200)].into_iter().enumerate()
    {
        if now.origin[axis] != base.origin[axis] {
            flags |= place;
            fields.extend(now.origin[axis].to_le_bytes());
        }
        if now.angles[axis] != base.angles[axis] {
            flags |= turn;
            fields.push(now.angles[axis]);
        }
    }
    flags |= u16::from(now.no_lerp) << 5 | u16::from(long) << 14;
    flags |= u16::from(flags > 0xFF);
    out.push(flags as u8);
    if flags > 0xFF {
        out.push((flags >> 8) as u8);
    }
    out.push(number as u8);
    if long {
        out.push((number >> 8) as u8);
    }
    out.extend(fields);
}

/// The entity as a difference from its last written state: a word with number and flags, then the values.
fn difference(number: usize, now: &Thing, old: &Thing) -> (u32, Vec<u8>) {
    let mut mask = number as u32 & 0x1FF | if number >= 0x200 { 0x0800_0000 } else { 0 };
    let mut values = Vec::new();
    if now.model != old.model {
        mask |= 0x01_0000;
        values.push(now.model);
    }
    match now.frame.wrapping_sub(old.frame) {
        0 => {}
        1 => mask |= 0x0200,
        by => {
            mask |= 0x08_0000;
            values.push(by);
        }
    }
    for (bit, now, old) in [
        (0x0100_0000, now.colormap, old.colormap),
        (0x0200_0000, now.skin, old.skin),
        (0x0400_0000, now.effects, old.effects),
    ] {
        if now != old {
            mask |= bit;
            values.push(now);
        }
    }
    let bits = [(0x0400, 0x10_0000, 0x2000), (0x0800, 0x20_0000, 0x4000), (0x1000, 0x40_0000, 0x02_0000)];
    for (axis, (by, to, turn)) in bits.into_iter().enumerate() {
        let far = i32::from(now.origin[axis]) - i32::from(old.origin[axis]);
        if let Ok(step) = i8::try_from(far) {
            if step != 0 {
                mask |= by;
                values.push(step as u8);
            }
        } else {
            mask |= to;
            values.extend(now.origin[axis].to_le_bytes());
        }
        if now.angles[axis] != old.angles[axis] {
            mask |= turn;
            values.push(now.angles[axis].wrapping_sub(old.angles[axis]));
        }
    }
    if now.no_lerp != old.no_lerp {
        mask |= 0x04_0000;
    }
    // The third and the fourth byte are announced by the bytes before them.
    mask |= if mask >> 24 != 0 { 0x80_8000 } else { 0 };
    mask |= if mask >> 16 != 0 { 0x8000 } else { 0 };
    (mask, values)
}

fn mask_bytes(mask: u32) -> Vec<u8> {
    let length = if mask & 0x80_0000 != 0 {
        4
    } else if mask & 0x8000 != 0 {
        3
    } else {
        2
    };
    mask.to_le_bytes()[..length].to_vec()
}

/// Adds a block to the recording and to the packed form, in which the view is a difference from the block
/// before.
fn block(all: &mut Both, view: u32, old_view: u32, inner: &Both) {
    all.demo.extend((inner.demo.len() as u32).to_le_bytes());
    for angle in [0, view, 0] {
        all.demo.extend(angle.to_le_bytes());
    }
    all.demo.extend(&inner.demo);
    all.packed.push(if view == old_view { 0 } else { 2 });
    if view != old_view {
        all.packed.extend(view.wrapping_sub(old_view).to_le_bytes());
    }
    all.packed.extend(&inner.packed);
    all.packed.push(0);
}

fn recording() -> Both {
    let mut dice = Dice(7);
    let mut all = Both::default();
    all.same(b"-1\n");
    let mut inner = Both::default();
    inner.same(b"\x0b\x0f\0\0\0\x01\0the level\0maps/a.bsp\0\0misc/a.wav\0\0");
    let mut base = vec![Thing::default(); COUNT];
    // Baselines of entities 1 to 5, each at another position.
    for (number, base) in base.iter_mut().enumerate().take(6).skip(1) {
        *base = Thing { model: number as u8, origin: [-5, 6, 700], ..Thing::default() };
        inner.demo.extend([22, number as u8, 0, number as u8, 0, 0, 0]);
        inner.packed.extend([22, 1, 0x20, number as u8]);
        for place in base.origin {
            inner.demo.extend(place.to_le_bytes());
            inner.demo.push(0);
            inner.packed.extend(place.to_le_bytes());
        }
    }
    block(&mut all, 0, 0, &inner);
    let mut old = base.clone();
    let mut present = vec![false; COUNT];
    let (mut view, mut clock, mut health) = (0, 0_u32, 100_u16);
    for turn in 0..300_u32 {
        let mut inner = Both::default();
        clock = clock.wrapping_add(dice.roll(1 << 20));
        inner.demo.push(7);
        inner.demo.extend(clock.to_le_bytes());
        inner.packed.push(if turn % 2 == 0 { 7 } else { 35 });
        let before = all_clock(&all.demo);
        inner.packed.extend(clock.wrapping_sub(before).to_le_bytes());
        clientdata(&mut inner, &mut dice, &mut health, turn);
        write_entities(&mut inner, &mut dice, &base, &mut old, &mut present);
        // A sound is stored unchanged, and so is an update that follows other messages.
        inner.same(b"\x06\x03\x40\x20\x11\x00\x05\x01\0\x02\0\x03\0");
        inner.same(b"\xC9\x08\x01\x09\x22\xff\xff");
        let next = if dice.roll(3) == 0 { dice.roll(1 << 20) } else { view };
        block(&mut all, next, view, &inner);
        view = next;
    }
    all.packed.extend(b"\xff\x04\0\0\0tail");
    all.demo.extend(b"tail");
    all
}

/// The time of the recording's last block, if the block begins with one, or 0.
fn all_clock(demo: &[u8]) -> u32 {
    let (mut at, mut clock) = (3, 0);
    while at < demo.len() {
        let length = u32::from_le_bytes(demo[at..at + 4].try_into().unwrap()) as usize;
        if demo[at + 16] == 7 {
            clock = u32::from_le_bytes(demo[at + 17..at + 21].try_into().unwrap());
        }
        at += 16 + length;
    }
    clock
}

/// Health falls, the first ammunition depends on the turn; in every second message the velocity is sent although it is
/// 0.
fn clientdata(inner: &mut Both, dice: &mut Dice, health: &mut u16, turn: u32) {
    let by = dice.roll(5) as u16;
    *health = health.wrapping_sub(by);
    let kept = turn % 2 == 1;
    inner.demo.extend([15, if kept { 0x20 } else { 0 }, 0x02]);
    if kept {
        inner.demo.push(0);
    }
    inner.demo.extend(0x4001_u32.to_le_bytes());
    inner.demo.extend(health.to_le_bytes());
    inner.demo.extend([turn as u8, 0, 0, 0, 0, 0]);
    // Mask F1, then 2000 and 0100, then 040000 at bits 16 to 23. The initial health is 0.
    let by = if turn == 0 { *health } else { by.wrapping_neg() };
    inner.packed.extend([0xF1, 0x21, 0x04]);
    inner.packed.extend(by.to_le_bytes());
    inner.packed.push(u8::from(turn > 0));
    if turn > 0 {
        inner.packed.push(0xE1);
    }
}

/// Entities appear, move and disappear.
fn write_entities(
    inner: &mut Both,
    dice: &mut Dice,
    base: &[Thing],
    old: &mut [Thing],
    present: &mut [bool],
) {
    let gone: Vec<usize> = (1..COUNT).filter(|at| present[*at] && dice.roll(20) == 0).collect();
    if !gone.is_empty() {
        inner.packed.push(0x83);
        for at in gone {
            inner.packed.extend((at as u16).to_le_bytes());
            (present[at], old[at]) = (false, base[at]);
        }
        inner.packed.extend([0, 0]);
    }
    let mut changes = Vec::new();
    let news = [dice.roll(250), 250 + dice.roll(50), 510 + dice.roll(180)].map(|at| at as usize + 1);
    for at in 1..COUNT {
        if !(news.contains(&at) || present[at] && dice.roll(2) == 0) {
            continue;
        }
        present[at] = true;
        let mut now = old[at];
        match dice.roll(8) {
            0 => now.origin = [dice.roll(0x8000) as i16, 5, -(dice.roll(0x8000) as i16)],
            1 => now.model = dice.roll(256) as u8,
            2 => (now.colormap, now.effects) = (dice.roll(9) as u8, dice.roll(9) as u8),
            3 => (now.skin, now.no_lerp) = (dice.roll(9) as u8, !now.no_lerp),
            4 => now.angles = [9, 8, 7].map(|sides| dice.roll(sides) as u8),
            5 => now.frame = dice.roll(256) as u8,
            _ => now.frame = now.frame.wrapping_add(1),
        }
        now.origin[1] = now.origin[1].wrapping_add(dice.roll(200) as i16 - 100);
        changes.push((at, difference(at, &now, &old[at])));
        old[at] = now;
    }
    // If a list begins with entity 1, the low byte of its first word, which is 1, may be omitted.
    let short = matches!(changes.first(), Some((1, (mask, _))) if *mask & 0xFF == 1);
    inner.packed.push(match (changes.is_empty(), short) {
        (true, _) => 0x82,
        (_, true) => 0x81,
        _ => 0x80,
    });
    for (number, (_, (mask, values))) in changes.iter().enumerate() {
        let skip = usize::from(short && number == 0);
        inner.packed.extend(&mask_bytes(*mask)[skip..]);
        inner.packed.extend(values);
    }
    if !changes.is_empty() {
        inner.packed.extend([0, 0]);
    }
    for at in (1..COUNT).filter(|at| present[*at]) {
        update(at, &old[at], &base[at], &mut inner.demo);
    }
}

#[test]
fn a_recording_packed_by_version_one_comes_back() {
    let Both { demo, packed } = recording();
    assert!(demo.len() > 100_000 && packed.len() < demo.len() / 2, "{} {}", demo.len(), packed.len());
    let text = b"some text";
    let archive =
        dzip(1, &[("a.txt", 2, 0, text, text), ("run.dem", 1, 0, &demo, &packed), ("b", 0, 0, b"", b"")]);
    let found = unpack(&archive, WalkOptions::default());
    assert_eq!(found[0], ("a.txt".to_owned(), Ok(text.to_vec())));
    let got = found[1].1.as_ref().unwrap_or_else(|error| panic!("{error}"));
    assert!(*got == demo, "differs at {:?}", got.iter().zip(&demo).position(|(a, b)| a != b));
    assert_eq!(found[2], ("b".to_owned(), Ok(Vec::new())));
}

#[test]
fn files_of_the_one_stream_can_be_read_in_any_order() {
    let files: Vec<Vec<u8>> = (0..4_u8).map(|at| vec![at; 100_000]).collect();
    let rows: Vec<crate::build::File<'_>> = files.iter().map(|it| ("x", 0, 0, &it[..], &it[..])).collect();
    let walk = Walk::new(Cursor::new(dzip(1, &rows)), WalkOptions::default()).unwrap();
    let mut entries: Vec<_> = walk.map(Result::unwrap).collect();
    let mut half = vec![0; 50_000];
    for at in [2, 0, 3, 1] {
        entries[at].read_exact(&mut half).unwrap();
    }
    for at in [3, 1, 0, 2] {
        let mut rest = Vec::new();
        entries[at].read_to_end(&mut rest).unwrap();
        assert_eq!(rest, vec![at as u8; 50_000]);
    }
}
