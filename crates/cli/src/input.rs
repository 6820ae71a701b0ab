//! The sources of bytes: a file, standard input (`-`), or the files of a folder.

use crate::exact;
use crate::failure::{self, named};
use crate::leftovers::Leftover;
use crate::progress::Bar;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use moviola::container::{ContainerEntry, Spill};
use moviola::edit::has_damaged_beginning;
use moviola::format::sniff;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The number of first bytes that show the kind of a file.
pub(crate) const PEEK: usize = 1 << 16;

/// The files that a command is to look at.
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// Recordings and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    habit: Recursive,
    /// Whether a folder is among the files.
    #[arg(skip)]
    has_folder: OnceLock<bool>,
}

/// An option without effect, for people who know it from other programs: folders are always searched.
#[derive(Debug, Args)]
pub(crate) struct Recursive {
    /// Look into folders, which is done without it too.
    #[arg(short, long, short_alias = 'R', overrides_with = "recursive", hide = true)]
    recursive: bool,
}

impl Files {
    /// Whether a folder is among the paths.
    pub(crate) fn has_folder(&self) -> bool {
        *self.has_folder.get_or_init(|| self.paths.iter().any(|file| file.is_dir()))
    }

    /// Whether there may be several files.
    pub(crate) fn are_many(&self) -> bool {
        self.paths.len() > 1 || self.has_folder()
    }

    /// The one file or folder that was named; `None` if there are several.
    pub(crate) fn only(&self) -> Option<&Path> {
        if let [path] = self.paths.as_slice() { Some(path) } else { None }
    }

    /// The name of a file without the named folder in which it was found.
    pub(crate) fn short<'p>(&self, path: &'p Path) -> &'p Path {
        let mut rests = self.paths.iter().filter_map(|named| path.strip_prefix(named).ok());
        rests.find(|rest| rest.file_name().is_some()).unwrap_or(path)
    }

    /// Whether a file was named itself, and not only found in a folder.
    pub(crate) fn names(&self, path: &Path) -> bool {
        !self.has_folder() || self.paths.iter().any(|named| named == path)
    }

    /// All files, folders walked in sorted order; and the errors for some paths.
    pub(crate) fn list(&self) -> (Vec<PathBuf>, Vec<SkippedPath>) {
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for path in &self.paths {
            match fs::metadata(path) {
                Ok(about) if about.is_dir() => walk(path, &mut found, &mut wrong),
                _ => found.push(path.clone()),
            }
        }
        (found, wrong)
    }
}

/// The files that paths name, folders walked in sorted order, each with whether it was only found in a
/// folder; and the errors for some paths.
pub(crate) fn list(paths: &[PathBuf]) -> (Vec<(PathBuf, bool)>, Vec<SkippedPath>) {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            let mut inside = Vec::new();
            walk(path, &mut inside, &mut wrong);
            found.extend(inside.into_iter().map(|file| (file, true)));
        } else {
            found.push((path.clone(), false));
        }
    }
    (found, wrong)
}

/// The reason why a path is not read; it is printed as a line.
#[derive(Debug)]
pub(crate) struct SkippedPath {
    pub(crate) path: PathBuf,
    line: String,
}

impl std::fmt::Display for SkippedPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.line)
    }
}

impl std::ops::Deref for SkippedPath {
    type Target = str;
    fn deref(&self) -> &str {
        &self.line
    }
}

/// The files of a folder. Links to folders are not followed, since they may form circles.
fn walk(folder: &Path, found: &mut Vec<PathBuf>, wrong: &mut Vec<SkippedPath>) {
    let listing = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match listing {
        Ok(entries) => entries,
        Err(error) => {
            let line = format!("cannot look into {}: {}", printable(folder), failure::plain(&error));
            return wrong.push(SkippedPath { path: folder.to_owned(), line });
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, found, wrong),
            Ok(kind) if kind.is_file() || kind.is_symlink() && path.is_file() => found.push(path),
            Ok(kind) if kind.is_symlink() && !path.exists() => {
                let line = format!("{} is a broken link", printable(&path));
                wrong.push(SkippedPath { path, line });
            }
            _ => {}
        }
    }
}

