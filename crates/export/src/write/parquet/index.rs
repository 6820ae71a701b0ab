//! The distinct values of a column: each value is stored once, and rows have its index. Most columns of a game have few
//! values, so a row takes a byte or two even before zstd.

use crate::recent::RecentTexts;
use bytes::Bytes;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::iter::repeat_n;

/// The number of values that an index of one byte can distinguish.
pub(super) const NARROW: usize = 1 << 8;
/// The number of values that an index of two bytes can distinguish.
pub(super) const WIDE: usize = 1 << 16;

/// If there are more distinct numbers than this, further numbers are not compared with earlier ones.
const MAX_DISTINCT: usize = 1 << 15;

/// If nearly all of the first values are distinct, later ones are not compared with them. This many texts, or numbers,
/// are tried.
const TRIAL: usize = 512;
const TRIAL_OF_NUMBERS: usize = 4096;

/// The distinct numbers of a column, as bits, each with an index in the order of first occurrence.
#[derive(Default)]
pub(super) struct DistinctNumbers {
    index: Index,
    /// The last value and its index, since for example all entities of a frame have the same time.
    last: Option<(u64, u32)>,
    /// Whether any value was smaller than the one before. As long as values only rise, as blocks and times do, each
    /// value that differs from the last is new.
    has_fallen: bool,
    /// How many values were looked up, and how many of them were new.
    lookups: usize,
    new: usize,
}

impl DistinctNumbers {
    /// The index of a value. After the limit is reached, each value counts as new.
    #[inline]
    pub(super) fn number(&mut self, bits: u64) -> u32 {
        match self.last {
            Some((last, number)) if last == bits => number,
            _ => self.look_up(bits),
        }
    }

    #[inline]
    fn look_up(&mut self, bits: u64) -> u32 {
        let known = self.index.distinct.len();
        self.has_fallen |= self.last.is_some_and(|(last, _)| bits < last);
        // Positions of players have so many distinct values that looking each up takes longer than everything else.
        let is_hopeless = self.lookups >= TRIAL_OF_NUMBERS && self.new * 8 > self.lookups * 7;
        let number = if self.has_fallen && known <= MAX_DISTINCT && !is_hopeless {
            let number = self.index.number(bits);
            self.lookups += 1;
            self.new += usize::from(number as usize == known);
            number
        } else {
            self.index.push(bits)
        };
        self.last = Some((bits, number));
        number
    }

    /// The distinct values, and whether they are worth a dictionary because the rows repeat them often enough. If not
    /// all values were looked up, some occur twice.
    pub(super) fn distinct(&self, rows: usize) -> (&[u64], bool) {
        let distinct = &self.index.distinct;
        (distinct, distinct.len() <= MAX_DISTINCT && distinct.len() * 2 <= rows)
    }

    pub(super) fn clear(&mut self) {
        self.index.clear();
        self.last = None;
        self.has_fallen = false;
        (self.lookups, self.new) = (0, 0);
    }
}

/// Distinct values, and a hash table to find them.
#[derive(Default)]
struct Index {
    distinct: Vec<u64>,
    /// The slots of the hash table, twice as many as values; 0 is a free slot. A slot has half of a value in its upper
    /// half, and the value's index plus 1 in its lower half, so that a value of 32 bits is found with one access to
    /// memory.
    places: Vec<u64>,
    /// How many values have slots; later values were added without.
    placed: usize,
    /// Whether a value has more than 32 bits.
    has_wide: bool,
}

impl Index {
    /// Adds a value of which it is known that it is new, or that it need not be found.
    #[inline]
    fn push(&mut self, bits: u64) -> u32 {
        self.has_wide |= bits > HALF;
        self.distinct.push(bits);
        self.distinct.len() as u32 - 1
    }

    fn clear(&mut self) {
        self.distinct.clear();
        self.places.fill(0);
        self.placed = 0;
        self.has_wide = false;
    }

    #[inline]
    fn number(&mut self, bits: u64) -> u32 {
        if self.placed < self.distinct.len() || self.placed * 2 >= self.places.len() {
            self.grow();
        }
        self.has_wide |= bits > HALF;
        let at = self.find(bits);
        match self.places.get_mut(at) {
            Some(place) if *place == 0 => {
                self.distinct.push(bits);
                self.placed += 1;
                let number = self.distinct.len() as u32;
                *place = slot(bits, number);
                number - 1
            }
            Some(place) => *place as u32 - 1,
            None => 0,
        }
    }

