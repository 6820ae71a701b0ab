//! Draws the shapes of a picture into a band of its rows, pixel by pixel.
//!
//! Every pixel depends on its place alone, never on its band or on the pixel before it, so that bands drawn
//! in parallel give the same bytes as one band. A row of a shape is drawn in pieces. At the ends of a piece
//! the perspective is exact; between them texture and light are linear.

use crate::lightmap::LightSamples;
use crate::piece::{HOLES, MOST_LIGHT, PART, PART_HOLES, PIECE, Piece, SOLID, Shades, cover, depths_from};
use crate::render::phase;
use crate::sky::SkyPaint;
use crate::space::{Slope, View, floor};
use crate::texture::{OPAQUE, Rgba, Texture};
use crate::wall::WallPainter;
use crate::work::{Blend, Light, Paint, Shape, Waves, Work};

/// The last row of the colormap, in 256ths.
const MOST_ROW: f32 = 16383.0;

/// The mark of a sky pixel, which already has its fog.
pub(crate) const SKY_MARK: Rgba = 0x0100_0000;

/// The data that all bands read.
pub(crate) struct Scenery<'w> {
    pub(crate) work: &'w Work,
    pub(crate) view: &'w View,
    pub(crate) sky: &'w SkyPaint,
    /// In the software look, the color for each color of the palette in each of 64 lights.
    pub(crate) shades: Option<&'w Shades>,
    pub(crate) time: f64,
    /// In the software look, how far liquids are moved at each of the 128 steps of a wave, in 65536ths of a texel.
    pub(crate) waves: [u64; 128],
    /// Whether a pixel takes one texel instead of a blend of four, in the GL look.
    pub(crate) nearest: bool,
}

/// The waves of the software look at a time.
pub(crate) fn waves(time: f64) -> [u64; 128] {
    let shift = phase(time);
    std::array::from_fn(|at| {
        let step = (at as i64 + shift) & 127;
        ((8.0 + 8.0 * libm::sin(step as f64 * (std::f64::consts::TAU / 128.0))) * 65536.0) as u64
    })
}

/// The number of texels after which a texture and the waves over it repeat together.
pub(crate) fn wave_texels(size: usize) -> u64 {
    let size = size.max(1) as u64;
    let is_even = 128 % size == 0 || size.is_multiple_of(128);
    if is_even { size.max(128) } else { size * 128 }
}

/// The numbers of the shapes in each band of `rows` rows, in the order of drawing.
pub(crate) fn sorted(work: &Work, bands: usize, rows: usize) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); bands];
    for (shape, number) in work.shapes.iter().zip(0u32..) {
        let [start, end] = shape.rows.map(|row| row.max(0.0) as usize);
        let range = start / rows.max(1)..end.div_ceil(rows.max(1)).min(bands);
        for band in lists.get_mut(range).unwrap_or_default() {
            band.push(number);
        }
    }
    lists
}

/// Some rows of the picture.
pub(crate) struct Band<'p> {
    pub(crate) width: usize,
    pub(crate) top: usize,
    pub(crate) pixels: &'p mut [Rgba],
    /// One divided by the depth; 0 where nothing is drawn.
    pub(crate) depths: &'p mut [f32],
}

impl Band<'_> {
    /// Draws the shapes of these numbers.
    pub(crate) fn draw(&mut self, it: &Scenery<'_>, shapes: &[u32]) {
        let rows = self.pixels.len() / self.width.max(1);
        let (top, bottom) = (self.top as f64, (self.top + rows) as f64);
        let mut ends = vec![[f64::INFINITY, f64::NEG_INFINITY]; rows];
        for shape in shapes.iter().filter_map(|number| it.work.shapes.get(*number as usize)) {
            let [start, end] = shape.rows;
            let (start, end) = (start.max(top), end.min(bottom));
            if start >= end {
                continue;
            }
            let Some(points) = it.work.points.get(shape.first..shape.first + shape.count) else { continue };
            let range = (start - top) as usize..(end - top) as usize;
            let Some(ends) = ends.get_mut(range.clone()) else { continue };
            ends.fill([f64::INFINITY, f64::NEG_INFINITY]);
            trace(points, start, ends);
            let skip = range.start * self.width;
            let pixels = self.pixels.get_mut(skip..).unwrap_or_default().chunks_exact_mut(self.width);
            let depths = self.depths.get_mut(skip..).unwrap_or_default().chunks_exact_mut(self.width);
            let wall = WallPainter::of(it, shape);
            let mut painter = Painter::of(it, shape);
            let mut y = start + 0.5;
            for (([left, right], pixels), depths) in ends.iter().zip(pixels).zip(depths) {
                let (from, to) = (first_from(*left), first_from(*right));
                if let (Some(pixels), Some(depths)) = (pixels.get_mut(from..to), depths.get_mut(from..to)) {
                    let x = from as f64 + 0.5;
                    if let Some(wall) = &wall {
                        wall.row(x, y, pixels, depths);
                    } else if let Some(painter) = &mut painter {
                        painter.y = y;
                        painter.row(x, pixels, depths);
                    } else {
                        row(it, shape, x, y, pixels, depths);
                    }
                }
                y += 1.0;
            }
        }
    }
}

