//! The fuzz target's seeds, and noise, replayed without a fuzzer.

#[path = "../../../../fuzz/src/audit.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod target;

use std::fs;
use std::path::Path;

#[test]
fn seeds() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut replayed = 0;
    for kind in ["seeds", "regressions"] {
        let Ok(folder) = fs::read_dir(fuzz.join(kind).join("audit")) else { continue };
        for seed in folder.flatten() {
            target::audit(&fs::read(seed.path()).expect("a seed"));
            replayed += 1;
        }
    }
    assert!(replayed >= 8, "only {replayed}");
}

#[test]
fn noise() {
    let mut state = 7u64;
    for length in (0..4000).step_by(13) {
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        target::audit(&bytes);
    }
}
