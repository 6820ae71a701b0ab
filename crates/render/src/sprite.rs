//! Flat items: sprites, particles and beams.

use crate::level::{even, model_size};
use crate::look::{LookKind, LookOptions};
use crate::space::{V3, View, add, axes, cross, dot, scale, sub, to_f64, unit};
use crate::store::Store;
use crate::texture::{Rgba, Texture, TextureAlpha};
use crate::work::{Blend, Dot, Paint, Waves, Work};
use moviola_assets::Facing;
use moviola_format::Game;
use moviola_scene::{Beam, Particle, Scene, Sprite};
use std::sync::Arc;

/// Particles nearer than this are not drawn.
const NEAREST: f64 = 8.0;

/// Half the size of QuakeSpasm's round particles, which are squares with sides of 1.5 / 2 * 1.27 units, whose texture
/// is a dot that fills nine tenths. With this size, ours cover as much of a picture.
const DOT: f64 = 1.5 / 2.0 * 1.27 * 0.9 / 2.0;

/// The size of Quake II's particles: this many pixels in a picture 480 pixels high, divided by their depth, within
/// these limits. The smaller limit is the same in each picture.
const POINT: f64 = 400.0;
const POINTS: [f64; 2] = [2.0, 40.0];

/// Draws a sprite.
pub(crate) fn draw_sprite(
    store: &Store,
    scene: &Scene,
    look: &LookOptions,
    view: &View,
    work: &mut Work,
    sprite: &Sprite,
) {
    let Some(model) = store.files.sprite(&sprite.file) else { return };
    let Some(picture) = model.picture_at(sprite.frame as usize, sprite.time) else { return };
    let is_quake2 = scene.game == Game::Quake2;
    let frame = model.frames.get(sprite.frame as usize).or(model.frames.first());
    let items = frame.map(|frame| frame.items.as_slice()).unwrap_or_default();
    let place = items.iter().position(|item| std::ptr::eq(item, picture));
    let id = format!("{} {} {place:?} {}", sprite.file, sprite.frame, look.kind as u8);
    let texture = store.texture(&id, || {
        if picture.file.is_empty() {
            let colors = store.colors(is_quake2, look, None)?;
            return Texture::of_picture(&picture.picture, &colors, TextureAlpha::Holes).map(Arc::new);
        }
        let found = store.files.picture(&picture.file)?;
        let colors = store.colors(is_quake2, look, found.1.as_ref())?;
        Texture::of_picture(&found.0, &colors, TextureAlpha::Holes).map(Arc::new)
    });
    let Some(texture) = texture else { return };
    let place = to_f64(sprite.place);
    let Some([right, up]) = facing(model.facing, view, place, to_f64(sprite.angles)) else { return };
    let size = f64::from(sprite.scale);
    let [left, top] = picture.corner.map(|part| f64::from(part) * size);
    let [width, height] = picture.size.map(|part| f64::from(part) * size);
    let corner = |x: f64, y: f64| add(place, add(scale(right, x), scale(up, y)));
    let corners = [
        corner(left, top),
        corner(left + width, top),
        corner(left + width, top - height),
        corner(left, top - height),
    ];
    // From the left upper corner the texture runs along the sprite's right and down.
    let Some(depth) = flat_depth(view, corners) else { return };
    let [start, ..] = corners.map(|corner| view.seen(corner));
    let along = |axis: V3, length: f64| {
        let axis = view.axes.map(|part| dot(part, axis));
        view.slope(scale(sub(axis, scale(depth, dot(axis, start))), 1.0 / length))
    };
    let blend = Blend::of(sprite.alpha, true);
    let light = even(look, false);
    work.add(view, corners.map(|corner| view.seen(corner)), |_, _| {
        let (s, t) = (along(right, width), along(scale(up, -1.0), height));
        let (waves, size) = (Waves::None, model_size(look, is_quake2));
        Some((view.slope(depth), Paint::Texture { texture, s, t, light, blend, waves, size, flat: false }))
    });
}

