//! Near misses: the word that was probably meant, and the messages that have a field.

use moviola_format::{Game, Schema};

/// The help for a text that is taken for Quake II's because it contains no sign of Quake.
pub(crate) const NOT_QUAKE: &str = "this is taken for Quake II: a recording of Quake begins with `track`, or has a `camera` in its first block";

/// The rows of a game.
pub(crate) fn rows(game: Game) -> &'static [Schema] {
    game.table().schema()
}

/// The messages of a game that have this field.
pub(crate) fn owners(game: Game, field: &str) -> Vec<&'static str> {
    rows(game).iter().filter(|row| row.lines().any(|(name, ..)| name == field)).map(|row| row.name).collect()
}

/// A list of messages for a sentence; of many, only the first ones.
pub(crate) fn listed(messages: &[&str]) -> String {
    const MAX_LISTED: usize = 4;
    let named = messages.get(..MAX_LISTED).unwrap_or(messages).join("`, `");
    if messages.len() > MAX_LISTED { format!("`{named}` and others") } else { format!("`{named}`") }
}

/// The word of which `written` is a likely typing mistake.
///
/// ```
/// assert_eq!(moviola_text::nearest("orgin", ["origin", "entity"].into_iter()), Some("origin"));
/// ```
pub fn nearest<'w>(written: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let limit = 1 + written.len() / 4;
    // Upper and lower case count the same. Of two words at the same distance, the one with the same last character
    // wins, because a mistake is seldom in a number at the end.
    let small = written.to_ascii_lowercase();
    let ends_otherwise = |word: &str| word.as_bytes().last() != written.as_bytes().last();
    let long_alike = words.filter(|word| word.len().abs_diff(written.len()) <= limit);
    let scored =
        long_alike.map(|word| (distance(&small, &word.to_ascii_lowercase()), ends_otherwise(word), word));
    scored
        .filter(|(distance, ..)| *distance <= limit)
        .min_by_key(|(distance, end, _)| (*distance, *end))
        .map(|(.., word)| word)
}

/// The number of letters that were omitted, added, changed or swapped.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 64 || a.len().abs_diff(b.len()) > 3 {
        return usize::MAX;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut last_row: Vec<usize> = Vec::with_capacity(b.len() + 1);
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut next: Vec<usize> = Vec::with_capacity(b.len() + 1);
    for (i, x) in a.iter().enumerate() {
        next.clear();
        next.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], n: usize| row.get(n).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&row, j + 1) + 1).min(at(&next, j) + 1).min(at(&row, j) + usize::from(x != y));
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(at(&last_row, j - 1) + 1);
            }
            next.push(best);
        }
        std::mem::swap(&mut last_row, &mut row);
        std::mem::swap(&mut row, &mut next);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood() {
        let words = ["origin", "entity", "old_origin"];
        assert_eq!(nearest("orgin", words.into_iter()), Some("origin"));
        assert_eq!(nearest("entiyt", words.into_iter()), Some("entity"));
        assert_eq!(nearest("camera", words.into_iter()), None);
        assert_eq!(nearest("ORIGIN", words.into_iter()), Some("origin"));
        assert_eq!(nearest("muzzleflash2", ["muzzleflash", "muzzlflash2"].into_iter()), Some("muzzlflash2"));
        assert!(owners(Game::Quake, "health").contains(&"clientdata"));
    }
}
