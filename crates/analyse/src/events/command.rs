//! Events for the commands that a server sends to the client's console, with the dangers in them.

use crate::{EventKind, GameText};
use moviola_format::{Danger, OpenCommand};

/// The event of a command; `open` has the pieces of it that were sent before.
pub(crate) fn command(open: &mut OpenCommand, text: &[u8], block: u64) -> EventKind {
    let dangers: Vec<&str> = open.dangers(text, block).into_iter().map(Danger::words).collect();
    let danger = (!dangers.is_empty()).then(|| GameText::new(dangers.join(", ").as_bytes()));
    EventKind::Command { text: GameText::new(text), danger }
}
