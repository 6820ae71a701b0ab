//! The values of a column of a row group: how they are encoded and compared. A row is already the index of its value, so
//! only distinct values are looked at.

use super::index::{DistinctNumbers, NARROW, WIDE};
use super::rows::Lines;
use super::series::Series;
use bytes::Bytes;
use parquet::data_type::ByteArray;
use parquet::file::statistics::Statistics;

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

/// The values of a column.
pub(super) struct Chunk<'a> {
    distinct: Distinct<'a>,
    /// Whether the distinct values form a dictionary page and the data pages hold their indexes.
    has_dictionary: bool,
}

/// Space that pages use one after the other.
#[derive(Default)]
pub(super) struct Space {
    seen: Vec<bool>,
    words: Vec<u64>,
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
    plain: fn(&[u64], &mut Vec<u8>),
    range: fn(&[u64]) -> Range,
    is_less: fn(&[u8], &[u8]) -> bool,
    statistics: fn(&Range, u64) -> Statistics,
    is_float: bool,
}

/// The least and the greatest value in their encoded form, and the number of NaNs.
#[derive(Clone, Default)]
pub(super) struct Range {
    pub(super) ends: Option<[Vec<u8>; 2]>,
    pub(super) nans: i64,
    /// Whether a text is too long for a range.
    is_unknown: bool,
}

/// If the least or the greatest text is longer than this, no range is written, since it would take more space than it
/// saves.
const LONGEST: usize = 128;

impl<'a> Chunk<'a> {
    pub(super) fn numbers<T: Number>(values: &'a DistinctNumbers, lines: &Lines<'_>) -> Self {
        let (distinct, has_dictionary) = values.distinct(lines.values);
        let form = Form {
            plain: plain::<T>,
            range: range::<T>,
            is_less: is_less::<T>,
            statistics: statistics_of::<T>,
            is_float: T::IS_FLOAT,
        };
        Self { distinct: Distinct::Numbers(distinct, form), has_dictionary }
    }

    /// Booleans, a bit each.
    pub(super) fn bools() -> Self {
        Self { distinct: Distinct::Bools, has_dictionary: false }
    }

    /// A column of texts: the distinct texts, and the number of texts in all rows.
    pub(super) fn texts(distinct: &'a [Bytes], values: usize) -> Self {
        let has_dictionary = distinct.len() * 2 <= values.max(2) && distinct.len() <= WIDE;
        Self { distinct: Distinct::Texts(distinct), has_dictionary }
    }

    /// The encoded distinct values and their number, if they form a dictionary.
    pub(super) fn dictionary(&self) -> Option<(Vec<u8>, usize)> {
        let mut out = Vec::new();
        let count = match self.distinct {
            _ if !self.has_dictionary => return None,
            Distinct::Bools => 0,
            Distinct::Numbers(distinct, form) => {
                (form.plain)(distinct, &mut out);
                distinct.len()
            }
            Distinct::Texts(distinct) => {
                put_texts(distinct.iter(), &mut out);
                distinct.len()
            }
        };
        Some((out, count))
    }

    /// Encodes the values with these indexes.
    pub(super) fn page(&self, rows: &Series, space: &mut Space, out: &mut Vec<u8>) {
        match self.distinct {
            Distinct::Bools => bits(rows.each(), out),
            Distinct::Numbers(distinct, _) if self.has_dictionary => indexes(rows, distinct.len(), out),
            Distinct::Numbers(distinct, form) => {
                space.fill(rows.each(), distinct);
                (form.plain)(&space.words, out);
            }
            Distinct::Texts(distinct) if self.has_dictionary => indexes(rows, distinct.len(), out),
            Distinct::Texts(distinct) => {
                put_texts(rows.each().filter_map(|row| distinct.get(row as usize)), out);
            }
        }
    }

