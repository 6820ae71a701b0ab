//! Temporary entities, id 0x17 (D2 7.24, wire A1.4).

use super::Net;
use crate::{Message, Wire};

/// A temporary entity at a place: kinds 0 to 4, 7, 8, 10, 11.
pub fn temp_point(net: &Net, kind: u8, origin: [f32; 3]) -> Message {
    Wire::id(0x17).u8(kind).pos(net.coord, origin).done()
}

/// The arguments of [`temp_beam`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TeBeam {
    /// 5, 6, 9 for lightning, 13 for the grapple.
    pub kind: u8,
    /// The entity that it belongs to.
    pub entity: i16,
    /// Its start.
    pub origin: [f32; 3],
    /// Its end.
    pub end: [f32; 3],
}

/// A temporary entity between two places.
pub fn temp_beam(net: &Net, beam: &TeBeam) -> Message {
    let wire = Wire::id(0x17).u8(beam.kind).i16(beam.entity);
    wire.pos(net.coord, beam.origin).pos(net.coord, beam.end).done()
}

/// Kind 12: a colored explosion, since 1.08.
pub fn temp_explosion2(net: &Net, origin: [f32; 3], color: u8, range: u8) -> Message {
    Wire::id(0x17).u8(12).pos(net.coord, origin).u8(color).u8(range).done()
}

/// Kind 16, Nehahra: an explosion with a color given as three coordinates (wire A1.4).
pub fn temp_explosion3(net: &Net, origin: [f32; 3], rgb: [f32; 3]) -> Message {
    Wire::id(0x17).u8(16).pos(net.coord, origin).pos(net.coord, rgb).done()
}

/// Kind 17, Nehahra: a beam drawn with the named model (wire A1.4).
pub fn temp_lightning4(net: &Net, model: &str, entity: i16, origin: [f32; 3], end: [f32; 3]) -> Message {
    Wire::id(0x17).u8(17).str0(model).i16(entity).pos(net.coord, origin).pos(net.coord, end).done()
}

/// An example of a kind; `None` for a kind that no released engine of this family knows (14 and 15 exist only
/// in test builds).
pub fn temp_example(net: &Net, kind: u8) -> Option<Message> {
    let origin = [480.0, -352.5, 88.125];
    let end = [512.0, -256.0, 64.0];
    match kind {
        0..=4 | 7 | 8 | 10 | 11 => Some(temp_point(net, kind, origin)),
        5 | 6 | 9 | 13 => Some(temp_beam(net, &TeBeam { kind, entity: 44, origin, end })),
        12 => Some(temp_explosion2(net, origin, 208, 8)),
        16 => Some(temp_explosion3(net, origin, [1.0, 0.5, 0.25])),
        17 => Some(temp_lightning4(net, "progs/bolt4.mdl", 1, origin, end)),
        _ => None,
    }
}
