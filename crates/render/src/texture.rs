//! Textures for drawing: palette colors for the software look, true colors with mip levels for the GL look.

use crate::piece::spread;
use moviola_assets::{ColorPicture, MipTexture, Palette, Picture};
use std::sync::Arc;

/// A color: red in the lowest byte, then green, blue, and opacity or glow.
pub(crate) type Rgba = u32;

pub(crate) const OPAQUE: Rgba = 0xFF00_0000;

/// The meaning of a texture's highest byte and of its last palette color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureAlpha {
    /// The texture covers everything behind it; in Quake its last 32 colors may glow.
    Solid { glows: bool },
    /// The last color is a hole.
    Holes,
}

/// A mip level of a texture.
#[derive(Debug, Default)]
pub(crate) struct Mip {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Palette colors; empty if the texture has true colors only.
    pub(crate) colors: Vec<u8>,
    /// True colors with 16 bits for each channel. There is one row and column more than in the texture, which repeat
    /// the first ones.
    pub(crate) spread: Vec<u64>,
}

/// A texture.
#[derive(Debug)]
pub(crate) struct Texture {
    /// Its width and height in texels. All mip levels use these coordinates.
    pub(crate) size: [f64; 2],
    pub(crate) mips: Vec<Mip>,
    /// Whether some of its texels glow in the dark.
    pub(crate) glows: bool,
    pub(crate) has_holes: bool,
    /// The mean of its colors.
    pub(crate) mean: Rgba,
}

/// The most mip levels.
const SIZES: usize = 12;

/// The first of Quake's colors that glow, and the color that is a hole.
const GLOW: u8 = 224;
const HOLE: u8 = 255;

/// The palette's colors, brightened by a factor: Quake II's GL look doubles them.
pub(crate) fn bright(palette: &Palette, factor: u32) -> [Rgba; 256] {
    let mut colors = [0; 256];
    for (color, [red, green, blue]) in colors.iter_mut().zip(palette.0.iter()) {
        let part = |part: u8| (u32::from(part) * factor).min(255);
        *color = part(*red) | part(*green) << 8 | part(*blue) << 16;
    }
    colors
}

impl Texture {
    /// Makes a texture of its mip levels in palette colors.
    pub(crate) fn of_mips(texture: &MipTexture, colors: &[Rgba; 256], how: TextureAlpha) -> Option<Self> {
        let [first, rest @ ..] = &texture.mips;
        let mut it = Self::of_picture(first, colors, how)?;
        for (mip, picture) in it.mips.iter_mut().skip(1).zip(rest) {
            if mip.width * mip.height == picture.pixels.len() {
                mip.colors.clone_from(&picture.pixels);
            }
        }
        Some(it)
    }

    /// Makes a texture of a picture in palette colors.
    pub(crate) fn of_picture(picture: &Picture, colors: &[Rgba; 256], how: TextureAlpha) -> Option<Self> {
        let (width, height) = (picture.width as usize, picture.height as usize);
        let color = |index: u8| {
            let rgb = colors.get(usize::from(index)).copied().unwrap_or_default();
            match how {
                TextureAlpha::Solid { glows } => rgb | if glows && index >= GLOW { OPAQUE } else { 0 },
                TextureAlpha::Holes if index == HOLE => 0,
                TextureAlpha::Holes => rgb | OPAQUE,
            }
        };
        let rgba: Vec<Rgba> = picture.pixels.iter().map(|index| color(*index)).collect();
        let mut it = Self::of_colors(width, height, rgba)?;
        it.has_holes = how == TextureAlpha::Holes;
        it.glows =
            how == TextureAlpha::Solid { glows: true } && picture.pixels.iter().any(|index| *index >= GLOW);
        let mut indexed = picture.pixels.clone();
        let (mut from, mut size) = (width, [width, height]);
        for mip in &mut it.mips {
            // If the file has no smaller sizes, a level takes every second texel.
            if [mip.width, mip.height] != size {
                indexed = (0..mip.height * mip.width)
                    .map(|at| {
                        let (x, y) =
                            (at % mip.width * size[0] / mip.width, at / mip.width * size[1] / mip.height);
                        indexed.get(y * from + x).copied().unwrap_or_default()
                    })
                    .collect();
                (from, size) = (mip.width, [mip.width, mip.height]);
            }
            mip.colors.clone_from(&indexed);
        }
        Some(it)
    }

    /// Makes a texture of a picture in true colors.
    pub(crate) fn of_color_picture(picture: &ColorPicture) -> Option<Self> {
        let rgba = picture.pixels.iter().map(|[r, g, b, _]| u32::from_le_bytes([*r, *g, *b, 0])).collect();
        Self::of_colors(picture.width as usize, picture.height as usize, rgba)
    }

    fn of_colors(width: usize, height: usize, rgba: Vec<Rgba>) -> Option<Self> {
        if width == 0 || height == 0 || rgba.len() != width * height {
            return None;
        }
        let mut mips = Vec::new();
        let (mut size, mut plain) = ((width, height), rgba);
        loop {
            let (width, height) = size;
            mips.push(Mip { width, height, colors: Vec::new(), spread: bordered(&plain, width, height) });
            if size == (1, 1) || mips.len() == SIZES {
                break;
            }
            (plain, size) = halved(&plain, size);
        }
        let mean = plain.first().copied().unwrap_or_default();
        let size = [width as f64, height as f64];
        Some(Self { size, mips, glows: false, has_holes: false, mean })
    }

    /// A texture of one color.
    pub(crate) fn plain(color: Rgba) -> Arc<Self> {
        let mip = Mip { width: 1, height: 1, colors: Vec::new(), spread: vec![spread(color); 4] };
        let size = [64.0, 64.0];
        Arc::new(Self { size, mips: vec![mip], glows: false, has_holes: false, mean: color })
    }

    /// A mip level of the texture; the smallest one if the texture has fewer.
    pub(crate) fn mip(&self, level: usize) -> Option<&Mip> {
        self.mips.get(level).or(self.mips.last())
    }
}

/// Repeats the first column and row after the last.
fn bordered(plain: &[Rgba], width: usize, height: usize) -> Vec<u64> {
    let mut out = Vec::with_capacity((width + 1) * (height + 1));
    for row in plain.chunks_exact(width).chain(plain.chunks_exact(width).take(1)).take(height + 1) {
        out.extend(row.iter().chain(row.first()).map(|color| spread(*color)));
    }
    out
}

/// Averages four texels each. Transparent ones do not count.
fn halved(plain: &[Rgba], (width, height): (usize, usize)) -> (Vec<Rgba>, (usize, usize)) {
    let size = ((width / 2).max(1), (height / 2).max(1));
    let texel = |x: usize, y: usize| {
        plain.get(y.min(height - 1) * width + x.min(width - 1)).copied().unwrap_or_default().to_le_bytes()
    };
    let mut out = Vec::with_capacity(size.0 * size.1);
    for y in 0..size.1 {
        for x in 0..size.0 {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| texel(2 * x + dx, 2 * y + dy));
            let mut sum = [2u32; 4];
            for texel in four {
                for (sum, part) in sum.iter_mut().zip(texel) {
                    *sum += u32::from(part);
                }
            }
            out.push(u32::from_le_bytes(sum.map(|part| (part / 4) as u8)));
        }
    }
    (out, size)
}
