//! The files of levels: in a folder as games have them, in its archives, or in one archive; and the levels
//! whose floor plans are drawn under ways.

use crate::failure;
use crate::input::printable;
use crate::inside::Inside;
use crate::lmp;
use crate::progress::Bar;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use moviola::assets::{Bsp, GameFiles};
use moviola::container::{WalkOptions, safe_path};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The options for floor plans under ways.
#[derive(Debug, Args)]
pub(crate) struct MapPlaces {
    /// Draw the level's floor plan, from the game's files, under the path.
    #[arg(long)]
    maps: bool,
    /// Take levels and other game files from this folder, .pak, .pk3 or .zip; the last one wins. For .lmp and .dmo
    /// recordings: read them as those of GAME: doom, heretic, hexen, strife, duke...
    #[arg(long, value_name = "PLACE|GAME")]
    game: Vec<PathBuf>,
}

impl MapPlaces {
    /// Refuses the option for output that draws no ways.
    pub(crate) fn refuse(&self, needed: &str) -> Result<()> {
        if self.maps {
            bail!("--maps draws floor plans under paths: it needs {needed}");
        }
        self.open(true).map(|_| ())
    }

    /// The game's files, for commands that need more of them than floor plans.
    pub(crate) fn files(&self) -> Result<GameFiles> {
        let places: Vec<PathBuf> = self.game.iter().filter(|it| !lmp::is_game(it)).cloned().collect();
        open(&places)
    }

    /// Opens the places, if floor plans are wanted.
    pub(crate) fn open(&self, quiet: bool) -> Result<Maps> {
        let mut places = self.game.iter().filter(|it| !lmp::is_game(it));
        if let (false, Some(place)) = (self.maps, places.next()) {
            let place = printable(place);
            bail!("--game {place}: add --maps to draw the floor plans of the levels in it");
        }
        self.plans(quiet)
    }

    /// Opens the places of a picture that is not drawn alone: others of the same command want the game's files, too.
    pub(crate) fn plans(&self, quiet: bool) -> Result<Maps> {
        let files = self.maps.then(|| open(&self.game)).transpose()?;
        Ok(Maps { files, quiet, missing: BTreeSet::new() })
    }
}

/// Opens the folders and archives with games' files.
pub(crate) fn open(places: &[PathBuf]) -> Result<GameFiles> {
    GameFiles::open(places).map_err(|error| anyhow!("{}", failure::plain(&error)))
}

/// The levels under ways.
pub(crate) struct Maps {
    files: Option<GameFiles>,
    quiet: bool,
    /// The levels that were named as missing.
    missing: BTreeSet<String>,
}

impl Maps {
    /// The level with this name. One that is missing or damaged is named once.
    pub(crate) fn find(&mut self, name: &str) -> Option<Bsp> {
        let files = self.files.as_ref()?;
        let problem = match files.read(name) {
            Some(Ok(file)) => match Bsp::read(&file) {
                Ok(level) => return Some(level),
                Err(error) => error.to_string(),
            },
            Some(Err(error)) => failure::plain(&error),
            None if files.places().is_empty() => "no --game PLACE was named".to_owned(),
            None => format!("not found in {}", files.places().join(", ")),
        };
        if self.missing.insert(name.to_owned()) && !self.quiet {
            failure::line(&format!("note: the path has no floor plan under it: {name}: {problem}"));
        }
        None
    }
}

/// No level is larger.
const MAX_LEVEL_SIZE: u64 = 1 << 28;

/// The file of a level, `maps/e1m1.bsp`, from a folder or an archive.
pub(crate) fn level(place: &Path, name: &str) -> Result<Vec<u8>> {
    let Some(inner) = safe_path(name) else { bail!("{name} is not the name of a level") };
    if place.extension().is_some_and(|it| it.eq_ignore_ascii_case("bsp")) {
        let level = printable(place);
        bail!("{level} is one level: name the folder above `maps`, or the .pak file that it is in");
    }
    if !place.is_dir() {
        return in_archive(place, name)?.with_context(|| format!("{} has no {name} in it", printable(place)));
    }
    let direct = [place.join(&inner), place.join(inner.file_name().unwrap_or_default())];
    if let Some(file) = direct.iter().find(|file| file.is_file()) {
        let opened = File::open(file).with_context(|| format!("cannot open {}", printable(file)))?;
        return read(opened, &printable(file));
    }
    // If several archives have the same file, engines use the last one's.
    for archive in archives(place)?.iter().rev() {
        if let Some(file) = in_archive(archive, name)? {
            return Ok(file);
        }
    }
    let meant = below(place).into_iter().find(|folder| folder.join(&inner).is_file());
    let meant = meant.map_or_else(String::new, |it| format!("; did you mean {}?", printable(&it)));
    bail!("{} has no {name} in it, nor have the .pak and .pk3 files there{meant}", printable(place))
}

/// The folders in a folder: a game has one for each of its parts.
fn below(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut folders: Vec<PathBuf> = all.filter(|it| it.is_dir()).collect();
    folders.sort();
    folders
}

fn archives(folder: &Path) -> Result<Vec<PathBuf>> {
    let listing =
        std::fs::read_dir(folder).with_context(|| format!("cannot look into {}", printable(folder)))?;
    let is_archive = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default();
        ["pak", "pk3", "zip"].iter().any(|it| extension.eq_ignore_ascii_case(it))
    };
    let mut found: Vec<PathBuf> = listing.flatten().map(|it| it.path()).filter(is_archive).collect();
    found.sort();
    Ok(found)
}

fn in_archive(archive: &Path, name: &str) -> Result<Option<Vec<u8>>> {
    let mut inside = Inside::open(
        archive,
        &Bar::bytes(None, true),
        WalkOptions { nested: false, ..WalkOptions::default() },
    )?;
    while let Some(entry) = inside.next_entry() {
        let entry = entry?;
        if entry.path().eq_ignore_ascii_case(name) {
            let file = read(entry, &format!("{}:{name}", printable(archive)))?;
            return Ok(Some(file));
        }
    }
    Ok(None)
}

fn read(from: impl Read, name: &str) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    from.take(MAX_LEVEL_SIZE).read_to_end(&mut file).with_context(|| format!("cannot read {name}"))?;
    Ok(file)
}
