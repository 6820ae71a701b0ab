//! The tests of events and reports, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may fail, and compares floats that have to be the very same"
)]

mod deaths;
mod events_made;
mod fuzz_seeds;
mod levels;
mod pinned;
mod quakeworld;

#[path = "../../../state/tests/common/mod.rs"]
mod files;
#[path = "../../../state/tests/reference/mod.rs"]
mod reference;
