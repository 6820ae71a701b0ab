//! Archives by Dzip 2.9 and 3.2, if they are available: every file is unpacked to its original.

use moviola_container::{Walk, WalkOptions};
use std::fs::{self, File};
use std::io::Read;

use crate::folder::corpus;

/// The archives, each with its files and their originals.
const ARCHIVES: [(&str, &[(&str, &str)]); 4] = [
    ("v29_speedrun.dz", &SPEEDRUN),
    ("v32_speedrun.dz", &SPEEDRUN),
    (
        "v29_mixed.dz",
        &[
            ("qs_666_lq_e0m9.dem", "ours/qs_666_lq_e0m9.dem"),
            ("quake1.07_COOP1.dem", "ours/quake1.07_COOP1.dem"),
            ("yq_sp.dm2", "ours/yq_sp.dm2"),
        ],
    ),
    (
        "v32_mixed.dz",
        &[
            ("qs_666_lq_e0m9.dem", "ours/qs_666_lq_e0m9.dem"),
            ("qs_999_lq_e0m9.dem", "ours/qs_999_lq_e0m9.dem"),
            ("quake1.07_COOP1.dem", "ours/quake1.07_COOP1.dem"),
            ("dp2018_NEHAHRAMOVIE.dem", "ours/dp2018_NEHAHRAMOVIE.dem"),
            ("yq_sp.dm2", "ours/yq_sp.dm2"),
        ],
    ),
];

const SPEEDRUN: [(&str, &str); 2] =
    [("e1m1_042.dem", "ours/quake1.06_SP1.dem"), ("e1m1_042.txt", "dz/e1m1_042.txt")];

#[test]
fn every_file_comes_back() {
    let Some(corpus) = corpus() else { return };
    for (archive, files) in ARCHIVES {
        let walk = Walk::new(File::open(corpus.join("dz").join(archive)).unwrap(), WalkOptions::default());
        let mut seen = Vec::new();
        for file in walk.unwrap() {
            let mut file = file.unwrap();
            let (name, was) = files.iter().find(|(name, _)| *name == file.path()).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap_or_else(|error| panic!("{archive}:{name}: {error}"));
            assert!(bytes == fs::read(corpus.join(was)).unwrap(), "{archive}:{name}");
            assert_eq!(file.claimed_size(), Some(bytes.len() as u64));
            seen.push(*name);
        }
        assert_eq!(seen.len(), files.len(), "{archive}: {seen:?}");
    }
}

#[test]
fn how_much_is_read_at_a_time_is_all_the_same() {
    let Some(corpus) = corpus() else { return };
    let original = fs::read(corpus.join("ours/quake1.07_COOP1.dem")).unwrap();
    for step in [1, 7, 4096, 1 << 20] {
        let archive = File::open(corpus.join("dz/v32_mixed.dz")).unwrap();
        let mut walk = Walk::new(archive, WalkOptions::default()).unwrap().only("quake1.07_COOP1.dem");
        let (mut file, mut buffer, mut at) = (walk.next().unwrap().unwrap(), vec![0; step], 0);
        assert!(walk.next().is_none());
        loop {
            let got = file.read(&mut buffer).unwrap();
            if got == 0 {
                break;
            }
            assert_eq!(buffer[..got], original[at..at + got]);
            at += got;
        }
        assert_eq!(at, original.len());
    }
}
