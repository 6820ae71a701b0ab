//! The outputs: standard output, or a file that appears whole or not at all.
//!
//! A file is written to a temporary neighbor, which gets the file's name in case of success and is removed
//! otherwise. Named devices and pipes are written to directly.

use crate::failure::{named, plain};
use crate::input::{is_dash, printable};
use crate::inside::is_inside;
use crate::leftovers::Leftover;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where a command is to write.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Destination {
    /// Write to OUT; `-`, or nothing, is standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Replace OUT if it exists.
    #[arg(long)]
    pub(crate) force: bool,
}

impl Destination {
    /// An output file that is replaced without asking.
    pub(crate) fn replace(path: &Path) -> Self {
        Self { output: Some(path.to_owned()), force: true }
    }

    /// Whether the output is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.output.as_deref().is_none_or(is_dash)
    }

    /// Refuses to write bytes to a terminal.
    pub(crate) fn refuse_terminal(&self, kind: Kind) -> Result<()> {
        if self.is_stdout() && kind == Kind::Recording && io::stdout().is_terminal() {
            bail!("binary data is not written to a terminal: name a file with -o OUT, or use a pipe");
        }
        Ok(())
    }

    /// Opens it for text or for a recording, which is not for terminals.
    pub(crate) fn open(&self, kind: Kind) -> Result<Output> {
        self.refuse_terminal(kind)?;
        match self.output.as_deref().filter(|path| !is_dash(path)) {
            Some(path) => Output::file(path, self.force),
            None => Ok(Output { name: "standard output".into(), sink: Sink::Stdout(io::stdout()) }),
        }
    }
}

/// Refuses standard output for several files.
pub(crate) fn not_stdout(folder: &Path) -> Result<()> {
    if is_dash(folder) {
        bail!(
            "several files cannot be written to standard output: name a folder with -o DIR (./- for a folder called -)"
        );
    }
    Ok(())
}

/// The kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text, which may also go to a terminal.
    Text,
    /// Bytes.
    Recording,
}

/// An opened output; its errors contain its name. Unless it is [finished](Output::finish), no file appears.
pub(crate) struct Output {
    name: String,
    sink: Sink,
}

enum Sink {
    Stdout(io::Stdout),
    /// A device or a pipe.
    Device(File),
    File(Neighbor),
}

impl Output {
    fn file(path: &Path, force: bool) -> Result<Self> {
        let name = printable(path);
        // The target of a link is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let sink = match fs::metadata(&target) {
            Ok(about) if about.is_dir() => bail!("cannot write {name}: is a folder, not a file"),
            Ok(about) if !about.is_file() => {
                let device = OpenOptions::new().write(true).open(&target);
                Sink::Device(device.map_err(|error| named(&error, "cannot write", &name))?)
            }
            Err(_) if is_inside(path) => {
                bail!("cannot write {name}: containers are only read; name a file of its own")
            }
            Ok(_) if !force => bail!("{name} exists: choose another name, or replace it with --force"),
            _ => Sink::File(Neighbor::new(&target, force).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    io::Error::new(error.kind(), format!("cannot write {name}: there is no such folder"))
                }
                _ => named(&error, "cannot write", &name),
            })?),
        };
        Ok(Self { name, sink })
    }

    /// A writer that collects small writes. Call [`finish`](Output::finish) with it afterwards.
    pub(crate) fn buffered(self) -> BufWriter<Self> {
        BufWriter::with_capacity(1 << 16, self)
    }

    /// Lets the file appear under its name, after everything is written.
    pub(crate) fn finish(writer: BufWriter<Self>) -> Result<()> {
        let mut output = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        output.flush()?;
        let name = output.name;
        match output.sink {
            Sink::File(neighbor) => neighbor.settle().map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    anyhow!("{name} was created in the meantime: it was left as it is")
                }
                _ => anyhow!("cannot write {name}: {}", plain(&error)),
            }),
            Sink::Stdout(_) | Sink::Device(_) => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Device(file) => file.write(bytes),
            Sink::File(neighbor) => neighbor.file.write(bytes),
        };
        written.map_err(|error| named(&error, "cannot write", &self.name))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Device(file) => file.flush(),
            Sink::File(neighbor) => neighbor.file.flush(),
        };
        flushed.map_err(|error| named(&error, "cannot write", &self.name))
    }
}

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.sink {
            Sink::File(neighbor) => neighbor.file.seek(to),
            Sink::Stdout(_) | Sink::Device(_) => Err(io::Error::other("this can only be written to a file")),
        }
    }
}

/// A temporary file beside the one to be written.
struct Neighbor {
    file: File,
    leftover: Leftover,
    target: PathBuf,
    force: bool,
}

