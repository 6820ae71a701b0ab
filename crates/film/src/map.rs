//! Positions in a view from above: the scale of a map, and the position of a player at a moment.

use moviola_export::RecorderSample;

/// The place of the game's units in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MapScale {
    /// Pixels for a unit.
    pub(crate) factor: f64,
    /// The middle of the map in units, and in pixels.
    middle: [f64; 2],
    center: [f64; 2],
}

/// A map covers at least this many units, so that a player who stands still does not fill it.
const MIN_EXTENT: f64 = 256.0;

/// The lowest and the highest coordinates of places, to the east and to the north.
pub(crate) fn bounds(places: impl Iterator<Item = [f32; 3]>) -> Option<[[f64; 2]; 2]> {
    places.map(|[x, y, _]| [x, y].map(f64::from)).filter(|at| at.iter().all(|it| it.is_finite())).fold(
        None,
        |known, [x, y]| {
            let [[west, south], [east, north]] = known.unwrap_or([[x, y]; 2]);
            Some([[west.min(x), south.min(y)], [east.max(x), north.max(y)]])
        },
    )
}

impl MapScale {
    /// The largest scale at which all places lie inside of the margins: left, top, right and bottom in pixels.
    pub(crate) fn fitting([low, high]: [[f64; 2]; 2], size: [u32; 2], margins: [u32; 4]) -> Self {
        let [width, height] = size.map(f64::from);
        let [left, top, right, bottom] = margins.map(f64::from);
        let room = [width - left - right, height - top - bottom].map(|it| it.max(1.0));
        // The margin around the places is half as wide as the floor below a player.
        let extent = [high[0] - low[0], high[1] - low[1]].map(|it| (it + 80.0).max(MIN_EXTENT));
        let factor = (room[0] / extent[0]).min(room[1] / extent[1]);
        let middle = [f64::midpoint(low[0], high[0]), f64::midpoint(low[1], high[1])];
        Self { factor, middle, center: [left + room[0] / 2.0, top + room[1] / 2.0] }
    }

    /// The pixel of a place. North is up.
    pub(crate) fn pixel(&self, [x, y, _]: [f32; 3]) -> [f64; 2] {
        let [east, north] = [f64::from(x) - self.middle[0], f64::from(y) - self.middle[1]];
        [self.center[0] + east * self.factor, self.center[1] - north * self.factor]
    }

    /// The largest power of two, in units, that is at most this many pixels long.
    pub(crate) fn round_units(&self, pixels: f64) -> f64 {
        let mut units = 1.0;
        while units < 65536.0 && units * 2.0 * self.factor <= pixels {
            units *= 2.0;
        }
        units
    }
}

/// The path of a player through a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'s> {
    pub(crate) name: &'s str,
    pub(crate) samples: &'s [RecorderSample],
}

/// Where a player is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) at: [f32; 3],
    pub(crate) yaw: f32,
    /// Whether the position is interpolated between two known ones.
    pub(crate) is_on_the_way: bool,
    /// The seconds since it was seen.
    pub(crate) age: f64,
}

/// The clock of a sample is less precise than that of a scene, by this much.
pub(crate) const ROUNDED: f64 = 1e-3;

/// The distance in a tenth of a second that no player walks.
const JUMP: f32 = 160.0;

/// Whether a player went from one place to the next, without a teleporter or a pause between them.
pub(crate) fn joined(before: &RecorderSample, sample: &RecorderSample) -> bool {
    let (Some(from), Some(to)) = (before.at, sample.at) else { return false };
    let (east, north) = (to[0] - from[0], to[1] - from[1]);
    let most = JUMP * ((sample.time - before.time) * 10.0).max(1.0);
    !sample.begins && east * east + north * north <= most * most
}

