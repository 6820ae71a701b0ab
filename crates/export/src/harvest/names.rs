//! Names for numbers: bit sums as lists of names, and the weapons that players carry.

use crate::{FixedWord, WordList};
use moviola_analyse::vocabulary;
use moviola_format::names::{bit_names, unnamed_bits};

/// The lists of names for sums of bits. The same sums occur again and again, so a small cache keeps the list of a sum
/// until another sum needs its place.
#[derive(Debug, Default)]
pub(super) struct Bits {
    known: Vec<Option<(u32, WordList)>>,
}

/// The number of places, as a power of two.
const PLACES: u32 = 10;

impl Bits {
    pub(super) fn names(&mut self, table: &'static [(u64, &'static str)], bits: u32) -> &WordList {
        self.known.resize(1 << PLACES, None);
        // Fibonacci hashing: the upper bits of the product are mixed best.
        let place = bits.wrapping_mul(0x9E37_79B9) >> (u32::BITS - PLACES);
        let Some(known) = self.known.get_mut(place as usize) else { return &NONE };
        if known.as_ref().is_none_or(|(its, _)| *its != bits) {
            *known = None;
        }
        let (_, words) = known.get_or_insert_with(|| (bits, listed(table, bits)));
        words
    }

    /// Forgets the names, which may differ in the next level.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }
}

/// The list without names.
static NONE: WordList = WordList::EMPTY;

/// The names of the bits; a bit without a name is given by its number.
fn listed(table: &'static [(u64, &'static str)], bits: u32) -> WordList {
    let rest = unnamed_bits(table, bits.into());
    let named = bit_names(table, bits.into()).map(str::to_owned);
    let nameless = (0..u32::BITS).filter(|bit| rest >> bit & 1 != 0).map(|bit| format!("bit {bit}"));
    named.chain(nameless).collect()
}

/// The weapons that Quake II players appear to carry, from the level's list of weapon models, in its order.
#[derive(Debug, Default)]
pub(super) struct Carried {
    names: Vec<Option<FixedWord>>,
}

impl Carried {
    pub(super) fn of<'m>(models: impl Iterator<Item = &'m [u8]>) -> Self {
        // Index 0 stands for a weapon that the level does not list.
        let listed = models.filter_map(|model| model.strip_prefix(b"#"));
        let names = std::iter::once(None)
            .chain(listed.map(|model| vocabulary::carried(model).map(FixedWord::from_static)))
            .collect();
        Self { names }
    }

    /// The weapon in the second byte of a player entity's skin.
    pub(super) fn weapon(&self, skin: u32) -> Option<FixedWord> {
        self.names.get((skin >> 8 & 0xFF) as usize).cloned().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_format::names::quake;

    #[test]
    fn bits_have_names_or_numbers() {
        let mut bits = Bits::default();
        for _ in 0..2 {
            let words = bits.names(quake::EFFECTS, 0b1_0000_0101);
            assert_eq!(words.iter().collect::<Vec<_>>(), ["EF_BRIGHTFIELD", "EF_BRIGHTLIGHT", "bit 8"]);
        }
        assert!(bits.names(quake::EFFECTS, 0).is_empty());
    }

    #[test]
    fn weapons_are_carried_by_their_place_in_the_list() {
        let carried = Carried::of([&b"maps/x.bsp"[..], b"#w_blaster.md2", b"#w_railgun.md2"].into_iter());
        assert_eq!(carried.weapon(2 << 8 | 7), Some(FixedWord::from_static("Railgun")));
        assert_eq!((carried.weapon(0), carried.weapon(9 << 8)), (None, None));
    }
}
