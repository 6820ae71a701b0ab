//! LMPC's options, so that old scripts go on working: `lmpc` as a link to the program, or `moviola lmpc`.
//!
//! As LMPC did, it replaces outputs without asking, accepts texts and recordings alike, and exits with 1
//! after any failure. With -i and -V it prints the same as LMPC.

use crate::failure::{self, Outcome};
use crate::input::{Input, PEEK, printable};
use crate::inside;
use crate::lmp;
use crate::output::{Destination, Kind, Output};
use crate::render;
use anyhow::{Result, anyhow, bail};
use clap::{Arg, CommandFactory, Parser};
use moviola::edit::{self, LmpcFix};
use moviola::format::{Demo, Format, Game, Piece, sniff};
use moviola::input::InputEdit;
use moviola::text::{self, CompileError, CompileOptions, DecompileOptions};
use std::ffi::OsString;
use std::io::{self, BufWriter, PipeReader, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};

pub(crate) const SYNTAX: &str = "\
moviola, called as LMPC: recordings of Quake, Quake II, DOOM and its kin, Duke Nukem 3D

  lmpc -s|--to-txt IN OUT        write a recording, or a text, as text
  lmpc -l|--to-bin IN OUT        write a text, or a recording, as a recording
  lmpc -f|--fix-multi FILE...    repair recordings of several levels, in place; also with -s and -l
  lmpc [-i|--info] FILE...       print the game, and a recording's number of frames
  lmpc -m|--mark-step STEP       with -s: print block numbers, and positions of messages;
                                 DOOM and Duke: number each STEPth tic, 0 numbers none
  lmpc -g|--game GAME            QUAKE, QUAKE2, DOOM, HERETIC, HEXEN, STRIFE, DUKE; where
                                 the content does not decide
                                 (with -l, QUAKE reads the input as a text)
  lmpc -t|--tic FROM,TO          with -s: these tics of DOOM or Duke; no effect on Quake's
  lmpc -v|--change-version V IN OUT    DOOM: change the version; 0 is before 1.4
  lmpc -p|--change-player P IN OUT     DOOM: change the player whose view is shown
  lmpc -w|--add-WT SECONDS IN OUT      DOOM, Duke: add idle tics at the end
  lmpc -r|--remove-pause IN OUT        DOOM: remove the pauses
  lmpc -c|--clear-save IN OUT          DOOM: remove saved games
  lmpc -V|--version              print LMPC's version
  lmpc -h|--help                 print this text

Examples:
  lmpc -s run.dem run.txt
  lmpc -l run.txt new.dem
  lmpc -f several-levels.dem

Exit codes:
  0  success
  1  any failure

Outputs are replaced without asking. `moviola --help` lists commands that do the same and more,
and replace nothing without --force.
";

/// The version text that scripts expect.
const VERSION: &str = "lmpc 3.3.0, 1/23/2000 (public release)";

#[derive(Debug, Parser)]
#[command(name = "lmpc", disable_help_flag = true, disable_version_flag = true, infer_long_args = true)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of LMPC")]
struct LmpcArgs {
    #[arg(short = 'h', long)]
    help: bool,
    #[arg(short = 'V', long)]
    version: bool,
    #[arg(short = 'i', long)]
    info: bool,
    #[arg(short = 's', long, conflicts_with_all = ["to_bin", "info"])]
    to_txt: bool,
    #[arg(short = 'l', long, conflicts_with = "info")]
    to_bin: bool,
    #[arg(short = 'f', long)]
    fix_multi: bool,
    #[arg(short = 'm', long, value_name = "STEP")]
    mark_step: Option<String>,
    #[arg(short = 'g', long, value_name = "GAME")]
    game: Option<String>,
    #[arg(short = 't', long, value_name = "FROM,TO")]
    tic: Option<String>,
    #[arg(short = 'v', long, value_name = "VERSION")]
    change_version: Option<String>,
    #[arg(short = 'p', long, value_name = "NUMBER")]
    change_player: Option<String>,
    #[arg(short = 'w', long = "add-WT", value_name = "SECONDS")]
    add_wt: Option<String>,
    #[arg(short = 'r', long)]
    remove_pause: bool,
    #[arg(short = 'c', long)]
    clear_save: bool,
    files: Vec<PathBuf>,
}

