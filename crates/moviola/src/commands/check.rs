//! `moviola check`: is every byte understood, does it come back, and who can play it?

use crate::cli::Talk;
use crate::commands::info::Named;
use crate::failure::{self, Outcome};
use crate::input::{Again, Files, Input};
use crate::inside;
use crate::parallel::in_order;
use crate::progress::Bar;
use crate::{report, units};
use anyhow::Result;
use clap::Args;
use moviola::check::{self, Report, Stray};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Every message is written again and compared with the bytes that were read; then
the recording goes into text and back. `exact` says that both gave the same
bytes. Then come the findings, each with a code that `moviola explain` knows,
and the engines that play the recording, or why they do not.

Examples:
  moviola check run.dem
  moviola check -q -r demos        only what is not exact, and a summary
  moviola check --json *.dem | jq 'select(.exact | not) | .file'
  moviola check runs.dz            every recording in it
  cat run.dem | moviola check -

Exit codes:
  0  all are exact
  1  one is not
  2  a file could not be read";

/// Prove that recordings are read exactly, and say which engines play them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
    /// Print everything that was found, as JSON Lines.
    #[arg(long)]
    json: bool,
}

/// What was found out about a file.
#[derive(Serialize)]
pub(crate) struct Checked {
    #[serde(flatten)]
    pub(crate) report: Report,
    /// Why its own text is refused, which is a mistake of ours.
    pub(crate) refused: Option<String>,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    let mut tally = Tally { json: options.json, talk, many: options.files.are_many(), ..Tally::default() };
    for line in &wrong {
        tally.trouble(line);
    }
    // Each file is gone through twice.
    let total: u64 = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::steps(2 * total, talk.quiet && options.json);
    let mut result = Ok(());
    in_order(
        &files,
        |file| inside::each(file, &bar, 2, options.files.is_recursive(), |input| one(input, &bar)),
        |checked| {
            tally.many |= checked.len() > 1;
            result = bar.aside(|| checked.into_iter().try_for_each(|checked| tally.add(checked)));
            result.is_ok()
        },
    );
    bar.finish();
    result.and_then(|()| tally.close())?;
    Ok(tally.outcome())
}

fn one(input: Input, bar: &Bar) -> Result<(String, Checked)> {
    let again = Again::new(input)?;
    let report = check::check(again.watched(bar)?)?;
    let mut checked = Checked { report, refused: None };
    match check::through_text(again.watched(bar)?, again.open()?)? {
        Some(Stray::Bytes { offset, written }) if checked.report.exact => {
            checked.report = check::check_stray(again.open()?, offset, &written)?;
            checked.report.exact = false;
        }
        // A difference is known already, or there is none.
        Some(Stray::Bytes { .. }) | None => {}
        Some(Stray::Refused(mistake)) => {
            checked.report.exact = false;
            checked.refused =
                Some(format!("{} in line {}: {}", mistake.code.number(), mistake.line, mistake.message));
        }
    }
    Ok((again.name().to_owned(), checked))
}

/// What was printed so far.
#[derive(Default)]
struct Tally {
    json: bool,
    talk: Talk,
    many: bool,
    exact: u64,
    bad: u64,
    unread: u64,
}

impl Tally {
    fn trouble(&mut self, line: &str) {
        failure::say(line);
        self.unread += 1;
    }

    fn add(&mut self, checked: Result<(String, Checked), String>) -> io::Result<()> {
        let (name, checked) = match checked {
            Ok(it) => it,
            Err(line) => {
                self.trouble(&line);
                return Ok(());
            }
        };
        let exact = checked.report.exact;
        *(if exact { &mut self.exact } else { &mut self.bad }) += 1;
        if exact && self.talk.quiet {
            return Ok(());
        }
        if self.json {
            let object = serde_json::to_string(&Named { file: &name, what: &checked })?;
            return writeln!(io::stdout(), "{object}");
        }
        report::print(&name, &checked, self.talk.verbose)
    }

    /// The line at the end.
    fn close(&self) -> io::Result<()> {
        if self.json || !(self.many || self.talk.quiet) {
            return Ok(());
        }
        let files = units::things(self.exact + self.bad, "file");
        let verdict = match self.bad {
            0 => "all exact".to_owned(),
            bad => format!("{} exact, {} not", units::count(self.exact), units::count(bad)),
        };
        let unread = if self.unread == 0 {
            String::new()
        } else {
            format!("; {} not read", units::count(self.unread))
        };
        writeln!(io::stdout(), "{files}: {verdict}{unread}")
    }

    fn outcome(&self) -> Outcome {
        let bad = if self.bad > 0 { Outcome::Bad } else { Outcome::Good };
        if self.unread > 0 { Outcome::Trouble } else { bad }
    }
}
