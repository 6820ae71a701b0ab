//! Zip archives, also called pk3, as described in PKWARE's APPNOTE.TXT (the numbers of sections are its own).
//!
//! The directory is read here and not by a library, because its cost must not depend on the numbers in it.

mod salvage;

use crate::archive::{Archive, Content, Member, metered};
use crate::date;
use crate::fault::ContainerFault;
use crate::inflate::{Checked, Crc, Inflate};
use crate::limits::{Budget, Metered};
use crate::name;
use crate::salvage::MissingEnd;
use crate::section::Section;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::time::SystemTime;

const LAYER: &str = "zip";

/// The end of the directory without its comment, and the longest comment (4.3.16).
const END: u64 = 22;
const COMMENT: u64 = 0xFFFF;

/// How many candidates for the directory's end are tried, since a comment may be full of them.
const CANDIDATES: usize = 16;

/// A zip archive.
pub(crate) struct Zip {
    file: Section,
    rows: Vec<Row>,
    /// Whether the rows were found without a directory.
    is_salvaged: bool,
    budget: Budget,
}

/// The directory's data about a file.
struct Row {
    name: Vec<u8>,
    flags: u16,
    method: u16,
    crc: Crc,
    packed: u64,
    size: u64,
    /// The offset of its local header.
    at: u64,
    modified: Option<SystemTime>,
}