/// An input that can be read several times; pipes and the like are copied first.
pub(crate) struct ReopenableInput {
    name: String,
    kept: Contents,
}

enum Contents {
    /// A file, which is opened again.
    Path(PathBuf),
    Memory(Arc<[u8]>),
    Copy(Leftover),
}

/// Copies up to this size are kept in memory.
const MAX_IN_MEMORY: u64 = 1 << 22;

impl ReopenableInput {
    /// Prepares an input for being read several times.
    pub(crate) fn new(input: Input) -> Result<Self> {
        let name = input.name.clone();
        if let (true, Some(path)) = (input.is_file(), &input.path) {
            return Ok(Self { kept: Contents::Path(path.clone()), name });
        }
        Self::keep_copy(name, input)
    }

    /// Keeps a copy of an input that can be read only once.
    pub(crate) fn keep_copy(name: String, mut input: impl Read) -> Result<Self> {
        let mut start = Vec::new();
        if input.by_ref().take(MAX_IN_MEMORY).read_to_end(&mut start)? < MAX_IN_MEMORY as usize {
            return Ok(Self { kept: Contents::Memory(start.into()), name });
        }
        let fail = |error| not_kept(&error, &name);
        let (mut copy, place) = temporary().map_err(fail)?;
        copy.write_all(&start).map_err(fail)?;
        io::copy(&mut input, &mut copy)
            .map_err(|error| if error.get_ref().is_some() { error } else { fail(error) })?;
        Ok(Self { kept: Contents::Copy(place), name })
    }

    /// Keeps the output of `write`, under the name of its source.
    pub(crate) fn keep_output<T, E>(
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
    ) -> Result<Result<Self, E>> {
        let (file, place) = temporary().map_err(|error| not_kept(&error, name))?;
        let mut file = BufWriter::new(file);
        if let Err(error) = write(&mut file) {
            return Ok(Err(error));
        }
        file.flush().map_err(|error| not_kept(&error, name))?;
        Ok(Ok(Self { name: name.to_owned(), kept: Contents::Copy(place) }))
    }

    /// Its name, for people.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Opens it once more, and shows its progress on `bar`, unless the bar moved while it was copied.
    pub(crate) fn watched(&self, bar: &Bar) -> Result<Input> {
        let input = self.open()?;
        Ok(if let Contents::Path(_) = self.kept { input.watched(bar) } else { input })
    }

    /// Opens it once more.
    pub(crate) fn open(&self) -> Result<Input> {
        let name = self.name.clone();
        match &self.kept {
            Contents::Path(path) => Input::open(path),
            Contents::Copy(copy) => Ok(Input { name, ..Input::open(copy.path())? }),
            Contents::Memory(bytes) => {
                let source = Source::Memory(io::Cursor::new(Arc::clone(bytes)));
                Ok(Input { name, path: None, size: None, source, head: Vec::new(), got: 0, bar: None })
            }
        }
    }
}

/// A temporary file for this run, which other users cannot read.
fn temporary() -> io::Result<(File, Leftover)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let (id, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(format!("moviola-{id}-{number}.tmp"));
    Ok((options.open(&path)?, Leftover::new(path)))
}

/// The error for a copy that could not be made, which has nothing to do with the copied file.
fn not_kept(error: &io::Error, of: &str) -> io::Error {
    let place = std::env::temp_dir();
    named(error, &format!("cannot keep a copy in {} (TMPDIR names another place) of", place.display()), of)
}

/// A place for an archive in an archive that is too large for memory.
pub(crate) fn spill() -> io::Result<Box<dyn Spill>> {
    let (file, leftover) = temporary().map_err(|error| not_kept(&error, "an archive in it"))?;
    Ok(Box::new(Spilled { file, _leftover: leftover }))
}

struct Spilled {
    file: File,
    _leftover: Leftover,
}

