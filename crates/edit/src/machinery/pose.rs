//! Places and angles as numbers, and the way from one to another.

use moviola_format::{Angle, Context, Coord, Placement};

/// A place in the level.
pub(crate) type Point = [f64; 3];

/// Where something is and where it looks: pitch (down is positive), yaw and roll in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub(crate) origin: Point,
    pub(crate) angles: [f64; 3],
}

/// A longer way of a Quake entity on one axis is a jump, for engines too (`CL_RelinkEntities`).
const JUMP: f64 = 100.0;

impl Pose {
    pub(crate) fn of(place: &Placement) -> Self {
        Self { origin: place.origin.map(Coord::value), angles: place.angles.map(Angle::value) }
    }

    /// The nearest place and angles that a Quake recording with this context can state.
    pub(crate) fn place(&self, context: &Context) -> Placement {
        let mut place = Placement::default();
        for (to, from) in place.origin.iter_mut().zip(self.origin) {
            *to = Coord::nearest(context.coord, from);
        }
        for (to, from) in place.angles.iter_mut().zip(self.angles) {
            *to = Angle::nearest(context.entity_angle, from);
        }
        place
    }

    /// Whether engines of Quake show the way to another pose as a jump.
    pub(crate) fn jumps(&self, to: &Self) -> bool {
        self.origin.iter().zip(to.origin).any(|(from, to)| (from - to).abs() > JUMP)
    }

    /// The pose at a part of the straight way to the pose `to`; angles turn the short way.
    pub(crate) fn toward(&self, to: &Self, way: f64) -> Self {
        let mut pose = *self;
        for (from, to) in pose.origin.iter_mut().zip(to.origin) {
            *from += (to - *from) * way;
        }
        for (from, to) in pose.angles.iter_mut().zip(to.angles) {
            *from += turn(*from, to) * way;
        }
        pose
    }

    /// The same as [`toward`](Self::toward); before a jump it stays where it is.
    pub(crate) fn toward_unless_jump(&self, to: &Self, way: f64) -> Self {
        if self.jumps(to) { *self } else { self.toward(to, way) }
    }
}

/// How far one has to turn from an angle to another: at most half a turn.
pub(crate) fn turn(from: f64, to: f64) -> f64 {
    (to - from + 180.0).rem_euclid(360.0) - 180.0
}

#[inline]
pub(crate) fn distance<const N: usize>(from: &[f64; N], to: &[f64; N]) -> f64 {
    from.iter().zip(to).map(|(from, to)| (to - from) * (to - from)).sum::<f64>().sqrt()
}
