//! Draws rows of walls in the software look: solid surfaces with a lightmap, which are most of a picture. It computes the
//! same as [`Painter`](crate::band) does for any shape, but what is the same for all of a wall only once.

use crate::band::{Scenery, is_hidden};
use crate::lightmap::LightSamples;
use crate::piece::{PIECE, SHADES, Shades, cover, depths_from, even_texels, row, steps, texels};
use crate::space::{Line, Slope, floor};
use crate::texture::Rgba;
use crate::work::{Blend, Light, Paint, Shape, Waves};

/// Draws the rows of a wall.
pub(crate) struct WallPainter<'r> {
    depth: &'r Slope,
    s: &'r Slope,
    t: &'r Slope,
    /// The width and height of the texture in texels.
    size: [f64; 2],
    light: WallLight<'r>,
    colors: &'r [u8],
    /// The width and height of the mip level, and whether both are powers of two.
    sides: [u32; 2],
    is_even: bool,
    shades: &'r Shades,
}

/// The lightmap of a wall.
struct WallLight<'r> {
    rows: &'r [f32],
    /// The texel of the first sample.
    low: [f64; 2],
    /// The place of the last sample, and of the last one that has a next one.
    last: [f64; 2],
    most: [u32; 2],
    width: usize,
    /// How far the samples to the right and below are.
    right: usize,
    down: usize,
}

/// One end of a piece.
struct WallEnd {
    s: f64,
    t: f64,
    light: f32,
}

impl<'r> WallPainter<'r> {
    /// The painter of a shape, if it is a wall.
    pub(crate) fn of(it: &Scenery<'r>, shape: &'r Shape) -> Option<Self> {
        let shades = it.shades?;
        let Paint::Texture {
            texture,
            s,
            t,
            light,
            blend: Blend::Solid,
            waves: Waves::None,
            size,
            flat: false,
        } = &shape.paint
        else {
            return None;
        };
        let Light::Map { samples: LightSamples::Rows(rows), size: [width, height], low } = light else {
            return None;
        };
        let mip = texture.mip((*size)?).filter(|mip| !mip.colors.is_empty())?;
        let (width, height) = (*width, *height);
        let light = WallLight {
            rows,
            low: *low,
            last: [width, height].map(|count| (count - 1) as f64),
            most: [width, height].map(|count| count.saturating_sub(2) as u32),
            width,
            right: usize::from(width > 1),
            down: if height > 1 { width } else { 0 },
        };
        let sides = [mip.width as u32, mip.height as u32];
        Some(Self {
            depth: &shape.depth,
            s,
            t,
            size: texture.size,
            light,
            colors: &mip.colors,
            sides,
            is_even: sides.iter().all(|side| side.is_power_of_two()),
            shades,
        })
    }

    /// Draws a row, from the middle of its first pixel on.
    pub(crate) fn row(&self, x: f64, y: f64, pixels: &mut [Rgba], depths: &mut [f32]) {
        let row = WallRow { wall: self, depth: self.depth.line(y), s: self.s.line(y), t: self.t.line(y) };
        let step = self.depth.per_x as f32;
        let mut at = x;
        let mut known: Option<WallEnd> = None;
        let (pieces, pixels) = pixels.as_chunks_mut::<PIECE>();
        let (behinds, depths) = depths.as_chunks_mut::<PIECE>();
        for (piece, behind) in pieces.iter_mut().zip(behinds) {
            let depth = row.depth.at(at) as f32;
            let next = at + PIECE as f64;
            if is_hidden(depth, step, behind) {
                known = None;
            } else {
                let start = known.take().unwrap_or_else(|| row.end(at));
                let end = row.end(next);
                self.whole(&start, &end, [depth, step], piece, behind);
                known = Some(end);
            }
            at = next;
        }
        let depth = row.depth.at(at) as f32;
        if !pixels.is_empty() && !is_hidden(depth, step, depths) {
            let start = known.take().unwrap_or_else(|| row.end(at));
            let end = row.end(at + pixels.len() as f64);
            self.part(&start, &end, [depth, step], pixels, depths);
        }
    }

