//! Commands that a stranger's recording should not run on the console of whoever plays it.

use crate::commands;

/// What a command can do that the player of a recording may not want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Danger {
    /// It changes settings.
    ChangesSettings,
    /// It redefines commands.
    Redefines,
    /// It changes keys.
    ChangesKeys,
    /// It starts another game.
    StartsGame,
    /// It writes a file.
    WritesFile,
    /// It connects to another server.
    Connects,
    /// It ends the game.
    EndsGame,
    /// It leaves the game.
    Leaves,
    /// It runs a file.
    RunsFile,
    /// It kills the player.
    Kills,
    /// It controls another server.
    ControlsServer,
    /// It speaks for the player.
    Speaks,
    /// It ends a recording.
    EndsRecording,
}

impl Danger {
    /// The danger in a few words, as in "this command ...".
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

/// The dangerous commands, by their first word.
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
    // schema-once: a command of the console
    (b"color", Danger::ChangesSettings),
    (b"condump", Danger::WritesFile),
    (b"connect", Danger::Connects),
    (b"crash", Danger::EndsGame),
    (b"crosshair", Danger::ChangesSettings),
    // schema-once: a command of the console
    (b"disconnect", Danger::Leaves),
    (b"error", Danger::EndsGame),
    (b"exec", Danger::RunsFile),
    // schema-once: a command of the console
    (b"fov", Danger::ChangesSettings),
    (b"gamma", Danger::ChangesSettings),
    (b"host_framerate", Danger::ChangesSettings),
    (b"kill", Danger::Kills),
    (b"load", Danger::StartsGame),
    (b"map", Danger::StartsGame),
    // schema-once: a command of the console
    (b"name", Danger::ChangesSettings),
    (b"password", Danger::ChangesSettings),
    (b"playdemo", Danger::StartsGame),
    (b"quit", Danger::EndsGame),
    (b"r_fullbright", Danger::ChangesSettings),
    (b"rate", Danger::ChangesSettings),
    (b"rcon", Danger::ControlsServer),
    (b"rcon_password", Danger::ChangesSettings),
    (b"record", Danger::WritesFile),
    // schema-once: a command of the console
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
    // schema-once: a command of the console
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

/// The open end of the commands that a server sent so far: engines put pieces together before they run them.
///
/// ```
/// use moviola_format::{Danger, OpenCommand};
/// let mut open = OpenCommand::default();
/// assert!(open.dangers(b"qu", 5).is_empty());
/// assert_eq!(open.dangers(b"it\n", 6), [Danger::EndsGame]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OpenCommand {
    /// The command that is open, and the block of its last piece.
    open: Vec<u8>,
    block: u64,
}

/// How much of an open command is kept: more fits in no engine's line.
const LONGEST: usize = 1024;

impl OpenCommand {
    /// The dangers of this text, by itself or behind the pieces before it, which are of this or the last block.
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

/// Each danger of a text once. Several commands may stand in one, behind `;` and line breaks.
fn dangers(text: &[u8]) -> Vec<Danger> {
    let mut found: Vec<Danger> = Vec::new();
    for command in commands(text) {
        // The argument of `cmd` is sent on to the server and done there, in the player's name.
        let command = if command.name().eq_ignore_ascii_case(b"cmd") { command.inner() } else { command };
        let row = DANGERS.iter().find(|row| row.0.eq_ignore_ascii_case(command.name()));
        if let Some((_, danger)) = row.filter(|row| !found.contains(&row.1)) {
            found.push(*danger);
        }
    }
    found
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
        // An engine has run the piece long before; and what is dangerous by itself is so behind anything.
        assert_eq!(danger(b"q", 10), None);
        assert_eq!(danger(b"uit\n", 12), None);
        assert_eq!(danger(b"echo ", 20), None);
        assert_eq!(danger(b"quit\n", 20), Some(Danger::EndsGame));
        // A line break closes what is quoted.
        assert_eq!(danger(b"echo \"a\nbf;quit\n", 30), Some(Danger::EndsGame));
    }

    #[test]
    fn dangers_are_found_behind_others() {
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
        assert_eq!(danger(b"\"\"\n\"echo\" quit"), None);
        let both = dangers(b"connect 1.2.3.4\nbind x quit\nbind y quit\n");
        assert_eq!(both, [Danger::Connects, Danger::ChangesKeys]);
    }
}
