//! Encodes the pages of a column: a dictionary page, if values repeat, and data pages. The parquet library's own encoders
//! examine each value many times; here a row is already an index of one or two bytes.

use super::chunk::{Chunk, Range, Space};
use super::index::NARROW;
use super::lists::Entries;
use super::rows::{Lines, PageLines};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use std::cell::RefCell;
use zstd::bulk::Compressor;
use zstd::zstd_safe::compress_bound;

/// The pages of a column, and their metadata.
pub(super) type Encoded = (Bytes, ColumnCloseResult);

thread_local! {
    /// A thread's compressor. To make one for each column takes longer than to compress a short one.
    static ZSTD: RefCell<Option<Zstd>> = const { RefCell::new(None) };
}

/// A compressor, and the bytes that it has made last.
struct Zstd {
    compressor: Compressor<'static>,
    out: Vec<u8>,
}

fn compress(bytes: &[u8]) -> Result<Bytes> {
    ZSTD.with_borrow_mut(|zstd| {
        let zstd = match zstd {
            Some(zstd) => zstd,
            None => zstd.insert(Zstd {
                compressor: Compressor::new(ZstdLevel::default().compression_level())?,
                out: Vec::new(),
            }),
        };
        zstd.out.clear();
        zstd.out.reserve(compress_bound(bytes.len()));
        zstd.compressor.compress_to_buffer(bytes, &mut zstd.out)?;
        Ok(Bytes::copy_from_slice(&zstd.out))
    })
    .map_err(|why: std::io::Error| ParquetError::General(why.to_string()))
}

