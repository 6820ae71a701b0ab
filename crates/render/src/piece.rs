//! Pieces of rows of textured shapes: depth, texture and light are linear between the ends of a piece. Each step is
//! done for all pixels of a piece before the next step, so that the compiler can use vector instructions.

use crate::band::{mix, wave_texels};
use crate::texture::{Mip, OPAQUE, Rgba};

/// The number of pixels between two divisions. Longer pieces show: walls bend.
pub(crate) const PIECE: usize = 16;

/// A piece of a row, linear between its ends.
pub(crate) struct Piece {
    /// One divided by the depth, and its step to the next pixel.
    pub(crate) depth: [f32; 2],
    /// The place on the texture in 2^32nds of its size, and its step to the next pixel.
    pub(crate) u: [u32; 2],
    pub(crate) v: [u32; 2],
    /// The light in 256ths of a 256th, and its step to the next pixel; at most [`MOST_LIGHT`].
    pub(crate) light: [Lanes<i32>; 2],
    /// The mask for the position between texels: 0 if only one texel is taken.
    pub(crate) between: u32,
}

/// The ways in which pixels cover those behind them, as in [`Blend`](crate::work::Blend); and one that mixes a texture
/// with holes.
pub(crate) const SOLID: u8 = 0;
pub(crate) const HOLES: u8 = 1;
pub(crate) const PART: u8 = 2;
pub(crate) const PART_HOLES: u8 = 3;

/// Texels less opaque than this are holes: QuakeSpasm's 0.666.
const HOLE_BELOW: u16 = 170;

/// In the software look, the color for each color of the palette in each of 64 lights.
pub(crate) type Shades = [Rgba; SHADES];
pub(crate) const SHADES: usize = 64 * 256;

/// The channels of a color: red, green, blue, and opacity or glow.
pub(crate) type Lanes<T> = [T; 4];

/// The lower 8 of 16 bits for each channel.
const EACH: u64 = 0x00FF_00FF_00FF_00FF;

/// The channels of a color with 16 bits for each, so that all are computed at once.
pub(crate) fn spread(color: Rgba) -> u64 {
    color.to_le_bytes().into_iter().rev().fold(0, |all, part| all << 16 | u64::from(part))
}

/// The color of channels.
pub(crate) fn joined(channels: u64) -> Rgba {
    Rgba::from_le_bytes([channels, channels >> 16, channels >> 32, channels >> 48].map(|part| part as u8))
}

/// A mix of two channels: `part` 256ths of the second one.
#[inline]
pub(crate) fn between(a: u16, b: u16, part: u16) -> u16 {
    (a << 8).wrapping_add(b.wrapping_sub(a).wrapping_mul(part)) >> 8
}

/// A mix of the channels of four texels, by the 256ths of the way to the right and down.
#[inline]
pub(crate) fn blend([a, b, c, d]: [u64; 4], fx: u64, fy: u64) -> u64 {
    // Computes `a * (256 - part) + b * part` for all four channels with one multiplication: the differences of single
    // channels may be negative, but the sum is right.
    let between =
        |a: u64, b: u64, part: u64| (a << 8).wrapping_add(b.wrapping_sub(a).wrapping_mul(part)) >> 8 & EACH;
    between(between(a, b, fx), between(c, d, fx), fy)
}

/// The brightest light, in 256ths: four bits more must fit into 16.
pub(crate) const MOST_LIGHT: f32 = 4095.0;

/// Multiplies texels by light in 4096ths.
#[inline]
fn apply_light(texels: &[Lanes<u16>; PIECE], lights: &[Lanes<u16>; PIECE]) -> [Lanes<u8>; PIECE] {
    let mut colors = [[0; 4]; PIECE];
    let all = texels.as_flattened().iter().zip(lights.as_flattened());
    for (to, (texel, light)) in colors.as_flattened_mut().iter_mut().zip(all) {
        // The upper half of a product of 16 bits, for which processors have an instruction.
        let color = ((u32::from(texel << 4) * u32::from(*light)) >> 16) as u16;
        *to = color.min(255) as u8;
    }
    colors
}

