//! The recordings of folders and containers as rows of a catalog, over all cores; known ones are not read
//! again.

use crate::exact;
use crate::failure;
use crate::input::{Input, list};
use crate::inside;
use crate::leftovers;
use crate::lmp;
use crate::parallel::in_order;
use crate::progress::Bar;
use anyhow::{Result, bail};
use moviola::catalog::{Catalog, Depth, FileStamp, KnownFiles, Recording, recording};
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf, absolute};
use std::time::UNIX_EPOCH;

/// The result.
#[derive(Default)]
pub(crate) struct Survey {
    /// The rows, in the order of their files.
    pub(crate) catalog: Catalog,
    /// How many recordings were read.
    pub(crate) read: u64,
    /// How many recordings had known rows.
    pub(crate) known: u64,
    /// How many rows were kept because their files could not be read, or were not reached.
    pub(crate) kept: u64,
    /// How many rows were kept because their files are outside of the named paths.
    pub(crate) elsewhere: u64,
    /// Files that are not recordings.
    pub(crate) others: u64,
    /// How many files could not be read; each was reported.
    pub(crate) failed: u64,
    /// Whether the run was interrupted: there are more files.
    pub(crate) stopped: bool,
}

/// The result for a file.
enum FileResult<'k> {
    Known(&'k [Recording]),
    Read(FileStamp, Vec<Result<Option<(PathBuf, Recording)>, String>>),
    Stopped,
}

/// Looks at all files that paths name. If it is interrupted, it stops between two files and keeps its
/// results.
pub(crate) fn survey(paths: &[PathBuf], depth: Depth, known: &KnownFiles, quiet: bool) -> Survey {
    let stop = leftovers::stop_gently();
    let (files, wrong) = list(paths);
    let mut survey = Survey { failed: wrong.len() as u64, ..Survey::default() };
    for wrong in &wrong {
        failure::print_error(wrong);
        survey.keep(&known.below(&exact::text(&wrong.path)));
    }
    let total = files.iter().filter_map(|(file, _)| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), quiet);
    let mut reached = 0;
    in_order(
        &files,
        |(file, found)| {
            let stamp = fs::metadata(file).map_or(UNKNOWN, |about| stamp(&about));
            if let Some(rows) = rows(known, file, stamp, depth) {
                bar.advance(stamp.bytes as u64);
                return (file.clone(), FileResult::Known(rows));
            }
            let read =
                inside::each(file, &bar, *found, |input| survey_file(input, *found, depth, &bar, stop));
            (
                file.clone(),
                if stop.is_requested() { FileResult::Stopped } else { FileResult::Read(stamp, read) },
            )
        },
        |(file, done)| {
            if let FileResult::Stopped = done {
                survey.stopped = true;
                return false;
            }
            reached += 1;
            bar.aside(|| {
                if matches!(&done, FileResult::Read(_, results) if results.iter().all(Result::is_err)) {
                    survey.keep(&known.below(&exact::text(&file)));
                }
                survey.add(&file, done);
            });
            true
        },
    );
    bar.finish();
    for (file, _) in files.iter().skip(reached) {
        survey.keep(known.of(&exact::text(file)));
    }
    survey
}

/// Splits rows into those of files in these paths, spelled like the paths, and those of other files.
pub(crate) fn here_and_elsewhere(rows: Vec<Recording>, paths: &[PathBuf]) -> (Catalog, Vec<Recording>) {
    let named: Vec<(PathBuf, &Path)> =
        paths.iter().map(|path| (normalized_path(path), path.as_path())).collect();
    let spelled = |name: &str| {
        let path = normalized_path(&exact::path(name));
        named.iter().find_map(|(named, spelled)| {
            let rest = path.strip_prefix(named).ok()?;
            let path = if rest.as_os_str().is_empty() { (*spelled).to_owned() } else { spelled.join(rest) };
            Some(exact::text(&path))
        })
    };
    let (mut here, mut elsewhere) = (Catalog::default(), Vec::new());
    for mut row in rows {
        let container = row.container.as_ref().and_then(|it| Some((it.clone(), spelled(it.as_str())?)));
        if let Some((old, new)) = container {
            let inner = row.file.as_str().strip_prefix(old.as_str()).unwrap_or_default();
            row.file = format!("{new}{inner}").into();
            row.container = Some(new.into());
        } else if let Some(file) = spelled(row.file.as_str()) {
            row.file = file.into();
        } else {
            elsewhere.push(row);
            continue;
        }
        here.keep([row]);
    }
    (here, elsewhere)
}

/// A path from the root on, so that all its spellings become one.
fn normalized_path(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            part => whole.push(part),
        }
    }
    whole
}

/// The stamp of a file that must be read again.
const UNKNOWN: FileStamp = FileStamp { bytes: -1, modified: 0 };

fn stamp(about: &Metadata) -> FileStamp {
    let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    match modified {
        Some(modified) => FileStamp { bytes: about.len() as i64, modified: modified.as_millis() as i64 },
        None => UNKNOWN,
    }
}

/// The known rows of a file. Not every name of every system has a text.
fn rows<'k>(known: &'k KnownFiles, file: &Path, stamp: FileStamp, depth: Depth) -> Option<&'k [Recording]> {
    let name = exact::text(file);
    (stamp != UNKNOWN && exact::path(&name) == file).then(|| known.rows(&name, stamp, depth))?
}

fn survey_file(
    mut input: Input,
    found: bool,
    depth: Depth,
    bar: &Bar,
    stop: leftovers::StopRequest,
) -> Result<Option<(PathBuf, Recording)>> {
    if stop.is_requested() {
        bail!("interrupted");
    }
    if !input.is_recording()? && !lmp::is_ours(&mut input)? {
        if !found {
            return Err(input.no_recording());
        }
        bar.advance(input.size().unwrap_or_default());
        return Ok(None);
    }
    let path = input.path().unwrap_or(Path::new("-")).to_owned();
    Ok(recording(UntilInterrupted { input, stop }, depth)?.map(|row| (path, row)))
}

/// An input that ends with an error when the run is interrupted.
struct UntilInterrupted {
    input: Input,
    stop: leftovers::StopRequest,
}

impl Read for UntilInterrupted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_requested() { Err(io::Error::other("interrupted")) } else { self.input.read(buffer) }
    }
}

impl Survey {
    /// Adds rows of files that were not looked at.
    pub(crate) fn add_elsewhere(&mut self, rows: Vec<Recording>) {
        self.elsewhere += rows.len() as u64;
        self.catalog.keep(rows);
    }

    fn keep(&mut self, rows: &[Recording]) {
        self.kept += rows.len() as u64;
        self.catalog.keep(rows.iter().cloned());
    }

    fn add(&mut self, file: &Path, done: FileResult<'_>) {
        match done {
            FileResult::Known(rows) => {
                self.known += rows.len() as u64;
                self.catalog.keep(rows.iter().cloned());
            }
            FileResult::Read(stamp, results) => {
                // A file that could not be read in full is read and reported again the next time.
                let stamp = if results.iter().any(Result::is_err) { UNKNOWN } else { stamp };
                for result in results {
                    match result {
                        Ok(Some((path, row))) => {
                            self.read += 1;
                            let container = (path != file).then(|| exact::text(file));
                            self.catalog.add(&exact::text(&path), container.as_deref(), stamp, row);
                        }
                        Ok(None) => self.others += 1,
                        Err(line) => {
                            failure::print_error(&line);
                            self.failed += 1;
                        }
                    }
                }
            }
            FileResult::Stopped => {}
        }
    }
}
