//! Compares a filmed recording with each word of the script: place, angles, roll, field of view.

use crate::common::seen;
use moviola_edit::{Camera, rewrite};
use moviola_format::{Angle16, Coord, Short8};
use moviola_state::quake::Stat;
use moviola_state::{World as _, quake, quake2};
use std::ops::RangeInclusive;

type Point = [f64; 3];

/// The view after a block.
#[derive(Clone, Debug, PartialEq)]
struct View {
    hash: u64,
    /// The time of the film's clock.
    time: f64,
    /// The position and the angles of the camera.
    eye: Point,
    angles: Point,
    fov: f64,
    /// The model of the weapon in hand.
    weapon: i32,
    /// The position of the recorder, by the player's own state.
    me: Point,
    /// The models with a place that engines draw: all but that from which the picture is taken.
    drawn: Vec<(u16, Point)>,
}

fn quake_views(file: &[u8]) -> Vec<Option<View>> {
    seen(file, |world: &quake::World| {
        let eyes = world.eyes()?;
        let origin = eyes.place.origin.map(Coord::value);
        let own = world.view.entity as u16;
        let others = world.shown().filter(|(number, it)| *number != own && it.look.model != 0);
        Some(View {
            hash: world.view_hash(),
            time: f64::from(world.clock.now.value()),
            eye: [origin[0], origin[1], origin[2] + f64::from(world.vitals.view_height)],
            angles: world.view.angles.map(|it| f64::from(it.value())),
            fov: 0.0,
            weapon: world.stats.get(Stat::WeaponModel),
            me: origin,
            drawn: others.map(|(_, it)| (it.look.model, it.place.origin.map(Coord::value))).collect(),
        })
    })
}

fn quake2_views(file: &[u8]) -> Vec<Option<View>> {
    seen(file, |world: &quake2::World| {
        let frame = world.drawn();
        let state = frame.player(None)?;
        let me = state.origin.map(Short8::value);
        let own = world.own_entity();
        let others = frame.entities.iter().filter(|it| Some(it.number) != own && it.models[0] != 0);
        Some(View {
            hash: world.view_hash(),
            time: f64::from(frame.number) / 10.0,
            eye: [0, 1, 2].map(|axis| me[axis] + state.view_offset[axis].value()),
            angles: state.view_angles.map(Angle16::value),
            fov: f64::from(state.fov),
            weapon: i32::from(state.gun_model),
            me,
            drawn: others.map(|it| (it.models[0].into(), it.origin.map(Short8::value))).collect(),
        })
    })
}

const BLOCKS: RangeInclusive<usize> = 100..=220;

/// A frame of a shot: how far the shot is, in which time since its last frame, the original and the filmed view.
struct Frame {
    t: f64,
    passed: f64,
    before: View,
    after: View,
}

/// Films a sample of each game with this script, and returns the frames of the shot. Outside of it nothing is changed.
fn films(words: &str) -> [Vec<Frame>; 2] {
    let quake = include_bytes!("../../../../samples/qs_15_lq_e0m9.dem");
    let quake2 = include_bytes!("../../../../samples/yq_sp.dm2");
    let one = if words.contains("fov") { Vec::new() } else { film(quake, words, quake_views) };
    [one, film(quake2, words, quake2_views)]
}

fn film(file: &[u8], words: &str, views: fn(&[u8]) -> Vec<Option<View>>) -> Vec<Frame> {
    let (first, last) = (BLOCKS.start(), BLOCKS.end());
    let mut camera = Camera::parse(&format!("[[shot]]\nat = '#{first}..#{last}'\n{words}\n")).unwrap();
    camera.find(|| Ok(file)).unwrap();
    let mut filmed = Vec::new();
    rewrite(file, &mut camera, &mut filmed).unwrap();
    let (before, after) = (views(file), views(&filmed));
    assert_eq!(before.len(), after.len());
    for (block, (before, after)) in before.iter().zip(&after).enumerate() {
        if !BLOCKS.contains(&block) {
            assert_eq!(before.as_ref().map(|it| it.hash), after.as_ref().map(|it| it.hash), "block {block}");
        }
    }
    let pairs: Vec<(View, View)> =
        BLOCKS.map(|at| (before[at].clone().unwrap(), after[at].clone().unwrap())).collect();
    let (from, to) = (pairs[0].0.time, pairs[pairs.len() - 1].0.time);
    let mut then = from;
    let frames = pairs.into_iter().map(|(before, after)| {
        let passed = before.time - then;
        // Engines shorten steps of the clock that are longer than this.
        assert!((0.0..0.11).contains(&passed), "{passed}");
        then = before.time;
        Frame { t: (before.time - from) / (to - from), passed, before, after }
    });
    let frames: Vec<Frame> = frames.collect();
    assert!(to - from > 1.0);
    frames
}

fn near(one: Point, other: Point, within: f64) {
    let far = (0..3).map(|axis| (one[axis] - other[axis]).abs()).fold(0.0, f64::max);
    assert!(far <= within, "{one:?} {other:?}");
}

