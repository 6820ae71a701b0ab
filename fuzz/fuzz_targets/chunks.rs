//! A file gives the same pieces however it is sliced.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| moviola_fuzz::chunks(bytes));
