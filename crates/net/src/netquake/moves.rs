//! Reads a client's moves: they carry the view angles, which the server does not send back.

use crate::bytes::Bytes;
use moviola_format::{Context, DarkPlaces};

const NOP: u8 = 1;
const DISCONNECT: u8 = 2;
const MOVE: u8 = 3;
const STRING_COMMAND: u8 = 4;
/// `DarkPlaces`: the number of the last list of entities that the client has got.
const ACKNOWLEDGED_FRAME: u8 = 50;

/// The part of a client's message that a recording needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move<'a> {
    /// The player's view.
    View {
        /// The time of the last server frame that the client has read.
        echo: f32,
        /// Pitch, yaw, roll in degrees.
        angles: [f32; 3],
        /// The number of a game command, such as a weapon key's; 0 is none.
        impulse: u8,
    },
    /// A console command for the server.
    Command(&'a [u8]),
    /// The client leaves.
    Disconnect,
}

/// The width of the angles in a move: the protocol sets it, and the length of a packet shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Byte,
    Short,
    Float,
}

/// The layout of moves, which the protocol sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Quake,
    /// `DarkPlaces` 7, its usual one.
    DarkPlaces,
    /// Other protocols of `DarkPlaces`.
    Unknown,
}

impl Layout {
    pub(super) fn of(context: Option<Context>) -> Self {
        match context.map(|it| it.darkplaces) {
            None | Some(DarkPlaces::No | DarkPlaces::Quake) => Self::Quake,
            Some(DarkPlaces::Seven) => Self::DarkPlaces,
            Some(_) => Self::Unknown,
        }
    }
}

/// Reads the messages of a client's packet, up to the first that is unknown.
///
/// ```
/// use moviola_net::netquake::{Move, moves};
/// let body = b"\x03\0\0\x80\x3f\x00\x40\x00\0\0\0\0\0\0\0\0";
/// let read: Vec<_> = moves(body).collect();
/// assert_eq!(read, [Move::View { echo: 1.0, angles: [0.0, 90.0, 0.0], impulse: 0 }]);
/// ```
pub fn moves(body: &[u8]) -> impl Iterator<Item = Move<'_>> {
    moves_in(body, Layout::Quake)
}

/// The moves in a packet, if they have this layout.
pub(super) fn moves_in(body: &[u8], layout: Layout) -> impl Iterator<Item = Move<'_>> {
    let mut bytes = Bytes::new(body);
    std::iter::from_fn(move || {
        loop {
            return match bytes.u8()? {
                NOP => continue,
                DISCONNECT => Some(Move::Disconnect),
                STRING_COMMAND => bytes.string().map(Move::Command),
                MOVE if layout == Layout::Quake => view(&mut bytes),
                MOVE if layout == Layout::DarkPlaces => view_of_darkplaces(&mut bytes),
                ACKNOWLEDGED_FRAME if layout == Layout::DarkPlaces => match bytes.u32() {
                    Some(_) => continue,
                    None => None,
                },
                _ => None,
            };
        }
    })
}

/// Reads a move. Engines send one move per packet with nothing but commands after it, so the number of bytes
/// left gives the width of the angles.
fn view<'a>(bytes: &mut Bytes<'a>) -> Option<Move<'a>> {
    let width = match bytes.rest().len() {
        24.. => Width::Float,
        18.. => Width::Short,
        _ => Width::Byte,
    };
    let echo = bytes.f32()?;
    let mut angles = [0.0; 3];
    for (axis, angle) in angles.iter_mut().enumerate() {
        *angle = match width {
            Width::Byte => turn(f64::from(bytes.u8()?) * (360.0 / 256.0), axis),
            Width::Short => turn(f64::from(bytes.u16()?) * (360.0 / 65536.0), axis),
            Width::Float => bytes.f32()?,
        };
    }
    // Skips the speeds forward, to the side and up, and the buttons.
    bytes.take(7)?;
    Some(Move::View { echo, angles, impulse: bytes.u8()? })
}

/// Reads a move of `DarkPlaces` 7: its number, the time, the angles, three speeds, buttons in 32 bits, the impulse, and the
/// place of the mouse in 30 bytes.
fn view_of_darkplaces<'a>(bytes: &mut Bytes<'a>) -> Option<Move<'a>> {
    bytes.u32()?;
    let (echo, mut angles) = (bytes.f32()?, [0.0; 3]);
    for (axis, angle) in angles.iter_mut().enumerate() {
        *angle = turn(f64::from(bytes.u16()?) * (360.0 / 65536.0), axis);
    }
    bytes.take(10)?;
    let impulse = bytes.u8()?;
    bytes.take(30)?;
    Some(Move::View { echo, angles, impulse })
}

/// Clients keep the yaw between 0 and 360 and the other two angles around 0.
fn turn(degrees: f64, axis: usize) -> f32 {
    (if axis != 1 && degrees >= 180.0 { degrees - 360.0 } else { degrees }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet of `DarkPlaces` of 2018 in its protocol 7, with a yaw of 90 degrees.
    #[test]
    fn a_move_of_darkplaces() {
        let mut body = b"\x03\0\0\0\0\xda\x4c\xc7\x42\0\0\0\x40".to_vec();
        body.extend([0; 43]);
        body.extend(b"\x32\x1c\0\0\0\x32\x1d\0\0\0\x04say hi\0");
        let read: Vec<_> = moves_in(&body, Layout::DarkPlaces).collect();
        let view = Move::View { echo: f32::from_bits(0x42c7_4cda), angles: [0.0, 90.0, 0.0], impulse: 0 };
        assert_eq!(read, [view, Move::Command(b"say hi")]);
        assert_eq!(moves_in(&body, Layout::Unknown).count(), 0);
    }
}
