//! `moviola unpack`: extracts the files of a container.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{one_stdin, printable};
use crate::inside::{Inside, WantedFiles};
use crate::leftovers::make_folder;
use crate::output::{Destination, Kind, Output, not_stdout};
use crate::progress::Bar;
use crate::units;
use anyhow::{Result, anyhow};
use clap::Args;
use moviola::container::{ContainerEntry, ContainerFault, WalkOptions, safe_path};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Dzip (.dz), zip (.zip, .pk3), PAK and gzip files are recognized by content. An
archive inside an archive becomes a folder. Names that lead out of DIR, or that
some system does not allow, are changed; the second of two files with the same
name becomes `name~2`. Files are checked where the archive has a checksum, and get
the date in the archive; most archives give it without a time zone, and it is read
as UTC.

With --damaged, the files of a truncated zip or Dzip archive are found without its
directory. Dzip has names only there: without it the files are called unnamed1,
unnamed2 and so on, with .dem if they are recordings of Quake.

Examples:
  moviola unpack runs.dz
  moviola unpack *.dz -o runs
  moviola unpack runs.zip:pak0.pak:demo1.dem
  moviola unpack --damaged torn.dz -o runs     everything that can still be read
  moviola unpack --whole runs.zip -o runs      keeps pak0.pak as one file";

/// Extract files from .dz, .zip, .pk3, .pak and .gz files
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct UnpackArgs {
    /// The containers, or a part of one after a colon; `-` is standard input.
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Write into DIR, which is created if necessary.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
    /// Extract everything that can still be read from a damaged or truncated archive; `repair` can repair its
    /// recordings.
    #[arg(long)]
    damaged: bool,
    /// Do not open archives inside the archive.
    #[arg(long)]
    whole: bool,
}

pub(crate) fn run(options: &UnpackArgs, talk: Verbosity) -> Result<Outcome> {
    not_stdout(&options.output)?;
    one_stdin(&options.inputs)?;
    let size =
        options.inputs.iter().filter_map(|input| fs::metadata(input).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(size), talk.quiet);
    let is_new = !options.output.exists();
    let mut job = UnpackJob {
        options,
        verbosity: talk,
        bar: &bar,
        names: Names::default(),
        files: 0,
        bytes: 0,
        outcome: Outcome::Good,
    };
    for input in &options.inputs {
        match job.unpack(input) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                job.outcome = Outcome::Trouble;
                bar.aside(|| failure::print_error(&failure::words(&error)));
            }
        }
    }
    bar.finish();
    if job.files == 0 && is_new {
        // The folder is removed only if it is empty.
        let _ = fs::remove_dir(&options.output);
    }
    if !talk.quiet && (job.files > 0 || job.outcome == Outcome::Good) {
        let folder = printable(&options.output);
        let (files, bytes) = (units::counted(job.files, "file"), units::counted(job.bytes, "byte"));
        failure::line(&format!("{files} with {bytes} unpacked into {folder}"));
    }
    Ok(job.outcome)
}

/// The job: the options, and the results so far.
struct UnpackJob<'o> {
    options: &'o UnpackArgs,
    verbosity: Verbosity,
    bar: &'o Bar,
    names: Names,
    files: u64,
    bytes: u64,
    outcome: Outcome,
}

impl UnpackJob<'_> {
    /// Extracts everything from a container. Returns false if nothing more can be written.
    fn unpack(&mut self, input: &Path) -> Result<bool> {
        let UnpackArgs { whole, damaged, .. } = *self.options;
        let how = WalkOptions { nested: !whole, damaged, ..WalkOptions::default() };
        let mut inside = Inside::open(input, self.bar, how)?;
        make_folder(&self.options.output)?;
        let mut is_empty = true;
        while let Some(entry) = inside.next_entry() {
            is_empty = false;
            match entry.and_then(|entry| unpack(entry, inside.file(), self.options, &mut self.names)) {
                Ok(unpacked) => self.count(unpacked),
                Err(error) => {
                    self.outcome = Outcome::Trouble;
                    self.bar.aside(|| failure::print_error(&format!("{error:#}")));
                    if is_for_all(&error) {
                        return Ok(false);
                    }
                }
            }
        }
        if is_empty { Err(inside.nothing(WantedFiles::Files)) } else { Ok(true) }
    }

    fn count(&mut self, Unpacked { path, size, damage }: Unpacked) {
        self.files += 1;
        self.bytes += size;
        if let Some(damage) = damage {
            self.outcome = Outcome::Trouble;
            let (name, size) = (printable(&path), units::counted(size, "byte"));
            self.bar.aside(|| {
                failure::print_error(&format!("{damage}: {name} has the {size} before that place"));
            });
        }
        if self.verbosity.verbose {
            let line = format!("{}: {}", printable(&path), units::counted(size, "byte"));
            self.bar.aside(|| failure::line(&line));
        }
    }
}

