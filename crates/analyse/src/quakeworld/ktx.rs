//! The additions of KTX and MVDSV to the recording of a match: commands that begin like a comment, and damage.

// not from SCHEMA, all words: weapons and dangers have the names that obituaries give them.

use std::str::from_utf8;

/// A line that KTX writes for recordings.
///
/// Players and items are named by the numbers of their entities; a player's number is one more than the slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Note<'c> {
    /// The match begins, after the countdown.
    Start,
    /// An item was taken, and comes back `respawn` seconds later; 0 means that it was not removed.
    Took { item: u16, respawn: f64, player: u16 },
    /// A player left a backpack with this weapon.
    Drop { pack: u16, weapon: &'static str, player: u16 },
    /// A player took a backpack.
    Pack { pack: u16, player: u16 },
    /// A backpack vanished.
    Expire { pack: u16 },
    /// An item comes back in this many seconds.
    Timer { item: u16, seconds: f64 },
    /// The shots and hits of a player's weapon in the match. The player is a slot here.
    Accuracy { slot: u8, weapon: &'static str, attacks: i32, hits: i32 },
    /// The scores at the end of the match.
    Scores,
    /// A bookmark with these words, which `ezQuake`'s players make too.
    Mark(&'c [u8]),
}

impl<'c> Note<'c> {
    pub(super) fn of(command: &'c [u8]) -> Option<Self> {
        let command = command.trim_ascii();
        // Names of teams, players and bookmarks may have letters of bronze, which are no UTF-8.
        if command.starts_with(b"//finalscores ") {
            return Some(Self::Scores);
        }
        if let Some(words) = command.strip_prefix(b"//demomark") {
            let is_mark = words.first().is_none_or(u8::is_ascii_whitespace);
            return is_mark.then_some(Self::Mark(words.trim_ascii()));
        }
        let text = from_utf8(command).ok()?;
        if let Some(numbers) = text.strip_prefix("//wps ") {
            return accuracy(numbers);
        }
        let mut words = text.strip_prefix("//ktx ")?.split_ascii_whitespace();
        let what = words.next()?;
        let mut number = || words.next()?.parse::<f64>().ok().filter(|it| (0.0..=65_535.0).contains(it));
        Some(match what {
            "matchstart" => Self::Start,
            "took" => {
                let (item, respawn) = (number()? as u16, number()?);
                Self::Took { item, respawn, player: number()? as u16 }
            }
            "drop" => {
                let (pack, bits) = (number()? as u16, number()? as u32);
                Self::Drop { pack, weapon: weapon(bits), player: number()? as u16 }
            }
            "bp" => Self::Pack { pack: number()? as u16, player: number()? as u16 },
            "expire" => Self::Expire { pack: number()? as u16 },
            "timer" => Self::Timer { item: number()? as u16, seconds: number()? },
            _ => return None,
        })
    }
}

/// The weapons of KTX's statistics: by how much one shot raises the count of attacks, and whether hits are counted at
/// the same time. A projectile is counted when it is fired, and its hit when it arrives.
const WEAPONS: &[(&str, &str, i32, bool)] = &[
    ("axe", "Axe", 1, true),
    ("sg", "Shotgun", 6, true),
    ("ssg", "Super Shotgun", 14, true),
    ("ng", "Nailgun", 1, false),
    ("sng", "Super Nailgun", 1, false),
    ("gl", "Grenade Launcher", 1, false),
    ("rl", "Rocket Launcher", 1, false),
    ("lg", "Thunderbolt", 1, true),
];

/// The weapon with this short name in KTX's statistics.
pub(crate) fn weapon_of(short: &str) -> Option<&'static str> {
    WEAPONS.iter().find(|row| row.0 == short).map(|row| row.1)
}

/// The pellets and hits of one shot, from the rise of KTX's counts of attacks and hits. After a cut the counts rise by
/// all shots in the gap, which are not one shot.
pub(super) fn shot(weapon: &str, attacks: i32, hits: i32) -> Option<(Option<u8>, Option<u8>)> {
    let row = WEAPONS.iter().find(|row| row.1 == weapon)?;
    let small = |number: i32| u8::try_from(number).ok();
    (1..=row.2).contains(&attacks).then(|| if row.3 { (small(attacks), small(hits)) } else { (None, None) })
}

/// `//wps`: the slot, a weapon, shots and hits.
fn accuracy(numbers: &str) -> Option<Note<'static>> {
    let mut words = numbers.split_ascii_whitespace();
    let slot: u8 = words.next()?.parse().ok()?;
    let weapon = weapon_of(words.next()?)?;
    let mut count = || words.next()?.parse::<i32>().ok().filter(|count| *count >= 0);
    let (attacks, hits) = (count()?, count()?);
    (usize::from(slot) < moviola_state::quakeworld::SLOTS).then_some(Note::Accuracy {
        slot,
        weapon,
        attacks,
        hits,
    })
}

