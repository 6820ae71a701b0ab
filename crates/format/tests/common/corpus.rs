//! Finds the real recordings for every crate's tests.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The folder of the collection of real recordings: `MOVIOLA_CORPUS`, or `shared/corpus` beside the clone or
/// in a folder above it. `None` if the folder does not exist, which `MOVIOLA_CORPUS=required` turns into a
/// failure, or with `MOVIOLA_CORPUS=none`.
pub(crate) fn corpus() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/corpus"));
    let beside = above.into_iter().find(|folder| folder.is_dir()).unwrap_or_default();
    let (folder, required) = match std::env::var("MOVIOLA_CORPUS") {
        Err(_) => (beside, false),
        Ok(word) if word == "required" => (beside, true),
        Ok(word) if word == "none" => return None,
        Ok(elsewhere) => (PathBuf::from(elsewhere), true),
    };
    assert!(folder.is_dir() || !required, "the real recordings are not there: {}", folder.display());
    if !folder.is_dir() {
        // Prints once for each program, and directly to the terminal, because the harness hides the output of
        // tests that pass.
        static SAID: Once = Once::new();
        SAID.call_once(|| {
            let line = "NOT CHECKED: the real recordings are not there; MOVIOLA_CORPUS names their folder";
            drop(writeln!(std::io::stderr(), "{line}"));
        });
        return None;
    }
    Some(folder)
}