/// The first pixel whose middle is at or beyond a place: a ceiling without a call to the system's.
#[inline]
fn first_from(place: f64) -> usize {
    // Of 32 bits, which takes a third of the instructions for 64.
    let whole = (place - 0.5) as u32;
    (whole as usize).saturating_add(usize::from(place - 0.5 > f64::from(whole)))
}

/// Finds where a polygon begins and ends in each row, from row `start` on.
fn trace(points: &[[f64; 2]], start: f64, ends: &mut [[f64; 2]]) {
    let Some(mut before) = points.last().copied() else { return };
    for point in points {
        let ([[x0, y0], [x1, y1]], now) =
            (if before[1] < point[1] { [before, *point] } else { [*point, before] }, *point);
        let [first, last] = [y0, y1].map(|y| first_from(y) as f64);
        let (first, last) = (first.max(start), last.min(start + ends.len() as f64));
        if first < last {
            let lean = (x1 - x0) / (y1 - y0);
            let range = (first - start) as usize..(last - start) as usize;
            let mut y = first + 0.5;
            for [left, right] in ends.get_mut(range).unwrap_or_default() {
                let x = x0 + (y - y0) * lean;
                *left = left.min(x);
                *right = right.max(x);
                y += 1.0;
            }
        }
        before = now;
    }
}

/// Draws one row of a shape without a texture, starting at the middle of its first pixel.
fn row(it: &Scenery<'_>, shape: &Shape, x: f64, y: f64, pixels: &mut [Rgba], depths: &mut [f32]) {
    match &shape.paint {
        Paint::Texture { .. } => {}
        Paint::Flat { color, blend } => {
            let step = shape.depth.per_x as f32;
            let mut depth = shape.depth.value_at(x, y) as f32;
            for (pixel, behind) in pixels.iter_mut().zip(depths) {
                if depth > *behind {
                    match blend {
                        Blend::Part(part) => *pixel = mix(*pixel, *color, *part) | OPAQUE,
                        Blend::Solid | Blend::Holes => (*pixel, *behind) = (*color | OPAQUE, depth),
                    }
                }
                depth += step;
            }
        }
        Paint::Sky => {
            let mut at = x;
            for (pixels, depths) in pixels.chunks_mut(PIECE).zip(depths.chunks_mut(PIECE)) {
                let step = shape.depth.per_x as f32;
                let depth = shape.depth.value_at(at, y) as f32;
                if !is_hidden(depth, step, depths) {
                    let colors = it.sky.colors(it.view, at, y, pixels.len()).map(|color| color | SKY_MARK);
                    let closer = depths_from([depth, step]);
                    if let (Some(pixels), Some(depths)) = (pixels.as_mut_array(), depths.as_mut_array()) {
                        cover(pixels, depths, &colors, &closer);
                    } else {
                        let all = pixels.iter_mut().zip(depths).zip(colors).zip(closer);
                        for (((pixel, behind), color), closer) in all.filter(|it| it.1 > *it.0.0.1) {
                            (*pixel, *behind) = (color, closer);
                        }
                    }
                }
                at += PIECE as f64;
            }
        }
    }
}

/// Whether a piece lies behind everything drawn so far, as most later pieces do. The loop has no branches, so
/// the compiler can use vector instructions.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a branch for each pixel costs more than its comparison")]
pub(crate) fn is_hidden(depth: f32, step: f32, depths: &[f32]) -> bool {
    let nearest = depth.max(depth + step * (depths.len() as f32));
    depths.iter().fold(true, |all, behind| all & (*behind >= nearest))
}

/// Mixes one color over another, with `part` 256ths of the front one.
#[inline]
pub(crate) fn mix(behind: Rgba, front: Rgba, part: u32) -> Rgba {
    const ODD: u32 = 0x00FF_00FF;
    let (low, high) = (behind & ODD, behind >> 8 & ODD);
    let (low2, high2) = (front & ODD, front >> 8 & ODD);
    let rest = 256 - part.min(256);
    let part = 256 - rest;
    let low = (low * rest + low2 * part) >> 8 & ODD;
    let high = (high * rest + high2 * part) & !ODD;
    low | high
}

