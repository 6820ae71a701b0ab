//! The sky, along rays from the eye: Quake's two layers of clouds on a dome, or six pictures on the sides of
//! a cube.

use crate::band::mix;
use crate::piece::{PIECE, blend, joined};
use crate::space::{V3, View, cross, dot, floor, scale, unit};
use crate::texture::{Mip, OPAQUE, Rgba, Texture, TextureAlpha, bright};
use moviola_assets::{MipTexture, Palette, Picture};
use std::sync::Arc;

/// The sky of a picture.
#[derive(Debug, Default)]
pub(crate) struct SkyPaint {
    pub(crate) clouds: Option<Arc<Clouds>>,
    /// The pictures of the sky box, on its sides +x, -x, +y, -y, +z, -z.
    pub(crate) sides: Option<Arc<[Option<Arc<Texture>>; 6]>>,
    /// The turn of the cube, if it is turned.
    pub(crate) turn: Option<Rotation>,
    pub(crate) time: f64,
    /// Whether colors are filtered.
    pub(crate) filtered: bool,
    /// The fog over it: its color, and its part in 256ths.
    pub(crate) fog: Option<(Rgba, u32)>,
}

/// A turn around an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation {
    axis: V3,
    sin: f64,
    cos: f64,
}

impl Rotation {
    pub(crate) fn new(degrees: f64, axis: V3) -> Option<Self> {
        let (sin, cos) = libm::sincos(-degrees.to_radians());
        (degrees != 0.0).then(|| Self { axis: unit(axis), sin, cos })
    }
}

/// Quake's sky texture, cut in two.
#[derive(Debug)]
pub(crate) struct Clouds {
    /// The far layer, which moves slowly, and the near layer with holes.
    layers: [Texture; 2],
}

/// The speeds of the layers in texels per second, and the number of texels over which the dome is stretched.
const SPEEDS: [f64; 2] = [8.0, 16.0];
const DOME: f64 = 6.0 * 63.0;

impl Clouds {
    /// The right half of the texture is the far layer. The left half is the near layer, in which color 0 is
    /// transparent.
    pub(crate) fn new(texture: &MipTexture, palette: &Palette) -> Option<Self> {
        let [picture, ..] = &texture.mips;
        let (width, height) = (picture.width / 2, picture.height);
        let layer = |skip: u32, hole: bool| {
            let pixel = |at: u32| {
                let color = picture.pixel(at % width + skip, at / width).unwrap_or_default();
                if hole && color == 0 { 255 } else { color }
            };
            Picture { width, height, pixels: (0..width * height).map(pixel).collect() }
        };
        if width == 0 || height == 0 {
            return None;
        }
        let mut colors = bright(palette, 1);
        let far = Texture::of_picture(&layer(width, false), &colors, TextureAlpha::Solid { glows: false })?;
        // The filter blends a cloud's edge with the color of the hole, so the hole has the mean color of the
        // far layer.
        if let Some(hole) = colors.last_mut() {
            *hole = far.mean & !OPAQUE;
        }
        let near = Texture::of_picture(&layer(0, true), &colors, TextureAlpha::Holes)?;
        Some(Self { layers: [far, near] })
    }
}

impl SkyPaint {
    /// The colors of `count` pixels of a row, from `x` on.
    pub(crate) fn colors(&self, view: &View, x: f64, y: f64, count: usize) -> [Rgba; PIECE] {
        let mut colors = [0; PIECE];
        let pixels = colors.iter_mut().take(count).enumerate();
        // A sky box whose pictures are missing is replaced by the clouds of the level.
        match (&self.sides, &self.clouds) {
            (Some(sides), _) => self.box_colors(sides, pixels, |index| view.ray(x + index as f64, y)),
            (None, Some(clouds)) => {
                let ([s, t], [s2, t2]) = (dome(view.ray(x, y)), dome(view.ray(x + count as f64, y)));
                for (index, color) in pixels {
                    let part = index as f64 / count as f64;
                    let place = [s + (s2 - s) * part, t + (t2 - t) * part];
                    *color = clouds.color(place, self.time, self.filtered);
                }
            }
            (None, None) => {}
        }
        if let Some((fog, part)) = self.fog {
            colors = colors.map(|color| mix(color, fog, part));
        }
        colors
    }

    /// The colors of a sky box at the pixels of a piece of a row.
    fn box_colors<'c>(
        &self,
        sides: &[Option<Arc<Texture>>; 6],
        pixels: impl ExactSizeIterator<Item = (usize, &'c mut Rgba)>,
        ray: impl Fn(usize) -> V3,
    ) {
        let ray = |index: usize| self.turn(ray(index));
        // A side of the cube is convex: if both ends of a piece are on it, so is everything between them.
        let last = pixels.len().saturating_sub(1);
        let first = side_of(ray(0));
        let is_one = first == side_of(ray(last));
        let picture = |side: usize| sides.get(side).and_then(Option::as_ref).and_then(|it| it.mip(0));
        if let (true, false, Some(mip)) = (is_one, self.filtered, picture(first)) {
            let ends = [ray(0), ray(last)].map(|ray| on_side(mip, first, ray));
            pixels.zip(texels_between(mip, ends, last)).for_each(|((_, color), texel)| *color = texel);
            return;
        }
        for (index, color) in pixels {
            let ray = ray(index);
            let side = if is_one { first } else { side_of(ray) };
            *color = picture(side).map_or(0, |mip| {
                let [u, v] = on_side(mip, side, ray);
                texel(mip, u, v, self.filtered)
            });
        }
    }

