//! `moviola report`: a recording on one screen, or in the forms that other programs and archives accept.

use super::watch::{file_name, with_player};
use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Files, Input, ReopenableInput, printable};
use crate::inside::{self, WantedFiles};
use crate::json;
use crate::leftovers::make_folder;
use crate::maps::{MapPlaces, Maps};
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::units;
use anyhow::{Result, bail};
use clap::Args;
use moviola::analyse::Report;
use moviola::audit::audited_report;
use moviola::export::{FolderPage, Story, page_on_maps};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const EXAMPLES: &str = "\
The time of a level is the server's clock at the moment when the scores or the
text of the finale appear, as speedrunners count it. A level that ended in
another way has no time. In Quake II, kills and secrets are known only if the
player opened the field computer (F1).

For a recording of input (DOOM's .lmp or Duke's .dmo), the report lists only how
long each player pressed which keys, because the recording does not contain the
outcome. SR40 and SR50 are tics of running forward or backward at 50 and
sideways at 40 (as with one key), or sideways at 50 (as with two strafe keys, or
a mouse).

The page about one recording plays it, as the page of `moviola watch` does, with
the game's own levels if --game names them. If the page would need more than
6 MB for this, or is about a recording of a folder, it has a map of the path
instead.

The line about marks is the result of `moviola audit`, which shows the evidence.

Examples:
  moviola report run.dem
  moviola report --sda run.dem > run.txt     the text that goes with a run
  moviola report --json match.dem | jq '.levels[].scores'
  moviola report --html run.html run.dem     a page to look at and to share
  moviola report --html pages demos          pages about a folder: index.html has links
  moviola report --html run.html run.dem --game id1
  moviola report --html run.html run.dem --no-player --maps --game id1
  moviola report demos
  moviola report run.lmp                     the keys pressed in a recording of input
  moviola report runs.dz";

/// Summarize recordings: players, maps, times, scores, kills, secrets
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    files: Files,
    /// Print everything that is known, as JSON Lines.
    #[arg(long, conflicts_with = "sda")]
    json: bool,
    /// Print the block of text that accompanies a run in the Speed Demos Archive.
    #[arg(long)]
    sda: bool,
    /// Write a page about one recording to OUT, as one HTML file: the recording, which plays there, the path, the
    /// events and the scores. For a folder, or for several recordings, OUT is a folder with a page about each, and
    /// `index.html` about all of them.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "sda"])]
    html: Option<PathBuf>,
    /// Replace OUT if it exists.
    #[arg(long, requires = "html")]
    force: bool,
    /// Leave the player and the recording out of the page, which shrinks it to a tenth.
    #[arg(long, requires = "html")]
    no_player: bool,
    #[command(flatten)]
    maps: MapPlaces,
}

pub(crate) fn run(options: &ReportArgs, talk: Verbosity) -> Result<Outcome> {
    let (files, wrong) = options.files.list();
    if options.html.is_none() {
        options.maps.refuse("--html OUT")?;
    }
    if let Some(out) = &options.html {
        return match (files.as_slice(), wrong.first()) {
            (_, Some(wrong)) => bail!("{wrong}"),
            ([file], None) if options.files.names(file) => write_page(file, out, options, talk),
            (files, None) => write_pages(files, options, out, talk),
        };
    }
    let mut outcome = Outcome::Good;
    for wrong in &wrong {
        trouble(options, &wrong.path, wrong)?;
        outcome = Outcome::Trouble;
    }
    let total = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), talk.quiet);
    let result = inside::each_of(&files, &options.files, &bar, 1, report, |file, _, report| match report {
        Ok(Some((path, report))) => print(options, &path, &report),
        Ok(None) => Ok(()),
        Err(line) => {
            outcome = Outcome::Trouble;
            trouble(options, file, &line)
        }
    });
    bar.finish();
    result?;
    Ok(outcome)
}

fn trouble(options: &ReportArgs, path: &Path, line: &str) -> io::Result<()> {
    failure::print_error(line);
    if options.json { json::error(path, line) } else { Ok(()) }
}

fn write_page(file: &Path, out: &Path, options: &ReportArgs, talk: Verbosity) -> Result<Outcome> {
    let mut input = inside::single(file, WantedFiles::Recordings)?;
    if !input.is_recording()? {
        return Err(input.no_recording());
    }
    let name = file_name(input.name());
    let again = ReopenableInput::new(input)?;
    let maps = &options.maps;
    let maps = if options.no_player { maps.open(talk.quiet)? } else { maps.plans(talk.quiet)? };
    let maps = Mutex::new(maps);
    let (mut page, report) = page_of(&again, &maps)?;
    if !options.no_player && report.blocks > 0 {
        match with_player(&page, &name, again.open()?, options.maps.files()?, talk.quiet)? {
            Some(with) => page = with,
            None if talk.quiet => {}
            None => failure::line(&format!(
                "note: {} shows only the path: with a player the page would be too large",
                printable(out)
            )),
        }
    }
    write(&page, out, options.force)?;
    Ok(Outcome::Good)
}

