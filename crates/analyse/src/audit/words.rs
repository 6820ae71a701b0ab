//! What the game says when it is cheated, and the commands that do it.

use super::findings::Code;
use moviola_format::commands;

/// Lines that the engine prints for one player, each a print of its own. A chat line has a name before it.
const LINES: [(&[u8], Code); 8] = [
    (b"godmode ON", Code::GodSaid),
    (b"godmode OFF", Code::GodSaid),
    (b"noclip ON", Code::NoclipSaid),
    (b"noclip OFF", Code::NoclipSaid),
    (b"flymode ON", Code::FlySaid),
    (b"flymode OFF", Code::FlySaid),
    (b"notarget ON", Code::NotargetSaid),
    (b"notarget OFF", Code::NotargetSaid),
];

/// Lines that id's game code, the mission packs and their kin print.
const CHEATS: [&[u8]; 3] = [b"quad cheat", b"wetsuit cheat", b"empathy shields cheat"];

/// What a line of the console gives away.
pub(crate) fn line(text: &[u8]) -> Option<Code> {
    let text = text.trim_ascii();
    let said = LINES.iter().find(|(line, _)| *line == text).map(|(_, code)| *code);
    said.or_else(|| CHEATS.iter().any(|line| line.eq_ignore_ascii_case(text)).then_some(Code::CheatSaid))
}

/// Commands that cheat. `kill` and `changelevel` are no cheats; `impulse` has its numbers below.
const COMMANDS: [&[u8]; 6] = [b"god", b"noclip", b"fly", b"notarget", b"give", b"setpos"];

/// Whether one of these commands of a console cheats.
pub(crate) fn command(text: &[u8]) -> bool {
    commands(text).any(|it| {
        COMMANDS.iter().any(|cheat| cheat.eq_ignore_ascii_case(it.name()))
            || it.name().eq_ignore_ascii_case(b"impulse") && matches!(it.inner().name(), b"9" | b"255")
    })
}

/// The text of a command in a block that a client sent, if it begins with one.
pub(crate) fn sent(block: &[u8]) -> Option<&[u8]> {
    /// What a client's message with a command begins with; the tables hold only what servers send.
    const STRING_COMMAND: u8 = 4;
    let text = block.strip_prefix(&[STRING_COMMAND])?;
    text.split(|byte| *byte == 0).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_chat() {
        assert_eq!(line(b"godmode ON\n"), Some(Code::GodSaid));
        assert_eq!(line(b"Quad Cheat\n"), Some(Code::CheatSaid));
        assert_eq!(line(b"\x01player: godmode ON\n"), None);
        assert_eq!(line(b"He said godmode ON\n"), None);
    }

    #[test]
    fn commands_are_whole_words() {
        assert!(command(b"god\n") && command(b"wait; give h 100") && command(b"impulse 9"));
        assert!(!command(b"godspeed") && !command(b"impulse 7") && !command(b"say god") && !command(b"bf\n"));
        assert_eq!(sent(b"\x04god\0"), Some(&b"god"[..]));
        assert_eq!(sent(b"\x03xyz"), None);
    }
}
