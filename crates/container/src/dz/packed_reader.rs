//! Reads the output of zlib, one value at a time.

use super::shared::LAYER;
use crate::fault::ContainerFault;
use std::io::{self, Read};

/// The greatest size of a block; the programs that pack stay below 64 KB.
pub(crate) const LARGEST_BLOCK: usize = 1 << 21;

/// A buffered reader of small values.
pub(crate) struct PackedReader<R> {
    input: R,
    buffer: Box<[u8]>,
    offset: usize,
    end: usize,
    /// The number of bytes before the buffer's.
    before: u64,
}

impl<R: Read> PackedReader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, buffer: vec![0; 1 << 15].into(), offset: 0, end: 0, before: 0 }
    }

    fn filled(&self) -> &[u8] {
        self.buffer.get(self.offset..self.end).unwrap_or_default()
    }

    /// The bytes in the buffer; empty at the end.
    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.offset >= self.end {
            self.before = self.before.saturating_add(self.end as u64);
            (self.offset, self.end) = (0, 0);
            self.end = loop {
                match self.input.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    result => break result?,
                }
            };
        }
        Ok(self.filled())
    }

    /// An error about the last value.
    #[cold]
    pub(crate) fn fault(&self, what: &str) -> io::Error {
        let at = self.before.saturating_add(self.offset as u64).saturating_sub(1);
        ContainerFault::at(LAYER, at, format!("the packed recording is damaged: {what}"))
    }

    /// The next byte, without skipping it; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        match self.filled().first() {
            Some(byte) => Ok(Some(*byte)),
            None => Ok(self.fill()?.first().copied()),
        }
    }

    /// The next byte; `None` at the end.
    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<Option<u8>> {
        let next = self.peek()?;
        self.offset += usize::from(next.is_some());
        Ok(next)
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> io::Result<u8> {
        match self.next()? {
            Some(byte) => Ok(byte),
            None => Err(self.fault("it ends within a block")),
        }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        if let Some(bytes) = self.filled().first_chunk() {
            let bytes = *bytes;
            self.offset += N;
            return Ok(bytes);
        }
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(bytes)
    }

    #[inline]
    pub(crate) fn short(&mut self) -> io::Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// A signed number of 16 bits.
    #[inline]
    pub(crate) fn whole(&mut self) -> io::Result<i32> {
        self.array().map(i16::from_le_bytes).map(i32::from)
    }

    /// A signed number of 8 bits.
    #[inline]
    pub(crate) fn step(&mut self) -> io::Result<i32> {
        self.byte().map(|byte| i32::from(byte as i8))
    }

    #[inline]
    pub(crate) fn read_u32(&mut self) -> io::Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Copies `count` bytes.
    pub(crate) fn copy(&mut self, count: usize, out: &mut Vec<u8>) -> io::Result<()> {
        if let Some(bytes) = self.filled().get(..count) {
            out.extend_from_slice(bytes);
            self.offset += count;
            return Ok(());
        }
        for _ in 0..count {
            let byte = self.byte()?;
            out.push(byte);
        }
        Ok(())
    }

    /// Copies a string with its NUL; returns whether it is empty.
    pub(crate) fn string(&mut self, out: &mut Vec<u8>) -> io::Result<bool> {
        let start = out.len();
        loop {
            let byte = self.byte()?;
            out.push(byte);
            if byte == 0 {
                return Ok(out.len() == start + 1);
            }
            if out.len() > LARGEST_BLOCK {
                return Err(self.fault("a string has no end"));
            }
        }
    }

    /// Passes bytes on unchanged; returns 0 at the end.
    pub(crate) fn pass(&mut self, most: u32, out: &mut [u8]) -> io::Result<usize> {
        let mut from = self.fill()?;
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(out.len());
        let (out, _) = out.split_at_mut(most);
        let got = from.read(out)?;
        self.offset += got;
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_cross_the_buffer() {
        let mut bytes = vec![0_u8; (1 << 15) - 2];
        bytes.extend(b"\x01\x02\x03\x04hi\0\xff\xfe\xff");
        let mut feed = PackedReader::new(bytes.as_slice());
        let mut out = Vec::new();
        feed.copy((1 << 15) - 2, &mut out).unwrap();
        assert_eq!(feed.read_u32().unwrap(), 0x0403_0201);
        out.clear();
        assert!(!feed.string(&mut out).unwrap());
        assert_eq!(out, b"hi\0");
        assert_eq!((feed.step().unwrap(), feed.whole().unwrap()), (-1, -2));
        assert_eq!(feed.next().unwrap(), None);
        assert!(feed.byte().unwrap_err().to_string().ends_with(&format!("0x{:X}", (1 << 15) + 7)));
    }
}
