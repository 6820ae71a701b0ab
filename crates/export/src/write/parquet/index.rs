//! The distinct values of a column: each is kept once, and rows have its index. Most columns of a game have
//! few values, and so take a byte or two for each row even before zstd.

use bytes::Bytes;
use std::collections::HashMap;
use std::iter::repeat_n;

/// Beyond this many distinct numbers, equal ones are no longer looked for.
const MOST: usize = 1 << 15;

/// Numbers as bits, with indexes in the order in which they came.
#[derive(Default)]
pub(super) struct Numbers {
    index: Index,
    /// The last value and its index: all entities of a frame have the same time.
    last: Option<(u64, u32)>,
    /// For each row the index of its value.
    pub(super) rows: Vec<u32>,
}

impl Numbers {
    /// The index of a value. Beyond the limit, each counts as a new one.
    #[inline]
    pub(super) fn number(&mut self, bits: u64) -> u32 {
        match self.last {
            Some((last, number)) if last == bits => number,
            _ => self.look_up(bits),
        }
    }

    #[inline]
    fn look_up(&mut self, bits: u64) -> u32 {
        let number = if self.index.distinct.len() <= MOST {
            self.index.number(bits)
        } else {
            self.index.distinct.push(bits);
            self.index.distinct.len() as u32 - 1
        };
        self.last = Some((bits, number));
        number
    }

    /// Makes room for more rows, in few steps: the rows of a group that is begun are often many.
    pub(super) fn make_room(&mut self, more: usize) {
        if self.rows.capacity() - self.rows.len() < more {
            self.rows.reserve(more.max(self.rows.len() * 7));
        }
    }

    /// The distinct values, and whether they form a dictionary because rows repeat them often enough. If
    /// there are too many to be looked up, some occur twice.
    pub(super) fn distinct(&self) -> (&[u64], bool) {
        let distinct = &self.index.distinct;
        (distinct, distinct.len() <= MOST && distinct.len() * 2 <= self.rows.len())
    }

    pub(super) fn clear(&mut self) {
        self.index.distinct.clear();
        self.index.places.fill(0);
        self.index.has_wide = false;
        self.last = None;
        self.rows.clear();
    }
}

/// Distinct values, and a hash table to find them.
#[derive(Default)]
struct Index {
    distinct: Vec<u64>,
    /// Slots by hash, twice as many as values. 0 is free; others have the lower half of a value, and below it the
    /// value's index counted from 1, so that a value of 32 bits is found in one place of memory.
    places: Vec<u64>,
    /// Whether a value has more than 32 bits.
    has_wide: bool,
}

impl Index {
    #[inline]
    fn number(&mut self, bits: u64) -> u32 {
        if self.distinct.len() * 2 >= self.places.len() {
            self.grow();
        }
        self.has_wide |= bits > HALF;
        let at = self.find(bits);
        match self.places.get_mut(at) {
            Some(place) if *place == 0 => {
                self.distinct.push(bits);
                let number = self.distinct.len() as u32;
                *place = slot(bits, number);
                number - 1
            }
            Some(place) => *place as u32 - 1,
            None => 0,
        }
    }

    /// The slot of a value, or the free one for it. There always is one.
    #[inline]
    fn find(&self, bits: u64) -> usize {
        // Fibonacci hashing: the upper half of the product is mixed best.
        let hash = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(place) = self.places.get(at).filter(|place| **place != 0) {
            // The lower halves of different values may be the same, if there are wide ones.
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
        let size = (self.places.len() * 2).max(1 << 9);
        self.places.clear();
        self.places.extend(repeat_n(0, size));
        for number in 0..self.distinct.len() {
            let at = self.distinct.get(number).map(|bits| self.find(*bits));
            if let Some(place) = at.and_then(|at| self.places.get_mut(at)) {
                *place = slot(self.distinct.get(number).copied().unwrap_or_default(), number as u32 + 1);
            }
        }
    }
}

/// The lower half of a value.
const HALF: u64 = u32::MAX as u64;

/// A slot of the table: a value, and its index counted from 1.
fn slot(bits: u64, number: u32) -> u64 {
    (bits & HALF) << 32 | u64::from(number)
}

/// Texts, with indexes in the order in which they came.
#[derive(Default)]
pub(super) struct Texts {
    index: HashMap<Bytes, u32>,
    words: Vec<Bytes>,
    /// Their total length.
    size: usize,
    /// Recent texts, recognized by their address in memory.
    recent: Vec<Option<(Bytes, u32)>>,
}

impl Texts {
    #[inline]
    pub(super) fn number(&mut self, text: &Bytes) -> u32 {
        match self.recent.get(Self::place(text)) {
            Some(Some((it, number))) if std::ptr::eq(it.as_ref(), text.as_ref()) => *number,
            _ => self.look_up(text),
        }
    }

    /// Models and names are few; words are at least eight bytes apart in memory.
    #[inline]
    fn place(text: &Bytes) -> usize {
        let address = text.as_ptr() as usize;
        (address >> 4 ^ address >> 10) % Self::RECENT
    }

    const RECENT: usize = 128;

    #[cold]
    fn look_up(&mut self, text: &Bytes) -> u32 {
        let next = self.words.len() as u32;
        let number = *self.index.entry(text.clone()).or_insert(next);
        if number == next {
            self.words.push(text.clone());
            self.size += text.len();
        }
        self.recent.resize(Self::RECENT, None);
        if let Some(place) = self.recent.get_mut(Self::place(text)) {
            *place = Some((text.clone(), number));
        }
        number
    }

    /// Their total length.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Takes the texts by their indexes, which begin anew.
    pub(super) fn take(&mut self) -> Vec<Bytes> {
        std::mem::take(self).words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_numbers_of_their_values() {
        let mut numbers = Numbers::default();
        // More than the slots at the beginning, each four times, in no order; then more than the limit; then
        // few.
        for (count, of, pays) in
            [(8000u64, 2000u64, true), (200_000, 100_000, false), (9, 3, true), (3, 3, false)]
        {
            let values: Vec<u64> = (0..count).map(|n| (n % of).wrapping_mul(2_654_435_761)).collect();
            for value in &values {
                let row = numbers.number(*value);
                numbers.rows.push(row);
            }
            let (distinct, indexed) = numbers.distinct();
            let all: Vec<u64> = numbers.rows.iter().map(|row| distinct[*row as usize]).collect();
            assert_eq!(all, values);
            assert_eq!(
                indexed.then_some((distinct.len() as u64, all.len() as u64)),
                pays.then_some((of, count))
            );
            numbers.clear();
        }
        assert!(numbers.rows.is_empty());
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
