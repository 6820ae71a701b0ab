//! The kinds of value: one impl each.

mod entity2;
mod frame2;
mod items;
mod number;
mod player2;
mod protocol;
mod quake;
mod quake2;
mod space;
mod stride2;
mod string;
mod temp;

pub use entity2::*;
pub use frame2::*;
pub use items::*;
pub use number::*;
pub use player2::*;
pub use protocol::*;
pub use quake::*;
pub use quake2::*;
pub use space::*;
pub use string::*;
pub use temp::*;