/// Whether the remaining files would all fail in the same way.
fn is_for_all(error: &anyhow::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    matches!(kind, Some(PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull))
}

/// A file that was written.
struct Unpacked {
    path: PathBuf,
    size: u64,
    /// The reason why it is not whole.
    damage: Option<io::Error>,
}

/// Writes one file.
fn unpack(
    mut entry: ContainerEntry,
    container: &Path,
    options: &UnpackArgs,
    names: &mut Names,
) -> Result<Unpacked> {
    let inner = match entry.path() {
        "" => {
            let name = container.file_name().unwrap_or_default().to_string_lossy();
            without_gz(&name).map_or_else(|| format!("{name}.out"), str::to_owned)
        }
        path if entry.is_gunzipped() => without_gz(path).unwrap_or(path).to_owned(),
        path => path.to_owned(),
    };
    let printable_path = printable(Path::new(&inner));
    let Some(safe) = safe_path(&inner) else {
        return Err(anyhow!("cannot unpack {printable_path}: its name cannot be the name of a file"));
    };
    let path = names.of(&options.output.join(safe));
    if let Some(link) = link_below(&options.output, &path) {
        return Err(anyhow!(
            "cannot unpack {printable_path}: {} is a symbolic link, which is not followed",
            printable(&link)
        ));
    }
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let target = Destination { output: Some(path.clone()), force: options.force };
    let mut writer = target.open(Kind::Recording)?.buffered();
    let modified = entry.modified();
    let damage = match io::copy(&mut entry, &mut writer) {
        Ok(_) => None,
        // The error comes from the writer, and has its file name already.
        Err(error) if error.get_ref().is_some() && ContainerFault::of(&error).is_none() => {
            return Err(error.into());
        }
        Err(error) => {
            let damage = failure::named(&error, "cannot unpack", &printable_path);
            Some(if options.damaged { damage } else { return Err(damage.into()) })
        }
    };
    Output::finish(writer)?;
    if let Some(modified) = modified {
        // The extracted file is whole; a system that cannot store the date is not a reason to fail.
        let _ = fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(modified));
    }
    let size = fs::metadata(&path).map_or(0, |about| about.len());
    Ok(Unpacked { path, size, damage })
}

/// The first symbolic link on the way from a folder to a path in it. An archive may contain links, or the
/// folder may have some; files that are written through them can land anywhere.
fn link_below(folder: &Path, path: &Path) -> Option<PathBuf> {
    let rest = path.strip_prefix(folder).ok()?;
    let mut place = folder.to_owned();
    rest.components().find_map(|part| {
        place.push(part);
        fs::symlink_metadata(&place).is_ok_and(|about| about.is_symlink()).then(|| place.clone())
    })
}

/// The content of a gzip file has the file's name without its last extension.
fn without_gz(name: &str) -> Option<&str> {
    let stem = name.get(..name.len().checked_sub(3)?)?;
    (name.to_ascii_lowercase().ends_with(".gz") && !stem.is_empty()).then_some(stem)
}

/// The files that were written, so that none replaces another: archives may have a name twice.
#[derive(Default)]
struct Names {
    used_paths: BTreeSet<PathBuf>,
    /// The last number that a path got, so that the next file of its name need not try all numbers.
    last: BTreeMap<PathBuf, u32>,
}

impl Names {
    /// A path to which no file was written yet.
    fn of(&mut self, path: &Path) -> PathBuf {
        let mut free = path.to_owned();
        let mut number = self.last.get(path).copied().unwrap_or(1);
        while self.is_taken(&free) {
            number += 1;
            let mut name = path.file_stem().unwrap_or_default().to_owned();
            name.push(format!("~{number}"));
            if let Some(extension) = path.extension() {
                name.push(".");
                name.push(extension);
            }
            free.set_file_name(name);
        }
        if number > 1 {
            self.last.insert(path.to_owned(), number);
        }
        self.used_paths.insert(lower(&free));
        self.used_paths.insert(free.clone());
        free
    }

    /// Whether a file was written to it, perhaps with other capitals, where the system treats these as the
    /// same.
    fn is_taken(&self, path: &Path) -> bool {
        self.used_paths.contains(path) || self.used_paths.contains(&lower(path)) && path.exists()
    }
}

fn lower(path: &Path) -> PathBuf {
    path.to_string_lossy().to_lowercase().into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::link_below;
    use std::fs;
    use std::path::Path;

    #[test]
    fn links_below_the_folder_are_seen() {
        let folder = std::env::temp_dir().join(format!("moviola-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("real")).unwrap();
        std::os::unix::fs::symlink("/", folder.join("away")).unwrap();
        assert_eq!(link_below(&folder, &folder.join("real/x.dem")), None);
        assert_eq!(link_below(&folder, &folder.join("away/x.dem")), Some(folder.join("away")));
        assert_eq!(link_below(Path::new("."), Path::new("./x.dem")), None);
        fs::remove_dir_all(folder).unwrap();
    }
}
