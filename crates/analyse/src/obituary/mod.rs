//! Obituaries, the lines that games print when a player dies: the victim, the killer and the weapon.
//!
//! The lines of the games are in [`quake`], [`quake2`] and [`quakeworld`], one row each.

pub(crate) mod quake;
pub(crate) mod quake2;
pub(crate) mod quakeworld;

/// The kind of a death.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Killed by a player.
    Kill,
    /// Killed by a player of the same team; the line names only the killer.
    Teamkill,
    /// Killed by the victim's own action.
    Suicide,
    /// Killed by a monster.
    Monster,
    /// Killed by the level.
    World,
}

impl Class {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Teamkill => "teamkill",
            Self::Suicide => "suicide",
            Self::Monster => "monster",
            Self::World => "world",
        }
    }
}

/// The role of a name in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Victim,
    Attacker,
}

/// A line: `text_before`, a name, `text_between`, and optionally another name and `text_after`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    text_before: &'static str,
    first_role: Role,
    text_between: &'static str,
    second: bool,
    text_after: &'static str,
    /// The text that follows `text_after` is not from the game.
    open: bool,
    /// The weapon, the monster or the danger.
    pub(crate) weapon: &'static str,
    /// The kind of death that it counts as.
    pub(crate) class: Class,
}

/// The victim, words, the attacker, words.
const fn kill(between: &'static str, after: &'static str, weapon: &'static str) -> Row {
    let (first, class) = (Role::Victim, Class::Kill);
    Row {
        text_before: "",
        first_role: first,
        text_between: between,
        second: true,
        text_after: after,
        open: false,
        weapon,
        class,
    }
}

/// The victim and words.
const fn victim_only(between: &'static str, weapon: &'static str, class: Class) -> Row {
    Row {
        text_before: "",
        first_role: Role::Victim,
        text_between: between,
        second: false,
        text_after: "",
        open: false,
        weapon,
        class,
    }
}

const fn suicide(between: &'static str, weapon: &'static str) -> Row {
    victim_only(between, weapon, Class::Suicide)
}

const fn monster(between: &'static str, weapon: &'static str) -> Row {
    victim_only(between, weapon, Class::Monster)
}

const fn world(between: &'static str, weapon: &'static str) -> Row {
    victim_only(between, weapon, Class::World)
}

/// The attacker and words; the line does not name the victim.
const fn team(between: &'static str) -> Row {
    let (first, class) = (Role::Attacker, Class::Teamkill);
    Row {
        text_before: "",
        first_role: first,
        text_between: between,
        second: false,
        text_after: "",
        open: false,
        weapon: "",
        class,
    }
}

/// The attacker, words, the victim, words.
const fn by(between: &'static str, after: &'static str, weapon: &'static str, class: Class) -> Row {
    Row {
        text_before: "",
        first_role: Role::Attacker,
        text_between: between,
        second: true,
        text_after: after,
        open: false,
        weapon,
        class,
    }
}

/// Words, the victim, words.
const fn around(before: &'static str, between: &'static str, weapon: &'static str, class: Class) -> Row {
    Row {
        text_before: before,
        first_role: Role::Victim,
        text_between: between,
        second: false,
        text_after: "",
        open: false,
        weapon,
        class,
    }
}

/// A line of the form: attacker, words, victim, words, any further text.
const fn open(between: &'static str, after: &'static str, class: Class) -> Row {
    Row { open: true, ..by(between, after, "", class) }
}

/// Whether a line begins with the words that a row has before its first name.
pub(crate) fn begins_with_words(tables: &[&'static [Row]], line: &[u8]) -> bool {
    let mut rows = tables.iter().copied().flatten();
    rows.any(|row| !row.text_before.is_empty() && line.starts_with(row.text_before.as_bytes()))
}

/// A line that was recognized; the names are as in the line, with bit 7 removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Death<'l> {
    pub(crate) row: &'static Row,
    pub(crate) victim: Option<&'l [u8]>,
    pub(crate) attacker: Option<&'l [u8]>,
}

