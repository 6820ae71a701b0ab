//! Vectors, and the camera: from places in the level to places in the picture.

use moviola_scene::Eye;

pub(crate) type V3 = [f64; 3];

/// The distance of the near plane.
const NEAR: f64 = 1.0;

pub(crate) fn dot([a, b, c]: V3, [x, y, z]: V3) -> f64 {
    a * x + b * y + c * z
}

pub(crate) fn add([a, b, c]: V3, [x, y, z]: V3) -> V3 {
    [a + x, b + y, c + z]
}

pub(crate) fn sub([a, b, c]: V3, [x, y, z]: V3) -> V3 {
    [a - x, b - y, c - z]
}

pub(crate) fn scale([a, b, c]: V3, by: f64) -> V3 {
    // Written out here and below, because a closure over an array becomes a function call in the innermost loops.
    [a * by, b * by, c * by]
}

pub(crate) fn cross([a, b, c]: V3, [x, y, z]: V3) -> V3 {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

pub(crate) fn unit(it: V3) -> V3 {
    let length = dot(it, it).sqrt();
    if length > 0.0 { scale(it, 1.0 / length) } else { it }
}

pub(crate) fn to_f64([a, b, c]: [f32; 3]) -> V3 {
    [f64::from(a), f64::from(b), f64::from(c)]
}

/// The largest whole number not above `it`, without a call to the system's `floor`.
#[inline]
pub(crate) fn floor(it: f64) -> f64 {
    let whole = it as i64 as f64;
    if whole > it { whole - 1.0 } else { whole }
}

/// Forward, right and up directions for pitch, yaw and roll in degrees.
pub(crate) fn axes(angles: V3) -> [V3; 3] {
    let [(sp, cp), (sy, cy), (sr, cr)] = angles.map(|it| libm::sincos(it.to_radians()));
    [
        [cp * cy, cp * sy, -sp],
        [-sr * sp * cy + cr * sy, -sr * sp * sy - cr * cy, -sr * cp],
        [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp],
    ]
}

/// The place and the axes of something in the level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Its forward, left and up directions.
    pub(crate) axes: [V3; 3],
    pub(crate) place: V3,
}

impl Placement {
    /// From the angles of an entity, with a positive pitch looking down.
    pub(crate) fn new(place: V3, angles: V3) -> Self {
        let [forward, right, up] = axes(angles);
        Self { axes: [forward, scale(right, -1.0), up], place }
    }

    /// Converts a direction from the level's axes to these axes.
    pub(crate) fn turned_in(&self, it: V3) -> V3 {
        self.axes.map(|axis| dot(axis, it))
    }

    /// Converts a place from the level's coordinates to these coordinates.
    pub(crate) fn inside(&self, it: V3) -> V3 {
        self.turned_in(sub(it, self.place))
    }
}

/// The eye, and the rectangle of pixels that shows its view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) eye: V3,
    /// The right, up and forward directions.
    pub(crate) axes: [V3; 3],
    /// The middle of the rectangle.
    pub(crate) middle: [f64; 2],
    /// The pixels for a slope of one, across and up.
    pub(crate) focus: [f64; 2],
    /// The rectangle: left, top, right, bottom.
    pub(crate) frame: [f64; 4],
}

/// A linear function of a place in the picture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slope {
    pub(crate) per_x: f64,
    pub(crate) per_y: f64,
    offset: f64,
}

/// A linear function along a row of the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    per_x: f64,
    /// The part that the row adds. It is not added to the offset beforehand, since sums are rounded otherwise.
    down: f64,
    offset: f64,
}

impl Line {
    #[inline]
    pub(crate) fn at(&self, x: f64) -> f64 {
        self.per_x * x + self.down + self.offset
    }
}

impl Slope {
    #[inline]
    pub(crate) fn value_at(&self, x: f64, y: f64) -> f64 {
        self.per_x * x + self.per_y * y + self.offset
    }

    /// The function along the row `y`.
    #[inline]
    pub(crate) fn line(&self, y: f64) -> Line {
        Line { per_x: self.per_x, down: self.per_y * y, offset: self.offset }
    }

    /// The linear function with these values at three places of the picture; `None` if the places are on a line.
    pub(crate) fn through([a, b, c]: [[f64; 2]; 3], [at_a, at_b, at_c]: [f64; 3]) -> Option<Self> {
        let ([bx, by], [cx, cy]) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let area = bx * cy - by * cx;
        let (to_b, to_c) = (at_b - at_a, at_c - at_a);
        let (per_x, per_y) = ((to_b * cy - to_c * by) / area, (to_c * bx - to_b * cx) / area);
        (area != 0.0).then_some(Self { per_x, per_y, offset: at_a - per_x * a[0] - per_y * a[1] })
    }

    /// A function that is constant.
    pub(crate) fn constant(offset: f64) -> Self {
        Self { per_x: 0.0, per_y: 0.0, offset }
    }

    pub(crate) fn times(self, by: f64) -> Self {
        Self { per_x: self.per_x * by, per_y: self.per_y * by, offset: self.offset * by }
    }
}

/// A convex polygon, in coordinates relative to the eye.
pub(crate) type Polygon = Vec<V3>;

