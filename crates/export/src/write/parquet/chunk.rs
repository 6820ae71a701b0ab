//! A column of a row group as Parquet has it: a dictionary page, where values come more than once, and a data page.
//! The library's own encoders look at each value many times; here a row is one number of a byte or two.

use super::index::Numbers;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

/// A type of numbers.
pub(super) trait Number: Copy + PartialOrd {
    /// As bits, which tell it from others.
    fn bits(self) -> u64;
    /// Out of its bits.
    fn of(bits: u64) -> Self;
    /// Puts it behind others as it is.
    fn put(self, out: &mut Vec<u8>);
    /// The least and the greatest of a column, and how many rows have none.
    fn statistics(range: Option<[Self; 2]>, nulls: u64) -> Statistics;
}

macro_rules! numbers {
    ($($type:ty: $bits:expr, $of:expr, $statistics:ident;)*) => { $(
        impl Number for $type {
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
    i32: |it: i32| u64::from(it as u32), |bits: u64| bits as i32, int32;
    i64: |it: i64| it as u64, |bits: u64| bits as i64, int64;
    f32: |it: f32| u64::from(it.to_bits()), |bits: u64| f32::from_bits(bits as u32), float;
    f64: f64::to_bits, f64::from_bits, double;
}

/// What is in a column's pages.
pub(super) struct Chunk {
    /// The different values, as they are, and how many; none where the values themselves follow.
    dictionary: Option<(Vec<u8>, usize)>,
    values: Vec<u8>,
    statistics: Option<Statistics>,
}

impl Chunk {
    pub(super) fn numbers<T: Number>(values: &Numbers, nulls: u64) -> Self {
        let Some((distinct, rows)) = values.indexed() else {
            let values = values.all();
            let statistics = Some(T::statistics(range(&values), nulls));
            return Self { dictionary: None, values: plain::<T>(&values), statistics };
        };
        let statistics = Some(T::statistics(range(distinct), nulls));
        let dictionary = Some((plain::<T>(distinct), distinct.len()));
        Self { dictionary, values: hybrid(rows, distinct.len()), statistics }
    }

    /// Truths, a bit each.
    pub(super) fn bools(values: &[u32]) -> Self {
        let values: Vec<bool> = values.iter().map(|value| *value != 0).collect();
        Self { dictionary: None, values: bits(&values), statistics: None }
    }

    /// Texts, and which of them each row has; `ranged` for the least and the greatest of them.
    pub(super) fn texts(distinct: &[Bytes], rows: &[u32], ranged: bool, nulls: u64) -> Self {
        let put = |out: &mut Vec<u8>, text: &Bytes| {
            out.extend_from_slice(&(text.len() as u32).to_le_bytes());
            out.extend_from_slice(text);
        };
        let statistics = ranged.then(|| {
            let [least, most] = [distinct.iter().min(), distinct.iter().max()];
            let [least, most] = [least, most].map(|it| it.map(|it| ByteArray::from(it.clone())));
            Statistics::byte_array(least, most, None, Some(nulls), false)
        });
        let mut out = Vec::new();
        if distinct.len() * 2 <= rows.len() && distinct.len() <= WIDE {
            for text in distinct {
                put(&mut out, text);
            }
            let dictionary = Some((out, distinct.len()));
            return Self { dictionary, values: hybrid(rows, distinct.len()), statistics };
        }
        for text in rows.iter().filter_map(|row| distinct.get(*row as usize)) {
            put(&mut out, text);
        }
        Self { dictionary: None, values: out, statistics }
    }

    /// The pages, and what the file's directory says of them. `there` is which of the rows have a value.
    pub(super) fn pages(
        self,
        column: &ColumnDescPtr,
        rows: usize,
        there: Option<&[bool]>,
        zstd: &mut Compressor<'static>,
    ) -> Result<(Bytes, ColumnCloseResult)> {
        let Self { dictionary, values, statistics } = self;
        let mut out = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut out);
        let mut sizes = [0, 0];
        let mut add = |page: Page, whole: usize| -> Result<i64> {
            let spec = pages.write_page(CompressedPage::new(page, whole))?;
            sizes = [sizes[0] + spec.compressed_size as i64, sizes[1] + spec.uncompressed_size as i64];
            Ok(spec.offset as i64)
        };
        let mut encodings = vec![Encoding::PLAIN, Encoding::RLE];
        let (mut encoding, mut first) = (Encoding::PLAIN, None);
        if let Some((distinct, count)) = dictionary {
            let buf = zstd.compress(&distinct)?.into();
            let page = Page::DictionaryPage { buf, num_values: count as u32, encoding, is_sorted: false };
            first = Some(add(page, distinct.len())?);
            encoding = Encoding::RLE_DICTIONARY;
            encodings.push(encoding);
        }
        let data = match there {
            Some(there) => {
                let levels = levels(there);
                [&(levels.len() as u32).to_le_bytes()[..], &levels, &values].concat()
            }
            None => values,
        };
        let page = Page::DataPage {
            buf: zstd.compress(&data)?.into(),
            num_values: rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let at = add(page, data.len())?;
        let mut about = ColumnChunkMetaData::builder(column.clone())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_encodings(encodings)
            .set_total_compressed_size(sizes[0])
            .set_total_uncompressed_size(sizes[1])
            .set_num_values(rows as i64)
            .set_dictionary_page_offset(first)
            .set_data_page_offset(at);
        if let Some(statistics) = statistics {
            about = about.set_statistics(statistics);
        }
        let close = ColumnCloseResult {
            bytes_written: sizes[0] as u64,
            rows_written: rows as u64,
            metadata: about.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((out.into_inner()?.into(), close))
    }
}

/// The least and the greatest, of those that can be compared.
fn range<T: Number>(values: &[u64]) -> Option<[T; 2]> {
    let mut values = values.iter().map(|bits| T::of(*bits)).filter(|it| it.partial_cmp(it).is_some());
    let first = values.next()?;
    Some(values.fold([first; 2], |[least, most], it| {
        [if it < least { it } else { least }, if it > most { it } else { most }]
    }))
}

fn plain<T: Number>(values: &[u64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len() * size_of::<T>());
    for value in values {
        T::of(*value).put(&mut out);
    }
    out
}

/// How many values numbers of one and of two bytes can tell.
const NARROW: usize = 1 << 8;
const WIDE: usize = 1 << 16;

/// Numbers of a dictionary: as runs where they are long, else all as they are. Of one or two whole bytes each, which
/// is more than the least number of bits: zstd finds what repeats only where it begins with a byte.
fn hybrid(rows: &[u32], distinct: usize) -> Vec<u8> {
    /// As many rows must a run have.
    const LONG: usize = 8;
    let wide = distinct > NARROW;
    let mut out = Vec::with_capacity(rows.len() * (1 + usize::from(wide)) + 16);
    out.push(if wide { 16 } else { 8 });
    let behind = rows.get(1..).unwrap_or_default();
    let runs = rows.iter().zip(behind).map(|(one, other)| u32::from(one != other)).sum::<u32>();
    if runs as usize * LONG <= rows.len() {
        for run in rows.chunk_by(|one, other| one == other) {
            let number = run.first().copied().unwrap_or_default() as u16;
            varint(run.len() << 1, &mut out);
            let [low, high] = number.to_le_bytes();
            out.push(low);
            out.extend(wide.then_some(high));
        }
        return out;
    }
    // Groups of eight, of which the last may hold more than there is.
    let groups = rows.len().div_ceil(8);
    varint(groups << 1 | 1, &mut out);
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
    out
}

/// Which rows have a value.
fn levels(there: &[bool]) -> Vec<u8> {
    let mut out = Vec::new();
    let first = there.first().copied().unwrap_or_default();
    if there.iter().all(|it| *it == first) {
        varint(there.len() << 1, &mut out);
        out.push(u8::from(first));
    } else {
        varint(there.len().div_ceil(8) << 1 | 1, &mut out);
        out.extend(bits(there));
    }
    out
}

/// A bit each, the first the lowest.
fn bits(values: &[bool]) -> Vec<u8> {
    let byte = |eight: &[bool]| eight.iter().rev().fold(0, |bits, value| bits << 1 | u8::from(*value));
    values.chunks(8).map(byte).collect()
}

/// A whole number, seven bits a byte.
fn varint(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
