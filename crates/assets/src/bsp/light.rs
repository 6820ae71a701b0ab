//! The lightmaps of faces, and the light at a place.

use super::{Bsp, Node, TexInfo, surface};
use crate::error::AssetError;
use crate::record::Bytes;

/// The most samples of a face in a row: QuakeSpasm draws at most 2000 texels, with a sample at every 16th.
const MOST_SAMPLES: usize = 2048;

/// The distance downwards within which a lit face is searched, as in QuakeSpasm.
const SEARCH_DEPTH: f64 = 8192.0;

/// The lightmaps of a face.
///
/// ```
/// // Two samples a row, three rows, the light of one style.
/// let samples = [10, 20, 30, 40, 50, 60];
/// let light = moviola_assets::FaceLight {
///     texture_mins: [0, 0],
///     size: [2, 3],
///     channels: 1,
///     styles: [0, 255, 255, 255],
///     samples: &samples,
/// };
/// assert_eq!(light.maps().collect::<Vec<_>>(), [(0, &samples[..])]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceLight<'l> {
    /// The texel of the first sample.
    pub texture_mins: [i32; 2],
    /// The number of samples in a row, and the number of rows. A sample is at every 16th texel.
    pub size: [usize; 2],
    /// The number of bytes of a sample: 1 for gray, 3 for color.
    pub channels: usize,
    /// The styles of the lightmaps; 255 marks the end.
    pub styles: [u8; 4],
    /// All lightmaps, one after another; empty if the face is dark.
    pub samples: &'l [u8],
}

impl<'l> FaceLight<'l> {
    /// Each style with its samples.
    pub fn maps(&self) -> impl Iterator<Item = (u8, &'l [u8])> + use<'l> {
        let [width, height] = self.size;
        let length = width.saturating_mul(height).saturating_mul(self.channels).max(1);
        let used = self.styles.into_iter().take_while(|style| *style != 255);
        used.zip(self.samples.chunks_exact(length))
    }
}

impl Bsp {
    /// Adds the colors of a `.lit` file, which must have a color for each sample of this level.
    ///
    /// ```
    /// use moviola_assets::Bsp;
    /// let mut level = Bsp { lighting: vec![7], ..Bsp::default() };
    /// level.add_color_light(b"QLIT\x01\0\0\0\x01\x02\x03").unwrap();
    /// assert_eq!(level.color_lighting, [1, 2, 3]);
    /// assert!(level.add_color_light(b"QLIT\x01\0\0\0").is_err(), "it has no color for the sample");
    /// ```
    pub fn add_color_light(&mut self, file: &[u8]) -> Result<(), AssetError> {
        let mut bytes = Bytes::new("colored light", file);
        let magic = bytes.take(4)?;
        let version: i32 = bytes.value()?;
        if magic != b"QLIT" || version != 1 {
            return Err(bytes.error("it is not a .lit file of version 1"));
        }
        let (colors, samples) = (bytes.len(), self.lighting.len());
        if colors != samples.saturating_mul(3) {
            return Err(
                bytes.error(format!("{colors} bytes of color for the {samples} samples of the level"))
            );
        }
        self.color_lighting = bytes.remaining().to_vec();
        Ok(())
    }

    /// The lightmaps of a face, in color if `color` is set and colors are known; `None` if the face has no
    /// valid extent.
    pub fn light_of(&self, face: usize, color: bool) -> Option<FaceLight<'_>> {
        self.light_within(face, self.light_extent(face)?, color)
    }

    /// The first texel of a face's lightmaps, and the number of samples across and down; `None` if the face has no
    /// valid extent.
    pub fn light_extent(&self, face: usize) -> Option<([i32; 2], [usize; 2])> {
        let info = self.texture_of(face)?;
        let ([low, high], any) = self.extents(face, info.s, info.t);
        if !any {
            return None;
        }
        let mut texture_mins = [0; 2];
        let mut size = [0; 2];
        for (axis, (low, high)) in low.into_iter().zip(high).enumerate() {
            let (first, last) = ((low / 16.0).floor(), (high / 16.0).ceil());
            let count = last - first + 1.0;
            if !(count >= 1.0 && count <= MOST_SAMPLES as f64 && first.abs() < 1e8) {
                return None;
            }
            *texture_mins.get_mut(axis)? = (first as i32).checked_mul(16)?;
            *size.get_mut(axis)? = count as usize;
        }
        Some((texture_mins, size))
    }

