//! The light of a level's faces: their lightmaps by the styles of the moment, and the lights nearby.

use crate::look::{LookKind, LookOptions};
use moviola_assets::FaceLight;
use std::sync::{Arc, OnceLock};

/// The light at each sample of a face, converted for a look.
#[derive(Clone, Debug)]
pub(crate) enum LightSamples {
    /// In the GL look: 256ths of the texture's brightness for each channel.
    Colors(Arc<[[f32; 3]]>),
    /// In the software look: the row of the colormap.
    Rows(Arc<[f32]>),
}

/// The light of a face without lights nearby, as it was when the face was first drawn. Most faces never look different.
#[derive(Debug, Default)]
pub(crate) struct KnownLight(OnceLock<(Brightness, LightSamples)>);

/// The brightness of the face's styles in bits, and the number of bytes of a sample: 1 or 3.
type Brightness = ([u32; 4], usize);

/// Adds the lights nearby to the samples of a face.
pub(crate) type AddNearby<'a> = &'a dyn Fn(&mut [[f32; 3]]);

impl KnownLight {
    /// The light of the face; `nearby` adds the lights that reach it, if there are any.
    pub(crate) fn samples(
        &self,
        light: &FaceLight<'_>,
        styles: &[f32],
        look: &LookOptions,
        is_quake2: bool,
        nearby: Option<AddNearby<'_>>,
    ) -> LightSamples {
        let scale = |style: u8| styles.get(usize::from(style)).copied().unwrap_or(1.0);
        let rows = look.kind == LookKind::Software;
        if let Some(nearby) = nearby {
            let mut sums: Vec<[f32; 3]> = if rows {
                summed1(light, scale).into_iter().map(|it| [it; 3]).collect()
            } else {
                summed3(light, scale)
            };
            nearby(&mut sums);
            return if rows {
                LightSamples::Rows(sums.iter().map(|sample| row(is_quake2, *sample)).collect())
            } else {
                LightSamples::Colors(sums.iter().map(|sample| color(is_quake2, *sample)).collect())
            };
        }
        let make = || {
            if rows {
                let sums = summed1(light, scale);
                LightSamples::Rows(sums.iter().map(|sample| row(is_quake2, [*sample; 3])).collect())
            } else {
                let sums = summed3(light, scale);
                LightSamples::Colors(sums.iter().map(|sample| color(is_quake2, *sample)).collect())
            }
        };
        let now = (light.styles.map(|style| scale(style).to_bits()), light.channels);
        let (then, known) = self.0.get_or_init(|| (now, make()));
        if *then == now { known.clone() } else { make() }
    }
}

/// The sum of a face's lightmaps for the software look, which has no colors: the brightest channel of each sample.
fn summed1(light: &FaceLight<'_>, scale: impl Fn(u8) -> f32) -> Vec<f32> {
    let mut sums = vec![0.0; light.size.iter().product()];
    for (style, samples) in light.maps() {
        let scale = scale(style);
        if light.channels == 3 {
            for (sum, [red, green, blue]) in sums.iter_mut().zip(samples.as_chunks().0) {
                *sum += f32::from(*red.max(green).max(blue)) * scale;
            }
        } else {
            for (sum, gray) in sums.iter_mut().zip(samples) {
                *sum += f32::from(*gray) * scale;
            }
        }
    }
    sums
}

/// The sum of a face's lightmaps for the GL look.
fn summed3(light: &FaceLight<'_>, scale: impl Fn(u8) -> f32) -> Vec<[f32; 3]> {
    let mut sums = vec![[0.0; 3]; light.size.iter().product()];
    for (style, samples) in light.maps() {
        let scale = scale(style);
        if light.channels == 3 {
            for (sum, part) in sums.as_flattened_mut().iter_mut().zip(samples) {
                *sum += f32::from(*part) * scale;
            }
        } else {
            for (sum, gray) in sums.iter_mut().zip(samples) {
                let gray = f32::from(*gray) * scale;
                *sum = sum.map(|sum| sum + gray);
            }
        }
    }
    sums
}

/// Converts light of 0 to 255 for a look: to 256ths of the texture's brightness, or to a row of the colormap.
pub(crate) fn shade(look: &LookOptions, is_quake2: bool, sample: [f32; 3]) -> [f32; 3] {
    if look.kind == LookKind::Software { [row(is_quake2, sample); 3] } else { color(is_quake2, sample) }
}

/// No light is below zero, or no number.
#[inline]
fn valid(part: f32) -> f32 {
    if part.is_finite() { part.max(0.0) } else { 0.0 }
}

/// The row of the colormap for light of 0 to 255, in 256ths.
#[inline]
fn row(is_quake2: bool, sample: [f32; 3]) -> f32 {
    let [red, green, blue] = sample.map(valid);
    // Quake II's software renderer multiplies white light by one and a half.
    let light = red.max(green).max(blue) * if is_quake2 { 1.5 } else { 1.0 };
    ((255.0 - light) * 64.0).clamp(64.0, 16383.0)
}

/// Factors from samples of 0 to 255 to 256ths of the texture's brightness; Quake's light is twice as bright.
const QUAKE_LIGHT: f32 = 2.0 * 256.0 / 255.0;
const QUAKE2_LIGHT: f32 = 256.0 / 255.0;

/// 256ths of the texture's brightness for light of 0 to 255.
#[inline]
fn color(is_quake2: bool, sample: [f32; 3]) -> [f32; 3] {
    let sample = sample.map(valid);
    if is_quake2 {
        let most = sample.iter().copied().fold(0.0, f32::max);
        let factor = if most > 255.0 { 255.0 / most } else { 1.0 };
        return sample.map(|part| part * factor * QUAKE2_LIGHT);
    }
    sample.map(|part| part.min(255.0) * QUAKE_LIGHT)
}
