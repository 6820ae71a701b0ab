//! Replays the seeds of the fuzz target for music without a fuzzer.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../../fuzz/src/music.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod fuzzed;

use moviola_film::Music;
use std::fs;
use std::path::Path;

#[test]
fn seeds_and_regressions() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let (mut replayed, mut played) = (0, 0);
    for kind in ["seeds", "regressions"] {
        for file in fs::read_dir(fuzz.join(kind).join("music")).into_iter().flatten() {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            played += u32::from(Music::file("seed", bytes.clone()).is_ok());
            fuzzed::music(&bytes);
            replayed += 1;
        }
    }
    assert!(replayed >= 3 && played >= 2, "only {replayed} seeds, of which {played} can be played");
}
