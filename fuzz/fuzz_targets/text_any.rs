//! Any text gives a recording or mistakes, never a panic; a resulting recording survives the conversion to text and
//! back.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../src/text.rs"]
#[allow(dead_code, reason = "other targets call the rest")]
mod text;

fuzz_target!(|bytes: &[u8]| text::text_any(bytes));
