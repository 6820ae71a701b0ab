//! Textures, skins, levels and color tables, each made once from the game's files.
// not from SCHEMA, all words: they are names of textures.

use crate::LookKind;
use crate::level::{DrawnLevel, color_of};
use crate::look::LookOptions;
use crate::piece::SHADES;
use crate::sky::Clouds;
use crate::texture::{OPAQUE, Rgba, Texture, TextureAlpha, bright};
use moviola_assets::{AliasModel, Bsp, GameFiles, Palette, Picture};
use moviola_format::Game;
use moviola_scene::Sky;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Everything that was made from the files, for both looks.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) files: Arc<GameFiles>,
    levels: Cache<DrawnLevel>,
    textures: Cache<Texture>,
    clouds: Cache<Clouds>,
    boxes: Cache<[Option<Arc<Texture>>; 6]>,
    shades: Cache<Vec<Rgba>>,
}

type Cache<T> = Mutex<BTreeMap<String, Option<Arc<T>>>>;

/// The textures of a level, with their animations.
#[derive(Debug, Default)]
pub(crate) struct TextureSet {
    /// The textures, by the number of Quake's texture, or of Quake II's texinfo.
    textures: Vec<Option<Arc<Texture>>>,
    /// The frames of animated textures: the usual ones, and Quake's alternate ones.
    turns: BTreeMap<usize, [Vec<usize>; 2]>,
}

/// The greatest number of textures that are kept; a damaged recording may ask for any number of skins and colors.
const MOST_TEXTURES: usize = 4096;

/// The names of a sky's six pictures, for +x, -x, +y, -y, +z, -z.
const SIDES: [&str; 6] = ["rt", "lf", "bk", "ft", "up", "dn"];

/// The changes of animated textures per second: 5 in Quake, 2 in Quake II.
const RATES: [f64; 2] = [5.0, 2.0];

impl TextureSet {
    /// The texture of a face at a time; `frame` is that of the entity to which the face belongs.
    pub(crate) fn at(&self, bsp: &Bsp, texinfo: usize, time: f64, frame: u32) -> Option<Arc<Texture>> {
        let is_quake2 = bsp.kind.is_quake2();
        let first = if is_quake2 { texinfo } else { bsp.texinfos.get(texinfo)?.texture as usize };
        let [rate, rate2] = RATES;
        let at = match self.turns.get(&first) {
            None => first,
            Some([own, _]) if is_quake2 => {
                let step = if frame > 0 { u64::from(frame) } else { (time * rate2) as u64 };
                frame_at(own, step)?
            }
            Some([own, other]) => {
                let list = if frame > 0 && !other.is_empty() { other } else { own };
                frame_at(list, (time * rate) as u64)?
            }
        };
        self.textures.get(at)?.clone()
    }
}

fn frame_at(list: &[usize], step: u64) -> Option<usize> {
    list.get((step % (list.len().max(1) as u64)) as usize).copied()
}

impl Store {
    pub(crate) fn new(files: Arc<GameFiles>) -> Self {
        Self {
            files,
            levels: Cache::default(),
            textures: Cache::default(),
            clouds: Cache::default(),
            boxes: Cache::default(),
            shades: Cache::default(),
        }
    }

    /// The palette's colors for a look. Without the game's palette the picture's own colors are taken. If it has none,
    /// the result is `None`: color numbers are meaningless then, and drawn as grays they would look like noise.
    pub(crate) fn colors(
        &self,
        quake2: bool,
        look: &LookOptions,
        own_palette: Option<&Palette>,
    ) -> Option<[Rgba; 256]> {
        let factor = if quake2 && look.kind == LookKind::Gl { 2 } else { 1 };
        let palette = self.files.palette(quake2);
        let of_game = (*palette != Palette::default()).then_some(&*palette);
        of_game.or(own_palette).map(|palette| bright(palette, factor))
    }

    /// The color for each color of the palette in each of 64 lights.
    pub(crate) fn shades(&self, quake2: bool) -> Arc<Vec<Rgba>> {
        let shades = get_or_make(&self.shades, &format!("{quake2}"), || {
            let (rows, colors) = (self.files.colormap(quake2), bright(&self.files.palette(quake2), 1));
            let shade = |color: &u8| colors.get(usize::from(*color)).copied().unwrap_or_default() | OPAQUE;
            let mut all: Vec<Rgba> =
                (0..64).flat_map(|row| rows.row(row).iter().map(shade).collect::<Vec<_>>()).collect();
            all.resize(SHADES, 0);
            Some(all)
        });
        shades.unwrap_or_default()
    }

