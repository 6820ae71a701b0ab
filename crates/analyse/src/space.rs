//! Positions and velocities as vectors of doubles.

use moviola_format::Short8;

/// A position or a velocity of Quake II, in units.
///
/// ```
/// use moviola_analyse::space::spot;
/// use moviola_format::Short8;
/// assert_eq!(spot([Short8(8), Short8(-4), Short8(0)]), [1.0, -0.5, 0.0]);
/// ```
pub fn spot(raw: [Short8; 3]) -> [f64; 3] {
    raw.map(Short8::value)
}

/// The horizontal part of a vector.
///
/// ```
/// assert_eq!(moviola_analyse::space::flat([1.0, 2.0, 3.0]), [1.0, 2.0]);
/// ```
pub fn flat([x, y, _]: [f64; 3]) -> [f64; 2] {
    [x, y]
}

/// The length of a vector.
///
/// ```
/// assert_eq!(moviola_analyse::space::length([2.0, 3.0, 6.0]), 7.0);
/// ```
pub fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// The distance between two positions.
///
/// ```
/// assert_eq!(moviola_analyse::space::distance([1.0, 0.0, 0.0], [3.0, 3.0, 6.0]), 7.0);
/// ```
pub fn distance([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    length([ax - bx, ay - by, az - bz])
}
