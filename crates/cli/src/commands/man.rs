//! `moviola man`: the manual pages, and the reference of the commands in `docs`, from the same texts as
//! `--help`.

use crate::failure::{self, Outcome};
use crate::input::printable;
use crate::leftovers::make_folder;
use crate::output::{Destination, Kind, Output, not_stdout};
use crate::{cli, help, overview, units, usage};
use anyhow::{Result, anyhow};
use clap::{Arg, Args, Command};
use clap_mangen::Man;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Examples:
  moviola man cut | man -l -
  moviola man -o ~/.local/share/man/man1      a page for each command; then `man moviola-cut`";

/// Print a manual page, or write all of them into a folder
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ManArgs {
    /// The command; if left out, the program.
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Option<String>,
    /// Write a page for each command into DIR, which is created if necessary.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long, requires = "output")]
    force: bool,
    /// Print the help of all commands as one page of Markdown.
    // not from SCHEMA: the argument above
    #[arg(long, hide = true, conflicts_with_all = ["command", "output"])]
    markdown: bool,
}

pub(crate) fn run(options: &ManArgs) -> Result<Outcome> {
    let mut program = cli::command();
    program.build();
    if let Some(folder) = &options.output {
        return write_all(&program, folder, options.force);
    }
    let text = match &options.command {
        _ if options.markdown => markdown(&program).into_bytes(),
        None => page(&program)?,
        Some(name) => page(program.find_subcommand(name).ok_or_else(|| anyhow!(usage::no_command(name)))?)?,
    };
    std::io::stdout().write_all(&text)?;
    Ok(Outcome::Good)
}

/// A page is as old as its program. An empty date would let the next field move into its place.
const NO_DATE: &str = " ";

/// The page of one command, as man's markup.
fn page(command: &Command) -> Result<Vec<u8>> {
    let version = concat!("moviola ", env!("CARGO_PKG_VERSION"));
    let (man, mut page) =
        (Man::new(command.clone()).date(NO_DATE).source(version).manual("Moviola"), Vec::new());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend_from_slice(synopsis(command).as_bytes());
    let teaching = help::long_introduction(command);
    if !teaching.is_empty() {
        page.extend_from_slice(sections(&format!("Description:\n{teaching}")).as_bytes());
    }
    man.render_options_section(&mut page)?;
    for (title, commands) in overview::groups(command).filter(|(_, commands)| !commands.is_empty()) {
        writeln!(page, ".SH {}", title.to_uppercase())?;
        for one in commands.into_iter().filter(|one| one.get_name() != "help") {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            writeln!(page, ".TP\n\\fB{}\\fR(1)\n{}", roff(&name(one)), roff(&about))?;
        }
    }
    if let Some(more) = command.get_after_long_help().or(command.get_after_help()) {
        page.extend_from_slice(sections(&more.to_string()).as_bytes());
    }
    Ok(page)
}

/// The synopsis: each option with its value, if it takes one.
fn synopsis(command: &Command) -> String {
    let mut page = format!(".SH SYNOPSIS\n\\fB{}\\fR", roff(command.get_bin_name().unwrap_or("moviola")));
    for option in command.get_opts().filter(|it| !it.is_hide_set()) {
        let _ = write!(page, " {}", usual_form(option));
    }
    for word in command.get_positionals() {
        let _ = write!(page, " {}", roff(&word.to_string()));
    }
    if command.has_subcommands() {
        page.push_str(" [\\fICOMMAND\\fR]");
    }
    page + "\n"
}

/// An option in its usual form, in brackets if it is optional.
fn usual_form(option: &Arg) -> String {
    let long = || option.get_long().map(|name| format!("--{name}"));
    let flag = option.get_short().map(|letter| format!("-{letter}")).or_else(long).unwrap_or_default();
    let names = option.get_value_names().filter(|_| option.get_action().takes_values()).unwrap_or_default();
    let value = names.iter().fold(String::new(), |all, name| all + " \\fI" + &roff(name) + "\\fR");
    let shown = format!("\\fB{}\\fR{value}", roff(&flag));
    if option.is_required_set() { shown } else { format!("[{shown}]") }
}

/// The texts around the options, line by line: `Examples:` and the like become headings.
fn sections(more: &str) -> String {
    const TITLES: [&str; 3] = ["Description", "Examples", "Exit codes"];
    let mut page = String::from(".nf\n");
    for line in more.lines() {
        let _ = match line.strip_suffix(':').filter(|title| TITLES.contains(title)) {
            Some(title) => writeln!(page, ".fi\n.SH {}\n.nf", title.to_uppercase()),
            None => writeln!(page, "{}", roff(line)),
        };
    }
    page + ".fi\n"
}

/// A line escaped so that man prints it unchanged.
fn roff(line: &str) -> String {
    let escaped = line.replace('\\', "\\e").replace('-', "\\-").replace('`', "\\(ga").replace('\'', "\\(aq");
    if escaped.starts_with('.') { format!("\\&{escaped}") } else { escaped }
}

/// `moviola-cut` for `cut`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn write_all(program: &Command, folder: &Path, force: bool) -> Result<Outcome> {
    not_stdout(folder)?;
    make_folder(folder)?;
    let mut count = 0;
    for command in std::iter::once(program).chain(visible(program)) {
        let path = folder.join(format!("{}.1", name(command)));
        let mut writer = Destination { output: Some(path), force }.open(Kind::Text)?.buffered();
        writer.write_all(&page(command)?)?;
        Output::finish(writer)?;
        count += 1;
    }
    failure::line(&format!("{} written into {}", units::counted(count, "page"), printable(folder)));
    Ok(Outcome::Good)
}

/// The commands, in the order of the overview; `help` has no page.
fn visible(program: &Command) -> impl Iterator<Item = &Command> {
    overview::groups(program)
        .flat_map(|(_, commands)| commands)
        .filter(|command| command.get_name() != "help")
}

/// The `--help` of each command, as a chapter of the book.
fn markdown(program: &Command) -> String {
    let mut page = String::from(
        "# Commands\n\nThe output of `moviola help COMMAND` for each command. `moviola man` makes manual pages of it, and\n\
         `moviola completions` scripts for shells.\n\n",
    );
    let mut add_chapter = |name: &str, help: String| {
        let _ = writeln!(page, "## {name}\n\n```text\n{}\n```\n", help.trim_end());
    };
    // The overview uses the short help, which is what `moviola --help` prints.
    add_chapter("moviola", program.clone().term_width(100).render_help().to_string());
    for command in visible(program) {
        add_chapter(command.get_name(), command.clone().term_width(100).render_long_help().to_string());
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}
