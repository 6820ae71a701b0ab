//! The tests of findings and verdicts, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what fails in a test or its helper fails the test"
)]

#[path = "../cut/mod.rs"]
mod cut;
#[path = "../../../format/tests/common/corpus.rs"]
mod folder;

mod corpus;
mod dialects;
mod difference;
mod quakeworld;
mod samples;
mod verdicts;
