//! The tests of scenes, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what fails in a test or its helper fails the test"
)]

#[path = "../../../format/tests/common/corpus.rs"]
mod corpus;

mod effects_page;
mod fuzz_seeds;
mod moments;
mod mvd2;
mod packs;
mod quakeworld;
mod scores;
mod sights;