impl Read for Spilled {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Write for Spilled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| not_kept(&error, "an archive in it"))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Spilled {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A path in a form that can be printed in one line.
pub(crate) fn printable(path: &Path) -> String {
    exact::text(path)
}

/// Whether a path means standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == OsStr::new("-")
}

/// At most one of several inputs can be standard input.
pub(crate) fn one_stdin<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<()> {
    if paths.into_iter().filter(|path| is_dash(path)).count() > 1 {
        bail!("only one of the files can be `-`, standard input");
    }
    Ok(())
}

/// A file or standard input, opened for reading; its errors carry its name.
pub(crate) struct Input {
    name: String,
    path: Option<PathBuf>,
    size: Option<u64>,
    source: Source,
    /// Bytes that were peeked at and not read yet.
    head: Vec<u8>,
    /// The number of bytes that came from the source.
    got: u64,
    bar: Option<Bar>,
}

/// Standard input, if a reader peeked at its beginning and gave it back.
static HANDED_BACK: Mutex<Option<Input>> = Mutex::new(None);

enum Source {
    File(File),
    Stdin(io::Stdin),
    Entry(ContainerEntry),
    Memory(io::Cursor<Arc<[u8]>>),
}

impl Input {
    /// Opens the file of an optional argument; without one standard input, unless that is a terminal.
    pub(crate) fn open_or_stdin(path: Option<&Path>) -> Result<Self> {
        match path {
            Some(path) => Self::open(path),
            None if io::stdin().is_terminal() => {
                bail!("no input: name a file, or pipe one in (`-` reads the keyboard)")
            }
            None => Self::open(Path::new("-")),
        }
    }

    /// Opens a file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if is_dash(path) {
            let handed = HANDED_BACK.lock().unwrap_or_else(PoisonError::into_inner).take();
            return Ok(handed.unwrap_or_else(|| Self {
                name: "standard input".into(),
                path: None,
                size: None,
                source: Source::Stdin(io::stdin()),
                head: Vec::new(),
                got: 0,
                bar: None,
            }));
        }
        let name = printable(path);
        let fail = |error: io::Error| named(&error, "cannot read", &name);
        let file = File::open(path).map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            bail!("cannot read {name}: is a folder, not a file");
        }
        let size = about.is_file().then_some(about.len());
        let path = Some(path.to_owned());
        Ok(Self { name, path, size, source: Source::File(file), head: Vec::new(), got: 0, bar: None })
    }

    /// An entry of a container; `name` and `path` include the container.
    pub(crate) fn entry(entry: ContainerEntry, name: String, path: Option<PathBuf>) -> Self {
        Self { name, path, size: None, source: Source::Entry(entry), head: Vec::new(), got: 0, bar: None }
    }

    /// Gives it back unread: standard input, or the content of a gzip file on it, stays available for the
    /// next reader.
    pub(crate) fn hand_back(self) {
        if self.path.is_none() {
            *HANDED_BACK.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
        }
    }

    /// Its name, for people.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its path; standard input has none.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The number of bytes, if it is known.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Whether it is a regular file, and not a pipe or a part of a container.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.source, Source::File(_)) && self.size.is_some()
    }

    /// Refuses to change an entry of a container, since the container would be replaced.
    pub(crate) fn expect_file(&self, path: &Path) -> Result<()> {
        if matches!(self.source, Source::Entry(_)) {
            bail!(
                "{} is in a container, and those are not changed: `moviola unpack` extracts it",
                printable(path)
            );
        }
        Ok(())
    }

    /// Whether the file was larger when it was opened than at the end of reading.
    fn was_cut(&self) -> bool {
        // Files of the kernel claim a larger size than they have, and still do at the end.
        let is_shorter = |size| matches!(&self.source, Source::File(file) if file.metadata().is_ok_and(|it| it.len() < size));
        self.size.is_some_and(|size| self.got < size && is_shorter(size))
    }

    /// Shows its progress on `bar`.
    pub(crate) fn watched(mut self, bar: &Bar) -> Self {
        self.bar = Some(bar.clone());
        self
    }

    /// Whether it begins like a recording.
    pub(crate) fn is_recording(&mut self) -> io::Result<bool> {
        let (start, complete) = self.peek(PEEK)?;
        Ok(sniff(start, complete).game().is_some())
    }

    /// The error for a file that is not a recording.
    pub(crate) fn no_recording(&self) -> anyhow::Error {
        let complete = self.head.len() < PEEK;
        anyhow!(if crate::lmp::is_start(&self.head, complete) {
            crate::lmp::is_input(&self.name)
        } else if has_damaged_beginning(&self.head) {
            damaged_beginning(&self.name)
        } else {
            no_recording(&self.name)
        })
    }

    /// Whether it was a recording before its first bytes were damaged.
    pub(crate) fn has_damaged_beginning(&mut self) -> io::Result<bool> {
        let (start, complete) = self.peek(PEEK)?;
        let is_known = sniff(start, complete).game().is_some() || crate::lmp::is_start(start, complete);
        Ok(!is_known && has_damaged_beginning(start))
    }

    /// The first bytes, which can still be read, and whether they are all.
    pub(crate) fn peek(&mut self, most: usize) -> io::Result<(&[u8], bool)> {
        let missing = most.saturating_sub(self.head.len());
        let mut head = std::mem::take(&mut self.head);
        let got = self.by_ref().take(missing as u64).read_to_end(&mut head);
        self.head = head;
        Ok((&self.head, got? < missing))
    }
}

