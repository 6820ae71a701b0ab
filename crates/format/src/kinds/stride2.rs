//! The length of a record in a list of Quake II's entities, by its flag word alone, so that a search for the
//! end of the list need not read the records.
//!
//! The widths are not a second table: the width of each bit is measured once, by reading a record that has
//! it.

use super::entity2::EntityBits;
use crate::context::Context;
use crate::dm2::SpawnBaseline;
use crate::scalar::Flags;
use crate::wire::Reader;
use std::sync::LazyLock;

/// The widths of records.
pub(super) static STRIDES: LazyLock<Strides> = LazyLock::new(Strides::measure);

/// The number of bytes that the bits of a flag word require.
pub(super) struct Strides {
    /// For each byte of the flag word and each of its values: the bytes that its bits require, each bit
    /// alone.
    alone: [[u8; 256]; 4],
    /// Pairs of bits that require more bytes together than each alone, and the difference.
    pairs: Vec<(u32, u8)>,
    /// The higher bits of all pairs, which few records have.
    paired: u32,
}

/// The bits of a flag word whose length is determined by its own bits, and that length.
#[inline(always)]
pub(super) fn flag_word(bytes: [u8; 4]) -> (u32, usize) {
    let word = u32::from_le_bytes(bytes);
    // The first byte without its top bit is the last one.
    let count = ((!word & 0x80_8080).trailing_zeros() / 8 + 1).min(4);
    (word & u32::MAX >> (32 - 8 * count), count as usize)
}

impl Strides {
    fn measure() -> Self {
        // The other bits determine the length of the flag word, or end the record before its fields.
        let counts = |bit: &u32| bit & (EntityBits::MORE_BITS | EntityBits::REMOVE) == 0;
        let none = Self::read(0);
        let width = |bits: u32| Self::read(bits).saturating_sub(none);
        // Each bit is read once, because all of this happens when a program meets its first list.
        let widths: [u8; 32] = std::array::from_fn(|n| Some(1 << n).filter(counts).map_or(0, width));
        let mut single_bits = [[0; 256]; 4];
        for (row, widths) in single_bits.iter_mut().zip(widths.chunks(8)) {
            for (n, width) in widths.iter().enumerate() {
                // The sums of all values below this bit are known; with it, each is longer by its width.
                let (known, sums) = row.split_at_mut(1 << n);
                sums.iter_mut().zip(known).for_each(|(sum, known)| *sum = *known + width);
            }
        }
        let bits: Vec<u32> = (0..u32::BITS).map(|n| 1 << n).filter(counts).collect();
        let (mut pairs, mut paired) = (Vec::new(), 0);
        for (at, one) in bits.iter().enumerate() {
            let later = bits.get(at + 1..).unwrap_or_default();
            let all = later.iter().fold(0, |all, bit| all | bit);
            // Most bits are in no such pair. One look at a bit together with all later ones shows that.
            if width(one | all) == width(*one) + width(all) {
                continue;
            }
            for other in later {
                let more = width(one | other).saturating_sub(width(*one) + width(*other));
                if more != 0 {
                    pairs.push((one | other, more));
                    paired |= other;
                }
            }
        }
        Self { alone: single_bits, pairs, paired }
    }

    /// The length of a record with these fields, without its flag word.
    fn read(fields: u32) -> u8 {
        let flags = EntityBits::canonical(fields, &Context::quake2());
        let bytes = flags.bits().to_le_bytes();
        let (_, count) = flag_word(bytes);
        let mut record = [1; 64];
        for (place, byte) in record.iter_mut().zip(bytes).take(count) {
            *place = byte;
        }
        let context = Context::quake2();
        let mut reader = Reader::new(&record, &context);
        reader.set_listed(true);
        let whole = SpawnBaseline::build(&mut reader).map_or(0, |_| reader.pos());
        whole.saturating_sub(count) as u8
    }

    /// The length of the first of these records, its flag word, and its entity's number; `None` at the end of the list.
    /// Of a truncated record the length may be longer than what is there.
    #[inline(always)]
    pub(super) fn first(&self, records: &[u8]) -> Option<(usize, u32, u16)> {
        let head = records.first_chunk::<6>().copied().unwrap_or_else(|| {
            // The last record of a block can be shorter.
            std::array::from_fn(|at| records.get(at).copied().unwrap_or_default())
        });
        let [a, b, c, d, ..] = head;
        let (bits, count) = flag_word([a, b, c, d]);
        let long = bits & EntityBits::LONG_NUMBER != 0;
        let [low, high] = [count, count + 1].map(|at| head.get(at).copied().unwrap_or_default());
        let number = u16::from_le_bytes([low, if long { high } else { 0 }]);
        if number == 0 {
            return None;
        }
        // The entity is removed, or the record has no fields; this is the case for most records.
        if bits & EntityBits::REMOVE != 0 || bits & EntityBits::FIELDS == 0 {
            return Some((count + 1 + usize::from(long), bits, number));
        }
        let mut width = count + 1;
        for (row, byte) in self.alone.iter().zip(bits.to_le_bytes()) {
            width += row.get(usize::from(byte)).map_or(0, |it| usize::from(*it));
        }
        if bits & self.paired != 0 {
            let paired = self.pairs.iter().filter(|(both, _)| bits & both == *both);
            width += paired.map(|(_, more)| usize::from(*more)).sum::<usize>();
        }
        Some((width, bits, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of a record by the reader; `None` if it is the end of a list.
    fn read(record: &[u8]) -> Option<usize> {
        let context = Context::quake2();
        let mut reader = Reader::new(record, &context);
        reader.set_listed(true);
        let entity = SpawnBaseline::build(&mut reader).unwrap();
        (entity.entity.0 != 0).then(|| reader.pos())
    }

    #[test]
    fn a_stride_is_as_long_as_the_record() {
        // Every pair of bytes of the flag word, over two patterns of the others.
        for pattern in [0u32, 0x8080_8080, u32::MAX] {
            for (low, high) in [(0, 8), (8, 16), (16, 24), (8, 24)] {
                for values in 0..=u32::from(u16::MAX) {
                    let (one, other) = (values & 0xFF, values >> 8);
                    let word = pattern & !(0xFF << low | 0xFF << high) | one << low | other << high;
                    let mut record = [1; 64];
                    record[..4].copy_from_slice(&word.to_le_bytes());
                    assert_eq!(STRIDES.first(&record).map(|it| it.0), read(&record), "{word:08x}");
                }
            }
        }
    }

    #[test]
    fn end_records_and_truncated_records_have_no_stride() {
        for (record, stride) in [
            (&[0, 0, 9, 9, 9, 9][..], None),
            (&[0x80, 1, 0, 0, 9, 9], None),
            (&[0x80, 1, 0, 1, 9, 9], Some((4, 256))),
            (&[0x40, 7, 9, 9, 9, 9], Some((2, 7))),
            (&[0, 7, 9, 9, 9], Some((2, 7))),
            (&[0, 7], Some((2, 7))),
            (&[0], None),
            (&[0x80, 1], None),
            (&[], None),
        ] {
            let first = STRIDES.first(record).map(|(stride, _, number)| (stride, number));
            assert_eq!(first, stride, "{record:?}");
        }
        // The bytes of the origin are missing.
        assert!(STRIDES.first(&[1, 7]).is_some_and(|(stride, ..)| stride > 2));
    }
}
