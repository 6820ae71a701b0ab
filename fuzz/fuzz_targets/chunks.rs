//! A file gives the same pieces, whatever the sizes of the reads are.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| moviola_fuzz::chunks(bytes));
