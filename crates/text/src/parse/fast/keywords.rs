//! Finds the row of a message by its keyword in one comparison.

use crate::statement::Rows;
use crate::window::AHEAD;
use moviola_format::Schema;

/// A row's keyword and the blank after it, as in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyword {
    text: u128,
    /// A mask that selects as many of the next characters as the keyword has.
    mask: u128,
    row: Option<&'static Schema>,
}

impl Keyword {
    pub(super) const PLACES: usize = 256;

    /// A keyword that no text has.
    pub(super) const NONE: Self = Self { text: u128::MAX, mask: 0, row: None };

    /// The place by the first four letters, which differ for all usual rows of a game. The factor was chosen
    /// so that all places differ.
    fn place(letters: u128) -> usize {
        (u64::from(letters as u32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 56) as usize % Self::PLACES
    }

    fn new(row: &'static Schema) -> Option<Self> {
        let mut text = [0; 16];
        let letters = text.get_mut(..=row.name.len())?;
        letters.iter_mut().zip(row.name.bytes().chain([b' '])).for_each(|(to, from)| *to = from);
        let mask = u128::MAX >> (128 - 8 * letters.len());
        Some(Self { text: u128::from_le_bytes(text), mask, row: Some(row) })
    }
}

/// The row of the keyword that stands next in the text. `None` if only the careful parser can read its messages.
#[inline(always)]
pub(super) fn row(rows: &Rows, keywords: &mut [Keyword], text: &[u8; AHEAD]) -> Option<&'static Schema> {
    let letters = u128::from_le_bytes(*text.first_chunk()?);
    if letters as u8 == b'}' {
        return None;
    }
    let known = keywords.get_mut(Keyword::place(letters))?;
    if letters & known.mask == known.text { known.row } else { look_up(rows, known, text) }
}

#[inline(never)]
fn look_up(rows: &Rows, known: &mut Keyword, text: &[u8; AHEAD]) -> Option<&'static Schema> {
    let name = text.split(|byte| *byte == b' ').next()?;
    let row = rows.find(name).filter(|row| row.families == 0)?;
    if let Some(keyword) = Keyword::new(row) {
        *known = keyword;
    }
    Some(row)
}
