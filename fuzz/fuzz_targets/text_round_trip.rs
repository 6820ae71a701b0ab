//! The text of any bytes as a recording compiles to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../src/text.rs"]
#[allow(dead_code, reason = "other targets call the rest")]
mod text;

fuzz_target!(|bytes: &[u8]| text::text_round_trip(bytes));
