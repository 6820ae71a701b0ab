//! Lines, dots, rectangles and letters in a frame, with soft edges.

use crate::letters::{LETTER_WIDTH, dots};
use moviola_render::RenderedFrame;

pub(crate) type Rgb = [u8; 3];

/// A mask: the covered share of each pixel in a rectangle of a picture. Where lines cross, a pixel is not covered
/// twice, so that a path which is walked twice does not become brighter.
#[derive(Clone, Debug)]
pub(crate) struct Mask {
    /// The left column and the upper row, and the number of columns and rows.
    at: [usize; 2],
    size: [usize; 2],
    cover: Vec<u8>,
}

impl Mask {
    /// A mask of a whole picture.
    pub(crate) fn new(size: [u32; 2]) -> Self {
        let size = size.map(|side| side as usize);
        Self { at: [0; 2], size, cover: vec![0; size[0] * size[1]] }
    }

    /// A mask of the part of a picture that lines of this width between these places can cover.
    pub(crate) fn around(mut size: [u32; 2], places: impl IntoIterator<Item = [f64; 2]>, width: f64) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for [x, y] in places {
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
        if low[0] > high[0] {
            size = [0; 2];
        }
        let [left, right] = range(low[0], high[0], reach(width), size[0]);
        let [top, bottom] = range(low[1], high[1], reach(width), size[1]);
        let size = [right.saturating_sub(left), bottom.saturating_sub(top)];
        Self { at: [left, top], size, cover: vec![0; size[0] * size[1]] }
    }

    /// A line with round ends. `strength` goes from 0 to 1.
    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, strength: f64) {
        self.grow(from, to, width, strength, |_, _| {});
    }

    /// A line with round ends; `each` gets the places in the mask that it covers more than before, and how much.
    pub(crate) fn grow(
        &mut self,
        from: [f64; 2],
        to: [f64; 2],
        width: f64,
        strength: f64,
        mut each: impl FnMut(usize, u8),
    ) {
        let reach = reach(width);
        let inside = |one: f64, other: f64, low: usize, count: usize| {
            range(one, other, reach, (low + count) as u32).map(|at| at.saturating_sub(low))
        };
        let [left, right] = inside(from[0], to[0], self.at[0], self.size[0]);
        let [top, bottom] = inside(from[1], to[1], self.at[1], self.size[1]);
        let delta = [to[0] - from[0], to[1] - from[1]];
        let length = delta[0] * delta[0] + delta[1] * delta[1];
        let alpha = (strength * 255.0) as u8;
        for row in top..bottom {
            let first = row * self.size[0];
            let places = self.cover.get_mut(first + left..first + right).unwrap_or_default();
            // After an hour of walking, most rows are already covered. The comparison finds this out for many pixels
            // at once.
            if places.iter().fold(u8::MAX, |least, place| least.min(*place)) >= alpha {
                continue;
            }
            for (place, column) in places.iter_mut().zip(left..) {
                if *place >= alpha {
                    continue;
                }
                let [x, y] = [(self.at[0] + column) as f64, (self.at[1] + row) as f64];
                let here = [x + 0.5 - from[0], y + 0.5 - from[1]];
                let part = (here[0] * delta[0] + here[1] * delta[1]) / length;
                let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
                let off = [here[0] - delta[0] * part, here[1] - delta[1] * part];
                let distance = (off[0] * off[0] + off[1] * off[1]).sqrt();
                let cover = ((reach - distance).clamp(0.0, 1.0) * strength * 255.0) as u8;
                if cover > *place {
                    *place = cover;
                    each(first + column, cover);
                }
            }
        }
    }

    /// Raises the covered part of a place to `part`.
    pub(crate) fn set(&mut self, place: usize, cover: u8) {
        if let Some(it) = self.cover.get_mut(place) {
            *it = cover;
        }
    }

    /// Paints the covered pixels.
    pub(crate) fn paint(&self, frame: &mut RenderedFrame, color: Rgb, opacity: f64) {
        let [left, top] = self.at;
        let part = (opacity.clamp(0.0, 1.0) * 256.0) as u32;
        let rows = frame.rgba.as_chunks_mut::<4>().0.chunks_mut((frame.size[0] as usize).max(1));
        for (pixels, covers) in rows.skip(top).zip(self.cover.chunks(self.size[0].max(1))) {
            let pixels = pixels.get_mut(left..).unwrap_or_default();
            for (cover, pixel) in covers.iter().zip(pixels).filter(|(cover, _)| **cover > 0) {
                mix(pixel, color, u32::from(*cover) * part / 255);
            }
        }
    }
}

/// The distance from its middle up to which a line of this width covers pixels.
fn reach(width: f64) -> f64 {
    width / 2.0 + 0.5
}

