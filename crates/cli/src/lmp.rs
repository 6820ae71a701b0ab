//! Recordings of input, DOOM's `.lmp` and Duke's `.dmo`: the commands for them.
//!
//! This is the one place where the program uses `moviola::input`. Before a command runs, its files are looked
//! at; recordings of input are handled here, the other files by the command as if they alone had been named.

// not from SCHEMA, all words: arguments of commands, and LMPC's words for games

mod lmpc;
mod other_commands;
mod show;

pub(crate) use lmpc::{LmpcWords, lmpc, lmpc_game, lmpc_info};

use crate::cli::{self, Verbosity};
use crate::failure::{self, Outcome};
use crate::input::{self, Input, PEEK, ReopenableInput, is_dash, printable};
use crate::inside::{self, WantedFiles};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::{json, render, units};
use anyhow::{Result, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use moviola::container::{ContainerKind, Walk, WalkOptions};
use moviola::export::schema::Table;
use moviola::export::tics::{TICS, tics};
use moviola::export::{Files, Id, TableFormat};
use moviola::format::sniff;
use moviola::input::{
    InputEdit, InputReport, InputSummary, InputTextOptions, MISTAKES, TicChange, compare, compile, decompile,
    edit, fits, format, games, kind, text_kind,
};
use moviola::text::CompileError;
use show::{Checked, check, info, pressed};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The commands that report each file that they cannot read, and go on with the others; and those that accept
/// any file.
const FILE_BY_FILE: [&str; 14] = [
    "info",
    "check",
    "report",
    "events",
    "audit",
    "export",
    "catalog",
    "find",
    "unpack",
    "index",
    "serve",
    "compile",
    "fmt",
    "decompile",
];

/// The sentence for a command that does not take a recording of input: it names those that do.
pub(crate) fn is_input(name: &str) -> String {
    format!(
        "{name} is a recording of input: it contains the keys of the players, and not the game. Its commands are {}, \
         catalog, find and lmpc",
        COMMANDS.join(", ")
    )
}

/// The commands that read such recordings, and so take `--game`.
const COMMANDS: [&str; 9] =
    ["info", "check", "report", "decompile", "diff", "export", "plot", "strip", "set"];

/// A game as shells offer it: `doom ][` is read, but shells take it for two words.
fn offered(game: &'static str) -> PossibleValue {
    PossibleValue::new(game).hide(game.contains(' '))
}

/// Adds `--game` to a command that reads such recordings.
pub(crate) fn with_game(command: Command) -> Command {
    let game = Arg::new("game")
        .long("game")
        .value_name("GAME")
        .value_parser(PossibleValuesParser::new(games().map(offered)))
        .hide_possible_values(true)
        .help("Read .lmp and .dmo recordings as those of GAME: doom, heretic, hexen, strife, duke...");
    // Some commands take it already, for the places of a game's files too.
    let wants = |it: &Command| {
        COMMANDS.contains(&it.get_name()) && it.get_arguments().all(|it| it.get_id() != "game")
    };
    // Adding it one at a time would put it after all other options.
    command.mut_subcommands(|it| if wants(&it) { it.arg(game.clone()) } else { it })
}

/// Runs a command whose files are recordings of input, or texts of such; `None` if they are not.
pub(crate) fn instead(name: &str, asked: &ArgMatches, talk: Verbosity) -> Result<Option<Outcome>> {
    let named = || paths(asked, "game").into_iter().find(|it| is_game(it));
    let game = text(asked, "game").or_else(|| named()?.into_os_string().into_string().ok());
    let job = Job { arguments: asked, verbosity: talk, game };
    let done = match name {
        "info" | "check" | "report" => job.each(name),
        "decompile" => job.decompile(),
        "compile" => job.compile(),
        "fmt" => job.tidy(),
        "diff" => job.diff(),
        "export" => job.export(),
        "plot" => job.plot(),
        "strip" | "set" => job.edit(name),
        _ => Ok(None),
    }?;
    if done.is_none() && !FILE_BY_FILE.contains(&name) {
        job.refuse(name)?;
    }
    Ok(done)
}

/// Whether a word is the name of a game with such recordings.
pub(crate) fn is_game(word: &Path) -> bool {
    games().any(|game| word.as_os_str() == game)
}

/// The value of an option, if the command has it.
fn text(asked: &ArgMatches, id: &str) -> Option<String> {
    asked.try_get_one::<String>(id).ok().flatten().cloned()
}

fn flag(asked: &ArgMatches, id: &str) -> bool {
    asked.try_get_one::<bool>(id).ok().flatten().copied().unwrap_or_default()
}

fn paths(asked: &ArgMatches, id: &str) -> Vec<PathBuf> {
    asked.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten().cloned().collect()
}

/// Whether an input is a recording of input.
pub(crate) fn is_ours(input: &mut Input) -> io::Result<bool> {
    let (start, complete) = input.peek(PEEK)?;
    // Quake's recordings are recognized first, because their messages prove them. Texts are not recordings.
    Ok(sniff(start, complete).game().is_none() && is_start(start, complete))
}

/// Refuses a named game if the recording is of another game, since its bytes would be misread.
fn can_be(input: &mut Input, game: Option<&str>) -> Result<()> {
    let Some(game) = game else { return Ok(()) };
    if is_ours(input)? {
        let (start, complete) = input.peek(PEEK)?;
        if !fits(start, complete, game) {
            bail!("{}: it cannot be read as a recording of {game}", input.name());
        }
    }
    Ok(())
}

/// Whether these are the first bytes of a recording of input, and not of a text of one.
pub(crate) fn is_start(start: &[u8], complete: bool) -> bool {
    text_kind(start).is_none() && kind(start, complete).is_some()
}

/// The command that turns a recording of input, or a text of one, into its counterpart, and the ending of that file.
pub(crate) fn counterpart(input: &mut Input) -> io::Result<Option<(&'static str, &'static str)>> {
    Ok(match text_kind(input.peek(PEEK)?.0) {
        Some(kind) => Some(("compile", kind)),
        None => is_ours(input)?.then_some(("decompile", "txt")),
    })
}

/// Whether a path names a pipe or a device, which gives its bytes only once.
fn is_read_once(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file())
}