fn near_angles(one: Point, other: Point, within: f64) {
    near([0, 1, 2].map(|axis| (one[axis] - other[axis] + 180.0).rem_euclid(360.0)), [180.0; 3], within);
}

/// The direction from the eye to the point equals the view's angles.
fn looks_at(view: &View, point: Point) {
    let [x, y, z] = [0, 1, 2].map(|axis| point[axis] - view.eye[axis]);
    let (pitch, yaw) = (-z.atan2(x.hypot(y)).to_degrees(), y.atan2(x).to_degrees());
    near_angles([view.angles[0], view.angles[1], 0.0], [pitch, yaw, 0.0], 0.2);
}

/// The interpolation of two values by a spline with doubled ends: it starts and stops at half of its usual speed.
fn between(from: f64, to: f64, t: f64) -> f64 {
    from + (to - from) * (0.5 * t + 1.5 * t * t - t * t * t)
}

/// The precision of positions in both games.
const GRAIN: f64 = 0.13;

#[test]
fn the_body_is_shown_and_the_weapon_is_not() {
    for frames in films("stay = [100, -200, 50]\nturn = [10, 90]\nlean = 12") {
        assert!(frames.iter().any(|it| it.before.weapon != 0));
        for Frame { before, after, .. } in frames {
            near(after.eye, [100.0, -200.0, 50.0], GRAIN);
            near_angles(after.angles, [10.0, 90.0, 12.0], 0.01);
            assert_eq!(after.weapon, 0);
            let is_body = |place: Point| (0..3).all(|axis| (place[axis] - before.me[axis]).abs() < 0.2);
            assert!(after.drawn.iter().any(|(_, place)| is_body(*place)), "{:?}", before.me);
            assert!(!before.drawn.iter().any(|(_, place)| is_body(*place)));
            // Everything else that was drawn is still drawn.
            assert!(before.drawn.iter().all(|it| after.drawn.contains(it)));
        }
    }
}

#[test]
fn the_player_is_looked_at() {
    for frames in films("stay = [100, -200, 50]\nview = 'me'").into_iter().flatten() {
        let [x, y, z] = frames.before.me;
        looks_at(&frames.after, [x, y, z + 16.0]);
    }
}

#[test]
fn ways_and_looks_go_from_end_to_end() {
    for ease in [false, true] {
        let words =
            format!("move = [[0, 0, 64], [300, 100, 64]]\npan = [[500, 0, 0], [500, 400, 0]]\nease = {ease}");
        for Frame { t, after, .. } in films(&words).into_iter().flatten() {
            let t = if ease { t * t * (3.0 - 2.0 * t) } else { t };
            near(after.eye, [300.0 * t, 100.0 * t, 64.0], 0.3);
            looks_at(&after, [500.0, 400.0 * t, 0.0]);
        }
    }
}

#[test]
fn turning_and_rolling() {
    let words = "stay = [1, 2, 3]\nturn = [[-20, 300], [40, 420]]\nroll = [0, 90]";
    for Frame { t, after, .. } in films(words).into_iter().flatten() {
        let angles = [between(-20.0, 40.0, t), between(300.0, 420.0, t), between(0.0, 90.0, t)];
        near_angles(after.angles, angles, 0.1);
    }
}

#[test]
fn the_field_of_view() {
    for ease in [false, true] {
        let words = format!("stay = [1, 2, 3]\nturn = [0, 0]\nfov = [90, 40]\nease = {ease}");
        for Frame { t, before, after, .. } in films(&words).into_iter().flatten() {
            let t = if ease { t * t * (3.0 - 2.0 * t) } else { t };
            assert!((after.fov - between(90.0, 40.0, t)).abs() <= 0.6, "{} at {t}", after.fov);
            assert!(before.fov >= 90.0);
        }
    }
}

#[test]
fn a_chase_is_behind_the_player() {
    for frames in films("chase = 'me'\nbehind = 80\nabove = 30") {
        let mut yaw = frames[0].before.angles[1];
        let mut turned = 0.0;
        for Frame { passed, before, after, .. } in &frames {
            // The view turns after the player: it covers most of the difference in three tenths of a second.
            let rest = (before.angles[1] - yaw + 180.0).rem_euclid(360.0) - 180.0;
            yaw += rest * (1.0 - (-passed / 0.3).exp());
            turned += rest.abs();
            let [x, y, z] = before.me;
            let (sin, cos) = yaw.to_radians().sin_cos();
            near(after.eye, [x - 80.0 * cos, y - 80.0 * sin, z + 30.0], 0.3);
            looks_at(after, [x, y, z + 16.0]);
        }
        assert!(turned > 1.0, "{turned}");
    }
}

#[test]
fn an_orbit_goes_around_the_player() {
    for Frame { t, before, after, .. } in
        films("orbit = 'me'\ndistance = 120\nabove = 20\nfrom = 30\nto = 390").into_iter().flatten()
    {
        let [x, y, z] = before.me;
        let (sin, cos) = (30.0 + 360.0 * t).to_radians().sin_cos();
        near(after.eye, [x + 120.0 * cos, y + 120.0 * sin, z + 20.0], 0.4);
        looks_at(&after, [x, y, z + 16.0]);
    }
}
