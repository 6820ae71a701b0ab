//! Names in the texts of the console and the screen: chat, deaths, players who join and leave.

/// The old names of players, and their new ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
}

/// No recording has had more names.
const MAX_NAMES: usize = 256;

impl Names {
    /// Replaces an old name by a new one from now on.
    pub(super) fn add(&mut self, old: &[u8], new: &[u8]) {
        let pair = (old.to_vec(), new.to_vec());
        if !old.is_empty() && old != new && self.pairs.len() < MAX_NAMES && !self.pairs.contains(&pair) {
            self.pairs.push(pair);
            // Longer names first, because a name may be the beginning of a longer one.
            self.pairs.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
        }
    }

    /// The text with the new names; `None` if it has none of the old ones.
    pub(super) fn renamed(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut renamed = Vec::with_capacity(text.len());
        let (mut rest, mut before, mut is_new) = (text, None, false);
        while let Some((first, behind)) = rest.split_first() {
            if let Some((old, new)) = self.pairs.iter().find(|(old, _)| is_word(before, rest, old)) {
                renamed.extend_from_slice(new);
                rest = rest.get(old.len()..).unwrap_or_default();
                before = old.last().copied();
                is_new = true;
            } else {
                renamed.push(*first);
                (before, rest) = (Some(*first), behind);
            }
        }
        is_new.then_some(renamed)
    }
}

/// Whether a word begins here, and not only a part of one.
fn is_word(before: Option<u8>, text: &[u8], word: &[u8]) -> bool {
    let goes_on = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    text.starts_with(word) && !goes_on(before.as_ref()) && !goes_on(text.get(word.len()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    #[test]
    fn whole_names_are_changed() {
        let mut names = Names::default();
        names.add(b"Bob", b"Alice");
        names.add(b"Bob Smith", b"Eve");
        names.add(b"", b"nobody");
        assert_eq!(
            names.renamed(b"\x01Bob: I am Bob Smith, not Bobby").unwrap(),
            b"\x01Alice: I am Eve, not Bobby"
        );
        assert_eq!(names.renamed(b"Bobby was gibbed by Jimbob\n"), None);
    }
}
