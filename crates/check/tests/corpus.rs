//! Real recordings, where they are at hand: all of them come back exactly.

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

#[test]
fn all_files_are_exact() {
    for path in corpus() {
        let report = check(BufReader::new(File::open(&path).unwrap())).unwrap();
        assert!(report.exact, "{}: {:?}", path.display(), report.difference);
        assert_eq!(report.summary.bytes, path.metadata().unwrap().len(), "{}", path.display());
    }
}
