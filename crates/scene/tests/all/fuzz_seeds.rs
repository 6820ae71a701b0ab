//! Replays the fuzz target's seeds and its former failures.

#[path = "../../../../fuzz/src/scene.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod fuzzed;

use std::fs;
use std::path::Path;

#[test]
fn seeds_and_regressions() {
    let mut replayed = 0;
    for kind in ["seeds", "regressions"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind).join("scene");
        for file in fs::read_dir(folder).into_iter().flatten() {
            fuzzed::scene(&fs::read(file.unwrap().path()).unwrap());
            replayed += 1;
        }
    }
    assert!(replayed >= 2, "only {replayed} seeds");
}
