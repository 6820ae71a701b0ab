//! Promise 1 on arbitrary bytes: what is read and written again is the same, as a file and as a block.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| moviola_fuzz::read_write(bytes));
