//! Series of small numbers: the indexes and levels of a page, and their encoding, Parquet's hybrid of runs and packed
//! numbers. Numbers that are known to repeat are not visited one by one.

use std::iter::repeat_n;

/// From this length on, a run takes less room than its numbers without a run.
const MIN_RUN: usize = 8;

/// A series of numbers.
#[derive(Default)]
pub(super) struct Series {
    /// The numbers, or one number for each run.
    values: Vec<u32>,
    /// The lengths of the runs; empty if there are no runs.
    counts: Vec<u32>,
    /// The count of all numbers.
    length: usize,
}

impl Series {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.counts.clear();
        self.length = 0;
    }

    /// Adds a number `count` times. A series has either runs or numbers added by [`fill`](Self::fill).
    #[inline]
    pub(super) fn push(&mut self, value: u32, count: u32) {
        self.length += count as usize;
        match (self.values.last(), self.counts.last_mut()) {
            (Some(last), Some(length)) if *last == value => *length += count,
            _ => {
                self.values.push(value);
                self.counts.push(count);
            }
        }
    }

    /// Replaces its numbers by these.
    pub(super) fn fill(&mut self, values: impl Iterator<Item = u32>) {
        self.clear();
        self.values.extend(values);
        self.length = self.values.len();
    }

    /// The count of all numbers.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The numbers, one for each run.
    pub(super) fn values(&self) -> &[u32] {
        &self.values
    }

    /// All numbers, with repetitions.
    pub(super) fn each(&self) -> impl Iterator<Item = u32> {
        let ones = if self.counts.is_empty() { self.values.as_slice() } else { &[] };
        let runs = self.values.iter().zip(&self.counts);
        ones.iter().copied().chain(runs.flat_map(|(value, count)| repeat_n(*value, *count as usize)))
    }

    /// Encodes the numbers with 1, 2, 8 or 16 bits each.
    pub(super) fn pack(&self, bits: u8, out: &mut Vec<u8>) {
        if self.counts.is_empty() {
            pack_each(&self.values, bits, out);
        } else {
            self.pack_runs(bits, out);
        }
    }

    fn pack_runs(&self, bits: u8, out: &mut Vec<u8>) {
        // The numbers before the next long run, which are packed in groups of eight.
        let mut loose = Vec::new();
        for (value, count) in self.values.iter().zip(&self.counts) {
            let count = *count as usize;
            let missing = loose.len().next_multiple_of(8) - loose.len();
            if count < missing + MIN_RUN {
                loose.extend(repeat_n(*value, count));
                continue;
            }
            loose.extend(repeat_n(*value, missing));
            groups(&loose, bits, out);
            loose.clear();
            run(*value, count - missing, bits, out);
        }
        groups(&loose, bits, out);
    }
}

/// Encodes numbers without known runs: long runs that it finds as such, all other numbers packed.
fn pack_each(values: &[u32], bits: u8, out: &mut Vec<u8>) {
    if (changes(values) + 1) * MIN_RUN > values.len() {
        return groups(values, bits, out);
    }
    for same in values.chunk_by(|one, other| one == other) {
        run(same.first().copied().unwrap_or_default(), same.len(), bits, out);
    }
}

/// A run of a number.
fn run(value: u32, count: usize, bits: u8, out: &mut Vec<u8>) {
    varint(count << 1, out);
    let [low, high, ..] = value.to_le_bytes();
    out.push(low);
    out.extend((bits > 8).then_some(high));
}

/// Packed numbers, in groups of eight of which the last may be padded.
fn groups(values: &[u32], bits: u8, out: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    let groups = values.len().div_ceil(8);
    varint(groups << 1 | 1, out);
    let start = out.len();
    out.resize(start + groups * usize::from(bits), 0);
    let places = out.get_mut(start..).unwrap_or_default();
    match bits {
        16 => {
            for (place, value) in places.as_chunks_mut().0.iter_mut().zip(values) {
                *place = (*value as u16).to_le_bytes();
            }
        }
        8 => {
            for (place, value) in places.iter_mut().zip(values) {
                *place = *value as u8;
            }
        }
        _ => {
            let each = usize::from(8 / bits.max(1));
            for (place, some) in places.iter_mut().zip(values.chunks(each)) {
                *place = some.iter().rev().fold(0, |byte, value| byte << bits | *value as u8);
            }
        }
    }
}

/// How many numbers differ from the one before.
fn changes(values: &[u32]) -> usize {
    let before = values.get(..values.len().saturating_sub(1)).unwrap_or_default();
    let behind = values.get(1..).unwrap_or_default();
    if before == behind {
        return 0;
    }
    // Counted in bytes, of which a processor adds many at once.
    let pieces = before.chunks(128).zip(behind.chunks(128));
    let counted = pieces
        .map(|(one, other)| one.iter().zip(other).map(|(one, other)| u8::from(one != other)).sum::<u8>());
    counted.map(usize::from).sum()
}

/// A whole number, with seven bits in each byte.
fn varint(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that a reader finds.
    fn unpack(bytes: &[u8], bits: u8, length: usize) -> Vec<u32> {
        let (mut at, mut found) = (0, Vec::new());
        while found.len() < length {
            let (mut head, mut shift) = (0usize, 0);
            loop {
                let byte = bytes[at];
                at += 1;
                head |= usize::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            if head & 1 == 0 {
                let wide = usize::from(bits > 8);
                let high = if wide == 1 { u32::from(bytes[at + 1]) << 8 } else { 0 };
                found.extend(repeat_n(u32::from(bytes[at]) | high, head >> 1));
                at += 1 + wide;
                continue;
            }
            let body = &bytes[at..at + (head >> 1) * usize::from(bits)];
            at += body.len();
            let bit = |at: usize| u32::from(body[at / 8] >> (at % 8) & 1);
            let width = usize::from(bits);
            let number = |at: usize| (0..width).map(|it| bit(at * width + it) << it).sum::<u32>();
            found.extend((0..(head >> 1) * 8).map(number).take(length - found.len()));
        }
        assert_eq!(at, bytes.len());
        found
    }

    #[test]
    fn packed_series_are_unpacked_to_the_same_values() {
        for bits in [1, 2, 8, 16] {
            for lengths in
                [&[1u32][..], &[1, 2, 3], &[40], &[1, 16, 1, 7, 9, 200, 3], &[8, 8, 15, 16, 17, 300]]
            {
                let mut runs = Series::default();
                let mut all = Vec::new();
                for (at, count) in (0u32..).zip(lengths.iter().cycle().take(23)) {
                    let value = at.wrapping_mul(40_503) % (1 << bits);
                    runs.push(value, *count);
                    all.extend(repeat_n(value, *count as usize));
                }
                let mut ones = Series::default();
                ones.fill(all.iter().copied());
                for series in [runs, ones] {
                    let mut out = Vec::new();
                    series.pack(bits, &mut out);
                    assert_eq!(unpack(&out, bits, all.len()), all, "{bits} {lengths:?}");
                    assert_eq!((series.each().collect::<Vec<_>>(), series.len()), (all.clone(), all.len()));
                }
            }
        }
    }

    #[test]
    fn a_long_run_takes_no_room() {
        let mut series = Series::default();
        for value in [7, 7, 300] {
            series.push(value, 50_000);
        }
        let mut out = Vec::new();
        series.pack(16, &mut out);
        assert_eq!((series.values(), out.len()), (&[7, 300][..], 10));
    }
}
