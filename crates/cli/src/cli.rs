//! The command line: the subcommands, and the options that all of them share.

use crate::commands::single::SingleEdit;
use crate::commands::{
    audit, catalog, check, compile, completions, decompile, diff, edit, events, explain, export, film, find,
    fmt, index, info, join, lmpc, make, man, new, plot, record, report, serve, split, still, unpack, watch,
};
use crate::edits::{self, EditTarget, Original};
use crate::failure::{self, Outcome};
use crate::input::printable;
use crate::several::SeveralRecordings;
use crate::{dropped, help, lmp, overview, usage};
use anyhow::Result;
use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

/// The editing deck for recordings of Quake, QuakeWorld and Quake II.
#[derive(Debug, Parser)]
#[command(name = "moviola", version, about, after_help = help::CODES, styles = STYLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    talk: Verbosity,
    #[command(subcommand)]
    command: Option<Command>,
}

/// How much is printed, and how.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Verbosity {
    /// Print less.
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "verbose",
        overrides_with = "quiet",
        display_order = 100
    )]
    pub(crate) quiet: bool,
    /// Print more.
    #[arg(short, long, global = true, overrides_with = "verbose", display_order = 101)]
    pub(crate) verbose: bool,
    /// When to print in color.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        // not from SCHEMA: an option of the program
        overrides_with = "color",
        display_order = 102
    )]
    pub(crate) color: Color,
}

/// When output is colored: on terminals, and where the environment asks for it, unless the command line says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Sets the choice for all further output.
    fn choose(self) {
        match self {
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

/// Other programs' words for commands.
const ALIASES: &[(&str, &str)] = &[("trim", "cut"), ("clip", "cut")];

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::InfoArgs),
    Check(check::CheckArgs),
    Diff(diff::DiffArgs),
    Report(report::ReportArgs),
    Events(events::EventsArgs),
    Audit(audit::AuditArgs),
    Explain(explain::ExplainArgs),
    Decompile(decompile::DecompileArgs),
    Compile(compile::CompileArgs),
    Fmt(fmt::FmtArgs),
    New(new::NewArgs),
    Make(make::MakeArgs),
    Split(split::SplitArgs),
    Join(join::JoinArgs),
    Edit(edit::ScriptArgs),
    #[command(flatten)]
    SingleEdit(SingleEdit<Original, EditTarget>),
    Unpack(unpack::UnpackArgs),
    Export(export::ExportArgs),
    Catalog(catalog::CatalogArgs),
    Find(find::FindArgs),
    Index(index::IndexArgs),
    Record(record::RecordArgs),
    Serve(serve::ServeArgs),
    Plot(plot::PlotArgs),
    Still(still::StillArgs),
    Film(film::FilmArgs),
    Watch(watch::WatchArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    /// Work like LMPC, with its options
    #[command(disable_help_flag = true, after_help = lmpc::SYNTAX)]
    Lmpc {
        /// LMPC's options and files; `moviola lmpc -h` lists them.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
        words: Vec<OsString>,
    },
}

/// A value that is one of these, for the help, for shells that complete it, and for the message about another
/// word.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |word: String| all.iter().copied().find(|it| name(*it) == word);
    let names = PossibleValuesParser::new(all.iter().map(|it| name(*it)));
    names.try_map(move |word| find(word).ok_or("it is not one of these"))
}

/// Whether the program is called by the name of LMPC.
pub(crate) fn is_lmpc(name: Option<&OsString>) -> bool {
    let stem = name.and_then(|name| Path::new(name).file_stem());
    stem.and_then(OsStr::to_str).is_some_and(|stem| stem.eq_ignore_ascii_case("lmpc"))
}

/// The command line for clap, with the commands in groups.
pub(crate) fn command() -> clap::Command {
    let mut command = lmp::with_game(Cli::command());
    // The `help` command is added only when it is built.
    command.build();
    let template = overview::template(&command, &STYLES);
    // Subcommands inherit templates: one without its own would list the program's commands.
    lmp::with_game(Cli::command()).help_template(template).mut_subcommands(help::both)
}

