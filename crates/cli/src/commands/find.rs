//! `moviola find`: the recordings of a folder or a catalog that have what is asked for.

use super::catalog;
use crate::cli::Talk;
use crate::exact;
use crate::failure::{self, Outcome};
use crate::input::{Recursive, printable};
use crate::survey::survey;
use crate::table::{Side, Table};
use crate::{render, units};
use anyhow::{Result, anyhow};
use clap::Args;
use moviola::catalog::{Known, Query, ROWS, Recording};
use moviola::export::{Files, Form, Words};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

const MORE: &str = "\
Conditions stand one after the other and must all hold; `or`, `not` and ( ) are
known. A condition is a column, a sign and a value, without blanks between them:

  map=e1m1           one of its maps is e1m1; capitals do not matter
  player~rang        a part of a name; !~ is the contrary, != that of =
  length<2:00        times are minutes and seconds; also <= > >=
  bytes>10M          sizes
  modified>=2020-07  years, months and days of changes
  engine=none        nothing is known of it
  player=\"Al B.\"     blanks stand in quotes
  ranger             a word alone: in the names of files, maps and players

The columns are those of `moviola catalog`; docs/schema.md has them. Without a
catalog, files are scanned on the fly; a catalog answers at once.

Examples:
  moviola find demos 'map=e1m1 player~\"ranger\" length<2:00'
  moviola find demos.parquet 'protocol=666 or protocol=999'
  moviola find lmps 'engine~dsda complevel=9 wads~sunder category=uv'
  moviola find -l demos 'severity=error' | xargs -d '\\n' moviola check
  moviola find --json archive.csv 'not same_as=none'";

/// Find recordings in a folder or a catalog: map=e1m1 length<2:00
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// A folder, a container, a recording, or what `catalog` made.
    #[arg(value_name = "DIR|CATALOG")]
    place: PathBuf,
    /// What is asked for; several words are one question.
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    #[command(flatten)]
    habit: Recursive,
    /// Print the names of the files only, one a line.
    #[arg(short, long = "list", conflicts_with = "json")]
    list: bool,
    /// Print all that is known of each, as JSON Lines.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let question = options.question.join(" ");
    let query = match Query::parse(&question) {
        Ok(query) => query,
        Err(mistake) => {
            render::question(&mistake, &question);
            return Ok(Outcome::Trouble);
        }
    };
    let place = &options.place;
    let (catalog, failed) = if let Some(form) = catalog::form(place).filter(|_| !place.is_dir()) {
        let there = catalog::read(place, form)?;
        (there.ok_or_else(|| anyhow!("cannot read {}: there is no such file", printable(place)))?, false)
    } else {
        let mut found = survey(std::slice::from_ref(place), query.depth(), &Known::default(), talk.quiet);
        if found.stopped {
            failure::line("interrupted: not everything was looked at");
            return Ok(Outcome::Interrupted);
        }
        found.catalog.mark();
        (found.catalog, found.failed > 0)
    };
    let untold = catalog.rows().iter().filter(|row| query.needs_more(row)).count() as u64;
    if untold > 0 {
        let (name, untold) = (printable(place), units::things(untold, "recording"));
        failure::say(&format!(
            "{name} was made with --quick: what happened in {untold} is not in it; `moviola catalog DIR -o {name}` \
             adds it"
        ));
    }
    let found: Vec<&Recording> = catalog.rows().iter().filter(|row| query.takes(row)).collect();
    print(&found, options)?;
    Ok(match (failed || untold > 0, found.is_empty()) {
        (true, _) => Outcome::Trouble,
        (false, true) => Outcome::Bad,
        (false, false) => Outcome::Good,
    })
}

fn print(found: &[&Recording], options: &Options) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if options.json {
        let mut files = Files::new(Form::Jsonl);
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
            // A line is a name; and bytes of a name must not command a terminal.
            let name = if to_terminal || name.contains(&b'\n') { row.file.as_str().as_bytes() } else { name };
            out.write_all(name)?;
            out.write_all(b"\n")
        })?;
    } else {
        use Side::{Left, Right};
        let mut table = Table::new([Left, Left, Right, Right, Left, Left]);
        let lines: Vec<[String; 6]> = found.iter().map(|row| line(row)).collect();
        for line in &lines {
            table.fit(line);
        }
        lines.iter().try_for_each(|line| writeln!(out, "{}", table.line(line)))?;
    }
    Ok(out.flush()?)
}

fn line(row: &Recording) -> [String; 6] {
    let names = |cell: &Words, most| units::few(&cell.iter().map(String::from).collect::<Vec<_>>(), most);
    let protocol = row.protocol.map_or_else(|| "-".into(), |it| it.to_string());
    let name = row.protocol_name.as_ref().map_or("", |it| it.as_str());
    [
        row.file.as_str().to_owned(),
        format!("{protocol} {name}").trim_end().to_owned(),
        row.length.map_or_else(|| "-".into(), units::time),
        units::things(row.bytes as u64, "byte"),
        names(&row.maps, 3),
        names(&row.players, 4),
    ]
}
