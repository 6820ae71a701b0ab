//! The camera behind a player.

use crate::vector::{add, along, axes};
use crate::{Library, Vec3};

/// How far behind the eyes it is, and how far above them, in units.
const DISTANCE_BEHIND: f32 = 96.0;
const HEIGHT_ABOVE: f32 = 20.0;

/// The position and the angles of a camera behind the eyes, not beyond a wall. It does not roll with the eyes.
pub(crate) fn camera_behind(files: &dyn Library, level: &str, eye: Vec3, angles: Vec3) -> (Vec3, Vec3) {
    let [pitch, yaw, _] = angles;
    let [forward, ..] = axes([pitch, yaw, 0.0]);
    let wanted = along(add(eye, [0.0, 0.0, HEIGHT_ABOVE]), -DISTANCE_BEHIND, forward);
    (files.reach(level, eye, wanted), [pitch, yaw, 0.0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoFiles;

    struct WallAt(f32);
    impl Library for WallAt {
        fn reach(&self, _: &str, from: Vec3, to: Vec3) -> Vec3 {
            along(from, self.0, crate::vector::sub(to, from))
        }
    }

    #[test]
    fn it_is_behind_and_above_and_before_walls() {
        let (place, angles) = camera_behind(&NoFiles, "", [10.0, 0.0, 50.0], [0.0, 90.0, 80.0]);
        assert!((place[0] - 10.0).abs() < 1e-3 && (place[1] + DISTANCE_BEHIND).abs() < 1e-3, "{place:?}");
        assert_eq!((place[2], angles), (50.0 + HEIGHT_ABOVE, [0.0, 90.0, 0.0]));
        let (near, _) = camera_behind(&WallAt(0.5), "", [10.0, 0.0, 50.0], [0.0, 90.0, 0.0]);
        assert!((near[1] + DISTANCE_BEHIND / 2.0).abs() < 1e-3);
    }
}
