//! Whatever a file of a game claims, its reader ends and stays small.
#![no_main]

#[path = "../src/assets.rs"]
mod assets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| assets::assets(bytes));
