//! Sorts files if recordings of input and other files are named together, and runs the command again for the
//! other files, with its options.

use super::{Job, Opened, is_ours, is_read_once, open, paths};
use crate::cli;
use crate::failure::Outcome;
use crate::input::{self, Input, ReopenableInput, is_dash};
use crate::inside::{self, WantedFiles};
use crate::progress::Bar;
use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{ArgAction, Command};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

impl Job<'_> {
    /// The recordings of input that an argument names, opened, and all other files. Folders and containers
    /// are searched; a folder without any is left to the command.
    pub(super) fn sorted(&self, id: &str, into_folders: bool) -> Result<(Opened, Vec<PathBuf>)> {
        let named = paths(self.arguments, id);
        let (files, _) = input::list(&named);
        if !into_folders && named.iter().any(|path| path.is_dir()) {
            return Ok((Vec::new(), named));
        }
        let (mut ours, mut others) = (Vec::new(), Vec::new());
        for (path, found) in files {
            let mut rest = false;
            if !is_dash(&path) && is_read_once(&path) {
                others.push(path);
                continue;
            }
            if is_dash(&path) {
                let Some(mut input) = open(Some(&path), WantedFiles::Recordings)? else {
                    others.push(path);
                    continue;
                };
                if self.game.is_some() || is_ours(&mut input)? {
                    ours.push((path, ReopenableInput::new(input)?));
                } else {
                    input.hand_back();
                    others.push(path);
                }
                continue;
            }
            let results = inside::each_in_turn(&path, &Bar::bytes(None, true), found, |mut input| {
                let is_ours = is_ours(&mut input)? || self.game.is_some() && !found;
                if is_ours {
                    // A file in a container can be read only when the walk reaches it.
                    let at = input.path().unwrap_or(Path::new("-")).to_owned();
                    ours.push((at, ReopenableInput::new(input)?));
                } else {
                    input.hand_back();
                    rest = true;
                }
                Ok(())
            });
            if rest || results.iter().any(Result::is_err) {
                others.push(path);
            }
        }
        let ours = ours.into_iter().map(|(path, again)| Ok((path, again.open()?))).collect::<Result<_>>()?;
        Ok((ours, others))
    }

    /// Leaves out files that are not recordings if a folder is named, since a folder may contain anything.
    pub(super) fn leave_folders(&self, others: &mut Vec<PathBuf>, id: &str) {
        if paths(self.arguments, id).iter().any(|path| path.is_dir()) {
            others.retain(|path| path.is_dir() || is_other_recording(path));
        }
    }

    /// The options of the command line with their values, without those called as `but` lists.
    pub(super) fn options(&self, name: &str, but: &[&str]) -> Vec<OsString> {
        let program = cli::command();
        let options = program.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
        let mut words = Vec::new();
        for option in options.filter(|it| {
            it.get_long().is_some()
                && self.is_given(it.get_id().as_str())
                && !but.contains(&it.get_id().as_str())
        }) {
            let long: OsString = format!("--{}", option.get_long().unwrap_or_default()).into();
            match option.get_action() {
                ArgAction::Set | ArgAction::Append => {
                    let values = self.arguments.get_raw(option.get_id().as_str()).into_iter().flatten();
                    words.extend(values.flat_map(|value| [long.clone(), value.to_owned()]));
                }
                _ => words.push(long),
            }
        }
        words
    }

    pub(super) fn is_given(&self, id: &str) -> bool {
        let is_known = self.arguments.try_contains_id(id).is_ok();
        is_known && self.arguments.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Refuses options that have no meaning for a recording of input; `done` are those that have one.
    pub(super) fn only_with(&self, command: &str, done: &[&str], file: &str) -> Result<()> {
        let options = self.options(command, done);
        match options.first() {
            Some(option) => {
                bail!("{file}: {} is for recordings of Quake, and this is one of input", option.display())
            }
            None => Ok(()),
        }
    }

    /// Runs the command with the other files.
    pub(super) fn others(&self, name: &str, words: Vec<OsString>, others: Vec<PathBuf>) -> Result<Outcome> {
        if others.is_empty() {
            return Ok(Outcome::Good);
        }
        let mut command_line: Vec<OsString> = vec!["moviola".into(), name.into()];
        command_line.extend(words);
        command_line.extend(
            [(self.verbosity.quiet, "-q"), (self.verbosity.verbose, "-v")]
                .iter()
                .filter(|it| it.0)
                .map(|it| it.1.into()),
        );
        command_line.push("--".into());
        command_line.extend(others.into_iter().map(PathBuf::into_os_string));
        cli::main(command_line)
    }
}

/// Whether a file of a folder is a recording of another kind, or a container.
fn is_other_recording(path: &Path) -> bool {
    let plain = Input::open(path).and_then(|mut input| Ok(input.is_recording()?));
    plain.unwrap_or_default() || inside::is_container(path)
}