impl<'s> Walk<'s> {
    /// The samples up to a moment.
    fn so_far(&self, time: f64) -> &'s [RecorderSample] {
        let end = self.samples.partition_point(|sample| f64::from(sample.time) <= time + ROUNDED);
        self.samples.get(..end).unwrap_or_default()
    }

    /// Where the player is, if he was seen yet.
    pub(crate) fn place(&self, time: f64) -> Option<Place> {
        let so_far = self.so_far(time);
        let last = so_far.iter().rfind(|sample| sample.at.is_some())?;
        let at = last.at?;
        let here =
            Place { at, yaw: last.yaw, is_on_the_way: false, age: (time - f64::from(last.time)).max(0.0) };
        let next = self.samples.get(so_far.len()).filter(|next| joined(last, next));
        let Some((next, to)) = next.and_then(|next| Some((next, next.at?))) else { return Some(here) };
        let part = (here.age / f64::from(next.time - last.time)).clamp(0.0, 1.0) as f32;
        let mut between = at;
        for (from, to) in between.iter_mut().zip(to) {
            *from += (to - *from) * part;
        }
        // The turn in the shorter direction.
        let turn = (next.yaw - last.yaw + 180.0).rem_euclid(360.0) - 180.0;
        Some(Place { at: between, yaw: last.yaw + turn * part, is_on_the_way: true, age: 0.0 })
    }
}

/// A piece of a path: the time of its end, and the heights of both ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathPiece {
    pub(crate) time: f64,
    pub(crate) before: f32,
    pub(crate) here: f32,
}

/// Calls `line` for each piece of a path. Points that are too near to the last one are left out.
pub(crate) fn lines(
    samples: &[RecorderSample],
    scale: &MapScale,
    mut line: impl FnMut([f64; 2], [f64; 2], PathPiece),
) {
    const MIN_SPACING: f64 = 0.7;
    let mut last: Option<(&RecorderSample, [f64; 2], f32)> = None;
    for sample in samples {
        let Some(at @ [_, _, height]) = sample.at else { continue };
        let (here, time) = (scale.pixel(at), f64::from(sample.time));
        match last {
            Some((before, from, low)) if joined(before, sample) => {
                if (here[0] - from[0]).abs() + (here[1] - from[1]).abs() < MIN_SPACING {
                    continue;
                }
                line(from, here, PathPiece { time, before: low, here: height });
            }
            _ => line(here, here, PathPiece { time, before: height, here: height }),
        }
        last = Some((sample, here, height));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::float_cmp, reason = "a test")]
mod tests {
    use super::*;

    fn sample(time: f32, x: f32, yaw: f32) -> RecorderSample {
        RecorderSample { time, at: Some([x, 0.0, 24.0]), yaw, ..RecorderSample::default() }
    }

    #[test]
    fn all_places_lie_inside_of_the_margins_and_north_is_up() {
        let places = [[-1000.0, 50.0, 0.0], [3000.0, -250.0, 0.0], [f32::NAN, 0.0, 0.0]];
        let bounds = bounds(places.into_iter()).unwrap();
        assert_eq!(bounds, [[-1000.0, -250.0], [3000.0, 50.0]]);
        let scale = MapScale::fitting(bounds, [640, 360], [16, 14, 16, 26]);
        let [west, east] = [scale.pixel(places[0]), scale.pixel(places[1])];
        assert!(west[0] > 16.0 && east[0] < 624.0 && west[1] < east[1]);
        // The scale is the same in both directions.
        assert!(((east[0] - west[0]) / 4000.0 - (east[1] - west[1]) / 300.0).abs() < 1e-9);
        let units = scale.round_units(100.0);
        assert!(units * scale.factor <= 100.0 && units * scale.factor > 50.0);
    }

    #[test]
    fn a_player_who_stands_still_does_not_fill_the_map() {
        let bounds = bounds([[7.0, 7.0, 7.0]].into_iter()).unwrap();
        let scale = MapScale::fitting(bounds, [512, 512], [0; 4]);
        assert_eq!((scale.factor, scale.pixel([7.0, 7.0, 0.0])), (2.0, [256.0, 256.0]));
    }

    #[test]
    fn a_place_between_two_samples_is_on_the_line_between_them() {
        let samples = [sample(1.0, 0.0, 350.0), sample(1.1, 20.0, 10.0), sample(1.2, 900.0, 0.0)];
        let walk = Walk { name: "Ranger", samples: &samples };
        assert_eq!(walk.place(0.9), None);
        let half = walk.place(1.05).unwrap();
        assert!((half.at[0] - 10.0).abs() < 1e-3 && (half.yaw - 360.0).abs() < 1e-3);
        // A teleport has no places in between.
        let before = walk.place(1.15).unwrap();
        assert_eq!((before.at[0], before.is_on_the_way), (20.0, false));
        assert!(walk.place(9.0).unwrap().age > MAX_LENGTH);
    }

    const MAX_LENGTH: f64 = 7.0;
}
