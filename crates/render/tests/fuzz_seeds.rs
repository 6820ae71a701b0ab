//! Replays the seeds of the fuzz target without a fuzzer; and writes them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../../fuzz/src/render.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod fuzzed;
#[allow(dead_code, reason = "the tests of the files' readers use the rest")]
#[path = "../../assets/tests/common/made.rs"]
mod made;

use std::fs;
use std::path::{Path, PathBuf};

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind).join("render")
}

fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (name, file) in [("level", made::square()), ("model", made::mdl()), ("nothing", Vec::new())] {
        for (turn, special) in [(1u32, 0u8), (3, 0xFE), (7, 0xFF)] {
            let mut start: Vec<u8> = (0..160u32).map(|at| (at * turn * 37 % 61) as u8).collect();
            if special != 0 {
                start.iter_mut().skip(9).step_by(13).for_each(|byte| *byte = special);
            }
            // A view of 40 by 30 pixels.
            start.splice(..5, [turn as u8 >> 1, 0, 40, 30, 1]);
            start.extend(&file);
            seeds.push((format!("{name}_{turn}"), start));
        }
    }
    seeds
}

#[test]
fn seeds_and_regressions() {
    let mut replayed = 0;
    for kind in ["seeds", "regressions"] {
        for file in fs::read_dir(folder(kind)).into_iter().flatten() {
            fuzzed::render(&fs::read(file.unwrap().path()).unwrap());
            replayed += 1;
        }
    }
    assert!(replayed >= 5, "only {replayed} seeds");
}

#[test]
#[ignore = "writes the seeds"]
fn write_seeds() {
    fs::create_dir_all(folder("seeds")).unwrap();
    for (name, bytes) in seeds() {
        fs::write(folder("seeds").join(name), bytes).unwrap();
    }
}
