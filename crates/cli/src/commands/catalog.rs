//! `moviola catalog`: an archive's index, a row for each recording.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Recursive, printable};
use crate::leftovers::Leftover;
use crate::output::{Destination, Kind, Output};
use crate::survey::{Survey, here_and_elsewhere, survey};
use crate::units;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use moviola::catalog::{Catalog, Depth};
use moviola::export::TableFormat;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
A row has the path (also inside containers), the hash of the bytes, game, protocol,
engine, maps, players, length, times, kills and the findings of `check`;
docs/schema.md lists the columns. If two recordings have the same bytes, the
second row names the first. The hash is the id by which the tables of `export`
are named.

An existing FILE is updated: the rows of files with the same size and time stay as
they are, as do the rows of folders that cannot be read and of folders other than
DIR. A second run on FILE waits for the first. After Ctrl-C, FILE contains the
recordings that were read so far and the earlier ones, and the same command
continues from there. --force builds FILE from DIR alone.

Examples:
  moviola catalog demos -o demos.parquet
  moviola catalog --quick /archive -o archive.csv
  moviola find demos.parquet 'map=e1m1 length<2:00'
  duckdb -c \"select unnest(maps), count(*) from 'demos.parquet' group by 1\"";

/// Create or update the catalog of an archive: a row for every recording
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CatalogArgs {
    /// Folders, containers and recordings.
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    habit: Recursive,
    /// The catalog; its extension selects the form: .parquet, .csv or .jsonl.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write only the columns that need no events: format, hash, length and the like.
    #[arg(long)]
    quick: bool,
    /// Replace FILE even if it is not a catalog, and read all recordings anew.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(options: &CatalogArgs, talk: Verbosity) -> Result<Outcome> {
    let path = &options.output;
    let Some(form) = form(path) else {
        bail!("{}: a catalog's name ends in .parquet, .csv or .jsonl", printable(path));
    };
    let _lock = lock(path, talk);
    let old = if options.force { None } else { read(path, form)? };
    let is_update = old.is_some();
    let (here, elsewhere) = here_and_elsewhere(old.unwrap_or_default().into_rows(), &options.paths);
    let before = here.rows().len() as u64;
    let depth = if options.quick { Depth::Quick } else { Depth::Full };
    let mut found = survey(&options.paths, depth, &here.known(), talk.quiet);
    if found.catalog.rows().is_empty() && before > 0 {
        let (name, before) = (printable(path), units::counted(before, "recording"));
        bail!(
            "no recording is left there: {name}, with {before} of it, stays as it was; --force writes it anew"
        );
    }
    found.add_elsewhere(elsewhere);
    let target = Destination { output: Some(path.clone()), force: is_update || options.force };
    let out = found.catalog.write(form, target.open(Kind::Recording)?.buffered())?;
    Output::finish(out)?;
    if !talk.quiet {
        print_summary(&found, path);
    }
    Ok(match found.failed {
        _ if found.stopped => Outcome::Interrupted,
        0 => Outcome::Good,
        _ => Outcome::Trouble,
    })
}

/// Keeps other runs away from the catalog while this one reads and writes it: of two runs that both read the
/// old rows, the second would overwrite those of the first. Waits for a run that has the lock. Where files
/// cannot be locked, there is no lock.
fn lock(path: &Path, talk: Verbosity) -> Option<Lock> {
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(".lock");
    let place = path.with_file_name(name);
    loop {
        let file = File::options().create(true).truncate(false).write(true).open(&place).ok()?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                if !talk.quiet {
                    failure::line(&format!("waiting for another run that writes {}", printable(path)));
                }
                file.lock().ok()?;
            }
            Err(TryLockError::Error(_)) => return None,
        }
        // The previous run removed the locked file: others will make a new one.
        if is_at(&file, &place) {
            return Some(Lock { _file: file, _place: Leftover::new(place) });
        }
    }
}

/// Whether an open file is still the one of a name. On systems that do not show this, an open file cannot be
/// removed either.
fn is_at(file: &File, place: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let inode = |about: std::io::Result<fs::Metadata>| about.ok().map(|about| (about.dev(), about.ino()));
        let own = inode(file.metadata());
        own.is_some() && own == inode(fs::metadata(place))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        place.exists()
    }
}

/// A locked file, which is removed and unlocked when this is dropped.
struct Lock {
    _place: Leftover,
    _file: File,
}

/// The form of a catalog, by its name.
pub(crate) fn form(path: &Path) -> Option<TableFormat> {
    TableFormat::of(path.extension()?.to_str()?)
}

/// Reads the catalog, if it exists.
pub(crate) fn read(path: &Path, form: TableFormat) -> Result<Option<Catalog>> {
    let name = printable(path);
    match fs::read(path) {
        Ok(bytes) => Catalog::read(form, bytes).map(Some).map_err(|error| {
            anyhow!("{name} is not a catalog ({error}): choose another, or make one with --force")
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failure::named(&error, "cannot read", &name).into()),
    }
}

fn print_summary(found: &Survey, path: &Path) {
    let recordings = units::counted(found.catalog.rows().len() as u64, "recording");
    let begin = if found.stopped { "interrupted: " } else { "" };
    failure::line(&format!("{begin}{recordings} in {}", printable(path)));
    for (count, what) in [
        (found.read, "read"),
        (found.known, "known: not changed since"),
        (found.kept, "kept as they were: not read again"),
        (found.elsewhere, "kept: in other folders than the named ones"),
        (found.catalog.twice() as u64, "the same as another: see `same_as`"),
        (found.others, "left out: not recordings"),
        (found.failed, "failed: see above"),
    ] {
        if count > 0 {
            failure::line(&format!("  {} {what}", units::count(count)));
        }
    }
    if found.stopped {
        failure::line("  the same command goes on from here");
    }
}
