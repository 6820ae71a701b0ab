//! Arbitrary bytes, as a file and as a block: reading and writing them gives the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| moviola_fuzz::read_write(bytes));
