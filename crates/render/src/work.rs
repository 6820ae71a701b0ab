//! The shapes of a picture, collected before any pixel is drawn; every band reads them.

use crate::lightmap::LightSamples;
use crate::space::{Polygon, Slope, View, cut};
use crate::texture::{Rgba, Texture};
use std::sync::Arc;

/// All shapes of a picture, in the order of drawing.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub(crate) shapes: Vec<Shape>,
    /// The corners of all shapes.
    pub(crate) points: Vec<[f64; 2]>,
    /// The number of samples of light of all visible faces.
    lit: usize,
    /// Buffers for cutting polygons, kept between calls.
    corners: Polygon,
    spare: Polygon,
}

/// The most shapes of a picture, and the most samples of light: damaged recordings could ask for any number.
const MOST_SHAPES: usize = 300_000;
pub(crate) const MOST_LIGHTS: usize = 1 << 22;

/// A convex polygon in the picture.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// Its first row, and the row after its last.
    pub(crate) rows: [f64; 2],
    /// One divided by the depth.
    pub(crate) depth: Slope,
    pub(crate) paint: Paint,
}

/// The filling of a shape.
#[derive(Debug)]
pub(crate) enum Paint {
    /// A texture; `s` and `t` are in parts of its width and height.
    Texture {
        texture: Arc<Texture>,
        s: Slope,
        t: Slope,
        light: Light,
        blend: Blend,
        waves: Waves,
        /// The mip level; `None` chooses the one that fits, piece by piece.
        size: Option<usize>,
        /// Whether texture and light are linear in the picture, without perspective, as software renderers draw models.
        flat: bool,
    },
    /// The sky: its six pictures, or the two layers of clouds of Quake's.
    Sky,
    /// A single color.
    Flat { color: Rgba, blend: Blend },
}

/// How a shape's pixels cover those behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blend {
    Solid,
    /// Solid, except where the texture has a hole.
    Holes,
    /// Mixed in with this share of 256; shapes behind it stay visible.
    Part(u32),
}

impl Blend {
    pub(crate) fn of(alpha: f32, holes: bool) -> Self {
        if alpha < 0.996 {
            Self::Part((alpha.max(0.0) * 256.0) as u32)
        } else if holes {
            Self::Holes
        } else {
            Self::Solid
        }
    }
}

/// The wave of a liquid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waves {
    None,
    /// The wave of Quake II's GL renderer: 4 of 64 texels back and forth, each 50 texels long.
    Sine,
    /// The wave of QuakeSpasm: 8 of 64 texels, each 128 texels long.
    SlowSine,
    /// The wave of the software renderers.
    Steps,
}

/// The light of a shape. 256 shows a texture unchanged; in the software look it selects a row of the colormap.
#[derive(Clone, Debug)]
pub(crate) enum Light {
    /// The same light everywhere, in 256ths for each channel.
    Even([f32; 3]),
    /// A lightmap: its samples, the number of samples in a row and of rows, and the texel of the first sample.
    Map { samples: LightSamples, size: [usize; 2], low: [f64; 2] },
    /// Light that is interpolated between the corners.
    Corners([Slope; 3]),
}

impl Work {
    /// Adds a polygon whose corners are relative to the eye; returns `false` if none of it is in the picture.
    /// `paint` gets the number of samples of light so far, and the polygon's least depth.
    pub(crate) fn add(
        &mut self,
        view: &View,
        corners: impl IntoIterator<Item = [f64; 3]>,
        paint: impl FnOnce(&mut usize, f64) -> Option<(Slope, Paint)>,
    ) -> bool {
        self.corners.clear();
        self.corners.extend(corners);
        if self.shapes.len() >= MOST_SHAPES {
            return false;
        }
        if self.corners.iter().flatten().any(|part| !part.is_finite()) {
            return false;
        }
        view.clip(&mut self.corners, &mut self.spare);
        if self.corners.len() < 3 {
            return false;
        }
        let first = self.points.len();
        let [left, top, right, bottom] = view.frame;
        let mut rows = [f64::INFINITY, f64::NEG_INFINITY];
        let mut nearest = f64::INFINITY;
        for corner in &self.corners {
            let [_, _, depth] = *corner;
            nearest = nearest.min(depth);
            let [x, y] = view.project(*corner);
            let (x, y) = (x.clamp(left, right), y.clamp(top, bottom));
            rows = [rows[0].min(y), rows[1].max(y)];
            self.points.push([x, y]);
        }
        // A shape between the middles of two rows has no pixel.
        let [start, end] = rows.map(|row| (row - 0.5).ceil());
        let Some((depth, paint)) =
            Some(()).filter(|()| start < end).and_then(|()| paint(&mut self.lit, nearest))
        else {
            self.points.truncate(first);
            return false;
        };
        let count = self.points.len() - first;
        self.shapes.push(Shape { first, count, rows: [start, end], depth, paint });
        true
    }

