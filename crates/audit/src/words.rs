//! The lines that engines and game code print about cheats, and the commands for cheats.
//!
//! Engines print such a line alone: one message, the whole line, its line break (`SV_ClientPrintf`,
//! `Host_God_f`). Game code prints lines in pieces, and a piece may be a player's name, which can be "noclip
//! ON" or even contain a line break. So the print before must have ended its line, and the print after must
//! not continue it.

use super::book::{FindingList, Proof};
use super::findings::AuditCode;
use moviola_analyse::AuditSeverity;
use moviola_format::commands;
use moviola_format::names::{PrintMark, engine};

/// Lines that the engine prints for one player.
const LINES: [(&[u8], AuditCode); 8] = [
    (b"godmode ON", AuditCode::GodSaid),
    (b"godmode OFF", AuditCode::GodSaid),
    (b"noclip ON", AuditCode::NoclipSaid),
    (b"noclip OFF", AuditCode::NoclipSaid),
    (b"flymode ON", AuditCode::FlySaid),
    (b"flymode OFF", AuditCode::FlySaid),
    (b"notarget ON", AuditCode::NotargetSaid),
    (b"notarget OFF", AuditCode::NotargetSaid),
];

/// Lines that id's game code, the mission packs and similar games print.
const CHEATS: [&[u8]; 3] = [b"quad cheat", b"wetsuit cheat", b"empathy shields cheat"];

/// The cheat that a print shows, if it is one whole line with its line break.
pub(crate) fn line(print: &[u8]) -> Option<AuditCode> {
    let line = print.strip_suffix(b"\n")?;
    let known = LINES.iter().find(|(its, _)| *its == line).map(|(_, code)| *code);
    known.or_else(|| CHEATS.iter().any(|its| its.eq_ignore_ascii_case(line)).then_some(AuditCode::CheatSaid))
}

/// Finds the prints of Quake that show a cheat. Only a print that begins a line and ends it counts.
#[derive(Debug, Default)]
pub(crate) struct Console {
    /// Whether the last print did not end its line.
    is_open: bool,
    /// A print that counts unless the next one continues it.
    pending: Option<(AuditCode, AuditSeverity, Proof)>,
}

impl Console {
    /// Takes a print, with the names of the players at that moment. The finding is a note if a name equals
    /// the line, since game code may have printed the name.
    pub(crate) fn print<'n>(
        &mut self,
        text: &[u8],
        names: impl Iterator<Item = &'n [u8]>,
        proof: impl FnOnce() -> Proof,
        book: &mut FindingList,
    ) {
        // After a name in a print of its own, game code continues the line: " was nailed by ", "'s score", ": hello".
        if text.first().is_some_and(|byte| matches!(byte, b' ' | b'\'' | b':')) {
            self.pending = None;
        }
        self.flush(book);
        let begins = !self.is_open || PrintMark::split(text).0.is_some();
        if !text.is_empty() {
            // id's servers print their version without a line break at its end.
            self.is_open = !text.ends_with(b"\n") && engine(text).is_none();
        }
        if begins && let Some(code) = line(text) {
            let weight = if names_line(text, names) { AuditSeverity::Note } else { code.severity() };
            self.pending = Some((code, weight, proof()));
        }
    }

    /// Handles the end of a block: no print has continued the pending one.
    pub(crate) fn flush(&mut self, book: &mut FindingList) {
        if let Some((code, weight, proof)) = self.pending.take() {
            book.weigh(code, weight, || proof);
        }
    }
}

/// Whether one of these names equals the line, apart from colors.
pub(crate) fn names_line<'n>(text: &[u8], mut names: impl Iterator<Item = &'n [u8]>) -> bool {
    let plain = |bytes: &[u8]| -> Vec<u8> {
        bytes.trim_ascii().iter().map(|byte| (byte & 0x7F).to_ascii_lowercase()).collect()
    };
    let line = plain(text);
    names.any(|name| plain(name) == line)
}

/// The commands for cheats. `kill` and `changelevel` are not cheats; `impulse` has its numbers below.
const COMMANDS: [&[u8]; 6] = [b"god", b"noclip", b"fly", b"notarget", b"give", b"setpos"];

/// Whether one of these console commands is a cheat in every game.
pub(crate) fn command(text: &[u8]) -> bool {
    commands(text).any(|it| COMMANDS.iter().any(|cheat| cheat.eq_ignore_ascii_case(it.name())))
}

/// Whether one of these commands is a cheat in id's game code. In other game code its number may choose a weapon.
pub(crate) fn impulse(text: &[u8]) -> bool {
    commands(text)
        .any(|it| it.name().eq_ignore_ascii_case(b"impulse") && matches!(it.inner().name(), b"9" | b"255"))
}

/// The text of a command in a block that a client sent, if it begins with one.
pub(crate) fn sent(block: &[u8]) -> Option<&[u8]> {
    /// The id of a client's message with a command; the message tables have only messages of servers.
    const STRING_COMMAND: u8 = 4;
    let text = block.strip_prefix(&[STRING_COMMAND])?;
    text.split(|byte| *byte == 0).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_distinguished_from_chat() {
        assert_eq!(line(b"godmode ON\n"), Some(AuditCode::GodSaid));
        assert_eq!(line(b"Quad Cheat\n"), Some(AuditCode::CheatSaid));
        assert_eq!(line(b"\x01player: godmode ON\n"), None);
        assert_eq!(line(b"He said godmode ON\n"), None);
        assert_eq!(line(b"godmode ON"), None, "a piece of a line, as names are");
    }

    #[test]
    fn commands_are_whole_words() {
        assert!(command(b"god\n") && command(b"wait; give h 100") && impulse(b"impulse 9"));
        assert!(!command(b"godspeed") && !impulse(b"impulse 7") && !command(b"say god") && !command(b"bf\n"));
        assert_eq!(sent(b"\x04god\0"), Some(&b"god"[..]));
        assert_eq!(sent(b"\x03xyz"), None);
    }
}
