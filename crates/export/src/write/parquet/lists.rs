//! Columns of lists: each distinct text is kept once, and each list is the indexes of its texts.

use super::index::Texts;
use super::rows::{Lines, PageLines};
use crate::WordList;
use bytes::Bytes;

/// The distinct lists of a column.
#[derive(Default)]
pub(super) struct Lists {
    texts: Vec<Bytes>,
    /// The texts of each list.
    lists: Vec<Vec<u32>>,
}

/// The entries of a page: one for each text, and one for a list that is empty or not there.
#[derive(Default)]
pub(super) struct Entries {
    /// The index of each text.
    pub(super) values: Vec<u32>,
    /// How much of an entry is there: the list, if it may be missing, and then a text.
    pub(super) depths: Vec<u8>,
    /// Whether an entry continues a list.
    pub(super) repeats: Vec<u8>,
}

impl Lists {
    pub(super) fn of(keys: &[Bytes]) -> Self {
        let mut texts = Texts::default();
        let mut list = |key: &Bytes| {
            let words = WordList::of_key(key.clone());
            words.iter().map(|text| texts.number(&Bytes::copy_from_slice(text.as_bytes()))).collect()
        };
        let lists = keys.iter().map(&mut list).collect();
        Self { lists, texts: texts.take() }
    }

    /// The distinct texts.
    pub(super) fn texts(&self) -> &[Bytes] {
        &self.texts
    }

    /// How many texts there are in all rows.
    pub(super) fn values(&self, lines: &Lines<'_>) -> usize {
        let lengths: Vec<usize> = (0..lines.order.lines() as u32)
            .map(|line| self.of_line(line, lines).map_or(0, <[u32]>::len))
            .collect();
        let length = |line: &u32| lengths.get(*line as usize).copied().unwrap_or_default();
        if lengths.iter().all(|length| *length == 0) {
            0
        } else {
            lines.order.rows().iter().map(length).sum()
        }
    }

    /// The list of a line; `None` if it has none.
    #[inline]
    fn of_line(&self, line: u32, lines: &Lines<'_>) -> Option<&[u32]> {
        let has = lines.is_full || lines.has(line);
        has.then(|| self.lists.get(lines.number(line) as usize).map(Vec::as_slice).unwrap_or_default())
    }

    /// The entries of a page.
    pub(super) fn page(&self, page: &PageLines<'_>, lines: &Lines<'_>, to: &mut Entries) {
        let Entries { values, depths, repeats } = to;
        values.clear();
        depths.clear();
        repeats.clear();
        let full = lines.depth();
        if page.distinct.iter().all(|line| self.of_line(*line, lines).is_some_and(<[u32]>::is_empty)) {
            depths.resize(page.rows.len(), full - 1);
            repeats.resize(page.rows.len(), 0);
            return;
        }
        for line in page.rows {
            repeats.push(0);
            match self.of_line(*line, lines) {
                None => depths.push(0),
                Some([]) => depths.push(full - 1),
                Some(texts) => {
                    values.extend_from_slice(texts);
                    depths.extend(texts.iter().map(|_| full));
                    repeats.extend(texts.iter().skip(1).map(|_| 1));
                }
            }
        }
    }
}

impl Lines<'_> {
    /// The depth of a text in a list.
    pub(super) fn depth(&self) -> u8 {
        1 + u8::from(self.there.is_some())
    }
}
