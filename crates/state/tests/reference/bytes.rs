//! Reads little-endian values from bytes.

use super::{Read, Stop};

/// Bytes that are read from front to back.
#[derive(Clone)]
pub(crate) struct Bytes<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    /// All of these bytes.
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// Whether all bytes were read.
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.data.len()
    }

    /// The next byte, without taking it.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// The next bytes.
    pub(crate) fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        if self.data.len() - self.at < count {
            return Err(Stop::Illegible);
        }
        self.at += count;
        Ok(&self.data[self.at - count..self.at])
    }

    /// `ReadByte`.
    pub(crate) fn byte(&mut self) -> Read<i32> {
        Ok(i32::from(self.take(1)?[0]))
    }

    /// `ReadChar`.
    pub(crate) fn char(&mut self) -> Read<i32> {
        Ok(i32::from(self.take(1)?[0] as i8))
    }

    /// `ReadShort`.
    pub(crate) fn short(&mut self) -> Read<i32> {
        let bytes = self.take(2)?;
        Ok(i32::from(i16::from_le_bytes([bytes[0], bytes[1]])))
    }

    /// `ReadLong`.
    pub(crate) fn long(&mut self) -> Read<i32> {
        let bytes = self.take(4)?;
        Ok(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// `ReadFloat`.
    pub(crate) fn float(&mut self) -> Read<f32> {
        Ok(f32::from_bits(self.long()? as u32))
    }

    /// `ReadString`; a string that is cut off by the block's end counts, if it has at least one byte.
    pub(crate) fn string(&mut self) -> Read<Vec<u8>> {
        if self.is_done() {
            return Err(Stop::Illegible);
        }
        let mut string = Vec::new();
        while let Ok(byte) = self.byte() {
            if byte == 0 {
                break;
            }
            string.push(byte as u8);
        }
        Ok(string)
    }
}

/// Splits a file into blocks; a file that ends inside of a block gives a shorter last block.
pub(crate) fn blocks(file: &[u8], head: usize, start: usize) -> Vec<(&[u8], &[u8])> {
    let mut blocks = Vec::new();
    let mut at = start;
    while at + head <= file.len() {
        let length = i32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
        if !(0..1 << 20).contains(&length) {
            break;
        }
        let end = (at + head + length as usize).min(file.len());
        blocks.push((&file[at + 4..at + head], &file[at + head..end]));
        at = end;
    }
    blocks
}
