//! For any bytes as a game file, the reader ends and uses little memory.
#![no_main]

#[path = "../src/assets.rs"]
mod assets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| assets::assets(bytes));
