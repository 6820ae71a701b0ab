//! The `moviola` program: a file for each subcommand under `commands`, and no logic of its own.
#![forbid(unsafe_code)]

mod cli;
mod commands;
mod differences;
mod dropped;
mod edits;
mod event_kinds;
mod exact;
mod failure;
mod filming;
mod help;
mod input;
mod inside;
mod json;
mod leftovers;
mod lmp;
mod maps;
mod output;
mod overview;
mod parallel;
mod progress;
mod render;
mod report;
mod scenes;
mod several;
mod sights;
mod survey;
mod table;
mod units;
mod usage;

use std::env::args_os;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<_> = args_os().collect();
    let outcome = if cli::is_lmpc(words.first()) { commands::lmpc::main(words) } else { cli::main(words) };
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(error) => failure::report(&error),
    }
}
