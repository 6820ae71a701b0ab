//! The repository as a set of files.

use crate::{Outcome, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes the root of the repository the current folder; every path here is relative to it.
pub(crate) fn enter() -> Outcome {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let root = here.parent().unwrap_or(&here);
    std::env::set_current_dir(root).map_err(|why| format!("{}: {why}", root.display()))
}

/// The files that git tracks or would add; sorted.
pub(crate) fn tracked() -> Result<Vec<PathBuf>, String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listing = run::output(&mut git)?;
    let names = listing.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    let mut files: Vec<PathBuf> = names.map(|name| PathBuf::from(&*String::from_utf8_lossy(name))).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// A file as text.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// Whether the file's name ends in one of these, without regard to case.
pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let own = path.extension().and_then(|own| own.to_str());
    own.is_some_and(|own| extensions.iter().any(|one| own.eq_ignore_ascii_case(one)))
}

/// Prints every finding and then the number of findings.
pub(crate) fn verdict(findings: &[String], checked: &str) -> Outcome {
    for finding in findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("{checked}: nothing to complain about");
            Ok(())
        }
        1 => Err("1 finding".into()),
        many => Err(format!("{many} findings")),
    }
}
