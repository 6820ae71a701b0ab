//! Messages made from entropy are written as a block, from which the same messages are read.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| moviola_fuzz::structured(bytes));
