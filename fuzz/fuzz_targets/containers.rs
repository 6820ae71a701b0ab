//! Promise 2 on containers: whatever a file claims, it costs little, and a stream gives the same.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| moviola_fuzz::containers(bytes));
