//! The messages of the Nehahra films (wire A1.7).

use crate::{Message, Wire};

/// Id 0x23: shows a picture. Outside of Nehahra `DarkPlaces` writes shorts for the position; that form is not
/// written here.
pub fn showlmp(slot: &str, picture: &str, x: u8, y: u8) -> Message {
    Wire::id(0x23).str0(slot).str0(picture).u8(x).u8(y).done()
}

/// Id 0x24: hides it.
pub fn hidelmp(slot: &str) -> Message {
    Wire::id(0x24).str0(slot).done()
}

/// Id 0x33: fog, or with `None` its end.
pub fn nehahra_fog(fog: Option<(f32, [u8; 3])>) -> Message {
    match fog {
        Some((density, rgb)) => Wire::id(0x33).u8(1).f32(density).each(rgb, Wire::u8).done(),
        None => Wire::id(0x33).u8(0).done(),
    }
}
