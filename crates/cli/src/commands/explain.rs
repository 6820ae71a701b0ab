//! `moviola explain`: the meaning of a message, a field, a value, an engine or a code.

use crate::cli;
use crate::failure::Outcome;
use anyhow::{Result, bail};
use clap::Args;
use moviola::audit;
use moviola::format::Table;
use moviola::input::{self, InputCode};
use moviola::{check, edit, text};
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  moviola explain clientdata    a message and its fields
  moviola explain 15            the message with this id, in every game; also 0x0f
  moviola explain origin        a field, in every message that has it; or clientdata.health
  moviola explain TE_BEAM       a named value
  moviola explain quakespasm    the findings that an engine objects to
  moviola explain M007          a finding of `check`
  moviola explain C201          a finding of `audit`
  moviola explain T014          a mistake that `compile` reports
  moviola explain SR50          a term for recordings of input (DOOM, Duke)
  moviola explain GF NW3        words of their tics; also Skill, PORTNAME, complevel, heretic, 221
  moviola explain codes         all codes
  moviola explain messages      all messages of all games";

/// Explain a message, a field, a value, an engine or a code
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The name of a message, field, value or engine, a message's id, or a code.
    #[arg(required = true, value_name = "NAME|ID|CODE")]
    what: Vec<String>,
}

pub(crate) fn run(options: &ExplainArgs) -> Result<Outcome> {
    let mut out = io::stdout().lock();
    for (number, what) in options.what.iter().enumerate() {
        if what.trim().is_empty() {
            bail!(
                "an empty word has no explanation: name a message, a field, a value, an engine, an id or a code"
            );
        }
        let Some(text) = explanation_of(what) else {
            if let Some((first, last)) = series(what) {
                bail!(
                    "there is no code `{what}`: codes with this letter are {first} to {last} (`moviola explain codes`)"
                );
            }
            if cli::command().find_subcommand(what).is_some() {
                bail!("`{what}` is a command: `moviola help {what}` explains it");
            }
            let near = || text::nearest(what, input::topics()).map(str::to_owned);
            match check::suggest(what).or_else(near) {
                Some(word) => bail!("there is no `{what}`: did you mean `{word}`?"),
                None => bail!(
                    "there is no `{what}`: it is not a message, field, value, engine, code or word of recordings \
                     of input (`moviola explain codes` lists the codes)"
                ),
            }
        };
        if number > 0 {
            writeln!(out)?;
        }
        write!(out, "{text}")?;
    }
    Ok(Outcome::Good)
}

/// All words that can be explained, for shells to offer.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    let mut messages: Vec<&str> =
        Table::ALL.into_iter().flat_map(Table::schema).map(|row| row.name).collect();
    messages.sort_unstable();
    messages.dedup();
    let engines = check::ENGINES.iter().map(|engine| engine.name);
    let lists = ["codes", "messages"]; // not from SCHEMA: names of lists
    lists.into_iter().chain(messages).chain(engines).chain(input::topics()).chain(numbers())
}

/// Every code of every crate.
fn numbers() -> impl Iterator<Item = &'static str> {
    let found = check::CheckCode::ALL.iter().map(|code| code.number());
    let found = found.chain(audit::AuditCode::ALL.iter().map(|code| code.number()));
    let found = found.chain(text::TextCode::ALL.iter().map(|code| code.number()));
    let found = found.chain(edit::EditCode::ALL.iter().map(|code| code.number()));
    found.chain(InputCode::ALL.iter().map(|code| code.number()))
}

/// The first and the last code that begin with the letter of this one, if it has the form of a code.
fn series(what: &str) -> Option<(&'static str, &'static str)> {
    let (letter, number) = what.split_at_checked(1)?;
    let alike = |code: &&str| code.get(..1).is_some_and(|first| first.eq_ignore_ascii_case(letter));
    let alike: Vec<&str> = numbers().filter(alike).collect();
    let is_code = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((*alike.iter().min()?, *alike.iter().max()?)).filter(|_| is_code)
}

fn explanation_of(what: &str) -> Option<String> {
    if what.eq_ignore_ascii_case("codes") {
        return Some(codes());
    }
    if what.eq_ignore_ascii_case("messages") {
        return Some(messages());
    }
    if let Some(code) = audit::AuditCode::find(what) {
        return Some(found(code));
    }
    if let Some(code) = text::TextCode::find(what) {
        let severity = if code.is_warning() { "warning" } else { "error" };
        return Some(at_length(code.number(), severity, code.title(), code.explanation()));
    }
    if let Some(code) = edit::EditCode::find(what) {
        return Some(at_length(code.number(), "error", code.title(), code.explanation()));
    }
    if let Some(code) = InputCode::find(what) {
        return Some(at_length(code.number(), "note", code.title(), code.explanation()));
    }
    // A word can occur in both kinds of recordings.
    let both = [check::explain(what).map(|found| found.render()), input::explain(what)];
    let found: Vec<String> = both.into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.join("\n"))
}

fn at_length(number: &str, severity: &str, title: &str, explanation: &str) -> String {
    let lines: Vec<&str> = explanation.lines().map(str::trim).collect();
    format!("{number} ({severity}): {title}\n\n{}\n", lines.join("\n"))
}

fn found(code: audit::AuditCode) -> String {
    let lines: Vec<&str> = code.explanation().lines().map(str::trim).collect();
    let (severity, limit) = (code.severity().word(), code.limit());
    let title = code.title();
    format!(
        "{} ({severity}): {title}\n\n{}\n\nThe audit cannot know {limit}.\n",
        code.number(),
        lines.join("\n")
    )
}

fn codes() -> String {
    let line = |code: &str, title: &str| format!("  {code}  {}", title.replace("{}", "N"));
    let mut lines = vec!["findings of `moviola check`".to_owned()];
    lines.extend(check::CheckCode::ALL.iter().map(|code| line(code.number(), code.title())));
    lines.push("\nfindings of `moviola audit`".into());
    lines.extend(audit::AuditCode::ALL.iter().map(|code| line(code.number(), code.title())));
    lines.push("\nmistakes that `moviola compile` finds".into());
    lines.extend(text::TextCode::ALL.iter().map(|code| line(code.number(), code.title())));
    lines.push("\nmistakes in the arguments of edits".into());
    lines.extend(edit::EditCode::ALL.iter().map(|code| line(code.number(), code.title())));
    lines.push("\nfindings of `moviola check` in recordings of input".into());
    lines.extend(InputCode::ALL.iter().map(|code| line(code.number(), code.title())));
    lines.join("\n") + "\n"
}

fn messages() -> String {
    let list = |table: Table| {
        table.schema().iter().fold(format!("{}\n", table.title()), |list, row| list + "  " + row.name + "\n")
    };
    Table::ALL.map(list).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_explained() {
        assert!(words().all(|word| explanation_of(word).is_some() && !word.contains(' ')));
    }

    #[test]
    fn every_code_is_explained() {
        for code in numbers() {
            let text = explanation_of(&code.to_lowercase()).unwrap();
            assert!(text.starts_with(code) && text.lines().count() > 2, "{text}");
        }
        assert!(explanation_of("t024").unwrap().starts_with("T024 (warning)"));
        assert!(explanation_of("messages").unwrap().contains("\n  muzzlflash2\n")); // not from SCHEMA: in the list of all
        assert!(explanation_of("no such thing").is_none());
    }
}