    /// The slot of a value, or the free slot for it. There is always a free one.
    #[inline]
    fn find(&self, bits: u64) -> usize {
        // Fibonacci hashing: the upper half of the product is mixed best.
        let hash = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(place) = self.places.get(at).filter(|place| **place != 0) {
            // If values are wider than 32 bits, different values may have the same half.
            let is_it = place >> 32 == bits & HALF
                && (!self.has_wide || self.distinct.get((place & HALF) as usize - 1) == Some(&bits));
            if is_it {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let size = ((self.distinct.len() + 1) * 2).next_power_of_two().max(1 << 9).max(self.places.len());
        self.places.clear();
        self.places.extend(repeat_n(0, size));
        for number in 0..self.distinct.len() {
            let at = self.distinct.get(number).map(|bits| self.find(*bits));
            if let Some(place) = at.and_then(|at| self.places.get_mut(at)) {
                *place = slot(self.distinct.get(number).copied().unwrap_or_default(), number as u32 + 1);
            }
        }
        self.placed = self.distinct.len();
    }
}

/// The lower half of a value.
const HALF: u64 = u32::MAX as u64;

/// A slot of the table: a value, and its index counted from 1.
fn slot(bits: u64, number: u32) -> u64 {
    (bits & HALF) << 32 | u64::from(number)
}

/// The distinct texts of a column, each with an index in the order of first occurrence.
#[derive(Default)]
pub(super) struct Texts {
    index: HashMap<Bytes, u32, Seed>,
    words: Vec<Bytes>,
    /// The total length of the texts.
    size: usize,
    recent: RecentTexts,
    /// How many texts were looked for, and whether nearly all were new.
    lookups: usize,
    is_hopeless: bool,
}

impl Texts {
    #[inline]
    pub(super) fn number(&mut self, text: &Bytes) -> u32 {
        match self.recent.get(text) {
            Some(number) => number,
            None => self.look_up(text),
        }
    }

    fn look_up(&mut self, text: &Bytes) -> u32 {
        let next = self.words.len() as u32;
        if self.is_hopeless {
            self.words.push(text.clone());
            self.size += text.len();
            return next;
        }
        self.lookups += 1;
        self.is_hopeless = self.lookups >= TRIAL && self.words.len() * 8 > self.lookups * 7;
        let number = *self.index.entry(text.clone()).or_insert(next);
        if number == next {
            self.words.push(text.clone());
            self.size += text.len();
        }
        self.recent.put(text, number);
        number
    }

    /// The total length of the texts.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Returns the texts by their indexes, and becomes empty.
    pub(super) fn take(&mut self) -> Vec<Bytes> {
        std::mem::take(self).words
    }
}

/// Makes hashes in a few instructions for eight bytes. A random number goes in, so that nobody can prepare texts with
/// equal hashes.
struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for Seed {
    type Hasher = Hash;
    fn build_hasher(&self) -> Hash {
        Hash(self.0)
    }
}

/// A hash that is being computed.
struct Hash(u64);

impl Hasher for Hash {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        for word in words.iter().chain((!rest.is_empty()).then_some(&last)) {
            // The upper half of the product depends on all bits of both factors.
            let product = u128::from(self.0 ^ u64::from_le_bytes(*word)) * 0x9E37_79B9_7F4A_7C15;
            self.0 = product as u64 ^ (product >> 64) as u64;
        }
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_numbers_of_their_values() {
        let mut numbers = DistinctNumbers::default();
        // More numbers than there are slots at first, each four times in random order; then more than the limit; then
        // few.
        for (count, of, pays) in
            [(8000u64, 2000u64, true), (200_000, 100_000, false), (9, 3, true), (3, 3, false)]
        {
            let values: Vec<u64> = (0..count).map(|n| (n % of).wrapping_mul(2_654_435_761)).collect();
            let rows: Vec<u32> = values.iter().map(|value| numbers.number(*value)).collect();
            let (distinct, indexed) = numbers.distinct(rows.len());
            let all: Vec<u64> = rows.iter().map(|row| distinct[*row as usize]).collect();
            assert_eq!(all, values);
            assert_eq!(
                indexed.then_some((distinct.len() as u64, all.len() as u64)),
                pays.then_some((of, count))
            );
            numbers.clear();
        }
    }

    #[test]
    fn values_that_rose_are_found_when_they_fall() {
        let mut numbers = DistinctNumbers::default();
        for round in 0..3u64 {
            for wide in [0, 1 << 40] {
                let rising: Vec<u32> = (0..1000).map(|n| numbers.number(wide + n * 7)).collect();
                assert_eq!(rising.len(), 1000);
                let falling: Vec<u32> = (0..1000).rev().map(|n| numbers.number(wide + n * 7)).collect();
                assert!(rising.iter().eq(falling.iter().rev()), "{round}");
            }
            let (distinct, indexed) = numbers.distinct(4000);
            assert_eq!((distinct.len(), indexed), (2000, true));
            numbers.clear();
        }
    }

    #[test]
    fn numbers_that_are_nearly_all_new_are_not_looked_for() {
        let mut numbers = DistinctNumbers::default();
        let value = |n: u32| u64::from(n.wrapping_mul(2_654_435_761));
        for n in 0..6000 {
            assert_eq!(numbers.number(value(n)), n);
        }
        assert_eq!(numbers.number(value(1)), 6000);
        // The next group of rows begins with empty indexes.
        numbers.clear();
        assert_eq!([1, 2, 1].map(|n| numbers.number(value(n))), [0, 1, 0]);
    }

    #[test]
    fn texts_that_are_all_new_are_not_looked_for() {
        let mut texts = Texts::default();
        for n in 0..2000u32 {
            assert_eq!(texts.number(&Bytes::from(format!("{n}"))), n);
        }
        assert!(texts.is_hopeless && texts.index.len() <= TRIAL);
        let distinct = texts.take();
        assert!((0u32..).zip(&distinct).all(|(n, text)| text == n.to_string().as_bytes()));
        assert!(!texts.is_hopeless);
    }

    #[test]
    fn the_same_text_is_one_wherever_it_lies() {
        let mut texts = Texts::default();
        let words: Vec<Bytes> = (0..1000).map(|n| Bytes::from(format!("word {}", n % 300))).collect();
        for _ in 0..2 {
            assert_eq!(texts.number(&Bytes::new()), 0);
            let rows: Vec<u32> = words.iter().map(|word| texts.number(word)).collect();
            let distinct = texts.take();
            assert_eq!(distinct.len(), 301);
            assert!(words.iter().zip(rows).all(|(word, row)| distinct[row as usize] == word));
        }
    }
}
