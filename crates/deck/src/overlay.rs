//! Everything that is drawn over a picture: for free cameras the paths of the script's cameras, marks around the entity
//! to which a text refers, and the map in a corner.

use moviola_render::RenderedFrame;
use moviola_scene::{Eye, Vec3};

/// The page's pencil.
const COLOR: [u8; 4] = [240, 185, 58, 255];

/// The edge of a map.
const FRAME: [u8; 4] = [96, 100, 108, 255];

/// Lines nearer to the eye than this are not drawn.
const NEAR: f32 = 4.0;

/// Draws camera paths as lines, with a dot at each end. Walls do not hide them, so that the whole path is visible.
pub(crate) fn ways(frame: &mut RenderedFrame, eye: &Eye, ways: &[Vec<[f64; 3]>]) {
    for way in ways {
        let points: Vec<Vec3> = way.iter().map(|place| seen(eye, place.map(|it| it as f32))).collect();
        for pair in points.windows(2) {
            if let [from, to] = pair
                && let Some((from, to)) = in_front(*from, *to)
            {
                line(frame, on_screen(frame.size, eye, from), on_screen(frame.size, eye, to));
            }
        }
        for end in [points.first(), points.last()].into_iter().flatten().filter(|end| end[2] > NEAR) {
            let [x, y] = on_screen(frame.size, eye, *end);
            let half = frame.size[1] as f32 / 120.0;
            for step in 0..=(half * 2.0) as u32 {
                let y = y - half + step as f32;
                line(frame, [x - half, y], [x + half, y]);
            }
        }
    }
}

/// The half of the side of a mark, in units: a body fits in.
const BODY: f32 = 28.0;

/// Marks a place of the level by the corners of a square. Walls do not hide the mark. If the place is outside of the
/// picture, the mark is at the nearest edge. The view of the level takes a part of the picture with this size, at the
/// top left.
pub(crate) fn mark_in_view(frame: &mut RenderedFrame, part: [f32; 2], eye: &Eye, place: Vec3) {
    let [right, up, ahead] = seen(eye, place);
    let [width, height] = part;
    let size = part.map(|side| side as u32);
    let [x, y] = on_screen(size, eye, [right, up, ahead]);
    if ahead > NEAR && (0.0..width).contains(&x) && (0.0..height).contains(&y) {
        let [_, lower] = on_screen(size, eye, [right, up - BODY, ahead]);
        mark(frame, [x, y], lower - y);
        return;
    }
    let far = right.abs().max(up.abs());
    // A place inside of the viewer's own body is not visible.
    if ahead.abs().max(far) < BODY {
        return;
    }
    let [half_width, half_height] = [width / 2.0, height / 2.0];
    let way = [right / far.max(1.0) * half_width, -up / far.max(1.0) * half_height];
    mark(frame, [half_width + way[0], half_height + way[1]], 0.0);
}

/// Marks a pixel by the corners of a square around it; `half` is half the length of a side.
pub(crate) fn mark(frame: &mut RenderedFrame, [x, y]: [f32; 2], half: f32) {
    let height = frame.size[1] as f32;
    let half = half.clamp(height / 45.0, height / 3.0);
    let arm = half / 2.0;
    for [across, down] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
        let corner = [x + across * half, y + down * half];
        line(frame, corner, [corner[0] - across * arm, corner[1]]);
        line(frame, corner, [corner[0], corner[1] - down * arm]);
    }
}

