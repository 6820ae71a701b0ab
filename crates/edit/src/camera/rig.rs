//! The mathematics of cameras: smooth paths, looking at things, circling around them. Nothing here knows a recording.

use crate::machinery::pose::{Point, distance};

/// The direction of a pitch and a yaw.
pub(super) fn forward([pitch, yaw, _]: [f64; 3]) -> Point {
    let ((down, level), (y, x)) = (pitch.to_radians().sin_cos(), yaw.to_radians().sin_cos());
    [level * x, level * y, -down]
}

/// One coordinate on a Catmull-Rom spline, `t` of the way from the second number to the third.
fn spline([before, from, to, after]: [f64; 4], t: f64) -> f64 {
    let (slope, far_slope) = ((to - before) / 2.0, (after - from) / 2.0);
    let square = 3.0 * (to - from) - 2.0 * slope - far_slope;
    let cube = 2.0 * (from - to) + slope + far_slope;
    ((cube * t + square) * t + slope) * t + from
}

/// A way through values, one after the other, each of `N` numbers. It goes through all of them, without a corner.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path<const N: usize> {
    points: Vec<[f64; N]>,
    /// The length of the path up to each step; a segment has [`STEPS`] of them. Empty for one point.
    lengths: Vec<f64>,
}

/// The steps in which a segment of a path is measured.
const STEPS: usize = 64;

/// The steps in which it is drawn.
const DRAWN: usize = 16;

impl<const N: usize> Path<N> {
    pub(super) fn new(points: Vec<[f64; N]>) -> Self {
        let mut path = Self { points, lengths: Vec::new() };
        let steps = path.points.len().saturating_sub(1) * STEPS;
        let (mut before, mut sum) = (path.part(0.0), 0.0);
        for step in 0..=steps {
            let here = path.part(step as f64 / STEPS as f64);
            sum += distance(&before, &here);
            path.lengths.push(sum);
            before = here;
        }
        path
    }

    /// The number of its points.
    pub(super) fn points(&self) -> usize {
        self.points.len()
    }

    /// Places along it, near enough to each other to be drawn.
    pub(super) fn places(&self) -> Vec<[f64; N]> {
        let last = self.points.len().saturating_sub(1);
        (0..=last * DRAWN).map(|step| self.part(step as f64 / DRAWN as f64)).collect()
    }

    /// The point on the path after this many segments, each of which leads from one point to the next.
    pub(super) fn part(&self, parts: f64) -> [f64; N] {
        let Some(last) = self.points.len().checked_sub(1) else { return [0.0; N] };
        let first = (parts.max(0.0) as usize).min(last.saturating_sub(1));
        let point = |at: usize| self.points.get(at.min(last)).copied().unwrap_or([0.0; N]);
        let around = [point(first.saturating_sub(1)), point(first), point(first + 1), point(first + 2)];
        let t = (parts - first as f64).clamp(0.0, 1.0);
        std::array::from_fn(|axis| spline(around.map(|it| it.get(axis).copied().unwrap_or(0.0)), t))
    }

    /// The point at `t` from 0 to 1, with the same time for each segment.
    pub(super) fn timed(&self, t: f64) -> [f64; N] {
        self.part(t.clamp(0.0, 1.0) * self.points.len().saturating_sub(1) as f64)
    }

    /// The point at `t` from 0 to 1, at an even speed.
    pub(super) fn even(&self, t: f64) -> [f64; N] {
        let wanted = t.clamp(0.0, 1.0) * self.lengths.last().copied().unwrap_or(0.0);
        let step = self.lengths.partition_point(|length| *length < wanted);
        let Some(before) = step.checked_sub(1) else { return self.part(0.0) };
        let length = |at: usize| self.lengths.get(at).copied().unwrap_or(wanted);
        let within = length(step) - length(before);
        let rest = if within > 0.0 { (wanted - length(before)) / within } else { 0.0 };
        self.part((before as f64 + rest) / STEPS as f64)
    }
}

/// The pitch and yaw from one place to another, without a roll.
pub(super) fn look_at(from: Point, to: Point) -> [f64; 3] {
    let [x, y, z] = std::array::from_fn(|axis| {
        to.get(axis).copied().unwrap_or(0.0) - from.get(axis).copied().unwrap_or(0.0)
    });
    let flat = x.hypot(y);
    [-z.atan2(flat).to_degrees(), if flat > 0.0 { y.atan2(x).to_degrees() } else { 0.0 }, 0.0]
}

/// The place `away` units from another in the direction `yaw`, and `above` it.
pub(super) fn beside([x, y, z]: Point, yaw: f64, away: f64, above: f64) -> Point {
    let (sin, cos) = yaw.to_radians().sin_cos();
    [x + cos * away, y + sin * away, z + above]
}

