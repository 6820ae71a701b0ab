//! The texts of `-h` and `--help`: the options in short; with explanations, examples and exit codes at
//! length.
// not from SCHEMA, all words: they are names of commands

use crate::overview;
use clap::Command;

/// The meanings of the program's exit codes, and the kinds of paths.
pub(crate) const CODES: &str = "\
Recordings in a .dz, .zip, .pk3, .pak or .gz file:
  runs.zip           all recordings in it, for info, report, events, check, audit, catalog, find,
                     export, plot --kind heat and unpack; for other commands, its only recording
  runs.zip:run.dem   one of them, for every command; run~2.dem is the second of that name

Exit codes:
  0    success
  1    the files were read, and one has a problem: it is not exact, or it is a text, a
       script or a subtitle file with mistakes (mistakes on the command line give 2)
  2    a file could not be read or written, or the command line is not valid
  130  the program was interrupted, as with Ctrl-C; no half-written file remains";

/// The heading above the examples.
const EXAMPLES: &str = "Examples:\n";

/// The meanings of the exit codes 0 and 1 of each command that has its own; 2 is the same for all but `audit`.
const MEANINGS: &[(&str, &str, &str)] = &[
    ("check", "all recordings are exact", "a recording is not exact"),
    ("diff", "the recordings are the same", "the recordings differ"),
    ("audit", "nothing was found", "something was found"),
    ("find", "something was found", "nothing was found"),
    ("compile", "success", "the text has mistakes"),
    ("fmt", "success", "the text has mistakes or, with --check, is not tidy"),
    ("decompile", "success", "with --lmpc: a part of the recording cannot be expressed"),
    ("edit", "success", "the script has mistakes"),
    ("camera", "success", "the camera's script has mistakes"),
    ("subtitle", "success", "the subtitles have mistakes"),
    ("film", "success", "the subtitles or the camera's script have mistakes"),
];

/// A command with its short and its long help: in the long one the text up to the examples comes first, the
/// rest last.
pub(crate) fn both(command: Command) -> Command {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let more = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (teaching, examples) = more.split_at(more.find(EXAMPLES).unwrap_or(more.len()));
    // The first line may be indented.
    let first = format!("{about}\n\n{}", teaching.trim_end().trim_start_matches('\n'));
    let last = format!("{}\n\n{}", examples.trim(), codes(command.get_name())).trim_end().to_owned();
    command.help_template(overview::PLAIN).after_help("").long_about(first).after_long_help(last)
}

/// The text of the long help before the options, without its first line.
pub(crate) fn long_introduction(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let first = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    first.strip_prefix(&about).unwrap_or_default().trim_start_matches('\n').trim_end().to_owned()
}

fn codes(name: &str) -> String {
    let trouble = if name == "audit" {
        "a file could not be read or has nothing to judge, or the command line is not valid"
    } else {
        "a file could not be read or written, or the command line is not valid"
    };
    if name == "lmpc" {
        // Its own text explains them.
        return String::new();
    }
    let (well, bad) = MEANINGS
        .iter()
        .find(|(command, ..)| *command == name)
        .map_or(("success", None), |(_, well, bad)| (*well, Some(bad)));
    let bad = bad.map_or_else(String::new, |bad| format!("  1    {bad}\n"));
    format!(
        "Exit codes:\n  0    {well}\n{bad}  2    {trouble}\n  130  the program was interrupted, as with Ctrl-C"
    )
}

#[cfg(test)]
mod tests {
    use crate::cli;

    #[test]
    fn every_command_teaches_at_length_and_not_in_short() {
        let mut program = cli::command();
        program.build();
        for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
            let name = command.get_name();
            let short = command.clone().render_help().to_string();
            let long = command.clone().render_long_help().to_string();
            assert!(long.contains("Examples:\n") && long.contains("Exit codes:\n  0 "), "{name}: {long}");
            assert!(!short.contains("Examples:") && short.lines().count() < long.lines().count(), "{name}");
        }
    }

    #[test]
    fn exit_codes_are_of_commands_that_there_are() {
        let program = cli::command();
        for name in super::MEANINGS.iter().map(|(name, ..)| name) {
            assert!(program.find_subcommand(name).is_some(), "{name}");
        }
    }
}