/// Lays a smaller picture into the upper right corner, with a frame.
pub(crate) fn corner(frame: &mut RenderedFrame, map: &RenderedFrame) {
    let [width, height] = frame.size;
    let gap = height / 45;
    let edge = (height / 360).max(1);
    let left = width.saturating_sub(map.size[0] + gap);
    let framed = |at: u32, start: u32, length: u32| at + edge >= start && at < start + length + edge;
    let pixels = frame.rgba.as_chunks_mut::<4>().0;
    for (y, row) in (0..height).zip(pixels.chunks_mut(width.max(1) as usize)) {
        if !framed(y, gap, map.size[1]) {
            continue;
        }
        for (x, pixel) in (0..width).zip(row).skip(left.saturating_sub(edge) as usize) {
            let inside = x.checked_sub(left).zip(y.checked_sub(gap)).and_then(|(x, y)| map.pixel(x, y));
            if let Some(color) = inside {
                *pixel = color;
            } else if framed(x, left, map.size[0]) {
                *pixel = FRAME;
            }
        }
    }
}

/// A place relative to the eye: right, up, ahead.
fn seen(eye: &Eye, place: Vec3) -> Vec3 {
    let [pitch, yaw, roll] = eye.angles.map(|angle| angle.to_radians().sin_cos());
    let ahead = [pitch.1 * yaw.1, pitch.1 * yaw.0, -pitch.0];
    let right = [
        -roll.0 * pitch.0 * yaw.1 + roll.1 * yaw.0,
        -roll.0 * pitch.0 * yaw.0 - roll.1 * yaw.1,
        -roll.0 * pitch.1,
    ];
    let up = [
        roll.1 * pitch.0 * yaw.1 + roll.0 * yaw.0,
        roll.1 * pitch.0 * yaw.0 - roll.0 * yaw.1,
        roll.1 * pitch.1,
    ];
    let [x, y, z] = place;
    let [ex, ey, ez] = eye.eye;
    [right, up, ahead].map(|[ax, ay, az]| ax * (x - ex) + ay * (y - ey) + az * (z - ez))
}

/// The part of a line that is before the eye.
fn in_front(from: Vec3, to: Vec3) -> Option<(Vec3, Vec3)> {
    let cut = |[x, y, z]: Vec3, [bx, by, bz]: Vec3| {
        let part = if z < NEAR { (NEAR - z) / (bz - z) } else { 0.0 };
        [x + (bx - x) * part, y + (by - y) * part, z.max(NEAR)]
    };
    (from[2] > NEAR || to[2] > NEAR).then(|| (cut(from, to), cut(to, from)))
}

fn on_screen([width, height]: [u32; 2], eye: &Eye, [right, up, ahead]: Vec3) -> [f32; 2] {
    let focus =
        |pixels: u32, fov: f32| pixels as f32 / 2.0 / (fov.clamp(1.0, 170.0).to_radians() / 2.0).tan();
    let [across, upward] = eye.fov;
    [
        width as f32 / 2.0 + focus(width, across) * right / ahead,
        height as f32 / 2.0 - focus(height, upward) * up / ahead,
    ]
}

