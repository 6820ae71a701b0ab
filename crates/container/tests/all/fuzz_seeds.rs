//! The fuzz target's seeds, whole and cut off, without a fuzzer.

#[path = "../../../../fuzz/src/containers.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod containers;

use std::fs;
use std::path::Path;

#[test]
fn seeds_hold() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/containers");
    let seeds: Vec<_> =
        fs::read_dir(seeds).unwrap().map(|seed| fs::read(seed.unwrap().path()).unwrap()).collect();
    assert!(seeds.len() > 10);
    for seed in &seeds {
        containers::containers(seed);
        (0..seed.len()).step_by(7).for_each(|length| containers::containers(&seed[..length]));
    }
}
