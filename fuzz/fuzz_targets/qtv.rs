//! Any bytes as the two sides of a QTV connection.
#![no_main]

#[path = "../src/qtv.rs"]
mod qtv;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| qtv::qtv(bytes));
