//! A hash of states that is the same in every run and on every platform: integers are folded one by one in the order of
//! the fields. `std::hash` is not used, because its results may change. The hash is for comparing states, not for
//! security.

use moviola_format::{Angle, Coord, Float, Seconds};
use std::sync::Arc;

/// A hash in progress.
///
/// ```
/// use moviola_state::Hash64;
/// let mut hash = Hash64::new();
/// hash.add(1);
/// hash.add(2);
/// assert_eq!(hash.finish(), 0x9474_dd04_b26b_47f6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hash64(u64);

/// An odd number with no pattern in its bits: the golden ratio's.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hash64 {
    /// A hash of nothing.
    pub const fn new() -> Self {
        Self(STEP)
    }

    /// Folds a number.
    #[inline]
    pub const fn add(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(STEP);
        self.0 = mixed.rotate_left(29) ^ (mixed >> 7);
    }

    /// Folds bytes and their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            self.add(rest.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        }
    }

    /// Folds a coordinate or an angle by its value, independent of the width in which it was sent. All NaNs count the
    /// same, and so do both zeros.
    ///
    /// ```
    /// use moviola_state::Hash64;
    /// let [mut one, mut other] = [Hash64::new(); 2];
    /// one.real(0.0);
    /// other.real(-0.0);
    /// assert_eq!(one.finish(), other.finish());
    /// ```
    #[inline]
    pub fn real(&mut self, value: f64) {
        // Minus zero plus zero is zero.
        self.add(if value.is_nan() { 0x7FF8 << 48 } else { (value + 0.0).to_bits() });
    }

    /// The hash of everything that `fold` adds to a new one.
    pub(crate) fn of(fold: impl FnOnce(&mut Self)) -> u64 {
        let mut hash = Self::new();
        fold(&mut hash);
        hash.finish()
    }

    /// The hash of all that was folded.
    pub const fn finish(self) -> u64 {
        let mut hash = self.0;
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        hash ^ (hash >> 33)
    }
}

impl Default for Hash64 {
    fn default() -> Self {
        Self::new()
    }
}

/// A value that can be folded into a hash, with all its fields.
pub(crate) trait Fold {
    fn fold(&self, hash: &mut Hash64);
}

/// Folds a struct's fields in the order given; a field that is left out does not compile.
macro_rules! folds {
    ($( $name:ident { $($field:tt $(: $as:ident)?),* $(,)? } )*) => { $(
        impl $crate::hash::Fold for $name {
            #[inline]
            fn fold(&self, hash: &mut $crate::Hash64) {
                // Destructures the value with all its fields, so that the compiler reports a missing one.
                let Self { $($field $(: $as)?),* } = self;
                $( $crate::hash::folds!(@one hash $field $($as)?); )*
            }
        }
    )* };
    (@one $hash:ident $field:tt $as:ident) => { $crate::hash::Fold::fold($as, $hash) };
    (@one $hash:ident $field:ident) => { $crate::hash::Fold::fold($field, $hash) };
}
pub(crate) use folds;

macro_rules! numbers { ($($number:ty)*) => { $(
    impl Fold for $number {
        #[inline]
        fn fold(&self, hash: &mut Hash64) {
            hash.add(i64::from(*self) as u64);
        }
    }
)* } }
numbers!(bool u8 i8 u16 i16 u32 i32);

impl Fold for u64 {
    #[inline]
    fn fold(&self, hash: &mut Hash64) {
        hash.add(*self);
    }
}

impl Fold for Float {
    #[inline]
    fn fold(&self, hash: &mut Hash64) {
        self.0.fold(hash);
    }
}

impl Fold for Seconds {
    #[inline]
    fn fold(&self, hash: &mut Hash64) {
        self.0.fold(hash);
    }
}

impl Fold for Coord {
    #[inline]
    fn fold(&self, hash: &mut Hash64) {
        hash.add((self.kind() as u64) << 32 | u64::from(self.raw() as u32));
    }
}

impl Fold for Angle {
    #[inline]
    fn fold(&self, hash: &mut Hash64) {
        hash.add((self.kind() as u64) << 32 | u64::from(self.raw() as u32));
    }
}

impl<T: Fold> Fold for [T] {
    fn fold(&self, hash: &mut Hash64) {
        hash.add(self.len() as u64);
        for one in self {
            one.fold(hash);
        }
    }
}

impl<T: Fold, const N: usize> Fold for [T; N] {
    #[inline]
    fn fold(&self, hash: &mut Hash64) {
        for one in self {
            one.fold(hash);
        }
    }
}

impl<T: Fold> Fold for Vec<T> {
    fn fold(&self, hash: &mut Hash64) {
        self.as_slice().fold(hash);
    }
}

impl<T: Fold + ?Sized> Fold for Arc<T> {
    fn fold(&self, hash: &mut Hash64) {
        self.as_ref().fold(hash);
    }
}

impl<T: Fold> Fold for Option<T> {
    fn fold(&self, hash: &mut Hash64) {
        hash.add(u64::from(self.is_some()));
        if let Some(it) = self {
            it.fold(hash);
        }
    }
}

impl<K: Fold, V: Fold> Fold for std::collections::BTreeMap<K, V> {
    fn fold(&self, hash: &mut Hash64) {
        hash.add(self.len() as u64);
        for (key, value) in self {
            key.fold(hash);
            value.fold(hash);
        }
    }
}

impl<A: Fold, B: Fold> Fold for (A, B) {
    fn fold(&self, hash: &mut Hash64) {
        self.0.fold(hash);
        self.1.fold(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &(impl Fold + ?Sized)) -> u64 {
        let mut hash = Hash64::new();
        value.fold(&mut hash);
        hash.finish()
    }

    #[test]
    fn order_and_borders_count() {
        assert_ne!(of(&[1u8, 2]), of(&[2u8, 1]));
        assert_ne!(of(&vec![vec![1u8], vec![]]), of(&vec![vec![], vec![1u8]]));
        let (mut one, mut other) = (Hash64::new(), Hash64::new());
        one.bytes(b"a\0");
        other.bytes(b"a");
        assert_ne!(one.finish(), other.finish());
    }

    #[test]
    fn numbers_by_value_know_one_zero_and_one_nan() {
        let real = |value: f64| {
            let mut hash = Hash64::new();
            hash.real(value);
            hash.finish()
        };
        assert_eq!(real(0.0), real(-0.0));
        assert_eq!(real(f64::NAN), real(-f64::NAN));
        assert_ne!(real(1.0), real(-1.0));
    }
}
