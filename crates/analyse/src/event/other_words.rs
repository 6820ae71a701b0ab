//! Words that players use for events, for which the name that is nearest by spelling would be wrong.

// not from SCHEMA, all words: kinds of events, and what people call them.

use super::EventKind;

/// An event as it is written on the command line: its kind's name, and a part of its text or nothing.
///
/// ```
/// use moviola_analyse::EventKind;
/// assert_eq!(EventKind::meant_by("Frag").unwrap().to_string(), "kill");
/// assert_eq!(EventKind::meant_by("quad").unwrap().to_string(), "powerup_start \"quad\"");
/// assert_eq!(EventKind::meant_by("kill"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeantEvent {
    /// The name of the kind.
    pub kind: &'static str,
    /// A part of the text; empty for any.
    pub text: &'static str,
}

impl std::fmt::Display for MeantEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self { kind, text: "" } => f.write_str(kind),
            Self { kind, text } => write!(f, "{kind} \"{text}\""),
        }
    }
}

/// The kinds, a part of their text, and the words for them.
const WORDS: &[(&str, &str, &str)] = &[
    ("kill", "", "frag fragged kills killed obituary murder air airshot streak multikill"),
    ("kill", "suicide", "suicide suicides"),
    ("kill", "teamkill", "teamkill teamkills tk"),
    ("kill", "telefrag", "telefrag telefrags"),
    ("kill", "gib", "gib gibs gibbed"),
    ("kill", "Rocket Launcher", "rl rocket rockets"),
    ("kill", "Grenade Launcher", "gl grenade grenades"),
    ("kill", "Thunderbolt", "lg lightning shaft thunderbolt"),
    ("kill", "Shotgun", "sg ssg shotgun"),
    ("kill", "Railgun", "rg rail railgun"),
    ("kill", "Axe", "axe axed"),
    ("death", "", "die dies died dead dying deaths"),
    ("frags", "", "score scores point points"),
    ("chat", "", "say says said talk msg message messages say_team messagemode mm2"),
    ("console", "", "log line"),
    ("centerprint", "", "center centre centreprint cprint"),
    ("command", "", "cmd stuff stuffcmd stufftext alias bind"),
    ("damage", "", "hurt pain hits wound dmg"),
    ("shot", "", "shoot shoots shots fire fires fired attack muzzleflash"),
    ("weapon", "", "gun weapons switch impulse"),
    ("pickup", "", "item items pick picked pickups take took taken grab ammo get got pack packs backpack bp"),
    ("pickup", "health", "health heal medkit stimpack mega mh megahealth"),
    ("pickup", "armor", "armor armour ya ga ra vest"),
    ("pickup", "key", "key keys keycard"),
    ("pickup", "rune", "rune runes tech"),
    ("powerup_start", "", "powerup powerups power_up power_ups"),
    ("powerup_start", "quad", "quad quads quaddamage"),
    ("powerup_start", "pentagram", "pent pents pentagram god"),
    ("powerup_start", "ring", "ring eyes invis invisibility"),
    ("powerup_start", "suit", "suit biosuit envirosuit"),
    ("powerup_start", "invulnerability", "invulnerability invuln invul"),
    ("flag", "", "flags ctf capture captures captured cap caps returned"),
    ("monster", "", "monsters enemy enemies killedmonster"),
    ("secret", "", "secrets foundsecret"),
    ("teleport", "", "tele teleports teleporter warp portal"),
    ("boss", "", "bosses shub chthon makron"),
    ("spawn", "", "spawns respawn respawns reborn"),
    ("join", "", "connect connects connected enter enters entered joins"),
    ("leave", "", "quit quits left leaves part drops"),
    ("disconnect", "", "disconnects hangup"),
    ("rename", "", "name names nick renames"),
    ("recolor", "", "color colors colour colours skin skins recolour"),
    ("intermission", "", "scoreboard exit finish finishes"),
    ("level_start", "", "start starts begin begins"),
    ("level_end", "", "end ends"),
    ("finale", "", "ending credits"),
    ("pause", "", "paused unpause pauses timeout"),
    ("match", "", "round rounds overtime countdown go"),
    ("bookmark", "", "mark marks demomark bookmarks"),
];

impl EventKind {
    /// The event for which players have this word.
    pub fn meant_by(word: &str) -> Option<MeantEvent> {
        let has = |words: &str| words.split(' ').any(|one| one.eq_ignore_ascii_case(word));
        let (kind, text, _) = WORDS.iter().find(|(.., words)| has(words))?;
        Some(MeantEvent { kind, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_word_means_one_event() {
        let kinds: BTreeSet<&str> = EventKind::ROWS.iter().map(|row| row.name).collect();
        let words: Vec<&str> = WORDS.iter().flat_map(|(.., words)| words.split(' ')).collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
        for (kind, ..) in WORDS {
            assert!(kinds.contains(kind), "{kind}");
        }
        // No alias may be the name of a kind.
        for word in words {
            assert!(!kinds.contains(word), "{word}");
        }
    }
}
