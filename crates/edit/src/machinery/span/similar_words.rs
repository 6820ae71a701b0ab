//! Guesses the text that was meant if no event has the requested one, by the words of the texts that occur.

use moviola_text::nearest;
use std::collections::BTreeSet;

/// Words that an event of the same kind has.
#[derive(Debug, Default)]
pub(super) struct SimilarWords(BTreeSet<String>);

/// The greatest number of kept words, so that memory does not grow with the recording.
const MAX_WORDS: usize = 2000;

impl SimilarWords {
    /// Takes a text that does not contain the wanted one.
    pub(super) fn compare(&mut self, wanted: &str, text: &str) {
        let count = wanted.split_whitespace().count().max(1);
        let words: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        for run in words.windows(count) {
            let run = run.join(" ");
            if self.0.len() < MAX_WORDS && is_like(wanted, &run) {
                self.0.insert(run);
            }
        }
    }

    /// The words that were meant, if any are near.
    pub(super) fn nearest(&self, wanted: &str) -> Option<&str> {
        nearest(wanted, self.0.iter().map(String::as_str))
    }
}

/// Whether one may be a misspelling of the other, as far as their lengths show.
fn is_like(one: &str, other: &str) -> bool {
    one.len().abs_diff(other.len()) <= 3
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|sign: char| !sign.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_near_are_found() {
        let meant = |wanted: &str| {
            let mut near = SimilarWords::default();
            for text in ["Bob: see you!", "(Oracle) was gibbed by Bob's rocket"] {
                near.compare(wanted, text);
            }
            near.nearest(wanted).map(str::to_owned)
        };
        assert_eq!(meant("Orcle").as_deref(), Some("Oracle"));
        assert_eq!(meant("sea you").as_deref(), Some("see you"));
        assert_eq!(meant("Ranger"), None);
        assert_eq!(meant(""), None);
    }
}
