//! The rules of each game's protocols: how the message that announces a level sets the widths and extensions
//! of the messages after it.

mod quake;
mod quake2;

pub(crate) use quake::spoken;
pub(crate) mod quakeworld;
