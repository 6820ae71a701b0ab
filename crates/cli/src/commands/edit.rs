//! `moviola edit`: several edits in one pass, by a script that has a command on each line.

use super::single::{NoArgs, SingleEdit};
use crate::cli::Verbosity;
use crate::edits::{self, EditOutcome, EditTarget, MistakePlace, Original, PlanError};
use crate::failure::{self, Outcome};
use crate::input::one_stdin;
use crate::inside::{self, WantedFiles};
use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, FromArgMatches, Subcommand};
use moviola::edit::{EditCode, Error, Line, Mistake, Script};
use std::io::Read;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Each line of a script is a command as on the command line, but without IN and
-o:

  # the duel, as a film
  cut 'chat \"fight\"..chat \"gg\"'
  strip prints,centerprints
  set player.1.name='The Ranger'
  subtitle duel.srt                # a file beside the script

The edits are done in order, each on the result of the one before. The result is
the same as with piped commands, but no files are kept between them. Times and
blocks are those of the recording at that point. `# ` begins a comment; an
argument with spaces is quoted, as in a shell.

The commands are {commands}.
Some look at the whole recording before they begin (those with spans, and camera,
view, ghost, copy, repair, convert, highlights); each of these reads it once more.
A mistake in any line is reported before anything is written.

Examples:
  moviola edit run.dem --script film.txt -o film.dem
  moviola edit - --script clean.txt < run.dm2 > clean.dm2
  echo 'strip chat' | moviola edit run.dem --script - -o quiet.dem";

/// Apply several edits in one pass, from a script
#[derive(Debug, Args)]
#[command(after_help = more())]
pub(crate) struct ScriptArgs {
    #[command(flatten)]
    original: Original,
    /// The script.
    #[arg(short, long, value_name = "FILE")]
    script: PathBuf,
    #[command(flatten)]
    to: EditTarget,
}

/// The edit in a line of a script.
type Edit = SingleEdit<NoArgs, NoArgs>;

/// The longest line of a help text.
const WIDTH: usize = 80;