/// The range of pixels from one place to another, extended by `reach`.
fn range(one: f64, other: f64, reach: f64, size: u32) -> [usize; 2] {
    let inside = |at: f64| at.clamp(0.0, f64::from(size)) as usize;
    [inside((one.min(other) - reach).floor()), inside((one.max(other) + reach).ceil())]
}

/// Mixes a color into a pixel: `part` 256ths of it.
fn mix(pixel: &mut [u8; 4], color: Rgb, part: u32) {
    for (old, new) in pixel.iter_mut().zip(color) {
        *old = ((u32::from(*old) * (256 - part) + u32::from(new) * part) >> 8) as u8;
    }
}

/// A rectangle between two corners in pixels, filled with `part` 256ths of a color.
pub(crate) fn fill(frame: &mut RenderedFrame, from: [i64; 2], to: [i64; 2], color: Rgb, part: u32) {
    let [width, height] = frame.size.map(i64::from);
    let [left, right] = [from[0], to[0]].map(|x| x.clamp(0, width) as usize);
    let [top, bottom] = [from[1], to[1]].map(|y| y.clamp(0, height) as usize);
    let rows = frame.rgba.as_chunks_mut::<4>().0.chunks_mut((width as usize).max(1));
    for row in rows.take(bottom).skip(top) {
        for pixel in row.get_mut(left..right.max(left)).unwrap_or_default() {
            mix(pixel, color, part.min(256));
        }
    }
}

/// Letters in a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pen {
    /// The pixels of a dot.
    pub(crate) dot: i64,
    pub(crate) color: Rgb,
}

impl Pen {
    /// The width of a text in pixels.
    pub(crate) fn width(self, text: &str) -> i64 {
        text.chars().count() as i64 * i64::from(LETTER_WIDTH) * self.dot
    }

    /// Writes a text; `at` is its upper left corner. A dark shadow keeps it readable over paths.
    pub(crate) fn write(self, frame: &mut RenderedFrame, at: [i64; 2], text: &str) {
        for (color, off) in [([0; 3], self.dot), (self.color, 0)] {
            for (letter, column) in text.chars().zip(0i64..) {
                for [x, y] in dots(letter) {
                    let left = at[0] + (column * i64::from(LETTER_WIDTH) + i64::from(x)) * self.dot + off;
                    let top = at[1] + i64::from(y) * self.dot + off;
                    fill(frame, [left, top], [left + self.dot, top + self.dot], color, 256);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_drawn_twice_is_no_brighter() {
        let mut mask = Mask::new([20, 10]);
        mask.line([2.0, 5.0], [18.0, 5.0], 2.0, 0.5);
        let once = mask.cover.clone();
        mask.line([18.0, 5.0], [2.0, 5.0], 2.0, 0.5);
        assert_eq!(mask.cover, once);
        let mut frame = RenderedFrame { size: [20, 10], rgba: [0, 0, 0, 255].repeat(200) };
        mask.paint(&mut frame, [200, 100, 0], 1.0);
        assert_eq!(frame.pixel(10, 4), Some([99, 49, 0, 255]));
        assert_eq!(frame.pixel(10, 1), Some([0, 0, 0, 255]));
    }

    #[test]
    fn a_partial_mask_covers_its_part_like_a_full_one() {
        let lines = [([3.2, 4.0], [14.0, 7.5]), ([-4.0, 6.0], [5.0, 2.0])];
        let painted = |mut mask: Mask| {
            for (from, to) in lines {
                mask.line(from, to, 2.5, 0.8);
            }
            let mut frame = RenderedFrame { size: [20, 10], rgba: vec![0; 800] };
            mask.paint(&mut frame, [255; 3], 1.0);
            frame
        };
        let ends = lines.into_iter().flat_map(|(from, to)| [from, to]);
        let part = Mask::around([20, 10], ends, 2.5);
        assert!(part.cover.len() < 200);
        assert_eq!(painted(part), painted(Mask::new([20, 10])));
        assert_eq!(Mask::around([20, 10], [], 2.5).cover.len(), 0);
    }

    #[test]
    fn drawing_outside_of_the_frame_is_clipped() {
        let mut mask = Mask::new([4, 4]);
        mask.line([-1e9, f64::NAN], [1e9, 2.0], 3.0, 1.0);
        let mut frame = RenderedFrame { size: [4, 4], rgba: vec![0; 64] };
        fill(&mut frame, [-9, 3], [99, 99], [1, 1, 1], 256);
        Pen { dot: 3, color: [9; 3] }.write(&mut frame, [-5, -5], "Hi");
        assert_eq!(frame.rgba.len(), 64);
    }
}