/// The page about a recording, and the report that it shows.
fn page_of(again: &ReopenableInput, maps: &Mutex<Maps>) -> Result<(String, Report)> {
    let story = Story::read(again.open()?, again.name())?;
    let report = audited_report(again.open()?)?;
    // The pages of a folder are made on all cores, and one missing level is named once for all of them.
    let mut find = |name: &str| maps.lock().unwrap_or_else(PoisonError::into_inner).find(name);
    Ok((page_on_maps(&story, &report, &mut find), report))
}

fn write(html: &str, out: &Path, force: bool) -> Result<()> {
    let target = Destination { output: Some(out.to_owned()), force };
    let mut writer = target.open(Kind::Recording)?.buffered();
    writer.write_all(html.as_bytes())?;
    Output::finish(writer)
}

/// Writes a page about each recording into a folder, and one about all of them, `index.html`.
fn write_pages(files: &[PathBuf], options: &ReportArgs, out: &Path, talk: Verbosity) -> Result<Outcome> {
    if out.extension().is_some_and(|it| it.eq_ignore_ascii_case("html")) {
        bail!(
            "{}: pages about several recordings are a folder: name it without .html, or name one recording",
            printable(out)
        );
    }
    make_folder(out)?;
    let maps = Mutex::new(options.maps.open(talk.quiet)?);
    let (mut folder, mut names) = (FolderPage::default(), BTreeSet::from(["index".to_owned()])); // not from SCHEMA: a file's name
    let mut outcome = Outcome::Good;
    // The pages are made on all cores, and get their names in the order of the recordings.
    let make = |mut input: Input, is_found: bool| {
        if !input.is_recording()? {
            return if is_found { Ok(None) } else { Err(input.no_recording()) };
        }
        let path = input.path().map(Path::to_owned);
        page_of(&ReopenableInput::new(input)?, &maps).map(|made| Some((path, made)))
    };
    let mut keep = |file: &Path, path: Option<PathBuf>, html: &str, report: &Report| {
        let path = path.as_deref().unwrap_or(file);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let numbered = (2..).map(|number| format!("{stem}~{number}"));
        let free = std::iter::once(stem.clone()).chain(numbered).find(|it| names.insert(it.to_lowercase()));
        let name = format!("{}.html", free.unwrap_or(stem));
        write(html, &out.join(&name), options.force)?;
        folder.add(&printable(options.files.short(path)), &link(&name), report);
        anyhow::Ok(())
    };
    inside::each_of(files, &options.files, &Bar::bytes(None, true), 1, make, |file, _, made| {
        let kept = match made {
            Ok(None) => Ok(()),
            Ok(Some((path, (html, report)))) => {
                keep(file, path, &html, &report).map_err(|error| format!("{error:#}"))
            }
            Err(line) => Err(line),
        };
        if let Err(line) = kept {
            failure::print_error(&line);
            outcome = Outcome::Trouble;
        }
        Ok(())
    })?;
    if folder.is_empty() {
        if outcome == Outcome::Good {
            bail!("there is no recording in the named files and folders");
        }
        return Ok(outcome);
    }
    let index = out.join("index.html");
    let title = options.files.only().and_then(Path::file_name).map(|name| name.to_string_lossy());
    write(&folder.html(title.as_deref().unwrap_or("Recordings")), &index, options.force)?;
    if !talk.quiet {
        let pages = units::counted(folder.len() as u64, "recording");
        failure::line(&format!("{}: a page about {pages}, and one about each", printable(&index)));
    }
    Ok(outcome)
}

/// The name of a file as a link: signs with a meaning in links are written as numbers.
fn link(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let letter = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(letter).collect()
}

fn report(mut input: Input, found: bool) -> Result<Option<(PathBuf, Report)>> {
    let path = input.path().unwrap_or(Path::new("-")).to_owned();
    if !input.is_recording()? {
        // A folder may contain other files.
        return if found { Ok(None) } else { Err(input.no_recording()) };
    }
    Ok(Some((path, audited_report(input)?)))
}

fn print(options: &ReportArgs, path: &Path, report: &Report) -> io::Result<()> {
    let name = printable(path);
    let mut out = io::stdout().lock();
    if options.json {
        return json::write(&mut out, path, report);
    }
    if options.sda {
        if report.timed_levels == 0 {
            failure::warn(&format!("{name}: no level was finished, so there is no time to write"));
        }
        return write!(out, "{}", report.sda());
    }
    write!(out, "{name}\n{report}")
}
