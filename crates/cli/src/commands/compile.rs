//! `moviola compile`: makes the recording that a text describes.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Input, PEEK};
use crate::inside::{self, WantedFiles};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::{render, units};
use anyhow::{Result, bail};
use clap::Args;
use moviola::format::{Format, sniff};
use moviola::text::{self, CompileError, CompileOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
All mistakes in the text are listed, up to 20, each with a code for `moviola
explain`, and no file is written. On standard output, writing stops at the first
block with a mistake. A list of 20 may not be complete; with --json the last of
them says so: \"more\":true.

Examples:
  moviola compile run.txt -o new.dem
  moviola compile run.txt -o new.dem --force    replace new.dem
  moviola compile run.txt -o /dev/null          only look for mistakes
  moviola compile --json run.txt -o new.dem     mistakes for editors
  moviola decompile run.dem | sed s/Ranger/Hunter/ | moviola compile -o new.dem";

/// Convert a text to the recording that it describes
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompileArgs {
    /// The text; `-`, or nothing, is standard input.
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,
    #[command(flatten)]
    out: Destination,
    /// Print mistakes as JSON Lines on standard error.
    #[arg(long)]
    json: bool,
}

impl CompileArgs {
    /// The defaults for one file, with no other options.
    pub(crate) fn plain(input: &Path, out: Destination) -> Self {
        Self { input: Some(input.to_owned()), out, json: false }
    }
}

/// Refuses a recording, since a reader of texts would print no useful message about it.
pub(crate) fn expect_text(input: &mut Input) -> Result<()> {
    let (start, complete) = input.peek(PEEK)?;
    let format = sniff(start, complete);
    if !matches!(format, Format::Unknown | Format::Empty) {
        bail!(
            "{} is a {} file, not a text: `moviola decompile` makes a text of a recording",
            input.name(),
            format.name()
        );
    }
    Ok(())
}

pub(crate) fn run(options: &CompileArgs, talk: Verbosity) -> Result<Outcome> {
    let mut input = inside::single_or_stdin(options.input.as_deref(), WantedFiles::Texts)?;
    expect_text(&mut input)?;
    let output = options.out.open(Kind::Recording)?;
    let bar = Bar::bytes(input.size(), talk.quiet);
    let name = input.name().to_owned();
    let mut writer = output.buffered();
    let compiled = text::compile(input.watched(&bar), &mut writer, &CompileOptions::default());
    bar.finish();
    match compiled {
        Ok(made) => {
            Output::finish(writer)?;
            render::warnings(&made.warnings, &name, options.json);
            if talk.verbose {
                failure::line(&format!(
                    "{name}: {}, {}",
                    units::counted(made.blocks, "block"),
                    units::counted(made.bytes, "byte")
                ));
            }
            Ok(Outcome::Good)
        }
        Err(CompileError::Io(error)) => Err(error.into()),
        Err(CompileError::Mistakes(mistakes)) => {
            writer.flush()?;
            let became = if options.out.is_stdout() {
                "the recording ends before the first of them"
            } else {
                "no recording was made"
            };
            render::mistakes(
                &mistakes,
                &name,
                options.json,
                talk.quiet,
                CompileOptions::default().limit,
                became,
            );
            Ok(Outcome::Bad)
        }
    }
}
