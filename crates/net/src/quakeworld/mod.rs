//! QuakeWorld's packets have Quake II's heads; the messages and the recordings are its own.

mod tape;

pub use tape::QwdTape;
