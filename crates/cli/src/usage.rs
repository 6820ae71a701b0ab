//! Reports a mistake on the command line in one line that also gives a way out; help and versions are printed
//! by clap.

use crate::cli;
use crate::failure::{self, Outcome};
use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use moviola::text::nearest;

/// Reports a mistake on the command line, or prints the requested help. `command` is the one that the line
/// names.
pub(crate) fn refuse(error: &clap::Error, command: Option<&str>) -> Result<Outcome> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        error.print()?;
        return Ok(Outcome::Good);
    }
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        failure::print_error(&no_command(name));
        return Ok(Outcome::Trouble);
    }
    let mut message = line(&error.render().to_string(), command);
    if let (ErrorKind::UnknownArgument, Some(ContextValue::String(word)), Some(name)) =
        (error.kind(), error.get(ContextKind::InvalidArg), command)
        && !word.starts_with('-')
        && has_output(name)
    {
        message = format!("unexpected argument '{0}': to write to it, use `-o {0}`", shorten(word));
    }
    failure::print_error(&message);
    Ok(Outcome::Trouble)
}

/// Whether a command writes to a file that `-o` names.
fn has_output(command: &str) -> bool {
    let program = cli::command();
    let found = program.find_subcommand(command);
    found.is_some_and(|command| command.get_arguments().any(|it| it.get_short() == Some('o')))
}

/// Names of commands that people try, and the commands that they look for.
const HINTS: &[(&str, &str)] = &[
    (
        "play",
        "`moviola watch` plays a recording in the browser, `moviola film` makes a film of it; games play it with `playdemo NAME` in their consoles",
    ),
    (
        "render",
        "`moviola film` makes a film and `moviola still` a picture; `moviola capture` lets a game take the pictures",
    ),
    ("merge", "`moviola join` puts recordings one after the other"),
    // not from SCHEMA: a word that people try
    ("stats", "`moviola report` has times, scores and weapons"),
];

/// Reports that there is no such command, and the one that was probably meant.
pub(crate) fn no_command(name: &str) -> String {
    if let Some((_, hint)) = HINTS.iter().find(|(word, _)| *word == name) {
        return format!("there is no command `{name}`: {hint}");
    }
    let program = cli::command();
    let (meant, name) =
        (nearest(name, program.get_subcommands().map(clap::Command::get_name)), shorten(name));
    match meant {
        Some(meant) => format!("there is no command `{name}`: did you mean `{meant}`?"),
        None => format!("there is no command `{name}`; `moviola --help` lists the commands"),
    }
}

/// The paragraphs of clap's error as one line: the mistake, and the word that was probably meant, or where to
/// look.
fn line(message: &str, command: Option<&str>) -> String {
    let paragraphs = message.split("\n\n").map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    let (mut wrong, mut meant) = (String::new(), None);
    for paragraph in paragraphs {
        if let Some(error) = paragraph.strip_prefix("error: ") {
            wrong = plain(error);
        } else if let Some((_, words)) =
            paragraph.split_once(" exists: ").or(paragraph.split_once(" exist: "))
        {
            let words = words.split(" tip: ").next().unwrap_or(words);
            meant = Some(words.replace('\'', "`"));
        }
    }
    match (meant, command) {
        (Some(words), _) => format!("{wrong}: did you mean {words}?"),
        (None, Some(name)) => format!("{wrong}; `moviola {name} --help` has examples"),
        (None, None) => format!("{wrong}; `moviola --help` lists the commands"),
    }
}

/// An error without technical details, and of readable length.
fn plain(error: &str) -> String {
    // The given word is the first in quotes.
    let mut parts = error.splitn(3, '\'').map(str::to_owned).collect::<Vec<_>>();
    if let [_, given, _] = parts.as_mut_slice() {
        *given = shorten(given);
    }
    parts
        .join("'")
        .replace("the following required arguments were not provided:", "missing:")
        .replace("invalid float literal", "it is not a number")
        .replace("invalid digit found in string", "it is not a whole number")
        .replace(" found", "")
}

/// A word of the command line, cut to a readable length.
fn shorten(word: &str) -> String {
    const MAX_CHARACTERS: usize = 60;
    match word.char_indices().nth(MAX_CHARACTERS) {
        Some((at, _)) => word.get(..at).unwrap_or_default().to_owned() + "...",
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{line, no_command};

    #[test]
    fn the_command_that_was_meant_is_named() {
        for (typed, meant) in
            [("cutt", "cut"), ("decompil", "decompile"), ("plott", "plot"), ("repot", "report")]
        {
            assert_eq!(no_command(typed), format!("there is no command `{typed}`: did you mean `{meant}`?"));
        }
        assert!(no_command("play").contains("playdemo"));
        assert_eq!(no_command("xyzzy"), "there is no command `xyzzy`; `moviola --help` lists the commands");
    }

    #[test]
    fn a_mistake_is_one_line() {
        let message = "error: invalid value 'x' for '--game <GAME>'\n  [possible values: quake, quake2]\n\n  \
                    tip: a similar value exists: 'quake'\n\nFor more information, try '--help'.\n";
        assert_eq!(
            line(message, Some("new")),
            "invalid value 'x' for '--game <GAME>' [possible values: quake, quake2]: did you mean `quake`?"
        );
        let message = "error: unexpected argument '--player' found\n\n  tip: to pass '--player' as a value, use \
                    '-- --player'\n\nUsage: moviola report [OPTIONS] <FILE>...\n\nFor more information, try '--help'.\n";
        assert_eq!(
            line(message, None),
            "unexpected argument '--player'; `moviola --help` lists the commands"
        );
        let message =
            "error: the following required arguments were not provided:\n  <SPANS>\n\nUsage: moviola cut";
        assert_eq!(line(message, Some("cut")), "missing: <SPANS>; `moviola cut --help` has examples");
        let message = format!("error: invalid value '{}' for '--map <MAP>': too long\n", "x".repeat(3000));
        assert_eq!(
            line(&message, Some("new")),
            format!(
                "invalid value '{}...' for '--map <MAP>': too long; `moviola new --help` has examples",
                "x".repeat(60)
            )
        );
    }
}
