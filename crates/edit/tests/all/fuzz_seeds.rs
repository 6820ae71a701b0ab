//! The seeds of the fuzz target, replayed without a fuzzer.

use std::fs;
use std::path::Path;

#[path = "../../../../fuzz/src/edit.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod edit;

#[test]
fn seeds_and_regressions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut replayed = 0;
    for folder in ["seeds", "regressions"] {
        let Ok(files) = fs::read_dir(root.join(folder).join("edit_identity")) else { continue };
        for file in files {
            edit::edit_identity(&fs::read(file.unwrap().path()).unwrap());
            replayed += 1;
        }
    }
    assert!(replayed >= 5, "only {replayed} seeds");
}
