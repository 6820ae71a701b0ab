//! `moviola decompile`: a recording into text.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome, warn};
use crate::input::{Input, PEEK, damaged_beginning};
use crate::inside::{self, WantedFiles};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::units;
use anyhow::Result;
use clap::Args;
use moviola::edit::has_damaged_beginning;
use moviola::format::{Format, sniff};
use moviola::text::{self, DecompileOptions, Decompiled, Omission};
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
The text contains everything that is in the recording: `moviola compile` makes
the same bytes from it. Comments explain the numbers.

Examples:
  moviola decompile run.dem | less
  moviola decompile run.dem -o run.txt
  moviola decompile --bare run.dem            without comments
  moviola decompile --time 1:30..2:00 run.dem
  moviola decompile --blocks 100..110 --offsets run.dem
  moviola decompile run.dem.gz > run.txt
  moviola decompile runs.zip:run2.dem -o run2.txt";

/// Convert a recording to text
#[derive(Debug, Default, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct DecompileArgs {
    /// The recording; `-`, or nothing, is standard input.
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,
    #[command(flatten)]
    out: Destination,
    /// Leave out comments and indentation.
    #[arg(long)]
    bare: bool,
    /// Add comments with the position of each message in the file.
    #[arg(long)]
    offsets: bool,
    /// Write a text that LMPC reads: other messages as bytes, with a list of blocks that it cannot express.
    #[arg(long)]
    lmpc: bool,
    /// Write only these blocks, counted from 0: A..B, A.. or ..B.
    #[arg(long, value_name = "A..B", value_parser = units::blocks, allow_hyphen_values = true)]
    blocks: Option<(u64, u64)>,
    /// Write only the blocks at these game times, in seconds or m:ss: A..B, A.. or ..B.
    #[arg(long, value_name = "A..B", value_parser = units::times, allow_hyphen_values = true)]
    time: Option<(f64, f64)>,
}

impl DecompileArgs {
    /// The defaults for one file, with no other options.
    pub(crate) fn plain(input: &Path, out: Destination) -> Self {
        Self { input: Some(input.to_owned()), out, ..Self::default() }
    }
}

pub(crate) fn run(options: &DecompileArgs, talk: Verbosity) -> Result<Outcome> {
    let mut input = inside::single_or_stdin(options.input.as_deref(), WantedFiles::Recordings)?;
    if !talk.quiet {
        warn_unless_recording(&mut input)?;
    }
    let decompile_options = DecompileOptions {
        bare: options.bare,
        offsets: options.offsets,
        lmpc: options.lmpc,
        blocks: options.blocks,
        time: options.time,
        normal: false,
        source: Some(input.path().map_or_else(|| "-".into(), |path| path.display().to_string())),
    };
    let output = options.out.open(Kind::Text)?;
    let bar = Bar::bytes(input.size(), talk.quiet);
    let name = input.name().to_owned();
    let mut writer = output.buffered();
    let summary = text::decompile(input.watched(&bar), &mut writer, &decompile_options)?;
    Output::finish(writer)?;
    bar.finish();
    for omission in &summary.omissions {
        warn(&format!("{name}: LMPC cannot express {}{}", left_out(omission), omission.why));
    }
    if summary.in_bytes > 0 && !talk.quiet {
        // not from SCHEMA: a unit that is counted
        let messages = units::counted(summary.in_bytes, "message");
        failure::line(&format!(
            "{name}: {messages} in bytes, as `unknown`: LMPC would write them differently"
        ));
    }
    if let Some(damage) = damage(&summary).filter(|_| !talk.quiet) {
        warn(&format!("{name}: {damage}; it is kept as bytes. `moviola repair` repairs damaged recordings"));
    }
    if summary.printed == 0 && !summary.omissions.is_empty() {
        warn(&format!("{name}: LMPC's language cannot express any of its blocks, so the text has none"));
    }
    if summary.printed == 0
        && summary.omissions.is_empty()
        && (options.blocks.is_some() || options.time.is_some())
    {
        warn(&format!("{name}: there are no such blocks: {}", extent(&summary)));
    }
    if talk.verbose {
        failure::line(&format!(
            "{name}: {}, {}",
            units::counted(summary.blocks, "block"),
            units::counted(summary.bytes, "byte")
        ));
    }
    Ok(if summary.omissions.is_empty() { Outcome::Good } else { Outcome::Bad })
}

/// How many blocks are left out for one reason, and their numbers.
fn left_out(omission: &Omission) -> String {
    /// The greatest number of listed ranges.
    const MAX_RANGES: usize = 8;
    let range = |(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let listed: Vec<String> = omission.ranges.iter().take(MAX_RANGES).map(range).collect();
    let more = if omission.ranges.len() > MAX_RANGES { " and others" } else { "" };
    match omission.blocks {
        0 => String::new(),
        1 => format!("block {}: ", listed.join("")),
        blocks => format!("{} ({}{more}): ", units::counted(blocks, "block"), listed.join(", ")),
    }
}

/// The sentence about blocks that could not be read; `None` if all could.
fn damage(summary: &Decompiled) -> Option<String> {
    let blocks = summary.damage.as_ref().map(|(first, why)| match summary.damaged {
        1 => format!("block {first} could not be read completely ({why})"),
        all => {
            format!("{} could not be read completely (block {first}: {why})", units::counted(all, "block"))
        }
    });
    let outside =
        (summary.outside > 0).then(|| format!("{} are in no block", units::counted(summary.outside, "byte")));
    match (blocks, outside) {
        (Some(blocks), Some(outside)) => Some(format!("{blocks}, and {outside}")),
        (blocks, outside) => blocks.or(outside),
    }
}

/// The first and the last block and time of a recording.
fn extent(summary: &Decompiled) -> String {
    let blocks = match summary.blocks {
        0 => "it has none".into(),
        count => format!("its blocks are 0 to {}", units::count(count - 1)),
    };
    let times =
        summary.times.map(|(from, to)| format!(", its time {} to {}", units::time(from), units::time(to)));
    blocks + &times.unwrap_or_default()
}

/// Warns if the input is not a recording; it becomes a text all the same.
fn warn_unless_recording(input: &mut Input) -> Result<()> {
    let name = input.name().to_owned();
    let (start, complete) = input.peek(PEEK)?;
    match sniff(start, complete) {
        Format::Foreign(foreign) => {
            warn(&format!("{name} is a {} file: its text has only raw bytes", foreign.name()));
        }
        Format::Unknown if text::is_text(start) => {
            warn(&format!("{name} is a text already: `moviola compile` makes a recording of it"));
        }
        Format::Unknown if has_damaged_beginning(start) => {
            warn(&format!("{}. Its text has only raw bytes", damaged_beginning(&name)));
        }
        Format::Unknown => warn(&format!("{name} is not a recording: its text has only raw bytes")),
        Format::Quake { .. } | Format::Quake2 | Format::Mvd2 | Format::Qwd | Format::Mvd | Format::Empty => {}
    }
    Ok(())
}
