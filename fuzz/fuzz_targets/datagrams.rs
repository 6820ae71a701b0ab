//! Any bytes as the datagrams of a recorded game and of a viewer's connection.
#![no_main]

#[path = "../src/datagrams.rs"]
mod datagrams;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| datagrams::datagrams(bytes));
