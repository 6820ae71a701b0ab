//! A table by entity number that holds only the pages that are used.
//!
//! Numbers go up to 65535, but a level uses some hundreds; and a damaged recording may name any number without
//! making the table large.

/// How many entries a page has.
const PAGE: usize = 32;

/// A sparse table from 16-bit numbers to values; what was never set is the default.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    pages: Vec<Option<Box<[T; PAGE]>>>,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<T: Copy + Default> Pages<T> {
    /// The value of a number, if its page is there.
    #[inline]
    pub(crate) fn get(&self, number: u16) -> Option<&T> {
        let number = usize::from(number);
        self.pages.get(number / PAGE)?.as_deref()?.get(number % PAGE)
    }

    /// The value of a number, for changing it.
    #[inline]
    pub(crate) fn entry(&mut self, number: u16) -> Option<&mut T> {
        let number = usize::from(number);
        if !matches!(self.pages.get(number / PAGE), Some(Some(_))) {
            self.open(number / PAGE);
        }
        self.pages.get_mut(number / PAGE)?.as_deref_mut()?.get_mut(number % PAGE)
    }

    #[cold]
    fn open(&mut self, page: usize) {
        if self.pages.len() <= page {
            self.pages.resize_with(page.saturating_add(1), || None);
        }
        if let Some(place) = self.pages.get_mut(page) {
            *place = Some(Box::new([T::default(); PAGE]));
        }
    }

    /// Every number whose page is there, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, &T)> {
        let pages = self.pages.iter().enumerate().filter_map(|(at, page)| Some((at, page.as_deref()?)));
        pages.flat_map(|(at, page)| {
            page.iter().enumerate().map(move |(n, value)| ((at * PAGE + n) as u16, value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_there_once_it_is_asked_for() {
        let mut table = Pages::<u8>::default();
        assert_eq!(table.get(65535), None);
        *table.entry(65535).unwrap() = 7;
        *table.entry(40).unwrap() = 3;
        assert_eq!((table.get(65535), table.get(41), table.get(1)), (Some(&7), Some(&0), None));
        assert_eq!(
            table.iter().filter(|(_, value)| **value != 0).collect::<Vec<_>>(),
            [(40, &3), (65535, &7)]
        );
    }
}
