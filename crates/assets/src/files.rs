//! Finds a game's files in folders and archives, in the order of the games.
//!
//! A place that is added later has precedence, as a mod has over the game. In a folder, archives have precedence over
//! loose files: `pak1.pak` over `pak0.pak`, then PK3 and ZIP files by number, then archives with any other name. Case
//! is ignored in names. Quake distinguishes case, but many mods rely on systems that do not.
// not from SCHEMA, all words: they are folders of the games.

use crate::loaded::Loaded;
use moviola_container::{Directory, Limits, safe_path};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The largest file of a game, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 28;

/// The extensions of archives; later ones have precedence.
const ARCHIVES: [&str; 4] = ["pak", "pk2", "pk3", "zip"];

/// Names that are in a game's folder but not in the folder above it.
const IN_GAMES: [&str; 8] = ["maps", "progs", "gfx", "gfx.wad", "sound", "pics", "models", "textures"];

/// The folders of the two games.
const GAMES: [&str; 2] = ["id1", "baseq2"];

/// The files of a game and of its mods.
///
/// ```
/// use moviola_assets::GameFiles;
/// let mut files = GameFiles::default();
/// files.add_file("progs/Player.mdl", b"of the game".to_vec());
/// files.add_file("progs/player.mdl", b"of a mod".to_vec());
/// assert_eq!(files.read("PROGS\\player.mdl").unwrap().unwrap(), b"of a mod");
/// assert!(files.exists("progs/player.mdl") && files.read("progs/ogre.mdl").is_none());
/// assert_eq!(files.places(), ["memory"]);
/// # let pak = std::io::Cursor::new(b"PACK\x0C\0\0\0\0\0\0\0");
/// files.add_archive("pak0.pak", pak).unwrap();
/// assert!(files.add("no such folder".as_ref()).is_err());
/// let error = GameFiles::open(&["nowhere"]).unwrap_err();
/// assert_eq!(error.to_string(), "nowhere: there is no such folder or file");
/// ```
#[derive(Default)]
pub struct GameFiles {
    /// The places in which files are searched; later ones have precedence.
    places: Vec<Location>,
    /// The archives in folders that could not be read, and why.
    pub(crate) damaged: BTreeMap<String, String>,
    pub(crate) loaded: Loaded,
}

enum Location {
    Folder(PathBuf),
    Archive { label: String, names: BTreeMap<String, usize>, archive: Mutex<Directory> },
    Memory(BTreeMap<String, Vec<u8>>),
}

