//! A table by entity number: every entity of every frame is looked up, and most are in no table.

/// Values by number: as fast as a list, and only as large as the highest number with a value.
#[derive(Clone, Debug)]
pub(crate) struct Numbered<T> {
    /// For each number, the index of its value in `entries` plus 1; 0 if it has no value.
    places: Vec<u32>,
    entries: Vec<(u16, T)>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { places: Vec::new(), entries: Vec::new() }
    }
}

impl<T> Numbered<T> {
    #[inline]
    fn place(&self, number: u16) -> Option<usize> {
        let place = self.places.get(usize::from(number)).copied().unwrap_or_default();
        (place as usize).checked_sub(1)
    }

    #[inline]
    pub(crate) fn get(&self, number: u16) -> Option<&T> {
        self.entries.get(self.place(number)?).map(|(_, value)| value)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u16) -> Option<&mut T> {
        let place = self.place(number)?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Stores a value, and returns the old one.
    pub(crate) fn insert(&mut self, number: u16, value: T) -> Option<T> {
        if let Some(old) = self.get_mut(number) {
            return Some(std::mem::replace(old, value));
        }
        let at = usize::from(number);
        if self.places.len() <= at {
            self.places.resize(at.saturating_add(1), 0);
        }
        self.entries.push((number, value));
        self.point(number, self.entries.len());
        None
    }

    /// Removes a value.
    pub(crate) fn remove(&mut self, number: u16) -> Option<T> {
        let place = self.place(number)?;
        self.point(number, 0);
        let (_, value) = self.entries.swap_remove(place);
        if let Some((moved, _)) = self.entries.get(place) {
            self.point(*moved, place.saturating_add(1));
        }
        Some(value)
    }

    fn point(&mut self, number: u16, place: usize) {
        if let Some(at) = self.places.get_mut(usize::from(number)) {
            *at = u32::try_from(place).unwrap_or_default();
        }
    }

    /// All values with their numbers, in arbitrary order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (u16, &mut T)> {
        self.entries.iter_mut().map(|(number, value)| (*number, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_numbered_table_behaves_like_a_map() {
        let (mut table, mut map) = (Numbered::default(), BTreeMap::new());
        // Recurring numbers, stored and removed in no particular order.
        for step in 0..2000u32 {
            let number = (step.wrapping_mul(2_654_435_761) >> 24) as u16 * 257;
            if step % 3 == 0 {
                assert_eq!(table.remove(number), map.remove(&number));
            } else {
                assert_eq!(table.insert(number, step), map.insert(number, step));
            }
            assert_eq!(table.get(number), map.get(&number));
        }
        let mut all: Vec<(u16, u32)> = table.iter_mut().map(|(number, value)| (number, *value)).collect();
        all.sort_unstable();
        assert_eq!(all, map.into_iter().collect::<Vec<_>>());
        assert_eq!(table.get(1), None);
    }
}
