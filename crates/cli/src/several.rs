//! Several recordings for a command that edits one: `moviola squeeze *.dem -o small`. The command runs once for each, into
//! a file of the same name in the folder of `-o`.

use crate::commands::single::SingleEdit;
use crate::edits::{EditTarget, Original};
use crate::input::{is_dash, printable};
use crate::inside::{self, WantedFiles};
use crate::leftovers::make_folder;
use anyhow::{Result, anyhow, bail};
use clap::Subcommand;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The edit whose further words name recordings too: they are not edited.
const WITH_OTHERS: &str = "ghost";
/// The command that makes several edits of one recording, by a script.
const SCRIPT: &str = "edit";
/// The name of the option `-o` in the definition of the command line.
const OUTPUT: &str = "output";

/// A command line that names several recordings.
pub(crate) struct SeveralRecordings {
    recordings: Vec<PathBuf>,
    folder: Option<PathBuf>,
    /// The command line without the recordings and the output.
    before: Vec<OsString>,
    after: Vec<OsString>,
}

impl SeveralRecordings {
    /// Finds several recordings where the command takes one; `None` if there is one at most.
    pub(crate) fn find(words: &[OsString], program: &clap::Command) -> Option<Self> {
        let name = words.get(1)?.to_str()?;
        let is_edit = SingleEdit::<Original, EditTarget>::has_subcommand(name) && name != WITH_OTHERS;
        if !is_edit && name != SCRIPT {
            return None;
        }
        let mut built = program.clone();
        built.build();
        let command = built.find_subcommand(name)?;
        let mut found = Self {
            recordings: Vec::new(),
            folder: None,
            before: words.get(..2)?.to_vec(),
            after: Vec::new(),
        };
        let mut rest = words.get(2..)?.iter();
        while let Some(word) = rest.next() {
            match option(word, command) {
                _ if word == "--" => return None,
                Some(option) => {
                    let value =
                        option.attached.or_else(|| rest.next().filter(|_| option.takes_value).cloned());
                    found.before.extend(option.written);
                    if option.is_output {
                        found.folder = value.map(PathBuf::from);
                    } else {
                        found.before.extend(value);
                    }
                }
                None if found.after.is_empty() && is_recording(Path::new(word)) => {
                    found.recordings.push(word.into());
                }
                None => found.after.push(word.clone()),
            }
        }
        (found.recordings.len() > 1).then_some(found)
    }

    /// The recordings, each with the command line for it alone. Two recordings of one name are an error.
    pub(crate) fn lines(&self) -> Result<Vec<(&Path, Vec<OsString>)>> {
        let folder = self.folder()?;
        let mut names = BTreeSet::new();
        for recording in &self.recordings {
            let name = recording.file_name().unwrap_or_default();
            if !names.insert(name) {
                let (name, folder) = (printable(Path::new(name)), printable(folder));
                bail!("two of the recordings are called {name}, and {folder} can have only one of that name");
            }
        }
        let line = |recording: &PathBuf| {
            let out = folder.join(recording.file_name().unwrap_or_default());
            let own = [recording.clone().into(), "-o".into(), out.into()];
            self.before.iter().chain(&own).chain(&self.after).cloned().collect()
        };
        Ok(self.recordings.iter().map(|recording| (&**recording, line(recording))).collect())
    }

    /// Makes the folder for the outputs.
    pub(crate) fn make_folder(&self) -> Result<()> {
        let folder = self.folder()?;
        make_folder(folder).map_err(|error| anyhow!("cannot make the folder {}: {error}", printable(folder)))
    }

    fn folder(&self) -> Result<&Path> {
        self.folder.as_deref().filter(|folder| !is_dash(folder)).ok_or_else(|| {
            anyhow!("there are several recordings: name a folder for the edited ones, with -o DIR")
        })
    }
}

/// An option of a command line.
struct CommandOption {
    is_output: bool,
    /// The option without its value; for the output, only the flags before it in the same word, if any.
    written: Option<OsString>,
    takes_value: bool,
    /// A value in the same word.
    attached: Option<OsString>,
}

/// The option that a word is; `None` if it is none of the command's, like the time `-5`.
fn option(word: &OsStr, command: &clap::Command) -> Option<CommandOption> {
    let word = word.to_str()?;
    if let Some(long) = word.strip_prefix("--") {
        let (name, attached) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let option = command.get_arguments().find(|option| option.get_long() == Some(name))?;
        let is_output = option.get_id() == OUTPUT;
        return Some(CommandOption {
            is_output,
            written: (!is_output).then(|| format!("--{name}").into()),
            takes_value: option.get_action().takes_values() && attached.is_none(),
            attached: attached.map(OsString::from),
        });
    }
    // Short options may stand together: `-qo small`.
    let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty())?;
    for (at, letter) in letters.char_indices() {
        let option = command.get_arguments().find(|option| option.get_short() == Some(letter))?;
        if option.get_action().takes_values() {
            let is_output = option.get_id() == OUTPUT;
            let (flags, value) = letters.split_at(at);
            let value = value.get(letter.len_utf8()..).filter(|value| !value.is_empty());
            let letter = if is_output { String::new() } else { letter.to_string() };
            let written = format!("-{flags}{letter}");
            return Some(CommandOption {
                is_output,
                written: (written != "-").then(|| written.into()),
                takes_value: value.is_none(),
                attached: value.map(OsString::from),
            });
        }
    }
    Some(CommandOption { is_output: false, written: Some(word.into()), takes_value: false, attached: None })
}

fn is_recording(path: &Path) -> bool {
    let wanted = WantedFiles::Recordings;
    let input = path.is_file().then(|| inside::single(path, wanted));
    let is_wanted = |mut input| wanted.takes(&mut input, &printable(path));
    input.and_then(Result::ok).and_then(|input| is_wanted(input).ok()).unwrap_or_default()
}
