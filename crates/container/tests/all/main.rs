//! The tests of archives, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what fails in a test or its helper fails the test"
)]

#[path = "../build/mod.rs"]
mod build;
#[path = "../../../format/tests/common/corpus.rs"]
mod folder;

mod corpus;
mod fuzz_seeds;
mod hostile;
mod nested;
mod salvage;
mod version_one;