/// The options that have an effect, for shells to offer.
pub(crate) fn options() -> Vec<Arg> {
    // `-v` is also an option of the program.
    const DOOM: [&str; 5] = ["change_version", "change_player", "add_wt", "remove_pause", "clear_save"];
    let of_use = |it: &&Arg| !it.is_positional() && !DOOM.contains(&it.get_id().as_str());
    LmpcArgs::command().get_arguments().filter(of_use).cloned().collect()
}

/// Runs LMPC's command line.
pub(crate) fn main(words: Vec<OsString>) -> Result<Outcome> {
    if words.len() < 2 {
        return syntax();
    }
    let outcome = match LmpcArgs::try_parse_from(words) {
        Ok(options) => run(&options),
        Err(error) => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            exit_with_error(&format!("{}; `lmpc -h` lists the options", line.trim_start_matches("error: ")));
            return Ok(Outcome::Bad);
        }
    };
    match outcome {
        Err(error) if !failure::is_broken_pipe(&error) => {
            exit_with_error(&failure::words(&error));
            Ok(Outcome::Bad)
        }
        other => other,
    }
}

fn exit_with_error(what: &str) {
    failure::print_error(what);
}

fn syntax() -> Result<Outcome> {
    io::stdout().write_all(SYNTAX.as_bytes())?;
    Ok(Outcome::Bad)
}

fn run(options: &LmpcArgs) -> Result<Outcome> {
    if !options.help
        && !options.version
        && let Some(outcome) = lmp::lmpc(&of_input(options)?)?
    {
        return Ok(outcome);
    }
    let is_info = options.info || !options.to_txt && !options.to_bin && !options.fix_multi;
    // `-i` accepts the name of every game that LMPC knows.
    let named = options.game.as_deref().filter(|name| !is_info || lmp::lmpc_game(name).is_none());
    let says_text = named.map_or(Ok(false), game)?;
    let doom =
        options.change_version.is_some() || options.change_player.is_some() || options.add_wt.is_some();
    match options.files.as_slice() {
        _ if options.help => syntax(),
        _ if options.version => {
            writeln!(io::stdout(), "{VERSION}")?;
            Ok(Outcome::Good)
        }
        _ if doom || options.remove_pause || options.clear_save => {
            bail!("-v, -p, -w, -r and -c are for recordings of DOOM and its kin")
        }
        [] => syntax(),
        files if options.info => each(files, |file| info(file, options.game.as_deref())),
        [input, output] if options.to_txt => to_txt(input, output, options),
        [input, output] if options.to_bin => to_bin(input, output, options.fix_multi, says_text),
        _ if options.to_txt => bail!("-s takes two files: the input, and the text to write"),
        _ if options.to_bin => bail!("-l takes two files: the input, and the recording to write"),
        files if options.fix_multi => each(files, fix),
        // Without an action, LMPC describes the files.
        files => each(files, |file| info(file, options.game.as_deref())),
    }
}

/// The options for recordings of DOOM and Duke Nukem 3D.
fn of_input(options: &LmpcArgs) -> Result<lmp::LmpcWords<'_>> {
    fn numbered<T: std::str::FromStr>(name: &str, text: Option<&String>) -> Result<Option<T>> {
        let number =
            |text: &String| text.parse().map_err(|_| anyhow!("{name} {text}: not a number that fits"));
        text.map(number).transpose()
    }
    Ok(lmp::LmpcWords {
        to_text: options.to_txt,
        to_recording: options.to_bin,
        step: options.mark_step.as_deref(),
        tics: options.tic.as_deref(),
        game: options.game.as_deref(),
        edit: InputEdit {
            version: options.change_version.clone(),
            view: numbered("-p", options.change_player.as_ref())?,
            wait: numbered("-w", options.add_wt.as_ref())?.unwrap_or_default(),
            remove_pauses: options.remove_pause,
            clear_saves: options.clear_save,
            ..InputEdit::default()
        },
        files: &options.files,
    })
}

/// Checks the name of a game; returns whether -l must read its input as a text, even if it looks different.
fn game(name: &str) -> Result<bool> {
    match name.to_ascii_uppercase().as_str() {
        "QUAKE" | "Q" => Ok(true),
        "QUAKE2" | "QUAKEWORLD" | "W" => Ok(false),
        "REDNECK" | "R" => bail!("-g {name}: moviola does not read Redneck Rampage's recordings"),
        _ if lmp::lmpc_game(name).is_some() => bail!("-g {name}: the file is not a recording of that game"),
        _ => bail!("-g {name}: there is no such game; QUAKE, QUAKE2 and QUAKEWORLD are those of moviola"),
    }
}