/// The slot of a player's entity.
pub(super) fn slot(entity: u16) -> Option<u8> {
    let slot = u8::try_from(entity.checked_sub(1)?).ok()?;
    (usize::from(slot) < moviola_state::quakeworld::SLOTS).then_some(slot)
}

/// The weapon of an item bit.
fn weapon(bits: u32) -> &'static str {
    let named = moviola_state::quake::MissionPack::default().weapons().iter();
    named.clone().find(|(bit, _)| *bit == i64::from(bits)).map_or("", |(_, name)| name)
}

/// The word for a cause of damage. KTX numbers the causes. The numbers after the telefrags changed when a fourth kind
/// of telefrag was added, so these causes have no name.
pub(super) fn cause(number: u16, damage: i16) -> &'static str {
    /// The amount of damage that means that a player died by a command.
    const BY_COMMAND: i16 = 9999;
    const CAUSES: &[&str] = &[
        "",
        "Axe",
        "Shotgun",
        "Super Shotgun",
        "Nailgun",
        "Super Nailgun",
        "Grenade Launcher",
        "Rocket Launcher",
        "Thunderbolt",
        "discharge",
        "discharge",
        "hook",
        "",
        "lava",
        "slime",
        "drowning",
        "falling",
        "stomp",
        "telefrag",
        "telefrag",
        "telefrag",
    ];
    if damage == BY_COMMAND {
        return "kill command";
    }
    CAUSES.get(usize::from(number)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_ktx_are_read() {
        assert_eq!(Note::of(b"//ktx matchstart\n"), Some(Note::Start));
        let took = Note::Took { item: 49, respawn: 20.0, player: 4 };
        assert_eq!(Note::of(b"//ktx took 49 20 4\n"), Some(took));
        let drop = Note::Drop { pack: 98, weapon: "Rocket Launcher", player: 3 };
        assert_eq!(Note::of(b"//ktx drop 98 32 3"), Some(drop));
        assert_eq!(Note::of(b"//ktx bp 98 4"), Some(Note::Pack { pack: 98, player: 4 }));
        assert_eq!(Note::of(b"//ktx expire 98\n"), Some(Note::Expire { pack: 98 }));
        assert_eq!(Note::of(b"//ktx timer 49 20\n"), Some(Note::Timer { item: 49, seconds: 20.0 }));
        let accuracy = Note::Accuracy { slot: 2, weapon: "Rocket Launcher", attacks: 23, hits: 6 };
        assert_eq!(Note::of(b"//wps 2 rl 23 6\n"), Some(accuracy));
        assert_eq!(Note::of(b"//finalscores \"x\""), Some(Note::Scores));
        assert_eq!(Note::of(b"//demomark\n"), Some(Note::Mark(b"")));
        assert_eq!(Note::of(b"//demomark 0 round-01\n"), Some(Note::Mark(b"0 round-01")));
        assert_eq!(Note::of(b"//demomark \xe7\xef\xef\xe4\n"), Some(Note::Mark(b"\xe7\xef\xef\xe4")));
        assert_eq!(Note::of(b"//finalscores \"x\" \"\xf2\xe5\xe4\" 3"), Some(Note::Scores));
        for odd in [
            &b"//ktx took 49"[..],
            b"//ktx took -1 0 1",
            b"//ktx took 9e9 0 1",
            b"//ktx",
            b"took 1 2 3",
            b"//wps 2 bfg 1 1",
            b"//wps 32 rl 1 1",
            b"//wps 2 rl -1 1",
            b"//wps 2 rl 1",
            b"//demomarks",
        ] {
            assert_eq!(Note::of(odd), None);
        }
        assert_eq!((slot(0), slot(1), slot(33)), (None, Some(0), None));
    }

    #[test]
    fn statistics_tell_shots() {
        assert_eq!(shot("Super Shotgun", 14, 3), Some((Some(14), Some(3))));
        assert_eq!(shot("Rocket Launcher", 1, 1), Some((None, None)), "the hit is that of another rocket");
        assert_eq!((shot("Shotgun", 84, 33), shot("Shotgun", 0, 1), shot("bfg", 1, 1)), (None, None, None));
    }

    #[test]
    fn causes_have_the_words_of_obituaries() {
        assert_eq!([cause(7, 50), cause(26, 9999), cause(99, 1)], ["Rocket Launcher", "kill command", ""]);
    }
}
