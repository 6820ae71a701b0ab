//! Any bytes as the datagrams of a game that is recorded, and of one that watches.
#![no_main]

#[path = "../src/datagrams.rs"]
mod datagrams;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| datagrams::datagrams(bytes));
