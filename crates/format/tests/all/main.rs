//! The tests of reading and writing, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "what fails in a test or its helper fails the test"
)]

#[path = "../common/mod.rs"]
mod common;

mod cd_header;
mod chunks;
mod corpus;
mod entropy;
mod fuzz_regressions;
mod mvd2;
mod one_definition;
mod prefixes;
mod quakeworld;
mod samples;
mod samples_folder;
mod sizes;
mod sniffing;
mod swift;
mod traps;
mod traps_files;
mod traps_foreign;
mod traps_quake;
mod traps_quake2;
