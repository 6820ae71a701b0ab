//! Messages made of entropy are read from the block that they are written as.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| moviola_fuzz::structured(bytes));
