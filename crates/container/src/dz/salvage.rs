//! A Dzip archive whose directory is missing or damaged.
//!
//! The data of the files are stored consecutively, without headers. The undamaged rows of the directory are used, and
//! the streams after the last of these are found by inflating them. Their names are lost.

use super::demo::Demo;
use super::shared::LAYER;
use super::{DEMO_ONE, Dzip, GROUP, HEADER, Head, Row, STORED, Version, top};
use crate::inflate::Inflate;
use crate::limits::{Budget, Metered};
use crate::salvage::{End, Inflated, find, is_damage, measure};
use crate::section::Section;
use std::io::{self, BufReader, Read};

/// The types of an ordinary file, and of a packed recording of versions 2 and 3.
const ORDINARY: u32 = 0;
const DEMO: u32 = 5;

/// The number of bytes of a file that are unpacked to recognize a packed recording.
const TRIAL: u64 = 1 << 20;

/// The cost of examining a possible stream, counted against the limits.
const LOOK: u64 = 1 << 15;

/// The least output of a possible stream that is damaged.
const MIN_OUTPUT: u64 = 64;

/// The bit of a zlib header that requires a dictionary, which archives do not have.
const DICTIONARY: u8 = 0x20; // not from SCHEMA: a flag of zlib's header

impl Dzip {
    /// Finds files without the whole directory, up to where the archive is cut off.
    pub(crate) fn salvage(file: Section, budget: &Budget) -> io::Result<Self> {
        let head = Head::read(&file)?;
        let (mut rows, start) = rows_left(&file, &head, budget)?;
        let is_there = (HEADER..file.length()).contains(&head.at);
        let end = if is_there { head.at } else { file.length() };
        let empty = Vec::new().into();
        let mut archive = Self::of_rows(file, head.version, empty, Vec::new(), end, budget)?;
        if head.version == Version::One {
            // In version 1 only the directory shows where files end in the single stream.
            archive.add_rest(&mut rows, start)?;
        } else {
            let after =
                rows.iter().filter(|row| row.kind != GROUP).map(|row| row.at.saturating_add(row.stored));
            let from = after.max().unwrap_or_default().max(HEADER);
            archive.add_streams(&mut rows, from, end)?;
        }
        archive.top = top(&rows)?;
        archive.rows = rows.into();
        Ok(archive)
    }

    /// Adds the rest of the single stream of version 1 as one file.
    fn add_rest(&self, rows: &mut Vec<Row>, start: u64) -> io::Result<()> {
        let mut row = Row::found(rows.len(), ORDINARY, start, 0, 0);
        row.inflated = u64::MAX;
        let mut first = [0];
        match self.inflated(&row).and_then(|mut stream| stream.read(&mut first)) {
            Err(error) if !is_damage(&error) => return Err(error),
            Ok(0) | Err(_) => return Ok(()),
            Ok(_) => {}
        }
        self.settle(&mut row, DEMO_ONE)?;
        rows.push(row);
        Ok(())
    }

    /// Adds the streams between two offsets, and the bytes between them unchanged.
    fn add_streams(&self, rows: &mut Vec<Row>, from: u64, end: u64) -> io::Result<()> {
        let mut at = from;
        while at < end {
            if rows.len() as u64 >= self.budget.limits().entries {
                return self.budget.count_files(u64::MAX);
            }
            let number = rows.len();
            let stream = self.stream(at, end)?;
            let Some(Inflated { end: ended, packed, size, adler }) = stream else {
                // The bytes are neither a stream nor a known type: perhaps they are uncompressed files.
                let next = self.next_stream(at.saturating_add(1), end)?;
                let length = next.saturating_sub(at);
                rows.push(Row::found(number, STORED, at, length, length));
                at = next;
                continue;
            };
            let after = at.saturating_add(packed);
            let next = match ended {
                End::Whole => self.next_start(after, end, adler)?,
                End::Cut => end,
                End::Damaged => self.next_stream(after, end)?,
            };
            let mut row = Row::found(number, ORDINARY, at, next.saturating_sub(at), size);
            row.inflated = u64::MAX;
            self.settle(&mut row, DEMO)?;
            rows.push(row);
            at = next;
        }
        Ok(())
    }

    /// The stream that begins at this offset, if there is one.
    fn stream(&self, at: u64, end: u64) -> io::Result<Option<Inflated>> {
        let Some(part) = self.file.part(at, end.saturating_sub(at)) else { return Ok(None) };
        let header = part.start(2)?;
        let length = part.length();
        // Old programs wrote zlib streams of their own kind, so the header's checksum is not checked here.
        if !matches!(header[..], [method, flags] if method & 0x0F == 8 && flags & DICTIONARY == 0) {
            return Ok(None);
        }
        let measured = measure(Inflate::zlib(part, LAYER), length, &self.budget)?;
        Ok(Some(measured).filter(|it| it.end != End::Damaged || it.size >= MIN_OUTPUT))
    }

