//! Duke's packed records: each run of tics is stored as differences, cut into blocks, and compressed by LZW.
//!
//! Unpacking accepts the output of every game and tool. Packing writes the games' own form. If a run was packed
//! differently, packing it again gives other bytes, and the original bytes are kept.

/// The size of a record in bytes.
pub(crate) const RECORD: usize = 10;
/// The number of records that a game collects before it packs them.
const RUN: usize = 2520;
/// The largest block in bytes, before it is packed.
const BLOCK: usize = 16384;
/// The most bytes of a packed run; no game writes more.
pub(crate) const LARGEST: usize = 1 << 17;

/// The two ways to choose the width of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeWidths {
    /// Up to 1.3D: codes have nine bits, and one more whenever the next entry needs it.
    Plain,
    /// Since 1.4: a code is one bit shorter if that is unambiguous.
    Phased,
}

/// The number of records in a full run of this many players.
pub(crate) fn run_records(players: usize) -> usize {
    RUN.checked_div(players).unwrap_or_default() * players
}

/// A block's head: the number of bytes after it, their size when unpacked, and the first code number that is
/// not used. That number is 0 if the block is stored unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockHead {
    pub(crate) length: usize,
    pub(crate) unpacked: usize,
    codes: usize,
}

impl BlockHead {
    pub(crate) const LENGTH: usize = 6;

    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let word =
            |at: usize| bytes.get(at..at + 2)?.first_chunk().map(|it| usize::from(u16::from_le_bytes(*it)));
        let (length, unpacked, codes) = (word(0)?, word(2)?, word(4)?);
        // A stored block has exactly its unpacked size; a packed block has at least one code.
        let sound = if codes == 0 { length == 4 + unpacked } else { length > 4 && codes > 256 };
        (sound && unpacked > 0).then(|| Self { length: length - 4, unpacked, codes })
    }
}

/// Unpacks the data of a block; `None` if it is damaged.
pub(crate) fn unpack(head: BlockHead, data: &[u8], codes: CodeWidths, out: &mut Vec<u8>) -> Option<()> {
    if head.codes == 0 {
        out.extend_from_slice(data.get(..head.unpacked)?);
        return Some(());
    }
    let start = out.len();
    let mut bits = BitReader { data, offset: 0 };
    // For each entry, the offset of its string in `out` and the length of that string.
    let mut entries: Vec<(usize, usize)> = Vec::with_capacity(head.codes.saturating_sub(256).min(BLOCK));
    let mut width = Width::new(codes);
    for next in 256..head.codes {
        let code = width.read(next, &mut bits)?;
        let at = out.len();
        match code.checked_sub(256) {
            None => out.push(code as u8),
            Some(entry) => {
                let (from, length) = *entries.get(entry)?;
                if at + length > start + head.unpacked {
                    return None;
                }
                // An entry ends with the first byte of the string that follows, which may be the entry's own string.
                for place in from..from + length {
                    out.push(*out.get(place)?);
                }
            }
        }
        entries.push((at, out.len() - at + 1));
        width.grow(next + 1);
    }
    (out.len() - start == head.unpacked).then_some(())
}

/// Packs bytes as a block with its head.
fn pack(bytes: &[u8], codes: CodeWidths, twice: bool, out: &mut Vec<u8>) {
    let (mut bits, mut width) = (BitWriter::default(), Width::new(codes));
    // `first` has the first extension of each string; `entries` has the last byte of each entry, and the next extension
    // of the same string.
    let mut first = vec![0u16; 256];
    let mut entries: Vec<(u8, u16)> = Vec::new();
    let (mut at, mut next, mut last) = (0, 256usize, 0);
    while at < bytes.len() && bits.count + 32 < bytes.len() * 8 {
        let mut code = usize::from(bytes.get(at).copied().unwrap_or_default());
        at += 1;
        while let Some(letter) = bytes.get(at) {
            let head = first.get(code).copied().unwrap_or_default();
            let (mut one, mut end) = (head, None);
            let mut found = None;
            while one != 0 && found.is_none() {
                let Some((of, then)) = entries.get(usize::from(one) - 256) else { break };
                if of == letter {
                    found = Some(usize::from(one));
                } else {
                    end = Some(usize::from(one) - 256);
                    one = *then;
                }
            }
            if let Some(longer) = found {
                code = longer;
                at += 1;
                continue;
            }
            match end.and_then(|end| entries.get_mut(end)) {
                Some(entry) => entry.1 = next as u16,
                None => first.iter_mut().skip(code).take(1).for_each(|it| *it = next as u16),
            }
            break;
        }
        entries.push((bytes.get(at).copied().unwrap_or_default(), 0));
        first.push(0);
        width.write(code, next, &mut bits);
        next += 1;
        width.grow(next);
        last = code;
    }
    if twice {
        width.write(last, next, &mut bits);
    }
    let is_shorter = bits.bytes.len() + 4 < bytes.len() && at == bytes.len();
    let (data, codes) = if is_shorter { (bits.bytes.as_slice(), next) } else { (bytes, 0) };
    for word in [data.len() + 4, bytes.len(), codes] {
        out.extend((word as u16).to_le_bytes());
    }
    out.extend_from_slice(data);
}

/// The current width of codes in bits.
struct Width {
    codes: CodeWidths,
    bits: u32,
}

impl Width {
    fn new(codes: CodeWidths) -> Self {
        Self { codes, bits: if codes == CodeWidths::Plain { 9 } else { 8 } }
    }

