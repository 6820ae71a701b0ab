//! QuakeWorld: its packets have Quake II's heads, but its messages and recordings are its own.

mod moves;
mod tape;
mod viewer;

pub use tape::QwdTape;
pub(crate) use tape::map_of;
pub use viewer::QuakeWorldViewer;

use moviola_format::qw::{Nop, SetAngle};

/// [`QuakeWorldViewer`] puts this mark and a message that turns the view at the end of a packet. No server sends so
/// many messages without an effect in a row, so a tape can recognize both and leave them out.
const TURN: [u8; 12] = [Nop::OP; 12];

/// The lengths of a message that turns the view: with angles of one or two bytes, with a reason or without.
const TURN_LENGTHS: [usize; 4] = [4, 5, 7, 8];

/// A packet without the turn of the view at its end.
fn without_turn(packet: &[u8]) -> &[u8] {
    let turn = |length: &usize| {
        let (before, message) = packet.split_at_checked(packet.len().checked_sub(*length)?)?;
        (message.first() == Some(&SetAngle::OP)).then(|| before.strip_suffix(&TURN[..]))?
    };
    TURN_LENGTHS.iter().find_map(turn).unwrap_or(packet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_marked_turn_is_left_out() {
        let marked = [&b"\x02\0\0\0\x02\0\0\0"[..], &[1; 12], b"\x0a\x01\x0a\x03"].concat();
        assert_eq!(without_turn(&marked), b"\x02\0\0\0\x02\0\0\0");
        assert_eq!(without_turn(b"\x02\0\0\0\x02\0\0\0\x01\x0a\x01\x02\x03").len(), 13);
        assert_eq!(without_turn(b""), b"");
    }
}
