//! For any recording, each moment has a scene.
#![no_main]

#[path = "../src/scene.rs"]
mod scene;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| scene::scene(bytes));
