//! `moviola events`: the events of recordings, as a log or as JSON Lines.

use crate::cli::Verbosity;
use crate::event_kinds::EventKindParser;
use crate::failure::{self, Outcome};
use crate::input::{Files, Input, printable};
use crate::progress::Bar;
use crate::units;
use crate::{inside, json};
use anyhow::Result;
use clap::Args;
use moviola::analyse::{Event, EventKind, Events, Listed, UnreadParts, watch};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

const EXAMPLES: &str = "\
Each line has the game's time, the kind of event, and a description. Frequent
events are left out: shots, and items that come into sight. A line of the
console is printed five times, and only counted after that. -v prints all
events, and so does --json; --kind prints all events of the named kinds.

Examples:
  moviola events run.dem
  moviola events --kind chat,kill match.dem
  moviola events --json match.dem | jq 'select(.kind == \"kill\") | .weapon'
  moviola events --kind command demos         servers' console commands
  moviola events demos.zip:run.dem";

/// List the events: levels, kills, chat, pickups, damage, secrets
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EventsArgs {
    #[command(flatten)]
    files: Files,
    /// Print only these kinds of event, separated by commas.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = EventKindParser, hide_possible_values = true)]
    kind: Vec<String>,
    /// Print everything known about each event, as JSON Lines.
    #[arg(long)]
    json: bool,
}

/// How often the same line of the console is shown.
const MAX_REPEATS: u64 = 5;
/// The greatest number of different lines that are counted.
const LINES: usize = 10_000;

/// How often each line of the console occurs, by the name of its kind and its text.
#[derive(Default)]
struct Repeats(BTreeMap<&'static str, HashMap<String, u64>>);

impl Repeats {
    /// Whether this event was shown often enough.
    fn is_known(&mut self, event: &Event) -> bool {
        let line = match &event.kind {
            EventKind::Console { text } | EventKind::Command { text, danger: None } => text.as_line(),
            _ => return false,
        };
        let full = self.0.values().map(HashMap::len).sum::<usize>() >= LINES;
        let counts = self.0.entry(event.name()).or_default();
        if let Some(count) = counts.get_mut(&*line) {
            *count += 1;
            return *count > MAX_REPEATS;
        }
        if !full {
            counts.insert(line.into_owned(), 1);
        }
        false
    }

    /// The lines that were not shown, the most frequent first.
    fn left_out(&self) -> Vec<(&str, &str, u64)> {
        let all =
            self.0.iter().flat_map(|(name, counts)| counts.iter().map(|(line, count)| (*name, line, *count)));
        let often = all.filter(|(_, _, count)| *count > MAX_REPEATS);
        let mut often: Vec<_> =
            often.map(|(name, line, count)| (name, line.as_str(), count - MAX_REPEATS)).collect();
        often.sort_by_key(|(name, line, count)| (std::cmp::Reverse(*count), *name, *line));
        often
    }
}

pub(crate) fn run(options: &EventsArgs, talk: Verbosity) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    let mut outcome = Outcome::Good;
    for wrong in &wrong {
        outcome = trouble(options, &wrong.path, wrong)?;
    }
    let total = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), talk.quiet);
    let log = Log { options, all: talk.verbose };
    let result = if let [file] = &files[..] {
        // The events of one file are printed as they are found.
        let mut out = EventPrinter { out: BufWriter::new(io::stdout().lock()), result: Ok(()) };
        let found = !options.files.names(file);
        let done = inside::each_in_turn(file, &bar, found, |input| log.write(input, found, &mut out));
        let printed = out.end();
        if printed.is_ok() {
            for line in done.into_iter().filter_map(Result::err) {
                outcome = trouble(options, file, &line)?;
            }
        }
        printed
    } else {
        let write = |input, found| {
            let mut text = Vec::new();
            log.write(input, found, &mut text)?;
            Ok(text)
        };
        inside::each_of(&files, &options.files, &bar, 1, write, |file, _, text| match text {
            Ok(text) => io::stdout().write_all(&text),
            Err(line) => {
                outcome = trouble(options, file, &line)?;
                Ok(())
            }
        })
    };
    bar.finish();
    result?;
    Ok(outcome)
}

/// The output. It keeps an error of writing, which is not an error of the recording that was read.
struct EventPrinter<W> {
    out: W,
    result: io::Result<()>,
}

impl<W: Write> EventPrinter<W> {
    fn end(mut self) -> io::Result<()> {
        self.result?;
        self.out.flush()
    }
}

impl<W: Write> Write for EventPrinter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| {
            let kind = error.kind();
            self.result = Err(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn trouble(options: &EventsArgs, path: &Path, line: &str) -> io::Result<Outcome> {
    failure::print_error(line);
    if options.json {
        json::error(path, line)?;
    }
    Ok(Outcome::Trouble)
}

/// The way in which events are printed.
struct Log<'a> {
    options: &'a EventsArgs,
    all: bool,
}

impl Log<'_> {
    fn write(&self, mut input: Input, found: bool, out: &mut dyn Write) -> Result<()> {
        let path = input.path().unwrap_or(Path::new("-")).to_owned();
        if !input.is_recording()? {
            // A folder may contain other files.
            return if found { Ok(()) } else { Err(input.no_recording()) };
        }
        if self.options.files.are_many() && !self.options.json {
            writeln!(out, "{}", printable(&path))?;
        }
        let mut result = Ok(());
        let mut repeats = Repeats::default();
        let mut line = String::new();
        let folds = !self.options.json && !self.all && self.options.kind.is_empty();
        let (mut unread, mut is_over) = (UnreadParts::default(), false);
        let mut events = Events::new(|event: Event| {
            is_over |= matches!(event.kind, EventKind::Disconnect {});
            if result.is_ok() && self.wants(&event) && !(folds && repeats.is_known(&event)) {
                result = self.line(&path, &event, &mut line, out);
            }
        });
        watch(input, &mut [&mut events, &mut unread])?;
        drop(events);
        result?;
        if is_over {
            // Recordings of QuakeWorld may have anything after their end.
            unread.bytes = 0;
        }
        if !unread.is_empty() {
            let name = printable(&path);
            failure::warn(&format!(
                "{name}: {unread}, so events may be missing; `moviola repair` repairs it"
            ));
        }
        for (name, line, count) in repeats.left_out() {
            writeln!(out, "{:>9}  {name:<13}  {line} (\u{d7}{count} more; -v shows them)", "")?;
        }
        Ok(())
    }

    fn wants(&self, event: &Event) -> bool {
        let EventsArgs { kind, json, .. } = self.options;
        if kind.is_empty() {
            return *json || self.all || event.kind.row().listed != Listed::OnRequest;
        }
        kind.iter().any(|kind| kind == event.name())
    }

    /// Prints an event; `line` is a buffer that is used again.
    fn line(&self, path: &Path, event: &Event, line: &mut String, out: &mut dyn Write) -> io::Result<()> {
        if self.options.json {
            return json::write(out, path, event);
        }
        let time = event.time.map_or_else(String::new, units::time);
        line.clear();
        // Writing into a string cannot fail.
        let _ = write!(line, "{time:>9}  {:<13}  {}", event.name(), event.kind);
        line.truncate(line.trim_end().len());
        line.push('\n');
        out.write_all(line.as_bytes())
    }
}
