//! Promise 1 on arbitrary bytes, through text: every recording, however odd, comes back byte by byte.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../src/text.rs"]
#[allow(dead_code, reason = "other targets call the rest")]
mod text;

fuzz_target!(|bytes: &[u8]| text::text_round_trip(bytes));
