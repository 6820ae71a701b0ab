//! Placeholder until the first real commit of this room.

pub mod names;
