//! Containers: whatever a file claims, reading it costs little, and reading it as a stream gives the same.
#![no_main]

#[path = "../src/containers.rs"]
mod containers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| containers::containers(bytes));
