//! The recordings that a path names: a file, all of those in a container, or one of these.
//!
//! `archive.zip:run.dem` is an entry of the file `archive.zip`, unless there is a file with that whole name.

use crate::failure;
use crate::input::{Files, Input, PEEK, is_dash, printable, spill};
use crate::parallel::{parts_in_order, together};
use crate::progress::Bar;
use anyhow::{Result, anyhow, bail};
use moviola::container::{
    ContainerEntry, ContainerKind, ContainerWarning, Walk, WalkOptions, name_text, safe_path,
};
use moviola::{format::sniff, text};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The kind of files that a command takes from a container that is named as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WantedFiles {
    Recordings,
    Texts,
    Files,
}

impl WantedFiles {
    /// The content decides; a recording that is too damaged for that is still recognized by its name.
    pub(crate) fn takes(self, input: &mut Input, inner: &str) -> io::Result<bool> {
        const NAMES: [&str; 4] = ["dem", "dm2", "qwd", "mvd"];
        let (start, complete) = input.peek(PEEK)?;
        Ok(match self {
            Self::Recordings => {
                let extension = Path::new(inner).extension().and_then(|it| it.to_str());
                sniff(start, complete).game().is_some()
                    || crate::lmp::is_start(start, complete)
                    || extension.is_some_and(|it| NAMES.iter().any(|name| it.eq_ignore_ascii_case(name)))
            }
            Self::Texts => text::is_text(start) || moviola::input::text_kind(start).is_some(),
            Self::Files => true,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Recordings => "recording",
            Self::Texts => "text",
            Self::Files => "file",
        }
    }
}

/// Runs `act` on every recording that a path names; those of a container are shared among the idle cores.
///
/// A container without any is an error, unless it was only found in a folder.
pub(crate) fn each<T: Send>(
    path: &Path,
    bar: &Bar,
    from_folder: bool,
    act: impl Fn(Input) -> Result<T> + Sync,
) -> Vec<Result<T, String>> {
    let results = Mutex::new(BTreeMap::new());
    let keep = |at, result| {
        results.lock().unwrap_or_else(PoisonError::into_inner).insert(at, result);
        true
    };
    together(all(path, bar, 1, from_folder), |input| result_of(input, &act), keep);
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// Runs `act` on every recording that files name, over all cores; `sink` gets each result, in order, as soon
/// as possible. Both also get whether the file was only found in a folder; `weight` is how often each byte
/// counts on the bar.
pub(crate) fn each_of<T: Send>(
    files: &[PathBuf],
    named: &Files,
    bar: &Bar,
    weight: u64,
    act: impl Fn(Input, bool) -> Result<T> + Sync,
    mut sink: impl FnMut(&Path, bool, Result<T, String>) -> io::Result<()>,
) -> io::Result<()> {
    let mut result = Ok(());
    parts_in_order(
        files,
        |file, parts| {
            let found = !named.names(file);
            let work = |input| result_of(input, |input| act(input, found));
            together(all(file, bar, weight, found), work, |at, done| parts.give(at, done));
        },
        |file, done| {
            result = bar.aside(|| sink(file, !named.names(file), done));
            result.is_ok()
        },
    );
    result
}

/// The result for an input, or the text of its error.
fn result_of<T>(input: Result<Input>, act: impl FnOnce(Input) -> Result<T>) -> Result<T, String> {
    input.and_then(act).map_err(|error| format!("{error:#}"))
}

/// Runs `act` on each input, one after the other, and not on several cores.
pub(crate) fn each_in_turn<T>(
    path: &Path,
    bar: &Bar,
    from_folder: bool,
    mut act: impl FnMut(Input) -> Result<T>,
) -> Vec<Result<T, String>> {
    all(path, bar, 1, from_folder).map(|input| result_of(input, &mut act)).collect()
}

/// Every recording that a path names.
fn all(path: &Path, bar: &Bar, weight: u64, from_folder: bool) -> impl Iterator<Item = Result<Input>> + Send {
    let (file, mut container) = match Opened::new(path, Some((bar, weight))) {
        Err(error) => (Some(Err(error)), None),
        Ok(Opened::File(input)) => (Some(Ok(input.watched(bar))), None),
        Ok(Opened::Container(inside)) => (None, Some(inside)),
    };
    let mut is_empty = !from_folder;
    let inside = iter::from_fn(move || {
        let next = match container.as_mut()?.next(WantedFiles::Recordings) {
            None if is_empty => Some(Err(container.take()?.nothing(WantedFiles::Recordings))),
            next => next,
        };
        is_empty = false;
        next
    });
    file.into_iter().chain(inside)
}

/// The one file that a path names; an error for a container with several.
pub(crate) fn single(path: &Path, wanted: WantedFiles) -> Result<Input> {
    only(path, wanted)?.map_err(|inside| inside.nothing(wanted))
}

/// The one file that a path names, for commands that accept texts too. A text beside a recording in a container is
/// ignored as a note about it.
pub(crate) fn recording_or_text(path: &Path) -> Result<Input> {
    only(path, WantedFiles::Recordings)?.or_else(|inside| match only(path, WantedFiles::Texts) {
        Ok(Ok(text)) if !is_dash(path) => Ok(text),
        _ => Err(inside.nothing(WantedFiles::Recordings)),
    })
}

/// A single file, or a container in which none was found.
fn only(path: &Path, wanted: WantedFiles) -> Result<Result<Input, Box<Inside>>> {
    let mut inside = match Opened::new(path, None)? {
        Opened::File(input) => return Ok(Ok(input)),
        Opened::Container(inside) => inside,
    };
    let Some(first) = inside.next(wanted) else { return Ok(Err(inside)) };
    let first = first?;
    let mut names = vec![first.name().to_owned()];
    while let Some(other) = inside.next(wanted) {
        names.push(other?.name().to_owned());
    }
    match names.len() {
        1 => Ok(Ok(first)),
        count => {
            let kind = wanted.name();
            bail!("{} has {count} {kind}s in it: name one of {}", inside.name, few(&names))
        }
    }
}

/// The one file that a path names; without a path standard input, unless that is a terminal.
pub(crate) fn single_or_stdin(path: Option<&Path>, wanted: WantedFiles) -> Result<Input> {
    match path {
        None if io::stdin().is_terminal() => Input::open_or_stdin(None),
        path => single(path.unwrap_or(Path::new("-")), wanted),
    }
}

/// Whether a file is a container.
pub(crate) fn is_container(path: &Path) -> bool {
    File::open(path).and_then(ContainerKind::of_file).is_ok_and(|kind| kind != ContainerKind::Plain)
}

/// An opened file, by its kind.
enum Opened {
    File(Input),
    Container(Box<Inside>),
}

/// A container, and the requested part of it.
pub(crate) struct Inside {
    file: PathBuf,
    name: String,
    part: Option<String>,
    walk: Walk,
}

impl Opened {
    fn new(path: &Path, bar: Option<(&Bar, u64)>) -> Result<Self> {
        let (file, part) = split(path);
        let mut input = Input::open(&file)?;
        match (kind(&mut input, &file)?, &part) {
            (ContainerKind::Plain, None) => Ok(Self::File(input)),
            (ContainerKind::Plain, Some(_)) => bail!("{} is not a container", input.name()),
            _ => Ok(Self::Container(Box::new(Inside::new(input, file, part, bar, WalkOptions::default())?))),
        }
    }
}

/// The kind of a file; for a pipe it is known only from its beginning.
fn kind(input: &mut Input, file: &Path) -> Result<ContainerKind> {
    if !input.is_file() {
        return Ok(ContainerKind::of(input.peek(ContainerKind::PEEK)?.0));
    }
    let fail = |error: io::Error| failure::named(&error, "cannot read", input.name());
    Ok(File::open(file).and_then(ContainerKind::of_file).map_err(fail)?)
}

/// Prints a warning about the container of this name, once: some commands read it twice.
fn warning_of(name: &str) -> ContainerWarning {
    /// The greatest number of warnings that are remembered.
    const MAX_REMEMBERED: usize = 1000;
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let name = name.to_owned();
    ContainerWarning::new(move |what| {
        let line = format!("{name}: {what}");
        let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
        if !printed.contains(&line) {
            failure::warn(&line);
            if printed.len() < MAX_REMEMBERED {
                printed.insert(line);
            }
        }
    })
}

impl Inside {
    /// Opens a container to take everything out of it, or one part. `how` sets whether archives in it are
    /// opened, and whether files are searched for without a damaged directory.
    pub(crate) fn open(path: &Path, bar: &Bar, how: WalkOptions) -> Result<Self> {
        let (file, part) = split(path);
        let mut input = Input::open(&file)?;
        if kind(&mut input, &file)? == ContainerKind::Plain {
            bail!("{} is not a container", input.name());
        }
        Self::new(input, file, part, Some((bar, 1)), how)
    }

    fn new(
        input: Input,
        file: PathBuf,
        part: Option<String>,
        bar: Option<(&Bar, u64)>,
        mut how: WalkOptions,
    ) -> Result<Self> {
        let name = input.name().to_owned();
        how.spill = Some(spill);
        how.warn = Some(warning_of(&name));
        let walk = if input.size().is_some() {
            let bar = bar.map(|(bar, weight)| (bar.clone(), weight));
            File::open(&file).and_then(|file| Walk::new(FileWithBar { file, bar }, how))
        } else {
            Walk::stream(input, how)
        };
        let walk = walk.map_err(|error| failure::named(&error, "cannot read", &name))?;
        let walk = match &part {
            Some(part) => walk.only(part),
            None => walk,
        };
        Ok(Self { file, name, part, walk })
    }

    /// The file of the container.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The next file in it, of any kind.
    pub(crate) fn next_entry(&mut self) -> Option<Result<ContainerEntry>> {
        let entry = self.walk.next()?;
        Some(entry.map_err(|trouble| {
            failure::named(&trouble.error, "cannot read", &self.name_of(&trouble.path)).into()
        }))
    }

    /// The next file that is wanted, or that was named.
    fn next(&mut self, wanted: WantedFiles) -> Option<Result<Input>> {
        loop {
            let entry = match self.next_entry()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            // The content of a gzip file counts as named.
            let is_named = entry.path().is_empty() || self.part.as_deref() == Some(entry.path());
            let inner = entry.path().to_owned();
            let path = (!is_dash(&self.file) || !inner.is_empty()).then(|| within(&self.file, &inner));
            let mut input = Input::entry(entry, self.name_of(&inner), path);
            match if is_named { Ok(true) } else { wanted.takes(&mut input, &inner) } {
                Ok(true) => return Some(Ok(input)),
                Ok(false) => {}
                Err(error) => return Some(Err(error.into())),
            }
        }
    }

    fn name_of(&self, inner: &str) -> String {
        if inner.is_empty() {
            return self.name.clone();
        }
        printable(&within(&self.file, inner))
    }

    /// The error that nothing was found in it.
    pub(crate) fn nothing(&self, wanted: WantedFiles) -> anyhow::Error {
        let Some(part) = &self.part else {
            return anyhow!("{} has no {} in it", self.name, wanted.name());
        };
        let all = File::open(&self.file).and_then(|file| Walk::new(file, WalkOptions::default()));
        let names: Vec<String> = all.into_iter().flatten().flatten().map(|it| it.path().to_owned()).collect();
        if names.is_empty() {
            return anyhow!("{} has no {part} in it", self.name);
        }
        if let [only] = names.as_slice()
            && only.is_empty()
        {
            return anyhow!(
                "{} has no {part} in it: it holds one file, which the name of the container means",
                self.name
            );
        }
        if let Some(meant) = text::nearest(part, names.iter().map(String::as_str)) {
            let (part, meant) = (printable(Path::new(part)), printable(Path::new(meant)));
            return anyhow!("{} has no {part} in it: did you mean `{meant}`?", self.name);
        }
        anyhow!("{} has no {part} in it; there are {}", self.name, printable(Path::new(&few(&names))))
    }
}

/// The first few names.
fn few(names: &[String]) -> String {
    const MAX_REMEMBERED: usize = 5;
    let mut list = names.iter().take(MAX_REMEMBERED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_REMEMBERED {
        list.push_str(", ...");
    }
    list
}

/// The path of an entry in a file.
fn within(file: &Path, inner: &str) -> PathBuf {
    if inner.is_empty() {
        return file.to_owned();
    }
    let mut path = file.as_os_str().to_owned();
    path.push(":");
    path.push(inner);
    path.into()
}

/// The path for a file beside the named one, or beside the container with it.
pub(crate) fn beside(path: &Path) -> PathBuf {
    match split(path) {
        (file, Some(part)) => {
            let name = part.rsplit(['/', ':']).next().and_then(safe_path);
            file.with_file_name(name.unwrap_or_default())
        }
        (file, None) => file,
    }
}

/// Whether a path names an entry of a container.
pub(crate) fn is_inside(path: &Path) -> bool {
    split(path).1.is_some()
}

/// Splits a path into the file and the entry in it.
fn split(path: &Path) -> (PathBuf, Option<String>) {
    let whole_path = || (path.to_owned(), None);
    if is_dash(path) || fs::symlink_metadata(path).is_ok() {
        return whole_path();
    }
    let bytes = path.as_os_str().as_encoded_bytes();
    let colons = bytes.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(at, _)| at);
    for at in colons {
        let (Some(file), Some(inner)) = (bytes.get(..at), bytes.get(at + 1..)) else { continue };
        let Some(file) = named(file) else { continue };
        let is_there = is_dash(&file) || fs::metadata(&file).is_ok_and(|about| !about.is_dir());
        if is_there && !inner.is_empty() {
            return (file, Some(name_text(inner)));
        }
    }
    whole_path()
}

/// Bytes of a path as a path.
pub(crate) fn named(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    let name = Some(std::os::unix::ffi::OsStrExt::from_bytes(bytes));
    #[cfg(not(unix))]
    let name = std::str::from_utf8(bytes).ok().map(std::ffi::OsStr::new);
    name.map(|name: &std::ffi::OsStr| name.into())
}

/// A file that moves a progress bar on while it is read.
struct FileWithBar {
    file: File,
    bar: Option<(Bar, u64)>,
}

impl Read for FileWithBar {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.file.read(buffer)?;
        if let Some((bar, weight)) = &self.bar {
            bar.advance(weight.saturating_mul(got as u64));
        }
        Ok(got)
    }
}

impl Seek for FileWithBar {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
