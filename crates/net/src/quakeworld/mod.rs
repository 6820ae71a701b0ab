//! QuakeWorld: its packets have Quake II's heads, but its messages and recordings are its own.

mod tape;

pub use tape::QwdTape;
pub(crate) use tape::map_of;
