//! Reads each file of a game once, and lists files that are missing or damaged.

use crate::bsp::{Bsp, MipTexture};
use crate::error::AssetError;
use crate::files::{FoundFile, GameFiles, key};
use crate::model::AliasModel;
use crate::picture::{ColorPicture, Colormap, Palette, Picture};
use crate::sprite::SpriteModel;
use crate::wad::Wad;
use crate::wave::Wave;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A file that could not be used.
///
/// ```
/// use moviola_assets::GameFiles;
/// let mut files = GameFiles::default();
/// files.add_file("progs/ogre.mdl", b"damaged".to_vec());
/// assert!(files.model("progs/ogre.mdl").is_none() && files.wave("sound/misc/talk.wav").is_none());
/// let troubles: Vec<String> = files.troubles().iter().map(ToString::to_string).collect();
/// let damaged = "progs/ogre.mdl: header at offset 0: it is not a model: neither MDL 6 nor MD2 8";
/// assert_eq!(troubles, [damaged, "sound/misc/talk.wav: it is not there"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AssetTrouble {
    /// The file's name in the game.
    pub name: String,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for AssetTrouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.name, self.problem)
    }
}

/// The files read so far.
#[derive(Default)]
pub(crate) struct Loaded {
    bsps: Cache<Bsp>,
    models: Cache<AliasModel>,
    sprites: Cache<SpriteModel>,
    waves: Cache<Wave>,
    pictures: Cache<(Picture, Option<Palette>)>,
    color_pictures: Cache<ColorPicture>,
    textures: Cache<MipTexture>,
    wads: Cache<Wad>,
    lumps: Cache<Picture>,
    palettes: Cache<Palette>,
    colormaps: Cache<Colormap>,
    troubles: Mutex<BTreeMap<String, String>>,
    /// The files that were found and could be read.
    used: Mutex<BTreeSet<String>>,
}

type Cache<T> = Mutex<BTreeMap<String, Option<Arc<T>>>>;

/// The files that every game needs: Quake's palette and colormap, Quake II's picture with both, and Quake's
/// WAD file.
const PALETTE: &str = "gfx/palette.lmp";
const COLORMAP: &str = "gfx/colormap.lmp";
const PALETTE2: &str = "pics/colormap.pcx";
const GFX_WAD: &str = "gfx.wad";

impl GameFiles {
    /// Returns a file that was read before, or reads it.
    fn load<T>(
        &self,
        cache: &Cache<T>,
        name: &str,
        read: impl FnOnce(FoundFile) -> Result<T, String>,
    ) -> Option<Arc<T>> {
        let name = key(name)?;
        if let Some(known) = lock(cache).get(&name) {
            return known.clone();
        }
        // Files are read outside of the lock, so that other threads can read theirs. Reading one twice does
        // no harm.
        let found = self.find(&name).ok_or_else(|| "it is not there".to_owned()).and_then(read);
        let loaded = found.map(Arc::new).map_err(|problem| self.trouble(&name, problem)).ok();
        if loaded.is_some() {
            lock(&self.loaded.used).insert(name.clone());
        }
        lock(cache).entry(name).or_insert(loaded).clone()
    }

    /// Adds a file that was found, but could not be used.
    ///
    /// ```
    /// let files = moviola_assets::GameFiles::default();
    /// files.trouble("music/track04.ogg", "it is damaged".to_owned());
    /// assert_eq!(files.troubles()[0].to_string(), "music/track04.ogg: it is damaged");
    /// ```
    pub fn trouble(&self, name: &str, problem: String) {
        lock(&self.loaded.troubles).insert(name.to_owned(), problem);
    }

    /// All files that were requested and could not be used, by name, after the archives that could not be read.
    pub fn troubles(&self) -> Vec<AssetTrouble> {
        let list = lock(&self.loaded.troubles);
        self.damaged
            .iter()
            .chain(list.iter())
            .map(|(name, problem)| AssetTrouble { name: name.clone(), problem: problem.clone() })
            .collect()
    }