/// A number at each pixel, from the first one and the step to the next.
#[inline]
pub(crate) fn steps([first, step]: [u32; 2]) -> [u32; PIECE] {
    let mut four = [0, 1, 2, 3].map(|at| first.wrapping_add(step.wrapping_mul(at)));
    let mut all = [0; PIECE];
    for to in all.as_chunks_mut().0 {
        *to = four;
        four = four.map(|it| it.wrapping_add(step.wrapping_mul(4)));
    }
    all
}

/// One divided by the depth, at each pixel. Each is the one before with the step added, since products are rounded otherwise.
#[inline]
pub(crate) fn depths_from([mut depth, step]: [f32; 2]) -> [f32; PIECE] {
    let mut all = [0.0; PIECE];
    for to in &mut all {
        *to = depth;
        depth += step;
    }
    all
}

/// The numbers of the texels from pixel to pixel, for places in 2^32nds of the texture's size.
#[inline]
pub(crate) fn texels(
    [width, height]: [u32; 2],
    [mut u, u_step]: [u32; 2],
    [mut v, v_step]: [u32; 2],
) -> impl FnMut() -> u32 {
    move || {
        let number = texel(v, height) * width + texel(u, width);
        u = u.wrapping_add(u_step);
        v = v.wrapping_add(v_step);
        number
    }
}

/// The same for a texture whose sides are powers of two, without a multiplication for each pixel: places are in 2^32nds of
/// a texel, and of a row of texels in 2^32nds of a texel. What they are beyond the texture is cut off.
#[inline]
pub(crate) fn even_texels([width, height]: [u32; 2], u: [u32; 2], v: [u32; 2]) -> impl FnMut() -> u32 {
    let times = |places: [u32; 2], by: u64| places.map(|place| u64::from(place) * by);
    let [mut u, u_step] = times(u, width.into());
    let [mut v, v_step] = times(v, u64::from(width) * u64::from(height));
    let (columns, rows) = (width - 1, (height - 1) * width);
    move || {
        let number = (v >> 32) as u32 & rows | (u >> 32) as u32 & columns;
        u = u.wrapping_add(u_step);
        v = v.wrapping_add(v_step);
        number
    }
}

/// The texel at a place in 2^32nds of the texture's size.
#[inline]
fn texel(at: u32, size: u32) -> u32 {
    ((u64::from(at) * u64::from(size)) >> 32) as u32
}

/// The start of the colormap's row for a light.
#[inline]
pub(crate) fn row(light: u32) -> u32 {
    light >> 8 & 63 << 8
}

/// Covers pixels that are farther away. There is no branch for each pixel, since most pieces have no hidden ones.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a branch for each pixel costs more than its comparison")]
pub(crate) fn cover(
    pixels: &mut [Rgba; PIECE],
    depths: &mut [f32; PIECE],
    colors: &[Rgba; PIECE],
    closer: &[f32; PIECE],
) {
    if closer.iter().zip(depths.iter()).fold(true, |all, (closer, behind)| all & (closer > behind)) {
        (*pixels, *depths) = (*colors, *closer);
        return;
    }
    for (((pixel, behind), color), closer) in pixels.iter_mut().zip(depths).zip(colors).zip(closer) {
        let is_seen = *closer > *behind;
        *pixel = if is_seen { *color } else { *pixel };
        *behind = if is_seen { *closer } else { *behind };
    }
}

