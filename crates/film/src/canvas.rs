//! Lines, dots, rectangles and letters in a frame, with soft edges.

use crate::letters::{STEP, dots};
use moviola_render::Frame;

pub(crate) type Rgb = [u8; 3];

/// How much of each pixel is covered. Lines that cross cover a pixel once, so that a way which is walked twice does not
/// grow brighter.
#[derive(Clone, Debug)]
pub(crate) struct Mask {
    size: [u32; 2],
    cover: Vec<u8>,
    /// The first row with anything in it, and the one behind the last.
    rows: [usize; 2],
}

impl Mask {
    pub(crate) fn new(size: [u32; 2]) -> Self {
        let [width, height] = size.map(|side| side as usize);
        Self { size, cover: vec![0; width * height], rows: [height, 0] }
    }

    /// A line with round ends. `strength` goes from 0 to 1.
    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, strength: f64) {
        let reach = width / 2.0 + 0.5;
        let [left, right] = range(from[0], to[0], reach, self.size[0]);
        let [top, bottom] = range(from[1], to[1], reach, self.size[1]);
        self.rows = [self.rows[0].min(top), self.rows[1].max(bottom)];
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0] * way[0] + way[1] * way[1];
        for row in top..bottom {
            for column in left..right {
                let here = [column as f64 + 0.5 - from[0], row as f64 + 0.5 - from[1]];
                let part = (here[0] * way[0] + here[1] * way[1]) / length;
                let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
                let off = [here[0] - way[0] * part, here[1] - way[1] * part];
                let distance = (off[0] * off[0] + off[1] * off[1]).sqrt();
                let cover = ((reach - distance).clamp(0.0, 1.0) * strength * 255.0) as u8;
                if let Some(place) = self.cover.get_mut(row * self.size[0] as usize + column) {
                    *place = (*place).max(cover);
                }
            }
        }
    }

    /// Paints what is covered.
    pub(crate) fn paint(&self, frame: &mut Frame, color: Rgb, opacity: f64) {
        let width = self.size[0] as usize;
        let [first, last] = self.rows.map(|row| row * width);
        let part = (opacity.clamp(0.0, 1.0) * 256.0) as u32;
        let covers = self.cover.get(first..last).unwrap_or_default();
        let pixels = frame.rgba.as_chunks_mut::<4>().0.iter_mut().skip(first);
        for (cover, pixel) in covers.iter().zip(pixels).filter(|(cover, _)| **cover > 0) {
            mix(pixel, color, u32::from(*cover) * part / 255);
        }
    }
}

/// The pixels between two places and a little beside them.
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

/// A rectangle between two corners in pixels, filled with so many 256ths of a color.
pub(crate) fn fill(frame: &mut Frame, from: [i64; 2], to: [i64; 2], color: Rgb, part: u32) {
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
        text.chars().count() as i64 * i64::from(STEP) * self.dot
    }

    /// Writes a text; `at` is its left upper corner. A dark shadow keeps it readable on ways.
    pub(crate) fn write(self, frame: &mut Frame, at: [i64; 2], text: &str) {
        for (color, off) in [([0; 3], self.dot), (self.color, 0)] {
            for (letter, column) in text.chars().zip(0i64..) {
                for [x, y] in dots(letter) {
                    let left = at[0] + (column * i64::from(STEP) + i64::from(x)) * self.dot + off;
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
        let mut frame = Frame { size: [20, 10], rgba: [0, 0, 0, 255].repeat(200) };
        mask.paint(&mut frame, [200, 100, 0], 1.0);
        assert_eq!(frame.pixel(10, 4), Some([99, 49, 0, 255]));
        assert_eq!(frame.pixel(10, 1), Some([0, 0, 0, 255]));
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let mut mask = Mask::new([4, 4]);
        mask.line([-1e9, f64::NAN], [1e9, 2.0], 3.0, 1.0);
        let mut frame = Frame { size: [4, 4], rgba: vec![0; 64] };
        fill(&mut frame, [-9, 3], [99, 99], [1, 1, 1], 256);
        Pen { dot: 3, color: [9; 3] }.write(&mut frame, [-5, -5], "Hi");
        assert_eq!(frame.rgba.len(), 64);
    }
}
