//! Promise 1 for recordings of input: whatever the bytes are, their text gives them again.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../src/input.rs"]
mod target;

fuzz_target!(|bytes: &[u8]| target::input(bytes));
