//! Dzip archives: the directory, and the types of entries.
//!
//! All of this module was written from a description of the format, not from a program that reads it.

mod changes;
mod demo;
mod entity;
mod group;
mod message;
mod old;
mod packed_reader;
mod player;
mod salvage;
mod shared;
mod world;

use crate::archive::{Archive, Content, Member, Stream, metered};
use crate::date;
use crate::fault::ContainerFault;
use crate::inflate::{Checked, Crc, Inflate};
use crate::limits::{Budget, Metered};
use crate::name;
use crate::pak::words;
use crate::section::Section;
use demo::Demo;
use shared::{LAYER, Piece, SharedStream};
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::time::SystemTime;

/// The offset at which the entries' data begins.
const HEADER: u64 = 12;

/// The longest name with its NUL; a greater number is not the length of a name.
const LONGEST_NAME: usize = 257;

/// The format's version, by the program that wrote the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Version 1: one zlib stream for everything, and another transform.
    One,
    /// The transform ignores the protocol that a recording announces.
    Two,
    /// The transform follows the protocol that a recording announces.
    Three,
}

/// A row of the directory.
struct Row {
    name: Vec<u8>,
    kind: u32,
    /// The member's number in a PAK group, or the number of members in a group.
    pak: u16,
    /// The offset and length of its data; in version 1, those in the output of the single stream.
    at: u64,
    stored: u64,
    /// The number of bytes after inflating.
    inflated: u64,
    size: u64,
    /// The checksum in the directory; `None` for a file that was found without the directory, whose size is unknown
    /// too.
    crc: Option<u32>,
    /// The time of the last change; version 1 does not have it.
    modified: Option<SystemTime>,
}

const DEMO_ONE: u32 = 1;
const GROUP: u32 = 3;
const FOLDER: u32 = 7;
const STORED: u32 = 8;

/// An archive, or a PAK group in an archive.
#[derive(Clone)]
pub(crate) struct Dzip {
    file: Section,
    version: Version,
    rows: Arc<[Row]>,
    /// Whether these are the members of a group, which cannot contain other groups.
    is_group: bool,
    /// The rows that are files of the archive, without the members of groups.
    top: Vec<usize>,
    /// The single stream of version 1.
    shared: SharedStream,
    budget: Budget,
}

impl Dzip {
    pub(crate) fn open(file: Section, budget: &Budget) -> io::Result<Self> {
        let Head { version, at, count } = Head::read(&file)?;
        let fixed = if version == Version::One { 24 } else { 32 };
        let Some(directory) = file.from(at).filter(|_| at < file.length()) else {
            let what =
                format!("the directory should begin at 0x{at:X}, after the end: the archive is cut off");
            return Err(ContainerFault::at(LAYER, 4, what));
        };
        if u64::from(count) * fixed > directory.length() {
            return Err(ContainerFault::at(
                LAYER,
                8,
                format!("{count} files are more than the directory has room for"),
            ));
        }
        if u64::from(count) > budget.limits().entries {
            budget.count_files(count.into())?;
        }
        let mut rows = Vec::new();
        let mut directory = BufReader::new(directory);
        let mut start = 0;
        for index in 0..count {
            let row = Row::read(&mut directory, version, &mut start).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => ContainerFault::wrong(
                    LAYER,
                    format!("the directory ends within its row {index} of {count}"),
                ),
                _ => error,
            })?;
            rows.push(row);
        }
        let top = top(&rows)?;
        Self::of_rows(file, version, rows.into(), top, at, budget)
    }

    /// An archive with these rows, whose data ends at this offset.
    fn of_rows(
        file: Section,
        version: Version,
        rows: Arc<[Row]>,
        top: Vec<usize>,
        end: u64,
        budget: &Budget,
    ) -> io::Result<Self> {
        let data = file.part(HEADER, end.saturating_sub(HEADER));
        let data =
            data.ok_or_else(|| ContainerFault::at(LAYER, 4, "the directory begins within the header"))?;
        let shared = SharedStream::new(data, budget.clone());
        Ok(Self { file, version, rows, is_group: false, top, shared, budget: budget.clone() })
    }

    fn row(&self, index: usize) -> io::Result<(usize, &Row)> {
        let found = self.top.get(index).and_then(|at| Some((*at, self.rows.get(*at)?)));
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// An archive with only the members of a group.
    fn group(&self, at: usize, row: &Row) -> Self {
        let members = at.saturating_add(1)..=at.saturating_add(row.pak.into());
        Self { top: members.collect(), is_group: true, ..self.clone() }
    }

    /// The output of zlib for a row.
    fn inflated(&self, row: &Row) -> io::Result<Stream> {
        if self.version == Version::One {
            return Ok(Box::new(Piece::new(self.shared.clone(), row.at, row.inflated)));
        }
        let inflated = Inflate::zlib(self.data(row, row.stored)?, LAYER);
        Ok(Box::new(metered(inflated, &self.budget).take(row.inflated)))
    }

    /// A row's bytes as stored in the archive.
    fn data(&self, row: &Row, length: u64) -> io::Result<Section> {
        self.file.part(row.at, length).ok_or_else(|| {
            let what = format!("its {length} bytes at 0x{:X} reach beyond the end of the archive", row.at);
            ContainerFault::wrong(LAYER, what)
        })
    }

    /// A row as the original file.
    fn content(&self, at: usize, row: &Row) -> io::Result<Content> {
        let checked = |stream: Stream| -> Stream {
            match row.crc {
                Some(crc) => Box::new(Checked::new(stream, LAYER, row.size, Crc::Plain(crc))),
                None => stream,
            }
        };
        let metered = |inner| -> Stream { Box::new(Metered { inner, budget: self.budget.clone() }) };
        match (row.kind, self.version) {
            (DEMO_ONE, Version::One) | (5 | 6, Version::Two | Version::Three) => {
                let demo = Demo::new(self.inflated(row)?, self.version);
                Ok(Content::Stream(checked(metered(demo))))
            }
            (0 | 2, _) | (4, Version::Two | Version::Three) => {
                Ok(Content::Stream(checked(self.inflated(row)?)))
            }
            (STORED, Version::Two | Version::Three) => {
                Ok(Content::Stored(self.data(row, row.size)?, LAYER, row.crc.map_or(Crc::Absent, Crc::Plain)))
            }
            (GROUP, _) if row.pak > 0 && !self.is_group => {
                let group = self.group(at, row);
                let rows = group.top.iter().filter_map(|at| group.rows.get(*at));
                let files = rows.map(|row| (row.name.clone(), row.size)).collect();
                let whole = group::WholePak::new(Box::new(group.clone()), files, &self.budget)?;
                Ok(Content::Parts(Box::new(group), Box::new(whole)))
            }
            (GROUP, _) => {
                Err(ContainerFault::wrong(LAYER, "it is a group without members, or in another group"))
            }
            (kind, _) => Err(ContainerFault::wrong(
                LAYER,
                format!("its type, {kind}, is none of this version of Dzip"),
            )),
        }
    }
}

