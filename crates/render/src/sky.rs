//! The sky, along rays from the eye: Quake's two layers of clouds on a dome, or six pictures on the sides of
//! a cube.

use crate::band::{blend4, mix};
use crate::space::{V3, View, cross, dot, floor, scale, unit};
use crate::texture::{OPAQUE, Rgba, Texture, Use, bright};
use moviola_assets::{MipTexture, Palette, Picture};
use std::sync::Arc;

/// The sky of a picture.
#[derive(Debug, Default)]
pub(crate) struct SkyPaint {
    pub(crate) clouds: Option<Arc<Clouds>>,
    /// The sides +x, -x, +y, -y, +z, -z.
    pub(crate) sides: Option<Arc<[Option<Arc<Texture>>; 6]>>,
    /// The turn of the cube: degrees and axis.
    pub(crate) turned: f64,
    pub(crate) axis: V3,
    pub(crate) time: f64,
    /// Whether colors are filtered.
    pub(crate) filtered: bool,
    /// The fog over it: its color, and its part in 256ths.
    pub(crate) fog: Option<(Rgba, u32)>,
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
    /// The right half of the texture is the far layer, the left half the near one, whose color 0 is a hole.
    pub(crate) fn new(texture: &MipTexture, palette: &Palette) -> Option<Self> {
        let [picture, ..] = &texture.mips;
        let (width, height) = (picture.width / 2, picture.height);
        let half = |skip: u32, hole: bool| {
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
        let far = Texture::of_picture(&half(width, false), &colors, Use::Solid { glows: false })?;
        // The filter blends a cloud's edge with the color of the hole, so the hole has the mean color of the
        // far layer.
        if let Some(hole) = colors.last_mut() {
            *hole = far.mean & !OPAQUE;
        }
        let near = Texture::of_picture(&half(0, true), &colors, Use::Holes)?;
        Some(Self { layers: [far, near] })
    }
}

impl SkyPaint {
    /// Paints the colors along a part of a row, from `x` on.
    pub(crate) fn piece(
        &self,
        view: &View,
        is_clouds: bool,
        x: f64,
        y: f64,
        count: usize,
        mut paint: impl FnMut(usize, Rgba),
    ) {
        let finish = |color: Rgba| match self.fog {
            Some((fog, part)) => mix(color, fog, part),
            None => color,
        };
        let boxed = self.sides.is_some() || !is_clouds;
        let clouds = self.clouds.as_ref().filter(|_| !boxed);
        if let Some(clouds) = clouds {
            let ([s, t], [s2, t2]) = (dome(view.ray(x, y)), dome(view.ray(x + count as f64, y)));
            let steps = count as f64;
            for index in 0..count {
                let part = index as f64 / steps;
                let place = [s + (s2 - s) * part, t + (t2 - t) * part];
                paint(index, finish(clouds.color(place, self.time, self.filtered)));
            }
            return;
        }
        for index in 0..count {
            let ray = self.turn(view.ray(x + index as f64, y));
            paint(index, finish(self.side(ray)));
        }
    }

    /// A ray relative to the turned cube.
    fn turn(&self, ray: V3) -> V3 {
        if self.turned == 0.0 {
            return ray;
        }
        let axis = unit(self.axis);
        let (sin, cos) = libm::sincos(-self.turned.to_radians());
        let along = scale(axis, dot(axis, ray) * (1.0 - cos));
        let across = cross(axis, ray);
        [0, 1, 2].map(|part: usize| {
            let get = |it: V3| it.get(part).copied().unwrap_or_default();
            get(ray) * cos + get(across) * sin + get(along)
        })
    }

    fn side(&self, [x, y, z]: V3) -> Rgba {
        let Some(sides) = &self.sides else { return 0 };
        let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
        let (side, s, t) = if ax >= ay && ax >= az {
            if x > 0.0 { (0, -y / ax, z / ax) } else { (1, y / ax, z / ax) }
        } else if ay >= az {
            if y > 0.0 { (2, x / ay, z / ay) } else { (3, -x / ay, z / ay) }
        } else if z > 0.0 {
            (4, -y / az, -x / az)
        } else {
            (5, -y / az, x / az)
        };
        let Some(Some(texture)) = sides.get(side) else { return 0 };
        let Some(mip) = texture.mip(0) else { return 0 };
        let place = |at: f64, size: usize| {
            let most = size as f64 - 1.0;
            (f64::midpoint(at, 1.0) * size as f64 - 0.5).clamp(0.0, most)
        };
        let (u, v) = (place(s, mip.width), place(-t, mip.height));
        texel(mip, u, v, self.filtered)
    }
}

/// The color of a texture at a place in texels; a filter blends four texels.
fn texel(mip: &crate::texture::Mip, u: f64, v: f64, filtered: bool) -> Rgba {
    let stride = mip.width + 1;
    if !filtered {
        let (x, y) = ((u + 0.5) as usize, (v + 0.5) as usize);
        return mip.rgba.get(y * stride + x).copied().unwrap_or_default();
    }
    let (x, y) = (u as usize, v as usize);
    let (fx, fy) = (((u - x as f64) * 256.0) as u32, ((v - y as f64) * 256.0) as u32);
    let one = |x: usize, y: usize| mip.rgba.get(y * stride + x).copied().unwrap_or_default();
    blend4([one(x, y), one(x + 1, y), one(x, y + 1), one(x + 1, y + 1)], fx, fy)
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