    /// Widens the codes if the next entry needs it.
    fn grow(&mut self, next: usize) {
        let full = match self.codes {
            CodeWidths::Plain => next >= 1 << self.bits,
            CodeWidths::Phased => next > 1 << self.bits,
        };
        self.bits += u32::from(full);
    }

    /// Whether a code takes one bit less while `next` is the next entry.
    fn is_short(&self, code: usize, next: usize) -> bool {
        let low = (1 << (self.bits - 1)) - 1;
        self.codes == CodeWidths::Phased && code & low > (next - 1) & low
    }

    fn read(&self, next: usize, bits: &mut BitReader<'_>) -> Option<usize> {
        let code = bits.peek(self.bits)?;
        let is_short = self.is_short(code, next);
        bits.offset += (self.bits - u32::from(is_short)) as usize;
        (bits.offset <= bits.data.len() * 8).then_some(if is_short {
            code & ((1 << (self.bits - 1)) - 1)
        } else {
            code
        })
    }

    fn write(&self, code: usize, next: usize, bits: &mut BitWriter) {
        bits.put(code, self.bits - u32::from(self.is_short(code, next)));
    }
}

struct BitReader<'d> {
    data: &'d [u8],
    offset: usize,
}

impl BitReader<'_> {
    /// The next bits, padded with zeros after the end.
    fn peek(&self, count: u32) -> Option<usize> {
        let byte = self.offset / 8;
        let rest = self.data.get(byte..).filter(|rest| !rest.is_empty())?;
        let mut word = [0; 4];
        word.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        Some((u32::from_le_bytes(word) >> (self.offset % 8)) as usize & ((1 << count) - 1))
    }
}

#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    count: usize,
}

impl BitWriter {
    fn put(&mut self, code: usize, width: u32) {
        for bit in 0..width {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((code >> bit & 1) as u8) << (self.count % 8);
            }
            self.count += 1;
        }
    }
}

/// The differences between groups of records; the first group of a run stays unchanged.
fn differences(records: &[u8], players: usize) -> Vec<u8> {
    let group = players * RECORD;
    let before = records.iter().skip(group).zip(records).map(|(now, before)| now.wrapping_sub(*before));
    records.iter().take(group).copied().chain(before).collect()
}

/// Restores records from their differences.
pub(crate) fn add_up(bytes: &mut [u8], players: usize) {
    let group = players * RECORD;
    for at in group..bytes.len() {
        let before = bytes.get(at.wrapping_sub(group)).copied().unwrap_or_default();
        if let Some(byte) = bytes.get_mut(at) {
            *byte = byte.wrapping_add(before);
        }
    }
}

/// Packs a run of records as the games do; `twice` repeats the last code of each block, which no reader uses.
pub(crate) fn pack_run(records: &[u8], players: usize, codes: CodeWidths, twice: bool, out: &mut Vec<u8>) {
    let group = (players * RECORD).max(1);
    // A block ends when it has no room for another group.
    let most = (BLOCK / group).max(1) * group;
    let bytes = differences(records, players);
    bytes.chunks(most).for_each(|block| pack(block, codes, twice, out));
}

/// The number of bytes of the run at the start of these bytes, from the heads of its blocks, so that a damaged run can
/// be skipped. `None` if the heads do not lead to `record_count` records.
pub(crate) fn measure_run(bytes: &[u8], wanted: usize) -> Option<usize> {
    let (mut at, mut unpacked) = (0, 0);
    while unpacked < wanted * RECORD {
        let head = BlockHead::read(bytes.get(at..)?)?;
        at += BlockHead::LENGTH + head.length;
        unpacked += head.unpacked;
    }
    (unpacked == wanted * RECORD && at <= bytes.len()).then_some(at)
}

/// Unpacks the run at the start of these bytes into `records`; returns the number of bytes that it takes.
///
/// A run has `record_count` records; there are fewer if one of its blocks is damaged or cut off, or if the bytes end. `None`
/// if its first block is damaged or cut off.
pub(crate) fn unpack_run(
    bytes: &[u8],
    players: usize,
    codes: CodeWidths,
    record_count: usize,
    records: &mut Vec<u8>,
) -> Option<usize> {
    records.clear();
    let mut at = 0;
    while records.len() < record_count * RECORD {
        let (rest, sound) = (bytes.get(at..)?, records.len());
        let block = BlockHead::read(rest).filter(|head| sound + head.unpacked <= record_count * RECORD);
        let end = block.map(|head| BlockHead::LENGTH + head.length);
        let data = end.and_then(|end| rest.get(BlockHead::LENGTH..end));
        let done = block.zip(data).and_then(|(head, data)| unpack(head, data, codes, records));
        let (Some(()), Some(end)) = (done, end) else {
            records.truncate(sound);
            break;
        };
        at += end;
    }
    add_up(records, players);
    (at > 0 && records.len().is_multiple_of(RECORD)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_tics_are_unpacked_to_the_same() {
        let mut state = 7u32;
        let mut random = |most: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % most
        };
        for codes in [CodeWidths::Plain, CodeWidths::Phased] {
            for (players, count, most) in
                [(1, 1, 256), (1, 2520, 2), (1, 2520, 4), (2, 300, 3), (4, 2520, 256), (16, 2512, 2)]
            {
                let records: Vec<u8> = (0..count * RECORD).map(|_| random(most) as u8).collect();
                let (mut packed, mut again) = (Vec::new(), Vec::new());
                pack_run(&records, players, codes, most == 2, &mut packed);
                let length = unpack_run(&packed, players, codes, count, &mut again);
                assert_eq!(length, Some(packed.len()), "{codes:?} {players} {count} {most}");
                assert!(again == records, "{codes:?} {players} {count} {most}");
            }
        }
    }
}
