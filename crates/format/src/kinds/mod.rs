//! The kinds of value: one impl each.

mod number;
mod quake;
mod quake2;
mod space;
mod string;
mod temp;

pub use number::*;
pub use quake::*;
pub use quake2::*;
pub use space::*;
pub use string::*;
pub use temp::*;
