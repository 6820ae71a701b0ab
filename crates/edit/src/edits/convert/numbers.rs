//! New numbers for models and sounds, where a level has more of them than fit: those that are used get the lowest
//! numbers.

use moviola_format::StrList;

/// The new numbers of a level's models or sounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// The new number by the old one, 0 for a model or sound that does not fit; empty if all numbers stay.
    new: Vec<u16>,
}

impl Numbers {
    /// Numbers up to `most` for a list in which number `n` is used `uses[n]` times. The first, the level itself for
    /// models, stays first. Engines look files up by name, so the order of the others does not matter.
    pub(super) fn fitting(uses: &[u64], most: u16) -> Self {
        let last = uses.len().saturating_sub(1);
        if last <= usize::from(most) {
            return Self::default();
        }
        Self::of((2..=last).collect(), uses, most)
    }

    /// Like [`fitting`](Self::fitting), without models or sounds that are not used at all.
    pub(super) fn of_used(uses: &[u64], most: u16) -> Self {
        let order: Vec<usize> = (2..uses.len()).filter(|number| uses.get(*number) != Some(&0)).collect();
        let are_all = order.len().saturating_add(2) >= uses.len();
        if are_all { Self::fitting(uses, most) } else { Self::of(order, uses, most) }
    }

    fn of(mut order: Vec<usize>, uses: &[u64], most: u16) -> Self {
        order.sort_by_key(|number| std::cmp::Reverse(uses.get(*number).copied().unwrap_or_default()));
        order.truncate(usize::from(most).saturating_sub(1));
        order.sort_unstable();
        let mut new = vec![0; uses.len()];
        for (at, number) in std::iter::once(1).chain(order).enumerate() {
            if let Some(place) = new.get_mut(number) {
                *place = (at as u16).saturating_add(1);
            }
        }
        Self { new }
    }

    /// Whether all numbers are unchanged.
    pub(super) fn is_same(&self) -> bool {
        self.new.is_empty()
    }

    /// The new number; `None` if the model or sound does not fit.
    pub(super) fn get(&self, old: u16) -> Option<u16> {
        if self.new.is_empty() || old == 0 {
            return Some(old);
        }
        self.new.get(usize::from(old)).copied().filter(|new| *new != 0)
    }

    /// Writes the list of the models or sounds that fit.
    pub(super) fn list(&self, list: StrList<'_>, into: &mut Vec<u8>) {
        for (at, name) in list.iter().enumerate() {
            let number = u16::try_from(at.saturating_add(1)).unwrap_or(u16::MAX);
            if self.get(number).is_some() {
                into.extend_from_slice(name.bytes());
                into.push(0);
            }
        }
        into.push(0);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "a test may fail")]
    use super::*;

    #[test]
    fn names_that_nothing_uses_are_left_out() {
        let some = Numbers::of_used(&[0, 0, 5, 0, 9], 255);
        assert_eq!([1, 2, 3, 4].map(|old| some.get(old)), [Some(1), Some(2), None, Some(3)]);
        assert!(
            Numbers::of_used(&[0, 0, 5, 1, 9], 255).is_same() && Numbers::of_used(&[0, 0], 255).is_same()
        );
        assert_eq!(Numbers::of_used(&[0, 0, 1, 0, 9, 7], 3).get(2), None);
    }

    #[test]
    fn the_most_used_fit_and_keep_their_order() {
        let all = Numbers::fitting(&[0, 0, 5, 9], 3);
        assert!(all.is_same());
        assert_eq!(all.get(3), Some(3));
        let some = Numbers::fitting(&[0, 0, 5, 0, 9, 7], 3);
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|old| some.get(old)),
            [Some(0), Some(1), None, None, Some(2), Some(3)]
        );
        let mut list = Vec::new();
        some.list(StrList::new(b"world\0a\0b\0c\0d\0\0"), &mut list);
        assert_eq!(list, b"world\0c\0d\0\0");
    }
}
