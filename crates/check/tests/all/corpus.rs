//! Real recordings, if they are available: all of them are written back exactly.

use moviola_check::check;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;

/// All real recordings; empty if they are not on this machine.
fn corpus() -> Vec<PathBuf> {
    let Some(root) = crate::folder::corpus() else { return Vec::new() };
    let folders = ["dem", "dm2", "ours", "lmpc-text", "dz"].map(|folder| root.join(folder));
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let files: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    assert!(!files.is_empty(), "{}: no recordings", root.display());
    files
}

/// The verdicts for some of them: id-1.06, id-1.09, quakespasm, darkplaces; or id-q2-3.20, yamagi, q2pro.
const PLAYED: [(&str, [&str; 4]); 8] = [
    ("quake1.06_SP1.dem", ["yes"; 4]),
    ("quake1.07_SP1.dem", ["no", "yes", "yes", "yes"]),
    ("qs_15_changelevel.dem", ["yes"; 4]),
    ("qs_666_lq_e0m9.dem", ["no", "no", "yes", "no"]),
    ("qs_999_lq_e0m9.dem", ["no", "no", "yes", "no"]),
    ("yq_sp.dm2", ["yes", "yes", "yes", ""]),
    ("yq_srv.dm2", ["no", "no", "no", ""]),
    // Yamagi plays both levels if it has both maps.
    ("yq_chg.dm2", ["stops early", "unknown", "no", ""]),
];

#[test]
fn engines_play_recordings_that_they_are_known_to_play() {
    let (files, mut met) = (corpus(), 0);
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy();
        let Some((_, expected)) = PLAYED.iter().find(|(played, _)| *played == name) else { continue };
        let report = check(BufReader::new(File::open(path).unwrap())).unwrap();
        met += 1;
        let found: Vec<_> = report.engines.iter().map(|verdict| verdict.plays.word()).collect();
        assert_eq!(found, expected[..found.len()], "{name}: {:#?}", report.engines);
    }
    assert!(files.is_empty() || met == PLAYED.len(), "only {met} of them were there");
}

#[test]
fn all_files_are_exact() {
    for path in corpus() {
        let report = check(BufReader::new(File::open(&path).unwrap())).unwrap();
        assert!(report.exact, "{}: {:?}", path.display(), report.difference);
        assert_eq!(report.summary.bytes, path.metadata().unwrap().len(), "{}", path.display());
    }
}
