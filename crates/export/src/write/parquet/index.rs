//! Which of a column's values are the same: each is kept once, and rows have its number. Most columns of a game
//! have few values, and are then a byte or two a row, before zstd sees them.

use super::chunk::Number;
use bytes::Bytes;
use std::collections::HashMap;

/// More different numbers than this are not looked for.
const MOST: usize = 1 << 15;

/// The different values of a column, and for each row which it has.
pub(super) struct Index<T> {
    pub(super) distinct: Vec<T>,
    pub(super) rows: Vec<u32>,
}

/// The index of numbers; none where most come once.
pub(super) fn index<T: Number>(values: &[T]) -> Option<Index<T>> {
    let mut distinct: Vec<T> = Vec::new();
    // Places by hash, twice as many as values: 0 is free, others are numbers counted from 1.
    let mut places = vec![0u32; 1 << 9];
    let mut rows = vec![0; values.len()];
    let first = values.first()?;
    // None yet: not even the first is the same.
    let (mut last, mut known) = (!first.bits(), 0);
    for (row, value) in rows.iter_mut().zip(values) {
        let bits = value.bits();
        if last != bits {
            let at = find(&places, &distinct, bits);
            let mut number = places.get(at).copied().unwrap_or_default();
            if number == 0 {
                if distinct.len() == MOST {
                    return None;
                }
                distinct.push(*value);
                number = distinct.len() as u32;
                if let Some(place) = places.get_mut(at) {
                    *place = number;
                }
                if distinct.len() * 2 > places.len() {
                    places = grown(&distinct, places.len() * 2);
                }
            }
            (last, known) = (bits, number - 1);
        }
        *row = known;
    }
    (distinct.len() * 2 <= values.len()).then_some(Index { distinct, rows })
}

/// The place of a value, or the free one where it belongs. There always is one.
#[inline]
fn find<T: Number>(places: &[u32], distinct: &[T], bits: u64) -> usize {
    // Fibonacci hashing: the upper half of the product is mixed best.
    let hash = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    let mask = places.len() - 1;
    let mut at = hash as usize & mask;
    while let Some(number) = places.get(at).and_then(|number| number.checked_sub(1)) {
        if distinct.get(number as usize).is_some_and(|it| it.bits() == bits) {
            break;
        }
        at = (at + 1) & mask;
    }
    at
}

#[cold]
fn grown<T: Number>(distinct: &[T], size: usize) -> Vec<u32> {
    let mut places = vec![0; size];
    for (value, number) in distinct.iter().zip(1..) {
        let at = find(&places, distinct, value.bits());
        if let Some(place) = places.get_mut(at) {
            *place = number;
        }
    }
    places
}

/// Texts, indexed as they come.
#[derive(Default)]
pub(super) struct Texts {
    index: HashMap<Bytes, u32>,
    words: Vec<Bytes>,
    rows: Vec<u32>,
    /// What came lately, known again by where it is in memory.
    recent: Vec<Option<(Bytes, u32)>>,
}

impl Texts {
    #[inline]
    pub(super) fn push(&mut self, text: &Bytes) {
        let number = match self.recent.get(Self::place(text)) {
            Some(Some((it, number))) if std::ptr::eq(it.as_ref(), text.as_ref()) => *number,
            _ => self.look_up(text),
        };
        self.rows.push(number);
    }

    /// Models and names are few; words are kept at least eight bytes from each other.
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
        }
        self.recent.resize(Self::RECENT, None);
        if let Some(place) = self.recent.get_mut(Self::place(text)) {
            *place = Some((text.clone(), number));
        }
        number
    }

    /// The index of what came so far, after which nothing came.
    pub(super) fn take(&mut self) -> Index<Bytes> {
        let Self { words, rows, .. } = std::mem::take(self);
        Index { distinct: words, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_numbers_of_their_values() {
        // More than the places at the beginning, each four times, in no order; NaN is itself.
        let values: Vec<f32> =
            (0..8000u32).map(|n| f32::from_bits((n % 2000).wrapping_mul(2_654_435_761))).collect();
        let Index { distinct, rows } = index(&values).unwrap();
        assert_eq!(distinct.len(), 2000);
        for (value, row) in values.iter().zip(rows) {
            assert_eq!(value.to_bits(), distinct[row as usize].to_bits());
        }
        assert!(index(&[1, 2, 3, 3]).is_none());
        assert!(index(&(0..200_000i64).map(|n| n % 100_000).collect::<Vec<_>>()).is_none());
    }

    #[test]
    fn the_same_text_is_one_wherever_it_lies() {
        let mut texts = Texts::default();
        let words: Vec<Bytes> = (0..1000).map(|n| Bytes::from(format!("word {}", n % 300))).collect();
        for _ in 0..2 {
            for word in &words {
                texts.push(word);
            }
            let Index { distinct, rows } = texts.take();
            assert_eq!((distinct.len(), rows.len()), (300, 1000));
            assert!(words.iter().zip(rows).all(|(word, row)| distinct[row as usize] == word));
        }
    }
}
