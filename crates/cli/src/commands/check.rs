//! `moviola check`: whether every byte is understood and comes back, and which engines play the recording.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Files, Input, ReopenableInput};
use crate::progress::Bar;
use crate::{input, inside, json, report, units};
use anyhow::Result;
use clap::Args;
use moviola::check::{self, CheckReport, RecordingEnd, TextDifference};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Each message is written again and compared with the original bytes; then the
whole recording is converted to text and back. `exact` means that both gave the
same bytes. The findings follow, each with a code for `moviola explain`, and
then the engines that play the recording, or the reasons why they do not.

Examples:
  moviola check run.dem
  moviola check -q demos           only recordings that are not exact, and a summary
  moviola check --json *.dem | jq 'select(.exact | not) | .file'
  moviola check runs.dz            every recording in it
  cat run.dem | moviola check -";

/// Prove that recordings are read exactly, and list the engines that play them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    files: Files,
    /// Print everything that was found, as JSON Lines.
    #[arg(long)]
    json: bool,
}

/// The results for a file.
#[derive(Serialize)]
pub(crate) struct Checked {
    #[serde(flatten)]
    pub(crate) report: CheckReport,
    /// The reason why its own text is refused, which would be a bug of ours.
    pub(crate) refused: Option<String>,
}

pub(crate) fn run(options: &CheckArgs, talk: Verbosity) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    let mut tally = Tally {
        json: options.json,
        verbosity: talk,
        several_files: options.files.are_many(),
        ..Tally::default()
    };
    for wrong in &wrong {
        tally.trouble(&wrong.path, wrong)?;
    }
    // Each file is read twice.
    let total: u64 = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::steps(2 * total, talk.quiet && options.json);
    let check = |input, _| check_file(input, &bar);
    let result = inside::each_of(&files, &options.files, &bar, 2, check, |file, found, checked| {
        tally.add(file, found, checked)
    });
    bar.finish();
    result.and_then(|()| tally.close())?;
    Ok(tally.outcome())
}

/// A file that was checked.
struct CheckedFile {
    name: String,
    path: PathBuf,
    checked: Checked,
}

fn check_file(mut input: Input, bar: &Bar) -> Result<CheckedFile> {
    if input.has_damaged_beginning()? {
        return Err(input.no_recording());
    }
    let path = input.path().unwrap_or(Path::new("-")).to_owned();
    let reopenable = ReopenableInput::new(input)?;
    // The two checks are independent, so they run at the same time.
    let (recording, straight, twin) =
        (reopenable.watched(bar)?, reopenable.watched(bar)?, reopenable.open()?);
    let (report, stray) = std::thread::scope(|scope| {
        let report = scope.spawn(move || check::check(straight));
        let stray = check::through_text(recording, twin);
        (report.join().unwrap_or_else(|_| Err(io::Error::other("the check stopped"))), stray)
    });
    let mut checked = Checked { report: report?, refused: None };
    match stray? {
        Some(TextDifference::Bytes { offset, written }) if checked.report.exact => {
            checked.report = check::check_stray(reopenable.open()?, offset, &written)?;
            checked.report.exact = false;
        }
        // There is nothing to look for: a difference is already known, or none can be.
        Some(TextDifference::Bytes { .. }) | None => {}
        Some(TextDifference::Refused(mistake)) => {
            checked.report.exact = false;
            checked.refused =
                Some(format!("{} in line {}: {}", mistake.code.number(), mistake.line, mistake.message));
        }
    }
    Ok(CheckedFile { name: reopenable.name().to_owned(), path, checked })
}

/// The state of the output.
#[derive(Default)]
struct Tally {
    json: bool,
    verbosity: Verbosity,
    several_files: bool,
    exact: u64,
    bad_files: u64,
    unread: u64,
    /// Files of folders that are not recordings.
    others: u64,
}

impl Tally {
    fn trouble(&mut self, path: &Path, line: &str) -> io::Result<()> {
        failure::print_error(line);
        self.unread += 1;
        if self.json { json::error(path, line) } else { Ok(()) }
    }

    /// `found` is true for a file that was found in a folder, and not named.
    fn add(&mut self, file: &Path, found: bool, one: Result<CheckedFile, String>) -> io::Result<()> {
        let CheckedFile { name, path, checked } = match one {
            Ok(it) => it,
            Err(line) => return self.trouble(file, &line),
        };
        if checked.report.summary.end == RecordingEnd::NoRecording && !(found && self.verbosity.verbose) {
            self.others += u64::from(found);
            return if found { Ok(()) } else { self.trouble(&path, &input::no_recording(&name)) };
        }
        let exact = checked.report.exact;
        *(if exact { &mut self.exact } else { &mut self.bad_files }) += 1;
        if exact && self.verbosity.quiet {
            return Ok(());
        }
        if self.json {
            return json::line(&path, &checked);
        }
        report::print(&name, &checked, self.verbosity.verbose)
    }

    /// The line at the end.
    fn close(&self) -> io::Result<()> {
        let many = self.several_files || self.exact + self.bad_files + self.unread + self.others > 1;
        if self.json || !(many || self.verbosity.quiet) {
            return Ok(());
        }
        let files = units::counted(self.exact + self.bad_files, "file");
        let verdict = match self.bad_files {
            0 if self.exact == 0 => "nothing was checked".to_owned(),
            0 => "all exact".to_owned(),
            bad => format!("{} exact, {} not", units::count(self.exact), units::count(bad)),
        };
        let more = |count: u64, what: &str| match count {
            0 => String::new(),
            count => format!("; {} {what}", units::count(count)),
        };
        let others = more(self.others, if self.others == 1 { "not a recording" } else { "not recordings" });
        writeln!(io::stdout(), "{files}: {verdict}{others}{}", more(self.unread, "not read"))
    }

    fn outcome(&self) -> Outcome {
        let bad = if self.bad_files > 0 { Outcome::Bad } else { Outcome::Good };
        if self.unread > 0 { Outcome::Trouble } else { bad }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, CheckedFile, Outcome, Tally, Verbosity, check};
    use std::path::{Path, PathBuf};

    /// A correct `check` never reports this, so the test gives the library a lossy way.
    #[test]
    fn a_recording_that_does_not_round_trip_sets_the_exit_code() {
        let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
        let checked_file = |report| CheckedFile {
            name: "run.dem".to_owned(),
            path: PathBuf::from("run.dem"),
            checked: Checked { report, refused: None },
        };
        let mut tally =
            Tally { verbosity: Verbosity { quiet: true, ..Verbosity::default() }, ..Tally::default() };
        tally.add(Path::new("run.dem"), false, Ok(checked_file(check::check(&file[..]).unwrap()))).unwrap();
        assert_eq!((tally.exact, tally.outcome()), (1, Outcome::Good));
        let lossy = check::check_stray(&file[..], 19, b"\x01").unwrap();
        tally.add(Path::new("run.dem"), false, Ok(checked_file(lossy))).unwrap();
        assert_eq!((tally.bad_files, tally.outcome()), (1, Outcome::Bad));
        tally.trouble(Path::new("gone.dem"), "gone.dem: there is no such file").unwrap();
        assert_eq!(tally.outcome(), Outcome::Trouble);
    }
}
