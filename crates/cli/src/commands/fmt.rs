//! `moviola fmt`: brings a text into its canonical form.

use super::compile::expect_text;
use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Input, is_dash};
use crate::inside::{self, WantedFiles};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::render;
use anyhow::{Result, bail};
use clap::Args;
use moviola::text::{self, CompileError, CompileOptions};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  moviola fmt run.txt | less
  moviola fmt run.txt -o tidy.txt
  moviola fmt --write run.txt       tidy the file itself
  moviola fmt --check run.txt       exit 1 if it is not tidy
  moviola decompile run.dem | moviola fmt --check";

/// Tidy a text: lay it out as `decompile` does, and keep its comments
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct FmtArgs {
    /// The text; `-`, or nothing, is standard input.
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,
    #[command(flatten)]
    out: Destination,
    /// Write nothing, and exit with 1 if the text is not tidy.
    #[arg(long, conflicts_with_all = ["write", "output"])]
    check: bool,
    /// Change the file itself.
    #[arg(long, conflicts_with = "output")]
    write: bool,
}

pub(crate) fn run(options: &FmtArgs, talk: Verbosity) -> Result<Outcome> {
    let mut input = inside::single_or_stdin(options.input.as_deref(), WantedFiles::Texts)?;
    expect_text(&mut input)?;
    let name = input.name().to_owned();
    let bar = Bar::bytes(input.size(), talk.quiet);
    if options.check {
        return check(input, &name, options, talk);
    }
    let out = match options.input.as_deref().filter(|path| !is_dash(path)) {
        Some(path) if options.write => {
            input.expect_file(path)?;
            &Destination::replace(path)
        }
        None if options.write => bail!("--write needs a file to change: standard input has none"),
        _ => &options.out,
    };
    let mut writer = out.open(Kind::Text)?.buffered();
    let formatted = text::format(input.watched(&bar), &mut writer);
    bar.finish();
    match formatted {
        Ok(made) => {
            Output::finish(writer)?;
            render::warnings(&made.warnings, &name, false);
            Ok(Outcome::Good)
        }
        Err(error) => failed(error, &name, talk),
    }
}

/// Formats the text without writing it, and compares the result with the text.
fn check(input: Input, name: &str, options: &FmtArgs, talk: Verbosity) -> Result<Outcome> {
    let both = RefCell::new(TidyComparison::default());
    match text::format(ComparedInput { input, comparison: &both }, ComparedOutput(&both)) {
        Ok(_) if both.borrow().are_same() => Ok(Outcome::Good),
        Ok(_) => {
            if !talk.quiet {
                let line = both.borrow().lines + 1;
                let how = if options.input.is_some() { " --write" } else { "" };
                failure::line(&format!("{name}: line {line} is not tidy: `moviola fmt{how}` changes it"));
            }
            Ok(Outcome::Bad)
        }
        Err(error) => failed(error, name, talk),
    }
}

fn failed(error: CompileError, name: &str, talk: Verbosity) -> Result<Outcome> {
    match error {
        CompileError::Io(error) => Err(error.into()),
        CompileError::Mistakes(mistakes) => {
            render::mistakes(
                &mistakes,
                name,
                false,
                talk.quiet,
                CompileOptions::default().limit,
                "nothing was tidied",
            );
            Ok(Outcome::Bad)
        }
    }
}

/// A text and its tidy form: of each the part that the other has not reached yet.
#[derive(Default)]
struct TidyComparison {
    read: VecDeque<u8>,
    tidy: VecDeque<u8>,
    /// The number of lines that are the same.
    lines: u64,
    differ: bool,
}

impl TidyComparison {
    fn compare(&mut self) {
        while let (Some(read), Some(tidy), false) = (self.read.front(), self.tidy.front(), self.differ) {
            self.differ = read != tidy;
            self.lines += u64::from(!self.differ && *read == b'\n');
            self.read.pop_front();
            self.tidy.pop_front();
        }
        if self.differ {
            self.read.clear();
            self.tidy.clear();
        }
    }

    fn are_same(&self) -> bool {
        !self.differ && self.read.is_empty() && self.tidy.is_empty()
    }
}

/// The text, which is compared while it is read.
struct ComparedInput<'b> {
    input: Input,
    comparison: &'b RefCell<TidyComparison>,
}

impl Read for ComparedInput<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.input.read(buffer)?;
        let mut both = self.comparison.borrow_mut();
        both.read.extend(buffer.iter().take(got));
        both.compare();
        Ok(got)
    }
}

/// The tidy text, which is compared and not kept.
struct ComparedOutput<'b>(&'b RefCell<TidyComparison>);

impl Write for ComparedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut both = self.0.borrow_mut();
        both.tidy.extend(bytes);
        both.compare();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
