//! Triangles of models as the software renderers draw them: their corners are at the middles of pixels, and texture and
//! light are linear on the screen. Both effects are visible in the weapon in hand, whose triangles are near and steep.

use crate::space::{Slope, V3, View, add, scale, sub};
use crate::work::{Paint, Work};

/// The distance of the near plane, at which nearer parts are cut off.
const NEAR: f64 = 5.0;

/// A corner: its place relative to the eye, and texture coordinates and light.
pub(crate) type Corner = (V3, [f64; 3]);

/// Draws a triangle whose corners run clockwise, or the other way if it is mirrored. `pixels` are those of the corners.
/// `paint` gets the slopes of texture coordinates and light.
pub(crate) fn triangle(
    work: &mut Work,
    view: &View,
    (corners, pixels): ([Corner; 3], [[f64; 2]; 3]),
    how: (bool, f64),
    paint: impl Fn([Slope; 3]) -> Paint,
) {
    if corners.iter().flat_map(|(place, _)| place).any(|part| !part.is_finite()) {
        return;
    }
    if corners.iter().all(is_ahead) {
        return whole(work, view, corners, pixels, how, paint);
    }
    let [Some(first), second, third, fourth] = in_front(&corners) else { return };
    for (one, other) in [(second, third), (third, fourth)] {
        let (Some(one), Some(other)) = (one, other) else { continue };
        let corners = [first, one, other];
        whole(work, view, corners, corners.map(|(place, _)| pixel(view, place)), how, &paint);
    }
}

/// The middle of the pixel in which a place in front of the eye is seen. Engines truncate the fraction of a pixel.
pub(crate) fn pixel(view: &View, place: V3) -> [f64; 2] {
    view.project(place).map(|part| (part - 0.5).trunc() + 0.5)
}

/// Draws a triangle that is in front of the eye.
fn whole(
    work: &mut Work,
    view: &View,
    corners: [Corner; 3],
    pixels: [[f64; 2]; 3],
    (is_mirrored, nearer): (bool, f64),
    paint: impl Fn([Slope; 3]) -> Paint,
) {
    let [[ax, ay], [bx, by], [cx, cy]] = pixels;
    let area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if area == 0.0 || (area < 0.0) != is_mirrored {
        return;
    }
    let values = corners.map(|([_, _, depth], [s, t, light])| [1.0 / depth, s, t, light]);
    let slope =
        |at: usize| Slope::through(pixels, values.map(|values| values.get(at).copied().unwrap_or_default()));
    if let (Some(depth), Some(s), Some(t), Some(light)) = (slope(0), slope(1), slope(2), slope(3)) {
        work.add_flat(view, pixels, depth.times(nearer), paint([s, t, light]));
    }
}

/// How far a corner is in front of the near plane.
fn ahead((place, _): &Corner) -> f64 {
    let [_, _, depth] = *place;
    depth - NEAR
}

fn is_ahead(corner: &Corner) -> bool {
    ahead(corner) >= 0.0
}

/// The corners of the part in front of the eye: at most four.
fn in_front(corners: &[Corner; 3]) -> [Option<Corner>; 4] {
    let mut left = [None; 4];
    let mut free = left.iter_mut();
    let mut keep = |corner: Corner| {
        if let Some(to) = free.next() {
            *to = Some(corner);
        }
    };
    let [.., mut before] = *corners;
    for corner in corners {
        let (old, new) = (ahead(&before), ahead(corner));
        if (old >= 0.0) != (new >= 0.0) {
            let part = old / (old - new);
            let between = |from: V3, to: V3| add(from, scale(sub(to, from), part));
            keep((between(before.0, corner.0), between(before.1, corner.1)));
        }
        if new >= 0.0 {
            keep(*corner);
        }
        before = *corner;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_cut_in_front_of_the_eye() {
        let corner = |depth: f64| ([depth, 0.0, depth], [depth, 0.0, 0.0]);
        let count = |depths: [f64; 3]| in_front(&depths.map(corner)).iter().flatten().count();
        assert_eq!(count([9.0, 9.0, 9.0]), 3);
        assert_eq!(count([1.0, 9.0, 9.0]), 4);
        assert_eq!(count([1.0, 1.0, 9.0]), 3);
        assert_eq!(count([1.0, 1.0, 1.0]), 0);
        let cut = in_front(&[1.0, 9.0, 9.0].map(corner));
        // Corners of the same point have equal positions and values.
        let same = |a: f64, b: f64| (a - b).abs() < f64::EPSILON;
        let fits = |([x, _, depth], [s, ..]): &([f64; 3], [f64; 3])| {
            *depth >= NEAR && same(*x, *s) && same(*x, *depth)
        };
        assert!(cut.iter().flatten().all(fits));
    }
}