/// The help after the arguments, with the names of all commands that a script can have.
fn more() -> String {
    let program = Edit::augment_subcommands(clap::Command::new(""));
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    let (last, first) = names.split_last().unwrap_or((&"", &[]));
    let (mut lines, mut length) = (String::new(), "The commands are ".len());
    for word in format!("{} and {last}", first.join(", ")).split(' ') {
        // A comma or a point follows the word.
        if length + 1 + word.len() > WIDTH {
            lines.push('\n');
            length = 0;
        } else if !lines.is_empty() {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += word.len();
    }
    AFTER_HELP.replace("{commands}", &lines)
}

pub(crate) fn run(options: &ScriptArgs, talk: Verbosity) -> Result<Outcome> {
    let mut file = inside::single(&options.script, WantedFiles::Files)?;
    let (mut text, name) = (Vec::new(), file.name().to_owned());
    file.read_to_end(&mut text)?;
    let report_mistakes = |found: &[Mistake]| edits::mistakes(found, &name, &options.to, talk);
    let script = match Script::parse(&String::from_utf8_lossy(&text)) {
        Ok(script) => script,
        Err(found) => return Ok(report_mistakes(&found)),
    };
    let folder = options.script.parent().unwrap_or(Path::new(""));
    let (mut plans, mut found, mut elsewhere) = (Vec::new(), Vec::new(), Outcome::Good);
    let mut parser = Parser::new();
    for line in script.lines() {
        let edit = match parser.edit(line) {
            Ok(edit) => edit,
            Err(error) => {
                found.push(mistake(line, &error));
                continue;
            }
        };
        let (_, words, _) = edit.parts();
        one_stdin(words.files().iter().chain([&options.script, &options.original.input]))?;
        match words.plan(folder) {
            Ok(plan) => plans.push(plan),
            Err(PlanError::Mistakes(MistakePlace::File(name), found)) => {
                elsewhere = edits::mistakes(&found, &name, &options.to, talk);
            }
            Err(PlanError::Mistakes(MistakePlace::Word(_), mistakes)) => {
                found.extend(mistakes.into_iter().map(|mistake| line.place(mistake)));
            }
            Err(PlanError::Trouble(error)) => {
                let message = format!("{error:#}");
                let word = line.words().skip(1).find(|word| message.contains(word)).unwrap_or_default();
                found.push(line.mistake(EditCode::Edit, message.as_str(), word));
            }
        }
    }
    if !found.is_empty() {
        return Ok(report_mistakes(&found));
    }
    if elsewhere != Outcome::Good {
        return Ok(elsewhere);
    }
    match edits::carry_out(&options.original, plans, &options.to, talk)? {
        EditOutcome::Out { name, summaries, also } => {
            if summaries.is_empty() && !talk.quiet {
                failure::line(&format!("{name}: the script has no edits: nothing changed"));
            }
            for (line, summaries) in script.lines().iter().zip(&summaries) {
                let name = format!("{name}: {}", line.text());
                for summary in summaries {
                    edits::report(&name, summary, talk);
                }
            }
            also.print(talk);
            Ok(Outcome::Good)
        }
        EditOutcome::Stopped { name, plan, asked, error } => {
            let Some(line) = script.lines().get(plan) else { return Err(edits::in_file(error, &name)) };
            Ok(match (asked, error) {
                (MistakePlace::File(name), Error::Mistakes(found)) => {
                    edits::mistakes(&found, &name, &options.to, talk)
                }
                (MistakePlace::Word(_), Error::Mistakes(found)) => {
                    report_mistakes(&found.into_iter().map(|mistake| line.place(mistake)).collect::<Vec<_>>())
                }
                (_, error) => report_mistakes(&[line.mistake(EditCode::Edit, error.to_string(), "")]),
            })
        }
    }
}

/// Reads the lines of scripts, each by the words of its command.
struct Parser(clap::Command);

impl Parser {
    fn new() -> Self {
        let parser = clap::Command::new("script").no_binary_name(true).disable_help_subcommand(true);
        let parser = Edit::augment_subcommands(parser).disable_help_flag(true);
        Self(parser.mut_subcommands(|one| one.disable_help_flag(true)))
    }

    fn edit(&mut self, line: &Line) -> Result<Edit, clap::Error> {
        Edit::from_arg_matches(&self.0.try_get_matches_from_mut(line.words())?)
    }
}

/// Whether a word is the name of a recording.
fn is_recording(word: &str) -> bool {
    let ending = Path::new(word).extension().unwrap_or_default();
    ["dem", "dm2"].iter().any(|it| ending.eq_ignore_ascii_case(it))
}

/// The mistake in the words of a line.
fn mistake(line: &Line, error: &clap::Error) -> Mistake {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        Some(ContextValue::Strings(words)) => words.first().cloned(),
        _ => None,
    };
    let name = line.words().next().unwrap_or_default();
    if error.kind() == ErrorKind::InvalidSubcommand {
        let meant = context(ContextKind::SuggestedSubcommand);
        let help = match (name, meant) {
            ("moviola", _) => "a line begins with the command itself: cut 5..7".to_owned(),
            ("join" | "split", _) => "a script edits one recording: do this before or after it".to_owned(),
            (_, Some(meant)) => format!("did you mean `{meant}`?"),
            _ => "`moviola edit --help` lists the commands of scripts".into(),
        };
        return line.mistake(EditCode::Line, format!("scripts have no command `{name}`"), name).help(help);
    }
    let text = error.to_string();
    let mut parts = text.split("\n\n");
    let message = parts.next().unwrap_or_default().trim_start_matches("error: ");
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let tip = parts.find_map(|part| part.trim().strip_prefix("tip: ").map(str::to_owned));
    let word = [ContextKind::InvalidValue, ContextKind::InvalidArg].into_iter().find_map(context);
    let word = word.filter(|word| line.words().any(|it| it == word)).unwrap_or_default();
    let has = |is_so: &dyn Fn(&str) -> bool| line.words().skip(1).any(is_so);
    let help = match error.kind() {
        // Words that are right on the command line.
        _ if has(&|it| it == "-o" || it == "--output") => {
            "a line has neither the recording nor -o: `moviola edit` has them".to_owned()
        }
        ErrorKind::UnknownArgument if has(&|it| it == "|" || it.ends_with(';')) => {
            "write each command on a line of its own: they are done one after the other".to_owned()
        }
        ErrorKind::UnknownArgument if has(&is_recording) => {
            "name the recording after `moviola edit`, not in a line".to_owned()
        }
        ErrorKind::UnknownArgument if !word.starts_with('-') && line.words().count() > 2 => {
            "quote an argument that has spaces, as in 'level 2'".to_owned()
        }
        _ => tip.unwrap_or_else(|| format!("`moviola {name} --help` explains its arguments")),
    };
    line.mistake(EditCode::Line, message, &word).help(help)
}
