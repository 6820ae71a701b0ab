//! The messages with which a server of Quake II sends its clients to the next level.

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

/// Whether a console command ends a level.
pub(crate) fn leaves_level(string: Str<'_>) -> bool {
    COMMANDS.contains(&string.bytes().trim_ascii())
}

/// The commands that a server of Quake II sends to its clients at a change of level. Quake's servers send
/// `reconnect` too, but playback needs it there: without it the stages of the next level's sign-on do not
/// start again at the first one.
// schema-once: console commands; one has the name of a message.
const COMMANDS: [&[u8]; 2] = [b"reconnect", b"changing"];