/// Runs `act` on every file, even if it fails for some.
fn each(files: &[PathBuf], act: impl Fn(&Path) -> Result<()>) -> Result<Outcome> {
    let mut outcome = Outcome::Good;
    for file in files {
        match act(file) {
            Err(error) if failure::is_broken_pipe(&error) => return Err(error),
            Err(error) => {
                exit_with_error(&failure::words(&error));
                outcome = Outcome::Bad;
            }
            Ok(()) => {}
        }
    }
    Ok(outcome)
}

/// A file that was opened, and whether it is a text.
struct Opened {
    input: Input,
    is_text: bool,
}

/// Opens a recording or a text. Any other file is refused, unless it `must_be_text`.
fn open(path: &Path, must_be_text: bool) -> Result<Opened> {
    let mut input = inside::recording_or_text(path)?;
    let (start, complete) = input.peek(PEEK)?;
    match sniff(start, complete) {
        Format::Foreign(foreign) => {
            let kind = foreign.name();
            bail!("{}: a {kind} file, which moviola does not read", printable(path))
        }
        _ if must_be_text => Ok(Opened { input, is_text: true }),
        Format::Unknown if text::is_text(start) => Ok(Opened { input, is_text: true }),
        Format::Unknown | Format::Empty => bail!("{}: no recording, and no text of one", printable(path)),
        format @ (Format::Mvd | Format::Mvd2) => {
            bail!("{}: a {} file, which LMPC does not know", printable(path), format.name())
        }
        Format::Quake { .. } | Format::Quake2 | Format::Qwd => Ok(Opened { input, is_text: false }),
    }
}

fn info(path: &Path, game: Option<&str>) -> Result<()> {
    if lmp::lmpc_info(path, game)? {
        return Ok(());
    }
    let Opened { input, is_text } = open(path, false)?;
    let kind = if is_text { "txt" } else { "bin" };
    let mut counted = None;
    let done = recording(input, is_text, false, |reader| {
        counted = count(reader)?;
        Ok(())
    });
    settled(done, &printable(path))?;
    let (name, short, frames) = match counted {
        Some((Game::Quake, frames)) => ("Quake", "DEM", frames),
        Some((Game::Quake2, frames)) => ("Quake II", "DM2", frames),
        Some((Game::QuakeWorld, frames)) => ("QuakeWorld", "QWD", frames),
        None => bail!("{}: no recording", printable(path)),
    };
    // LMPC does not count what a text describes.
    let frames = if is_text { String::new() } else { format!(", {frames} frames") };
    writeln!(io::stdout(), "{}: {name} ({short} {kind}){frames}", printable(path))?;
    Ok(())
}

/// The number of blocks as LMPC counts them: Quake II's end mark is one.
fn count(reader: &mut dyn Read) -> io::Result<Option<(Game, u64)>> {
    let mut demo = Demo::new(reader)?;
    let Some(game) = demo.game() else { return Ok(None) };
    let mut frames = 0;
    while let Some(piece) = demo.next_piece()? {
        frames += u64::from(matches!(piece, Piece::Block(_) | Piece::End));
    }
    Ok(Some((game, frames)))
}

fn to_txt(from: &Path, to: &Path, options: &LmpcArgs) -> Result<Outcome> {
    let Opened { input, is_text } = open(from, false)?;
    let decompile_options = DecompileOptions {
        normal: true,
        offsets: options.mark_step.is_some(),
        source: Some(printable(from)),
        ..DecompileOptions::default()
    };
    let mut writer = Destination::replace(to).open(Kind::Text)?.buffered();
    let done = recording(input, is_text, options.fix_multi, |reader| {
        Ok(text::decompile(reader, &mut writer, &decompile_options).map(drop)?)
    });
    settled(done, &printable(from))?;
    Output::finish(writer)?;
    Ok(Outcome::Good)
}

fn to_bin(from: &Path, to: &Path, fix: bool, says_text: bool) -> Result<Outcome> {
    let Opened { input, is_text } = open(from, says_text)?;
    let mut writer = Destination::replace(to).open(Kind::Recording)?.buffered();
    let done = recording(input, is_text, fix, |reader| {
        if is_text {
            Ok(io::copy(reader, &mut writer).map(drop)?)
        } else {
            Ok(text::normalize(reader, &mut writer)?)
        }
    });
    settled(done, &printable(from))?;
    Output::finish(writer)?;
    Ok(Outcome::Good)
}