impl Zip {
    pub(crate) fn open(file: Section, budget: &Budget) -> io::Result<Self> {
        let place = Directory::find(&file)?;
        let too_many = place.count > budget.limits().entries;
        // Each row has at least 46 bytes, so a greater count is damage, not an exceeded limit.
        if too_many && place.count <= file.length() / 46 {
            budget.count_files(place.count)?;
        }
        let Some(directory) = file.from(place.at) else {
            return Err(ContainerFault::wrong(LAYER, "the directory begins after the end of the file"));
        };
        let mut directory = BufReader::new(directory);
        let mut rows = Vec::new();
        for index in 0..place.count {
            let row = Row::read(&mut directory, place.shift).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    let what = format!("the directory ends within its row {index} of {}", place.count);
                    ContainerFault::wrong(LAYER, what)
                }
                _ => error,
            })?;
            match row {
                Some(row) => rows.push(row),
                None => {
                    return Err(ContainerFault::wrong(
                        LAYER,
                        format!("row {index} of the directory is damaged"),
                    ));
                }
            }
        }
        Ok(Self { file, rows, is_salvaged: false, budget: budget.clone() })
    }

    fn row(&self, index: usize) -> io::Result<&Row> {
        self.rows.get(index).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The place of the directory.
struct Directory {
    at: u64,
    count: u64,
    /// How many bytes precede the archive, such as an unpacking program; offsets do not include them.
    shift: u64,
}

impl Directory {
    fn find(file: &Section) -> io::Result<Self> {
        let tail = file.length().saturating_sub(END + COMMENT);
        let bytes = file.from(tail).map_or(Ok(Vec::new()), |part| part.start(END + COMMENT))?;
        // The number of bytes after it and its comment.
        let bytes_after = |at: usize| {
            let rest = bytes.get(at..).filter(|rest| rest.starts_with(b"PK\x05\x06"))?;
            rest.len().checked_sub(22 + usize::from(short(rest, 20)?))
        };
        let at = || (0..bytes.len()).rev();
        // Comments may contain anything, and data may follow the archive. So the order of preference is: a candidate at
        // the end of the file that leads to a directory, a candidate at the end of the file, the last candidate.
        let leads = |at: usize| Self::at(file, &bytes, tail, at).is_ok_and(|place| place.is_there(file));
        let exact = at().filter(|at| bytes_after(*at) == Some(0));
        let Some(at) = exact
            .clone()
            .take(CANDIDATES)
            .find(|at| leads(*at))
            .or(exact.clone().next())
            .or_else(|| at().find(|at| bytes_after(*at).is_some()))
        else {
            return Err(ContainerFault::wrong(
                LAYER,
                "the end of the directory is missing: the archive is cut off",
            ));
        };
        Self::at(file, &bytes, tail, at)
    }

    /// Whether a directory is at this place.
    fn is_there(&self, file: &Section) -> bool {
        self.count > 0 && begins(file, self.at).unwrap_or_default()
    }

    /// Reads the end of a directory in the last bytes of a file.
    fn at(file: &Section, bytes: &[u8], tail: u64, at: usize) -> io::Result<Self> {
        let end = bytes.get(at..).unwrap_or_default();
        let mut stop = tail.saturating_add(at as u64);
        let words = short(end, 10).zip(u32_at(end, 12)).zip(u32_at(end, 16));
        let ((count, size), offset) =
            words.ok_or_else(|| ContainerFault::wrong(LAYER, "the end is cut off"))?;
        let (mut count, mut size, mut offset) = (u64::from(count), u64::from(size), u64::from(offset));
        if short(end, 4) != short(end, 6) {
            return Err(ContainerFault::wrong(
                LAYER,
                "it is one of several parts, which Moviola does not read",
            ));
        }
        if let Some((place, large)) = large_end(file, stop)? {
            stop = place;
            [count, size, offset] = large;
        }
        // The start of the directory, if its end record follows it directly.
        let real = stop.saturating_sub(size);
        let shift = if begins(file, offset)? { 0 } else { real.saturating_sub(offset) };
        Ok(Self { at: offset.saturating_add(shift), count, shift })
    }
}

/// Whether a row of a directory begins at this offset.
fn begins(file: &Section, at: u64) -> io::Result<bool> {
    file.from(at).map_or(Ok(false), |it| Ok(it.start(4)? == b"PK\x01\x02"))
}

/// Whether a file has an archive at its end.
pub(crate) fn is_behind(file: &Section) -> bool {
    Directory::find(file).is_ok_and(|place| place.is_there(file))
}

/// The end of a directory that is too large for the usual one (4.3.14, 4.3.15): its place, and the count,
/// size and offset of the directory.
fn large_end(file: &Section, end: u64) -> io::Result<Option<(u64, [u64; 3])>> {
    let Some(locator) = end.checked_sub(20).and_then(|at| file.part(at, 20)) else { return Ok(None) };
    let locator = locator.start(20)?;
    if !locator.starts_with(b"PK\x06\x07") {
        return Ok(None);
    }
    let at = huge(&locator, 8).unwrap_or(u64::MAX);
    let bytes = file.part(at, 56).map_or(Ok(Vec::new()), |part| part.start(56))?;
    let values = huge(&bytes, 32).zip(huge(&bytes, 40)).zip(huge(&bytes, 48));
    match values.filter(|_| bytes.starts_with(b"PK\x06\x06")) {
        Some(((count, size), offset)) => Ok(Some((at, [count, size, offset]))),
        None => Err(ContainerFault::wrong(LAYER, "the large end of the directory is not where it should be")),
    }
}

impl Row {
    /// Reads a row (4.3.12); `None` if there is something else.
    fn read(directory: &mut impl Read, shift: u64) -> io::Result<Option<Self>> {
        let mut fixed = [0; 46];
        directory.read_exact(&mut fixed)?;
        if !fixed.starts_with(b"PK\x01\x02") {
            return Ok(None);
        }
        let u16_at = |at| short(&fixed, at).unwrap_or_default();
        let word = |at| u32_at(&fixed, at).unwrap_or_default();
        let mut name = vec![0; u16_at(28).into()];
        let mut extra = vec![0; u16_at(30).into()];
        directory.read_exact(&mut name)?;
        directory.read_exact(&mut extra)?;
        let comment = u64::from(u16_at(32));
        if io::copy(&mut directory.take(comment), &mut io::sink())? < comment {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut large = field(&extra, 1);
        // If all bits of a word are set, the value is in the extra field, in this order.
        let mut real = |word: u32| match word {
            u32::MAX => {
                let value = huge(large, 0);
                large = large.get(8..).unwrap_or_default();
                value.unwrap_or(word.into())
            }
            _ => word.into(),
        };
        let (size, packed, at) = (real(word(24)), real(word(20)), real(word(42)));
        let (flags, method, crc) = (u16_at(8), u16_at(10), Crc::Usual(word(16)));
        // Info-ZIP's field has the time in seconds and in UTC, if its first bit is set.
        let exact = field(&extra, 0x5455);
        let exact = exact.first().filter(|bits| **bits & 1 != 0).and_then(|_| u32_at(exact, 1));
        let modified = exact.and_then(date::unix).or_else(|| date::dos(u16_at(14), u16_at(12), 1));
        Ok(Some(Self { name, flags, method, crc, packed, size, at: at.saturating_add(shift), modified }))
    }

    fn is_folder(&self) -> bool {
        self.size == 0 && matches!(self.name.last(), Some(b'/' | b'\\'))
    }

    fn is_encrypted(&self) -> bool {
        // not from SCHEMA: a flag of zip's directory
        self.flags & 0x2041 != 0
    }

    /// The section of its data, after the local header, whose name and extra field may have other lengths (4.3.7).
    fn data(&self, file: &Section) -> io::Result<Section> {
        let mut header = [0; 30];
        let mut from = file
            .from(self.at)
            .ok_or_else(|| ContainerFault::wrong(LAYER, "it begins after the end of the file"))?;
        let got = from.read_exact(&mut header);
        if got.is_err() || !header.starts_with(b"PK\x03\x04") {
            return Err(ContainerFault::at(LAYER, self.at, "its header is not where the directory says"));
        }
        let names = [26, 28].map(|at| u64::from(short(&header, at).unwrap_or_default()));
        let start = self.at.saturating_add(30 + names.iter().sum::<u64>());
        file.part(start, self.packed)
            .ok_or_else(|| ContainerFault::at(LAYER, start, "its data reaches beyond the end of the archive"))
    }
}

/// The values of an extra field (4.5); 1 has large sizes (4.5.3).
fn field(mut extra: &[u8], wanted: u16) -> &[u8] {
    while let Some((id, size)) = short(extra, 0).zip(short(extra, 2)) {
        let end = 4 + usize::from(size);
        let field = extra.get(4..end).unwrap_or_default();
        if id == wanted {
            return field;
        }
        extra = extra.get(end..).unwrap_or_default();
    }
    &[]
}

impl Archive for Zip {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn member(&mut self, index: usize) -> io::Result<Option<Member>> {
        let row = self.row(index)?;
        Ok((!row.is_folder()).then(|| Member {
            name: name::dos(&row.name),
            size: row.size,
            modified: row.modified,
        }))
    }

    fn open(&mut self, index: usize) -> io::Result<Content> {
        let row = self.row(index)?;
        if row.is_encrypted() {
            return Err(ContainerFault::wrong(LAYER, "it is encrypted"));
        }
        let mut data = row.data(&self.file)?;
        data.seek(SeekFrom::Start(0))?;
        let crc = row.crc;
        match row.method {
            0 if row.packed == row.size => Ok(Content::Stored(data, LAYER, crc)),
            0 if self.is_salvaged && row.packed < row.size => {
                let what = format!("it is cut off: {} of its {} bytes are there", row.packed, row.size);
                let data = Metered { inner: BufReader::new(data), budget: self.budget.clone() };
                Ok(Content::Stream(Box::new(data.chain(MissingEnd(ContainerFault::new(LAYER, what))))))
            }
            0 => Err(ContainerFault::wrong(LAYER, "it is stored as it is, and yet with another size")),
            8 => {
                let inflated = metered(Inflate::raw(data, LAYER), &self.budget);
                Ok(Content::Stream(Box::new(Checked::new(inflated, LAYER, row.size, crc))))
            }
            method => Err(ContainerFault::wrong(
                LAYER,
                format!("its compression, method {method}, is not supported"),
            )),
        }
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn huge(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}
