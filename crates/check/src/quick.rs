//! Decides by its bytes alone whether the block of a frame may have more of interest than the frame's time. This is
//! fast because no messages are read; a wrong yes only costs the reading of the block.

use bstr::ByteSlice;
use moviola_format::names::quake2;
use moviola_format::{dem, dm2};

/// Whether a quick check must read the block: it may contain a name, a level, another frame or, as the last message,
/// an end. `clients` is the greatest number of players.
pub(crate) fn may_matter_in_quake(block: &[u8], clients: u32) -> bool {
    block.last() == Some(&dem::Disconnect::OP)
        || small(block, dem::ServerInfo::OP)
        || bytes_after(block.get(1..).unwrap_or_default(), dem::Time::OP).any(is_time)
        || bytes_after(block, dem::UpdateName::OP)
            .any(|rest| rest.first().is_some_and(|client| u32::from(*client) < clients))
}

/// Whether a quick check must read the block of Quake II, where config strings contain the names.
pub(crate) fn may_matter_in_quake2(block: &[u8]) -> bool {
    const PLAYERS: std::ops::Range<u16> = quake2::CS_PLAYERSKINS..quake2::CS_GENERAL;
    const MAP: u16 = quake2::CS_MODELS + 1;
    block.last() == Some(&dm2::Disconnect::OP)
        || small(block, dm2::ServerData::OP)
        || small(block.get(1..).unwrap_or_default(), dm2::FrameMessage::OP)
        || bytes_after(block, dm2::ConfigString::OP).any(|rest| {
            let index = rest.first_chunk().map(|index| u16::from_le_bytes(*index));
            // It is not known here whether the limits are Q2PRO's, so both numberings count.
            let is_wanted = |index: u16| index == MAP || PLAYERS.contains(&index);
            index.is_some_and(|index| is_wanted(index) || quake2::id_config(index).is_some_and(is_wanted))
        })
}

/// Whether a level's announcement or a frame may begin with this value: a small number follows in four bytes.
fn small(block: &[u8], op: u8) -> bool {
    bytes_after(block, op).any(|rest| matches!(rest, [_, _, 0 | 1, 0, ..]))
}

/// Whether a time may stand here: from a thousandth of a second to a hundred days.
fn is_time(rest: &[u8]) -> bool {
    matches!(rest, [_, _, _, 0x3A..=0x4B, ..])
}

/// The bytes that follow each byte of this value.
fn bytes_after(block: &[u8], value: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = block;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_at_checked(rest.find_byte(value)? + 1)?;
        rest = after;
        Some(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_matter() {
        let frame = b"\x07\0\0\x80\x3f\x0f\0\0";
        let frame_with = |more: &[u8]| [frame, more].concat();
        assert!(!may_matter_in_quake(frame, 16));
        assert!(!may_matter_in_quake(&frame_with(b"\x0d"), 16));
        assert!(may_matter_in_quake(&frame_with(b"\x0d\x0fname\0"), 16));
        assert!(!may_matter_in_quake(&frame_with(b"\x0d\x10name\0"), 16));
        assert!(may_matter_in_quake(&frame_with(b"\x0d\x10\x0d\x01name\0"), 16));
        assert!(may_matter_in_quake(&frame_with(b"\x02"), 16));
        assert!(may_matter_in_quake(&frame_with(b"\x0b\x9a\x02\0\0\x01"), 0));
        assert!(!may_matter_in_quake(&frame_with(b"\x0b\x9a\x02\0\x01\x01"), 0));
        assert!(may_matter_in_quake(&frame_with(b"\x07\0\0\0\x40"), 0));
        assert!(may_matter_in_quake2(b"\x14\x0d\x20\x05name\\male/grunt\0"));
        assert!(may_matter_in_quake2(b"\x14\x0d\x21\0maps/base1.bsp\0"));
        assert!(!may_matter_in_quake2(b"\x14\x0d\x22\0maps/base1.bsp\0"));
        assert!(may_matter_in_quake2(b"\x14\x14\x09\0\0\0"));
        assert!(may_matter_in_quake2(b"\x14\x0c\x22\0\0\0"));
    }
}
