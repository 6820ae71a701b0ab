//! Messages with which a server of Quake II sends its clients to the next level.

use moviola_format::{Str, dm2};

/// Whether a message of Quake II makes the player leave for the next level, on a server that a playback does not have.
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

/// Commands that a server of Quake II sends to its clients when the level changes. Quake has the second too, but there
/// the player needs it: it is what lets the next level's sign-on begin at its first number again.
// schema-once: console commands; one is called like a message.
const COMMANDS: [&[u8]; 2] = [b"reconnect", b"changing"];