/// Draws the rows of a shape with a texture.
struct Painter<'r> {
    scenery: &'r Scenery<'r>,
    shape: &'r Shape,
    texture: &'r Texture,
    s: &'r Slope,
    t: &'r Slope,
    light: &'r Light,
    blend: Blend,
    waves: Waves,
    size: Option<usize>,
    flat: bool,
    y: f64,
}

impl<'r> Painter<'r> {
    /// The painter of a shape, if it has a texture.
    fn of(it: &'r Scenery<'r>, shape: &'r Shape) -> Option<Self> {
        let Paint::Texture { texture, s, t, light, blend, waves, size, flat } = &shape.paint else {
            return None;
        };
        let (blend, waves, size, flat) = (*blend, *waves, *size, *flat);
        Some(Self { scenery: it, shape, texture, s, t, light, blend, waves, size, flat, y: 0.0 })
    }

    fn row(&self, x: f64, pixels: &mut [Rgba], depths: &mut [f32]) {
        // A wave is as long as 50 texels and bends within a piece, so pieces are shorter.
        let piece = if matches!(self.waves, Waves::Sine | Waves::SlowSine) { PIECE / 4 } else { PIECE };
        let mut at = x;
        let step = self.shape.depth.per_x as f32;
        let mut last_end: Option<End> = None;
        for (pixels, depths) in pixels.chunks_mut(piece).zip(depths.chunks_mut(piece)) {
            let length = pixels.len() as f64;
            let depth = self.shape.depth.value_at(at, self.y) as f32;
            if is_hidden(depth, step, depths) {
                last_end = None;
            } else {
                let start = last_end.take().unwrap_or_else(|| self.ends(at));
                let end = self.ends(at + length);
                self.piece(&start, &end, [depth, step], pixels, depths);
                last_end = Some(end);
            }
            at += length;
        }
    }

    /// The place on the texture, the depth and the light at a place in the row.
    #[inline]
    fn ends(&self, x: f64) -> End {
        let z = if self.flat { 1.0 } else { 1.0 / self.shape.depth.value_at(x, self.y).max(1e-12) };
        let (s, t) = (self.s.value_at(x, self.y) * z, self.t.value_at(x, self.y) * z);
        let light = match self.light {
            Light::Even(light) => *light,
            Light::Map { samples: LightSamples::Rows(rows), size, low } => {
                let [light] =
                    self.sample(*size, *low, s, t, |at| [rows.get(at).copied().unwrap_or_default()]);
                [light; 3]
            }
            Light::Map { samples: LightSamples::Colors(colors), size, low } => {
                self.sample(*size, *low, s, t, |at| colors.get(at).copied().unwrap_or_default())
            }
            // An end may be outside of the shape, where the light could exceed the valid range.
            Light::Corners([red, green, blue]) => {
                let most = if self.scenery.shades.is_some() { MOST_ROW } else { MOST_LIGHT };
                let light = |it: &Slope| ((it.value_at(x, self.y) * z) as f32).clamp(0.0, most);
                [light(red), light(green), light(blue)]
            }
        };
        let (s, t) = self.waved(s, t);
        End { s, t, z, light, x }
    }

    /// The place on the texture of a liquid, moved by its wave.
    fn waved(&self, s: f64, t: f64) -> (f64, f64) {
        let [size, length] = match self.waves {
            Waves::Sine => [4.0 / 64.0, 64.0 * 0.125],
            Waves::SlowSine => [8.0 / 64.0, std::f64::consts::PI],
            Waves::None | Waves::Steps => return (s, t),
        };
        let wave = |along: f64| libm::sin(length * along + self.scenery.time) * size;
        (s + wave(t), t + wave(s))
    }

