//! Encodes a column of a row group: a dictionary page, if values repeat, and data pages. The parquet
//! library's own encoders examine each value many times; here a row is already an index of one or two bytes.

use super::index::Numbers;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

/// A type of numbers.
pub(super) trait Number: Copy + PartialOrd {
    /// Whether the type has values that are not a number.
    const IS_FLOAT: bool;
    /// The bits of the number, which distinguish it from others.
    fn bits(self) -> u64;
    /// The number with these bits.
    fn of(bits: u64) -> Self;
    /// Appends its bytes.
    fn put(self, out: &mut Vec<u8>);
    /// The least and the greatest value of a column, and how many rows have none.
    fn statistics(range: Option<[Self; 2]>, nulls: u64) -> Statistics;
}

macro_rules! numbers {
    ($($type:ty: $bits:expr, $of:expr, $statistics:ident, $is_float:literal;)*) => { $(
        impl Number for $type {
            const IS_FLOAT: bool = $is_float;
            #[inline(always)]
            fn bits(self) -> u64 {
                $bits(self)
            }
            #[inline(always)]
            fn of(bits: u64) -> Self {
                $of(bits)
            }
            #[inline(always)]
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn statistics(range: Option<[Self; 2]>, nulls: u64) -> Statistics {
                let [least, most] = range.map_or([None; 2], |range| range.map(Some));
                Statistics::$statistics(least, most, None, Some(nulls), false)
            }
        }
    )* };
}
numbers! {
    i32: |it: i32| u64::from(it as u32), |bits: u64| bits as i32, int32, false;
    i64: |it: i64| it as u64, |bits: u64| bits as i64, int64, false;
    f32: |it: f32| u64::from(it.to_bits()), |bits: u64| f32::from_bits(bits as u32), float, true;
    f64: f64::to_bits, f64::from_bits, double, true;
}

/// A column of a row group, ready to be cut into pages.
pub(super) struct Chunk<'a> {
    /// The index of each value in `distinct`, in the order of the rows.
    rows: &'a [u32],
    distinct: Distinct<'a>,
    /// Whether the distinct values form a dictionary page and the data pages hold their indexes.
    has_dictionary: bool,
}

