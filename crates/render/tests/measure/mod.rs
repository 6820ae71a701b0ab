//! Measures for the difference between two pictures.

use moviola_render::RenderedFrame;

/// The brightness of a picture's pixels, 0 to 255.
pub(crate) struct Gray {
    width: usize,
    pub(crate) luma: Vec<f64>,
}

impl Gray {
    pub(crate) fn of(frame: &RenderedFrame) -> Self {
        // The weights of ITU-R BT.601.
        let luma = |pixel: &[u8]| {
            f64::from(pixel[0]) * 0.299 + f64::from(pixel[1]) * 0.587 + f64::from(pixel[2]) * 0.114
        };
        Self { width: frame.size[0] as usize, luma: frame.rgba.chunks(4).map(luma).collect() }
    }
}

/// The mean difference in brightness.
pub(crate) fn difference(one: &Gray, other: &Gray) -> f64 {
    assert_eq!(one.luma.len(), other.luma.len());
    let sum: f64 = one.luma.iter().zip(&other.luma).map(|(a, b)| (a - b).abs()).sum();
    sum / one.luma.len() as f64
}

/// The mean structural similarity (Wang and others, 2004), over windows of 8 by 8 pixels at every fourth
/// place.
pub(crate) fn similarity(one: &Gray, other: &Gray) -> f64 {
    const SIDE: usize = 8;
    const STEP: usize = 4;
    const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
    const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);
    let (width, height) = (one.width, one.luma.len() / one.width);
    let (mut sum, mut count) = (0.0, 0.0);
    for top in (0..=height - SIDE).step_by(STEP) {
        for left in (0..=width - SIDE).step_by(STEP) {
            let (mut a, mut b, mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for y in top..top + SIDE {
                for x in left..left + SIDE {
                    let (p, q) = (one.luma[y * width + x], other.luma[y * width + x]);
                    a += p;
                    b += q;
                    aa += p * p;
                    bb += q * q;
                    ab += p * q;
                }
            }
            let n = (SIDE * SIDE) as f64;
            let (ma, mb) = (a / n, b / n);
            let (va, vb, cov) = (aa / n - ma * ma, bb / n - mb * mb, ab / n - ma * mb);
            let top = (2.0 * ma * mb + C1) * (2.0 * cov + C2);
            sum += top / ((ma * ma + mb * mb + C1) * (va + vb + C2));
            count += 1.0;
        }
    }
    sum / count
}

/// The number of pixels that models change in both pictures, and in either. `bare` is our picture without models,
/// `theirs` is the engine's picture. A pixel of our models also counts as a pixel of the engine's models if their
/// picture is nearer to ours with models than to ours without, at this place or up to two pixels beside it, because
/// textures of models may be that far apart. A pixel beside our models counts as one of theirs if it is far from both
/// of our pictures. Pixels of `by_chance` do not count.
pub(crate) fn silhouettes(bare: &Gray, ours: &Gray, theirs: &Gray, by_chance: &[bool]) -> (u32, u32) {
    const CHANGED: f64 = 12.0;
    const FOREIGN: f64 = 48.0;
    const RADIUS: usize = 6;
    const SHIFT: usize = 2;
    let (width, height) = (ours.width, ours.luma.len() / ours.width);
    let away = |at: usize| (ours.luma[at] - bare.luma[at]).abs();
    let mut near = vec![false; ours.luma.len()];
    for at in (0..ours.luma.len()).filter(|at| away(*at) > CHANGED) {
        let (x, y) = (at % width, at / width);
        for y in y.saturating_sub(RADIUS)..(y + RADIUS).min(height) {
            near[y * width + x.saturating_sub(RADIUS)..y * width + (x + RADIUS).min(width)].fill(true);
        }
    }
    let (mut both, mut either) = (0, 0);
    for at in (0..near.len()).filter(|at| near[*at] && !by_chance[*at]) {
        let (x, y) = (at % width, at / width);
        let rows = y.saturating_sub(SHIFT)..(y + SHIFT + 1).min(height);
        let places = rows.flat_map(|row| {
            (x.saturating_sub(SHIFT)..(x + SHIFT + 1).min(width)).map(move |column| row * width + column)
        });
        let nearest = places.map(|place| (theirs.luma[at] - ours.luma[place]).abs()).fold(f64::MAX, f64::min);
        let without = (theirs.luma[at] - bare.luma[at]).abs();
        let is_ours = away(at) > CHANGED;
        both += u32::from(is_ours && nearest < without);
        either += u32::from(is_ours || nearest.min(without) > FOREIGN);
    }
    (both, either)
}
