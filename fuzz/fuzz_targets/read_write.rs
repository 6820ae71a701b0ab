//! Promise 1 on arbitrary bytes: what is read and written again is the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moviola_format as _;

fuzz_target!(|recording: &[u8]| {
    // Nothing to read with yet.
    let _ = recording;
});
