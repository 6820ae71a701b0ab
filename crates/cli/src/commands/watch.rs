//! `moviola watch`: a page that plays a recording, in the browser.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{Input, printable};
use crate::output::{Destination, Kind, Output};
use crate::scenes::{GamePlaces, say_from_above, say_missing};
use crate::{inside, units};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use moviola::assets::GameFiles;
use moviola::deck::{Deck, game_needed, page, page_with_player};
use std::collections::BTreeSet;
use std::env;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

/// The page without a recording: `cargo xtask web` makes it of `web/` and `crates/web`.
const PLAYER: &str = include_str!("../../player.html");

/// The largest recording of a page: browsers open no file that is much larger.
const MOST_BYTES: u64 = 128 << 20;

/// The largest report with a player in it, small enough to be sent as a file, and the largest recording for it: they
/// are packed to a third or less.
const MOST_SENT: usize = 6_000_000;
const MOST_SENT_BYTES: u64 = 16 << 20;

const AFTER_HELP: &str = "\
The page contains everything, the recording and the game's files that it shows. It
needs no network and no server, and works in any current browser. There you can
play the recording, look through it, cut it and save it again. Nothing is sent
anywhere.

Without its level, a recording is shown from above: the players, their paths and
their names. You can also open the game's own pak0.pak in the page.

Examples:
  moviola watch run.dem --game id1
  moviola watch demos.zip:run.dem --game baseq2
  moviola watch run.dem --game id1 -o run.html        a page to send to others";

/// Play a recording in the browser, look through it and cut it
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct WatchArgs {
    /// The recording; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    game: GamePlaces,
    /// Write the page to OUT, and open no browser.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace OUT if it exists.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(options: &WatchArgs, talk: Verbosity) -> Result<Outcome> {
    let input = inside::single(&options.file, inside::WantedFiles::Recordings)?;
    let name = short(&input);
    let (page, deck) = player(&name, input, options.game.open()?)?;
    say_missing_files(&deck, talk.quiet);
    let place = options.output.clone().unwrap_or_else(|| beside_others(&name));
    let force = options.force || options.output.is_none();
    let target = Destination { output: Some(place.clone()), force };
    let mut writer = target.open(Kind::Recording)?.buffered();
    writer.write_all(page.as_bytes())?;
    Output::finish(writer)?;
    let size = units::counted(page.len() as u64, "byte");
    if target.is_stdout() {
        return Ok(Outcome::Good);
    }
    if options.output.is_none() && !opened(&place) {
        failure::line(&format!("{}: no browser could be started: open the file in one", printable(&place)));
    } else if !talk.quiet {
        failure::line(&format!("{}: {size}, to open in a browser", printable(&place)));
    }
    Ok(Outcome::Good)
}

/// Says which levels and other files of the game a page does not have.
fn say_missing_files(deck: &Deck, quiet: bool) {
    let files = deck.game_files();
    let levels = deck.about().levels.iter().map(|level| format!("maps/{}.bsp", level.map));
    let missing: BTreeSet<String> = files.troubles().into_iter().map(|it| it.name).collect();
    let from_above: BTreeSet<String> = levels.filter(|level| missing.contains(level)).collect();
    say_from_above(&from_above, files, quiet);
    say_missing(files, &from_above, quiet);
}

/// The page that plays a recording, and the recording with the files of the game that are in the page.
pub(crate) fn player(name: &str, input: impl Read, game: GameFiles) -> Result<(String, Deck)> {
    let mut recording = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut recording)?;
    if recording.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        bail!("{name} has more than {most} MB, too much for a page: cut out a part with `moviola cut`");
    }
    let mut deck = Deck::open(name, recording).map_err(|why| anyhow!(why))?;
    deck.set_game(game);
    let game = game_needed(&mut deck);
    Ok((page(PLAYER, name, deck.save(), &game)?, deck))
}

/// The page of a report with a player in place of its map. `None` where the page would be too large to be sent; a
/// recording that does not play leaves the page unchanged.
pub(crate) fn with_player(
    page: &str,
    name: &str,
    input: impl Read,
    game: GameFiles,
    quiet: bool,
) -> Result<Option<String>> {
    let mut recording = Vec::new();
    input.take(MOST_SENT_BYTES + 1).read_to_end(&mut recording)?;
    if recording.len() as u64 > MOST_SENT_BYTES {
        return Ok(None);
    }
    let Ok(mut deck) = Deck::open(name, recording) else { return Ok(Some(page.to_owned())) };
    let has_game = !game.places().is_empty();
    deck.set_game(game);
    let needed = if has_game { game_needed(&mut deck) } else { Vec::new() };
    if has_game {
        say_missing_files(&deck, quiet);
    }
    let page = page_with_player(page, PLAYER, name, deck.save(), &needed)?;
    Ok(Some(page).filter(|it| it.len() <= MOST_SENT))
}

/// The name of a recording without its folder or archive.
fn short(input: &Input) -> String {
    file_name(input.name())
}

/// The last part of a name with folders and archives.
pub(crate) fn file_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\', ':']).next().unwrap_or(name);
    if name.is_empty() || name == "-" { "recording".to_owned() } else { name.to_owned() }
}

/// A temporary file for a page. The system removes it some day; the browser needs it until it is closed.
fn beside_others(name: &str) -> PathBuf {
    let plain: String =
        name.chars().map(|it| if it.is_ascii_alphanumeric() || it == '.' { it } else { '_' }).collect();
    env::temp_dir().join(format!("moviola-{}-{plain}.html", process::id()))
}

/// Opens a page in the browser that the person prefers; returns whether a program for it was there.
fn opened(page: &Path) -> bool {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "windows") {
        // not from SCHEMA: a command of Windows
        ("cmd", &["/c", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(words).arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet());
    command.status().is_ok_and(|status| status.success())
}