/// Looks for a line in tables. `line` has no line break and no bit 7; `names` are the names that may begin
/// it, also without bit 7: names must be known, because words alone cannot show them.
pub(crate) fn read<'l>(
    tables: &[&'static [Row]],
    line: &'l [u8],
    names: &[&'l [u8]],
    is_name: &dyn Fn(&[u8]) -> bool,
) -> Option<Death<'l>> {
    let mut best: Option<(usize, Death<'l>)> = None;
    // Most rows begin with a name, but few lines do. So the names at the start of the line are looked up once, not for
    // each row.
    let start = |line: &'l [u8]| -> Vec<(&'l [u8], &'l [u8])> {
        names.iter().filter_map(|name| Some((*name, line.strip_prefix(*name)?))).collect()
    };
    let begun = start(line);
    for row in tables.iter().copied().flatten() {
        // The words before a name are compared only if there are any: a comparison with an empty text is surprisingly
        // slow on some processors.
        let within = match row.text_before {
            "" => Vec::new(),
            before => line.strip_prefix(before.as_bytes()).map(start).unwrap_or_default(),
        };
        let starts = if row.text_before.is_empty() { &begun } else { &within };
        for (name, rest) in starts.iter().copied() {
            let Some(rest) = text_after(rest, row.text_between.as_bytes()) else { continue };
            let second = match row.second {
                true if row.open => name_before(rest, row.text_after.as_bytes(), is_name),
                true => without_ending(rest, row.text_after.as_bytes()).filter(|other| !other.is_empty()),
                false if rest.is_empty() => Some(rest),
                false => None,
            };
            let Some(second) = second else { continue };
            // A row with a known name wins over one with long words, and long words win over short ones.
            let known = row.second && is_name(second);
            let fit = usize::from(known) * 1000 + name.len() + row.text_between.len() + row.text_after.len();
            let (one, other) = (Some(name), row.second.then_some(second));
            let (victim, attacker) = if row.first_role == Role::Victim { (one, other) } else { (other, one) };
            if best.as_ref().is_none_or(|(most, _)| fit > *most) {
                best = Some((fit, Death { row, victim, attacker }));
            }
        }
    }
    best.map(|(_, death)| death)
}

/// The text after these words. Most words begin with a blank, so the second character is compared first, since it
/// distinguishes rows best.
#[inline]
fn text_after<'l>(text: &'l [u8], words: &[u8]) -> Option<&'l [u8]> {
    if words.len() > 1 && text.get(1) != words.get(1) {
        return None;
    }
    text.strip_prefix(words)
}

/// The text before these words at its end. Kombat Teams shortens "'s" to "'" after a name that ends with s, and
/// `ezQuake`'s table of such lines has both spellings.
fn without_ending<'l>(text: &'l [u8], words: &[u8]) -> Option<&'l [u8]> {
    text.strip_suffix(words).or_else(|| {
        let name = text.strip_suffix(words.strip_prefix(b"'s")?)?.strip_suffix(b"'")?;
        name.last().is_some_and(|last| last.eq_ignore_ascii_case(&b's')).then_some(name)
    })
}

/// The name before these words, which must be a known one because players can write such words in chat.
fn name_before<'l>(text: &'l [u8], words: &[u8], is_name: &dyn Fn(&[u8]) -> bool) -> Option<&'l [u8]> {
    let places = text.windows(words.len().max(1)).enumerate().filter(|(_, part)| *part == words);
    places.filter_map(|(at, _)| text.get(..at)).find(|name| !name.is_empty() && is_name(name))
}

/// Finds an obituary by its killer, whose name must be known, at the end of the line. The victims may be bots that are
/// not clients, so their names are not known.
pub(crate) fn by_attacker<'l>(
    tables: &[&'static [Row]],
    line: &'l [u8],
    names: impl Iterator<Item = &'l [u8]>,
) -> Option<Death<'l>> {
    // Most lines contain no known name at all, and need no comparison with a hundred rows.
    let names: Vec<&[u8]> = names.filter(|name| contains(line, name)).collect();
    if names.is_empty() {
        return None;
    }
    let rows = tables.iter().copied().flatten();
    rows.filter(|row| row.second && row.first_role == Role::Victim && row.text_before.is_empty()).find_map(
        |row| {
            let line = without_ending(line, row.text_after.as_bytes())?;
            names.iter().copied().find_map(|name| {
                let victim = line.strip_suffix(name)?.strip_suffix(row.text_between.as_bytes())?;
                let death = Death { row, victim: Some(victim), attacker: Some(name) };
                (!victim.is_empty()).then_some(death)
            })
        },
    )
}