/// The distinct values.
enum Distinct<'a> {
    Bools,
    Numbers(&'a [u64], Form),
    Texts(&'a [Bytes]),
}

/// The functions that encode and compare numbers of one type.
#[derive(Clone, Copy)]
struct Form {
    plain: fn(&mut dyn Iterator<Item = u64>, &mut Vec<u8>),
    range: fn(&mut dyn Iterator<Item = u64>) -> Range,
    is_less: fn(&[u8], &[u8]) -> bool,
    statistics: fn(&Range, u64) -> Statistics,
    is_float: bool,
}

/// The least and the greatest of some values in their encoded form, and the number of NaNs.
#[derive(Clone, Default)]
struct Range {
    ends: Option<[Vec<u8>; 2]>,
    nans: i64,
    /// Whether a text is too long for a range.
    is_unknown: bool,
}

/// If the least or the greatest text is longer than this, no range is written: it would take more space than
/// it saves.
const LONGEST: usize = 128;

/// The number of rows in a page, and so the smallest number that a reader must decode.
pub(super) const PAGE: usize = 1 << 14;

/// The rows that have a value. A list has an entry for each of its texts, and one entry if it is empty or
/// missing.
pub(super) enum Shape<'a> {
    Full,
    Empty(&'a [bool]),
    /// The number of texts in each row's list, and for an optional column whether each row has a list.
    Lists(&'a [u32], Option<&'a [bool]>),
}

impl<'a> Chunk<'a> {
    pub(super) fn numbers<T: Number>(values: &'a Numbers) -> Self {
        let (distinct, has_dictionary) = values.distinct();
        let form = Form {
            plain: plain::<T>,
            range: range::<T>,
            is_less: is_less::<T>,
            statistics: about::<T>,
            is_float: T::IS_FLOAT,
        };
        Self { rows: &values.rows, distinct: Distinct::Numbers(distinct, form), has_dictionary }
    }

    /// Booleans, a bit each.
    pub(super) fn bools(rows: &'a [u32]) -> Self {
        Self { rows, distinct: Distinct::Bools, has_dictionary: false }
    }

    /// A column of texts: the distinct ones, and the index of each row's text.
    pub(super) fn texts(distinct: &'a [Bytes], rows: &'a [u32]) -> Self {
        let has_dictionary = distinct.len() * 2 <= rows.len().max(2) && distinct.len() <= WIDE;
        Self { rows, distinct: Distinct::Texts(distinct), has_dictionary }
    }

    /// The encoded distinct values, and their number.
    fn dictionary(&self) -> (Vec<u8>, usize) {
        let mut out = Vec::new();
        let count = match self.distinct {
            Distinct::Bools => 0,
            Distinct::Numbers(distinct, form) => {
                (form.plain)(&mut distinct.iter().copied(), &mut out);
                distinct.len()
            }
            Distinct::Texts(distinct) => {
                put_texts(distinct.iter(), &mut out);
                distinct.len()
            }
        };
        (out, count)
    }

    /// Encodes the values of a page.
    fn page(&self, rows: &[u32], out: &mut Vec<u8>) {
        match self.distinct {
            Distinct::Bools => bits(rows.iter().map(|row| *row != 0), out),
            Distinct::Numbers(distinct, _) if self.has_dictionary => hybrid(rows, distinct.len(), out),
            Distinct::Numbers(distinct, form) => {
                let value = |row: &u32| distinct.get(*row as usize).copied().unwrap_or_default();
                (form.plain)(&mut rows.iter().map(value), out);
            }
            Distinct::Texts(distinct) if self.has_dictionary => hybrid(rows, distinct.len(), out),
            Distinct::Texts(distinct) => {
                put_texts(rows.iter().filter_map(|row| distinct.get(*row as usize)), out);
            }
        }
    }

    /// Widens a range by that of further values.
    fn widen(&self, range: &mut Range, other: &Range) {
        range.nans += other.nans;
        range.is_unknown |= other.is_unknown;
        let is_less = |one: &[u8], two: &[u8]| match self.distinct {
            Distinct::Numbers(_, form) => (form.is_less)(one, two),
            Distinct::Bools | Distinct::Texts(_) => one < two,
        };
        match (&mut range.ends, &other.ends) {
            (Some([least, most]), Some([low, high])) => {
                if is_less(low, least) {
                    least.clone_from(low);
                }
                if is_less(most, high) {
                    most.clone_from(high);
                }
            }
            (ends @ None, Some(_)) => ends.clone_from(&other.ends),
            (_, None) => {}
        }
        if range.is_unknown {
            range.ends = None;
        }
    }

    /// The least and the greatest of some of the values.
    fn range(&self, rows: &[u32], seen: &mut Vec<bool>) -> Range {
        let (&[first, ..], &[.., end]) = (rows, rows) else { return Range::default() };
        let count = match self.distinct {
            Distinct::Bools => 2,
            Distinct::Numbers(distinct, _) => distinct.len(),
            Distinct::Texts(distinct) => distinct.len(),
        };
        let is_one = first == end && rows.iter().all(|row| *row == first);
        seen.clear();
        if !is_one && count <= rows.len().saturating_mul(2) {
            // Compares each distinct value once.
            seen.resize(count, false);
            for row in rows {
                if let Some(seen) = seen.get_mut(*row as usize) {
                    *seen = true;
                }
            }
        }
        let all: Box<dyn Iterator<Item = u32>> = if is_one {
            Box::new(std::iter::once(first))
        } else if seen.is_empty() {
            Box::new(rows.iter().copied())
        } else {
            Box::new((0u32..).zip(&*seen).filter(|(_, seen)| **seen).map(|(number, _)| number))
        };
        match self.distinct {
            Distinct::Bools => {
                let (least, most) = all.fold((1, 0), |(least, most), it| (least.min(it), most.max(it)));
                Range { ends: Some([vec![least as u8], vec![most as u8]]), ..Range::default() }
            }
            Distinct::Numbers(distinct, form) => {
                let mut range = (form.range)(&mut all.filter_map(|row| distinct.get(row as usize).copied()));
                if range.nans > 0 {
                    // Parquet counts the rows with a NaN, not the distinct NaNs.
                    let is_nan = |row: &&u32| {
                        let value = distinct.get(**row as usize).copied();
                        value.is_some_and(|value| (form.range)(&mut std::iter::once(value)).nans > 0)
                    };
                    range.nans = rows.iter().filter(is_nan).count() as i64;
                }
                range
            }
            Distinct::Texts(distinct) => {
                let texts = all.filter_map(|row| distinct.get(row as usize));
                let ends = texts.fold(None::<[&Bytes; 2]>, |ends, text| {
                    let [least, most] = ends.unwrap_or([text; 2]);
                    Some([least.min(text), most.max(text)])
                });
                let short = ends.filter(|ends| ends.iter().all(|text| text.len() <= LONGEST));
                let is_unknown = ends.is_some() && short.is_none();
                Range { ends: short.map(|ends| ends.map(|text| text.to_vec())), nans: 0, is_unknown }
            }
        }
    }

    fn statistics(&self, range: &Range, nulls: u64) -> Option<Statistics> {
        let ends = range.ends.clone();
        match self.distinct {
            Distinct::Bools => {
                let ends = ends.map(|ends| ends.map(|end| end.first() == Some(&1)));
                let [least, most] = ends.map_or([None; 2], |ends| ends.map(Some));
                Some(Statistics::boolean(least, most, None, Some(nulls), false))
            }
            Distinct::Numbers(_, form) => Some((form.statistics)(range, nulls)),
            Distinct::Texts(_) => {
                let [least, most] = ends?.map(|end| Some(ByteArray::from(end)));
                Some(Statistics::byte_array(least, most, None, Some(nulls), false))
            }
        }
    }

    fn is_float(&self) -> bool {
        matches!(self.distinct, Distinct::Numbers(_, form) if form.is_float)
    }

    /// Encodes the pages, and collects the metadata of the column and the index of its pages.
    pub(super) fn pages(
        &self,
        column: &ColumnDescPtr,
        rows: usize,
        shape: &Shape<'_>,
        zstd: &mut Compressor<'static>,
    ) -> Result<(Bytes, ColumnCloseResult)> {
        let mut file = Pages::new(column);
        let mut out = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut out);
        let mut encodings = vec![Encoding::PLAIN, Encoding::RLE];
        let (mut encoding, mut dictionary, mut data) = (Encoding::PLAIN, None, None);
        if self.has_dictionary {
            let (distinct, count) = self.dictionary();
            let buf = zstd.compress(&distinct)?.into();
            let page = Page::DictionaryPage { buf, num_values: count as u32, encoding, is_sorted: false };
            dictionary = Some(file.write(&mut writer, page, distinct.len())?.0);
            encoding = Encoding::RLE_DICTIONARY;
            encodings.push(encoding);
        }
        let (mut seen, mut body, mut whole) = (Vec::new(), Vec::new(), Range::default());
        let (mut value, mut entries) = (0, 0);
        for from in (0..rows).step_by(PAGE) {
            let upto = (from + PAGE).min(rows);
            body.clear();
            let (count, there) = shape.levels(from, upto, &mut body);
            let values = self.rows.get(value..value + there).unwrap_or_default();
            (value, entries) = (value + there, entries + count);
            let nulls = (count - there) as i64;
            let range = self.range(values, &mut seen);
            self.widen(&mut whole, &range);
            self.page(values, &mut body);
            let page = Page::DataPage {
                buf: zstd.compress(&body)?.into(),
                num_values: count as u32,
                encoding,
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            };
            let (at, size) = file.write(&mut writer, page, body.len())?;
            data.get_or_insert(at);
            file.index(at, size, upto - from, (there == 0, nulls), range, self.is_float());
        }
        let mut about = ColumnChunkMetaData::builder(column.clone())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_encodings(encodings)
            .set_total_compressed_size(file.sizes[0])
            .set_total_uncompressed_size(file.sizes[1])
            .set_num_values(entries as i64)
            .set_dictionary_page_offset(dictionary)
            .set_data_page_offset(data.unwrap_or_default());
        if let Some(statistics) = self.statistics(&whole, (entries - value) as u64) {
            about = about.set_statistics(statistics);
        }
        let close = ColumnCloseResult {
            bytes_written: file.sizes[0] as u64,
            rows_written: rows as u64,
            metadata: about.build()?,
            bloom_filter: None,
            column_index: file.column.valid().then(|| file.column.build()).transpose()?,
            offset_index: Some(file.offsets.build()),
        };
        Ok((out.into_inner()?.into(), close))
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

impl Shape<'_> {
    /// Encodes the levels of some rows with their length in front. Returns the number of their entries, and the number
    /// of their values.
    fn levels(&self, from: usize, upto: usize, out: &mut Vec<u8>) -> (usize, usize) {
        let count = upto - from;
        match self {
            Self::Full => (count, count),
            Self::Empty(there) => {
                let there = there.get(from..upto).unwrap_or_default();
                let values = there.iter().filter(|it| **it).count();
                measured(&levels(there.iter().map(|it| u8::from(*it)), 1), out);
                (count, values)
            }
            Self::Lists(lengths, there) => {
                let lengths = lengths.get(from..upto).unwrap_or_default();
                let is_there =
                    |at: usize| there.is_none_or(|there| there.get(from + at).copied().unwrap_or_default());
                let full = 1 + u8::from(there.is_some());
                let (mut depths, mut repeats) = (Vec::with_capacity(count), Vec::with_capacity(count));
                let mut values = 0;
                for (at, length) in lengths.iter().enumerate() {
                    if *length == 0 {
                        depths.push(if is_there(at) { full - 1 } else { 0 });
                        repeats.push(0);
                    }
                    values += *length as usize;
                    for text in 0..*length {
                        depths.push(full);
                        repeats.push(u8::from(text > 0));
                    }
                }
                let entries = depths.len();
                measured(&levels(repeats.into_iter(), 1), out);
                measured(&levels(depths.into_iter(), full), out);
                (entries, values)
            }
        }
    }
}

/// Encodes texts, each with its length in front.
fn put_texts<'t>(texts: impl Iterator<Item = &'t Bytes>, out: &mut Vec<u8>) {
    for text in texts {
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text);
    }
}

