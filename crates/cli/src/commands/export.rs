//! `moviola export`: recordings as tables for other programs.

use crate::cli::{Verbosity, choice};
use crate::failure::{self, Outcome};
use crate::input::{Input, Recursive, ReopenableInput, list, printable};
use crate::inside;
use crate::leftovers::make_folder;
use crate::output::{Destination, Kind, Output, not_stdout, remove_leftovers};
use crate::parallel::in_order;
use crate::progress::Bar;
use crate::units;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use moviola::export::schema::{Row, Table};
use moviola::export::{Files, Harvest, Id, TableFormat, harvest, passes, tables, tics};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const AFTER_HELP: &str = "\
Each table becomes a folder, and each recording a file in it, named by the id
that joins the tables: DIR/ticks/ID.parquet. ticks/*.parquet reads all rows of a
table at once. Folders and containers are searched. Existing files stay as they
are, so that an interrupted run can continue. A file that cannot be read does not
stop the others.

Tables: recordings, levels, players, kills, damages, pickups, positions (of all
players), shots, chat, items (their positions, and who took them), ticks (the
recorder after each block), entities (each in each block), events, and messages
(every field of every message; only if named). For recordings of input by DOOM and
Duke: tics (the keys of each player in each tic). docs/schema.md lists the columns,
docs/export.md has queries.

Examples:
  moviola export demos -o tables
  moviola export run.dem --to csv --tables ticks -o tables
  moviola export demos --shard 3/64 -o tables    the third of 64 equal parts";

/// Export recordings as tables: Parquet, CSV, JSON Lines
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ExportArgs {
    /// Recordings, folders and containers.
    #[arg(required = true, value_name = "FILE|DIR")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    habit: Recursive,
    /// The form of the tables.
    #[arg(long, value_name = "FORM", default_value = TableFormat::ALL[0].name(), value_parser = choice(TableFormat::ALL, |it| it.name()))]
    to: TableFormat,
    /// Write into DIR, which is created if necessary.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// In CSV, put an apostrophe before texts that a spreadsheet would take for formulas.
    #[arg(long)]
    safe_csv: bool,
    /// Tables to write [default: all but `messages`].
    #[arg(long, value_name = "TABLE,...", value_delimiter = ',', value_parser = table())]
    tables: Vec<&'static Table>,
    /// Export one of N equal parts of all recordings; I is 1 to N. The bytes of a recording alone decide in which part
    /// it is.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
    /// Write the tables of all recordings, even if they exist already.
    #[arg(long)]
    force: bool,
}

/// A table of Quake's recordings, or of recordings of input.
fn table() -> impl TypedValueParser<Value = &'static Table> {
    let all = || tables::ALL.iter().chain(tics::ALL).copied();
    let find = move |word: String| all().find(|it| it.name == word);
    PossibleValuesParser::new(all().map(|it| it.name))
        .try_map(move |word| find(word).ok_or("it is not one of these"))
}

fn is_of_input(table: &Table) -> bool {
    tics::ALL.iter().any(|it| it.name == table.name)
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    parts.filter(|(part, of)| (1..=*of).contains(part)).ok_or_else(|| "give I/N, with I from 1 to N".into())
}

/// The result for a file.
enum FileResult {
    Exported {
        bytes: u64,
        damaged: bool,
    },
    /// All of its tables exist already.
    There,
    /// An earlier file contains the same recording.
    Twice,
    OtherShard,
    /// It is not a recording; with the name of the file.
    NoRecording(String),
}

pub(crate) fn run(options: &ExportArgs, talk: Verbosity) -> Result<Outcome> {
    if !options.tables.is_empty() && options.tables.iter().all(|table| is_of_input(table)) {
        bail!("the table `{}` is for recordings of input, and none was named", tics::TICS.name);
    }
    let (files, wrong) = list(&options.inputs);
    let mut tally = Tally::default();
    for line in &wrong {
        tally.trouble(line);
    }
    not_stdout(&options.output)?;
    make_folder(&options.output)?;
    sweep_all(&options.output);
    let total = files.iter().filter_map(|(file, _)| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), talk.quiet);
    let run = Run { options, bar: &bar, seen_ids: Mutex::new(BTreeSet::new()), busy: AtomicUsize::new(0) };
    in_order(
        &files,
        |(file, found)| inside::each(file, &bar, *found, |input| run.export_file(input, *found)),
        |results| {
            bar.aside(|| results.into_iter().for_each(|result| tally.add(result)));
            true
        },
    );
    bar.finish();
    if !talk.quiet {
        tally.print_summary(&options.output);
    }
    Ok(if tally.failed > 0 { Outcome::Trouble } else { Outcome::Good })
}

/// Removes the remains of killed runs in all folders that an export writes to: this run may have nothing to
/// write into some of them, and would never look there.
fn sweep_all(folder: &Path) {
    for table in tables::ALL {
        let folder = folder.join(table.name);
        if folder.is_dir() {
            remove_leftovers(&folder);
        }
    }
}

/// A recording of at least this many bytes is made by all idle cores together.
const LARGE: u64 = 1 << 20;

/// The state that all recordings of a run share.
struct Run<'a> {
    options: &'a ExportArgs,
    bar: &'a Bar,
    seen_ids: Mutex<BTreeSet<Id>>,
    /// How many recordings are being exported.
    busy: AtomicUsize,
}

impl Run<'_> {
    fn export_file(&self, mut input: Input, found: bool) -> Result<FileResult> {
        let Self { options, bar, seen_ids: seen, .. } = self;
        let size = input.size().unwrap_or_default();
        if !input.is_recording()? {
            if !found {
                return Err(input.no_recording());
            }
            bar.advance(size);
            return Ok(FileResult::NoRecording(input.name().to_owned()));
        }
        let reopenable = ReopenableInput::new(input)?;
        let id = Id::of(reopenable.open()?)?;
        let not_here = match options.shard {
            Some((part, of)) if id.shard(of) != part - 1 => Some(FileResult::OtherShard),
            _ if !seen.lock().unwrap_or_else(PoisonError::into_inner).insert(id) => Some(FileResult::Twice),
            _ => None,
        };
        let targets = targets(id, options);
        if let Some(done) = not_here.or_else(|| targets.is_empty().then_some(FileResult::There)) {
            bar.advance(size);
            return Ok(done);
        }
        let busy = self.busy.fetch_add(1, Ordering::Relaxed);
        let made = self.tables(&reopenable, id, targets, if size < LARGE { usize::MAX } else { busy });
        self.busy.fetch_sub(1, Ordering::Relaxed);
        let harvest = made?;
        let recording = &harvest.recording;
        Ok(FileResult::Exported { bytes: recording.bytes as u64, damaged: recording.damaged_blocks > 0 })
    }

    /// Makes the tables of a recording, on all cores that no other recording uses (`busy_threads`).
    fn tables(
        &self,
        reopenable: &ReopenableInput,
        id: Id,
        tables: Vec<&'static Table>,
        busy_threads: usize,
    ) -> Result<Harvest> {
        let parts = passes(tables, rayon::current_num_threads().saturating_sub(busy_threads));
        let make = |(at, part): (usize, &Vec<&'static Table>)| {
            let mut files = Files::new(self.options.to);
            if self.options.safe_csv {
                files = files.safe_for_spreadsheets();
            }
            for table in part {
                files.add(table, open(&place(table, id, self.options), self.options.force)?)?;
            }
            // Each part reads the recording; the bar counts one of them.
            let source = if at == 0 { reopenable.watched(self.bar)? } else { reopenable.open()? };
            let harvest = harvest(source, id, reopenable.name(), &mut files)?;
            for (_, writer) in files.finish()? {
                Output::finish(writer)?;
            }
            Ok(harvest)
        };
        let mut harvests = parts.par_iter().enumerate().map(make).collect::<Result<Vec<Harvest>>>()?;
        harvests.pop().ok_or_else(|| anyhow!("there are no tables"))
    }
}

/// The tables to make.
fn targets(id: Id, options: &ExportArgs) -> Vec<&'static Table> {
    let usual = |table: &&'static Table| table.name != tables::Messages::TABLE.name;
    let wanted: Vec<&'static Table> = match options.tables.as_slice() {
        [] => tables::ALL.iter().copied().filter(usual).collect(),
        named => named.iter().copied().filter(|table| !is_of_input(table)).collect(),
    };
    wanted.into_iter().filter(|table| options.force || !place(table, id, options).exists()).collect()
}

fn place(table: &Table, id: Id, options: &ExportArgs) -> PathBuf {
    options.output.join(table.name).join(format!("{}.{}", id.word().as_str(), options.to.name()))
}

/// Opens the file of a table for one recording.
fn open(path: &Path, force: bool) -> Result<BufWriter<Output>> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let target = Destination { output: Some(path.to_owned()), force };
    Ok(target.open(Kind::Recording)?.buffered())
}

/// The results for all files.
#[derive(Default)]
struct Tally {
    exported: u64,
    bytes: u64,
    damaged: u64,
    already_there: u64,
    duplicates: u64,
    elsewhere: u64,
    /// The names of files that are not recordings.
    others: Vec<String>,
    failed: u64,
}

/// At most this many files that are not recordings are named.
const NAMED: usize = 5;

impl Tally {
    fn trouble(&mut self, line: &str) {
        failure::print_error(line);
        self.failed += 1;
    }

    fn add(&mut self, result: Result<FileResult, String>) {
        match result {
            Ok(FileResult::Exported { bytes, damaged }) => {
                self.exported += 1;
                self.bytes += bytes;
                self.damaged += u64::from(damaged);
            }
            Ok(FileResult::There) => self.already_there += 1,
            Ok(FileResult::Twice) => self.duplicates += 1,
            Ok(FileResult::OtherShard) => self.elsewhere += 1,
            Ok(FileResult::NoRecording(name)) => self.others.push(name),
            Err(line) => self.trouble(&line),
        }
    }

    fn print_summary(&self, folder: &Path) {
        let recordings = units::counted(self.exported, "recording");
        let bytes = units::counted(self.bytes, "byte");
        failure::line(&format!("{recordings} with {bytes} exported into {}", printable(folder)));
        let rest = [
            (
                self.damaged,
                "with blocks that could not be read completely: see `damaged_blocks` of `recordings`",
            ),
            (self.already_there, "left as they were: they exist already, and --force makes them anew"),
            (self.duplicates, "the same as another"),
            (self.elsewhere, "in another part"),
            (self.failed, "failed: see above"),
        ];
        for (count, what) in rest.iter().filter(|(count, _)| *count > 0) {
            failure::line(&format!("  {} {what}", units::count(*count)));
        }
        let others = self.others.len();
        if others > 0 {
            let more = if others > NAMED { ", ..." } else { "" };
            let named = self.others.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            failure::line(&format!("  {} not recordings: {named}{more}", units::count(others as u64)));
        }
    }
}
