//! `moviola completions`: what a shell needs to complete commands, options and files.

use crate::cli;
use crate::failure::Outcome;
use anyhow::Result;
use clap::Args;
use clap_complete::{Shell, generate};
use std::io::{self, Write};

const MORE: &str = "\
Examples:
  moviola completions bash > ~/.local/share/bash-completion/completions/moviola
  moviola completions zsh > ~/.zfunc/_moviola           with ~/.zfunc in fpath
  moviola completions fish > ~/.config/fish/completions/moviola.fish
  moviola completions powershell >> $PROFILE";

/// Print what a shell needs to complete commands and options
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// Whose completions.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut script = Vec::new();
    generate(options.shell, &mut cli::command(), "moviola", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Outcome::Good)
}
