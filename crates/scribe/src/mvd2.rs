//! MVD2, Q2PRO's recording of all players of Quake II (wire C7.5, and section 7 of the facts about QuakeWorld): one
//! small match that has every message, every field of a player and of an entity, and the odd things that real files
//! have: a sound with upper bits in its id, entities and players that are removed with other fields, and stats without a change.

use crate::Wire;

/// The number of messages of a [`mvd2_match`], without those inside of other messages.
pub const MVD2_MESSAGES: usize = 19;

/// The versions of a [`mvd2_match`].
pub const MVD2_VERSIONS: std::ops::RangeInclusive<u16> = 2009..=2013;

/// A small match of this version. Its second level ends without an end mark if it is `open`.
pub fn mvd2_match(version: u16, open: bool) -> Vec<u8> {
    let mut file = b"MVD2".to_vec();
    let mut block = |messages: &[Vec<u8>]| {
        let body = messages.concat();
        file.extend(Wire::new().u16(body.len() as u16).raw(&body).done());
    };
    block(&[level(version, 7, "The Edge")]);
    block(&[print(2, "[bot]grunt is ready!\n"), frame(&[player(0), player(1)], &[entity(0x102), entity(9)])]);
    // Letters with their lengths in the id's upper bits, and messages of Quake II inside.
    let layout = Wire::id(4).str0("xv 32 string \"scores\"").done();
    let long = Wire::id(11).str0("echo ".to_owned() + &"a".repeat(600) + "\n").done();
    let flash = Wire::id(1).i16(1).u8(128).done();
    block(&[
        letter(8, Some(Wire::new().u8(1)), &layout),
        letter(9, Some(Wire::new().u8(0)), &[long, layout.clone()].concat()),
        letter(10, None, &flash),
        letter(11, Some(Wire::new().u16(513)), &flash),
        letter(12, Some(Wire::new().u16(12)), &Wire::id(3).u8(5).each([8, 16, -8], Wire::i16).done()),
        letter(13, None, &Wire::id(10).u8(3).str0("hello").done()),
        letter(14, Some(Wire::new().u16(0)), &flash),
        // A string without its NUL, and bytes that are not a message.
        letter(15, Some(Wire::new().u16(1)), b"\x0fcut off"),
        letter(8, Some(Wire::new().u8(1)), b"\x06\xee\x01"),
    ]);
    block(&[
        configstring(1312, "grunt\\male/grunt"),
        Wire::id(16).u8(0x1B).u8(7).u8(128).u8(64).u8(20).u16(1 << 3 | 2).done(),
        Wire::id(16 | 1 << 5).u8(0x28).u16(300).u16(9 << 3).done(),
        Wire::id(1).done(),
        frame(&[removed_player(1)], &[removed_entity(9)]),
    ]);
    block(&[level(version, 8, "Outer Base"), frame(&[], &[])]);
    if !open {
        file.extend([0, 0]);
    }
    file
}

/// A level begins; up to version 2011 the flags are in the upper bits of the id.
fn level(version: u16, key: i32, title: &str) -> Vec<u8> {
    const NO_MESSAGES: u16 = 1;
    let head = if version < 2012 { Wire::id(4 | (NO_MESSAGES as u8) << 5) } else { Wire::id(4) };
    let head = head.i32(37).u16(version);
    let head = if version < 2012 { head } else { head.u16(NO_MESSAGES) };
    let text = |wire: Wire, (index, text): (u16, &str)| wire.u16(index).str0(text);
    let texts =
        [(0, title), (30, "8"), (33, "maps/q2dm1.bsp"), (34, "models/items/a.md2"), (1313, "bot\\female/a")];
    let head = texts.into_iter().fold(head.i32(key).str0("opentdm").i16(0), text);
    let frame = frame(&[player(0)], &[entity(1)]);
    head.u16(2080).raw(frame.get(1..).unwrap_or_default()).done()
}

fn frame(players: &[Vec<u8>], entities: &[Vec<u8>]) -> Vec<u8> {
    Wire::id(6)
        .u8(2)
        .raw(&[0xFF, 3])
        .raw(&players.concat())
        .u8(255)
        .raw(&entities.concat())
        .u8(0)
        .u8(0)
        .done()
}

/// A player with every field but the mark of a removal.
fn player(number: u8) -> Vec<u8> {
    fields_of_player(Wire::new().u8(number).u16(0x7FFF)).u32(1 << 1 | 1 << 13).i16(100).i16(-1).done()
}

/// The fields of a player in their order: 0 to 6, 9 to 12, 7, 8, 13.
fn fields_of_player(wire: Wire) -> Wire {
    wire.u8(4)
        .each([800, -80], Wire::i16)
        .i16(192)
        .each([0, 1, 88], Wire::i8)
        .each([-5461, 16384], Wire::i16)
        .i16(64)
        .each([1, -2, 3], Wire::i8)
        .u8(23)
        .u8(9)
        .each([4, 5, 6], Wire::i8)
        .each([-4, -5, -6], Wire::i8)
        .each([255, 0, 0, 64], Wire::u8)
        .u8(90)
        .u8(1)
}

/// A player who is removed, with a field of view and stats without a change.
fn removed_player(number: u8) -> Vec<u8> {
    Wire::new().u8(number).u16(0xC100).u8(110).u32(0).done()
}

/// An entity with models, frame, skin, effects, place, angles, sound, event and size.
fn entity(number: u16) -> Vec<u8> {
    let long = number > 255;
    let bits: u32 = 0x0C80_8080 | 0x01 | 0x02 | 0x200 | 0x04 | 0x10 | 0x20 | 0x800 | 0x1_0000 | 0x4000;
    let wire = Wire::new().u32(if long { bits | 0x100 } else { bits });
    let wire = if long { wire.u16(number) } else { wire.u8(number as u8) };
    let wire = wire.u8(255).u8(17).u8(1).u8(2).each([800, -80, 192], Wire::i16).i8(64);
    wire.u8(3).u8(5).i16(0x1234).done()
}

/// An entity that is removed, and moves nevertheless.
fn removed_entity(number: u8) -> Vec<u8> {
    Wire::new().u8(0x41).u8(number).i16(808).done()
}

fn print(level: u8, text: &str) -> Vec<u8> {
    Wire::id(17).u8(level).str0(text).done()
}

fn configstring(index: u16, text: &str) -> Vec<u8> {
    Wire::id(5).u16(index).str0(text).done()
}

/// Messages of Quake II for one client, or for all near a leaf, or for all. Three bits of their length are in the id.
fn letter(op: u8, place: Option<Wire>, data: &[u8]) -> Vec<u8> {
    let length = data.len();
    let head = Wire::id(op | ((length >> 8) as u8) << 5).u8(length as u8);
    head.raw(&place.map(Wire::done).unwrap_or_default()).raw(data).done()
}
