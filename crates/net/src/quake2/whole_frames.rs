//! Asks the server for a whole frame in the client's name, as the client itself does when its `record` begins.
//!
//! A move names the last frame that the client has got. A server that reads a number below 1 there sends its next frame
//! whole. The move has a checksum: a CRC over the move and four bytes of a table in the engines, combined by exclusive
//! or with the sum of these bytes. Only the four bytes are unknown. They contribute the same to the old and to the new
//! checksum if the sum does not change, so the new number is chosen accordingly.

use super::{CLIENT_NOP, Head, MOVE, STRING_COMMAND, USERINFO};
use crate::Direction;
use crate::bytes::Bytes;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most bytes of a move that its checksum covers, and the number of the table's bytes that follow them.
const COVERED: usize = 60;
const OF_TABLE: usize = 4;

/// The CRC's polynomial.
const POLYNOMIAL: u16 = 0x1021;

/// The clients for which a whole frame is requested. The writing thread sets them, and the proxy's threads read them.
#[derive(Debug, Default)]
pub(crate) struct WholeFrames {
    is_used: AtomicBool,
    /// For each client the number below which the server gets no acknowledgement of a frame.
    below: Mutex<HashMap<u64, i32>>,
}

impl WholeFrames {
    pub(crate) fn request(&self, client: u64, below: Option<i32>) {
        let mut all = self.below.lock().unwrap_or_else(PoisonError::into_inner);
        match below {
            Some(below) => drop(all.insert(client, below)),
            None => drop(all.remove(&client)),
        }
        self.is_used.store(!all.is_empty(), Ordering::Release);
    }

    /// The client's datagram, changed so that it asks for a whole frame; `None` if it need not be changed.
    pub(crate) fn rewritten(&self, client: u64, datagram: &[u8]) -> Option<Vec<u8>> {
        if !self.is_used.load(Ordering::Acquire) {
            return None;
        }
        let below = *self.below.lock().unwrap_or_else(PoisonError::into_inner).get(&client)?;
        asking(datagram, below)
    }
}

/// A client's move in its datagram.
struct FoundMove {
    /// The offset of the checksum, which the number of the last frame follows.
    at: usize,
    /// The number of bytes after the checksum.
    length: usize,
    last_frame: [u8; 4],
}

/// The number of the last frame that the client acknowledges in this datagram.
pub(super) fn last_frame(datagram: &[u8]) -> Option<i32> {
    found(datagram).map(|found| i32::from_le_bytes(found.last_frame))
}

/// The datagram with a number in place of an acknowledged frame below `below`, for which the server sends a whole frame.
fn asking(datagram: &[u8], below: i32) -> Option<Vec<u8>> {
    let FoundMove { at, length, last_frame: old } = found(datagram)?;
    if !(1..below).contains(&i32::from_le_bytes(old)) {
        return None;
    }
    let sum = old.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    // A negative number with the same sum of bytes: three times 255 is 3 less than a multiple of 256.
    let new = [sum.wrapping_add(3), 0xff, 0xff, 0xff];
    let mut difference = vec![0; length.min(COVERED) + OF_TABLE];
    for ((byte, old), new) in difference.iter_mut().zip(old).zip(new) {
        *byte = old ^ new;
    }
    let mut out = datagram.to_vec();
    *out.get_mut(at)? ^= crc(0, &difference) as u8;
    out.get_mut(at + 1..at + 5)?.copy_from_slice(&new);
    Some(out)
}

fn found(datagram: &[u8]) -> Option<FoundMove> {
    let (_, body) = Head::parse(datagram, Direction::Up)?;
    let mut bytes = Bytes::new(body);
    loop {
        match bytes.u8()? {
            CLIENT_NOP => {}
            USERINFO | STRING_COMMAND => drop(bytes.string()?),
            MOVE => break,
            _ => return None,
        }
    }
    let at = datagram.len() - bytes.rest().len();
    bytes.u8()?;
    let move_length = bytes.rest().len();
    let last_frame = bytes.u32()?.to_le_bytes();
    // Three commands, in which a bit says for each field whether it is sent: six fields have two bytes, two have one.
    // The last two bytes, a time and the light, are always sent.
    for _ in 0..3 {
        let bits = bytes.u8()?;
        let wide = (bits & 0x3f).count_ones() as usize;
        bytes.take(2 * wide + usize::from(bits >> 6 & 1) + usize::from(bits >> 7) + 2)?;
    }
    Some(FoundMove { at, length: move_length - bytes.rest().len(), last_frame })
}

fn crc(start: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(start, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ POLYNOMIAL }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engines' checksum, with any four bytes of a table.
    fn checksum(covered: &[u8], table: [u8; 4]) -> u8 {
        let all = [&covered[..covered.len().min(COVERED)], &table[..]].concat();
        let sum = all.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        crc(0xffff, &all) as u8 ^ sum
    }

    #[test]
    fn the_checksum_stays_right_with_any_table() {
        // A command for the console, then moves with few fields and with all.
        for bits in [0, 0xff] {
            let mut body = b"\0\0\0\0\0\0\0\0\x09\0\x04say hello\0".to_vec();
            body.push(MOVE);
            let at = body.len();
            body.extend([0, 0x39, 0x30, 1, 0]);
            for command in 1..4 {
                body.push(bits);
                body.extend((0..if bits == 0 { 2 } else { 16 }).map(|byte| byte * command));
            }
            for table in [[0; 4], [1, 2, 3, 4], [0xff, 0, 0x84, 0x47], [0x80; 4]] {
                body[at] = checksum(&body[at + 1..], table);
                let asks = asking(&body, i32::MAX).unwrap();
                assert_eq!(asks[at], checksum(&asks[at + 1..], table));
                assert!(last_frame(&asks).unwrap() < 0);
                assert_eq!((last_frame(&body), asks.len()), (Some(0x1_3039), body.len()));
                // The client asks for a whole frame itself, or already has one and may acknowledge it.
                assert_eq!((asking(&asks, i32::MAX), asking(&body, 0x1_3039)), (None, None));
            }
        }
        for length in 0..24 {
            assert!(asking(&[2; 24][..length], i32::MAX).is_none());
        }
    }
}