/// A line two pixels thick.
fn line(frame: &mut RenderedFrame, from: [f32; 2], to: [f32; 2]) {
    let [width, height] = frame.size;
    let far = (width + height) as f32;
    let delta = [to[0] - from[0], to[1] - from[1]];
    let steps = delta[0].abs().max(delta[1].abs());
    // A line that leads far outside of the world would take too long to draw.
    if !steps.is_finite() || steps > far * 8.0 {
        return;
    }
    for step in 0..=steps as u32 {
        let part = step as f32 / steps.max(1.0);
        let [x, y] = [from[0] + delta[0] * part, from[1] + delta[1] * part].map(|it| it.round() as i64);
        for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
            let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { continue };
            let at = (u64::from(y) * u64::from(width) + u64::from(x)) as usize;
            if x < width
                && y < height
                && let Some(pixel) = frame.rgba.as_chunks_mut::<4>().0.get_mut(at)
            {
                *pixel = COLOR;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_any_size_is_in_the_corner() {
        let picture = |size: [u32; 2], gray: u8| {
            let [width, height] = size.map(|side| side as usize);
            RenderedFrame { size, rgba: vec![gray; width * height * 4] }
        };
        let mut frame = picture([90, 90], 10);
        corner(&mut frame, &picture([30, 20], 200));
        assert_eq!([(58, 2), (87, 21)].map(|(x, y)| frame.pixel(x, y)), [Some([200; 4]); 2]);
        assert_eq!([(57, 2), (88, 5), (60, 1), (60, 22)].map(|(x, y)| frame.pixel(x, y)), [Some(FRAME); 4]);
        assert_eq!([(56, 2), (89, 5), (60, 0), (60, 23)].map(|(x, y)| frame.pixel(x, y)), [Some([10; 4]); 4]);
        for size in [[0, 0], [1, 1], [90, 90], [200, 200]] {
            corner(&mut picture(size, 0), &picture([90, 90], 200));
        }
    }

    #[test]
    fn a_mark_is_around_its_place_or_at_the_edge_that_is_nearest_to_it() {
        let eye = Eye { eye: [0.0; 3], angles: [0.0, 90.0, 0.0], fov: [90.0, 58.7] };
        let lit_in = |part: [f32; 2], place: Vec3| {
            let mut frame = RenderedFrame { size: [160, 90], rgba: vec![0; 160 * 90 * 4] };
            mark_in_view(&mut frame, part, &eye, place);
            let lit = frame.rgba.as_chunks::<4>().0.iter().enumerate().filter(|(_, it)| **it == COLOR);
            let [mut left, mut top, mut right, mut bottom] = [usize::MAX, usize::MAX, 0, 0];
            for (at, _) in lit {
                let [x, y] = [at % 160, at / 160];
                (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
            }
            [left, top, right, bottom]
        };
        let lit = |place| lit_in([160.0, 90.0], place);
        // Above a status bar the middle of the view is higher.
        assert!(lit_in([160.0, 60.0], [0.0, 112.0, 0.0])[3] < lit([0.0, 112.0, 0.0])[3] - 15);
        // Ahead, 112 units away: 28 units are a quarter of that.
        assert_eq!(lit([0.0, 112.0, 0.0]), [60, 25, 101, 66]);
        // One place is right of the picture, the other behind the eye.
        for place in [[300.0, 10.0, 0.0], [300.0, -10.0, 0.0]] {
            let [left, top, right, bottom] = lit(place);
            assert!(left > 150 && right == 159 && top > 40 && bottom < 50, "{:?}", lit(place));
        }
        assert_eq!(lit([0.0, 2.0, -20.0]), [usize::MAX, usize::MAX, 0, 0], "the body of the eye");
        for place in [[f32::MAX; 3], [f32::NAN; 3], [f32::MIN_POSITIVE; 3], [0.0; 3]] {
            lit(place);
        }
    }

    #[test]
    fn a_way_ahead_is_drawn_where_it_is_and_one_behind_is_not() {
        let eye = Eye { eye: [0.0; 3], angles: [0.0, 90.0, 0.0], fov: [90.0, 58.7] };
        let drawn = |way: Vec<[f64; 3]>| {
            let mut frame = RenderedFrame { size: [160, 90], rgba: vec![0; 160 * 90 * 4] };
            ways(&mut frame, &eye, &[way]);
            let lit = frame.rgba.as_chunks::<4>().0.iter().enumerate().filter(|(_, it)| **it == COLOR);
            lit.map(|(at, _)| (at % 160, at / 160)).collect::<Vec<_>>()
        };
        // Yaw 90 looks along y; to the right is x.
        let lit = drawn(vec![[0.0, 100.0, 0.0], [50.0, 100.0, 0.0]]);
        assert!(lit.iter().all(|(x, y)| (78..=123).contains(x) && (43..=47).contains(y)), "{lit:?}");
        assert!(lit.len() > 60);
        assert!(drawn(vec![[0.0, -100.0, 0.0], [50.0, -100.0, 0.0]]).is_empty());
        // A line from behind the eye to the front: only the part in front is drawn.
        assert!(!drawn(vec![[0.0, -100.0, -20.0], [0.0, 100.0, -20.0]]).is_empty());
    }
}