/// Mends a recording in place; one in which nothing has to change is not written.
fn fix(path: &Path) -> Result<()> {
    let Opened { mut input, is_text } = open(path, false)?;
    if is_text {
        bail!("{}: a text; mend it with -f -l, which makes a recording of it", printable(path));
    }
    let (start, complete) = input.peek(PEEK)?;
    if sniff(start, complete) == Format::Qwd {
        bail!("{}: -f is for recordings of Quake and Quake II", printable(path));
    }
    input.expect_file(path)?;
    let mut writer = Destination::replace(path).open(Kind::Recording)?.buffered();
    let mut fix = LmpcFix::in_place();
    edit::rewrite(input, &mut fix, &mut writer)?;
    if fix.has_changed() {
        Output::finish(writer)?;
    }
    Ok(())
}

const LMPC: CompileOptions = CompileOptions { lmpc: true, limit: 20 };

/// Gives `act` the recording: the input itself, or the one that it describes if it is a text; mended on
/// request.
fn recording(
    input: Input,
    is_text: bool,
    fix: bool,
    act: impl FnOnce(&mut (dyn Read + Send)) -> Result<(), CompileError>,
) -> Result<(), CompileError> {
    let name = input.name().to_owned();
    let compile = |input, writer: &mut BufWriter<PipeWriter>| {
        let made = text::compile(input, writer, &LMPC)?;
        // LMPC warned of nothing else.
        let of_protocol = |it: &&text::Diagnostic| it.code == text::TextCode::UnknownToLmpc;
        let warnings: Vec<_> = made.warnings.iter().filter(of_protocol).cloned().collect();
        render::warnings(&warnings, &name, false);
        if made.game.is_none() && made.bytes == 0 {
            return Err(io::Error::other(format!("{name}: this text says nothing")).into());
        }
        Ok(())
    };
    let mut input = input;
    match (is_text, fix) {
        (false, false) => act(&mut input),
        (false, true) => joined(|writer| fixed(input, writer), |mut reader| act(&mut reader)),
        (true, false) => joined(|writer| compile(input, writer), |mut reader| act(&mut reader)),
        (true, true) => joined(
            |writer| compile(input, writer),
            |middle| joined(|writer| fixed(middle, writer), |mut reader| act(&mut reader)),
        ),
    }
}

/// Writes a recording as -f with -s or -l changes it.
fn fixed(input: impl Read, writer: &mut impl Write) -> Result<(), CompileError> {
    match edit::rewrite(input, &mut LmpcFix::converting(), writer) {
        Ok(_) => Ok(()),
        Err(edit::Error::Io(error)) => Err(error.into()),
        Err(error) => Err(io::Error::other(error).into()),
    }
}

/// Runs one job into a pipe and the other out of it.
fn joined(
    first: impl FnOnce(&mut BufWriter<PipeWriter>) -> Result<(), CompileError> + Send,
    second: impl FnOnce(PipeReader) -> Result<(), CompileError>,
) -> Result<(), CompileError> {
    let (reader, writer) = io::pipe()?;
    std::thread::scope(|scope| {
        let first = scope.spawn(move || {
            let mut writer = BufWriter::with_capacity(1 << 16, writer);
            first(&mut writer)?;
            Ok(writer.flush()?)
        });
        let second = second(reader);
        let first = first.join().unwrap_or_else(|_| Err(io::Error::other("a thread stopped").into()));
        // If the second fails, the first has only lost its reader.
        second.and(first)
    })
}

fn settled(done: Result<(), CompileError>, name: &str) -> Result<()> {
    match done {
        Ok(()) => Ok(()),
        Err(CompileError::Io(error)) => Err(error.into()),
        Err(CompileError::Mistakes(mistakes)) => {
            render::mistakes(&mistakes, name, false, true, LMPC.limit, "no recording was made");
            bail!("{name} could not be compiled")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_those_of_lmpc() {
        use clap::CommandFactory;
        LmpcArgs::command().debug_assert();
        let parse = |line: &str| LmpcArgs::try_parse_from(line.split(' ')).unwrap();
        assert!(parse("lmpc -sm1 a b").to_txt);
        assert_eq!(parse("lmpc -s -m 7 a b").mark_step.as_deref(), Some("7"));
        assert_eq!(parse("lmpc --to-txt --mark-step=7 a b").mark_step.as_deref(), Some("7"));
        assert!(parse("lmpc --fix a").fix_multi);
        assert_eq!(parse("lmpc -l -g QUAKE a b").files.len(), 2);
    }
}