impl View {
    pub(crate) fn new(camera: &Eye, frame: [f64; 4]) -> Self {
        let [forward, right, up] = axes(to_f64(camera.angles));
        let [left, top, edge, bottom] = frame;
        let [across, upward] = camera.fov;
        let focus = |pixels: f64, fov: f32| {
            let fov = f64::from(fov);
            let fov = if fov.is_finite() { fov.clamp(1.0, 170.0) } else { 90.0 };
            (pixels / 2.0).max(0.5) / libm::tan(fov.to_radians() / 2.0)
        };
        Self {
            eye: to_f64(camera.eye).map(|part| if part.is_finite() { part } else { 0.0 }),
            axes: [right, up, forward],
            middle: [f64::midpoint(left, edge), f64::midpoint(top, bottom)],
            focus: [focus(edge - left, across), focus(bottom - top, upward)],
            frame,
        }
    }

    /// The same view with another vertical angle in degrees; pixels are square.
    pub(crate) fn with_angle_up(&self, degrees: f64) -> Self {
        let [_, top, _, bottom] = self.frame;
        let focus = (bottom - top) / 2.0 / libm::tan(degrees.to_radians() / 2.0);
        Self { focus: [focus; 2], ..*self }
    }

    /// The same view, in the coordinates of something in the level.
    pub(crate) fn seen_from(&self, stand: &Placement) -> Self {
        Self { eye: stand.inside(self.eye), axes: self.axes.map(|axis| stand.turned_in(axis)), ..*self }
    }

    /// A direction of the level in parts along right, up and forward.
    #[inline]
    pub(crate) fn along(&self, way: V3) -> V3 {
        let [right, up, forward] = self.axes;
        [dot(right, way), dot(up, way), dot(forward, way)]
    }

    /// A place of the level relative to the eye, in parts along right, up and forward.
    #[inline]
    pub(crate) fn seen(&self, place: V3) -> V3 {
        self.along(sub(place, self.eye))
    }

    /// The normals of the planes that bound the view: through the eye, pointing inwards.
    fn sides(&self) -> [V3; 4] {
        let [left, top, right, bottom] = self.frame;
        let [mx, my] = self.middle;
        let [fx, fy] = self.focus;
        [
            [1.0, 0.0, (mx - left) / fx],
            [-1.0, 0.0, (right - mx) / fx],
            [0.0, -1.0, (my - top) / fy],
            [0.0, 1.0, (bottom - my) / fy],
        ]
    }

    /// The planes that bound the view, in the level: a normal, and the least product with it.
    pub(crate) fn planes(&self) -> [(V3, f64); 4] {
        let [right, up, forward] = self.axes;
        self.sides().map(|[x, y, z]| {
            let normal = add(add(scale(right, x), scale(up, y)), scale(forward, z));
            (normal, dot(normal, self.eye))
        })
    }

    /// Cuts off the parts of a polygon that are not in view. Its corners are relative to the eye.
    pub(crate) fn clip(&self, corners: &mut Polygon, spare: &mut Polygon) {
        cut(corners, spare, [0.0, 0.0, 1.0], NEAR);
        std::mem::swap(corners, spare);
        for side in self.sides() {
            if corners.iter().all(|corner| dot(side, *corner) >= 0.0) {
                continue;
            }
            cut(corners, spare, side, 0.0);
            std::mem::swap(corners, spare);
        }
    }

    /// The place in the picture of a place relative to the eye.
    #[inline]
    pub(crate) fn project(&self, [x, y, z]: V3) -> [f64; 2] {
        let [[mx, my], [fx, fy]] = [self.middle, self.focus];
        [mx + fx * x / z, my - fy * y / z]
    }

    /// As a linear function over the picture: the sum of right, up and forward with these factors, divided by the
    /// depth.
    pub(crate) fn slope(&self, [a, b, c]: V3) -> Slope {
        let [[mx, my], [fx, fy]] = [self.middle, self.focus];
        let (per_x, per_y) = (a / fx, -b / fy);
        Slope { per_x, per_y, offset: c - per_x * mx - per_y * my }
    }

    /// The direction in the level of the ray through a place of the picture.
    #[inline]
    pub(crate) fn ray(&self, x: f64, y: f64) -> V3 {
        let [[mx, my], [fx, fy]] = [self.middle, self.focus];
        let [right, up, forward] = self.axes;
        add(add(scale(right, (x - mx) / fx), scale(up, (my - y) / fy)), forward)
    }
}

/// Keeps the part of a polygon in front of a plane.
pub(crate) fn cut(corners: &[V3], kept: &mut Polygon, normal: V3, least: f64) {
    kept.clear();
    let Some(mut before) = corners.last().copied() else { return };
    let mut side = dot(normal, before) - least;
    for corner in corners {
        let now = dot(normal, *corner) - least;
        if (now >= 0.0) != (side >= 0.0) {
            kept.push(add(before, scale(sub(*corner, before), side / (side - now))));
        }
        if now >= 0.0 {
            kept.push(*corner);
        }
        (before, side) = (*corner, now);
    }
}

/// The inverse of the matrix of three corners: its rows, multiplied by values at the corners, give factors
/// for [`View::slope`].
pub(crate) fn inverse([a, b, c]: [V3; 3]) -> Option<[V3; 3]> {
    let [ab, bc, ca] = [cross(a, b), cross(b, c), cross(c, a)];
    let volume = dot(a, bc);
    if !(volume.abs() > 1e-9) {
        return None;
    }
    Some([bc, ca, ab].map(|it| scale(it, 1.0 / volume)))
}

/// The factors for [`View::slope`] of a value that is known at the three corners.
pub(crate) fn spread([a, b, c]: &[V3; 3], [x, y, z]: [f64; 3]) -> V3 {
    add(add(scale(*a, x), scale(*b, y)), scale(*c, z))
}
