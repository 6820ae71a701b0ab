//! Reads a client's moves: they carry the view angles, which the server does not send back.

use crate::bytes::Bytes;

const NOP: u8 = 1;
const DISCONNECT: u8 = 2;
const MOVE: u8 = 3;
const STRING_COMMAND: u8 = 4;

/// A message of a client, as far as a recording needs it.
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

/// Reads the messages of a client's packet, up to the first that is unknown.
///
/// ```
/// use moviola_net::netquake::{Move, moves};
/// let body = b"\x03\0\0\x80\x3f\x00\x40\x00\0\0\0\0\0\0\0\0";
/// let read: Vec<_> = moves(body).collect();
/// assert_eq!(read, [Move::View { echo: 1.0, angles: [0.0, 90.0, 0.0], impulse: 0 }]);
/// ```
pub fn moves(body: &[u8]) -> impl Iterator<Item = Move<'_>> {
    let mut bytes = Bytes::new(body);
    std::iter::from_fn(move || {
        loop {
            return match bytes.u8()? {
                NOP => continue,
                DISCONNECT => Some(Move::Disconnect),
                STRING_COMMAND => bytes.string().map(Move::Command),
                MOVE => view(&mut bytes),
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

/// Clients keep the yaw between 0 and 360 and the other two angles around 0.
fn turn(degrees: f64, axis: usize) -> f32 {
    (if axis != 1 && degrees >= 180.0 { degrees - 360.0 } else { degrees }) as f32
}