/// Opens the file of an argument. `None` leaves the argument to the command itself: a file that cannot be opened, since
/// the command reports why, and an archive on standard input, which can be read only once.
fn open(path: Option<&Path>, wanted: WantedFiles) -> Result<Option<Input>> {
    if let Some(path) = path.filter(|path| !is_dash(path)) {
        return Ok(if is_read_once(path) { None } else { inside::single(path, wanted).ok() });
    }
    let Ok(mut input) = Input::open_or_stdin(path) else { return Ok(None) };
    let start = input.peek(PEEK)?.0;
    let (kind, is_one) = (ContainerKind::of(start), holds_one(start));
    if kind == ContainerKind::Plain {
        return Ok(Some(input));
    }
    input.hand_back();
    if is_one { inside::single(Path::new("-"), wanted).map(Some) } else { Ok(None) }
}

/// Whether these first bytes are of a gzip file with a single file in it, and no archive.
fn holds_one(start: &[u8]) -> bool {
    if ContainerKind::of(start) != ContainerKind::Gzip {
        return false;
    }
    let walk = Walk::stream(io::Cursor::new(start.to_vec()), WalkOptions::default());
    // A file in an archive has a path there.
    walk.ok().and_then(|mut walk| walk.next()?.ok()).is_some_and(|entry| entry.path().is_empty())
}

/// Opened recordings of input, with their paths.
type Opened = Vec<(PathBuf, Input)>;

/// A command with its arguments.
struct Job<'a> {
    arguments: &'a ArgMatches,
    verbosity: Verbosity,
    game: Option<String>,
}

