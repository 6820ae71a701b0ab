//! The flags of Quake II's surfaces, as `TexInfo::flags` has them.

/// The sky is seen through it.
pub const SKY: u32 = 0x04;
/// It moves like water.
pub const WARP: u32 = 0x08;
/// A third of it is opaque.
pub const TRANS33: u32 = 0x10;
/// Two thirds of it are opaque.
pub const TRANS66: u32 = 0x20;
/// Its texture moves.
pub const FLOWING: u32 = 0x40;
/// It is not drawn.
pub const NODRAW: u32 = 0x80;