/// The error for a recording of this name whose first bytes are damaged.
pub(crate) fn damaged_beginning(name: &str) -> String {
    format!("{name} is a recording whose first bytes are damaged; `moviola repair` makes them again")
}

/// The error for a file of this name that is not a recording.
pub(crate) fn no_recording(name: &str) -> String {
    format!("{name} is not a recording; `moviola info` shows what it is")
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.head.is_empty() {
            let got = self.head.as_slice().read(buffer)?;
            self.head.drain(..got);
            return Ok(got);
        }
        let count = match &mut self.source {
            Source::File(file) => file.read(buffer),
            Source::Stdin(stdin) => stdin.read(buffer),
            Source::Entry(entry) => entry.read(buffer),
            Source::Memory(bytes) => bytes.read(buffer),
        };
        let count = count.map_err(|error| named(&error, "cannot read", &self.name))?;
        self.got = self.got.saturating_add(count as u64);
        if count == 0 && !buffer.is_empty() && self.was_cut() {
            let what = format!("cannot read {}: it became shorter while it was read", self.name);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
        }
        if let Some(bar) = &self.bar {
            bar.advance(count as u64);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peeked_bytes_are_read_again() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let whole = fs::read(&manifest).unwrap();
        let mut input = Input::open(&manifest).unwrap();
        assert_eq!(input.peek(5).unwrap(), (&whole[..5], false));
        assert_eq!(input.peek(9).unwrap(), (&whole[..9], false));
        assert_eq!(input.peek(1 << 20).unwrap(), (&whole[..], true));
        let mut all = Vec::new();
        input.read_to_end(&mut all).unwrap();
        assert_eq!(all, whole);
    }

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        let (mut file, place) = temporary().unwrap();
        file.write_all(&[7; 100]).unwrap();
        let mut input = Input::open(place.path()).unwrap();
        let mut start = [0; 10];
        input.read_exact(&mut start).unwrap();
        file.set_len(50).unwrap();
        let error = input.read_to_end(&mut Vec::new()).unwrap_err();
        assert!(error.to_string().ends_with("it became shorter while it was read"), "{error}");
        assert_eq!(Input::open(place.path()).unwrap().read_to_end(&mut Vec::new()).unwrap(), 50);
    }

    #[test]
    fn only_a_single_dash_is_standard_input() {
        assert!(is_dash(Path::new("-")));
        assert!(!is_dash(Path::new("./-")));
    }
}
