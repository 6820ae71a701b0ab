//! Input recordings: the text of any bytes compiles to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../src/input.rs"]
mod target;

fuzz_target!(|bytes: &[u8]| target::input(bytes));
