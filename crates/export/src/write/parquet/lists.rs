//! Columns of lists: each distinct text is kept once, and each list is the indexes of its texts.

use super::index::Texts;
use super::order::Page;
use super::rows::Lines;
use super::series::Series;
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
    pub(super) values: Series,
    /// The definition level of each entry: whether its list exists, and whether it has a text.
    pub(super) depths: Series,
    /// Whether an entry continues a list.
    pub(super) repeats: Series,
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

    /// The number of texts in all rows.
    pub(super) fn values(&self, lines: &Lines<'_>) -> usize {
        if self.lists.iter().all(Vec::is_empty) {
            return 0;
        }
        let length = |line: u32| self.of_line(line, lines).map_or(0, <[u32]>::len);
        let runs = lines.order.pages.iter().flat_map(Page::runs);
        runs.map(|(line, count)| length(line) * count as usize).sum()
    }

    /// The list of a line; `None` for an empty cell.
    #[inline]
    fn of_line(&self, line: u32, lines: &Lines<'_>) -> Option<&[u32]> {
        let has = lines.is_full || lines.has(line);
        has.then(|| self.lists.get(lines.number(line) as usize).map(Vec::as_slice).unwrap_or_default())
    }

    /// The entries of a page.
    pub(super) fn page(&self, page: &Page<'_>, lines: &Lines<'_>, to: &mut Entries) {
        let Entries { values, depths, repeats } = to;
        values.clear();
        depths.clear();
        repeats.clear();
        let full = lines.depth().into();
        for (line, count) in page.runs() {
            match self.of_line(line, lines) {
                None => depths.push(0, count),
                Some([]) => depths.push(full - 1, count),
                Some([text]) => {
                    values.push(*text, count);
                    depths.push(full, count);
                }
                Some(texts) => {
                    for _ in 0..count {
                        for text in texts {
                            values.push(*text, 1);
                        }
                        repeats.push(0, 1);
                        repeats.push(1, texts.len() as u32 - 1);
                    }
                    depths.push(full, count * texts.len() as u32);
                    continue;
                }
            }
            repeats.push(0, count);
        }
    }
}

impl Lines<'_> {
    /// The depth of a text in a list.
    pub(super) fn depth(&self) -> u8 {
        1 + u8::from(self.there.is_some())
    }
}
