//! For any scene and any game files, there is a picture.
#![no_main]

#[path = "../src/render.rs"]
mod render;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| render::render(bytes));