/// The archive's head.
struct Head {
    version: Version,
    /// The offset of the directory, and the number of its rows.
    at: u64,
    count: u32,
}

impl Head {
    fn read(file: &Section) -> io::Result<Self> {
        let header = file.start(HEADER)?;
        let version = match header.get(2) {
            Some(1) => Version::One,
            Some(2) => Version::Two,
            Some(3) => Version::Three,
            _ => return Err(ContainerFault::at(LAYER, 2, "the version is not 1, 2 or 3")),
        };
        let [_, at, count] =
            words(&header).ok_or_else(|| ContainerFault::wrong(LAYER, "the header is cut off"))?;
        Ok(Self { version, at: at.into(), count })
    }
}

/// The rows of the archive's own files, without the members of groups.
fn top(rows: &[Row]) -> io::Result<Vec<usize>> {
    let mut top = Vec::new();
    let mut at = 0_usize;
    while let Some(row) = rows.get(at) {
        top.push(at);
        at = at.saturating_add(1);
        if row.kind == GROUP {
            at = at.saturating_add(row.pak.into());
        }
    }
    if at > rows.len() {
        return Err(ContainerFault::wrong(LAYER, "the directory ends before the last member of a PAK group"));
    }
    Ok(top)
}

impl Row {
    /// Reads a row. In version 1, `start` is the file's offset in the output of the single stream.
    fn read(directory: &mut impl Read, version: Version, start: &mut u64) -> io::Result<Self> {
        let mut fixed = [0; 24];
        directory.read_exact(&mut fixed)?;
        let [at, stored, size, lengths, crc, kind] = words(&fixed).unwrap_or_default();
        let mut row = Self {
            name: Vec::new(),
            kind,
            pak: (lengths >> 16) as u16,
            at: at.into(),
            stored: stored.into(),
            inflated: stored.into(),
            size: size.into(),
            crc: Some(crc),
            modified: None,
        };
        if version == Version::One {
            // Positions are counted as if the inflated bytes followed the header directly.
            let end = row.at.saturating_add(row.stored).saturating_sub(HEADER);
            (row.at, row.inflated) = (*start, end.saturating_sub(*start));
            *start = end.max(*start);
        } else {
            let mut more = [0; 8];
            directory.read_exact(&mut more)?;
            let [date, inflated] = words(&more).unwrap_or_default();
            row.modified = date::dos((date >> 16) as u16, (date & 0xFFFF) as u16, 0);
            row.inflated = inflated.into();
        }
        let length = (lengths & 0xFFFF) as usize;
        if length > LONGEST_NAME {
            return Err(ContainerFault::wrong(
                LAYER,
                format!("the directory is damaged: a name has {length} bytes"),
            ));
        }
        row.name.resize(length, 0);
        directory.read_exact(&mut row.name)?;
        Ok(row)
    }
}

impl Archive for Dzip {
    fn count(&self) -> usize {
        self.top.len()
    }

    fn member(&mut self, index: usize) -> io::Result<Option<Member>> {
        let (_, row) = self.row(index)?;
        Ok((row.kind != FOLDER).then(|| Member {
            name: name::name_text(&row.name),
            size: row.size,
            modified: row.modified,
        }))
    }

    fn open(&mut self, index: usize) -> io::Result<Content> {
        let (at, row) = self.row(index)?;
        self.content(at, row)
    }
}
