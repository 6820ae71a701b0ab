//! Console commands in a recording that can harm the person who plays it back.

use crate::commands;

/// The harm that a console command can do to the person who plays a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Danger {
    /// The command changes settings.
    ChangesSettings,
    /// The command redefines other commands.
    Redefines,
    /// The command changes key bindings.
    ChangesKeys,
    /// The command starts another game.
    StartsGame,
    /// The command writes a file.
    WritesFile,
    /// The command connects to another server.
    Connects,
    /// The command quits the program.
    EndsGame,
    /// The command leaves the current game.
    Leaves,
    /// The command runs a file of commands.
    RunsFile,
    /// The command kills the player.
    Kills,
    /// The command controls another server.
    ControlsServer,
    /// The command sends chat in the player's name.
    Speaks,
    /// The command stops a recording.
    EndsRecording,
}

impl Danger {
    /// The danger as the predicate of a sentence: "this command ...".
    pub fn words(self) -> &'static str {
        match self {
            Self::ChangesSettings => "changes settings",
            Self::Redefines => "redefines commands",
            Self::ChangesKeys => "changes keys",
            Self::StartsGame => "starts another game",
            Self::WritesFile => "writes a file",
            Self::Connects => "connects to another server",
            Self::EndsGame => "ends the game",
            Self::Leaves => "leaves the game",
            Self::RunsFile => "runs a file",
            Self::Kills => "kills the player",
            Self::ControlsServer => "controls another server",
            Self::Speaks => "speaks for the player",
            Self::EndsRecording => "ends a recording",
        }
    }
}

/// The dangerous commands by name, each with its danger.
const DANGERS: &[(&[u8], Danger)] = &[
    (b"alias", Danger::Redefines),
    (b"_cl_color", Danger::ChangesSettings),
    (b"_cl_name", Danger::ChangesSettings),
    (b"bgmvolume", Danger::ChangesSettings),
    (b"bind", Danger::ChangesKeys),
    (b"changelevel", Danger::StartsGame),
    (b"cl_backspeed", Danger::ChangesSettings),
    (b"cl_forwardspeed", Danger::ChangesSettings),
    (b"cl_sidespeed", Danger::ChangesSettings),
    (b"cl_upspeed", Danger::ChangesSettings),
    // not from SCHEMA: a command of the console
    (b"color", Danger::ChangesSettings),
    (b"condump", Danger::WritesFile),
    (b"connect", Danger::Connects),
    (b"crash", Danger::EndsGame),
    (b"crosshair", Danger::ChangesSettings),
    // not from SCHEMA: a command of the console
    (b"disconnect", Danger::Leaves),
    (b"error", Danger::EndsGame),
    (b"exec", Danger::RunsFile),
    // not from SCHEMA: a command of the console
    (b"fov", Danger::ChangesSettings),
    (b"gamma", Danger::ChangesSettings),
    (b"host_framerate", Danger::ChangesSettings),
    (b"kill", Danger::Kills),
    (b"load", Danger::StartsGame),
    (b"map", Danger::StartsGame),
    // not from SCHEMA: a command of the console
    (b"name", Danger::ChangesSettings),
    (b"password", Danger::ChangesSettings),
    (b"playdemo", Danger::StartsGame),
    (b"quit", Danger::EndsGame),
    (b"r_fullbright", Danger::ChangesSettings),
    // not from SCHEMA: a console command.
    (b"rate", Danger::ChangesSettings),
    (b"rcon", Danger::ControlsServer),
    (b"rcon_password", Danger::ChangesSettings),
    (b"record", Danger::WritesFile),
    // not from SCHEMA: a command of the console
    (b"save", Danger::WritesFile),
    (b"say", Danger::Speaks),
    (b"say_team", Danger::Speaks),
    (b"screenshot", Danger::WritesFile),
    (b"sensitivity", Danger::ChangesSettings),
    (b"set", Danger::ChangesSettings),
    (b"seta", Danger::ChangesSettings),
    (b"setenv", Danger::ChangesSettings),
    (b"sets", Danger::ChangesSettings),
    (b"setu", Danger::ChangesSettings),
    // not from SCHEMA: a command of the console
    (b"skin", Danger::ChangesSettings),
    (b"startdemos", Danger::StartsGame),
    (b"stop", Danger::EndsRecording),
    (b"timedemo", Danger::StartsGame),
    (b"unbind", Danger::ChangesKeys),
    (b"unbindall", Danger::ChangesKeys),
    (b"vid_mode", Danger::ChangesSettings),
    (b"viewsize", Danger::ChangesSettings),
    (b"volume", Danger::ChangesSettings),
    (b"writeconfig", Danger::WritesFile),
];

/// Finds dangerous commands that a server sends in several pieces. Engines append each piece to one buffer
/// and run a command once its line break arrives, so this type keeps the unfinished command.
///
/// ```
/// use moviola_format::{Danger, OpenCommand};
/// let mut open = OpenCommand::default();
/// assert!(open.dangers(b"qu", 5).is_empty());
/// assert_eq!(open.dangers(b"it\n", 6), [Danger::EndsGame]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OpenCommand {
    /// The text of the unfinished command, and the number of the block with its last piece.
    open: Vec<u8>,
    block: u64,
}

/// An unfinished command longer than this is dropped, because no engine's command line is longer.
const LONGEST: usize = 1024;

