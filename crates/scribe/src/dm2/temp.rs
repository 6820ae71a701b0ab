//! Temporary entities, id 0x03 (M2 3.4, wire C4, errata section 2 rows 1 to 7).

use crate::{Message, Wire};

fn kind_of(kind: u8) -> Wire {
    Wire::id(0x03).u8(kind)
}

/// At a place.
pub fn temp_point(kind: u8, origin: [f32; 3]) -> Message {
    kind_of(kind).pos16(origin).done()
}

/// At a place, facing one of 162 directions.
pub fn temp_impact(kind: u8, origin: [f32; 3], direction: u8) -> Message {
    kind_of(kind).pos16(origin).u8(direction).done()
}

/// Between two places.
pub fn temp_line(kind: u8, origin: [f32; 3], end: [f32; 3]) -> Message {
    kind_of(kind).pos16(origin).pos16(end).done()
}

/// Kinds 10, 15, 25, 29: a number of particles in a direction and a color or kind of splash.
pub fn temp_splash(kind: u8, count: u8, origin: [f32; 3], direction: u8, style: u8) -> Message {
    kind_of(kind).u8(count).pos16(origin).u8(direction).u8(style).done()
}

/// Kinds 16, 19, 38, 39: a beam that belongs to an entity.
pub fn temp_beam(kind: u8, entity: i16, origin: [f32; 3], end: [f32; 3]) -> Message {
    kind_of(kind).i16(entity).pos16(origin).pos16(end).done()
}

/// Kind 24: the grapple, with the offset of the hand.
pub fn temp_grapple(entity: i16, origin: [f32; 3], end: [f32; 3], offset: [f32; 3]) -> Message {
    kind_of(24).i16(entity).pos16(origin).pos16(end).pos16(offset).done()
}

/// The arguments of [`temp_flame`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flame {
    /// The entity.
    pub entity: i16,
    /// Some number.
    pub count: i16,
    /// Start, origin and the four further places.
    pub places: [[f32; 3]; 6],
}

/// Kind 32, whose layout only M2 describes; every engine stops at it (errata 2.4).
pub fn temp_flame(flame: &Flame) -> Message {
    kind_of(32).i16(flame.entity).i16(flame.count).each(flame.places, Wire::pos16).done()
}

/// Kind 33: lightning between two entities. By M2 the first one is its target, by errata 2.5 its origin.
pub fn temp_lightning(first: i16, second: i16, first_place: [f32; 3], second_place: [f32; 3]) -> Message {
    kind_of(33).i16(first).i16(second).pos16(first_place).pos16(second_place).done()
}

/// Kind 36: a torch light.
pub fn temp_flashlight(origin: [f32; 3], entity: i16) -> Message {
    kind_of(36).pos16(origin).i16(entity).done()
}

/// Kind 37: a wall of particles. The color is a byte (errata 2.1, against M2).
pub fn temp_forcewall(origin: [f32; 3], end: [f32; 3], color: u8) -> Message {
    kind_of(37).pos16(origin).pos16(end).u8(color).done()
}

/// The arguments of [`temp_steam`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steam {
    /// -1 for a single puff.
    pub id: i16,
    /// Number of particles.
    pub count: u8,
    /// The position.
    pub origin: [f32; 3],
    /// One of 162 directions.
    pub direction: u8,
    /// Color.
    pub color: u8,
    /// Speed.
    pub magnitude: i16,
    /// The duration in milliseconds; written unless the id is -1.
    pub wait: i32,
}

/// Kind 40: steam.
pub fn temp_steam(steam: &Steam) -> Message {
    kind_of(40)
        .i16(steam.id)
        .u8(steam.count)
        .pos16(steam.origin)
        .u8(steam.direction)
        .u8(steam.color)
        .i16(steam.magnitude)
        .opt((steam.id != -1).then_some(steam.wait), Wire::i32)
        .done()
}

/// Kind 50: a beam goes out.
pub fn temp_widow(id: i16, origin: [f32; 3]) -> Message {
    kind_of(50).i16(id).pos16(origin).done()
}

/// An example of a kind, `None` above 55. Kinds 26 and 27 changed places with protocol 32. Id's engine
/// refuses kinds 31 and 32; 31 is written as a line, the form in which the one engine that knows it reads it
/// (errata 2.3).
pub fn temp_example(protocol: i32, kind: u8) -> Option<Message> {
    let origin = [128.0, -64.125, 24.0];
    let end = [-512.0, 300.5, 4095.875];
    let third = [1.0, 2.0, -3.5];
    let swapped = if protocol < 32 { 27 } else { 26 };
    let example = match kind {
        5..=8 | 17 | 18 | 20..=22 | 28 | 35 | 45 | 47..=49 | 51..=54 => temp_point(kind, origin),
        26 | 27 if kind == swapped => temp_impact(kind, origin, 5),
        0..=2 | 4 | 9 | 12..=14 | 30 | 42..=44 | 46 | 55 => temp_impact(kind, origin, 161),
        3 | 11 | 23 | 26 | 27 | 31 | 34 | 41 => temp_line(kind, origin, end),
        10 | 15 | 25 | 29 => temp_splash(kind, 9, origin, 0, 4),
        16 | 19 | 38 | 39 => temp_beam(kind, 300, origin, end),
        24 => temp_grapple(1, origin, end, third),
        32 => temp_flame(&Flame { entity: 7, count: 2, places: [origin, end, third, origin, end, third] }),
        33 => temp_lightning(7, 8, origin, end),
        36 => temp_flashlight(origin, 12),
        37 => temp_forcewall(origin, end, 0xD0),
        40 => temp_steam(&steam(3)),
        50 => temp_widow(20001, origin),
        _ => return None,
    };
    Some(example)
}

/// Steam with the given id.
pub(super) fn steam(id: i16) -> Steam {
    Steam { id, count: 20, origin: [8.0, 16.0, -24.5], direction: 3, color: 0xE0, magnitude: 60, wait: 1500 }
}
