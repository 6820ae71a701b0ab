//! Restores a PAK file that was stored as its members. The archive contains neither the original layout nor a checksum
//! of the whole PAK. So the members are written in the order of the directory, and the table after them.

use super::shared::LAYER;
use crate::archive::{Archive, Content, Stream};
use crate::fault::ContainerFault;
use crate::inflate::Checked;
use crate::limits::{Budget, Metered};
use crate::pak::ROW;
use std::io::{self, Cursor, Read};

/// The header of a PAK file, which the first member follows.
const HEADER: u64 = 12;

/// The bytes of the whole PAK file.
pub(crate) struct WholePak {
    group: Box<dyn Archive>,
    /// The name and the size of each member.
    files: Vec<(Vec<u8>, u64)>,
    budget: Budget,
    /// The stream of the part that is being read.
    part: Stream,
    /// The index of the next member; the table follows the last one.
    next: usize,
}

impl WholePak {
    pub(crate) fn new(
        group: Box<dyn Archive>,
        files: Vec<(Vec<u8>, u64)>,
        budget: &Budget,
    ) -> io::Result<Self> {
        let table = HEADER.saturating_add(files.iter().map(|(_, size)| size).sum::<u64>());
        let length = (files.len() as u64).saturating_mul(ROW);
        let (Ok(table), Ok(length)) = (u32::try_from(table), u32::try_from(length)) else {
            return Err(ContainerFault::wrong(LAYER, "it is larger than a PAK file can be"));
        };
        let header = [*b"PACK", table.to_le_bytes(), length.to_le_bytes()].concat();
        Ok(Self { group, files, budget: budget.clone(), part: Box::new(Cursor::new(header)), next: 0 })
    }

    fn member(&mut self) -> io::Result<Stream> {
        Ok(match self.group.open(self.next)? {
            Content::Stream(stream) | Content::Parts(_, stream) => stream,
            Content::Stored(section, layer, crc) => {
                let size = section.length();
                let buffered = io::BufReader::with_capacity(1 << 16, section);
                let inner = Metered { inner: buffered, budget: self.budget.clone() };
                Box::new(Checked::new(inner, layer, size, crc))
            }
        })
    }

    fn table(&self) -> Vec<u8> {
        let mut table = Vec::new();
        let mut offset = HEADER;
        for (name, size) in &self.files {
            let name = name.iter().copied().take_while(|byte| *byte != 0);
            table.extend(name.chain(std::iter::repeat(0)).take(56));
            // Both fit, because their sum was checked.
            table.extend((offset as u32).to_le_bytes());
            table.extend((*size as u32).to_le_bytes());
            offset = offset.saturating_add(*size);
        }
        table
    }
}

impl Read for WholePak {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let got = self.part.read(buffer)?;
            let count = self.files.len();
            if got > 0 || buffer.is_empty() || self.next > count {
                return Ok(got);
            }
            self.part = if self.next == count { Box::new(Cursor::new(self.table())) } else { self.member()? };
            self.next = self.next.saturating_add(1);
        }
    }
}
