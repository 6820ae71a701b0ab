//! `moviola completions`: the scripts that shells need to complete commands, options and files.

use super::{explain, lmpc};
use crate::cli;
use crate::failure::Outcome;
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use moviola::edit::Strip;
use std::fmt::Write as _;
use std::io::{self, Write};

const AFTER_HELP: &str = "\
Examples:
  moviola completions bash > ~/.local/share/bash-completion/completions/moviola
  moviola completions zsh > ~/.zfunc/_moviola           with ~/.zfunc in fpath
  moviola completions fish > ~/.config/fish/completions/moviola.fish
  moviola completions powershell >> $PROFILE";

/// Print the script with which a shell completes commands and options
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(options: &CompletionsArgs) -> Result<Outcome> {
    let (mut script, mut program) = (Vec::new(), offering(cli::command()));
    generate(options.shell, &mut program, "moviola", &mut script);
    if options.shell == Shell::Fish {
        script.extend_from_slice(fish(&program).as_bytes());
    }
    io::stdout().write_all(&script)?;
    Ok(Outcome::Good)
}

/// The program as shells should complete it: with words for arguments whose values are too many for the help,
/// and with the options of LMPC, which are parsed by LMPC's own command line.
fn offering(program: Command) -> Command {
    let mut built = program.clone();
    built.build();
    // Clap needs words that live forever.
    let commands = built.get_subcommands().map(|it| &*it.get_name().to_owned().leak()).collect();
    let offer = |command: Command, argument: &str, words: Vec<&'static str>| {
        command.mut_arg(argument, |it| {
            it.value_parser(PossibleValuesParser::new(words)).hide_possible_values(true)
        })
    };
    program
        // not from SCHEMA: an argument of `man`
        .mut_subcommand("man", |it| offer(it, "command", commands))
        .mut_subcommand("explain", |it| offer(it, "what", explain::words().collect()))
        .mut_subcommand("strip", |it| offer(it, "what", Strip::words().collect()))
        .mut_subcommand("lmpc", |it| it.args(lmpc::options()))
}

/// The parts that clap leaves out for fish: the words without an option, and the commands that `help`
/// describes. Where only the first word can be one of them, no files are offered.
fn fish(program: &Command) -> String {
    let mut lines = String::new();
    for command in program.get_subcommands() {
        let commands: Vec<_> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
        let positionals = command.get_positionals().map(|it| {
            let words = it.get_possible_values();
            (it.get_index() == Some(1), words.iter().map(|word| word.get_name().to_owned()).collect())
        });
        for (is_first, words) in positionals.chain([(true, commands)]).filter(|(_, words)| !words.is_empty())
        {
            let (name, words) = (command.get_name(), words.join(" "));
            let files = if is_first { " -f" } else { "" };
            let using = format!("__fish_moviola_using_subcommand {name}");
            let _ = writeln!(lines, "complete -c moviola -n \"{using}\"{files} -a \"{words}\"");
        }
    }
    lines
}
