//! The messages with which a server of Quake II or `QuakeWorld` sends its clients to the next level.

use moviola_format::{Str, dm2};

/// Whether a message of Quake II makes the client leave for the next level, which fails in a playback, since
/// it has no server.
pub(crate) fn takes_away(message: &dm2::Message<'_>) -> bool {
    match message {
        dm2::Message::StuffText(it) => leaves_level(it.string),
        dm2::Message::Reconnect(_) => true,
        _ => false,
    }
}

/// Whether console commands end a level, and do nothing else: a server of `QuakeWorld` sends both in one text.
pub(crate) fn leaves_level(string: Str<'_>) -> bool {
    let lines = string.bytes().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut commands = lines.filter(|line| !line.is_empty()).peekable();
    commands.peek().is_some() && commands.all(|command| COMMANDS.contains(&command))
}

/// The commands that a server of Quake II or `QuakeWorld` sends to its clients at a change of level. Quake's servers send
/// `reconnect` too, but playback needs it there: without it the stages of the next level's sign-on do not
/// start again at the first one.
// not from SCHEMA: console commands; one has the name of a message.
const COMMANDS: [&[u8]; 2] = [b"reconnect", b"changing"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_end_a_level_are_recognized() {
        let leaves = |text: &'static [u8]| leaves_level(Str::new(text));
        assert!([&b"changing\n\0"[..], b"reconnect\0", b"changing\nreconnect\n\0"].into_iter().all(leaves));
        assert!(![&b"\0"[..], b"\n\0", b"bf\nreconnect\n\0", b"say reconnect\0"].into_iter().any(leaves));
    }
}