    /// The names of all files that were requested and could be used, so that they can be taken elsewhere.
    ///
    /// ```
    /// use moviola_assets::GameFiles;
    /// let mut files = GameFiles::default();
    /// files.add_file("gfx/palette.lmp", vec![9; 768]);
    /// files.add_file("gfx/other.lmp", vec![9; 768]);
    /// files.palette(false);
    /// assert_eq!(files.used(), ["gfx/palette.lmp"]);
    /// ```
    pub fn used(&self) -> Vec<String> {
        lock(&self.loaded.used).iter().cloned().collect()
    }

    /// A level, with the colors of its `.lit` file unless that file is in a place with lower precedence than the
    /// level's. The first damaged lump is listed in [troubles](Self::troubles).
    pub fn bsp(&self, name: &str) -> Option<Arc<Bsp>> {
        self.load(&self.loaded.bsps, name, |found| {
            let mut level = read_as(found.bytes, |bytes| Bsp::read(&bytes))?;
            if let Some(error) = level.damage.first() {
                self.trouble(name, error.to_string());
            }
            let lit = format!("{}.lit", name.rsplit_once('.').map_or(name, |(stem, _)| stem));
            if let Some(file) = self.find(&lit).filter(|lit| lit.place >= found.place) {
                let added = read_as(file.bytes, |bytes| level.add_color_light(&bytes));
                match added {
                    Ok(()) => drop(lock(&self.loaded.used).insert(lit)),
                    Err(problem) => self.trouble(&lit, problem),
                }
            }
            Ok(level)
        })
    }

    /// A model, MDL or MD2.
    pub fn model(&self, name: &str) -> Option<Arc<AliasModel>> {
        self.load(&self.loaded.models, name, |it| read_as(it.bytes, |bytes| AliasModel::read(&bytes)))
    }

    /// A sprite, SPR or SP2.
    pub fn sprite(&self, name: &str) -> Option<Arc<SpriteModel>> {
        self.load(&self.loaded.sprites, name, |it| read_as(it.bytes, |bytes| SpriteModel::read(&bytes)))
    }

    /// A sound, `sound/misc/talk.wav`.
    pub fn wave(&self, name: &str) -> Option<Arc<Wave>> {
        self.load(&self.loaded.waves, name, |it| read_as(it.bytes, |bytes| Wave::read(&bytes)))
    }

    /// A picture of palette colors, `.lmp` or `.pcx`, and the palette of a `.pcx`.
    pub fn picture(&self, name: &str) -> Option<Arc<(Picture, Option<Palette>)>> {
        self.load(&self.loaded.pictures, name, |it| {
            read_as(it.bytes, |bytes| match bytes.first() {
                Some(10) if name.to_ascii_lowercase().ends_with(".pcx") => Picture::read_pcx(&bytes),
                _ => Picture::read(&bytes).map(|picture| (picture, None)),
            })
        })
    }

    /// A picture in true colors, `.tga`.
    pub fn color_picture(&self, name: &str) -> Option<Arc<ColorPicture>> {
        self.load(&self.loaded.color_pictures, name, |it| {
            read_as(it.bytes, |bytes| ColorPicture::read_tga(&bytes))
        })
    }

    /// A texture of Quake II, `textures/e1u1/floor1_1.wal`.
    pub fn texture(&self, name: &str) -> Option<Arc<MipTexture>> {
        self.load(&self.loaded.textures, name, |it| read_as(it.bytes, |bytes| MipTexture::read_wal(&bytes)))
    }

