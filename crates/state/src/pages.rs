//! A table by entity number that allocates only the pages in use. Numbers go up to 65535, but a level uses a few
//! hundred; and a damaged recording may name any number without making the table large.

/// The number of entries of a page.
const PAGE: usize = 32;

/// A sparse table from 16-bit numbers to values; a number that was never set has the default value.
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
    /// The value of a number, if its page exists.
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

    /// Every number whose page exists, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, &T)> {
        let pages = self.pages.iter().enumerate().filter_map(|(at, page)| Some((at, page.as_deref()?)));
        pages.flat_map(|(at, page)| {
            page.iter().enumerate().map(move |(n, value)| ((at * PAGE + n) as u16, value))
        })
    }
}

/// The numbers that were marked in the current epoch. They can be listed without a pass over all pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// For each page: its epoch, and a bit for each of its numbers.
    pages: Vec<(u32, u32)>,
}

impl Marks {
    #[inline]
    pub(crate) fn mark(&mut self, number: u16, epoch: u32) {
        let page = usize::from(number) / PAGE;
        if self.pages.len() <= page {
            self.pages.resize(page.saturating_add(1), (epoch, 0));
        }
        if let Some((of, bits)) = self.pages.get_mut(page) {
            if *of != epoch {
                (*of, *bits) = (epoch, 0);
            }
            *bits |= 1 << (usize::from(number) % PAGE);
        }
    }

    /// The numbers that are marked, in order.
    pub(crate) fn iter(&self, epoch: u32) -> impl Iterator<Item = u16> {
        let pages = self.pages.iter().enumerate().filter(move |(_, (of, _))| *of == epoch);
        pages.flat_map(|(page, (_, bits))| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some((page * PAGE + bit) as u16)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_those_of_their_epoch() {
        let mut marks = Marks::default();
        assert_eq!(marks.iter(0).count(), 0);
        for (number, epoch) in [(65535, 7), (31, 7), (32, 7), (0, 7), (31, 7), (40, 8)] {
            marks.mark(number, epoch);
        }
        assert_eq!(marks.iter(7).collect::<Vec<_>>(), [0, 31, 65535]);
        assert_eq!(marks.iter(8).collect::<Vec<_>>(), [40]);
    }

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
