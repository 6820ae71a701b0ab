//! `moviola find`: the recordings of a folder or a catalog that answer a question.

use super::catalog;
use crate::cli::Verbosity;
use crate::exact;
use crate::failure::{self, Outcome};
use crate::input::{Recursive, printable};
use crate::survey::survey;
use crate::table::{Alignment, Table};
use crate::{render, units};
use anyhow::{Result, anyhow};
use clap::Args;
use moviola::catalog::{CatalogColumn, Depth, KnownFiles, Query, ROWS, Recording, moment};
use moviola::export::schema::{CellValue, Column, ColumnKind};
use moviola::export::{Files, TableFormat};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::str::FromStr;

const AFTER_HELP: &str = "\
Conditions are separated by spaces, and all must hold; `or`, `not` and ( ) work
too. A condition is a column, an operator and a value, without spaces between:

  map=e1m1           one of the maps is e1m1; case does not matter
  player~rang        contains this text; !~ is the opposite of ~, != that of =
  length<2:00        times are minutes and seconds; also <= > >=
  bytes>10M          sizes
  modified>=2020-07  years, months and days of changes
  team=red mode=2on2 host~berlin date>=2026-03 score>20
                     QuakeWorld's matches: date is that of the match
  engine=none        the engine is unknown
  player=\"Al B.\"     quotes around a value with spaces
  ranger             a word alone: in the names of files, maps and players

`players=3` compares the number of players. Recordings of input (DOOM's .lmp and
Duke's .dmo) have port, complevel, wads (including the game's own) and category.

The columns are those of `moviola catalog`; docs/schema.md lists them. Without a
catalog, files are scanned on the fly; a catalog answers at once.

--sort and --columns take the same columns. A column that is only used for sorting
is shown after the others; rows without a value come last.

Examples:
  moviola find demos 'map=e1m1 player~\"ranger\" length<2:00'
  moviola find demos.parquet 'protocol=666 or protocol=999'
  moviola find lmps 'port~dsda complevel=9 wads~sunder category=uv'
  moviola find -l demos 'severity=error' | xargs -d '\\n' moviola check
  moviola find demos map=e1m1 --sort time              the fastest run first
  moviola find demos --sort=-modified --columns modified,map,file
  moviola find --json archive.csv 'not same_as=none'";

/// Find recordings in a folder or a catalog: map=e1m1 length<2:00
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct FindArgs {
    /// A folder, a container, a recording or a catalog.
    #[arg(value_name = "DIR|CATALOG")]
    place: PathBuf,
    /// The conditions; several arguments are joined with spaces.
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    #[command(flatten)]
    habit: Recursive,
    /// Print only the names of the files, one a line.
    #[arg(short, long = "list", conflicts_with = "json")]
    list: bool,
    /// Print everything known about each recording, as JSON Lines.
    #[arg(long)]
    json: bool,
    /// Sort by a column: time, name, length, map and so on; -KEY puts the largest first.
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    sort: Option<Order>,
    /// Show these columns, under their names.
    #[arg(long, value_name = "KEY,...", value_delimiter = ',', conflicts_with_all = ["list", "json"])]
    columns: Vec<CatalogColumn>,
}

/// The column by which rows are sorted.
#[derive(Clone, Copy, Debug)]
struct Order {
    key: CatalogColumn,
    is_back: bool,
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let back = text.strip_prefix('-');
        Ok(Self { key: back.unwrap_or(text).parse()?, is_back: back.is_some() })
    }
}

impl FindArgs {
    /// The columns to show, and whether their names are shown.
    fn shown(&self) -> (Vec<CatalogColumn>, bool) {
        let mut columns = self.columns.clone();
        if columns.is_empty() {
            // The table has all of these columns.
            columns.extend(DEFAULT_COLUMNS.iter().filter_map(|name| name.parse::<CatalogColumn>().ok()));
        }
        // People who sort by a column want to see it.
        let more = self.sort.map(|order| order.key).filter(|key| !columns.contains(key));
        columns.extend(more);
        (columns, !self.columns.is_empty() || more.is_some())
    }

    /// The columns that are needed whatever the query is: those shown, and the one that sorts.
    fn needed(&self) -> impl Iterator<Item = CatalogColumn> {
        self.columns.iter().copied().chain(self.sort.map(|order| order.key))
    }
}

/// The columns that are shown without `--columns`.
const DEFAULT_COLUMNS: [&str; 6] = ["file", "protocol", "length", "bytes", "maps", "players"]; // not from SCHEMA: columns of a catalog