impl GameFiles {
    /// Opens folders and archives; later ones have precedence. An archive in a folder that cannot be read is left out,
    /// and listed in [troubles](Self::troubles).
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> io::Result<Self> {
        let mut files = Self::default();
        for path in paths {
            let path = path.as_ref();
            files.add(path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    let problem = format!("{}: there is no such folder or file", path.display());
                    io::Error::new(error.kind(), problem)
                }
                // The error has a name already.
                _ if error.get_ref().is_some() => error,
                _ => io::Error::new(error.kind(), format!("{}: {error}", path.display())),
            })?;
        }
        Ok(files)
    }

    /// Adds a folder with the archives in it, or one archive. A folder that contains the games' folders adds
    /// those instead. An archive in a folder that cannot be read is left out, and listed in
    /// [troubles](Self::troubles).
    pub fn add(&mut self, path: &Path) -> io::Result<()> {
        if !path.is_dir() {
            return self.add_archive(&path.to_string_lossy(), File::open(path)?);
        }
        let names = listing(path)?;
        let has =
            |wanted: &[&str]| names.iter().any(|it| wanted.iter().any(|want| it.eq_ignore_ascii_case(want)));
        if !has(&IN_GAMES) && !names.iter().any(|name| rank(name).is_some()) && has(&GAMES) {
            let inner = names.iter().filter(|name| GAMES.iter().any(|game| name.eq_ignore_ascii_case(game)));
            return inner
                .map(|name| path.join(name))
                .filter(|it| it.is_dir())
                .try_for_each(|it| self.add(&it));
        }
        self.places.push(Location::Folder(path.to_owned()));
        let mut archives: Vec<_> = names.iter().filter_map(|name| Some((rank(name)?, name))).collect();
        archives.sort();
        for (_, name) in archives {
            let file = path.join(name);
            let label = file.to_string_lossy();
            match File::open(&file).and_then(open_archive) {
                Ok(Some((archive, names))) => self.put(&label, archive, names),
                Ok(None) => drop(self.damaged.insert(label.into_owned(), NO_ARCHIVE.to_owned())),
                Err(error) => drop(self.damaged.insert(label.into_owned(), error.to_string())),
            }
        }
        self.loaded = Loaded::default();
        Ok(())
    }

    /// Adds an archive; `label` is its name in messages.
    pub fn add_archive(&mut self, label: &str, file: impl Read + Seek + Send + 'static) -> io::Result<()> {
        let opened =
            open_archive(file).map_err(|error| io::Error::new(error.kind(), format!("{label}: {error}")))?;
        let Some((archive, names)) = opened else {
            let problem = format!("{label} is neither a folder nor a PAK, PK3 or ZIP file");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        };
        self.put(label, archive, names);
        Ok(())
    }

    fn put(&mut self, label: &str, archive: Directory, names: BTreeMap<String, usize>) {
        self.places.push(Location::Archive { label: label.to_owned(), names, archive: Mutex::new(archive) });
        self.loaded = Loaded::default();
    }

    /// Adds one file by its name in the game.
    pub fn add_file(&mut self, name: &str, bytes: Vec<u8>) {
        let Some(name) = key(name) else { return };
        if let Some(Location::Memory(files)) = self.places.last_mut() {
            files.insert(name, bytes);
        } else {
            self.places.push(Location::Memory(BTreeMap::from([(name, bytes)])));
        }
        self.loaded = Loaded::default();
    }

    /// The places in which files are searched, in this order.
    pub fn places(&self) -> Vec<String> {
        self.places
            .iter()
            .rev()
            .map(|place| match place {
                Location::Folder(path) => path.display().to_string(),
                Location::Archive { label, .. } => label.clone(),
                Location::Memory(_) => "memory".to_owned(),
            })
            .collect()
    }

    /// Whether a file is in one of the places.
    pub fn exists(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The bytes of a file; `None` if no place has it.
    pub fn read(&self, name: &str) -> Option<io::Result<Vec<u8>>> {
        self.find(name).map(|found| found.bytes)
    }

    /// The bytes of a file, and the index of the place that has it: a greater index wins.
    pub(crate) fn find(&self, name: &str) -> Option<FoundFile> {
        let name = key(name)?;
        self.places.iter().enumerate().rev().find_map(|(place, it)| {
            let bytes = match it {
                Location::Folder(folder) => read(&within(folder, &name)?),
                Location::Archive { names, archive, .. } => {
                    let index = names.get(&name)?;
                    archive.lock().unwrap_or_else(PoisonError::into_inner).read(*index, MAX_FILE_SIZE)
                }
                Location::Memory(files) => Ok(files.get(&name)?.clone()),
            };
            Some(FoundFile { place, bytes })
        })
    }
}

impl fmt::Debug for GameFiles {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("GameFiles").field("places", &self.places()).finish_non_exhaustive()
    }
}

/// A file that was found.
pub(crate) struct FoundFile {
    pub(crate) place: usize,
    pub(crate) bytes: io::Result<Vec<u8>>,
}

/// The form in which names are compared: lower case, with slashes; `None` for a name that leads out of the folder.
pub(crate) fn key(name: &str) -> Option<String> {
    let name = name.trim_start_matches(['/', '\\']).replace('\\', "/").to_ascii_lowercase();
    safe_path(&name)?;
    Some(name)
}

const NO_ARCHIVE: &str = "it is no PAK, PK3 or ZIP file";

/// An archive and the files in it; `None` if it is a file of another kind.
fn open_archive(
    file: impl Read + Seek + Send + 'static,
) -> io::Result<Option<(Directory, BTreeMap<String, usize>)>> {
    let Some(mut archive) = Directory::open(file, Limits::default())? else { return Ok(None) };
    let mut names = BTreeMap::new();
    for (index, name) in archive.names()? {
        if let Some(name) = key(&name) {
            names.entry(name).or_insert(index);
        }
    }
    Ok(Some((archive, names)))
}

fn listing(folder: &Path) -> io::Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)?;
    let mut names: Vec<_> = entries.flatten().filter_map(|it| it.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// The order of archives by their names: numbered ones by kind and number, then all others.
fn rank(name: &str) -> Option<(bool, usize, u64)> {
    let lower = name.to_ascii_lowercase();
    let (stem, ending) = lower.rsplit_once('.')?;
    let kind = ARCHIVES.iter().position(|it| *it == ending)?;
    let number = stem.strip_prefix("pak").and_then(|number| number.parse().ok());
    Some((number.is_none(), kind, number.unwrap_or_default()))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is larger than any file of a game"));
    }
    Ok(bytes)
}

/// The path of a file in a folder, whatever the case of its name and of the folders above it.
fn within(folder: &Path, name: &str) -> Option<PathBuf> {
    let direct = folder.join(name);
    if direct.is_file() {
        return Some(direct);
    }
    let mut path = folder.to_owned();
    for part in name.split('/') {
        let exact = path.join(part);
        path = if exact.exists() {
            exact
        } else {
            path.join(listing(&path).ok()?.into_iter().find(|it| it.eq_ignore_ascii_case(part))?)
        };
    }
    path.is_file().then_some(path)
}