impl Neighbor {
    /// Its own name is short, since the target's may already have the greatest length.
    fn new(target: &Path, force: bool) -> io::Result<Self> {
        remove_leftovers(
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        );
        let id = std::process::id();
        for attempt in 0..100 {
            let path = target.with_file_name(format!(".moviola-{id}-{attempt}.tmp"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    return Ok(Self {
                        file,
                        leftover: Leftover::new(path),
                        target: target.to_owned(),
                        force,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn settle(self) -> io::Result<()> {
        let path = self.leftover.path();
        match fs::metadata(&self.target) {
            Ok(_) if !self.force => return Err(io::ErrorKind::AlreadyExists.into()),
            Ok(old) => {
                fs::set_permissions(path, old.permissions())?;
                // The old content is lost, so the new one must be on the disk before.
                self.file.sync_all()?;
            }
            Err(_) => {}
        }
        fs::rename(path, &self.target)?;
        self.leftover.keep();
        Ok(())
    }
}

/// Removes the temporary files of runs that were killed, once in a run for each folder.
pub(crate) fn remove_leftovers(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(process_of).is_some_and(|id| is_left(id, &entry)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process in the name of a temporary file.
fn process_of(name: &str) -> Option<u32> {
    let (id, attempt) = name.strip_prefix(".moviola-")?.strip_suffix(".tmp")?.split_once('-')?;
    attempt.parse::<u32>().ok()?;
    id.parse().ok()
}

/// Whether the process of this number no longer writes to a temporary file. If that cannot be determined, a
/// file is abandoned after a day, which is longer than any run.
fn is_left(id: u32, file: &fs::DirEntry) -> bool {
    if Path::new("/proc/self").exists() {
        let process = Path::new("/proc").join(id.to_string());
        if !process.exists() {
            return true;
        }
        if let Some(is_held) = file.metadata().ok().and_then(|about| holds(&process, &about)) {
            return !is_held;
        }
    }
    let age = file.metadata().and_then(|about| about.modified()).ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age > Duration::from_hours(24))
}

/// Whether a process, by its folder below `/proc`, has a file open; `None` if we may not see that. The number alone
/// proves nothing: systems use numbers again, and in a container each run has the same one.
#[cfg(unix)]
fn holds(process: &Path, file: &fs::Metadata) -> Option<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = fs::read_dir(process.join("fd")).ok()?;
    // A file that was closed meanwhile is not ours: a temporary file stays open until it has its name.
    let mut open = open.flatten().filter_map(|entry| fs::metadata(entry.path()).ok());
    Some(open.any(|about| (about.dev(), about.ino()) == (file.dev(), file.ino())))
}

#[cfg(not(unix))]
fn holds(_: &Path, _: &fs::Metadata) -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("moviola-output-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn an_unfinished_output_leaves_no_file() {
        let folder = folder("unfinished");
        let out = Destination { output: Some(folder.join("x")), force: false };
        let mut writer = out.open(Kind::Text).unwrap().buffered();
        writer.write_all(b"half").unwrap();
        writer.flush().unwrap();
        drop(writer);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir(folder).unwrap();
    }

    #[test]
    fn files_of_killed_runs_go_away() {
        let folder = folder("killed");
        let (dead, alive) = (u32::MAX, std::process::id());
        let names = [
            format!(".moviola-{dead}-0.tmp"),
            // A process of this number exists, and has the first of these files open.
            format!(".moviola-{alive}-7.tmp"),
            format!(".moviola-{alive}-8.tmp"),
            // An old one, which is removed even where processes cannot be seen.
            format!(".moviola-{dead}-9.tmp"),
            ".moviola-x.tmp".into(),
            format!("moviola-{dead}-0.tmp"),
        ];
        for name in &names {
            fs::write(folder.join(name), "half").unwrap();
        }
        let _held = File::open(folder.join(&names[1])).unwrap();
        let old = File::options().write(true).open(folder.join(&names[3])).unwrap();
        old.set_modified(std::time::SystemTime::now() - Duration::from_hours(25)).unwrap();
        let out = Destination { output: Some(folder.join("x")), force: false };
        drop(out.open(Kind::Text).unwrap());
        let left: Vec<bool> = names.iter().map(|name| folder.join(name).exists()).collect();
        let unseen = !Path::new("/proc/self").exists();
        assert_eq!(left, [unseen, true, unseen, false, true, true]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_existing_file_needs_force() {
        let folder = folder("force");
        let path = folder.join("x");
        fs::write(&path, "old").unwrap();
        let mut out = Destination { output: Some(path.clone()), force: false };
        assert!(out.open(Kind::Text).is_err());
        out.force = true;
        let mut writer = out.open(Kind::Text).unwrap().buffered();
        writer.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        Output::finish(writer).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_created_meanwhile_is_kept() {
        let folder = folder("race");
        let path = folder.join("x");
        let out = Destination { output: Some(path.clone()), force: false };
        let writer = out.open(Kind::Recording).unwrap().buffered();
        fs::write(&path, "other").unwrap();
        assert!(Output::finish(writer).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"other");
        fs::remove_dir_all(folder).unwrap();
    }
}
