//! Any bytes as a seek index, and the index of any bytes.
#![no_main]

#[path = "../src/seek.rs"]
mod seek;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| seek::seek(bytes));
