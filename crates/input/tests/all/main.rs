//! The tests of files that are read, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what fails in a test or its helper fails the test"
)]

mod changed;
mod corpus;
mod exact;
mod fuzz_seeds;
mod manual;
