//! A zip archive whose directory is missing or damaged: each file has a header of its own before its data (4.3.7).

use super::{LAYER, Row, Zip, field, huge, short, u32_at};
use crate::date;
use crate::inflate::{Crc, Inflate};
use crate::limits::Budget;
use crate::salvage::{End, find, measure};
use crate::section::Section;
use std::io;

/// The flag that sizes and checksum follow the data instead of preceding them (4.4.4).
const SIZES_FOLLOW: u16 = 0x0008; // not from SCHEMA: a flag of zip's directory

/// The newest version of the format.
const NEWEST: u8 = 63;

impl Zip {
    /// Finds files by their local headers, up to the end of a truncated archive.
    pub(crate) fn salvage(file: Section, budget: &Budget) -> io::Result<Self> {
        let mut rows: Vec<Row> = Vec::new();
        let mut from = 0;
        while let Some(at) = next(&file, from)? {
            let Some((row, end)) = Local::read(&file, at)?.map(|it| it.row(&file, budget)).transpose()?
            else {
                // The archive is cut off within the header.
                break;
            };
            rows.push(row);
            from = end.max(at.saturating_add(4));
            if rows.len() as u64 > budget.limits().entries {
                budget.count_files(rows.len() as u64)?;
            }
        }
        Ok(Self { file, rows, is_salvaged: true, budget: budget.clone() })
    }
}

/// The offset of the next header of a file.
fn next(file: &Section, from: u64) -> io::Result<Option<u64>> {
    // The data of a damaged file may contain the same four bytes, so the version and the name's length are checked too.
    find(file, from, |bytes, _| {
        Ok(bytes.starts_with(b"PK\x03\x04")
            && bytes.get(4).is_some_and(|version| *version <= NEWEST)
            && short(bytes, 26).is_some_and(|length| length > 0))
    })
}

/// The contents of a local header.
struct Local {
    row: Row,
    /// The offset of the data.
    data: u64,
}

impl Local {
    /// Reads a local header; `None` if it is truncated.
    fn read(file: &Section, at: u64) -> io::Result<Option<Self>> {
        let header = file.from(at).map_or(Ok(Vec::new()), |part| part.start(30))?;
        let u16_at = |at| short(&header, at).unwrap_or_default();
        let word = |at| u32_at(&header, at).unwrap_or_default();
        let (name, extra) = (u64::from(u16_at(26)), u64::from(u16_at(28)));
        let place = at.saturating_add(30);
        let data = place.saturating_add(name).saturating_add(extra);
        let parts = file.part(place, name).zip(file.part(place.saturating_add(name), extra));
        let Some((name_part, extra_part)) = parts else { return Ok(None) };
        let (name, extra) = (name_part.start(name)?, extra_part.start(extra)?);
        // Both sizes are here if one of them is: the original one first (4.5.3).
        let large = field(&extra, 1);
        let real = |word: u32, at| match word {
            u32::MAX => huge(large, at).unwrap_or(word.into()),
            _ => word.into(),
        };
        let (size, packed) = (real(word(22), 0), real(word(18), 8));
        let modified = date::dos(u16_at(12), u16_at(10), 1);
        let crc = Crc::Usual(word(14));
        let row = Row { name, flags: u16_at(6), method: u16_at(8), crc, packed, size, at, modified };
        Ok(Some(Self { row, data }))
    }

    /// The row that a directory would have for the file, and the offset at which the next header may begin.
    fn row(self, file: &Section, budget: &Budget) -> io::Result<(Row, u64)> {
        let Self { mut row, data } = self;
        let left = file.length().saturating_sub(data);
        let is_behind = row.flags & SIZES_FOLLOW != 0 && row.packed == 0;
        if !is_behind && row.packed <= left {
            let end = data.saturating_add(row.packed);
            return Ok((row, end));
        }
        let until_next = |from: u64| -> io::Result<u64> {
            Ok(next(file, from)?.unwrap_or(file.length()).saturating_sub(data))
        };
        match (row.method, file.from(data)) {
            (8, Some(rest)) if !row.is_encrypted() => {
                let measured = measure(Inflate::raw(rest, LAYER), left, budget)?;
                row.packed = match measured.end {
                    End::Damaged => until_next(data)?,
                    End::Cut => left,
                    End::Whole => measured.packed,
                };
                if is_behind {
                    row.size = measured.size;
                    row.crc = crc_behind(file, data.saturating_add(row.packed))?;
                }
            }
            (0, Some(_)) if is_behind => {
                let known = stored_until(file, data)?;
                row.packed = known.map_or_else(|| until_next(data), |(length, _)| Ok(length))?;
                row.size = row.packed;
                row.crc = known.map_or(Crc::Absent, |(_, crc)| crc);
            }
            // The sizes are known, but the rest of the data is missing.
            _ if !is_behind => row.packed = left,
            _ => row.packed = until_next(data)?,
        }
        let end = data.saturating_add(row.packed);
        Ok((row, end))
    }
}

/// The checksum after the data (4.3.9), if it has its signature.
fn crc_behind(file: &Section, at: u64) -> io::Result<Crc> {
    let bytes = file.from(at).map_or(Ok(Vec::new()), |part| part.start(8))?;
    let crc = u32_at(&bytes, 4).filter(|_| bytes.starts_with(b"PK\x07\x08"));
    Ok(crc.map_or(Crc::Absent, Crc::Usual))
}

/// The length and the checksum of uncompressed data, which are found after it: a signature, and the length up to there.
fn stored_until(file: &Section, data: u64) -> io::Result<Option<(u64, Crc)>> {
    let mut found = None;
    find(file, data, |bytes, at| {
        let length = at.saturating_sub(data);
        let fits = bytes.starts_with(b"PK\x07\x08") && u32_at(bytes, 8).map(u64::from) == Some(length);
        if fits {
            found = u32_at(bytes, 4).map(|crc| (length, Crc::Usual(crc)));
        }
        Ok(fits)
    })?;
    Ok(found)
}
