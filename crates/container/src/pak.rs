//! Quake PAK files: `PACK`, the offset and length of the directory, and 64 bytes for each file.

use crate::archive::{Archive, Content, Member};
use crate::fault::ContainerFault;
use crate::inflate::Crc;
use crate::name;
use crate::section::Section;
use std::io::{self, Read, Seek, SeekFrom};

const LAYER: &str = "PAK";

/// A name of 56 bytes, an offset, a size.
pub(crate) const ROW: u64 = 64;

/// A PAK file; its directory is read from the file when needed.
pub(crate) struct Pak {
    file: Section,
    directory: Section,
    count: usize,
}

impl Pak {
    pub(crate) fn open(file: Section) -> io::Result<Self> {
        let header = file.start(12)?;
        let [_, at, length] =
            words(&header).ok_or_else(|| ContainerFault::wrong(LAYER, "the header is cut off"))?;
        if u64::from(at) > file.length() {
            return Err(ContainerFault::at(LAYER, 4, "the directory begins after the end of the file"));
        }
        let Some(directory) = file.part(at.into(), length.into()) else {
            return Err(ContainerFault::at(LAYER, 8, "the directory reaches beyond the end of the file"));
        };
        if !u64::from(length).is_multiple_of(ROW) {
            return Err(ContainerFault::at(
                LAYER,
                8,
                format!("the directory's size, {length}, is not a multiple of {ROW}"),
            ));
        }
        Ok(Self { file, directory, count: (u64::from(length) / ROW) as usize })
    }

    /// A PAK file that was cut off inside of its directory, which is at the end: the files of the remaining rows are
    /// complete.
    pub(crate) fn salvage(file: Section) -> io::Result<Self> {
        let header = file.start(12)?;
        let [_, at, length] =
            words(&header).ok_or_else(|| ContainerFault::wrong(LAYER, "the header is cut off"))?;
        let there = file.length().saturating_sub(at.into()).min(length.into());
        let count = there / ROW;
        let directory = file.part(at.into(), count.saturating_mul(ROW));
        let directory = directory.ok_or_else(|| ContainerFault::at(LAYER, 4, "the directory is missing"))?;
        Ok(Self { file, directory, count: count as usize })
    }

    /// A file's name, offset and size.
    fn row(&mut self, index: usize) -> io::Result<([u8; 56], u32, u32)> {
        let (mut name, mut place) = ([0; 56], [0; 8]);
        self.directory.seek(SeekFrom::Start((index as u64).saturating_mul(ROW)))?;
        self.directory.read_exact(&mut name)?;
        self.directory.read_exact(&mut place)?;
        let [offset, size] = words(&place).unwrap_or_default();
        Ok((name, offset, size))
    }
}

impl Archive for Pak {
    fn count(&self) -> usize {
        self.count
    }

    fn member(&mut self, index: usize) -> io::Result<Option<Member>> {
        let (name, _, size) = self.row(index)?;
        Ok(Some(Member { name: name::name_text(&name), size: size.into(), modified: None }))
    }

    fn open(&mut self, index: usize) -> io::Result<Content> {
        let (_, offset, size) = self.row(index)?;
        let part = self.file.part(offset.into(), size.into());
        part.map(|part| Content::Stored(part, LAYER, Crc::Absent)).ok_or_else(|| {
            let what = format!("its {size} bytes at offset 0x{offset:X} reach beyond the end of the file");
            ContainerFault::wrong(LAYER, what)
        })
    }
}

/// Little endian words at the start of some bytes.
pub(crate) fn words<const N: usize>(bytes: &[u8]) -> Option<[u32; N]> {
    let mut words = [0; N];
    for (at, word) in words.iter_mut().enumerate() {
        *word = u32::from_le_bytes(*bytes.get(4 * at..)?.first_chunk()?);
    }
    Some(words)
}