    /// Draws a whole piece.
    #[inline]
    fn whole(
        &self,
        start: &WallEnd,
        end: &WallEnd,
        [depth, step]: [f32; 2],
        pixels: &mut [Rgba; PIECE],
        depths: &mut [f32; PIECE],
    ) {
        const SHARE: f64 = 1.0 / PIECE as f64;
        let u = [fraction(start.s), per_pixel((end.s - start.s) * SHARE)];
        let v = [fraction(start.t), per_pixel((end.t - start.t) * SHARE)];
        let (from, to) = (start.light * 256.0, end.light * 256.0);
        let light = [from as i32 as u32, ((to - from) * SHARE as f32) as i32 as u32];
        let (mut colors, rows) = ([0; PIECE], steps(light).map(row));
        if self.is_even {
            self.fill(&mut colors, &rows, even_texels(self.sides, u, v));
        } else {
            self.fill(&mut colors, &rows, texels(self.sides, u, v));
        }
        cover(pixels, depths, &colors, &depths_from([depth, step]));
    }

    /// The colors of texels in rows of the colormap.
    #[inline]
    fn fill(&self, colors: &mut [Rgba; PIECE], rows: &[u32; PIECE], mut next: impl FnMut() -> u32) {
        for (to, row) in colors.iter_mut().zip(rows) {
            // No texel is beyond the texture, but the compiler does not know it; to leave is the cheapest answer.
            let Some(color) = self.color(next(), *row) else { break };
            *to = color;
        }
    }

    /// Draws a piece that is not whole.
    #[inline]
    fn part(&self, start: &WallEnd, end: &WallEnd, depth: [f32; 2], pixels: &mut [Rgba], depths: &mut [f32]) {
        let count = pixels.len() as f64;
        let u = [fraction(start.s), per_pixel((end.s - start.s) / count)];
        let v = [fraction(start.t), per_pixel((end.t - start.t) / count)];
        let (from, to) = (start.light * 256.0, end.light * 256.0);
        let light = [from as i32 as u32, ((to - from) / count as f32) as i32 as u32];
        if self.is_even {
            self.some(light, depth, pixels, depths, even_texels(self.sides, u, v));
        } else {
            self.some(light, depth, pixels, depths, texels(self.sides, u, v));
        }
    }

    /// Draws the pixels of a piece that are seen.
    #[inline]
    fn some(
        &self,
        [mut light, light_step]: [u32; 2],
        [mut depth, step]: [f32; 2],
        pixels: &mut [Rgba],
        depths: &mut [f32],
        mut next: impl FnMut() -> u32,
    ) {
        for (pixel, behind) in pixels.iter_mut().zip(depths) {
            let texel = next();
            if depth > *behind
                && let Some(color) = self.color(texel, row(light))
            {
                (*pixel, *behind) = (color, depth);
            }
            depth += step;
            light = light.wrapping_add(light_step);
        }
    }

    /// The color of a texel in a row of the colormap.
    #[inline]
    fn color(&self, number: u32, row: u32) -> Option<Rgba> {
        let texel = self.colors.get(number as usize)?;
        self.shades.get((row as usize % SHADES) | usize::from(*texel)).copied()
    }
}

/// A row of a wall.
struct WallRow<'r> {
    wall: &'r WallPainter<'r>,
    depth: Line,
    s: Line,
    t: Line,
}

impl WallRow<'_> {
    /// The place on the texture and the light at a place in the row.
    #[inline]
    fn end(&self, x: f64) -> WallEnd {
        let z = 1.0 / self.depth.at(x).max(1e-12);
        let (s, t) = (self.s.at(x) * z, self.t.at(x) * z);
        let WallPainter { size: [wide, high], light, .. } = self.wall;
        let WallLight { low: [low_s, low_t], last: [last_s, last_t], most: [most_s, most_t], .. } = light;
        let (column, fx) = sample(((s * wide - low_s) / 16.0).clamp(0.0, *last_s), *most_s);
        let (line, fy) = sample(((t * high - low_t) / 16.0).clamp(0.0, *last_t), *most_t);
        let at = line * light.width + column;
        let one = |at: usize| light.rows.get(at).copied().unwrap_or_default();
        let (a, b) = (one(at), one(at + light.right));
        let (c, d) = (one(at + light.down), one(at + light.right + light.down));
        let (above, below) = (a + (b - a) * fx, c + (d - c) * fx);
        WallEnd { s, t, light: above + (below - above) * fy }
    }
}

/// The sample before a place of a lightmap, and how far the place is from it.
#[inline]
fn sample(at: f64, most: u32) -> (usize, f32) {
    let whole = (at as u32).min(most);
    (whole as usize, (at - f64::from(whole)) as f32)
}

/// The place within the texture, in 2^32nds of its size.
#[inline]
fn fraction(at: f64) -> u32 {
    ((at - floor(at)) * 4_294_967_296.0) as u32
}

/// The step to the next pixel, in 2^32nds of the texture's size.
#[inline]
fn per_pixel(step: f64) -> u32 {
    (step * 4_294_967_296.0) as i64 as u32
}
