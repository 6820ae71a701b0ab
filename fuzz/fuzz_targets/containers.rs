//! Promise 2 on containers: whatever a file claims, it costs little, and a stream gives the same.
#![no_main]

#[path = "../src/containers.rs"]
mod containers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| containers::containers(bytes));