/// Encodes the pages, and collects the metadata of the column and the index of its pages.
pub(super) fn encode(chunk: &Chunk<'_>, lines: &Lines<'_>, column: &ColumnDescPtr) -> Result<Encoded> {
    let mut file = Pages::new(column);
    let mut out = TrackedWrite::new(Vec::new());
    let mut writer = SerializedPageWriter::new(&mut out);
    let mut encodings = vec![Encoding::PLAIN, Encoding::RLE];
    let (mut encoding, mut dictionary, mut data) = (Encoding::PLAIN, None, None);
    if let Some((distinct, count)) = chunk.dictionary() {
        let buf = compress(&distinct)?;
        let page = Page::DictionaryPage { buf, num_values: count as u32, encoding, is_sorted: false };
        dictionary = Some(file.write(&mut writer, page, distinct.len())?.0);
        encoding = Encoding::RLE_DICTIONARY;
        encodings.push(encoding);
    }
    let (mut cells, mut space, mut body) = (Taken::default(), Space::default(), Vec::new());
    let (mut whole, mut values, mut entries) = (Range::default(), 0, 0);
    for page in lines.order.pages() {
        body.clear();
        let count = cells.take(&page, lines, &mut body);
        let Taken { rows, some, .. } = &cells;
        (values, entries) = (values + rows.len(), entries + count);
        let nulls = (count - rows.len()) as i64;
        let range = chunk.range(some.as_ref().unwrap_or(rows), rows, &mut space);
        chunk.widen(&mut whole, &range);
        chunk.page(rows, &mut space, &mut body);
        let about = Page::DataPage {
            buf: compress(&body)?,
            num_values: count as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (at, size) = file.write(&mut writer, about, body.len())?;
        data.get_or_insert(at);
        file.index(at, size, page.rows.len(), (rows.is_empty(), nulls), range, chunk.is_float());
    }
    let mut about = ColumnChunkMetaData::builder(column.clone())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_encodings(encodings)
        .set_total_compressed_size(file.sizes[0])
        .set_total_uncompressed_size(file.sizes[1])
        .set_num_values(entries as i64)
        .set_dictionary_page_offset(dictionary)
        .set_data_page_offset(data.unwrap_or_default());
    if let Some(statistics) = chunk.statistics(&whole, (entries - values) as u64) {
        about = about.set_statistics(statistics);
    }
    let close = ColumnCloseResult {
        bytes_written: file.sizes[0] as u64,
        rows_written: lines.order.rows().len() as u64,
        metadata: about.build()?,
        bloom_filter: None,
        column_index: file.column.valid().then(|| file.column.build()).transpose()?,
        offset_index: Some(file.offsets.build()),
    };
    Ok((out.into_inner()?.into(), close))
}

/// The cells of a page.
#[derive(Default)]
struct Taken {
    /// The index of each value that there is, in the order of the rows.
    rows: Vec<u32>,
    /// The same of the distinct lines, if they are fewer.
    some: Option<Vec<u32>>,
    /// Whether each row has a value.
    there: Vec<u8>,
    lists: Entries,
}

impl Taken {
    /// Takes the cells of a page, and encodes which of them are empty. Returns the number of entries: a list has one
    /// for each of its texts, and one if it is empty or missing.
    fn take(&mut self, page: &PageLines<'_>, lines: &Lines<'_>, out: &mut Vec<u8>) -> usize {
        self.rows.clear();
        if let Some(lists) = lines.lists {
            self.some = None;
            lists.page(page, lines, &mut self.lists);
            let Entries { values, depths, repeats } = &self.lists;
            self.rows.extend_from_slice(values);
            levels(repeats, 1, out);
            levels(depths, lines.depth(), out);
            return depths.len();
        }
        let count = page.rows.len();
        self.some = (page.distinct.len() < count).then(|| {
            let mut some = self.some.take().unwrap_or_default();
            some.clear();
            let there = page.distinct.iter().filter(|line| lines.has(**line));
            some.extend(there.map(|line| lines.number(*line)));
            some
        });
        // Most columns are the same in all rows of a page, which is known when its lines are.
        let known = self.some.as_deref();
        let has_all = lines.is_full || known.is_some_and(|some| some.len() == page.distinct.len());
        let has_none = known.is_some_and(<[u32]>::is_empty);
        match known {
            Some([first, others @ ..]) if has_all && others.iter().all(|it| it == first) => {
                self.rows.resize(count, *first);
            }
            _ if has_all => self.rows.extend(page.rows.iter().map(|line| lines.number(*line))),
            _ if has_none => {}
            _ => {
                let there = page.rows.iter().filter(|line| lines.has(**line));
                self.rows.extend(there.map(|line| lines.number(*line)));
            }
        }
        if lines.there.is_some() {
            self.there.clear();
            if has_all || has_none {
                self.there.resize(count, u8::from(has_all));
            } else {
                self.there.extend(page.rows.iter().map(|line| u8::from(lines.has(*line))));
            }
            levels(&self.there, 1, out);
        }
        count
    }
}

/// The total size of a column's pages so far, and their index.
struct Pages {
    sizes: [i64; 2],
    column: ColumnIndexBuilder,
    offsets: OffsetIndexBuilder,
}

impl Pages {
    fn new(column: &ColumnDescPtr) -> Self {
        let column = ColumnIndexBuilder::new(column.physical_type());
        Self { sizes: [0; 2], column, offsets: OffsetIndexBuilder::new() }
    }

    /// Writes a page; returns its offset and its size with its header.
    fn write(&mut self, to: &mut dyn PageWriter, page: Page, whole: usize) -> Result<(i64, i64)> {
        let spec = to.write_page(CompressedPage::new(page, whole))?;
        let [packed, plain] = &mut self.sizes;
        *packed += spec.compressed_size as i64;
        *plain += spec.uncompressed_size as i64;
        Ok((spec.offset as i64, spec.compressed_size as i64))
    }

    fn index(
        &mut self,
        at: i64,
        size: i64,
        rows: usize,
        (is_null, nulls): (bool, i64),
        range: Range,
        is_float: bool,
    ) {
        self.offsets.append_offset_and_size(at, size as i32);
        self.offsets.append_row_count(rows as i64);
        let nans = is_float.then_some(range.nans);
        match range.ends {
            Some([least, most]) => self.column.append(false, least, most, nulls, nans),
            None if is_null => self.column.append(true, Vec::new(), Vec::new(), nulls, nans),
            // A page has only NaNs or too long a text: its range is unknown, so the column gets no index.
            None => self.column.to_invalid(),
        }
    }
}

/// Indexes into a dictionary: as runs if they are long, else one by one. They have one or two whole bytes
/// each, which is more than the least number of bits: zstd finds repetitions only if they begin at a byte.
pub(super) fn hybrid(rows: &[u32], distinct: usize, out: &mut Vec<u8>) {
    /// The least length of a run.
    const LONG: usize = 8;
    let wide = distinct > NARROW;
    out.reserve(rows.len() * (1 + usize::from(wide)) + 16);
    out.push(if wide { 16 } else { 8 });
    let runs = changes(rows);
    if runs * LONG <= rows.len() {
        for run in rows.chunk_by(|one, other| one == other) {
            let number = run.first().copied().unwrap_or_default() as u16;
            varint(run.len() << 1, out);
            let [low, high] = number.to_le_bytes();
            out.push(low);
            out.extend(wide.then_some(high));
        }
        return;
    }
    // Groups of eight, of which the last may be padded.
    let groups = rows.len().div_ceil(8);
    varint(groups << 1 | 1, out);
    let start = out.len();
    out.resize(start + groups * 8 * (1 + usize::from(wide)), 0);
    let places = out.get_mut(start..).unwrap_or_default();
    if wide {
        for (place, row) in places.as_chunks_mut().0.iter_mut().zip(rows) {
            *place = (*row as u16).to_le_bytes();
        }
    } else {
        for (place, row) in places.iter_mut().zip(rows) {
            *place = *row as u8;
        }
    }
}

/// How many values differ from the one before.
fn changes<T: PartialEq>(values: &[T]) -> usize {
    let before = values.get(..values.len().saturating_sub(1)).unwrap_or_default();
    let behind = values.get(1..).unwrap_or_default();
    if before == behind {
        return 0;
    }
    // Counted in bytes, of which a processor adds many at once.
    let pieces = before.chunks(128).zip(behind.chunks(128));
    let counted = pieces
        .map(|(one, other)| one.iter().zip(other).map(|(one, other)| u8::from(one != other)).sum::<u8>());
    counted.map(usize::from).sum()
}

/// Encodes levels of at most `most` with their length in front: as runs if the runs are long, otherwise as one or two bits
/// each.
fn levels(values: &[u8], most: u8, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; 4]);
    let runs = 1 + changes(values);
    if runs * 8 <= values.len().max(8) {
        for run in values.chunk_by(|one, other| one == other) {
            varint(run.len() << 1, out);
            out.push(run.first().copied().unwrap_or_default());
        }
    } else {
        varint(values.len().div_ceil(8) << 1 | 1, out);
        if most <= 1 {
            bits(values.iter().map(|value| *value != 0), out);
        } else {
            for eight in values.chunks(8) {
                let word = eight.iter().rev().fold(0u16, |word, value| word << 2 | u16::from(*value));
                out.extend(word.to_le_bytes());
            }
        }
    }
    let length = (out.len() - start - 4) as u32;
    if let Some(place) = out.get_mut(start..start + 4) {
        place.copy_from_slice(&length.to_le_bytes());
    }
}

/// A bit each, beginning with the lowest.
pub(super) fn bits(values: impl Iterator<Item = bool>, out: &mut Vec<u8>) {
    let (mut byte, mut count) = (0, 0u32);
    for value in values {
        byte |= u8::from(value) << (count % 8);
        count += 1;
        if count.is_multiple_of(8) {
            out.push(std::mem::take(&mut byte));
        }
    }
    if !count.is_multiple_of(8) {
        out.push(byte);
    }
}

/// A whole number, with seven bits in each byte.
fn varint(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
