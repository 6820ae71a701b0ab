//! `moviola explain`: what a message, a field or a code means.

use crate::failure::Outcome;
use anyhow::{Result, bail};
use clap::Args;
use moviola::check;
use moviola::text;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  moviola explain clientdata    a message, and all that is in it
  moviola explain 15            the message with this id, in either game; also 0x0f
  moviola explain origin        a field, wherever it is
  moviola explain M007          a finding of `check`
  moviola explain T014          a mistake that `compile` complains about
  moviola explain codes         all codes";

/// Say what a message, a field or a code means
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A message's name or id, a field's name, or a code.
    #[arg(required = true, value_name = "NAME|ID|CODE")]
    what: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut out = io::stdout().lock();
    for (number, what) in options.what.iter().enumerate() {
        let Some(text) = about(what) else {
            bail!(
                "nothing is called `{what}`: it is no message, no field and no code (`moviola explain codes` lists those)"
            );
        };
        if number > 0 {
            writeln!(out)?;
        }
        write!(out, "{text}")?;
    }
    Ok(Outcome::Good)
}

fn about(what: &str) -> Option<String> {
    if what.eq_ignore_ascii_case("codes") {
        return Some(codes());
    }
    let mistake = text::Code::ALL.iter().find(|code| code.number().eq_ignore_ascii_case(what));
    match mistake {
        Some(code) => Some(mistake_at_length(*code)),
        None => check::explain(what).map(|found| found.render()),
    }
}

fn mistake_at_length(code: text::Code) -> String {
    let lines: String = code.explanation().lines().map(|line| format!("{}\n", line.trim())).collect();
    format!("{} (error): {}\n\n{lines}", code.number(), code.title())
}

fn codes() -> String {
    let mut all = String::from("findings of `moviola check`\n");
    for code in check::Code::ALL {
        all.push_str(&format!("  {}  {}\n", code.text(), code.title().replace("{}", "N")));
    }
    all.push_str("\nmistakes that `moviola compile` finds\n");
    for code in text::Code::ALL {
        all.push_str(&format!("  {}  {}\n", code.number(), code.title()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained() {
        for code in text::Code::ALL
            .iter()
            .map(|code| code.number())
            .chain(check::Code::ALL.iter().map(|code| code.text()))
        {
            let said = about(&code.to_lowercase()).unwrap();
            assert!(said.starts_with(code) && said.lines().count() > 2, "{said}");
        }
        assert!(about("no such thing").is_none());
    }
}
