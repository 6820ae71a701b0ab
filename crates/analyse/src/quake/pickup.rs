//! Pickups: the line that the game prints, the sound, and the change of numbers.
//!
//! The lines are those of `items.qc` 1.06 and of the mission packs; the events contain the names from the
//! lines.

use super::tables::Sort;

/// A console line about a picked-up item.
///
/// ```
/// use moviola_analyse::vocabulary::{Sort, Taken, taken};
/// let health = Taken { item: b"health", amount: Some(25), sort: Sort::Health };
/// assert_eq!(taken(b"You receive 25 health"), Some(health));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken<'l> {
    /// The name of the item in the line.
    pub item: &'l [u8],
    /// The amount that it gave, if the line has the number.
    pub amount: Option<i32>,
    /// The kind of the item.
    pub sort: Sort,
}

/// Parses a console line, from which bit 7 of each byte must have been removed.
///
/// ```
/// use moviola_analyse::vocabulary::taken;
/// assert_eq!(taken(b"You got the nailgun").unwrap().item, b"nailgun");
/// assert!(taken(b"Bob got the BLUE flag!").is_none());
/// ```
pub fn taken(line: &[u8]) -> Option<Taken<'_>> {
    if let Some(rest) = line.strip_prefix(b"You receive ") {
        let number = rest.strip_suffix(b" health")?;
        let amount = std::str::from_utf8(number).ok()?.parse().ok()?;
        // schema-once: a kind of thing to pick up
        return Some(Taken { item: b"health", amount: Some(amount), sort: Sort::Health });
    }
    if line == b"You got armor" {
        return Some(Taken { item: b"armor", amount: None, sort: Sort::Armor });
    }
    if let Some(item) = line.strip_prefix(b"You got the ") {
        return Some(Taken { item, amount: None, sort: sort_of(item) });
    }
    // Modified games print the amount.
    if let Some(rest) = line.strip_prefix(b"You got ") {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = rest.split_at_checked(digits)?;
        let amount = std::str::from_utf8(number).ok()?.parse().ok()?;
        let item = rest.strip_prefix(b" ").filter(|item| !item.is_empty())?;
        let sort = sort_of(item);
        let is_counted = matches!(sort, Sort::Armor | Sort::Health | Sort::Ammo);
        return is_counted.then_some(Taken { item, amount: Some(amount), sort });
    }
    // A backpack; the line of an empty one ends here.
    let item = line.strip_prefix(b"You get ")?;
    if item == b"10 additional health" {
        return None;
    }
    // The name of an unnamed weapon consists of its article.
    let item = item.strip_prefix(b"the , ").unwrap_or(item);
    let item = if item.is_empty() { BACKPACK } else { item };
    Some(Taken { item, amount: None, sort: Sort::Ammo })
}

/// The name of an empty backpack.
const BACKPACK: &[u8] = b"backpack";

/// The sort of the item with this name.
pub(crate) fn sort_of(item: &[u8]) -> Sort {
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
        Sort::Ammo
    } else if item == by_sound(Sort::Health) {
        Sort::Health
    } else if item == by_sound(Sort::Armor) {
        Sort::Armor
    } else if POWERUPS.contains(&item) {
        Sort::Powerup
    // schema-once: a kind of thing to pick up
    } else if [&b"key"[..], b"keycard", b"runekey"].iter().any(|end| item.ends_with(end)) {
        Sort::Key
    } else {
        Sort::Weapon
    }
}

/// The name of an item that is known only by its sound.
pub(crate) fn by_sound(sort: Sort) -> &'static [u8] {
    match sort {
        // schema-once: a kind of thing to pick up
        Sort::Health => b"health",
        Sort::Armor => b"armor",
        // schema-once: a kind of thing to pick up
        Sort::Weapon => b"weapon",
        Sort::Ammo => b"ammo",
        // schema-once: a kind of thing to pick up
        Sort::Key => b"key",
        Sort::Powerup => b"powerup",
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
        assert_eq!(read("You receive 25 health"), Some(("health".into(), Some(25), Sort::Health)));
        assert_eq!(read("You got the nailgun"), Some(("nailgun".into(), None, Sort::Weapon)));
        assert_eq!(read("You got the gold runekey"), Some(("gold runekey".into(), None, Sort::Key)));
        assert_eq!(read("You get "), Some(("backpack".into(), None, Sort::Ammo)));
        assert_eq!(read("You get 5 shells, 2 rockets").unwrap().2, Sort::Ammo);
        assert_eq!(read("You get the , 100 shells").unwrap().0, "100 shells");
        assert_eq!(sort_of(read("You get the Nailgun, 45 shells").unwrap().0.as_bytes()), Sort::Ammo);
        assert_eq!(read("You got 25 nails"), Some(("nails".into(), Some(25), Sort::Ammo)));
        assert_eq!(read("You got 200 armor"), Some(("armor".into(), Some(200), Sort::Armor)));
        assert_eq!(read("You got 3 frags in a row"), None);
        assert_eq!(read("You receive many health"), None);
        assert_eq!(read("Bob got the BLUE flag!"), None);
    }
}