    /// The lightmap at a place on the texture, interpolated between its samples. `one` returns the channels of a sample.
    #[inline]
    fn sample<const N: usize>(
        &self,
        size: [usize; 2],
        low: [f64; 2],
        s: f64,
        t: f64,
        one: impl Fn(usize) -> [f32; N],
    ) -> [f32; N] {
        let [width, height] = size;
        let [wide, high] = self.texture.size;
        let place = |at: f64, low: f64, count: usize| {
            let at = ((at - low) / 16.0).clamp(0.0, (count - 1) as f64);
            let whole = (at as u32).min(count.saturating_sub(2) as u32);
            (whole as usize, (at - f64::from(whole)) as f32)
        };
        let (x, fx) = place(s * wide, low[0], width);
        let (y, fy) = place(t * high, low[1], height);
        let at = y * width + x;
        let [right, down] = [usize::from(width > 1), if height > 1 { width } else { 0 }];
        let (a, b, c, d) = (one(at), one(at + right), one(at + down), one(at + right + down));
        let mut light = [0.0; N];
        for ((((to, a), b), c), d) in light.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let (above, below) = (a + (b - a) * fx, c + (d - c) * fx);
            *to = above + (below - above) * fy;
        }
        light
    }

    fn piece(&self, start: &End, end: &End, depth: [f32; 2], pixels: &mut [Rgba], depths: &mut [f32]) {
        let level = self.size.unwrap_or_else(|| self.level(start));
        let Some(mip) = self.texture.mip(level) else { return };
        let count = end.x - start.x;
        let software = self.scenery.shades.filter(|_| !mip.colors.is_empty());
        // Without a filter a pixel takes the texel under it; with one, it blends the texels around it.
        let blunt = software.is_some() || self.scenery.nearest;
        let back = |size: usize| if blunt { 0.0 } else { 0.5 / size as f64 };
        // For a whole piece the quotient is this product, to the last bit.
        let is_whole = pixels.len() == PIECE;
        let share = |of: f64| if is_whole { of * (1.0 / PIECE as f64) } else { of / count };
        let share_of_light = |of: f32| if is_whole { of * (1.0 / PIECE as f32) } else { of / count as f32 };
        let run = |from: f64, to: f64, size: usize| {
            let step = (share(to - from) * 4_294_967_296.0) as i64 as u32;
            let from = from - back(size);
            let part = (from - floor(from)) * 4_294_967_296.0;
            [part as u32, step]
        };
        let channel = |from: f32, to: f32| {
            let (from, to) = (from * 256.0, to * 256.0);
            [from as i32, share_of_light(to - from) as i32]
        };
        let ([red, green, blue], [red2, green2, blue2]) = (start.light, end.light);
        let lights = if software.is_some() {
            // The light is a row of the colormap, for all channels.
            [channel(red, red2), [0; 2], [0; 2], [0; 2]]
        } else {
            [channel(red, red2), channel(green, green2), channel(blue, blue2), [0; 2]]
        };
        let light =
            [0, 1].map(|at: usize| lights.map(|channel| if at == 0 { channel[0] } else { channel[1] }));
        let between = if self.scenery.nearest { 0 } else { 0xFF };
        // The waves of the software look go on over several widths of the texture.
        let is_wavy = software.is_some() && self.waves == Waves::Steps;
        let span = |from: f64, to: f64, size: usize| {
            let by = if is_wavy { size as f64 / wave_texels(size) as f64 } else { 1.0 };
            run(from * by, to * by, size)
        };
        let piece = Piece {
            depth,
            u: span(start.s, end.s, mip.width),
            v: span(start.t, end.t, mip.height),
            light,
            between,
        };
        match (software, self.blend) {
            (Some(shades), blend) if is_wavy => {
                let part = if let Blend::Part(part) = blend { part } else { 256 };
                piece.steps(mip, shades, &self.scenery.waves, part, pixels, depths);
            }
            (Some(shades), Blend::Solid) => piece.shaded::<SOLID>(mip, shades, 0, pixels, depths),
            (Some(shades), Blend::Holes) => piece.shaded::<HOLES>(mip, shades, 0, pixels, depths),
            (Some(shades), Blend::Part(part)) => piece.shaded::<PART>(mip, shades, part, pixels, depths),
            (None, Blend::Solid) if self.texture.glows => {
                piece.filtered::<SOLID, true>(mip, 0, pixels, depths);
            }
            (None, Blend::Solid) => piece.filtered::<SOLID, false>(mip, 0, pixels, depths),
            (None, Blend::Holes) => piece.filtered::<HOLES, false>(mip, 0, pixels, depths),
            (None, Blend::Part(part)) if self.texture.has_holes => {
                piece.filtered::<PART_HOLES, false>(mip, part, pixels, depths);
            }
            (None, Blend::Part(part)) => piece.filtered::<PART, false>(mip, part, pixels, depths),
        }
    }

    /// The mip level whose texels are about as large as pixels.
    fn level(&self, end: &End) -> usize {
        let [width, height] = self.texture.size;
        let depth = &self.shape.depth;
        let (mut most, z) = (0.0f64, end.z);
        for [ds, dt, dz] in
            [[self.s.per_x, self.t.per_x, depth.per_x], [self.s.per_y, self.t.per_y, depth.per_y]]
        {
            let (along, down) = ((ds - end.s * dz) * z * width, (dt - end.t * dz) * z * height);
            most = most.max(along * along + down * down);
        }
        // The largest mip level whose texels are not smaller than 1/sqrt(2) of a pixel.
        let mut level = 0;
        while most > 2.0 && level < 16 {
            most /= 4.0;
            level += 1;
        }
        level
    }
}

/// The values at one end of a piece.
struct End {
    s: f64,
    t: f64,
    z: f64,
    light: [f32; 3],
    x: f64,
}
