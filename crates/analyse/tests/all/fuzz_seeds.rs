//! The seeds of the fuzz target `events`, its earlier failures, and real recordings with changed bytes,
//! without a fuzzer.

#[path = "../../../../fuzz/src/events.rs"]
#[allow(unreachable_pub, missing_docs, reason = "there it is a library")]
mod target;

use crate::files::Dice;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn seeds_and_regressions() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let seeds = files(&fuzz.join("seeds/events"));
    assert!(seeds.len() >= 10, "{} seeds", seeds.len());
    for path in seeds.iter().chain(&files(&fuzz.join("regressions/events"))) {
        println!("{}", path.display());
        target::events(&fs::read(path).unwrap());
    }
}

#[test]
fn damaged_recordings() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut dice = Dice(11);
    for path in
        files(&samples).iter().filter(|path| path.extension().is_some_and(|it| it == "dem" || it == "dm2"))
    {
        let whole = fs::read(path).unwrap();
        for _ in 0..20 {
            let mut bytes = [&[2][..], &whole].concat();
            for _ in 0..=dice.below(60) {
                let at = 1 + dice.below(bytes.len() - 1);
                bytes[at] = dice.below(256) as u8;
            }
            bytes.truncate(1 + dice.below(bytes.len()).max(bytes.len() / 2));
            target::events(&bytes);
        }
    }
}

#[test]
fn noise() {
    let mut dice = Dice(5);
    for _ in 0..2000 {
        let length = dice.below(700);
        let bytes: Vec<u8> = (0..length).map(|_| dice.below(256) as u8).collect();
        target::events(&bytes);
    }
}
