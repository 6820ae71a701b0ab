//! Vectors and angles. Sines and roots are computed by `libm`, so that every machine computes the same bits.

use crate::Vec3;

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vec3, by: f32) -> Vec3 {
    a.map(|part| part * by)
}

/// The place `by` units from `a` in direction `b`.
pub(crate) fn along(a: Vec3, by: f32, b: Vec3) -> Vec3 {
    add(a, scale(b, by))
}

pub(crate) fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vec3) -> f32 {
    libm::sqrtf(dot(a, a))
}

/// The direction of a vector; zero stays zero.
pub(crate) fn unit(a: Vec3) -> Vec3 {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

pub(crate) fn lerp(a: Vec3, b: Vec3, by: f32) -> Vec3 {
    add(a, scale(sub(b, a), by))
}

/// Interpolates angles, each on the shorter way.
pub(crate) fn lerp_angles(a: Vec3, b: Vec3, by: f32) -> Vec3 {
    let one = |a: f32, b: f32| {
        let way = (b - a) % 360.0;
        let way = if way > 180.0 { way - 360.0 } else { way };
        let way = if way < -180.0 { way + 360.0 } else { way };
        a + way * by
    };
    [one(a[0], b[0]), one(a[1], b[1]), one(a[2], b[2])]
}

pub(crate) fn is_finite(a: Vec3) -> bool {
    a.iter().all(|part| part.is_finite())
}

/// The largest coordinate in a level; larger numbers are damage.
const FARTHEST: f32 = 1e6;

/// Makes a place or angle of a damaged recording finite and limits its size.
pub(crate) fn bounded(a: Vec3) -> Vec3 {
    a.map(|part| if part.is_finite() { part.clamp(-FARTHEST, FARTHEST) } else { 0.0 })
}

pub(crate) fn sin(degrees: f32) -> f32 {
    libm::sinf(degrees.to_radians())
}

pub(crate) fn cos(degrees: f32) -> f32 {
    libm::cosf(degrees.to_radians())
}

/// The forward, right and up directions for these angles.
pub(crate) fn axes(angles: Vec3) -> [Vec3; 3] {
    let [pitch, yaw, roll] = angles;
    let (sp, cp, sy, cy, sr, cr) = (sin(pitch), cos(pitch), sin(yaw), cos(yaw), sin(roll), cos(roll));
    let forward = [cp * cy, cp * sy, -sp];
    let right = [-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp];
    let up = [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp];
    [forward, right, up]
}

/// Pitch (up is positive) and yaw of a direction.
pub(crate) fn angles_of(way: Vec3) -> (f32, f32) {
    let [x, y, z] = way;
    if x == 0.0 && y == 0.0 {
        return (if z > 0.0 { 90.0 } else { 270.0 }, 0.0);
    }
    let flat = libm::sqrtf(x * x + y * y);
    let turn = |a: f32| if a < 0.0 { a + 360.0 } else { a };
    (turn(libm::atan2f(z, flat).to_degrees()), turn(libm::atan2f(y, x).to_degrees()))
}

/// Two directions perpendicular to a third, as Quake II's effects choose them.
pub(crate) fn across(forward: Vec3) -> [Vec3; 2] {
    let [x, y, z] = forward;
    let right = [z, -x, y];
    let right = unit(sub(right, scale(forward, dot(right, forward))));
    [right, cross(right, forward)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_take_the_short_way() {
        let near = |a: Vec3, b: Vec3| assert!(length(sub(a, b)) < 1e-3, "{a:?} {b:?}");
        near(lerp_angles([350.0, 10.0, 0.0], [10.0, 350.0, 180.0], 0.5), [360.0, 0.0, 90.0]);
        near(axes([0.0, 90.0, 0.0])[0], [0.0, 1.0, 0.0]);
        near(axes([90.0, 0.0, 0.0])[0], [0.0, 0.0, -1.0]);
    }

    #[test]
    fn damage_becomes_numbers() {
        assert_eq!(
            bounded([f32::NAN, f32::INFINITY, -1e30]).map(f32::to_bits),
            [0.0, 0.0, -FARTHEST].map(f32::to_bits)
        );
    }
}
