//! Turns a packed recording into the original one: a header line, then blocks, packed or raw.

use super::packed_reader::{LARGEST_BLOCK, PackedReader};
use super::world::World;
use super::{Version, message, old};
use std::io::{self, Read};

/// The greatest length of the first line.
const LONGEST_LINE: usize = 12;

/// The first byte of a block that is stored raw.
const RAW: u8 = 0xFF;

/// Reverses the transform while reading, with one block in memory.
pub(crate) struct Demo<R> {
    feed: PackedReader<R>,
    world: World,
    /// The unpacked bytes, and how many of them were already read.
    block: Vec<u8>,
    offset: usize,
    /// The number of raw bytes not yet passed on.
    raw: u32,
    started: bool,
    failed: Option<io::Error>,
}

impl<R: Read> Demo<R> {
    pub(crate) fn new(input: R, version: Version) -> Self {
        Self {
            feed: PackedReader::new(input),
            world: World::new(version),
            block: Vec::new(),
            offset: 0,
            raw: 0,
            started: false,
            failed: None,
        }
    }

    /// Unpacks the next unit; returns whether there was one.
    fn unpack(&mut self) -> io::Result<bool> {
        self.block.clear();
        self.offset = 0;
        if !self.started {
            self.started = true;
            return self.line().map(|()| true);
        }
        match self.feed.next()? {
            None => Ok(false),
            Some(RAW) => {
                self.raw = self.feed.read_u32()?;
                Ok(true)
            }
            Some(control) => self.block(control).map(|()| true),
        }
    }

    fn line(&mut self) -> io::Result<()> {
        while self.block.last() != Some(&b'\n') {
            if self.block.len() == LONGEST_LINE {
                return Err(self.feed.fault("its first line has no end"));
            }
            let byte = self.feed.byte()?;
            self.block.push(byte);
        }
        Ok(())
    }

    fn block(&mut self, control: u8) -> io::Result<()> {
        if control > 0x07 {
            return Err(self.feed.fault("no block begins here"));
        }
        for (angle, bit) in self.world.view.iter_mut().zip([1, 2, 4]) {
            if control & bit != 0 {
                *angle = angle.wrapping_add(self.feed.read_u32()?);
            }
        }
        // The length is filled in at the end.
        self.block.extend([0; 4]);
        for angle in self.world.view {
            self.block.extend(angle.to_le_bytes());
        }
        let head = self.block.len();
        let Self { feed, world, block, .. } = self;
        if world.version == Version::One {
            old::records(feed, world, block)?;
        } else {
            loop {
                let first = feed.byte()?;
                if first == 0 {
                    break;
                }
                message::read(feed, world, first, block)?;
                if block.len() > LARGEST_BLOCK {
                    return Err(feed.fault("a block has no end"));
                }
            }
        }
        world.end_block();
        let length = (block.len() - head) as u32;
        block.splice(..4, length.to_le_bytes());
        Ok(())
    }
}

impl<R: Read> Read for Demo<R> {
    /// Fills the buffer as far as possible: blocks are small, and every call through the readers above has a
    /// cost.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(free) = buffer.get_mut(filled..).filter(|free| !free.is_empty()) {
            match self.give(free) {
                Ok(0) => break,
                Ok(got) => filled += got,
                // The complete data is returned before the error.
                Err(error) if filled > 0 => {
                    self.failed = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl<R: Read> Demo<R> {
    /// Returns some bytes; 0 at the end.
    fn give(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        loop {
            let mut rest = self.block.get(self.offset..).unwrap_or_default();
            if !rest.is_empty() {
                let got = rest.read(buffer)?;
                self.offset += got;
                return Ok(got);
            }
            if self.raw > 0 {
                let got = self.feed.pass(self.raw, buffer)?;
                self.raw = self.raw.saturating_sub(got as u32);
                return if got > 0 { Ok(got) } else { Err(self.feed.fault("it ends within raw bytes")) };
            }
            match self.unpack() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(error) => {
                    // An incomplete block is dropped.
                    self.block.clear();
                    return Err(error);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
        digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
    }

    fn unpack(packed: &[u8], version: Version) -> (Vec<u8>, Option<io::Error>) {
        let mut out = Vec::new();
        let result = Demo::new(packed, version).read_to_end(&mut out);
        (out, result.err())
    }

    /// The worked example of the format's description.
    const PACKED: &str = "
        2d310a 050000803f0000a0c0 0b0f000000010065006d000000 16012405026400c800d4fe 16020007 00
        00 230000803f 4908f01952 30010200 c1200809 02fc 3101480000 3a4029001101000000ffff 00
        00 070a00 40 30000080 00";
    const DEMO: &str = "2d310a
        2d000000 0000803f000000000000a0c0 0b0f000000010065006d000000
            16010005020000640000c80000d4fe0016030007000000000000000000000000
        2e000000 0000803f000000000000a0c0 070000803f 0fc00200f0014000000000190000000000
            c90501090300dcfe8402fcff06024029001101000000ffff
        1e000000 0000803f000000000000a0c0 070a00803f 0fc00200f0014000000000190000000000
            c90501090300e4fe";

    #[test]
    fn the_example_is_unpacked() {
        for version in [Version::Two, Version::Three] {
            let (out, error) = unpack(&bytes(PACKED), version);
            assert!(error.is_none(), "{error:?}");
            assert_eq!(out, bytes(DEMO));
            assert_eq!(!crc32fast::hash(&out), 0x6CAD_9E4B);
        }
    }

    #[test]
    fn a_truncated_demo_gives_its_complete_blocks() {
        let (packed, demo) = (bytes(PACKED), bytes(DEMO));
        for length in 0..packed.len() {
            let (out, error) = unpack(&packed[..length], Version::Three);
            let complete = [3, 64, 126].contains(&out.len()) || out.is_empty();
            assert!(complete && demo.starts_with(&out), "{length}: {}", out.len());
            let ended = [3, 41, packed.len() - 10].contains(&length);
            assert_eq!(error.is_none(), ended, "{length}: {error:?}");
        }
    }

    #[test]
    fn raw_units_are_passed_on() {
        let (out, error) = unpack(b"-1\n\xff\x03\0\0\0abc\xff\0\0\0\0\xff\x02\0\0\0de", Version::Two);
        assert_eq!((out.as_slice(), error.is_none()), (&b"-1\nabcde"[..], true));
        let (out, error) = unpack(b"-1\n\xff\x03\0\0\0ab", Version::Two);
        assert_eq!((out.as_slice(), error.is_some()), (&b"-1\nab"[..], true));
        for wrong in [&b"-1 and so on\n"[..], b"", b"-1\n\x08", b"-1\n\0\x2d", b"-1\n\0\x06"] {
            assert!(unpack(wrong, Version::Two).1.is_some(), "{wrong:?}");
        }
    }
}
