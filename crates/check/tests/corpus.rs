//! Real recordings, where they are at hand: all of them come back exactly.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use moviola_check::check;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

fn corpus() -> Vec<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/corpus"));
    let Some(root) = above.into_iter().find(|folder| folder.is_dir()) else { return Vec::new() };
    let folders = ["dem", "dm2", "ours", "lmpc-text", "dz"].map(|folder| root.join(folder));
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

/// What engines made of some of them: id-1.06, id-1.09, quakespasm, darkplaces; or id-q2-3.20, yamagi, q2pro.
const PLAYED: [(&str, [&str; 4]); 8] = [
    ("quake1.06_SP1.dem", ["yes"; 4]),
    ("quake1.07_SP1.dem", ["no", "yes", "yes", "yes"]),
    ("qs_15_changelevel.dem", ["yes"; 4]),
    ("qs_666_lq_e0m9.dem", ["no", "no", "yes", "no"]),
    ("qs_999_lq_e0m9.dem", ["no", "no", "yes", "no"]),
    ("yq_sp.dm2", ["yes", "yes", "yes", ""]),
    ("yq_srv.dm2", ["no", "no", "no", ""]),
    ("yq_chg.dm2", ["stops early", "stops early", "no", ""]),
];

#[test]
fn engines_play_what_they_played() {
    for path in corpus() {
        let name = path.file_name().unwrap().to_string_lossy();
        let Some((_, expected)) = PLAYED.iter().find(|(played, _)| *played == name) else { continue };
        let report = check(BufReader::new(File::open(&path).unwrap())).unwrap();
        let found: Vec<_> = report.engines.iter().map(|verdict| verdict.plays.word()).collect();
        assert_eq!(found, expected[..found.len()], "{name}: {:#?}", report.engines);
    }
}

#[test]
fn all_files_are_exact() {
    for path in corpus() {
        let report = check(BufReader::new(File::open(&path).unwrap())).unwrap();
        assert!(report.exact, "{}: {:?}", path.display(), report.difference);
        assert_eq!(report.summary.bytes, path.metadata().unwrap().len(), "{}", path.display());
    }
}
