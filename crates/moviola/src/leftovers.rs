//! Temporary files, which must go away also when the run is interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static WATCH: Once = Once::new();

/// What shells say of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// A file that is removed when this is dropped, or when the run is interrupted before.
pub(crate) struct Leftover(PathBuf);

impl Leftover {
    /// Takes charge of a file.
    pub(crate) fn new(path: PathBuf) -> Self {
        // Where no handler can be set, a file may stay behind; that is no reason to stop.
        WATCH.call_once(|| drop(ctrlc::set_handler(interrupted)));
        FILES.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        Self(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The file has its final name: it stays.
    pub(crate) fn keep(mut self) {
        self.forget();
        self.0 = PathBuf::new();
    }

    fn forget(&self) {
        FILES.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.0);
            self.forget();
        }
    }
}

fn interrupted() {
    for path in FILES.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let _ = fs::remove_file(path);
    }
    std::process::exit(INTERRUPTED);
}
