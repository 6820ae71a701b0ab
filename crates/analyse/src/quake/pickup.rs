//! Pickups: the line that the game prints, the sound, and the change of numbers.
//!
//! The lines are those of `items.qc` 1.06 and of the mission packs; the events contain the names from the
//! lines.

use super::tables::ItemKind;

/// A console line about a picked-up item.
///
/// ```
/// use moviola_analyse::vocabulary::{ItemKind, PickupLine, taken};
/// let health = PickupLine { item: b"health", amount: Some(25), sort: ItemKind::Health };
/// assert_eq!(taken(b"You receive 25 health"), Some(health));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickupLine<'l> {
    /// The name of the item in the line.
    pub item: &'l [u8],
    /// The amount that it gave, if the line has the number.
    pub amount: Option<i32>,
    /// The kind of the item.
    pub sort: ItemKind,
}

/// Parses a console line, from which bit 7 of each byte must have been removed.
///
/// ```
/// use moviola_analyse::vocabulary::taken;
/// assert_eq!(taken(b"You got the nailgun").unwrap().item, b"nailgun");
/// assert!(taken(b"Bob got the BLUE flag!").is_none());
/// ```
pub fn taken(line: &[u8]) -> Option<PickupLine<'_>> {
    if let Some(rest) = line.strip_prefix(b"You receive ") {
        let number = rest.strip_suffix(b" health")?;
        let amount = std::str::from_utf8(number).ok()?.parse().ok()?;
        // not from SCHEMA: a kind of item
        return Some(PickupLine { item: b"health", amount: Some(amount), sort: ItemKind::Health });
    }
    if line == b"You got armor" {
        return Some(PickupLine { item: b"armor", amount: None, sort: ItemKind::Armor });
    }
    if let Some(item) = line.strip_prefix(b"You got the ") {
        return Some(PickupLine { item, amount: None, sort: sort_of(item) });
    }
    // Modified games print the amount.
    if let Some(rest) = line.strip_prefix(b"You got ") {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = rest.split_at_checked(digits)?;
        let amount = std::str::from_utf8(number).ok()?.parse().ok()?;
        let item = rest.strip_prefix(b" ").filter(|item| !item.is_empty())?;
        let sort = sort_of(item);
        let is_counted = matches!(sort, ItemKind::Armor | ItemKind::Health | ItemKind::Ammo);
        return is_counted.then_some(PickupLine { item, amount: Some(amount), sort });
    }
    // The line about an empty backpack has no further words.
    let item = line.strip_prefix(b"You get ")?;
    if item == b"10 additional health" {
        return None;
    }
    // The name of an unnamed weapon consists of its article.
    let item = item.strip_prefix(b"the , ").unwrap_or(item);
    let item = if item.is_empty() { BACKPACK } else { item };
    Some(PickupLine { item, amount: None, sort: ItemKind::Ammo })
}

/// The name of an empty backpack.
const BACKPACK: &[u8] = b"backpack";

/// The sort of the item with this name.
pub(crate) fn sort_of(item: &[u8]) -> ItemKind {
    const AMMO: &[&[u8]] = &[
        b"shells",
        b"nails",
        b"spikes",
        b"rockets",
        b"cells",
        b"lava nails",
        b"multi rockets",
        b"plasma",
        b"plasma balls",
    ];
    const POWERUPS: &[&[u8]] = &[
        b"Quad Damage",
        b"Pentagram of Protection",
        b"Ring of Shadows",
        b"Biosuit",
        b"Power Shield",
        b"Anti-Grav Belt",
        b"Vengeance Sphere",
        b"Wetsuit",
        b"Empathy Shields",
        b"Horn of Conjuring",
    ];
    // The content of a backpack is a list: `the Nailgun, 45 shells`.
    let is_backpack = item == BACKPACK || item.starts_with(b"the ") || item.contains(&b',');
    if is_backpack || AMMO.contains(&item) || item.first().is_some_and(u8::is_ascii_digit) {
        ItemKind::Ammo
    } else if item == by_sound(ItemKind::Health) {
        ItemKind::Health
    } else if item == by_sound(ItemKind::Armor) {
        ItemKind::Armor
    } else if POWERUPS.contains(&item) {
        ItemKind::Powerup
    // not from SCHEMA: a kind of item
    } else if [&b"key"[..], b"keycard", b"runekey"].iter().any(|end| item.ends_with(end)) {
        ItemKind::Key
    } else {
        ItemKind::Weapon
    }
}

/// The name of an item that is known only by its sound.
pub(crate) fn by_sound(sort: ItemKind) -> &'static [u8] {
    match sort {
        // not from SCHEMA: a kind of item
        ItemKind::Health => b"health",
        ItemKind::Armor => b"armor",
        // not from SCHEMA: a kind of item
        ItemKind::Weapon => b"weapon",
        ItemKind::Ammo => b"ammo",
        // not from SCHEMA: a kind of item
        ItemKind::Key => b"key",
        ItemKind::Powerup => b"powerup",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_pickups() {
        let read = |line: &str| {
            taken(line.as_bytes())
                .map(|it| (String::from_utf8_lossy(it.item).into_owned(), it.amount, it.sort))
        };
        assert_eq!(read("You receive 25 health"), Some(("health".into(), Some(25), ItemKind::Health)));
        assert_eq!(read("You got the nailgun"), Some(("nailgun".into(), None, ItemKind::Weapon)));
        assert_eq!(read("You got the gold runekey"), Some(("gold runekey".into(), None, ItemKind::Key)));
        assert_eq!(read("You get "), Some(("backpack".into(), None, ItemKind::Ammo)));
        assert_eq!(read("You get 5 shells, 2 rockets").unwrap().2, ItemKind::Ammo);
        assert_eq!(read("You get the , 100 shells").unwrap().0, "100 shells");
        assert_eq!(sort_of(read("You get the Nailgun, 45 shells").unwrap().0.as_bytes()), ItemKind::Ammo);
        assert_eq!(read("You got 25 nails"), Some(("nails".into(), Some(25), ItemKind::Ammo)));
        assert_eq!(read("You got 200 armor"), Some(("armor".into(), Some(200), ItemKind::Armor)));
        assert_eq!(read("You got 3 frags in a row"), None);
        assert_eq!(read("You receive many health"), None);
        assert_eq!(read("Bob got the BLUE flag!"), None);
    }
}