/// Runs the command line.
pub(crate) fn main(words: Vec<OsString>) -> Result<Outcome> {
    let program = command();
    // Some of LMPC's options are also the program's, with another meaning.
    if words.get(1).is_some_and(|word| word == "lmpc") {
        return lmpc::main(words.into_iter().skip(1).collect());
    }
    let words = with_aliases(about_help(words));
    // `help` is clap's own, and is added only when clap parses a line.
    let commands = program.get_subcommands().map(clap::Command::get_name).chain(["help"]);
    if dropped::is_file(&words, commands) {
        return Ok(dropped::main(words));
    }
    if let Some(several) = SeveralRecordings::find(&words, &program) {
        return one_by_one(&several, &program);
    }
    let is_named = |name: &&str| words.iter().skip(1).any(|word| word == name);
    let named = program.get_subcommands().map(clap::Command::get_name).find(is_named).map(str::to_owned);
    let asked = program.try_get_matches_from(words);
    let asked = asked.and_then(|asked| Ok((Cli::from_arg_matches(&asked)?, asked)));
    let Cli { talk, command } = match asked {
        Ok((cli, asked)) => {
            cli.talk.color.choose();
            if let Some((name, asked)) = asked.subcommand()
                && let Some(outcome) = lmp::instead(name, asked, cli.talk)?
            {
                return Ok(outcome);
            }
            cli
        }
        Err(error) => return usage::refuse(&error, named.as_deref()),
    };
    match command {
        None => {
            io::stdout().write_all(overview::START.as_bytes())?;
            Ok(Outcome::Good)
        }
        Some(Command::Info(options)) => info::run(&options, talk),
        Some(Command::Check(options)) => check::run(&options, talk),
        Some(Command::Diff(options)) => diff::run(&options, talk),
        Some(Command::Report(options)) => report::run(&options, talk),
        Some(Command::Events(options)) => events::run(&options, talk),
        Some(Command::Audit(options)) => audit::run(&options, talk),
        Some(Command::Explain(options)) => explain::run(&options),
        Some(Command::Decompile(options)) => decompile::run(&options, talk),
        Some(Command::Compile(options)) => compile::run(&options, talk),
        Some(Command::Fmt(options)) => fmt::run(&options, talk),
        Some(Command::New(options)) => new::run(&options),
        Some(Command::Make(options)) => make::run(&options),
        Some(Command::Split(options)) => split::run(&options, talk),
        Some(Command::Join(options)) => join::run(&options, talk),
        Some(Command::Edit(options)) => edit::run(&options, talk),
        Some(Command::SingleEdit(one)) => {
            let (original, words, to) = one.parts();
            edits::edit(original, words, to, talk)
        }
        Some(Command::Unpack(options)) => unpack::run(&options, talk),
        Some(Command::Export(options)) => export::run(&options, talk),
        Some(Command::Catalog(options)) => catalog::run(&options, talk),
        Some(Command::Find(options)) => find::run(&options, talk),
        Some(Command::Index(options)) => index::run(&options, talk),
        Some(Command::Record(options)) => record::run(&options, talk),
        Some(Command::Serve(options)) => serve::run(&options, talk),
        Some(Command::Plot(options)) => plot::run(&options, talk),
        Some(Command::Still(options)) => still::run(&options, talk),
        Some(Command::Film(options)) => film::run(&options, talk),
        Some(Command::Watch(options)) => watch::run(&options, talk),
        Some(Command::Completions(options)) => completions::run(&options),
        Some(Command::Man(options)) => man::run(&options),
        Some(Command::Lmpc { words }) => lmpc::main(std::iter::once("lmpc".into()).chain(words).collect()),
    }
}