/// Whether a name, which is not empty, occurs anywhere in a line.
fn contains(line: &[u8], name: &[u8]) -> bool {
    let Some(first) = name.first() else { return false };
    let places = line.iter().enumerate().filter(|(_, byte)| *byte == first);
    places.filter_map(|(at, _)| line.get(at..)).any(|rest| rest.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: [&[Row]; 3] = [quake::ROWS, quake2::ROWS, quakeworld::ROWS];

    fn reading(line: &str, names: &[&str]) -> Option<(String, String, &'static str, &'static str)> {
        let names: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        let found = read(&TABLES, line.as_bytes(), &names, &|name| names.contains(&name))?;
        let text = |name: Option<&[u8]>| String::from_utf8(name.unwrap_or(b"-").to_vec()).unwrap();
        Some((text(found.victim), text(found.attacker), found.row.weapon, found.row.class.word()))
    }

    #[test]
    fn lines_are_distinguished() {
        let names = ["Bob", "Bo", "Al's", "Al", "Chris"];
        let cases = [
            ("Bob was gibbed by Al's rocket", ("Bob", "Al", "Rocket Launcher", "kill")),
            ("Bob was gibbed by Al's's grenade", ("Bob", "Al's", "Grenade Launcher", "kill")),
            ("Bo rides Bob's rocket", ("Bo", "Bob", "Rocket Launcher", "kill")),
            ("Satan's power deflects Bob's telefrag", ("Bob", "-", "telefrag", "suicide")),
            ("Bob rides Chris' rocket", ("Bob", "Chris", "Rocket Launcher", "kill")),
            ("Bob rides Chris's rocket", ("Bob", "Chris", "Rocket Launcher", "kill")),
            ("Bob softens Chris' fall", ("Bob", "Chris", "stomp", "kill")),
            ("Al loses another friend", ("-", "Al", "", "teamkill")),
            ("Bob was shot by a Grunt", ("Bob", "-", "Grunt", "monster")),
            ("Bob burst into flames", ("Bob", "-", "lava", "world")),
            ("Bob almost dodged Al's rocket", ("Bob", "Al", "Rocket Launcher", "kill")),
            ("Bob sank like a rock.", ("Bob", "-", "drowning", "world")),
            ("Bob was lead poisoned by Al", ("Bob", "Al", "Shotgun", "kill")),
            ("Bob was telefragged by Al", ("Bob", "Al", "telefrag", "kill")),
            ("Bob was telefragged by his teammate", ("Bob", "-", "telefrag", "teamkill")),
            ("Al stomps Bob", ("Bob", "Al", "stomp", "kill")),
            ("Bob's ammo detonates him as Al's EMP fries it", ("Bob", "Al", "EMP Grenade", "kill")),
            ("Al mows down teammate Bob", ("Bob", "Al", "", "teamkill")),
            ("Bob goes to pieces", ("Bob", "-", "Mirv Grenade", "suicide")),
            ("The winner Bob has been defeated", ("Bob", "-", "", "kill")),
            ("The challenger Al has failed", ("Al", "-", "", "kill")),
        ];
        for (line, (victim, attacker, weapon, class)) in cases {
            let found = reading(line, &names).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (&found.0[..], &found.1[..], found.2, found.3),
                (victim, attacker, weapon, class),
                "{line}"
            );
        }
        for line in [
            "Bob",
            "Bob says hello",
            "Eve was gibbed by Ed's rocket",
            "",
            "Bob was gibbed by 's rocket",
            "Bob rides Al' rocket",
        ] {
            assert!(reading(line, &names).is_none(), "{line}");
        }
        // A bot that is not a client.
        let known = names.map(str::as_bytes);
        let death = by_attacker(&[quake::ROWS], b"Eve rides Al's rocket", known.iter().copied()).unwrap();
        assert_eq!((death.victim, death.attacker), (Some(&b"Eve"[..]), Some(&b"Al"[..])));
        assert!(by_attacker(&[quake::ROWS], b"Eve rides Ed's rocket", known.iter().copied()).is_none());
    }

    #[test]
    fn no_row_stands_twice() {
        // Quake II's lines are never searched together with those of the other games.
        for table in [quake2::ROWS.to_vec(), [quake::ROWS, quakeworld::ROWS].concat()] {
            for (at, row) in table.iter().enumerate() {
                let same = |other: &&Row| {
                    (other.text_before, other.first_role, other.text_between, other.second, other.text_after)
                        == (row.text_before, row.first_role, row.text_between, row.second, row.text_after)
                };
                assert!(!table[..at].iter().any(|other| same(&other)), "{row:?}");
            }
        }
    }
}