    /// A ray relative to the turned cube.
    fn turn(&self, ray: V3) -> V3 {
        let Some(Rotation { axis, sin, cos }) = self.turn else { return ray };
        let along = scale(axis, dot(axis, ray) * (1.0 - cos));
        let across = cross(axis, ray);
        [0, 1, 2].map(|part: usize| {
            let get = |it: V3| it.get(part).copied().unwrap_or_default();
            get(ray) * cos + get(across) * sin + get(along)
        })
    }
}

/// The place in texels where a ray meets the picture of a side.
fn on_side(mip: &Mip, side: usize, [x, y, z]: V3) -> [f64; 2] {
    let (depth, s, t) = match side {
        0 => (x.abs(), -y, z),
        1 => (x.abs(), y, z),
        2 => (y.abs(), x, z),
        3 => (y.abs(), -x, z),
        4 => (z.abs(), -y, -x),
        _ => (z.abs(), -y, x),
    };
    let place = |at: f64, size: usize| {
        let most = size as f64 - 1.0;
        (f64::midpoint(at, 1.0) * size as f64 - 0.5).clamp(0.0, most)
    };
    [place(s / depth, mip.width), place(-(t / depth), mip.height)]
}

/// The texels of a piece of a row that begins and ends at these places; `last` is the number of the last one. Between them
/// places are linear, as on the pieces of walls.
fn texels_between(mip: &Mip, [start, end]: [[f64; 2]; 2], last: usize) -> impl Iterator<Item = Rgba> {
    // In 65536ths of a texel.
    let fixed = |at: f64| ((at + 0.5) * 65536.0) as i64 as u32;
    let step = |from: f64, to: f64| ((to - from) * 65536.0 / last.max(1) as f64) as i64 as u32;
    let ([u, v], [u2, v2]) = (start, end);
    let ([u_step, v_step], stride) = ([step(u, u2), step(v, v2)], mip.width + 1);
    let mut place = [fixed(u), fixed(v)];
    std::iter::repeat_with(move || {
        let [u, v] = place;
        place = [u.wrapping_add(u_step), v.wrapping_add(v_step)];
        let at = (v >> 16) as usize * stride + (u >> 16) as usize;
        joined(mip.spread.get(at).copied().unwrap_or_default())
    })
}

/// The side of the cube that a ray meets: +x, -x, +y, -y, +z, -z.
#[inline]
fn side_of([x, y, z]: V3) -> usize {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    let (side, along) = if ax >= ay && ax >= az {
        (0, x)
    } else if ay >= az {
        (2, y)
    } else {
        (4, z)
    };
    side + usize::from(!(along > 0.0))
}

/// The color of a texture at a place in texels; a filter blends four texels.
fn texel(mip: &Mip, u: f64, v: f64, filtered: bool) -> Rgba {
    let stride = mip.width + 1;
    if !filtered {
        let (x, y) = ((u + 0.5) as usize, (v + 0.5) as usize);
        return joined(mip.spread.get(y * stride + x).copied().unwrap_or_default());
    }
    // In 256ths, so that one conversion gives both the texel and the position in it.
    let (x, y) = ((u * 256.0) as i64 as u64, (v * 256.0) as i64 as u64);
    let (fx, fy) = (x & 0xFF, y & 0xFF);
    let at = (y >> 8) as usize * stride + (x >> 8) as usize;
    // A texel and its neighbors to the right and below.
    let Some([a, b, .., c, d]) = mip.spread.get(at..at + stride + 2) else { return 0 };
    joined(blend([*a, *b, *c, *d], fx, fy))
}

/// The place where a ray meets the dome of clouds, in texels.
fn dome([x, y, z]: V3) -> [f64; 2] {
    let [x, y, _] = unit([x, y, z * 3.0]);
    [x * DOME, y * DOME]
}

impl Clouds {
    fn color(&self, [s, t]: [f64; 2], time: f64, filtered: bool) -> Rgba {
        let [far, near] = &self.layers;
        let layer = |texture: &Texture, speed: f64| {
            let [width, height] = texture.size;
            let wrap = |at: f64, size: f64| at - floor(at / size) * size;
            let back = if filtered { 0.5 } else { 0.0 };
            let (u, v) = (wrap(s + time * speed - back, width), wrap(t + time * speed - back, height));
            let (u, v) = if filtered { (u, v) } else { (floor(u), floor(v)) };
            texture.mip(0).map_or(0, |mip| texel(mip, u, v, filtered))
        };
        let [slow, fast] = SPEEDS;
        let (behind, before) = (layer(far, slow), layer(near, fast));
        let part = before >> 24;
        mix(behind, before, part + (part >> 7))
    }
}
