//! An independent writer of recordings, made from the format documents alone.
//!
//! The real reader and this writer were written independently from the same facts, so results on which they
//! agree are probably right. Nothing here reads: every [`Sample`] contains the expected results of a reader,
//! which the writer counted while writing.
//!
//! * [`samples`] gives small but complete recordings of every kind, undamaged and damaged.
//! * [`dem_messages`] and [`dm2_messages`] give one encoded example (or a few) of every message.
//! * [`mvd2_match`] gives a recording of all players by Q2PRO, [`q2pro_samples`] gives those with its extended limits.
//! * [`dem`] and [`dm2`] hold one function per message, for tests that want a message of their own.
//!
//! Sources are named as D2 (DEM document 1.0.9), M2 (DM2 document 1.0.4), "errata" (the list of mistakes in
//! both) and "wire" (the fact sheet of wire formats); the number after it is the section, for the errata section and row.

#![forbid(unsafe_code)]

pub mod dem;
pub mod dm2;
mod mvd2;
mod sample;
mod tape;
mod wire;

pub use dem::{Variant, dem_messages};
pub use dm2::{dm2_messages, q2pro_samples};
pub use mvd2::{MVD2_MESSAGES, MVD2_VERSIONS, mvd2_match};
pub use sample::{End, Game, Sample};
pub use tape::Tape;
pub use wire::{Angle, Coord, Message, Wire};

/// Every sample recording, DEM first, each under a name of its own.
pub fn samples() -> Vec<Sample> {
    let mut all = dem::samples();
    all.extend(dm2::samples());
    all
}

#[cfg(test)]
mod tests;
