//! Console commands in recordings: which are harmless, and which show a cheat.

// not from SCHEMA, all words: commands of the console

use moviola_format::Command;

/// Commands that a recording needs, and those that only show, play or print something. Any other command may
/// change keys, settings or files, or connect to a server.
const HARMLESS: &[&str] = &[
    "bf",
    "cd",
    "centerview",
    "changing",
    "echo",
    "fog",
    "play",
    "play2",
    "playvol",
    "precache",
    "reconnect",
    "sky",
    "skybox",
    "stopsound",
    "v_cshift",
    "wait",
];

/// Commands and settings by which a player cheats.
const CHEATS: &[&str] = &[
    "chase_active",
    "fly",
    "give",
    "god",
    "host_framerate",
    "host_timescale",
    "impulse",
    "noclip",
    "notarget",
    "r_fullbright",
    "setpos",
    "sv_accelerate",
    "sv_friction",
    "sv_gravity",
    "sv_maxspeed",
    "timescale",
];

/// The name of a command or setting in small letters; empty if there is none.
pub(super) fn name(command: Command<'_>) -> String {
    String::from_utf8_lossy(command.name()).to_ascii_lowercase()
}

/// Whether a single command changes nothing on the player's machine.
pub(super) fn is_harmless(command: Command<'_>) -> bool {
    let name = name(command);
    // ProQuake's teams and clocks, and comments in which mods hide data.
    let is_data = command.bare().first() == Some(&1) || name.starts_with("//");
    name.is_empty() || is_data || HARMLESS.contains(&name.as_str())
}

/// Settings of the picture, which a film may change.
const SETTINGS: &[&str] = &["crosshair", "fov"];

/// Whether a single command may be put into a recording: it shows, plays or prints something, and changes
/// nothing but the picture.
pub(crate) fn is_safe(command: Command<'_>) -> bool {
    !is_needed(command) && (is_harmless(command) || SETTINGS.contains(&name(command).as_str()))
}

/// Whether a single command fades or tints the screen.
pub(super) fn is_fade(command: Command<'_>) -> bool {
    name(command) == "v_cshift"
}

/// Whether a single command is a cheat.
pub(super) fn is_cheat(command: Command<'_>) -> bool {
    CHEATS.contains(&name(command).as_str())
}

/// Whether a recording does not play without a command: it leads to the next level, or loads one of Quake II.
pub(super) fn is_needed(command: Command<'_>) -> bool {
    matches!(name(command).as_str(), "precache" | "reconnect" | "changing")
}

/// Whether a console line is one that an engine or a mod prints when a player cheats.
pub(super) fn is_cheat_line(line: &[u8]) -> bool {
    const STATES: [&str; 4] = ["godmode", "noclip", "notarget", "flymode"];
    const LINES: [&str; 5] =
        ["quad cheat", "wetsuit cheat", "empathy shields cheat", "genocide!", "dumping player location"];
    let line = String::from_utf8_lossy(line).trim().to_ascii_lowercase();
    let is_state =
        |state: &&str| line.strip_prefix(*state).is_some_and(|rest| matches!(rest, " on" | " off"));
    // "sv_gravity" changed to "100"
    let setting = line.strip_prefix('"').and_then(|rest| rest.split_once("\" changed to "));
    STATES.iter().any(is_state)
        || LINES.contains(&line.as_str())
        || setting.is_some_and(|(name, _)| CHEATS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_format::commands;

    #[test]
    fn only_known_commands_are_harmless() {
        for yes in ["bf", " BF ", "v_cshift 0 0 0 0", "precache 1234", "// data", "\u{1}\u{2}abc", "", "  "] {
            assert!(commands(yes.as_bytes()).all(is_harmless), "{yes}");
        }
        for no in ["bind x quit", "quit", "alias bf quit", "bff", "exec a.cfg", "name x", "\"quit\"", "god"] {
            assert!(!commands(no.as_bytes()).all(is_harmless), "{no}");
        }
        assert!(HARMLESS.is_sorted() && CHEATS.is_sorted());
    }

    #[test]
    fn lines_of_cheats_are_known() {
        for yes in ["godmode ON\n", "noclip OFF\n", "Quad Cheat\n", "\"sv_gravity\" changed to \"100\"\n"] {
            assert!(is_cheat_line(yes.as_bytes()), "{yes:?}");
        }
        for no in ["godmode ONE\n", "Ranger: noclip ON\n", "\"fraglimit\" changed to \"10\"\n", "\n"] {
            assert!(!is_cheat_line(no.as_bytes()), "{no:?}");
        }
    }
}