fn measured(levels: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(levels.len() as u32).to_le_bytes());
    out.extend_from_slice(levels);
}

/// The least and the greatest, of those that can be compared.
fn range<T: Number>(values: &mut dyn Iterator<Item = u64>) -> Range {
    let (mut ends, mut nans) = (None::<[T; 2]>, 0);
    for bits in values {
        let it = T::of(bits);
        if it.partial_cmp(&it).is_none() {
            nans += 1;
            continue;
        }
        let [least, most] = ends.unwrap_or([it; 2]);
        ends = Some([if it < least { it } else { least }, if it > most { it } else { most }]);
    }
    let bytes = |it: T| {
        let mut out = Vec::new();
        it.put(&mut out);
        out
    };
    Range { ends: ends.map(|ends| ends.map(bytes)), nans, is_unknown: false }
}

/// The number with these bytes.
fn number<T: Number>(bytes: &[u8]) -> T {
    let mut wide = [0; 8];
    for (to, from) in wide.iter_mut().zip(bytes) {
        *to = *from;
    }
    T::of(u64::from_le_bytes(wide))
}

fn is_less<T: Number>(one: &[u8], other: &[u8]) -> bool {
    number::<T>(one) < number::<T>(other)
}

fn about<T: Number>(range: &Range, nulls: u64) -> Statistics {
    let ends = range.ends.as_ref().map(|[least, most]| [number(least), number(most)]);
    T::statistics(ends, nulls)
}