    /// The lightmaps of a face with a known extent, which takes long to compute.
    ///
    /// ```
    /// let level = moviola_assets::Bsp::default();
    /// assert_eq!(level.light_extent(0), None);
    /// assert_eq!(level.light_within(0, ([0; 2], [1; 2]), false), None);
    /// ```
    pub fn light_within(
        &self,
        face: usize,
        (texture_mins, size): ([i32; 2], [usize; 2]),
        color: bool,
    ) -> Option<FaceLight<'_>> {
        let it = self.faces.get(face)?;
        let is_color = color && !self.color_lighting.is_empty();
        let (bytes, channels, factor) = match (self.kind.is_quake2(), is_color) {
            (true, _) => (&self.lighting, 3, 1),
            (false, true) => (&self.color_lighting, 3, 3),
            (false, false) => (&self.lighting, 1, 1),
        };
        let [width, height] = size;
        let maps = it.styles.iter().take_while(|style| **style != 255).count();
        let length = width * height * channels * maps;
        let samples = usize::try_from(it.light)
            .ok()
            .and_then(|start| start.checked_mul(factor))
            .and_then(|start| bytes.get(start..start.checked_add(length)?))
            .unwrap_or_default();
        Some(FaceLight { texture_mins, size, channels, styles: it.styles, samples })
    }

    /// Whether a surface has no lightmap: Quake's special ones, and Quake II's sky, warping and translucent
    /// ones.
    pub fn is_special(&self, info: &TexInfo) -> bool {
        /// Sky, warp, and both kinds of translucent surfaces.
        const QUAKE2: u32 = surface::SKY | surface::WARP | surface::TRANS33 | surface::TRANS66;
        const QUAKE: u32 = 1;
        info.flags & if self.kind.is_quake2() { QUAKE2 } else { QUAKE } != 0
    }

    /// The range of texels that a face covers. In `f64`, because compilers of levels used more than 32 bits.
    fn extents(&self, face: usize, s: [f32; 4], t: [f32; 4]) -> ([[f64; 2]; 2], bool) {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        let mut any = false;
        for corner in self.corners(face) {
            let st = [texel(corner, s), texel(corner, t)];
            for ((value, low), high) in st.into_iter().zip(&mut low).zip(&mut high) {
                *low = low.min(value);
                *high = high.max(value);
            }
            any = true;
        }
        ([low, high], any)
    }

    /// The brightness below a place, as engines light their models: the nearest sample of the first face
    /// below, 0 to 255 for each channel, multiplied by the brightness that `styles` returns for each style.
    /// `None` if there is no face below.
    ///
    /// ```
    /// let level = moviola_assets::Bsp::default();
    /// assert!(!level.is_special(&moviola_assets::TexInfo::default()));
    /// assert_eq!(level.light_of(0, false), None);
    /// assert_eq!(level.light_below([0.0; 3], false, &|_style| 1.0), None, "there is nothing in this level");
    /// ```
    pub fn light_below(&self, from: [f32; 3], color: bool, styles: &dyn Fn(u8) -> f32) -> Option<[f32; 3]> {
        let [x, y, z] = from.map(f64::from);
        if !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return None;
        }
        let mut steps = vec![Step::Way(self.models.first()?.node, z, z - SEARCH_DEPTH)];
        // The loop is bounded, because a damaged tree may have circles.
        for _ in 0..self.nodes.len().saturating_mul(3).saturating_add(1) {
            let (index, top, bottom) = match steps.pop()? {
                Step::Way(at, top, bottom) => (usize::try_from(at), top, bottom),
                Step::Faces(node, z) => match self.faces_lit(node, [x, y, z], color, styles) {
                    Some(light) => return Some(light),
                    None => continue,
                },
            };
            let Some(node) = index.ok().and_then(|index| self.nodes.get(index)) else { continue };
            let plane = self.planes.get(node.plane as usize)?;
            let [nx, ny, nz] = plane.normal.map(f64::from);
            let side = |z: f64| nx * x + ny * y + nz * z - f64::from(plane.dist);
            let (first, last) = (side(top), side(bottom));
            let [front, back] = node.children;
            let (near, far) = if first < 0.0 { (back, front) } else { (front, back) };
            if (first < 0.0) == (last < 0.0) {
                steps.push(Step::Way(near, top, bottom));
                continue;
            }
            let middle = top + (bottom - top) * (first / (first - last));
            // A damaged plane may be infinite, or no number.
            if middle.is_nan() {
                continue;
            }
            let middle = middle.clamp(bottom, top);
            steps.push(Step::Way(far, middle, bottom));
            steps.push(Step::Faces(node, middle));
            steps.push(Step::Way(near, top, middle));
        }
        None
    }

    /// The light of the face in a node's plane at a place.
    fn faces_lit(
        &self,
        node: &Node,
        place: [f64; 3],
        color: bool,
        styles: &dyn Fn(u8) -> f32,
    ) -> Option<[f32; 3]> {
        let first = node.first_face as usize;
        (first..first.saturating_add(node.faces as usize).min(self.faces.len())).find_map(|face| {
            let info = self.texture_of(face)?;
            let light = self.light_of(face, color)?;
            let at = [texel(place, info.s), texel(place, info.t)];
            let mut sample = [0usize; 2];
            for (axis, at) in at.into_iter().enumerate() {
                let from = at - f64::from(*light.texture_mins.get(axis)?);
                let most = *light.size.get(axis)? - 1;
                if !(from >= 0.0 && from <= (most * 16) as f64) {
                    return None;
                }
                *sample.get_mut(axis)? = ((from / 16.0) as usize).min(most);
            }
            if self.is_special(info) {
                return None;
            }
            if self.lighting.is_empty() {
                return Some([255.0; 3]);
            }
            let [s, t] = sample;
            let index = (t * light.size.first()? + s) * light.channels;
            let mut sum = [0.0; 3];
            for (style, map) in light.maps() {
                let scale = styles(style);
                for (channel, sum) in sum.iter_mut().enumerate() {
                    let at = index + if light.channels == 3 { channel } else { 0 };
                    *sum += f32::from(*map.get(at)?) * scale;
                }
            }
            Some(sum)
        })
    }
}

/// A step of the search downwards.
enum Step<'l> {
    /// The part of the line between two heights, in the tree below a node.
    Way(i32, f64, f64),
    /// The faces in the plane of a node, at a height.
    Faces(&'l Node, f64),
}

/// A point's coordinate on a texture.
fn texel<T: Into<f64>>(point: [T; 3], axis: [f32; 4]) -> f64 {
    let [.., offset] = axis;
    let along = point.into_iter().zip(axis).map(|(at, axis)| at.into() * f64::from(axis)).sum::<f64>();
    along + f64::from(offset)
}
