//! Reads many recordings at once, on all cores.

use crate::arrow::{Table, batches};
use crate::read_recording;
use crate::trouble::Trouble;
use arrow_array::RecordBatch;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The tables of one file, or the reason why it has none.
type ScannedFile = Result<Vec<RecordBatch>, String>;

/// The tables of all files, in the order of the files; and for each file that could not be read, its index and the
/// reason. `progress` is called with the number of finished files.
#[pyfunction]
#[pyo3(signature = (paths, tables, progress=None))]
pub(crate) fn scan(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    tables: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Vec<Table>, Vec<(usize, String)>)> {
    // Fails on unknown table names before any file is read.
    batches(b"", &tables, "")?;
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::<(usize, ScannedFile)>::new());
    let trouble = Mutex::new(None);
    py.detach(|| {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        std::thread::scope(|scope| {
            for _ in 0..cores.min(paths.len()) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(path) = paths.get(at) else { return };
                        let one = read_recording(path).map_err(|why| why.to_string()).and_then(|bytes| {
                            let name = path.to_string_lossy();
                            batches(&bytes, &tables, &name).map_err(|why| why.words())
                        });
                        let Ok(mut all) = done.lock() else { return };
                        all.push((at, one));
                        let count = all.len();
                        drop(all);
                        if let Some(progress) = &progress
                            && let Err(why) = Python::attach(|py| progress.call1(py, (count, paths.len())))
                        {
                            // After an interrupt or an error in the callback, no further file is started.
                            next.store(paths.len(), Ordering::Relaxed);
                            if let Ok(mut trouble) = trouble.lock() {
                                *trouble = Some(why);
                            }
                        }
                    }
                });
            }
        });
    });
    if let Some(why) = trouble.into_inner().ok().flatten() {
        return Err(why);
    }
    let mut all = done.into_inner().map_err(|_| Trouble::new("a thread stopped"))?;
    all.sort_by_key(|(at, _)| *at);
    let mut columns: Vec<Vec<RecordBatch>> = tables.iter().map(|_| Vec::new()).collect();
    let mut failed = Vec::new();
    for (at, one) in all {
        match one {
            Ok(batches) => columns.iter_mut().zip(batches).for_each(|(all, batch)| all.push(batch)),
            Err(why) => failed.push((at, why)),
        }
    }
    let made: Result<Vec<Table>, Trouble> =
        tables.iter().zip(columns).map(|(name, batches)| Table::of(name, batches)).collect();
    Ok((made?, failed))
}
