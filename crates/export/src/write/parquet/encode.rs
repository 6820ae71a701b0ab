//! Encodes the pages of a column: a dictionary page, if values repeat, and data pages. The parquet library's own encoders
//! examine each value many times; here a row is already an index of one or two bytes.

use super::chunk::{Chunk, Range, Space};
use super::lists::Entries;
use super::order::Page as RowsOfPage;
use super::rows::Lines;
use super::series::Series;
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
    /// A thread's compressor. Creating one for each column takes longer than compressing a short column.
    static ZSTD: RefCell<Option<Zstd>> = const { RefCell::new(None) };
}

/// A compressor, and its last output.
struct Zstd {
    compressor: Compressor<'static>,
    out: Vec<u8>,
}

/// A page in its stored form: compressed, unless that makes it larger.
fn packed(bytes: &[u8], is_small: bool) -> Result<Bytes> {
    if is_small { Ok(Bytes::copy_from_slice(bytes)) } else { compress(bytes) }
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
    // A single value takes so little room that compressing it costs more than it saves.
    let is_one = lines.constant.is_some() && lines.lists.is_none() && !chunk.is_bool();
    let is_small = is_one || lines.values == 0;
    if let Some((distinct, count)) = chunk.dictionary() {
        let buf = packed(&distinct, is_small)?;
        let page = Page::DictionaryPage { buf, num_values: count as u32, encoding, is_sorted: false };
        dictionary = Some(file.write(&mut writer, page, distinct.len())?.0);
        encoding = Encoding::RLE_DICTIONARY;
        encodings.push(encoding);
    }
    let (mut cells, mut space, mut body) = (PageCells::default(), Space::default(), Vec::new());
    let (mut whole, mut values, mut entries) = (Range::default(), 0, 0);
    for page in &lines.order.pages {
        body.clear();
        let count = cells.take(page, lines, &mut body);
        let present_values = cells.values(lines);
        (values, entries) = (values + present_values.len(), entries + count);
        let nulls = (count - present_values.len()) as i64;
        let range = chunk.range(present_values, lines.order.pages.len() == 1, &mut space);
        chunk.widen(&mut whole, &range);
        chunk.page(present_values, &mut space, &mut body);
        let header = Page::DataPage {
            buf: packed(&body, is_small)?,
            num_values: count as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (at, size) = file.write(&mut writer, header, body.len())?;
        data.get_or_insert(at);
        file.index(at, size, page.rows(), (present_values.len() == 0, nulls), range, chunk.is_float());
    }
    let mut metadata = ColumnChunkMetaData::builder(column.clone())
        .set_compression(if is_small {
            Compression::UNCOMPRESSED
        } else {
            Compression::ZSTD(ZstdLevel::default())
        })
        .set_encodings(encodings)
        .set_total_compressed_size(file.sizes[0])
        .set_total_uncompressed_size(file.sizes[1])
        .set_num_values(entries as i64)
        .set_dictionary_page_offset(dictionary)
        .set_data_page_offset(data.unwrap_or_default());
    if let Some(statistics) = chunk.statistics(&whole, (entries - values) as u64) {
        metadata = metadata.set_statistics(statistics);
    }
    let close = ColumnCloseResult {
        bytes_written: file.sizes[0] as u64,
        rows_written: lines.order.rows as u64,
        metadata: metadata.build()?,
        bloom_filter: None,
        column_index: file.column.valid().then(|| file.column.build()).transpose()?,
        offset_index: Some(file.offsets.build()),
    };
    Ok((out.into_inner()?.into(), close))
}

/// The cells of a page.
#[derive(Default)]
struct PageCells {
    /// The indexes of the values of non-empty cells, in the order of the rows.
    values: Series,
    /// Whether each row has a value.
    there: Series,
    lists: Entries,
}

impl PageCells {
    /// Adds the cells of a page, and encodes which of them are empty. Returns the number of entries: a list has one
    /// entry for each of its texts, and one if it is empty or missing.
    fn take(&mut self, page: &RowsOfPage<'_>, lines: &Lines<'_>, out: &mut Vec<u8>) -> usize {
        if let Some(lists) = lines.lists {
            lists.page(page, lines, &mut self.lists);
            let Entries { depths, repeats, .. } = &self.lists;
            levels(repeats, 1, out);
            levels(depths, lines.depth(), out);
            return depths.len();
        }
        let Self { values, there, .. } = self;
        let count = page.rows();
        let has_none = lines.values == 0;
        values.clear();
        match page.each() {
            _ if has_none => {}
            _ if lines.constant.is_some() => values.push(lines.constant.unwrap_or_default(), count as u32),
            Some(rows) if lines.is_full => values.fill(rows.iter().map(|line| lines.number(*line))),
            Some(rows) => {
                let there = rows.iter().filter(|line| lines.has(**line));
                values.fill(there.map(|line| lines.number(*line)));
            }
            None => {
                for (line, count) in page.runs().filter(|(line, _)| lines.is_full || lines.has(*line)) {
                    values.push(lines.number(line), count);
                }
            }
        }
        if lines.there.is_some() {
            there.clear();
            match page.each() {
                _ if lines.is_full || has_none => there.push(lines.is_full.into(), count as u32),
                Some(rows) => there.fill(rows.iter().map(|line| lines.has(*line).into())),
                None => page.runs().for_each(|(line, count)| there.push(lines.has(line).into(), count)),
            }
            levels(there, 1, out);
        }
        count
    }

    /// The indexes of the values of non-empty cells.
    fn values(&self, lines: &Lines<'_>) -> &Series {
        if lines.lists.is_some() { &self.lists.values } else { &self.values }
    }
}

/// The size of a column's pages so far, and their index.
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

/// Encodes levels of at most `most`, after their length.
fn levels(values: &Series, most: u8, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; 4]);
    values.pack(most.min(2), out);
    let length = (out.len() - start - 4) as u32;
    if let Some(place) = out.get_mut(start..start + 4) {
        place.copy_from_slice(&length.to_le_bytes());
    }
}
