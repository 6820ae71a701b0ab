//! The meaning of a recording's messages: the world after each block, as an engine's client would hold it.
//!
//! A world is stepped message by message ([`World::apply`]) or block by block ([`Playhead::step`]). It is cheap to
//! step, cheap to copy (tables are shared between copies) and has two hashes: one of all its state
//! ([`World::state_hash`]), and one of the picture and sound of a person at the screen
//! ([`World::view_hash`]). This crate reads messages, not bytes, and draws no conclusions: events are for the
//! crates above.
//!
//! ```
//! use moviola_state::{Playhead, quake};
//! use moviola_format::Block;
//! let mut head = Playhead::<quake::World>::new();
//! head.step(&Block::new(b"\x07\0\0\x80\x3f\x03\x0e\x05\0\0\0\x1b"));
//! assert_eq!(head.world.clock.now.value(), 1.0);
//! assert_eq!(head.world.stats.get(quake::Stat::Monsters), 6);
//! ```
#![forbid(unsafe_code)]

mod hash;
mod pages;
mod playhead;
pub mod quake;
pub mod quake2;
pub mod quakeworld;
mod text;

pub use hash::Hash64;
pub use playhead::{Playhead, World};
pub use text::{Strings, Text};
