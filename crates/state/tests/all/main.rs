//! The tests of the worlds, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may fail, and compares floats that have to be the very same"
)]

mod agree_dem;
mod agree_dm2;
mod both_sides;
mod meaning;
mod meaning_quakeworld;
mod properties;
mod rules;

#[path = "../common/mod.rs"]
mod common;
#[path = "../reference/mod.rs"]
mod reference;
