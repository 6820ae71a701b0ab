//! Draws the overlay: pictures, characters and rectangles, in whole pixels of the game's own screen.

use crate::band::mix;
use crate::look::RenderedFrame;
use crate::store::Store;
use crate::texture::{OPAQUE, Rgba, bright};
use moviola_assets::Picture;
use moviola_format::Game;
use moviola_scene::{Draw, PictureFile, Rect, Scene};
use std::sync::Arc;

/// The side of a character, and the number of characters in a row of the font.
const CELL: i32 = 8;
const COLUMNS: i32 = 16;

struct Screen<'f> {
    frame: &'f mut RenderedFrame,
    size: [i32; 2],
    colors: [Rgba; 256],
}

/// Draws all of a scene's overlay.
pub(crate) fn draw(store: &Store, scene: &Scene, frame: &mut RenderedFrame) {
    let is_quake2 = scene.game == Game::Quake2;
    let [width, height] = scene.overlay.screen;
    if width <= 0 || height <= 0 {
        return;
    }
    let colors = bright(&store.files.palette(is_quake2), 1);
    let mut screen = Screen { frame, size: [width, height], colors };
    let find = |name: &PictureFile| -> Option<Arc<Picture>> {
        match name {
            PictureFile::Lump(lump) => store.files.lump(lump),
            PictureFile::File(file) => store.files.picture(file).map(|it| Arc::new(it.0.clone())),
        }
    };
    // The two games' fonts have different transparent colors.
    let font = if is_quake2 {
        find(&PictureFile::File("pics/conchars.pcx".into()))
    } else {
        find(&PictureFile::Lump("conchars".into()))
    };
    let hole = if is_quake2 { 255 } else { 0 };
    for draw in &scene.overlay.draws {
        match draw {
            Draw::Picture { picture, at: [x, y], alpha } => {
                if let Some(picture) = find(picture) {
                    let size = [picture.width as i32, picture.height as i32];
                    let source = Source { picture: &picture, from: [0, 0], hole: 255 };
                    screen.paint(Rect { at: [*x, *y], size }, &source, to_256ths(*alpha));
                }
            }
            Draw::Tile { picture, area } => {
                if let Some(picture) = find(picture) {
                    screen.paint(*area, &Source { picture: &picture, from: [0, 0], hole: 256 }, 256);
                }
            }
            Draw::Character { code, at } => {
                if let Some(font) = &font {
                    let code = i32::from(*code);
                    let from = [code % COLUMNS * CELL, code / COLUMNS * CELL];
                    let area = Rect { at: *at, size: [CELL, CELL] };
                    screen.paint(area, &Source { picture: font, from, hole }, 256);
                }
            }
            Draw::Fill { area, color, alpha } => {
                let picture = Picture { width: 1, height: 1, pixels: vec![*color] };
                screen.paint(
                    *area,
                    &Source { picture: &picture, from: [0, 0], hole: 256 },
                    to_256ths(*alpha),
                );
            }
        }
    }
}

fn to_256ths(alpha: f32) -> u32 {
    (alpha.clamp(0.0, 1.0) * 256.0) as u32
}

/// Pixels to draw: a picture that repeats, from a place in it on, with a transparent color.
struct Source<'p> {
    picture: &'p Picture,
    from: [i32; 2],
    hole: u32,
}

impl Screen<'_> {
    fn paint(&mut self, area: Rect, source: &Source<'_>, part: u32) {
        let [width, height] = self.frame.size.map(i64::from);
        let [across, down] = self.size.map(i64::from);
        let [x, y] = area.at.map(i64::from);
        let [w, h] = area.size.map(i64::from);
        let range = |at: i64, size: i64, full: i64, screen: i64| {
            let edge = |at: i64| (at * full).div_euclid(screen).clamp(0, full);
            (edge(at), edge(at.saturating_add(size)))
        };
        let ((left, right), (top, bottom)) = (range(x, w, width, across), range(y, h, height, down));
        let [from_x, from_y] = source.from.map(i64::from);
        let [wide, high] = [source.picture.width, source.picture.height].map(i64::from);
        if wide == 0 || high == 0 {
            return;
        }
        // For each column of the screen the column of the picture, computed once because a division for each pixel is
        // slow.
        let column = |column: i64| ((column * across).div_euclid(width) - x).max(0) + from_x;
        let columns: Vec<usize> = (left..right).map(|it| (column(it) % wide) as usize).collect();
        for row in top..bottom {
            let v = ((row * down).div_euclid(height) - y).max(0) + from_y;
            let first = (v % high * wide) as usize;
            let texels = source.picture.pixels.get(first..).unwrap_or_default();
            let at = (row * width + left) as usize * 4;
            let pixels = self.frame.rgba.get_mut(at..).unwrap_or_default().as_chunks_mut::<4>().0;
            for (pixel, column) in pixels.iter_mut().zip(&columns) {
                let Some(color) = texels.get(*column).filter(|color| u32::from(**color) != source.hole)
                else {
                    continue;
                };
                let color = self.colors.get(usize::from(*color)).copied().unwrap_or_default();
                let color = if part == 256 { color } else { mix(u32::from_le_bytes(*pixel), color, part) };
                *pixel = (color | OPAQUE).to_le_bytes();
            }
        }
    }
}