    /// Adds a polygon of places in the picture, which may lie outside of it.
    pub(crate) fn add_flat(
        &mut self,
        view: &View,
        points: impl IntoIterator<Item = [f64; 2]>,
        depth: Slope,
        paint: Paint,
    ) {
        let [left, top, right, bottom] = view.frame;
        self.corners.clear();
        self.corners.extend(points.into_iter().map(|[x, y]| [x, y, 0.0]));
        let sides = [([1.0, 0.0], left), ([-1.0, 0.0], -right), ([0.0, 1.0], top), ([0.0, -1.0], -bottom)];
        for ([x, y], least) in sides {
            cut(&self.corners, &mut self.spare, [x, y, 0.0], least);
            std::mem::swap(&mut self.corners, &mut self.spare);
        }
        let heights = || self.corners.iter().map(|[_, y, _]| *y);
        let [start, end] =
            [heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max)]
                .map(|row| (row - 0.5).ceil());
        if self.corners.len() < 3 || !(start < end) || self.shapes.len() >= MOST_SHAPES {
            return;
        }
        let first = self.points.len();
        self.points.extend(self.corners.iter().map(|[x, y, _]| [x.clamp(left, right), y.clamp(top, bottom)]));
        self.shapes.push(Shape { first, count: self.corners.len(), rows: [start, end], depth, paint });
    }

    /// Adds a dot that faces the eye: round, or a square with sides twice as long as `half`.
    pub(crate) fn add_dot(&mut self, view: &View, [x, y]: [f64; 2], half: f64, depth: f64, paint: Dot) {
        let [left, top, right, bottom] = view.frame;
        let first = self.points.len();
        let corners: &[[f64; 2]] = if paint.round { &DISC } else { &SQUARE };
        self.points.extend(
            corners
                .iter()
                .map(|[dx, dy]| [(x + dx * half).clamp(left, right), (y + dy * half).clamp(top, bottom)]),
        );
        let rows = [y - half, y + half].map(|row| (row.clamp(top, bottom) - 0.5).ceil());
        let [start, end] = rows;
        if start < end && self.shapes.len() < MOST_SHAPES {
            let depth = Slope::constant(1.0 / depth);
            let paint = Paint::Flat { color: paint.color, blend: paint.blend };
            self.shapes.push(Shape { first, count: corners.len(), rows, depth, paint });
        } else {
            self.points.truncate(first);
        }
    }
}

/// The color and form of a dot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dot {
    pub(crate) color: Rgba,
    pub(crate) blend: Blend,
    pub(crate) round: bool,
}

/// The corners of a square and of a disc whose half side is one. The disc has twelve.
const SQUARE: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
const SIN_60: f64 = 0.866_025_403_784_438_6;
const DISC: [[f64; 2]; 12] = [
    [0.0, -1.0],
    [0.5, -SIN_60],
    [SIN_60, -0.5],
    [1.0, 0.0],
    [SIN_60, 0.5],
    [0.5, SIN_60],
    [0.0, 1.0],
    [-0.5, SIN_60],
    [-SIN_60, 0.5],
    [-1.0, 0.0],
    [-SIN_60, -0.5],
    [-0.5, -SIN_60],
];
