//! What a level's announcement settles, for each game: which widths and which extensions its messages have from then on.

mod quake;
mod quake2;

pub(crate) use quake::spoken;
pub(crate) mod quakeworld;