    /// A level with its textures.
    pub(crate) fn level(&self, name: &str, look: &LookOptions) -> Option<Arc<DrawnLevel>> {
        get_or_make(&self.levels, &format!("{name} {}", look.kind as u8), || {
            let bsp = self.files.bsp(name)?;
            let textures =
                if bsp.kind.is_quake2() { self.textures2(&bsp, look) } else { self.textures1(&bsp, look) };
            Some(DrawnLevel::new(bsp, textures))
        })
    }

    fn textures1(&self, bsp: &Bsp, look: &LookOptions) -> TextureSet {
        let colors = self.colors(false, look, None);
        let texture = |texture: &moviola_assets::MipTexture| {
            let how = if texture.name.starts_with('{') {
                TextureAlpha::Holes
            } else {
                TextureAlpha::Solid { glows: true }
            };
            let made = colors.as_ref().and_then(|colors| Texture::of_mips(texture, colors, how));
            made.map_or_else(|| Texture::plain(color_of(&texture.name)), Arc::new)
        };
        let missing = || Some(Texture::plain(color_of("")));
        let textures = bsp.textures.iter().map(|it| it.as_ref().map(texture).or_else(missing)).collect();
        // `+0name` to `+9name` are the frames of one animation, `+aname` to `+jname` its alternate frames.
        let mut chains: BTreeMap<String, [BTreeMap<char, usize>; 2]> = BTreeMap::new();
        for (index, it) in bsp.textures.iter().enumerate() {
            let name = it.as_ref().map(|it| it.name.to_ascii_lowercase()).unwrap_or_default();
            let mut letters = name.chars();
            if let (Some('+'), Some(step)) = (letters.next(), letters.next()) {
                let [own, other] = chains.entry(letters.collect()).or_default();
                let list = if step.is_ascii_digit() { own } else { other };
                list.insert(step, index);
            }
        }
        let mut cycles = BTreeMap::new();
        for [own, other] in chains.into_values() {
            let lists = [own, other].map(|list| list.into_values().collect::<Vec<_>>());
            let [own, other] = &lists;
            for index in own {
                cycles.insert(*index, lists.clone());
            }
            for index in other {
                cycles.insert(*index, [other.clone(), own.clone()]);
            }
        }
        TextureSet { textures, turns: cycles }
    }

    fn textures2(&self, bsp: &Bsp, look: &LookOptions) -> TextureSet {
        let texture = |name: &str| {
            let file = format!("textures/{name}.wal");
            self.texture(&format!("{file} {}", look.kind as u8), || {
                let found = self.files.texture(&file);
                let made = found.zip(self.colors(true, look, None)).and_then(|(it, colors)| {
                    Texture::of_mips(&it, &colors, TextureAlpha::Solid { glows: false })
                });
                made.map_or_else(|| Some(Texture::plain(color_of(name))), |it| Some(Arc::new(it)))
            })
        };
        let textures = bsp.texinfos.iter().map(|info| texture(&info.name)).collect();
        let mut cycles = BTreeMap::new();
        for (first, info) in bsp.texinfos.iter().enumerate() {
            let (mut list, mut next) = (vec![first], info.next);
            // A chain ends, or leads back to its start; a damaged one may do neither.
            while let Some(at) = usize::try_from(next).ok().filter(|at| *at != first && list.len() < 64) {
                let Some(info) = bsp.texinfos.get(at) else { break };
                list.push(at);
                next = info.next;
            }
            if list.len() > 1 {
                cycles.insert(first, [list, Vec::new()]);
            }
        }
        TextureSet { textures, turns: cycles }
    }

    /// The texture with this name; `make` creates it if it is not in the store yet.
    pub(crate) fn texture(
        &self,
        name: &str,
        make: impl FnOnce() -> Option<Arc<Texture>>,
    ) -> Option<Arc<Texture>> {
        if let Some(known) = lock(&self.textures).get(name) {
            return known.clone();
        }
        let texture = make();
        let mut textures = lock(&self.textures);
        if textures.len() >= MOST_TEXTURES {
            textures.clear();
        }
        textures.insert(name.to_owned(), texture.clone());
        texture
    }

