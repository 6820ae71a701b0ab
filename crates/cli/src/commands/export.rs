//! `moviola export`: recordings as tables for other programs.

use crate::cli::{Talk, choice};
use crate::failure::{self, Outcome};
use crate::input::{Again, Input, Recursive, list, printable};
use crate::inside;
use crate::leftovers::make_folder;
use crate::output::{Destination, Kind, Output, not_stdout, sweep};
use crate::parallel::in_order;
use crate::progress::Bar;
use crate::units;
use anyhow::{Result, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use moviola::export::schema::{Row, Table};
use moviola::export::{Files, Form, Id, Word, harvest, tables, tics};
use std::collections::BTreeSet;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const MORE: &str = "\
Each table becomes a folder, and each recording a file in it, named by the id
that joins the tables: DIR/ticks/ID.parquet. All rows of a table are read at
once with ticks/*.parquet. Folders and containers are looked into; what is
there already is left as it is, so that a run goes on where one was stopped. A
file that cannot be read stops nothing.

Tables: recordings, levels, players, kills, damages, pickups, positions (of all
players), shots, chat, items (what lay where, and who took it), ticks (the
recording player after each block), entities (each in each block), events, and
if named messages (every field of every message). Of DOOM's and Duke's recordings
of input: tics (what each player pressed in each tic). docs/schema.md has their
columns, docs/export.md has queries.

Examples:
  moviola export demos -o tables
  moviola export run.dem --to csv --tables ticks -o tables
  moviola export demos --shard 3/64 -o tables    the third of 64 equal parts";

/// Turn recordings into tables: Parquet, CSV, JSON Lines
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// Recordings, folders and containers.
    #[arg(required = true, value_name = "FILE|DIR")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    habit: Recursive,
    /// The form of the tables.
    #[arg(long, value_name = "FORM", default_value = Form::ALL[0].name(), value_parser = choice(Form::ALL, |it| it.name()))]
    to: Form,
    /// Write into DIR, which is made if it is not there.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// In CSV, put an apostrophe before texts that a spreadsheet would take for formulas.
    #[arg(long)]
    safe_csv: bool,
    /// Tables to write [default: all but `messages`].
    #[arg(long, value_name = "TABLE,...", value_delimiter = ',', value_parser = table())]
    tables: Vec<&'static Table>,
    /// Export one of N equal parts of all recordings: I is from 1 to N. Which part a recording is in depends on its
    /// bytes alone.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
    /// Write the tables of all recordings, also of those that have them already.
    #[arg(long)]
    force: bool,
}

/// A table of Quake's recordings, or of recordings of input.
fn table() -> impl TypedValueParser<Value = &'static Table> {
    let all = || tables::ALL.iter().chain(tics::ALL).copied();
    let find = move |word: String| all().find(|it| it.name == word);
    PossibleValuesParser::new(all().map(|it| it.name))
        .try_map(move |word| find(word).ok_or("nothing is called so"))
}

fn is_of_input(table: &Table) -> bool {
    tics::ALL.iter().any(|it| it.name == table.name)
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    parts.filter(|(part, of)| (1..=*of).contains(part)).ok_or_else(|| "say I/N, with I from 1 to N".into())
}

/// The result for a file.
enum Done {
    Exported {
        bytes: u64,
        damaged: bool,
    },
    /// All of its tables exist already.
    There,
    /// The same recording was among the earlier files.
    Twice,
    OtherShard,
    /// With the name of the file.
    NoRecording(String),
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    if !options.tables.is_empty() && options.tables.iter().all(|table| is_of_input(table)) {
        bail!("the table `{}` is of recordings of input, and none is named", tics::TICS.name);
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
    let seen = Mutex::new(BTreeSet::new());
    in_order(
        &files,
        |(file, found)| inside::each(file, &bar, *found, |input| one(input, *found, options, &seen, &bar)),
        |results| {
            bar.aside(|| results.into_iter().for_each(|result| tally.add(result)));
            true
        },
    );
    bar.finish();
    if !talk.quiet {
        tally.close(&options.output);
    }
    Ok(if tally.failed > 0 { Outcome::Trouble } else { Outcome::Good })
}

/// Removes the remains of killed runs in all folders that an export writes to: this run may have nothing to
/// write into some of them, and would never look there.
fn sweep_all(folder: &Path) {
    for table in tables::ALL {
        let folder = folder.join(table.name);
        if folder.is_dir() {
            sweep(&folder);
        }
    }
}

fn one(
    mut input: Input,
    found: bool,
    options: &Options,
    seen: &Mutex<BTreeSet<Id>>,
    bar: &Bar,
) -> Result<Done> {
    let size = input.size().unwrap_or_default();
    if !input.is_recording()? {
        if !found {
            return Err(input.no_recording());
        }
        bar.advance(size);
        return Ok(Done::NoRecording(input.name().to_owned()));
    }
    let again = Again::new(input)?;
    let id = Id::of(again.open()?)?;
    let not_here = match options.shard {
        Some((part, of)) if id.shard(of) != part - 1 => Some(Done::OtherShard),
        _ if !seen.lock().unwrap_or_else(PoisonError::into_inner).insert(id) => Some(Done::Twice),
        _ => None,
    };
    let targets = targets(id, options);
    if let Some(done) = not_here.or_else(|| targets.is_empty().then_some(Done::There)) {
        bar.advance(size);
        return Ok(done);
    }
    let mut files = Files::new(options.to);
    if options.safe_csv {
        files = files.safe_for_spreadsheets();
    }
    for (table, path) in &targets {
        files.add(table, open(path, options.force)?)?;
    }
    let harvest = harvest(again.watched(bar)?, id, again.name(), &mut files)?;
    for (_, writer) in files.finish()? {
        Output::finish(writer)?;
    }
    let recording = &harvest.recording;
    Ok(Done::Exported { bytes: recording.bytes as u64, damaged: recording.damaged_blocks > 0 })
}

/// The files to make.
fn targets(id: Id, options: &Options) -> Vec<(&'static Table, PathBuf)> {
    let usual = |table: &&'static Table| table.name != tables::Messages::TABLE.name;
    let wanted: Vec<&'static Table> = match options.tables.as_slice() {
        [] => tables::ALL.iter().copied().filter(usual).collect(),
        named => named.iter().copied().filter(|table| !is_of_input(table)).collect(),
    };
    let place = |table: &'static Table| (table, place(&options.output, table, &id.word(), options.to));
    wanted.into_iter().map(place).filter(|(_, path)| options.force || !path.exists()).collect()
}

fn place(folder: &Path, table: &Table, id: &Word, form: Form) -> PathBuf {
    folder.join(table.name).join(format!("{}.{}", id.as_str(), form.name()))
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
    there: u64,
    twice: u64,
    elsewhere: u64,
    /// The names of files that are not recordings.
    others: Vec<String>,
    failed: u64,
}

/// At most this many files that are no recordings are named.
const NAMED: usize = 5;

impl Tally {
    fn trouble(&mut self, line: &str) {
        failure::say(line);
        self.failed += 1;
    }

    fn add(&mut self, result: Result<Done, String>) {
        match result {
            Ok(Done::Exported { bytes, damaged }) => {
                self.exported += 1;
                self.bytes += bytes;
                self.damaged += u64::from(damaged);
            }
            Ok(Done::There) => self.there += 1,
            Ok(Done::Twice) => self.twice += 1,
            Ok(Done::OtherShard) => self.elsewhere += 1,
            Ok(Done::NoRecording(name)) => self.others.push(name),
            Err(line) => self.trouble(&line),
        }
    }

    fn close(&self, folder: &Path) {
        let recordings = units::things(self.exported, "recording");
        let bytes = units::things(self.bytes, "byte");
        failure::line(&format!("{recordings} with {bytes} exported into {}", printable(folder)));
        let rest = [
            (
                self.damaged,
                "with blocks that were not read to their end: see `damaged_blocks` of `recordings`",
            ),
            (self.there, "left as they were: there already, --force makes them anew"),
            (self.twice, "the same as another"),
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
            failure::line(&format!("  {} no recordings: {named}{more}", units::count(others as u64)));
        }
    }
}