    /// A picture of `gfx.wad`, by the name of its lump.
    pub fn lump(&self, name: &str) -> Option<Arc<Picture>> {
        let wad = self.load(&self.loaded.wads, GFX_WAD, |it| read_as(it.bytes, Wad::read))?;
        let id = format!("{GFX_WAD}/{name}");
        if let Some(known) = lock(&self.loaded.lumps).get(&id) {
            return known.clone();
        }
        let picture = match wad.picture(name) {
            Some(Ok(picture)) => Some(Arc::new(picture)),
            Some(Err(error)) => {
                self.trouble(&id, error.to_string());
                None
            }
            None => {
                self.trouble(&id, "it is not there".to_owned());
                None
            }
        };
        lock(&self.loaded.lumps).entry(id).or_insert(picture).clone()
    }

    /// A track of music by its number on the game's CD, `music/track02.ogg` or `.flac`.
    ///
    /// ```
    /// use moviola_assets::GameFiles;
    /// let mut files = GameFiles::default();
    /// files.add_file("music/track04.flac", b"fLaC".to_vec());
    /// assert_eq!((files.music(4).unwrap(), files.music(5)), (("music/track04.flac".to_owned(), b"fLaC".to_vec()), None));
    /// assert_eq!(files.troubles()[0].to_string(), "music/track05.ogg: it is not there, and no .flac either");
    /// ```
    pub fn music(&self, track: u8) -> Option<(String, Vec<u8>)> {
        let [ogg, flac] = ["ogg", "flac"].map(|ending| format!("music/track{track:02}.{ending}"));
        let Some((name, found)) = [&ogg, &flac].into_iter().find_map(|name| Some((name, self.find(name)?)))
        else {
            self.trouble(&ogg, "it is not there, and no .flac either".to_owned());
            return None;
        };
        let bytes = found.bytes.map_err(|error| self.trouble(name, error.to_string())).ok()?;
        Some((name.clone(), bytes))
    }

    /// The palette of Quake or of Quake II. If the file is missing, the colors are shades of gray.
    ///
    /// ```
    /// use moviola_assets::GameFiles;
    /// let mut files = GameFiles::default();
    /// files.add_file("gfx/palette.lmp", vec![9; 768]);
    /// assert_eq!(files.palette(false).0[0], [9; 3]);
    /// assert_eq!(files.palette(true).0[5], [5; 3]);
    /// assert_eq!(files.colormap(false).row(0)[7], 7);
    /// assert!(files.bsp("maps/e1m1.bsp").is_none() && files.lump("sbar").is_none());
    /// assert!(files.sprite("progs/s_bubble.spr").is_none() && files.picture("gfx/pause.lmp").is_none());
    /// assert!(files.texture("textures/lq/w.wal").is_none() && files.color_picture("env/lf.tga").is_none());
    /// ```
    pub fn palette(&self, quake2: bool) -> Arc<Palette> {
        if quake2 {
            let colors = self.picture(PALETTE2).and_then(|it| it.1.clone());
            return Arc::new(colors.unwrap_or_default());
        }
        let loaded =
            self.load(&self.loaded.palettes, PALETTE, |it| read_as(it.bytes, |bytes| Palette::read(&bytes)));
        loaded.unwrap_or_default()
    }

    /// The palette color for each color in each of 64 lights; if the file is missing, each color stays the
    /// same.
    pub fn colormap(&self, quake2: bool) -> Arc<Colormap> {
        let loaded = if quake2 {
            let rows = self.picture(PALETTE2);
            rows.and_then(|it| Colormap::read(&it.0.pixels).ok()).map(Arc::new)
        } else {
            self.load(&self.loaded.colormaps, COLORMAP, |it| {
                read_as(it.bytes, |bytes| Colormap::read(&bytes))
            })
        };
        loaded.unwrap_or_default()
    }
}

/// Reads the bytes of a file; the error is text.
fn read_as<T>(
    bytes: std::io::Result<Vec<u8>>,
    read: impl FnOnce(Vec<u8>) -> Result<T, AssetError>,
) -> Result<T, String> {
    let bytes = bytes.map_err(|error| error.to_string())?;
    read(bytes).map_err(|error| error.to_string())
}

fn lock<T>(it: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
