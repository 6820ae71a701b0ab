//! A file alone on the command line, as when it is dropped onto the program's icon: as with LMPC, a recording
//! becomes a text beside it, and a text a recording.

use crate::cli::{self, Verbosity};
use crate::commands::{compile, decompile};
use crate::failure::{self, Outcome};
use crate::input::{PEEK, ReopenableInput, printable};
use crate::inside;
use crate::lmp;
use crate::output::Destination;
use crate::usage;
use anyhow::{Result, bail};
use clap::Parser;
use moviola::format::{Format, Game, sniff};
use moviola::text::{self, CompileOptions};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Turn recordings into texts beside them, and texts into recordings
#[derive(Debug, Parser)]
#[command(name = "moviola")]
struct DroppedArgs {
    #[command(flatten)]
    verbosity: Verbosity,
    /// Recordings and texts.
    files: Vec<PathBuf>,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

/// Whether the first word that is not an option is meant as a file, and not as one of `commands`: the file
/// exists, or its name has a form that only files have.
pub(crate) fn is_file<'a>(words: &[OsString], mut commands: impl Iterator<Item = &'a str>) -> bool {
    let first = words.iter().skip(1).find(|word| !word.as_encoded_bytes().starts_with(b"-"));
    first.is_some_and(|word| {
        let named = word.as_encoded_bytes().iter().any(|byte| b"./\\".contains(byte));
        (named || Path::new(word).exists()) && !commands.any(|name| word == name)
    })
}

/// Turns every file into its counterpart; a failure does not stop the others.
pub(crate) fn main(words: Vec<OsString>) -> Outcome {
    let DroppedArgs { verbosity: talk, files, force } = match DroppedArgs::try_parse_from(words) {
        Ok(options) => options,
        Err(error) => return usage::refuse(&error, None).unwrap_or(Outcome::Trouble),
    };
    let mut outcome = Outcome::Good;
    for file in &files {
        outcome = outcome.max(convert(file, force, talk).unwrap_or_else(|error| {
            failure::print_error(&format!("{error:#}"));
            Outcome::Trouble
        }));
    }
    outcome
}

fn convert(file: &Path, force: bool, talk: Verbosity) -> Result<Outcome> {
    if file.is_dir() {
        bail!("{} is a folder: `moviola info -r` lists what is in it", printable(file));
    }
    let mut input = inside::recording_or_text(file)?;
    let out =
        |extension: &str| Destination { output: Some(inside::beside(file).with_extension(extension)), force };
    if let Some((command, extension)) = lmp::counterpart(&mut input)? {
        let out = out(extension);
        let mut words: Vec<OsString> = ["moviola", command, "-o"].map(OsString::from).into();
        words.extend(out.output.clone().map(PathBuf::into_os_string));
        words.extend([(force, "--force"), (talk.quiet, "-q")].iter().filter(|it| it.0).map(|it| it.1.into()));
        words.extend([OsString::from("--"), file.into()]);
        return Ok(print_new_file(cli::main(words)?, file, &out, talk));
    }
    let (start, complete) = input.peek(PEEK)?;
    let (extension, is_text) = match sniff(start, complete) {
        Format::Quake { .. } | Format::Quake2 | Format::Mvd2 | Format::Qwd | Format::Mvd => ("txt", false),
        Format::Unknown if text::is_text(start) => match game(&ReopenableInput::new(input)?)? {
            Game::Quake => ("dem", true),
            Game::Quake2 => ("dm2", true),
            Game::QuakeWorld => ("qwd", true),
        },
        _ => {
            bail!(
                "{} is neither a recording nor a text of one; `moviola info` shows what it is",
                input.name()
            )
        }
    };
    let out = out(extension);
    let outcome = if is_text {
        compile::run(&compile::CompileArgs::plain(file, out.clone()), talk)?
    } else {
        decompile::run(&decompile::DecompileArgs::plain(file, out.clone()), talk)?
    };
    Ok(print_new_file(outcome, file, &out, talk))
}

/// Prints the name of the new file, if there is one.
fn print_new_file(outcome: Outcome, file: &Path, out: &Destination, talk: Verbosity) -> Outcome {
    if let (Outcome::Good, false, Some(output)) = (outcome, talk.quiet, &out.output) {
        failure::line(&format!("{}: made {}", printable(file), printable(output)));
    }
    outcome
}

/// The game of a text; for a text with mistakes any game, since it is compiled once more to report them.
fn game(text: &ReopenableInput) -> Result<Game> {
    match text::compile(text.open()?, io::sink(), &CompileOptions::default()) {
        Ok(made) => Ok(made.game.unwrap_or(Game::Quake)),
        Err(text::CompileError::Mistakes(_)) => Ok(Game::Quake),
        Err(text::CompileError::Io(error)) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_file;

    #[test]
    fn a_file_is_distinguished_from_a_command() {
        let commands = ["info", "cut"];
        for (words, yes) in [
            ("moviola info run.dem", false),
            ("moviola -q info", false),
            ("moviola --force gone/run.dem", true),
            ("moviola C:\\run.dem", true),
            ("moviola Cargo.toml", true),
            ("moviola src", true),
            ("moviola inof", false),
            ("moviola --help", false),
            ("moviola", false),
        ] {
            let words: Vec<_> = words.split(' ').map(Into::into).collect();
            assert_eq!(is_file(&words, commands.into_iter()), yes, "{words:?}");
        }
    }
}
