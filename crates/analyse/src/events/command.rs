//! Commands that a server sends for the client's console, and which of them a stranger's recording should not run.

use crate::Said;
use moviola_format::commands;

/// What a command can do that its reader may not want, by its first word.
const DANGERS: &[(&[u8], &str)] = &[
    (b"alias", "redefines commands"),
    (b"_cl_color", "changes settings"),
    (b"_cl_name", "changes settings"),
    (b"bgmvolume", "changes settings"),
    (b"bind", "changes keys"),
    (b"changelevel", "starts another game"),
    (b"cl_backspeed", "changes settings"),
    (b"cl_forwardspeed", "changes settings"),
    (b"cl_sidespeed", "changes settings"),
    (b"cl_upspeed", "changes settings"),
    // schema-once: a command of the console
    (b"color", "changes settings"),
    (b"condump", "writes a file"),
    (b"connect", "connects to another server"),
    (b"crash", "ends the game"),
    (b"crosshair", "changes settings"),
    // schema-once: a command of the console
    (b"disconnect", "leaves the game"),
    (b"error", "ends the game"),
    (b"exec", "runs a file"),
    // schema-once: a command of the console
    (b"fov", "changes settings"),
    (b"gamma", "changes settings"),
    (b"host_framerate", "changes settings"),
    (b"kill", "kills the player"),
    (b"load", "starts another game"),
    (b"map", "starts another game"),
    // schema-once: a command of the console
    (b"name", "changes settings"),
    (b"password", "changes settings"),
    (b"playdemo", "starts another game"),
    (b"quit", "ends the game"),
    (b"r_fullbright", "changes settings"),
    (b"rate", "changes settings"),
    (b"rcon", "controls another server"),
    (b"rcon_password", "changes settings"),
    (b"record", "writes a file"),
    // schema-once: a command of the console
    (b"save", "writes a file"),
    (b"say", "speaks for the player"),
    (b"say_team", "speaks for the player"),
    (b"screenshot", "writes a file"),
    (b"sensitivity", "changes settings"),
    (b"set", "changes settings"),
    (b"seta", "changes settings"),
    (b"setenv", "changes settings"),
    (b"sets", "changes settings"),
    (b"setu", "changes settings"),
    // schema-once: a command of the console
    (b"skin", "changes settings"),
    (b"startdemos", "starts another game"),
    (b"stop", "ends a recording"),
    (b"timedemo", "starts another game"),
    (b"unbind", "changes keys"),
    (b"unbindall", "changes keys"),
    (b"vid_mode", "changes settings"),
    (b"viewsize", "changes settings"),
    (b"volume", "changes settings"),
    (b"writeconfig", "writes a file"),
];

/// What servers sent for the console so far: engines put pieces together before they run them.
#[derive(Debug, Default)]
pub(crate) struct Commands {
    /// The command that is open, and the block of its last piece.
    open: Vec<u8>,
    block: u64,
}

/// How much of an open command is kept: more fits in no engine's line.
const LONGEST: usize = 1024;

impl Commands {
    /// Why this text should not be run, by itself or behind the pieces before it, which are of this or the last block.
    pub(crate) fn danger(&mut self, text: &[u8], block: u64) -> Option<Said> {
        if self.block.saturating_add(1) < block || self.open.len() > LONGEST {
            self.open.clear();
        }
        self.block = block;
        let whole = (!self.open.is_empty()).then(|| [&self.open, text].concat());
        match text.rsplit(|byte| *byte == b'\n').next() {
            Some(rest) if rest.len() == text.len() => self.open.extend_from_slice(text),
            rest => self.open = rest.unwrap_or_default().to_vec(),
        }
        danger(text).or_else(|| danger(&whole?))
    }
}

/// Why a command should not be run, where it should not. Several may stand in one, behind `;` and line breaks: all
/// that they do is said.
fn danger(text: &[u8]) -> Option<Said> {
    let mut dangers: Vec<&str> = Vec::new();
    for danger in commands(text).filter_map(|one| {
        // What is sent on to the server is done there, in the player's name.
        let word = if one.name().eq_ignore_ascii_case(b"cmd") { one.inner().name() } else { one.name() };
        DANGERS.iter().find(|row| row.0.eq_ignore_ascii_case(word)).map(|row| row.1)
    }) {
        if !dangers.contains(&danger) {
            dangers.push(danger);
        }
    }
    (!dangers.is_empty()).then(|| Said::new(dangers.join(", ").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangers_in_pieces_are_found() {
        let mut commands = Commands::default();
        let mut danger = |text: &[u8], block| commands.danger(text, block).map(|it| it.text().to_owned());
        assert_eq!(danger(b"q", 5), None);
        assert_eq!(danger(b"u", 5), None);
        assert_eq!(danger(b"it\n", 6).as_deref(), Some("ends the game"));
        assert_eq!(danger(b"echo q", 7), None);
        assert_eq!(danger(b"uit\nbi", 7), None);
        assert_eq!(danger(b"nd x y\n", 8).as_deref(), Some("changes keys"));
        // An engine has run the piece long before; and what is dangerous by itself is so behind anything.
        assert_eq!(danger(b"q", 10), None);
        assert_eq!(danger(b"uit\n", 12), None);
        assert_eq!(danger(b"echo ", 20), None);
        assert_eq!(danger(b"quit\n", 20).as_deref(), Some("ends the game"));
        // A line break closes what is quoted.
        assert_eq!(danger(b"echo \"a\nbf;quit\n", 30).as_deref(), Some("ends the game"));
    }

    #[test]
    fn dangers_are_found_behind_others() {
        let danger = |command: &[u8]| danger(command).map(|it| it.text().to_owned());
        assert_eq!(danger(b"bf\n"), None);
        assert_eq!(danger(b"v_cshift 0 0 0 0; Bind x quit\n").as_deref(), Some("changes keys"));
        assert_eq!(danger(b"echo \"a; quit\"\nreconnect\n"), None);
        assert_eq!(danger(b"echo a\nquit").as_deref(), Some("ends the game"));
        for (command, what) in [
            (&b"\"quit\"\n"[..], "ends the game"),
            (b" \x01\"BIND\" x \"say hi\"", "changes keys"),
            (b"bind\"x\" y", "changes keys"),
            (b"cmd say x", "speaks for the player"),
            (b"disconnect\n", "leaves the game"),
            (b"map e1m1", "starts another game"),
            (b"cl_backspeed 9999", "changes settings"),
        ] {
            assert_eq!(danger(command).as_deref(), Some(what), "{}", command.escape_ascii());
        }
        assert_eq!(danger(b"cmd pext\n"), None);
        assert_eq!(danger(b"\"\"\n\"echo\" quit"), None);
        let both = danger(b"connect 1.2.3.4\nbind x quit\nbind y quit\n");
        assert_eq!(both.as_deref(), Some("connects to another server, changes keys"));
    }
}