pub(crate) fn run(options: &FindArgs, talk: Verbosity) -> Result<Outcome> {
    let question = options.question.join(" ");
    let query = match Query::parse(&question) {
        Ok(query) => query,
        Err(mistake) => {
            render::question(&mistake);
            return Ok(Outcome::Trouble);
        }
    };
    let place = &options.place;
    let needs_full = options.needed().any(CatalogColumn::is_full);
    // All that is known includes a match's teams and score, which come from its events.
    let depth = if needs_full || options.json { Depth::Full } else { query.depth() };
    let (catalog, failed) = if let Some(form) = catalog::form(place).filter(|_| !place.is_dir()) {
        let there = catalog::read(place, form)?;
        (there.ok_or_else(|| anyhow!("cannot read {}: there is no such file", printable(place)))?, false)
    } else {
        let mut found = survey(std::slice::from_ref(place), depth, &KnownFiles::default(), talk.quiet);
        if found.stopped {
            failure::line("interrupted: the search is not complete");
            return Ok(Outcome::Interrupted);
        }
        found.catalog.mark();
        (found.catalog, found.failed > 0)
    };
    let is_without_events = |row: &&Recording| query.needs_more(row) || needs_full && row.findings.is_none();
    let without_events = catalog.rows().iter().filter(is_without_events).count() as u64;
    if without_events > 0 {
        let (name, without_events) = (printable(place), units::counted(without_events, "recording"));
        failure::print_error(&format!(
            "{name} was made with --quick: the events of {without_events} are not in it; `moviola catalog DIR -o {name}` \
             adds it"
        ));
    }
    let mut found: Vec<&Recording> = catalog.rows().iter().filter(|row| query.takes(row)).collect();
    match options.sort {
        Some(Order { key, is_back: true }) => found.sort_by(|one, other| key.compare_descending(one, other)),
        Some(Order { key, is_back: false }) => found.sort_by(|one, other| key.compare(one, other)),
        None => {}
    }
    print(&found, options)?;
    Ok(match (failed || without_events > 0, found.is_empty()) {
        (true, _) => Outcome::Trouble,
        (false, true) => Outcome::Bad,
        (false, false) => Outcome::Good,
    })
}

fn print(found: &[&Recording], options: &FindArgs) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if options.json {
        let mut files = Files::new(TableFormat::Jsonl);
        files.add(ROWS, Vec::new())?;
        found.iter().try_for_each(|row| files.row(*row))?;
        for (_, lines) in files.finish()? {
            out.write_all(&lines)?;
        }
    } else if options.list {
        let to_terminal = io::stdout().is_terminal();
        found.iter().try_for_each(|row| {
            let path = exact::path(row.file.as_str());
            let name = path.as_os_str().as_encoded_bytes();
            // Each line is a name; on a terminal its bytes must not act as commands.
            let name = if to_terminal || name.contains(&b'\n') { row.file.as_str().as_bytes() } else { name };
            out.write_all(name)?;
            out.write_all(b"\n")
        })?;
    } else {
        let (keys, has_names) = options.shown();
        let mut table = Table::new(keys.iter().map(|key| side(key.column())));
        let names = has_names.then(|| keys.iter().map(|key| key.column().name.to_uppercase()).collect());
        let rows = found.iter().map(|row| keys.iter().map(|key| cell(*key, row)).collect());
        let lines: Vec<Vec<String>> = names.into_iter().chain(rows).collect();
        for line in &lines {
            table.fit(line);
        }
        lines.iter().try_for_each(|line| writeln!(out, "{}", table.line(line)))?;
    }
    Ok(out.flush()?)
}

/// Numbers are aligned on the right, unless they are only names.
fn side(column: &Column) -> Alignment {
    match column.kind {
        ColumnKind::Text | ColumnKind::Name | ColumnKind::List => Alignment::Left,
        _ if matches!(column.name, "protocol" | "modified") => Alignment::Left, // not from SCHEMA: columns of a catalog
        _ => Alignment::Right,
    }
}

/// A cell in readable form; `-` if it is empty.
fn cell(key: CatalogColumn, row: &Recording) -> String {
    let Column { name, unit, .. } = *key.column();
    let whole_number = |number: i64| match unit {
        "bytes" => units::counted(number.unsigned_abs(), "byte"),
        "milliseconds" => moment(number),
        _ => number.to_string(),
    };
    let real = |number: f64| if unit == "seconds" { units::time(number) } else { number.to_string() };
    let cell = key.look(row, |value| match value {
        CellValue::Null => "-".into(),
        CellValue::Bool(it) => it.to_string(),
        CellValue::Int(it) => whole_number(it.into()),
        CellValue::Long(it) => whole_number(it),
        CellValue::Float(it) => real(it.into()),
        CellValue::Double(it) => real(it),
        CellValue::Text(word) if word.is_empty() => "-".into(),
        CellValue::Text(word) => word.as_str().to_owned(),
        CellValue::List(words) => {
            let most = if name == "maps" { 3 } else { 4 }; // not from SCHEMA: a column of a catalog
            units::few(&words.iter().map(String::from).collect::<Vec<_>>(), most)
        }
    });
    // The protocol's name stands beside its number.
    let more = row.protocol_name.as_ref().filter(|_| name == "protocol"); // not from SCHEMA: a column of a catalog
    let cell = match more {
        Some(more) if cell == "-" => more.as_str().to_owned(),
        Some(more) => format!("{cell} {}", more.as_str()),
        None => cell,
    };
    // Names in recordings may contain any bytes, and must not act as commands for a terminal.
    cell.trim_end().replace(char::is_control, "?")
}
