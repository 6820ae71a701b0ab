//! `moviola fmt`: a text into its canonical form.

use super::compile::expect_text;
use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{Input, is_dash, printable};
use crate::inside::{self, Wanted};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::render;
use anyhow::{Result, bail};
use clap::Args;
use moviola::text::{self, CompileError, CompileOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const MORE: &str = "\
Examples:
  moviola fmt run.txt | less
  moviola fmt run.txt -o tidy.txt
  moviola fmt --write run.txt       tidy the file itself
  moviola fmt --check run.txt       exit 1 if it is not tidy";

/// Tidy a text: the layout that `decompile` writes, comments kept
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// The text; `-`, or nothing, is standard input.
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,
    #[command(flatten)]
    out: Destination,
    /// Write nothing: exit 1 if the text is not tidy.
    #[arg(long, conflicts_with_all = ["write", "output"])]
    check: bool,
    /// Change the file itself.
    #[arg(long, conflicts_with = "output")]
    write: bool,
}

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    let mut input = inside::single_or_stdin(options.input.as_deref(), Wanted::Texts)?;
    expect_text(&mut input)?;
    let name = input.name().to_owned();
    let bar = Bar::bytes(input.size(), talk.quiet);
    if options.check {
        return check(input, &name, options, talk);
    }
    let out = match options.input.as_deref().filter(|path| !is_dash(path)) {
        Some(path) if options.write && !input.is_file() => {
            bail!(
                "{} is in a container, where nothing is changed: write it elsewhere with -o OUT",
                printable(path)
            )
        }
        Some(path) if options.write => &Destination::replace(path),
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

/// Formats into nothing, comparing with the text as it is.
fn check(input: Input, name: &str, options: &Options, talk: Talk) -> Result<Outcome> {
    let Some(path) = options.input.as_deref().filter(|path| !is_dash(path)) else {
        bail!("--check reads the text twice: name a file");
    };
    let mut tidy = Tidy::new(path)?;
    match text::format(input, &mut tidy) {
        Ok(_) if tidy.is_same()? => Ok(Outcome::Good),
        Ok(_) => {
            if !talk.quiet {
                failure::line(&format!(
                    "{name}: line {} is not tidy: `moviola fmt --write` changes it",
                    tidy.line
                ));
            }
            Ok(Outcome::Bad)
        }
        Err(error) => failed(error, name, talk),
    }
}

fn failed(error: CompileError, name: &str, talk: Talk) -> Result<Outcome> {
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

/// A writer that only compares what is written with a file.
struct Tidy {
    file: io::BufReader<Input>,
    line: u64,
    same: bool,
}

impl Tidy {
    fn new(path: &Path) -> Result<Self> {
        let file = io::BufReader::new(inside::single(path, Wanted::Texts)?);
        Ok(Self { file, line: 1, same: true })
    }

    fn is_same(&mut self) -> io::Result<bool> {
        let mut more = [0];
        Ok(self.same && self.file.read(&mut more)? == 0)
    }
}

impl Write for Tidy {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut old = [0; 4096];
        let wanted = bytes.len().min(old.len());
        let Some((old, bytes)) = old.get_mut(..wanted).zip(bytes.get(..wanted)) else { return Ok(0) };
        if self.same {
            let mut got = 0;
            while let Some(space) = old.get_mut(got..).filter(|space| !space.is_empty()) {
                match self.file.read(space)? {
                    0 => break,
                    more => got += more,
                }
            }
            let same = old.iter().zip(bytes).take(got).take_while(|(old, new)| old == new).count();
            self.line += bytes.iter().take(same).filter(|byte| **byte == b'\n').count() as u64;
            self.same = same == wanted;
        }
        Ok(wanted)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