fn plain<T: Number>(values: &mut dyn Iterator<Item = u64>, out: &mut Vec<u8>) {
    out.reserve(values.size_hint().0 * size_of::<T>());
    for value in values {
        T::of(value).put(out);
    }
}

/// The number of values that indexes of one and of two bytes can distinguish.
const NARROW: usize = 1 << 8;
const WIDE: usize = 1 << 16;

/// Indexes into a dictionary: as runs if they are long, else one by one. They have one or two whole bytes
/// each, which is more than the least number of bits: zstd finds repetitions only if they begin at a byte.
fn hybrid(rows: &[u32], distinct: usize, out: &mut Vec<u8>) {
    /// The least length of a run.
    const LONG: usize = 8;
    let wide = distinct > NARROW;
    out.reserve(rows.len() * (1 + usize::from(wide)) + 16);
    out.push(if wide { 16 } else { 8 });
    let behind = rows.get(1..).unwrap_or_default();
    let runs = rows.iter().zip(behind).map(|(one, other)| u32::from(one != other)).sum::<u32>();
    if runs as usize * LONG <= rows.len() {
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

/// Encodes levels of at most `most`: as runs if the runs are long, otherwise as one or two bits each.
fn levels(values: impl Iterator<Item = u8>, most: u8) -> Vec<u8> {
    let values: Vec<u8> = values.collect();
    let mut out = Vec::new();
    let behind = values.get(1..).unwrap_or_default();
    let runs = 1 + values.iter().zip(behind).filter(|(one, other)| one != other).count();
    if runs * 8 <= values.len().max(8) {
        for run in values.chunk_by(|one, other| one == other) {
            varint(run.len() << 1, &mut out);
            out.push(run.first().copied().unwrap_or_default());
        }
        return out;
    }
    varint(values.len().div_ceil(8) << 1 | 1, &mut out);
    if most <= 1 {
        bits(values.iter().map(|value| *value != 0), &mut out);
    } else {
        for eight in values.chunks(8) {
            let word = eight.iter().rev().fold(0u16, |word, value| word << 2 | u16::from(*value));
            out.extend(word.to_le_bytes());
        }
    }
    out
}

/// A bit each, beginning with the lowest.
fn bits(values: impl Iterator<Item = bool>, out: &mut Vec<u8>) {
    for (at, value) in values.enumerate() {
        if at % 8 == 0 {
            out.push(0);
        }
        if let Some(byte) = out.last_mut() {
            *byte |= u8::from(value) << (at % 8);
        }
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
