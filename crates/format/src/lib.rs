//! Placeholder
#![forbid(unsafe_code)]
mod context;
pub mod dem;
mod demo;
pub mod dm2;
mod header;
mod kinds;
mod messages;
pub mod names;
mod normals;
mod scalar;
mod sniff;
mod table;
mod trace;
mod wire;

pub use context::*;
pub use dem::Quake;
pub use demo::*;
pub use dm2::Quake2;
pub use header::*;
pub use kinds::*;
pub use messages::*;
pub use names::Meaning;
pub use scalar::*;
pub use sniff::*;
pub use table::*;
pub use trace::*;
pub use wire::*;
