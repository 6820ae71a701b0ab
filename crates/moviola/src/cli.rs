//! The command line: the subcommands, what all of them share, and what is said when nothing is asked.

use crate::commands::{
    audit, camera, check, compile, cut, decompile, diff, events, explain, export, fmt, highlights, info,
    join, lmpc, plot, repair, report, set, split, squeeze, strip, subtitle, unpack, view,
};
use crate::failure::Outcome;
use anyhow::Result;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

/// What people come for; printed when the program is called with nothing.
const START: &str = "\
moviola: the editing deck for Quake .dem and Quake II .dm2 recordings

  moviola info run.dem                    what is this? map, player, length, protocol
  moviola info -r demos                   a line for every recording of a folder
  moviola info --json run.dem             everything about it, for programs
  moviola report run.dem                  times, scores, kills and secrets on one screen
  moviola events run.dem                  what happened: kills, chat, pickups, secrets
  moviola events --json -r demos          the same of many, for programs
  moviola check run.dem                   is every byte understood? which engines play it?
  moviola check -q -r demos               only the recordings with something wrong
  moviola diff before.dem after.dem       what differs, message by message
  moviola audit run.dem                   did the player cheat? was the file edited?
  moviola explain clientdata              what is this message, field, value or code?
  moviola decompile run.dem -o run.txt    a recording into text, to read and to edit
  moviola compile run.txt -o new.dem      and back into a recording
  moviola decompile --time 1:00..1:10 run.dem
                                          ten seconds of it
  moviola fmt --write run.txt             tidy an edited text
  moviola cut run.dem 1:00..1:30 -o x.dem keep half a minute of it, as it was
  moviola info runs.dz pak0.pak:demo1.dem what is in .dz, .zip, .pak, .pk3 and .gz files
  moviola unpack runs.dz -o runs          and out of them
  moviola export demos -o tables          tables for DuckDB, Polars, Spark: Parquet, CSV, JSON
  moviola strip run.dem chat -o quiet.dem without chat, prints, sounds, commands ...
  moviola set run.dem cdtrack=4 -o new.dem
                                          the music; a player's name and colours
  moviola subtitle run.dem run.srt -o film.dem
                                          texts in the middle of the screen
  moviola plot run.dem -o run.svg         a picture of the way through a level
  moviola camera run.dem film.toml -o film.dem
                                          the camera leaves the player
  moviola view server.dm2 --player 2 -o two.dm2
                                          one player's recording out of a server's
  moviola lmpc -s run.dem run.txt         the options of LMPC, for old scripts
  moviola help check                      more about a command, with examples
";

const CODES: &str = "\
Exit codes:
  0  all is well
  1  the files were read, and one is not well: not exact, or a text with mistakes
  2  a file could not be read or written, or the command line makes no sense";

/// The editing deck for Quake .dem and Quake II .dm2 recordings.
#[derive(Debug, Parser)]
#[command(name = "moviola", version, about, after_help = CODES, styles = STYLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    talk: Talk,
    #[command(subcommand)]
    command: Option<Command>,
}

/// How much is said.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Talk {
    /// Say only what must be said.
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 100)]
    pub(crate) quiet: bool,
    /// Say more.
    #[arg(short, long, global = true, display_order = 101)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Options),
    Check(check::Options),
    Diff(diff::Options),
    Report(report::Options),
    Events(events::Options),
    Audit(audit::Options),
    Explain(explain::Options),
    Decompile(decompile::Options),
    Compile(compile::Options),
    Fmt(fmt::Options),
    Cut(cut::CutOptions),
    Drop(cut::DropOptions),
    Highlights(highlights::Options),
    Split(split::Options),
    Join(join::Options),
    Repair(repair::Options),
    Squeeze(squeeze::Options),
    Unpack(unpack::Options),
    Export(export::Options),
    Plot(plot::Options),
    Strip(strip::Options),
    Subtitle(subtitle::Options),
    Set(set::Options),
    Camera(camera::Options),
    View(view::Options),
    /// Work as LMPC does, with its options
    #[command(disable_help_flag = true)]
    Lmpc {
        /// LMPC's options and files; `moviola lmpc -h` lists them.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
        words: Vec<OsString>,
    },
}

/// Whether the program is called by the name of LMPC.
pub(crate) fn is_lmpc(name: Option<&OsString>) -> bool {
    let stem = name.and_then(|name| Path::new(name).file_stem());
    stem.and_then(OsStr::to_str).is_some_and(|stem| stem.eq_ignore_ascii_case("lmpc"))
}

/// Does what the command line says.
pub(crate) fn main(words: Vec<OsString>) -> Result<Outcome> {
    let Cli { talk, command } = Cli::parse_from(words);
    match command {
        None => {
            io::stdout().write_all(START.as_bytes())?;
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
        Some(Command::Cut(options)) => cut::cut(&options, talk),
        Some(Command::Drop(options)) => cut::drop(&options, talk),
        Some(Command::Highlights(options)) => highlights::run(&options, talk),
        Some(Command::Split(options)) => split::run(&options, talk),
        Some(Command::Join(options)) => join::run(&options, talk),
        Some(Command::Repair(options)) => repair::run(&options, talk),
        Some(Command::Squeeze(options)) => squeeze::run(&options, talk),
        Some(Command::Unpack(options)) => unpack::run(&options, talk),
        Some(Command::Export(options)) => export::run(&options, talk),
        Some(Command::Plot(options)) => plot::run(&options, talk),
        Some(Command::Strip(options)) => strip::run(&options, talk),
        Some(Command::Subtitle(options)) => subtitle::run(&options, talk),
        Some(Command::Set(options)) => set::run(&options, talk),
        Some(Command::Camera(options)) => camera::run(&options, talk),
        Some(Command::View(options)) => view::run(&options, talk),
        Some(Command::Lmpc { words }) => lmpc::main(std::iter::once("lmpc".into()).chain(words).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
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
