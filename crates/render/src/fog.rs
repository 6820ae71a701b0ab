//! The fog of a frame, which each pixel gets by its depth.
//!
//! Each step is done for all pixels of a piece before the next one, so that the compiler uses vector instructions.

use crate::band::SKY_MARK;
use crate::model::flat;
use crate::piece::{Lanes, PIECE, between};
use crate::texture::{OPAQUE, Rgba};
use moviola_scene::FogAt;

/// The fog: for each depth, how much of a color remains.
pub(crate) struct Fog {
    /// The remaining share of a color in 256ths, for each step of depth times density. After the last step nothing
    /// remains.
    steps: Box<[u16; TABLE]>,
    density: f32,
    color: [Lanes<u16>; PIECE],
}

/// The number of steps, and the largest depth times density that they cover.
const FOG_STEPS: usize = 1024;
const FOG_MOST: f32 = 3.0;

/// The size of the table of steps: a power of two, so that no step needs a check.
const TABLE: usize = 2 * FOG_STEPS;

impl Fog {
    pub(crate) fn new(fog: &FogAt) -> Option<Self> {
        if !(fog.density > 0.0) {
            return None;
        }
        let mut steps = Box::new([0; TABLE]);
        for (at, step) in steps.iter_mut().take(FOG_STEPS).enumerate() {
            let depth = at as f32 * FOG_MOST / FOG_STEPS as f32;
            *step = (libm::expf(-depth * depth) * 256.0) as u16;
        }
        let color = [flat(fog.color).to_le_bytes().map(u16::from); PIECE];
        Some(Self { steps, density: fog.density / 64.0, color })
    }

    /// Lays the fog over the pixels of a band.
    pub(crate) fn lay(&self, pixels: &mut [Rgba], depths: &[f32]) {
        let (pixels, rest) = pixels.as_chunks_mut();
        let (depths, depths_of_rest) = depths.as_chunks();
        for (pixels, depths) in pixels.iter_mut().zip(depths) {
            *pixels = self.blend_over(pixels, depths);
        }
        let last = self.blend_over(&filled(rest), &filled(depths_of_rest));
        rest.iter_mut().zip(last).for_each(|(to, color)| *to = color);
    }

    /// Makes a picture of the pixels of a band, with the fog over them.
    pub(crate) fn finish(&self, pixels: &[Rgba], depths: &[f32], out: &mut [[u8; 4]]) {
        let (pixels, rest) = pixels.as_chunks();
        let (depths, depths_of_rest) = depths.as_chunks();
        let (out, out_of_rest) = out.as_chunks_mut::<PIECE>();
        for ((pixels, depths), out) in pixels.iter().zip(depths).zip(out) {
            for (out, color) in out.iter_mut().zip(self.blend_over(pixels, depths)) {
                *out = (color | OPAQUE).to_le_bytes();
            }
        }
        let last = self.blend_over(&filled(rest), &filled(depths_of_rest));
        out_of_rest.iter_mut().zip(last).for_each(|(to, color)| *to = (color | OPAQUE).to_le_bytes());
    }

    #[inline]
    fn blend_over(&self, pixels: &[Rgba; PIECE], depths: &[f32; PIECE]) -> [Rgba; PIECE] {
        let mut steps = [0; PIECE];
        for ((step, depth), pixel) in steps.iter_mut().zip(depths).zip(pixels) {
            let at = (self.density / depth * (FOG_STEPS as f32 / FOG_MOST)).min(FOG_STEPS as f32) as i32;
            // At step 0 the whole color remains: where nothing is drawn, and in the sky, which has its own fog.
            let is_in_fog = *depth > 0.0 && *pixel >> 24 != SKY_MARK >> 24;
            *step = if is_in_fog { at } else { 0 };
        }
        let (mut rests, mut colors) = ([[0; 4]; PIECE], [[0; 4]; PIECE]);
        let to = rests.iter_mut().zip(&mut colors);
        for (((rest, color), step), pixel) in to.zip(steps).zip(pixels) {
            *color = pixel.to_le_bytes();
            *rest = [self.steps.get(step as usize % TABLE).copied().unwrap_or_default(); 4];
        }
        let all = colors.as_flattened_mut().iter_mut().zip(rests.as_flattened());
        for ((color, rest), fog) in all.zip(self.color.as_flattened()) {
            *color = between(*fog, (*color).into(), *rest) as u8;
        }
        colors.map(Rgba::from_le_bytes)
    }
}

/// The values of the last, incomplete piece, with zeros after them.
fn filled<T: Copy + Default>(some: &[T]) -> [T; PIECE] {
    let mut all = [T::default(); PIECE];
    all.iter_mut().zip(some).for_each(|(to, from)| *to = *from);
    all
}