    /// A skin of a model, with a player's colors: one of the model's own, or a picture.
    pub(crate) fn skin(
        &self,
        skin: &SkinWanted<'_>,
        look: &LookOptions,
        quake2: bool,
    ) -> Option<Arc<Texture>> {
        let SkinWanted { model, name, number, file, time, colors } = skin;
        let group = model.skins.get(*number as usize).or(model.skins.first());
        let picture = group.and_then(|group| group.at(*time));
        let items = group.map(|group| group.items.as_slice()).unwrap_or_default();
        let place = items.iter().position(|item| picture.is_some_and(|it| std::ptr::eq(it, item)));
        let of_model = model.skin_files.get(*number as usize).or(model.skin_files.first());
        let skin = file.or(of_model.map(String::as_str)).unwrap_or_default();
        let id = format!("{name} {number} {place:?} {skin} {colors:?} {}", look.kind as u8);
        self.texture(&id, || {
            let how = TextureAlpha::Solid { glows: !quake2 };
            if quake2 || file.is_some() {
                let picture = self.files.picture(skin)?;
                let palette = self.colors(quake2, look, picture.1.as_ref())?;
                return Texture::of_picture(&picture.0, &palette, how).map(Arc::new);
            }
            let palette = self.colors(quake2, look, None)?;
            let mut picture: Picture = picture?.clone();
            if let Some(colors) = colors {
                color_skin(&mut picture, *colors);
            }
            Texture::of_picture(&picture, &palette, how).map(Arc::new)
        })
    }

    /// The clouds of a level of Quake.
    pub(crate) fn clouds(&self, level: &str, bsp: &Bsp) -> Option<Arc<Clouds>> {
        get_or_make(&self.clouds, level, || {
            let sky = bsp.textures.iter().flatten().find(|texture| texture.is_sky())?;
            let palette: Arc<Palette> = self.files.palette(false);
            if *palette == Palette::default() { None } else { Clouds::new(sky, &palette) }
        })
    }

    /// The six pictures of a sky. In Quake II the software look prefers pictures of palette colors; in Quake it always has
    /// the level's clouds, as the software renderer of `TyrQuake`.
    pub(crate) fn sky_box(
        &self,
        sky: &Sky,
        game: Game,
        look: &LookOptions,
    ) -> Option<Arc<[Option<Arc<Texture>>; 6]>> {
        let is_clouds = game != Game::Quake2 && look.kind == LookKind::Software;
        let name = sky.name.as_deref().filter(|_| !is_clouds)?;
        let folder = if game == Game::Quake2 { "env/" } else { "gfx/env/" };
        get_or_make(&self.boxes, &format!("{folder}{name} {}", look.kind as u8), || {
            let sides = SIDES.map(|side| {
                let file = format!("{folder}{name}{side}");
                let tga = || {
                    let tga = format!("{file}.tga");
                    let is_there = self.files.exists(&tga);
                    let picture = is_there.then(|| self.files.color_picture(&tga))??;
                    Texture::of_color_picture(&picture).map(Arc::new)
                };
                let pcx = || {
                    let picture = self.files.picture(&format!("{file}.pcx"))?;
                    let colors = bright(&self.files.palette(game == Game::Quake2), 1);
                    Texture::of_picture(&picture.0, &colors, TextureAlpha::Solid { glows: false })
                        .map(Arc::new)
                };
                if look.kind == LookKind::Software { pcx().or_else(tga) } else { tga().or_else(pcx) }
            });
            sides.iter().any(Option::is_some).then_some(sides)
        })
    }
}

/// The request for a skin.
pub(crate) struct SkinWanted<'s> {
    pub(crate) model: &'s AliasModel,
    pub(crate) name: &'s str,
    pub(crate) number: u32,
    pub(crate) file: Option<&'s str>,
    pub(crate) time: f64,
    /// The colors of shirt and trousers.
    pub(crate) colors: Option<[u8; 2]>,
}

/// Gives a skin the colors of a player: rows 1 and 6 of the palette are replaced by the rows of shirt and trousers.
fn color_skin(picture: &mut Picture, colors: [u8; 2]) {
    const ROWS: [u8; 2] = [1, 6];
    for pixel in &mut picture.pixels {
        let (row, shade) = (*pixel >> 4, *pixel & 15);
        if let Some((_, color)) = ROWS.iter().zip(colors).find(|(own, _)| **own == row) {
            // The upper rows of the palette run from light to dark.
            let shade = if color < 8 { shade } else { 15 - shade };
            *pixel = (color & 15) << 4 | shade;
        }
    }
}

fn get_or_make<T>(all: &Cache<T>, name: &str, make: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
    if let Some(known) = lock(all).get(name) {
        return known.clone();
    }
    let item = make().map(Arc::new);
    lock(all).entry(name.to_owned()).or_insert(item).clone()
}

fn lock<T>(it: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_games_palette_only_a_picture_with_its_own_has_colors() {
        let (store, look) = (Store::new(Arc::default()), LookOptions::default());
        assert!(store.colors(false, &look, None).is_none());
        let mut own = Palette::default();
        own.0[1] = [7, 8, 9];
        let colors = store.colors(false, &look, Some(&own)).unwrap();
        assert_eq!(colors[1] & 0x00ff_ffff, 0x0009_0807);
    }
}