impl Job<'_> {
    fn destination(&self) -> Destination {
        let output = paths(self.arguments, "output").into_iter().next();
        Destination { output, force: flag(self.arguments, "force") }
    }

    /// The recording that an argument names; any other file is left to the command.
    fn recording(&self, id: &str) -> Result<Option<Input>> {
        let path = paths(self.arguments, id).into_iter().next();
        let Some(mut input) = open(path.as_deref(), WantedFiles::Recordings)? else { return Ok(None) };
        can_be(&mut input, self.game.as_deref())?;
        if self.game.is_some() || is_ours(&mut input)? {
            return Ok(Some(input));
        }
        input.hand_back();
        Ok(None)
    }

    /// Explains that a file is a recording of input, before the command reports it as no recording.
    fn refuse(&self, name: &str) -> Result<()> {
        let program = cli::command();
        let arguments = program.find_subcommand(name).into_iter().flat_map(Command::get_positionals);
        for path in
            arguments.flat_map(|it| paths(self.arguments, it.get_id().as_str())).filter(|it| it.is_file())
        {
            let Some(mut input) = open(Some(&path), WantedFiles::Recordings)? else { continue };
            if is_ours(&mut input)? {
                bail!(is_input(input.name()));
            }
        }
        Ok(())
    }

    fn decompile(&self) -> Result<Option<Outcome>> {
        let Some(input) = self.recording("input")? else { return Ok(None) };
        let arguments = self.arguments;
        if flag(arguments, "offsets") || flag(arguments, "lmpc") {
            bail!("{}: --offsets and --lmpc are for recordings of Quake", input.name());
        }
        // A tic is a 35th of a second, Duke's a 30th: times are exact enough for cutting a text.
        let seconds = arguments.try_get_one::<(f64, f64)>("time").ok().flatten();
        let tic = |time: f64| (time * 35.0) as u64 + 1;
        let tics = arguments.try_get_one::<(u64, u64)>("blocks").ok().flatten().copied();
        let tics = tics.map(|(from, to)| (from.saturating_add(1), to.saturating_add(1)));
        let options = InputTextOptions {
            bare: flag(arguments, "bare"),
            tics: tics.or(seconds.map(|(from, to)| (tic(*from), tic(*to)))),
            source: input.path().map(|it| it.display().to_string()),
            game: self.game.clone(),
            ..InputTextOptions::default()
        };
        let mut writer = self.destination().open(Kind::Text)?.buffered();
        let bar = Bar::bytes(input.size(), self.verbosity.quiet);
        decompile(input.watched(&bar), &mut writer, &options)?;
        bar.finish();
        Output::finish(writer)?;
        Ok(Some(Outcome::Good))
    }

    /// The text that an argument names.
    fn text(&self) -> Result<Option<Input>> {
        let path = paths(self.arguments, "input").into_iter().next();
        let Some(mut input) = open(path.as_deref(), WantedFiles::Texts)? else { return Ok(None) };
        if text_kind(input.peek(PEEK)?.0).is_some() {
            return Ok(Some(input));
        }
        input.hand_back();
        Ok(None)
    }

    fn compile(&self) -> Result<Option<Outcome>> {
        let Some(input) = self.text()? else { return Ok(None) };
        let out = self.destination();
        let (name, bar) = (input.name().to_owned(), Bar::bytes(input.size(), self.verbosity.quiet));
        let mut writer = out.open(Kind::Recording)?.buffered();
        let compiled = compile(input.watched(&bar), &mut writer, input::spill()?);
        bar.finish();
        match compiled {
            Ok(made) => {
                Output::finish(writer)?;
                if made.unrecognizable && !self.verbosity.quiet {
                    let game = "no game has such a skill, episode, map or player: --game names the game";
                    failure::warn(&format!("{name}: {game}"));
                }
                if made.ignored > 0 && !self.verbosity.quiet {
                    let lines = units::counted(made.ignored, "line");
                    failure::warn(&format!("{name}: {lines} after DataEnd ignored, as by LMPC"));
                }
                if self.verbosity.verbose {
                    failure::line(&format!("{name}: {}", units::counted(made.records, "record")));
                }
                Ok(Some(Outcome::Good))
            }
            Err(error) => self.refused(error, &name, "no recording was made").map(Some),
        }
    }

    fn refused(&self, error: CompileError, name: &str, became: &str) -> Result<Outcome> {
        match error {
            CompileError::Io(error) => Err(error.into()),
            CompileError::Mistakes(mistakes) => {
                render::mistakes(
                    &mistakes,
                    name,
                    flag(self.arguments, "json"),
                    self.verbosity.quiet,
                    MISTAKES,
                    became,
                );
                Ok(Outcome::Bad)
            }
        }
    }

    fn tidy(&self) -> Result<Option<Outcome>> {
        let Some(input) = self.text()? else { return Ok(None) };
        let reopenable = ReopenableInput::new(input)?;
        // Only a text that compiles is tidied.
        if let Err(error) = compile(reopenable.open()?, io::sink(), input::spill()?) {
            return self.refused(error, reopenable.name(), "nothing was tidied").map(Some);
        }
        if flag(self.arguments, "check") {
            let mut tidy = Vec::new();
            let mut old_text = Vec::new();
            format(reopenable.open()?, &mut tidy)?;
            io::copy(&mut reopenable.open()?, &mut old_text)?;
            let line = tidy
                .split(|it| *it == b'\n')
                .zip(old_text.split(|it| *it == b'\n'))
                .position(|(tidy, was)| tidy != was);
            if tidy != old_text && !self.verbosity.quiet {
                let line = line.unwrap_or_default() + 1;
                failure::line(&format!(
                    "{}: line {line} is not tidy: `moviola fmt` changes it",
                    reopenable.name()
                ));
            }
            return Ok(Some(if tidy == old_text { Outcome::Good } else { Outcome::Bad }));
        }
        let path = paths(self.arguments, "input").into_iter().next().filter(|path| !is_dash(path));
        let out = match path {
            Some(path) if flag(self.arguments, "write") => {
                reopenable.open()?.expect_file(&path)?;
                Destination::replace(&path)
            }
            None if flag(self.arguments, "write") => {
                bail!("--write needs a file to change: standard input has none")
            }
            _ => self.destination(),
        };
        let mut writer = out.open(Kind::Text)?.buffered();
        format(reopenable.open()?, &mut writer)?;
        Output::finish(writer)?;
        Ok(Some(Outcome::Good))
    }

    fn diff(&self) -> Result<Option<Outcome>> {
        /// The greatest number of listed runs of tics, without -v and with it: they are kept in memory.
        const MAX_LISTED: usize = 50;
        const MAX_LISTED_VERBOSE: usize = 100_000;
        let (a, b) = (paths(self.arguments, "a"), paths(self.arguments, "b"));
        if a.iter().chain(&b).any(|path| is_dash(path)) {
            return Ok(None);
        }
        let (first, second) = match (self.recording("a")?, self.recording("b")?) {
            (Some(first), Some(second)) => (first, second),
            (None, None) => return Ok(None),
            (Some(ours), None) => return Err(not_input(&ours, &b)),
            (None, Some(ours)) => return Err(not_input(&ours, &a)),
        };
        self.only_with("diff", &["json", "game"], first.name())?;
        let found = compare(
            first,
            second,
            self.game.as_deref(),
            if self.verbosity.verbose { MAX_LISTED_VERBOSE } else { MAX_LISTED },
        )?;
        let outcome = if found.are_same() { Outcome::Good } else { Outcome::Bad };
        let mut out = io::stdout().lock();
        if self.verbosity.quiet {
            return Ok(Some(outcome));
        }
        if flag(self.arguments, "json") {
            json::object(&mut out, &found)?;
            return Ok(Some(outcome));
        }
        for line in &found.header {
            writeln!(out, "~ header: {line}")?;
        }
        for run in &found.runs {
            let tics = if run.first == run.last {
                format!("tic {}", run.first)
            } else {
                format!("tics {} to {}", run.first, run.last)
            };
            match run.how {
                TicChange::Changed => writeln!(out, "~ {tics}: {} -> {}", run.was, run.is)?,
                TicChange::OnlyInFirst => writeln!(out, "- {tics}: {}", run.was)?,
                TicChange::OnlyInSecond => writeln!(out, "+ {tics}: {}", run.is)?,
            }
        }
        let listed: u64 = found.runs.iter().map(|run| run.last - run.first + 1).sum();
        if listed < found.tics {
            let more = units::counted(found.tics - listed, "more tic");
            writeln!(out, "~ {more}{}", if self.verbosity.verbose { "" } else { "; -v lists them" })?;
        }
        for line in &found.texts {
            writeln!(out, "~ footer: {line}")?;
        }
        if found.footer && found.texts.is_empty() {
            writeln!(out, "~ the bytes after the records")?;
        }
        let tics = units::counted(found.tics, "tic");
        let result = match found.tics {
            _ if found.are_same() => "the same".to_owned(),
            0 => "every tic is the same".to_owned(),
            1 => format!("{tics} differs"),
            _ => format!("{tics} differ"),
        };
        writeln!(out, "{result}")?;
        Ok(Some(outcome))
    }

    fn edit(&self, name: &str) -> Result<Option<Outcome>> {
        let Some(input) = self.recording("input")? else { return Ok(None) };
        let words = |id: &str| -> Vec<String> {
            self.arguments.try_get_many::<String>(id).ok().flatten().into_iter().flatten().cloned().collect()
        };
        let mut change = InputEdit { game: self.game.clone(), ..InputEdit::default() };
        if name == "strip" {
            for what in words("what").iter().flat_map(|it| it.split([',', ' '])) {
                match what {
                    "footer" => change.strip_footer = true,
                    "pauses" => change.remove_pauses = true,
                    "saves" => change.clear_saves = true,
                    _ => {
                        bail!(
                            "`{what}` cannot be removed from a recording of input: footer, pauses and saves can"
                        )
                    }
                }
            }
        } else {
            for setting in words("settings") {
                let (key, value) =
                    setting.split_once('=').ok_or_else(|| anyhow!("`{setting}` is not NAME=VALUE"))?;
                change.set.push((key.to_owned(), value.to_owned()));
            }
        }
        let mut writer = self.destination().open(Kind::Recording)?.buffered();
        edit(input, &mut writer, input::spill()?, &change)?;
        Output::finish(writer)?;
        Ok(Some(Outcome::Good))
    }

    fn plot(&self) -> Result<Option<Outcome>> {
        let files = paths(self.arguments, "paths");
        let Some(input) = self.recording("paths")? else { return Ok(None) };
        let [path] = files.as_slice() else {
            bail!("{}: a chart shows one recording of input: name one", input.name());
        };
        for id in ["kind", "by", "level"] {
            if self.arguments.value_source(id) == Some(ValueSource::CommandLine) {
                bail!(
                    "{}: --{id} is for charts of Quake's recordings. A recording of input has one chart: the keys",
                    input.name()
                );
            }
        }
        let out = paths(self.arguments, "output").into_iter().next().unwrap_or_default();
        let is_png = out.extension().is_some_and(|it| it.eq_ignore_ascii_case("png"));
        let target = Destination { output: Some(out), force: flag(self.arguments, "force") };
        let svg = moviola::input::plot(
            input,
            self.game.as_deref(),
            &printable(path),
            flag(self.arguments, "dark"),
        )?;
        let mut writer = target.open(if is_png { Kind::Recording } else { Kind::Text })?.buffered();
        if is_png {
            #[cfg(feature = "png")]
            writer.write_all(&moviola::export::png(&svg, 2.0)?)?;
            #[cfg(not(feature = "png"))]
            bail!("this moviola was built without PNG: write an SVG");
        } else {
            writer.write_all(svg.as_bytes())?;
        }
        Output::finish(writer)?;
        Ok(Some(Outcome::Good))
    }

    /// One table, `tics`; if other recordings are named too, the command runs for them as well.
    fn export(&self) -> Result<Option<Outcome>> {
        // Tables by name, and parts of an archive, belong to Quake's recordings.
        let is_named = |id: &str| self.arguments.value_source(id) == Some(ValueSource::CommandLine);
        let named = self.arguments.try_get_many::<&'static Table>("tables").ok().flatten();
        let named = named.map(|tables| tables.map(|it| it.name).collect::<Vec<_>>());
        let is_ours = named.as_ref().is_none_or(|names| names.contains(&TICS.name));
        if !is_ours || is_named("shard") {
            return Ok(None);
        }
        let (ours, mut others) = self.sorted("inputs", true)?;
        if ours.is_empty() {
            return Ok(None);
        }
        self.leave_folders(&mut others, "inputs");
        let out = self.destination();
        let folder = out.output.clone().unwrap_or_default();
        let form = self
            .arguments
            .try_get_one::<TableFormat>("to")
            .ok()
            .flatten()
            .copied()
            .unwrap_or(TableFormat::Csv);
        let (mut count, mut there) = (0, 0);
        for (path, input) in ours {
            let reopenable = ReopenableInput::new(input)?;
            let id = Id::of(reopenable.open()?)?;
            let place = folder.join(TICS.name).join(format!("{}.{}", id.word().as_str(), form.name()));
            if place.exists() && !out.force {
                there += 1;
                continue;
            }
            crate::leftovers::make_folder(&folder.join(TICS.name))?;
            let target = Destination { output: Some(place), force: out.force };
            let mut files = Files::new(form);
            files.add(TICS, target.open(Kind::Recording)?.buffered())?;
            tics(reopenable.open()?, id, self.game.as_deref(), &mut files)
                .map_err(|error| anyhow!("{}: {error}", printable(&path)))?;
            for (_, writer) in files.finish()? {
                Output::finish(writer)?;
            }
            count += 1;
        }
        if !self.verbosity.quiet {
            let recordings = if count == 1 { "recording" } else { "recordings" };
            let count = units::count(count);
            failure::line(&format!("{count} {recordings} of input exported into {}", printable(&folder)));
            if there > 0 {
                let there = units::count(there);
                failure::line(&format!(
                    "  {there} left as they were: they exist already, and --force makes them anew"
                ));
            }
        }
        let mut words = self.options("export", &["game", "tables"]);
        // Recordings of the other games have all tables but this one.
        let rest = named.into_iter().flatten().filter(|name| *name != TICS.name).collect::<Vec<_>>();
        if !rest.is_empty() {
            words.extend(["--tables".into(), rest.join(",").into()]);
        } else if is_named("tables") {
            return Ok(Some(Outcome::Good));
        }
        self.others("export", words, others).map(Some)
    }

    /// `info`, `check` and `report`, file by file.
    fn each(&self, name: &str) -> Result<Option<Outcome>> {
        let asked = self.arguments;
        if !paths(asked, "html").is_empty() {
            return Ok(None);
        }
        let (ours, mut others) = self.sorted("paths", true)?;
        let Some((first, _)) = ours.first() else { return Ok(None) };
        self.only_with(name, &["json", "game", "recursive", "wide"], &printable(first))?;
        let is_json = flag(asked, "json");
        let is_list = ours.len() > 1 && !self.verbosity.verbose;
        let mut outcome = Outcome::Good;
        let (mut count, mut wrong) = (0, 0);
        let mut out = io::stdout().lock();
        for (path, input) in ours {
            let again = ReopenableInput::new(input)?;
            let summary = InputSummary::read(again.open()?, self.game.as_deref())?;
            let report = InputReport::of(&summary);
            let exact = if name == "check" { Some(is_exact(&again, self.game.as_deref())?) } else { None };
            count += 1;
            if exact == Some(false) {
                wrong += 1;
                outcome = Outcome::Bad;
            }
            match (name, is_json) {
                ("check", true) => json::write(&mut out, &path, &Checked::of(&summary, &report, exact))?,
                (_, true) => json::write(&mut out, &path, &summary)?,
                ("info", false) => info(&mut out, &path, &summary, is_list)?,
                ("check", false) => {
                    check(&mut out, &path, &report, exact == Some(true), self.verbosity.quiet)?;
                }
                _ => pressed(&mut out, &path, &summary)?,
            }
        }
        self.leave_folders(&mut others, "paths");
        // For the other files `check` prints a line of its own with their number.
        if name == "check" && !is_json && count + others.len() as u64 > 1 {
            let are = if wrong == 0 { "all exact".to_owned() } else { format!("{wrong} not exact") };
            writeln!(out, "{} of input: {are}", units::counted(count, "recording"))?;
        }
        drop(out);
        Ok(Some(outcome.max(self.others(name, self.options(name, &["game"]), others)?)))
    }
}

