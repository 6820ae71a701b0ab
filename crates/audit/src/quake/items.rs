//! The greatest amounts that items give: an item explains a gain of its kind, up to the amount that it gives.
//!
//! The numbers are those of `items.qc` 1.06, so they are valid for id's game code only.

use moviola_analyse::Lines;
use moviola_analyse::vocabulary::taken;
use moviola_analyse::vocabulary::{ItemKind, SoundMeaning};

/// The greatest amounts that the items of a moment give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ItemAmounts {
    pub(super) health: i32,
    /// The number of armors, each of which sets the points again.
    pub(super) armors: i32,
    pub(super) weapons: i32,
    /// The number of keys and powerups.
    pub(super) others: i32,
    /// Shells, nails, rockets, cells.
    pub(super) ammo: [i32; 4],
}

/// The contents of a weapon, a box and a player's backpack.
const WITH_WEAPON: [i32; 4] = [5, 30, 5, 15];
const BOX: [i32; 4] = [40, 50, 10, 12];
const BACKPACK: [i32; 4] = [100, 200, 100, 100];
/// The names of ammunition in texts; the last one is a second name of the nails.
const KINDS: [(&[u8], usize); 5] =
    [(b"shells", 0), (b"nails", 1), (b"rockets", 2), (b"cells", 3), (b"spikes", 1)];
/// Amounts of health by their sounds; the last is that of the largest box.
const ROTTEN: (&[u8], i32) = (b"items/r_item1.wav", 15);
const USUAL_BOX: (&[u8], i32) = (b"items/health1.wav", 25);
const MOST_HEALTH: i32 = 100;

impl ItemAmounts {
    /// Any single item, for a flash without a text.
    pub(super) fn any() -> Self {
        Self { health: MOST_HEALTH, armors: 1, weapons: 1, others: 1, ammo: BACKPACK }
    }

    /// The items of a sound on the player. In single player no backpack has more in it than a box.
    pub(super) fn of_sound(name: &[u8], alone: bool) -> Self {
        let SoundMeaning::Pickup(sort) = SoundMeaning::of(name) else { return Self::default() };
        let health =
            [ROTTEN, USUAL_BOX].iter().find(|(sound, _)| *sound == name).map_or(MOST_HEALTH, |it| it.1);
        Self::of(sort, health, if alone { BOX } else { BACKPACK })
    }

    /// The items that a line of the console names.
    fn read(line: &[u8]) -> Self {
        let Some(taken) = taken(line) else { return Self::default() };
        Self::of(taken.sort, taken.amount.unwrap_or(MOST_HEALTH), ammo(line))
    }

    fn of(sort: ItemKind, health: i32, ammo: [i32; 4]) -> Self {
        let none = Self::default();
        match sort {
            ItemKind::Health => Self { health, ..none },
            ItemKind::Armor => Self { armors: 1, ..none },
            ItemKind::Weapon => Self { weapons: 1, ammo: WITH_WEAPON, ..none },
            // A backpack may contain the weapon of the player who left it.
            ItemKind::Ammo => Self { weapons: 1, ammo, ..none },
            ItemKind::Key | ItemKind::Powerup => Self { others: 1, ..none },
        }
    }

    /// Adds the amounts of other items.
    pub(super) fn add(&mut self, other: Self) {
        let sum = |a: &mut i32, b: i32| *a = a.saturating_add(b);
        sum(&mut self.health, other.health);
        sum(&mut self.armors, other.armors);
        sum(&mut self.weapons, other.weapons);
        sum(&mut self.others, other.others);
        self.ammo.iter_mut().zip(other.ammo).for_each(|(mine, its)| sum(mine, its));
    }
}

/// The ammunition that a line names with its amount, as lines of backpacks do; lines of boxes have no amount.
fn ammo(line: &[u8]) -> [i32; 4] {
    let mut amounts = [0; 4];
    let words: Vec<&[u8]> =
        line.split(|byte| matches!(byte, b' ' | b',')).filter(|it| !it.is_empty()).collect();
    for pair in words.windows(2) {
        let [before, word] = pair else { continue };
        let Some((_, kind)) = KINDS.iter().find(|(name, _)| name == word) else { continue };
        let amount = std::str::from_utf8(before).ok().and_then(|it| it.parse().ok());
        if let (Some(place), Some(full)) = (amounts.get_mut(*kind), BOX.get(*kind)) {
            *place = amount.unwrap_or(*full);
        }
    }
    amounts
}

/// Finds items in the prints of a recording.
#[derive(Debug, Default)]
pub(super) struct Texts(Lines);

impl Texts {
    /// Takes a print, and returns the items in the lines that it completes.
    pub(super) fn add(&mut self, print: &[u8]) -> ItemAmounts {
        let mut goods = ItemAmounts::default();
        self.0.add(print, |_| false, &mut |line| goods.add(ItemAmounts::read(&line.plain())));
        goods
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_by_their_sounds() {
        assert_eq!(ItemAmounts::of_sound(b"items/health1.wav", true).health, 25);
        assert_eq!(ItemAmounts::of_sound(b"items/r_item1.wav", true).health, 15);
        assert_eq!(ItemAmounts::of_sound(b"items/r_item2.wav", true).health, 100);
        assert_eq!(ItemAmounts::of_sound(b"weapons/pkup.wav", true).ammo, WITH_WEAPON);
        for sound in
            [&b"misc/outwater.wav"[..], b"misc/water1.wav", b"misc/h2ohit1.wav", b"weapons/guncock.wav"]
        {
            assert_eq!(
                ItemAmounts::of_sound(sound, true),
                ItemAmounts::default(),
                "{}",
                sound.escape_ascii()
            );
        }
    }

    #[test]
    fn items_by_their_texts() {
        let mut texts = Texts::default();
        assert_eq!(texts.add(b"You receive "), ItemAmounts::default());
        assert_eq!(texts.add(b"25"), ItemAmounts::default());
        assert_eq!(texts.add(b" health\n").health, 25);
        assert_eq!(texts.add(b"You got the shells\n").ammo, [40, 0, 0, 0]);
        let backpack = texts.add(b"You get the rocket launcher, 7 rockets, 12 cells\n");
        assert_eq!((backpack.ammo, backpack.weapons), ([0, 0, 7, 12], 1));
        let armor = texts.add(b"You got armor\n");
        assert_eq!((armor.armors, armor.health, armor.weapons), (1, 0, 0));
        assert_eq!(texts.add(b"You got the silver key\n").others, 1);
    }
}