impl OpenCommand {
    /// The dangers of `text`, alone or appended to the unfinished command, whose last piece must be in this
    /// block or the one before.
    pub fn dangers(&mut self, text: &[u8], block: u64) -> Vec<Danger> {
        if self.block.saturating_add(1) < block || self.open.len() > LONGEST {
            self.open.clear();
        }
        self.block = block;
        let whole = (!self.open.is_empty()).then(|| [&self.open, text].concat());
        match text.rsplit(|byte| *byte == b'\n').next() {
            Some(rest) if rest.len() == text.len() => self.open.extend_from_slice(text),
            rest => self.open = rest.unwrap_or_default().to_vec(),
        }
        let alone = dangers(text);
        match whole {
            Some(whole) if alone.is_empty() => dangers(&whole),
            _ => alone,
        }
    }
}

/// Aliases within aliases are followed this deep; a deeper one counts as a redefinition, since nobody writes one.
const DEEPEST: usize = 4;

/// Each danger of a text once; `;` and line breaks separate its commands.
fn dangers(text: &[u8]) -> Vec<Danger> {
    let mut found: Vec<Danger> = Vec::new();
    collect(text, DEEPEST, &mut found);
    found
}

fn collect(text: &[u8], depth: usize, found: &mut Vec<Danger>) {
    for command in commands(text) {
        // `cmd` sends its argument to the server, which executes it in the player's name.
        let command = if command.name().eq_ignore_ascii_case(b"cmd") { command.inner() } else { command };
        let Some(danger) = danger_of(command.name()) else { continue };
        let alias = command.inner();
        // Servers define aliases for their own votes and menus, which are as dangerous as the commands in them. An
        // alias with the name of a command that players type replaces that command.
        let is_own = danger == Danger::Redefines && !is_taken(alias.name());
        if is_own && depth > 0 {
            let body = alias.rest();
            collect(body.strip_prefix(b"\"").map_or(body, before_quote), depth - 1, found);
        } else if !found.contains(&danger) {
            found.push(danger);
        }
    }
}

/// The text up to a quotation mark.
fn before_quote(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == b'"').next().unwrap_or_default()
}

fn danger_of(name: &[u8]) -> Option<Danger> {
    DANGERS.iter().find(|row| row.0.eq_ignore_ascii_case(name)).map(|row| row.1)
}

/// Whether players use this name themselves: a command that is dangerous, or one of a key.
fn is_taken(name: &[u8]) -> bool {
    matches!(name, [b'+' | b'-', _, ..]) || danger_of(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangers_in_pieces_are_found() {
        let mut commands = OpenCommand::default();
        let mut danger = |text: &[u8], block| commands.dangers(text, block).first().copied();
        assert_eq!(danger(b"q", 5), None);
        assert_eq!(danger(b"u", 5), None);
        assert_eq!(danger(b"it\n", 6), Some(Danger::EndsGame));
        assert_eq!(danger(b"echo q", 7), None);
        assert_eq!(danger(b"uit\nbi", 7), None);
        assert_eq!(danger(b"nd x y\n", 8), Some(Danger::ChangesKeys));
        // An engine has run the unfinished `q` long before block 12. A command that is dangerous alone stays
        // dangerous after any unfinished text.
        assert_eq!(danger(b"q", 10), None);
        assert_eq!(danger(b"uit\n", 12), None);
        assert_eq!(danger(b"echo ", 20), None);
        assert_eq!(danger(b"quit\n", 20), Some(Danger::EndsGame));
        // A line break ends a quotation.
        assert_eq!(danger(b"echo \"a\nbf;quit\n", 30), Some(Danger::EndsGame));
    }

    #[test]
    fn dangers_are_found_after_others() {
        let danger = |command: &[u8]| dangers(command).first().copied();
        assert_eq!(danger(b"bf\n"), None);
        assert_eq!(danger(b"v_cshift 0 0 0 0; Bind x quit\n"), Some(Danger::ChangesKeys));
        assert_eq!(danger(b"echo \"a; quit\"\nreconnect\n"), None);
        assert_eq!(danger(b"echo a\nquit"), Some(Danger::EndsGame));
        for (command, what) in [
            (&b"\"quit\"\n"[..], Danger::EndsGame),
            (b" \x01\"BIND\" x \"say hi\"", Danger::ChangesKeys),
            (b"bind\"x\" y", Danger::ChangesKeys),
            (b"cmd say x", Danger::Speaks),
            (b"disconnect\n", Danger::Leaves),
            (b"map e1m1", Danger::StartsGame),
            (b"cl_backspeed 9999", Danger::ChangesSettings),
        ] {
            assert_eq!(danger(command), Some(what), "{}", command.escape_ascii());
        }
        assert_eq!(danger(b"cmd pext\n"), None);
        // Names of a server's own, as KTX sends some hundred; only their commands can do harm.
        assert_eq!(danger(b"alias 1 impulse 1\nalias end \"cmd votemap end\"\n"), None);
        assert_eq!(danger(b"alias menu \"impulse 12; quit\"\n"), Some(Danger::EndsGame));
        assert_eq!(danger(b"alias a alias b \"bind x y\"\n"), Some(Danger::ChangesKeys));
        assert_eq!(danger(b"alias +attack \"\"\n"), Some(Danger::Redefines));
        assert_eq!(danger(b"alias quit \"\"\n"), Some(Danger::Redefines));
        assert_eq!(danger(&b"alias a ".repeat(9)), Some(Danger::Redefines));
        assert_eq!(danger(b"\"\"\n\"echo\" quit"), None);
        let both = dangers(b"connect 1.2.3.4\nbind x quit\nbind y quit\n");
        assert_eq!(both, [Danger::Connects, Danger::ChangesKeys]);
    }
}
