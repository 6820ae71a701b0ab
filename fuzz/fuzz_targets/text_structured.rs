//! The text of messages made from arbitrary bytes compiles to the same messages, alone and as a block.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../src/text.rs"]
#[allow(dead_code, reason = "other targets call the rest")]
mod text;

fuzz_target!(|bytes: &[u8]| text::text_structured(bytes));