/// Runs an edit on each of several recordings. A recording that cannot be edited does not stop the others, but a mistake
/// in the words of the edit does, which would be the same for all.
fn one_by_one(several: &SeveralRecordings, program: &clap::Command) -> Result<Outcome> {
    let lines = several.lines()?;
    let Some((_, first)) = lines.first() else { return Ok(Outcome::Good) };
    let asked = program.clone().try_get_matches_from(first);
    match asked.and_then(|asked| Cli::from_arg_matches(&asked)) {
        Ok(Cli { talk, command: Some(Command::SingleEdit(one)) }) => {
            let (_, words, to) = one.parts();
            if let Some(outcome) = edits::refused(words, to, talk)? {
                return Ok(outcome);
            }
        }
        Ok(_) => {}
        Err(_) => return main(first.clone()),
    }
    several.make_folder()?;
    let mut all = Outcome::Good;
    for (recording, line) in lines {
        let outcome = main(line).unwrap_or_else(|error| {
            failure::print_error(&failure::words(&error));
            Outcome::Trouble
        });
        if outcome != Outcome::Good {
            failure::line(&format!("{}: not edited", printable(recording)));
        }
        all = all.max(outcome);
    }
    Ok(all)
}

/// Turns `help --help` into `help help`, since clap would look for a command named `--help`.
fn about_help(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|it| it == "help") {
        words
            .iter_mut()
            .skip(2)
            .filter(|it| *it == "--help" || *it == "-h")
            .for_each(|it| *it = "help".into());
    }
    words
}

/// Replaces the first word by the name of the command that it stands for, unless a file has that name.
fn with_aliases(mut words: Vec<OsString>) -> Vec<OsString> {
    if let Some(word) = words.get_mut(1).filter(|word| !Path::new(word).exists())
        && let Some((_, name)) = ALIASES.iter().find(|(alias, _)| word == alias)
    {
        *word = (*name).into();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn every_command_is_in_a_group() {
        let mut command = Cli::command();
        command.build();
        let grouped: Vec<&str> =
            overview::groups(&command).flat_map(|(_, group)| group).map(clap::Command::get_name).collect();
        for one in command.get_subcommands() {
            let times = grouped.iter().filter(|name| **name == one.get_name()).count();
            assert_eq!(times, 1, "{}", one.get_name());
        }
    }

    /// The `console` blocks of the papers are run as tests; those of `sh` need things that a clone does not
    /// have.
    #[test]
    fn shell_lines_in_the_documentation_are_valid() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let papers = fs::read_dir(root.join("docs")).unwrap().map(|it| it.unwrap().path());
        let (mut seen, program) = (0, command());
        for paper in
            papers.chain([root.join("README.md")]).filter(|it| it.extension().is_some_and(|it| it == "md"))
        {
            let text = fs::read_to_string(&paper).unwrap().replace("$SLURM_ARRAY_TASK_ID", "1");
            let blocks = text.split("```sh\n").skip(1).filter_map(|it| it.split("```").next());
            let lines = blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or_default());
            for part in lines.flat_map(|line| line.split(['|', ';', '&', '(', ')', '>'])) {
                let words = part.split_whitespace().skip_while(|it| *it != "moviola");
                let words: Vec<&str> =
                    words.filter(|it| *it != "--").map(|it| it.trim_matches('\'')).collect();
                if words.len() > 1 {
                    let parsed = program.clone().try_get_matches_from(&words);
                    assert!(parsed.is_ok(), "{}: {part}: {}", paper.display(), parsed.unwrap_err());
                    seen += 1;
                }
            }
        }
        assert!(seen > 15, "{seen}");
    }

    #[test]
    fn lmpc_is_known_by_its_name() {
        for (name, yes) in
            [("lmpc", true), ("bin/lmpc", true), ("LMPC.EXE", true), ("moviola", false), ("lmpc2", false)]
        {
            assert_eq!(is_lmpc(Some(&name.into())), yes, "{name}");
        }
    }
}
