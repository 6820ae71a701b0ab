//! Any bytes as a track of music: Ogg Vorbis or FLAC.
#![no_main]

#[path = "../src/music.rs"]
mod music;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| music::music(bytes));
