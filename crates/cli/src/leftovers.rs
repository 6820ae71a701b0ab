//! Handles interruptions of the run: temporary files are removed, or long work is brought to a good end.

use crate::failure;
use crate::input::printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Folders that this run made: they are removed as well if they are empty.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static WATCH: Once = Once::new();
/// Whether the first interruption only requests a stop, and whether there was one.
static GENTLE: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// A file that is removed when this is dropped, or when the run is interrupted before.
pub(crate) struct Leftover(PathBuf);

impl Leftover {
    /// Takes charge of a file.
    pub(crate) fn new(path: PathBuf) -> Self {
        watch();
        FILES.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        Self(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Keeps the file, which has its final name now.
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

/// Makes a folder and its parents; if the run is interrupted, the empty ones of them are removed.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    watch();
    let mut made: Vec<PathBuf> = path.ancestors().take_while(|it| !it.exists()).map(PathBuf::from).collect();
    made.reverse();
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).append(&mut made);
    fs::create_dir_all(path)
        .map_err(|error| failure::named(&error, "cannot make the folder", &printable(path)))
}

/// Whether the run was interrupted, for work that then ends properly. A second interruption ends it
/// immediately.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopRequest(&'static AtomicBool);

/// From now on, the first interruption only requests a stop.
pub(crate) fn stop_gently() -> StopRequest {
    watch();
    GENTLE.store(true, Ordering::SeqCst);
    StopRequest(&ASKED)
}

impl StopRequest {
    /// Whether a stop was requested.
    pub(crate) fn is_requested(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn watch() {
    // If no handler can be set, a file may stay behind, which is better than to stop here.
    WATCH.call_once(|| drop(ctrlc::set_handler(interrupted)));
}

fn interrupted() {
    if GENTLE.load(Ordering::SeqCst) && !ASKED.swap(true, Ordering::SeqCst) {
        return;
    }
    for path in FILES.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let _ = fs::remove_file(path);
    }
    for path in FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).iter().rev() {
        let _ = fs::remove_dir(path);
    }
    std::process::exit(failure::INTERRUPTED.into());
}