    /// Extends a range so that it contains another one.
    pub(super) fn widen(&self, range: &mut Range, other: &Range) {
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

    /// The least and the greatest of the values with these indexes. The only page of a chunk has all values of the dictionary.
    pub(super) fn range(&self, rows: &Series, is_only: bool, space: &mut Space) -> Range {
        let some = rows.values();
        let (&[first, ..], &[.., end]) = (some, some) else { return Range::default() };
        let count = match self.distinct {
            Distinct::Bools => 2,
            Distinct::Numbers(distinct, _) => distinct.len(),
            Distinct::Texts(distinct) => distinct.len(),
        };
        if first == end && some.iter().all(|it| *it == first) {
            return self.range_of(std::iter::once(first), rows, space);
        }
        if is_only && !matches!(self.distinct, Distinct::Bools) {
            return self.range_of(0..count as u32, rows, space);
        }
        if count > some.len().saturating_mul(2) {
            return self.range_of(some.iter().copied(), rows, space);
        }
        // Compares each distinct value once.
        let mut seen = std::mem::take(&mut space.seen);
        seen.clear();
        seen.resize(count, false);
        for it in some {
            if let Some(seen) = seen.get_mut(*it as usize) {
                *seen = true;
            }
        }
        let numbers = (0u32..).zip(&seen).filter(|(_, seen)| **seen).map(|(number, _)| number);
        let range = self.range_of(numbers, rows, space);
        space.seen = seen;
        range
    }

    fn range_of(&self, all: impl Iterator<Item = u32>, rows: &Series, space: &mut Space) -> Range {
        match self.distinct {
            Distinct::Bools => {
                let (least, most) = all.fold((1, 0), |(least, most), it| (least.min(it), most.max(it)));
                Range { ends: Some([vec![least as u8], vec![most as u8]]), ..Range::default() }
            }
            Distinct::Numbers(distinct, form) => {
                space.fill(all, distinct);
                let mut range = (form.range)(&space.words);
                if range.nans > 0 {
                    // Parquet counts the rows with a NaN, not the distinct NaNs.
                    space.fill(rows.each(), distinct);
                    range.nans = (form.range)(&space.words).nans;
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

    pub(super) fn statistics(&self, range: &Range, nulls: u64) -> Option<Statistics> {
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

    pub(super) fn is_bool(&self) -> bool {
        matches!(self.distinct, Distinct::Bools)
    }

    pub(super) fn is_float(&self) -> bool {
        matches!(self.distinct, Distinct::Numbers(_, form) if form.is_float)
    }
}

impl Space {
    /// Collects the values with these indexes.
    fn fill(&mut self, rows: impl Iterator<Item = u32>, distinct: &[u64]) {
        self.words.clear();
        self.words.extend(rows.map(|row| distinct.get(row as usize).copied().unwrap_or_default()));
    }
}

/// Indexes into a dictionary. They have one or two whole bytes each, which is more than the least number of bits: zstd finds
/// repetitions only if they begin at a byte.
fn indexes(rows: &Series, distinct: usize, out: &mut Vec<u8>) {
    let bits = if distinct > NARROW { 16 } else { 8 };
    out.push(bits);
    rows.pack(bits, out);
}

/// A bit each, beginning with the lowest.
fn bits(values: impl Iterator<Item = u32>, out: &mut Vec<u8>) {
    let (mut byte, mut count) = (0, 0u32);
    for value in values {
        byte |= u8::from(value != 0) << (count % 8);
        count += 1;
        if count.is_multiple_of(8) {
            out.push(std::mem::take(&mut byte));
        }
    }
    if !count.is_multiple_of(8) {
        out.push(byte);
    }
}

/// Encodes texts, each with its length in front.
fn put_texts<'t>(texts: impl Iterator<Item = &'t Bytes>, out: &mut Vec<u8>) {
    for text in texts {
        out.extend_from_slice(&(text.len() as u32).to_le_bytes());
        out.extend_from_slice(text);
    }
}

/// The least and the greatest value, without NaNs.
fn range<T: Number>(values: &[u64]) -> Range {
    let (mut ends, mut nans) = (None::<[T; 2]>, 0);
    for bits in values {
        let it = T::of(*bits);
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

fn statistics_of<T: Number>(range: &Range, nulls: u64) -> Statistics {
    let ends = range.ends.as_ref().map(|[least, most]| [number(least), number(most)]);
    T::statistics(ends, nulls)
}

fn plain<T: Number>(values: &[u64], out: &mut Vec<u8>) {
    out.reserve(values.len() * size_of::<T>());
    for value in values {
        T::of(*value).put(out);
    }
}
