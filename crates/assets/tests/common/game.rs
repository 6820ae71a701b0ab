//! Finds the free game data with which tests compare.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The folder with `id1`, `baseq2` and the engines' pictures: beside the clone, in a folder above it, or in
/// the folder that `MOVIOLA_GAME` names. `None` if it is missing, which `MOVIOLA_GAME=required` does not
/// allow.
pub(crate) fn game() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/game"));
    let beside = above.into_iter().find(|folder| folder.is_dir()).unwrap_or_default();
    let (folder, required) = match std::env::var("MOVIOLA_GAME") {
        Err(_) => (beside, false),
        Ok(word) if word == "required" => (beside, true),
        Ok(elsewhere) => (PathBuf::from(elsewhere), true),
    };
    assert!(folder.is_dir() || !required, "the game data are not there: {}", folder.display());
    if !folder.is_dir() {
        // Once per program, and directly to standard error, because the harness hides the output of tests
        // that pass.
        static NOTICE: Once = Once::new();
        NOTICE.call_once(|| {
            let line = "NOT CHECKED: the free game data are not there; MOVIOLA_GAME names their folder";
            drop(writeln!(std::io::stderr(), "{line}"));
        });
        return None;
    }
    Some(folder)
}
