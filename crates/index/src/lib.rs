//! A seek index: the places of a recording's levels and events, and of the blocks where playback can begin.
//!
//! `docs/seek-index.md` is its specification.
//!
//! ```
//! use moviola_index::Index;
//! // A level, and two moments of it.
//! let file = b"-1\n\x1f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0\x01\
//!     \x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
//! let index = Index::of(&file[..]).unwrap().unwrap();
//! let mut bytes = Vec::new();
//! index.write(&mut bytes).unwrap();
//! let index = Index::read(&bytes).unwrap();
//!
//! // The last moment up to 1.5 seconds of the first level.
//! let stop = index.seek(1, 1.5).unwrap();
//! assert_eq!((stop.block, stop.offset), (1, 50));
//! assert_eq!(index.levels[0].name, "hall");
//! ```
#![forbid(unsafe_code)]

mod layout;
mod make;

pub use layout::{Index, IndexedEvent, IndexedLevel, NoIndex, WholeBlock};
