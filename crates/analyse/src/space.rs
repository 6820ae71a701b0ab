//! Places and speeds as numbers.

use moviola_format::Short8;

/// A place or a speed of Quake II.
pub(crate) fn spot(raw: [Short8; 3]) -> [f64; 3] {
    raw.map(Short8::value)
}

/// A way or a speed along the ground.
pub(crate) fn flat([x, y, _]: [f64; 3]) -> [f64; 2] {
    [x, y]
}

/// How long a way or how much a speed is.
pub(crate) fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// How far apart two places are.
pub(crate) fn distance([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    length([ax - bx, ay - by, az - bz])
}
