//! The lines of capture the flag: Threewave for Quake, KTX for QuakeWorld, id's for Quake II.

/// A recognized line about flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flag<'l> {
    /// The player who acted; `None` for a flag that returned on its own.
    pub(crate) player: Option<&'l [u8]>,
    /// The flag's team.
    pub(crate) team: Option<&'static str>,
    pub(crate) what: &'static str,
}

/// The texts behind the player's name; `{}` is the team's color.
const ROWS: &[(&str, &str)] = &[
    (" got the {} flag!", "taken"),
    (" got the enemy flag!", "taken"),
    (" lost the {} flag!", "lost"),
    (" lost the flag!", "lost"),
    (" tossed the {} flag!", "tossed"),
    (" captured the {} flag!", "captured"),
    (" just captured the flag!", "captured"),
    (" returned the {} flag!", "returned"),
    (" returned his flag!", "returned"),
    (" gets an assist for returning his flag!", "assist"),
    (" gets an assist for returning the flag!", "assist"),
    (" gets an assist for fragging the flag carrier!", "assist"),
    (" defends the {} flag", "defense"),
    (" defends the {} flag.", "defense"),
    (" defends the {} base.", "defense"),
    (" defends {}'s flag carrier", "defense"),
    (" defends the {}'s flag carrier.", "defense"),
    (" defends {}'s flag carrier against an agressive enemy", "defense"),
    (" defends {}'s flag carrier against an aggressive enemy", "defense"),
];

// not from SCHEMA: a team's color
const TEAMS: [(&str, &str); 2] = [("RED", "red"), ("BLUE", "blue")];

/// Reads a line without bit 7.
pub(crate) fn flag(line: &[u8]) -> Option<Flag<'_>> {
    for (color, team) in TEAMS {
        let of = |words: &str| line == format!("The {color} flag has {words}").as_bytes();
        if of("returned!") || of("been returned") {
            return Some(Flag { player: None, team: Some(team), what: "returned" });
        }
    }
    // These words occur only in lines about flags, so nearly all other lines are rejected early.
    let wanted = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
    if !wanted(b"flag") && !wanted(b"base") {
        return None;
    }
    ROWS.iter().find_map(|(words, what)| {
        let Some((before, after)) = words.split_once("{}") else {
            let player = line.strip_suffix(words.as_bytes())?;
            return Some(Flag { player: Some(player), team: None, what });
        };
        TEAMS.iter().find_map(|(color, team)| {
            let line = line.strip_suffix(after.as_bytes())?.strip_suffix(color.as_bytes())?;
            let player = line.strip_suffix(before.as_bytes())?;
            Some(Flag { player: Some(player), team: Some(team), what })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read() {
        let found = flag(b"Bob got the BLUE flag!").unwrap();
        assert_eq!((found.player, found.team, found.what), (Some(&b"Bob"[..]), Some("blue"), "taken"));
        assert_eq!(flag(b"The RED flag has returned!").unwrap().player, None);
        assert_eq!(flag(b"Al captured the RED flag!").unwrap().what, "captured");
        assert_eq!(flag(b"Al defends the RED's flag carrier.").unwrap().what, "defense");
        assert_eq!(flag(b"Al tossed the RED flag!").unwrap().what, "tossed");
        assert_eq!(flag(b"The BLUE flag has been returned").unwrap().team, Some("blue"));
        assert_eq!(flag(b"Al likes flags"), None);
    }
}
