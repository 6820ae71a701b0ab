//! Where the real recordings are; every crate's tests ask here.

use std::path::{Path, PathBuf};

/// The collection of real recordings: beside the clone or a folder above it, or where `MOVIOLA_CORPUS` says. `None` is
/// "it is not there", which `MOVIOLA_CORPUS=required` does not allow.
pub(crate) fn corpus() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/corpus"));
    let beside = above.into_iter().find(|folder| folder.is_dir()).unwrap_or_default();
    let (folder, required) = match std::env::var("MOVIOLA_CORPUS") {
        Err(_) => (beside, false),
        Ok(word) if word == "required" => (beside, true),
        Ok(elsewhere) => (PathBuf::from(elsewhere), true),
    };
    assert!(folder.is_dir() || !required, "the real recordings are not there: {}", folder.display());
    folder.is_dir().then_some(folder)
}
