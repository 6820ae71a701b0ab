//! Commands that a server sends for the client's console, and which of them a stranger's recording should not run.

use crate::Said;

/// What a command can do that its reader may not want, by its first word.
const DANGERS: &[(&[u8], &str)] = &[
    (b"alias", "redefines commands"),
    (b"bind", "changes keys"),
    (b"connect", "connects to another server"),
    (b"crash", "ends the game"),
    (b"error", "ends the game"),
    (b"exec", "runs a file"),
    // schema-once: a command of the console
    (b"fov", "changes settings"),
    (b"kill", "kills the player"),
    // schema-once: a command of the console
    (b"name", "changes settings"),
    (b"password", "changes settings"),
    (b"quit", "ends the game"),
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
    (b"unbind", "changes keys"),
    (b"unbindall", "changes keys"),
    (b"writeconfig", "writes a file"),
];

/// Why a command should not be run, where it should not. Several may stand in one, behind `;` and line breaks: all
/// that they do is said.
pub(crate) fn danger(command: &[u8]) -> Option<Said> {
    let mut quoted = false;
    let single = command.split(move |byte| {
        quoted ^= *byte == b'"';
        *byte == b'\n' || *byte == b';' && !quoted
    });
    let mut dangers: Vec<&str> = Vec::new();
    for danger in single.filter_map(|one| {
        let word = one.trim_ascii_start();
        let end = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        let word = word.get(..end)?;
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
    fn dangers_are_found_behind_others() {
        let danger = |command: &[u8]| danger(command).map(|it| it.text().to_owned());
        assert_eq!(danger(b"bf\n"), None);
        assert_eq!(danger(b"v_cshift 0 0 0 0; Bind x quit\n").as_deref(), Some("changes keys"));
        assert_eq!(danger(b"echo \"a; quit\"\nreconnect\n"), None);
        assert_eq!(danger(b"echo a\nquit").as_deref(), Some("ends the game"));
        let both = danger(b"connect 1.2.3.4\nbind x quit\nbind y quit\n");
        assert_eq!(both.as_deref(), Some("connects to another server, changes keys"));
    }
}
