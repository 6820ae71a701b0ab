//! The floors in a view from above: places where any player walked. Lower floors are darker and drawn below higher
//! ones.

use crate::canvas::{Mask, Rgb};
use crate::map::{MapScale, Walk, lines};
use crate::overhead::PAPER;
use moviola_render::RenderedFrame;

/// The colors of the lowest and the highest floor.
const FLOOR_COLORS: [Rgb; 2] = [[34, 38, 46], [62, 68, 78]];

/// The width of a floor in units of the game: a player is 32 wide.
const FLOOR_WIDTH: f64 = 72.0;

/// Draws the floors, the lower ones first and darker. If a floor is above another one, it has a dark edge.
pub(crate) fn draw_floors(walks: &[Walk<'_>], scale: &MapScale, frame: &mut RenderedFrame) {
    let width = (FLOOR_WIDTH * scale.factor).max(3.0);
    let edge = (width / 12.0).max(1.0);
    let floors = Floors::of(walks.iter().flat_map(|walk| walk.samples.iter().filter_map(|sample| sample.at)));
    for number in 0..floors.count {
        let [mut floor, mut edges] = [(); 2].map(|()| Mask::new(frame.size));
        for walk in walks {
            // A fall or a ride upwards belongs to the floor below.
            lines(walk.samples, scale, |from, to, sample| {
                let heights = [sample.before, sample.here].map(|height| floors.of_height(height));
                if heights[0].min(heights[1]) == number {
                    floor.line(from, to, width, 1.0);
                    // The lowest floor is above no other.
                    if number > 0 {
                        edges.line(from, to, width + 2.0 * edge, 1.0);
                    }
                }
            });
        }
        if number > 0 {
            edges.paint(frame, PAPER, 0.8);
        }
        floor.paint(frame, floors.color(number), 1.0);
    }
}

/// The division of a level into floors: a floor is a set of places of about the same height where players walked.
#[derive(Clone, Copy, Debug)]
struct Floors {
    lowest: f32,
    /// The height of a floor.
    height: f32,
    count: usize,
}

/// The least height of a floor: a player who jumps is still on the same floor, and stairs are not floors.
const FLOOR_HEIGHT: f32 = 112.0;

/// The greatest number of floors; in taller levels floors are higher.
const MOST_FLOORS: f32 = 8.0;

impl Floors {
    fn of(places: impl Iterator<Item = [f32; 3]>) -> Self {
        let heights = places.map(|[_, _, height]| height).filter(|height| height.is_finite());
        let (low, high) =
            heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)));
        let span = (high - low).max(0.0);
        let height = (span / MOST_FLOORS).max(FLOOR_HEIGHT);
        // Begins half a floor below the lowest position, so that jumps on the lowest floor stay on it.
        let count = if span > 0.0 { (span / height).ceil().min(MOST_FLOORS) as usize } else { 1 };
        Self { lowest: low, height, count: count.max(1) }
    }

    fn of_height(&self, height: f32) -> usize {
        (((height - self.lowest) / self.height) as usize).min(self.count.saturating_sub(1))
    }

    /// From dark at the bottom to light at the top; a single floor has the color between.
    fn color(&self, number: usize) -> Rgb {
        let part = if self.count > 1 { number as f64 / (self.count - 1) as f64 } else { 0.5 };
        let mut color = FLOOR_COLORS[0];
        for (low, high) in color.iter_mut().zip(FLOOR_COLORS[1]) {
            *low = (f64::from(*low) + (f64::from(high) - f64::from(*low)) * part) as u8;
        }
        color
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_those_of_heights_and_the_lower_is_darker() {
        let floors_of = |heights: &[f32]| Floors::of(heights.iter().map(|height| [0.0, 0.0, *height]));
        assert_eq!(floors_of(&[24.0]).count, 1);
        assert_eq!(floors_of(&[24.0, 69.0]).count, 1, "a jump");
        let two = floors_of(&[24.0, 200.0, f32::NAN]);
        assert_eq!((two.of_height(24.0), two.of_height(69.0), two.of_height(200.0)), (0, 0, 1));
        assert!(two.color(0) < two.color(1));
        let deep = floors_of(&[-4000.0, 4000.0]);
        assert_eq!((deep.count, deep.of_height(4000.0)), (MOST_FLOORS as usize, MOST_FLOORS as usize - 1));
        assert_eq!(floors_of(&[]).count, 1);
    }
}