/// The number of segments of a path that are done at `progress`, if each of its points has a time. The speed changes
/// without a jump and never turns back; `soft` makes a soft start and end.
pub(super) fn paced(times: &[f64], progress: f64, soft: bool) -> Option<f64> {
    let (first, last) = (times.first()?, times.last()?);
    let now = first + (last - first) * progress.clamp(0.0, 1.0);
    let at = times.partition_point(|time| *time <= now).checked_sub(1)?.min(times.len().checked_sub(2)?);
    // The speed in segments per second, between two points and at a point.
    let speed = |at: usize| Some(1.0 / (times.get(at + 1)? - times.get(at)?));
    let speed_at = |at: usize| match (at.checked_sub(1).and_then(speed), speed(at)) {
        (Some(before), Some(after)) => 2.0 * before * after / (before + after),
        (Some(_), None) | (None, Some(_)) if soft => 0.0,
        (one, other) => one.or(other).unwrap_or_default(),
    };
    let length = 1.0 / speed(at)?;
    let t = (now - times.get(at)?) / length;
    let [from, to] = [speed_at(at) * length, speed_at(at + 1) * length];
    // Hermite's curve from 0 to 1 with these slopes at its ends.
    let part = ((from + to - 2.0) * t + 3.0 - 2.0 * from - to) * t * t + from * t;
    Some(at as f64 + part)
}

/// A soft start and a soft end.
pub(super) fn ease(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machinery::pose::turn;

    fn assert_near<const N: usize>(one: [f64; N], other: [f64; N]) {
        assert!(distance(&one, &other) < 1e-6, "{one:?} {other:?}");
    }

    #[test]
    fn a_path_goes_through_its_points() {
        let points = vec![[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [100.0, 200.0, 0.0], [0.0, 200.0, 50.0]];
        let path = Path::new(points.clone());
        for (at, point) in points.iter().enumerate() {
            assert_near(path.timed(at as f64 / 3.0), *point);
        }
        assert_near(path.even(0.0), points[0]);
        assert_near(path.even(1.0), points[3]);
        assert_near(path.even(-1.0), points[0]);
        assert_near(path.timed(7.0), points[3]);
    }

    #[test]
    fn a_path_has_no_corner_and_an_even_speed() {
        let path = Path::new(vec![[0.0, 0.0], [100.0, 0.0], [100.0, 10.0], [0.0, 200.0]]);
        let steps: Vec<[f64; 2]> = (0..=1000).map(|step| path.even(f64::from(step) / 1000.0)).collect();
        let speeds: Vec<f64> = steps.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
        let (least, most) =
            speeds.iter().fold((f64::MAX, 0.0_f64), |(least, most), it| (least.min(*it), most.max(*it)));
        assert!(most / least < 1.15, "{least} to {most}");
    }

    #[test]
    fn one_point_is_a_path_too() {
        assert_near(Path::new(vec![[1.0, 2.0, 3.0]]).even(0.5), [1.0, 2.0, 3.0]);
        assert_near(Path::new(vec![[1.0], [1.0]]).even(0.5), [1.0]);
        assert_near(Path::<1>::new(Vec::new()).timed(0.5), [0.0]);
    }

    #[test]
    fn times_are_kept_and_nothing_goes_backwards() {
        let times = [2.0, 3.0, 7.0, 7.5];
        for (at, time) in times.iter().enumerate() {
            let parts = paced(&times, (time - 2.0) / 5.5, true).unwrap();
            assert!((parts - at as f64).abs() < 1e-9, "{at} {parts}");
        }
        for soft in [false, true] {
            let parts: Vec<f64> =
                (0..=1000).map(|it| paced(&times, f64::from(it) / 1000.0, soft).unwrap()).collect();
            assert!(parts.is_sorted(), "{soft}");
            let steps: Vec<f64> = parts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert_eq!(steps[0] < 1e-4, soft, "a soft start");
            assert!(steps.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1e-3), "no jump in speed");
        }
        assert_eq!(paced(&[], 0.5, false), None);
        assert_eq!(paced(&[1.0], 0.5, false), None);
    }

    #[test]
    fn looking_at_a_place() {
        assert_near(look_at([0.0; 3], [10.0, 0.0, 0.0]), [0.0, 0.0, 0.0]);
        assert_near(look_at([0.0; 3], [0.0, 10.0, 0.0]), [0.0, 90.0, 0.0]);
        assert_near(look_at([1.0, 1.0, 1.0], [11.0, 1.0, 11.0]), [-45.0, 0.0, 0.0]);
        assert_near(look_at([0.0; 3], [0.0, 0.0, -5.0]), [90.0, 0.0, 0.0]);
    }

    #[test]
    fn beside_and_turning() {
        assert_near(beside([1.0, 2.0, 3.0], 90.0, 10.0, 5.0), [1.0, 12.0, 8.0]);
        assert_near([turn(350.0, 10.0), turn(10.0, 350.0), turn(0.0, 540.0)], [20.0, -20.0, -180.0]);
        assert_near([ease(0.0), ease(0.5), ease(1.0), ease(2.0)], [0.0, 0.5, 1.0, 1.0]);
    }
}
