//! Checks the headers of a Vorbis track before they are decoded. The decoder allocates as many comments, and as many
//! numbers in codebooks, as the headers claim, and a few damaged bytes can claim a hundred gigabytes.

use ogg::PacketReader;
use std::io::{self, Cursor};

/// The most numbers in the codebooks of a stream. Encoders write some hundred thousand at most.
const MAX_NUMBERS: u64 = 1 << 22;

/// The first bytes of the packet with comments and of the packet with codebooks.
const COMMENTS: &[u8] = b"\x03vorbis";
const SETUP: &[u8] = b"\x05vorbis";

/// Refuses a track whose headers claim too much. A file may have several streams, one after the other.
pub(crate) fn check(file: &[u8]) -> io::Result<()> {
    let mut packets = PacketReader::new(Cursor::new(file));
    // Damage here also stops the decoder, which reports it.
    while let Ok(Some(packet)) = packets.read_packet() {
        if packet.data.strip_prefix(COMMENTS).is_some_and(|comments| !has_comments(comments)) {
            return Err(io::Error::other("the music is damaged: it has fewer comments than it says"));
        }
        let claimed =
            packet.data.strip_prefix(SETUP).map_or(0, |setup| claimed(&mut Bits { bytes: setup, offset: 0 }));
        if claimed > MAX_NUMBERS {
            return Err(io::Error::other(format!("the music is damaged: codebooks of {claimed} numbers")));
        }
    }
    Ok(())
}

/// Whether the packet has room for the claimed number of comments. Each has a length of four bytes.
fn has_comments(packet: &[u8]) -> bool {
    let number = |bytes: &[u8]| bytes.first_chunk().map(|it| u32::from_le_bytes(*it) as usize);
    let list = number(packet).and_then(|vendor| packet.get(4..)?.get(vendor..));
    // The decoder reports the error of a packet that ends before its list.
    list.and_then(|list| Some(number(list)? <= list.len() / 4)).unwrap_or(true)
}

/// How many numbers all readable codebooks claim together.
fn claimed(bits: &mut Bits<'_>) -> u64 {
    let mut sum = 0u64;
    let count = bits.take(8).map_or(0, |count| count + 1);
    for _ in 0..count {
        let Some(size) = codebook(bits) else { break };
        sum = sum.saturating_add(size.0);
        if !size.1 || sum > MAX_NUMBERS {
            break;
        }
    }
    sum
}

/// The numbers of a codebook, and whether it could be read to its end.
fn codebook(bits: &mut Bits<'_>) -> Option<(u64, bool)> {
    bits.take(24).filter(|mark| *mark == 0x0056_4342)?;
    let (dimensions, entries) = (bits.take(16)?, bits.take(24)?);
    // The lengths of code words take memory even in a codebook without numbers.
    let size = u64::from(entries) * u64::from(dimensions.max(1));
    Some((size, size <= MAX_NUMBERS && skip_rest(bits, dimensions, entries).is_some()))
}

/// Passes the code words and the numbers of a codebook.
fn skip_rest(bits: &mut Bits<'_>, dimensions: u32, entries: u32) -> Option<()> {
    if bits.take(1)? == 1 {
        bits.take(5)?;
        let mut known = 0;
        while known < entries {
            known = known.checked_add(bits.take(32 - (entries - known).leading_zeros())?)?;
        }
    } else {
        let is_sparse = bits.take(1)? == 1;
        for _ in 0..entries {
            if !is_sparse || bits.take(1)? == 1 {
                bits.take(5)?;
            }
        }
    }
    let kind = bits.take(4)?;
    if kind == 0 {
        return Some(());
    }
    bits.take(32)?;
    bits.take(32)?;
    let width = bits.take(4)? + 1;
    bits.take(1)?;
    let values = if kind == 1 { side(entries, dimensions) } else { entries.checked_mul(dimensions)? };
    bits.offset = bits.offset.checked_add(u64::from(values) * u64::from(width))?;
    Some(())
}

/// The greatest number whose power with this exponent, `dimensions`, is at most `entries`.
fn side(entries: u32, dimensions: u32) -> u32 {
    let fits = |side: u32| {
        let mut power = 1u64;
        (0..dimensions).all(|_| {
            power = power.saturating_mul(u64::from(side));
            power <= u64::from(entries)
        })
    };
    let (mut low, mut high) = (0, entries.saturating_add(1));
    while high - low > 1 {
        let middle = u32::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// Bits, the lowest of each byte first.
struct Bits<'b> {
    bytes: &'b [u8],
    offset: u64,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for bit in 0..count {
            let byte = *self.bytes.get(usize::try_from(self.offset / 8).ok()?)?;
            value |= u32::from(byte >> (self.offset % 8) & 1) << bit;
            self.offset += 1;
        }
        Some(value)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    /// Bits as bytes, from values and their widths.
    fn packed(values: &[(u32, u32)]) -> Vec<u8> {
        let bits: Vec<u8> = values
            .iter()
            .flat_map(|(value, width)| (0..*width).map(move |bit| (value >> bit & 1) as u8))
            .collect();
        bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit)).collect()
    }

    #[test]
    fn comments_have_room() {
        assert!(has_comments(b"\x02\0\0\0ab\x01\0\0\0\x03\0\0\0a=b\x01"));
        assert!(!has_comments(b"\x02\0\0\0ab\x01\0\0\x80\x03\0\0\0a=b\x01"));
    }

    #[test]
    fn the_claimed_size_of_codebooks_is_summed_before_decoding() {
        let size_of = |values: &[(u32, u32)]| claimed(&mut Bits { bytes: &packed(values), offset: 0 });
        // Two codebooks: four entries of two numbers each with values of three bits, and a claim.
        let first = [(0x0056_4342, 24), (2, 16), (4, 24), (0, 1), (0, 1), (2, 5), (2, 5), (2, 5), (2, 5)];
        let values = [(1, 4), (0, 32), (0, 32), (2, 4), (0, 1), (5, 3), (6, 3)];
        let huge = [(0x0056_4342, 24), (0xFFFF, 16), (0x00FF_FFFF, 24)];
        let all = [&[(1, 8)][..], &first, &values, &huge].concat();
        assert_eq!(size_of(&all), 8 + 0xFFFF * 0x00FF_FFFF);
        assert_eq!(size_of(&[&[(0, 8)][..], &first, &values].concat()), 8);
        assert_eq!(size_of(&[(7, 8), (1, 24)]), 0, "no codebook");
        assert_eq!([side(81, 4), side(80, 4), side(9, 1), side(0, 3)], [3, 2, 9, 0]);
    }
}