impl Piece {
    /// Draws the GL look: blends four texels, and multiplies by the light.
    #[inline]
    pub(crate) fn filtered<const HOW: u8, const GLOWS: bool>(
        &self,
        mip: &Mip,
        part: u32,
        pixels: &mut [Rgba],
        depths: &mut [f32],
    ) {
        let texels = self.blended(mip, pixels.len());
        let colors = apply_light(&texels, &self.lights::<GLOWS>(&texels))
            .map(|color| Rgba::from_le_bytes(color) | OPAQUE);
        let closer = depths_from(self.depth);
        let (whole, whole_depths) = (pixels.as_mut_array::<PIECE>(), depths.as_mut_array::<PIECE>());
        if let (SOLID, Some(pixels), Some(depths)) = (HOW, whole, whole_depths) {
            return cover(pixels, depths, &colors, &closer);
        }
        let all = pixels.iter_mut().zip(depths).zip(closer).zip(&texels).zip(colors);
        for ((((pixel, behind), closer), [.., high]), color) in all {
            let is_solid = HOW == SOLID || HOW == PART || *high >= HOLE_BELOW;
            if closer > *behind && is_solid {
                match HOW {
                    SOLID | HOLES => (*pixel, *behind) = (color, closer),
                    _ => *pixel = mix(*pixel, color, part) | OPAQUE,
                }
            }
        }
    }

    /// The texture at each of these pixels, blended between texels.
    #[inline]
    fn blended(&self, mip: &Mip, count: usize) -> [Lanes<u16>; PIECE] {
        let ([mut u, u_step], [mut v, v_step]) = (self.u, self.v);
        let (width, height) = (mip.width as u32, mip.height as u32);
        let (stride, filter) = (width + 1, u64::from(self.between));
        let spread = mip.spread.as_slice();
        let mut texels = [[0; 4]; PIECE];
        for texel in texels.iter_mut().take(count) {
            let x = (u64::from(u) * u64::from(width)) >> 24;
            let y = (u64::from(v) * u64::from(height)) >> 24;
            let at = ((y >> 8) as u32).wrapping_mul(stride).wrapping_add((x >> 8) as u32);
            let at = at as usize;
            // A texel and its neighbors to the right and below.
            if let Some([a, b, .., c, d]) = spread.get(at..at + stride as usize + 2) {
                let all = blend([*a, *b, *c, *d], x & filter, y & filter);
                *texel = [all as u16, (all >> 16) as u16, (all >> 32) as u16, (all >> 48) as u16];
            }
            u = u.wrapping_add(u_step);
            v = v.wrapping_add(v_step);
        }
        texels
    }

    /// The light at each pixel, in 4096ths. Texels that glow keep their brightness in the dark.
    #[inline]
    fn lights<const GLOWS: bool>(&self, texels: &[Lanes<u16>; PIECE]) -> [Lanes<u16>; PIECE] {
        let mut light = [[0; 4]; PIECE];
        let [mut now, step] = self.light;
        for light in &mut light {
            *light = now;
            for (now, step) in now.iter_mut().zip(step) {
                *now = now.wrapping_add(step);
            }
        }
        let mut lights = [[0; 4]; PIECE];
        for (to, light) in lights.as_flattened_mut().iter_mut().zip(light.as_flattened()) {
            *to = (light >> 4) as u16 & 0xFFF0;
        }
        if GLOWS {
            for (lights, [.., high]) in lights.iter_mut().zip(texels) {
                let glow = u32::from(high + (high >> 7));
                for light in lights {
                    let dark = u32::from(*light >> 4) * (256 - glow);
                    *light = ((dark + 256 * glow) >> 8 << 4) as u16;
                }
            }
        }
        lights
    }