    /// The offset at which the next file may begin after a stream, whose checksum old programs omitted.
    fn next_start(&self, after: u64, end: u64, adler: u32) -> io::Result<u64> {
        let rest = self.file.from(after).map_or(Ok(Vec::new()), |rest| rest.start(6))?;
        let is_checksum = rest.starts_with(&adler.to_be_bytes());
        let has_none = !is_checksum && is_header(&rest) && !rest.get(4..).is_some_and(is_header);
        Ok(after.saturating_add(if has_none { 0 } else { 4 }).min(end))
    }

    /// The start of the next valid stream, or the end.
    fn next_stream(&self, from: u64, end: u64) -> io::Result<u64> {
        let Some(area) = self.file.part(0, end) else { return Ok(end) };
        let found = find(&area, from, |bytes, at| {
            if !is_header(bytes) {
                return Ok(false);
            }
            self.budget.count_output(LOOK)?;
            let Some(part) = area.from(at) else { return Ok(false) };
            let mut out = Vec::new();
            let read = Inflate::zlib(part, LAYER).take(MIN_OUTPUT).read_to_end(&mut out);
            match read {
                // A short stream counts if it is complete.
                Ok(_) => Ok(!out.is_empty()),
                Err(error) if !is_damage(&error) => Err(error),
                Err(_) => Ok(false),
            }
        })?;
        Ok(found.unwrap_or(end))
    }

    /// Decides whether the output of zlib is a packed recording, by unpacking a part of it.
    fn settle(&self, row: &mut Row, packed: u32) -> io::Result<()> {
        let mut start = Vec::new();
        let read = self.inflated(row)?.take(HEADER).read_to_end(&mut start);
        read.map(drop).or_else(ignore_damage)?;
        let line = start.iter().position(|byte| *byte == b'\n');
        let Some(line) = line.and_then(|end| start.get(..end)) else { return Ok(()) };
        if !line.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-') {
            return Ok(());
        }
        row.name.extend_from_slice(b".dem");
        let demo = Demo::new(self.inflated(row)?, self.version);
        let mut trial = Metered { inner: demo, budget: self.budget.clone() }.take(TRIAL);
        let read = io::copy(&mut trial, &mut io::sink());
        read.map(drop).or_else(ignore_damage)?;
        // An unpacked recording fails at the first block, because its length is not the start of a packed
        // block.
        if TRIAL.saturating_sub(trial.limit()) > line.len() as u64 + 1 {
            row.kind = packed;
        }
        Ok(())
    }
}

fn ignore_damage(error: io::Error) -> io::Result<()> {
    if is_damage(&error) { Ok(()) } else { Err(error) }
}

/// Whether bytes begin with the header of a zlib stream (RFC 1950, 2.2) with the usual window.
fn is_header(bytes: &[u8]) -> bool {
    matches!(bytes, [0x78, flags, ..] if flags & DICTIONARY == 0 && (0x7800 | u16::from(*flags)).is_multiple_of(31))
}

/// The undamaged rows of the directory, and the start of the next file in the single stream of version 1.
/// 1.
fn rows_left(file: &Section, head: &Head, budget: &Budget) -> io::Result<(Vec<Row>, u64)> {
    let (mut rows, mut start) = (Vec::new(), 0);
    let Some(directory) = file.from(head.at).filter(|_| head.at >= HEADER) else { return Ok((rows, start)) };
    let mut directory = BufReader::new(directory);
    for _ in 0..u64::from(head.count).min(budget.limits().entries) {
        let before = start;
        let row = match Row::read(&mut directory, head.version, &mut start) {
            Ok(row) => row,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof || is_damage(&error) => break,
            Err(error) => return Err(error),
        };
        let is_inside = head.version == Version::One || row.at.saturating_add(row.stored) <= head.at;
        if row.kind > STORED || !is_inside {
            start = before;
            break;
        }
        rows.push(row);
    }
    // If members of a group are missing, the group is shortened.
    let count = rows.len();
    let mut at = 0;
    while let Some(row) = rows.get_mut(at) {
        at = at.saturating_add(1);
        if row.kind == GROUP {
            row.pak = row.pak.min(u16::try_from(count.saturating_sub(at)).unwrap_or(u16::MAX));
            at = at.saturating_add(row.pak.into());
        }
    }
    rows.pop_if(|row| row.kind == GROUP);
    Ok((rows, start))
}

impl Row {
    /// The row of a file that no directory names.
    fn found(index: usize, kind: u32, at: u64, stored: u64, size: u64) -> Self {
        let name = format!("unnamed{}", index.saturating_add(1)).into_bytes();
        let (inflated, crc, modified) = (size, None, None);
        Self { name, kind, pak: 0, at, stored, inflated, size, crc, modified }
    }
}
