//! The paths of players up to each moment: computed once for a level and a size, so that a picture of the last moment
//! of an hour takes no longer than one of the first.

use crate::canvas::{Mask, Rgb};
use crate::map::{MapScale, ROUNDED, Walk, lines};
use moviola_render::RenderedFrame;

/// For how many seconds the last part of a path is bright.
const BRIGHT_SECONDS: f64 = 4.0;

/// The widths of a path and of its bright part, in dots.
const WIDTH: f64 = 1.2;
const BRIGHT: f64 = 2.0;

/// A player's path, and the pixels that it covers, in the order of time.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    pieces: Vec<GrownPiece>,
    /// Indexes of pixels in the picture's mask, each with the share of the pixel that is covered from then on.
    places: Vec<u32>,
    covers: Vec<u8>,
}

/// A piece of a path, and the number of pixels that the path covers up to its end. A path has very many pieces, so this
/// is kept small.
#[derive(Clone, Copy, Debug)]
struct GrownPiece {
    from: [f32; 2],
    to: [f32; 2],
    time: f32,
    covered: u32,
}

impl Growth {
    /// The growth of a path in a picture of this size.
    pub(crate) fn of(walk: &Walk<'_>, scale: &MapScale, dot: f64, size: [u32; 2]) -> Self {
        let (mut growth, mut mask) = (Self::default(), Mask::new(size));
        lines(walk.samples, scale, |from, to, piece| {
            mask.grow(from, to, WIDTH * dot, 1.0, |place, cover| {
                growth.places.push(place as u32);
                growth.covers.push(cover);
            });
            let [from, to] = [from, to].map(|at| at.map(|part| part as f32));
            let covered = growth.places.len() as u32;
            growth.pieces.push(GrownPiece { from, to, time: piece.time as f32, covered });
        });
        growth
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.pieces.len() * size_of::<GrownPiece>() + self.places.len() * 5
    }

    /// Draws the path up to a moment, and on to the player's position at that moment: all of it faintly, and the last
    /// seconds brightly.
    pub(crate) fn draw(
        &self,
        time: f64,
        here: Option<[f64; 2]>,
        dot: f64,
        frame: &mut RenderedFrame,
        color: Rgb,
    ) {
        let until = |time: f64| self.pieces.partition_point(|piece| f64::from(piece.time) <= time);
        let so_far = self.pieces.get(..until(time + ROUNDED)).unwrap_or_default();
        let Some(last) = so_far.last() else { return };
        let mut all = Mask::new(frame.size);
        for (place, cover) in self.places.iter().zip(&self.covers).take(last.covered as usize) {
            all.set(*place as usize, *cover);
        }
        all.paint(frame, color, 0.38);
        let recent = so_far.get(until(time - BRIGHT_SECONDS)..).unwrap_or_default();
        let wide = |at: [f32; 2]| at.map(f64::from);
        let pieces = recent.iter().map(|piece| (wide(piece.from), wide(piece.to), piece.time.into()));
        let bright: Vec<_> = pieces.chain(here.map(|here| (wide(last.to), here, time))).collect();
        let ends = bright.iter().flat_map(|(from, to, _)| [*from, *to]);
        let mut mask = Mask::around(frame.size, ends, BRIGHT * dot);
        for (from, to, when) in bright {
            let strength = (1.0 - (time - when) / BRIGHT_SECONDS).clamp(0.0, 1.0);
            mask.line(from, to, BRIGHT * dot, strength);
        }
        mask.paint(frame, color, 0.9);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_export::RecorderSample;

    #[test]
    fn a_growing_way_equals_the_way_up_to_each_moment() {
        let sample = |step: u64| {
            let time = step as f32 / 10.0;
            // A spiral that crosses itself.
            let at = [(time * 2.0).cos() * time * 9.0, (time * 3.0).sin() * time * 9.0, 0.0];
            RecorderSample { block: step, time, at: Some(at), ..RecorderSample::default() }
        };
        let samples: Vec<RecorderSample> = (0..200).map(sample).collect();
        let size = [160, 120];
        let walk = |samples| Walk { name: "", samples };
        let scale = MapScale::fitting([[-200.0; 2], [200.0; 2]], size, [0; 4]);
        let all_growth = Growth::of(&walk(&samples), &scale, 1.0, size);
        for known in [1, 2, 57, 199, 200] {
            let part = samples.get(..known).unwrap_or_default();
            let time = part.last().map_or(0.0, |sample| f64::from(sample.time));
            let drawn = |growth: &Growth| {
                let mut frame = RenderedFrame { size, rgba: vec![0; 160 * 120 * 4] };
                growth.draw(time, Some([80.0, 60.0]), 1.0, &mut frame, [255; 3]);
                frame
            };
            let alone = Growth::of(&walk(part), &scale, 1.0, size);
            assert_eq!(drawn(&all_growth), drawn(&alone), "after {known} places");
            assert!(drawn(&all_growth).rgba.iter().any(|part| *part > 0));
        }
        assert!(all_growth.bytes() < 200 * 24 + 160 * 120 * 5 * 8);
    }
}
