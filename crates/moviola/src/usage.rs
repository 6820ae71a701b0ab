//! What is wrong with a command line, in one line that says what to do; help and versions stay clap's own.

use crate::failure::{self, Outcome};
use anyhow::Result;
use clap::error::ErrorKind;

/// Says why a command line makes no sense, or shows the help that it asks for. `command` is the one that it names.
pub(crate) fn refuse(error: &clap::Error, command: Option<&str>) -> Result<Outcome> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        error.print()?;
        return Ok(Outcome::Good);
    }
    failure::say(&line(&error.render().to_string(), command));
    Ok(Outcome::Trouble)
}

/// The paragraphs of clap's error as one line: what is wrong, and the word that was meant, or where to look.
fn line(said: &str, command: Option<&str>) -> String {
    let paragraphs = said.split("\n\n").map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
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

/// Without what only programmers say, and no longer than people read.
fn plain(error: &str) -> String {
    const MOST: usize = 60;
    let shorten = |word: &str| match word.char_indices().nth(MOST) {
        Some((at, _)) => word.get(..at).unwrap_or_default().to_owned() + "...",
        None => word.to_owned(),
    };
    // What was given stands in quotes, as the first.
    let mut parts = error.splitn(3, '\'').map(str::to_owned).collect::<Vec<_>>();
    if let [_, given, _] = parts.as_mut_slice() {
        *given = shorten(given);
    }
    parts
        .join("'")
        .replace("the following required arguments were not provided:", "what is missing:")
        .replace("unrecognized subcommand", "there is no command")
        .replace("invalid float literal", "it is no number")
        .replace("invalid digit found in string", "it is no whole number")
        .replace(" found", "")
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_mistake_is_one_line() {
        let said = "error: invalid value 'x' for '--game <GAME>'\n  [possible values: quake, quake2]\n\n  \
                    tip: a similar value exists: 'quake'\n\nFor more information, try '--help'.\n";
        assert_eq!(
            line(said, Some("new")),
            "invalid value 'x' for '--game <GAME>' [possible values: quake, quake2]: did you mean `quake`?"
        );
        let said = "error: unexpected argument '--player' found\n\n  tip: to pass '--player' as a value, use \
                    '-- --player'\n\nUsage: moviola report [OPTIONS] <FILE>...\n\nFor more information, try '--help'.\n";
        assert_eq!(line(said, None), "unexpected argument '--player'; `moviola --help` lists the commands");
        let said =
            "error: the following required arguments were not provided:\n  <SPANS>\n\nUsage: moviola cut";
        assert_eq!(line(said, Some("cut")), "what is missing: <SPANS>; `moviola cut --help` has examples");
        let said = format!("error: invalid value '{}' for '--map <MAP>': too long\n", "x".repeat(3000));
        assert_eq!(
            line(&said, Some("new")),
            format!(
                "invalid value '{}...' for '--map <MAP>': too long; `moviola new --help` has examples",
                "x".repeat(60)
            )
        );
    }
}
