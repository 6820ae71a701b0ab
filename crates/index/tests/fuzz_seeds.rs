//! The fuzz target's seeds, without a fuzzer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail")]

#[path = "../../../fuzz/src/seek.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod seek;

use std::fs;
use std::path::Path;

#[test]
fn seeds_hold() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/seek");
    let seeds: Vec<_> =
        fs::read_dir(seeds).unwrap().map(|seed| fs::read(seed.unwrap().path()).unwrap()).collect();
    assert!(seeds.iter().any(|seed| moviola_index::Index::read(seed).is_ok()));
    for seed in &seeds {
        seek::seek(seed);
        // A file that is cut off does not crash either.
        (0..seed.len()).step_by(7).for_each(|length| seek::seek(&seed[..length]));
    }
}