    /// Draws the software look: one texel, in the row of the colormap for the light.
    #[inline]
    pub(crate) fn shaded<const HOW: u8>(
        &self,
        mip: &Mip,
        shades: &Shades,
        part: u32,
        pixels: &mut [Rgba],
        depths: &mut [f32],
    ) {
        let color = |place: u32, row: u32| {
            let texel = mip.colors.get(place as usize).copied().unwrap_or_default();
            let color = shades.get((row as usize % SHADES) | usize::from(texel)).copied().unwrap_or_default();
            (texel, color)
        };
        let (whole, whole_depths) = (pixels.as_mut_array::<PIECE>(), depths.as_mut_array::<PIECE>());
        if let (SOLID, Some(pixels), Some(depths)) = (HOW, whole, whole_depths) {
            let mut colors = [0; PIECE];
            for ((to, place), row) in colors.iter_mut().zip(self.places(mip)).zip(self.rows()) {
                (_, *to) = color(place, row);
            }
            return cover(pixels, depths, &colors, &depths_from(self.depth));
        }
        let ([mut depth, depth_step], [[mut light, ..], [light_step, ..]]) = (self.depth, self.light);
        let ([mut u, u_step], [mut v, v_step]) = (self.u, self.v);
        let (width, height) = (mip.width as u32, mip.height as u32);
        for (pixel, behind) in pixels.iter_mut().zip(depths) {
            if depth > *behind {
                let place = texel(v, height) * width + texel(u, width);
                let (texel, color) = color(place, row(light as u32));
                match HOW {
                    SOLID => (*pixel, *behind) = (color, depth),
                    HOLES if texel != 255 => (*pixel, *behind) = (color, depth),
                    PART if texel != 255 => *pixel = mix(*pixel, color, part) | OPAQUE,
                    _ => {}
                }
            }
            depth += depth_step;
            u = u.wrapping_add(u_step);
            v = v.wrapping_add(v_step);
            light = light.wrapping_add(light_step);
        }
    }

    /// The numbers of the texels at each pixel.
    #[inline]
    fn places(&self, mip: &Mip) -> [u32; PIECE] {
        let (along, down) = (steps(self.u), steps(self.v));
        let (width, height) = (mip.width as u32, mip.height as u32);
        let mut places = [0; PIECE];
        let all = places.iter_mut().zip(along).zip(down);
        if width.is_power_of_two() && height.is_power_of_two() && width > 1 && height > 1 {
            // Like the code below, but with shifts instead of multiplications, because there are vector instructions
            // for shifts.
            let (across, rows) = (32 - width.ilog2(), 32 - height.ilog2());
            for ((place, u), v) in all {
                *place = v >> rows << width.ilog2() | u >> across;
            }
        } else {
            for ((place, u), v) in all {
                *place = texel(v, height) * width + texel(u, width);
            }
        }
        places
    }

    /// The start of the colormap's row for the light at each pixel.
    #[inline]
    fn rows(&self) -> [u32; PIECE] {
        let [[light, ..], [step, ..]] = self.light;
        steps([light as u32, step as u32]).map(row)
    }

    /// Draws liquids in the software look: each texel is taken from the place to which a wave has moved it. A `part` of
    /// 256 is opaque.
    pub(crate) fn steps(
        &self,
        mip: &Mip,
        shades: &Shades,
        waves: &[u64; 128],
        part: u32,
        pixels: &mut [Rgba],
        depths: &mut [f32],
    ) {
        let [mut depth, depth_step] = self.depth;
        let ([mut u, u_step], [mut v, v_step]) = (self.u, self.v);
        let (width, height) = (mip.width as u64, mip.height as u64);
        let (across, down) = (wave_texels(mip.width), wave_texels(mip.height));
        let [[light, ..], _] = self.light;
        let row = (light >> 16) as usize & 63;
        let wave = |at: u64| waves.get(at as usize & 127).copied().unwrap_or_default();
        for (pixel, behind) in pixels.iter_mut().zip(depths) {
            if depth > *behind {
                // In 65536ths of a texel, like the waves.
                let (s, t) = ((u64::from(u) * across) >> 16, (u64::from(v) * down) >> 16);
                let x = ((s + wave(t >> 16)) >> 16) % width.max(1);
                let y = ((t + wave(s >> 16)) >> 16) % height.max(1);
                let texel = mip.colors.get((y * width + x) as usize).copied().unwrap_or_default();
                let color = shades.get(row << 8 | usize::from(texel)).copied().unwrap_or_default();
                if part == 256 {
                    (*pixel, *behind) = (color, depth);
                } else {
                    *pixel = mix(*pixel, color, part) | OPAQUE;
                }
            }
            depth += depth_step;
            u = u.wrapping_add(u_step);
            v = v.wrapping_add(v_step);
        }
    }
}