/// For a flat shape, the factors that give one divided by the depth.
fn flat_depth(view: &View, corners: [V3; 4]) -> Option<V3> {
    let [a, b, _, d] = corners.map(|corner| view.seen(corner));
    let normal = cross(sub(b, a), sub(d, a));
    let distance = dot(normal, a);
    (distance.abs() > 1e-9).then(|| scale(normal, 1.0 / distance))
}

/// The right and up directions of a sprite; `None` if it is not drawn.
fn facing(facing: Facing, view: &View, place: V3, angles: V3) -> Option<[V3; 2]> {
    /// The cosine of one degree: an upright sprite is not drawn within one degree of straight up or down.
    const STEEP: f64 = 0.999_848;
    let [right, up, forward] = view.axes;
    let upright = |way: V3| {
        let [x, y, z] = way;
        (z.abs() <= STEEP).then(|| [unit([y, -x, 0.0]), [0.0, 0.0, 1.0]])
    };
    match facing {
        Facing::Parallel => Some([right, up]),
        Facing::ParallelUpright => upright(forward),
        Facing::Upright => upright(unit(sub(place, view.eye))),
        Facing::Oriented => {
            let [_, right, up] = axes(angles);
            Some([right, up])
        }
        Facing::ParallelOriented => {
            let [.., roll] = angles;
            let (sin, cos) = libm::sincos(roll.to_radians());
            let turned = add(scale(right, cos), scale(up, sin));
            Some([turned, add(scale(right, -sin), scale(up, cos))])
        }
    }
}

/// Draws a particle: a dot that shrinks with distance less than other objects do.
pub(crate) fn draw_particle(
    colors: &[Rgba; 256],
    is_quake2: bool,
    look: &LookOptions,
    view: &View,
    work: &mut Work,
    particle: &Particle,
) {
    let seen = view.seen(to_f64(particle.place));
    let [_, _, depth] = seen;
    // This also rejects NaN.
    if !(depth >= NEAREST) || seen.iter().any(|part| !part.is_finite()) {
        return;
    }
    let [x, y] = view.project(seen);
    let [left, top, right, bottom] = view.frame;
    let radius = match look.kind {
        LookKind::Gl if is_quake2 => {
            let [least, most] = POINTS;
            let height = (bottom - top) / 480.0;
            (POINT / depth * height).clamp(least, (most * height).max(least)) / 2.0
        }
        LookKind::Gl => DOT * (1.0 + 0.004 * depth) * view.focus[0] / depth,
        LookKind::Software => {
            let wide = (right - left) / 320.0;
            let (least, most) = (wide.floor().max(1.0), (wide * 4.0).max(1.0));
            (256.0 * wide / depth).floor().clamp(least, most) / 2.0
        }
    };
    if x + radius < left || x - radius > right || y + radius < top || y - radius > bottom {
        return;
    }
    let color = colors.get(usize::from(particle.color)).copied().unwrap_or_default();
    // A dot has at least one pixel.
    let half = radius.max(0.5);
    let round = look.kind == LookKind::Gl;
    work.add_dot(view, [x, y], half, depth, Dot { color, blend: Blend::of(particle.alpha, false), round });
}

/// Draws a beam as a ribbon that faces the eye.
pub(crate) fn draw_beam(colors: &[Rgba; 256], view: &View, work: &mut Work, it: &Beam) {
    let (from, to) = (to_f64(it.from), to_f64(it.to));
    let side = unit(cross(sub(to, from), sub(from, view.eye)));
    let side = scale(side, f64::from(it.radius));
    let corners = [add(from, side), add(to, side), sub(to, side), sub(from, side)];
    let Some(depth) = flat_depth(view, corners) else { return };
    let color = colors.get(usize::from(it.color)).copied().unwrap_or_default();
    work.add(view, corners.map(|corner| view.seen(corner)), |_, _| {
        Some((view.slope(depth), Paint::Flat { color, blend: Blend::of(it.alpha, false) }))
    });
}