/// The error for a file beside a recording of input that is not one itself, or cannot be read.
fn not_input(ours: &Input, others: &[PathBuf]) -> anyhow::Error {
    let other = others.first().map_or(Path::new("-"), PathBuf::as_path);
    match Input::open(other) {
        Err(error) => error,
        Ok(_) => anyhow!("{} is a recording of input, and {} is not one", ours.name(), printable(other)),
    }
}

/// Whether a recording comes back from its text.
fn is_exact(again: &ReopenableInput, game: Option<&str>) -> Result<bool> {
    let options = InputTextOptions { game: game.map(str::to_owned), ..InputTextOptions::default() };
    let (reader, writer) = io::pipe()?;
    let input = again.open()?;
    let mut comparison = SameAsFile { expected: again.open()?, is_same: true };
    let made = std::thread::scope(|scope| {
        let first =
            scope.spawn(move || decompile(input, io::BufWriter::with_capacity(1 << 16, writer), &options));
        let made = compile(reader, &mut comparison, input::spill()?);
        let first = first.join().unwrap_or_else(|_| Err(io::Error::other("a thread stopped")));
        first.map_err(anyhow::Error::from).map(|()| made.is_ok())
    })?;
    Ok(made && comparison.is_whole()?)
}

/// Compares the written bytes with a file.
struct SameAsFile {
    expected: Input,
    is_same: bool,
}

impl SameAsFile {
    fn is_whole(&mut self) -> io::Result<bool> {
        Ok(self.is_same && io::Read::read(&mut self.expected, &mut [0])? == 0)
    }
}

impl Write for SameAsFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut there = vec![0; bytes.len()];
        self.is_same &= io::Read::read_exact(&mut self.expected, &mut there).is_ok() && there == bytes;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
