//! The camera of Quake: the player's eyes with their bob, roll and kicks, and the hand that holds the weapon.

// not from SCHEMA, all words: settings of the console

use super::Maker;
use crate::chase::camera_behind;
use crate::options::fields;
use crate::vector::{add, along, axes, bounded, dot, lerp, lerp_angles, sin, sub, unit};
use crate::{Eye, Listener, Scene, Vec3};
use moviola_state::quake::{FinalScreen, Stat};

/// Servers send positions in eighths of a unit. This offset keeps the eye out of the planes of walls.
const OFF_THE_GRID: f32 = 1.0 / 32.0;

/// The speed at which the eyes rise on stairs, and the greatest distance by which they lag behind.
const STAIRS: (f32, f32) = (80.0, 12.0);

/// The unit of the 8-bit velocities, in units per second.
const SPEED: f32 = 16.0;

/// The duration of a kick in seconds, and its strength on each of two axes.
const KICK: (f64, f32) = (0.5, 0.6);

/// The height of a player's eyes above his middle.
const EYES: f32 = 22.0;

/// The roll of a dead player, who lies on his side.
const DEAD_ROLL: f32 = 80.0;

impl Maker<'_> {
    /// The eye of the player, and its angles without and with the punch of a blow.
    fn eyes(&self) -> (Vec3, Vec3, Vec3) {
        let world = self.world();
        let (place, body) =
            self.beat.seen.eyes.as_ref().map_or(([0.0; 3], [0.0; 3]), |thing| self.between(thing));
        if world.ending.scene != FinalScreen::Play {
            let idle = if self.options.sway { self.idle() } else { [0.0; 3] };
            let angles = add(body, idle);
            return (place, angles, angles);
        }
        let mut angles = self.angles();
        let bob = if self.options.sway { self.bob() } else { 0.0 };
        let height = f32::from(world.vitals.view_height) + bob;
        let mut eye = add(place, [OFF_THE_GRID, OFF_THE_GRID, height + OFF_THE_GRID]);
        if self.options.sway {
            eye[2] -= self.stairs(place[2]);
            angles = add(angles, self.roll_and_kick(place, body));
        }
        if world.stats.get(Stat::Health) <= 0 && self.beat.seen.eyes.is_some() && self.options.sway {
            angles[2] = DEAD_ROLL;
        }
        let punch = world.vitals.punch.map(f32::from);
        (eye, angles, add(angles, punch))
    }

    /// The eyes of another player, at his last known place and with the angles of his body. A body leans a
    /// third as far as its player looks up or down, in the opposite direction.
    fn other_eyes(&self) -> Option<(Vec3, Vec3)> {
        let number = self.options.who?;
        let seen = self.window.back_from(self.place).find_map(|beat| beat.seen.find_thing(number))?;
        let is_now = self.beat.seen.find_thing(number).is_some();
        let (place, [pitch, yaw, _]) = if is_now { self.between(seen) } else { (seen.place, seen.angles) };
        let pitch = if pitch > 180.0 { pitch - 360.0 } else { pitch };
        Some((add(place, [0.0, 0.0, EYES]), [pitch * -3.0, yaw, 0.0]))
    }

    pub(super) fn look(&self, scene: &mut Scene) {
        let (eye, _, seen) = self.eyes();
        let (eye, seen) = self.other_eyes().unwrap_or((eye, seen));
        let (eye, seen) = if self.options.chase && self.world().ending.scene == FinalScreen::Play {
            camera_behind(self.files, &self.level, eye, seen)
        } else {
            (eye, seen)
        };
        let eye = bounded(self.options.eye.unwrap_or(eye));
        let angles = bounded(self.options.angles.unwrap_or(seen));
        let fov = self.options.fov.or_else(|| self.setting("fov")).unwrap_or(90.0);
        scene.camera = Eye { eye, angles, fov: fields(fov, scene.view.size, self.options.screen) };
        let around = self.files.surroundings(&self.level, eye);
        scene.underwater = around.medium.is_liquid();
        scene.listener =
            Listener { entity: self.world().view.entity as u16, place: eye, right: axes(angles)[1] };
    }

    /// The weapon's place and angles, and the eye, where its light is taken.
    pub(super) fn hand(&self) -> (Vec3, Vec3, Vec3) {
        let (eye, angles, _) = self.eyes();
        let eye = self.options.eye.unwrap_or(eye);
        let angles =
            self.options.angles.map_or(angles, |it| sub(it, self.world().vitals.punch.map(f32::from)));
        let bob = if self.options.sway { self.bob() } else { 0.0 };
        let place = sub(eye, [OFF_THE_GRID; 3]);
        let place = along(place, bob * 0.4, axes(angles)[0]);
        (place, [-angles[0], angles[1], angles[2]], eye)
    }

    /// The number that the recording has set for a console variable.
    pub(super) fn setting(&self, name: &str) -> Option<f32> {
        let words = std::str::from_utf8(self.world().console.get(name)?).ok()?;
        words.trim_matches('"').parse().ok().filter(|it: &f32| it.is_finite())
    }

    fn angles(&self) -> Vec3 {
        let of = |beat: &super::Beat<super::BlockState>| {
            bounded(beat.seen.world.view.angles.map(|angle| angle.value() % 360.0))
        };
        let new = of(self.beat);
        match self.before() {
            Some(before) if self.options.interpolate => self
                .turned((before.at, of(before)))
                .unwrap_or_else(|| lerp_angles(of(before), new, self.part)),
            _ => new,
        }
    }

    /// The view's angles, interpolated between those that were recorded before the current beat.
    fn turned(&self, mut last: (f64, Vec3)) -> Option<Vec3> {
        for (ago, turn) in &self.beat.seen.turns {
            let next = (self.beat.at - ago, *turn);
            if self.now < next.0 && last.0 < next.0 {
                let part = (self.now - last.0) / (next.0 - last.0);
                return Some(lerp_angles(last.1, next.1, part.clamp(0.0, 1.0) as f32));
            }
            last = next;
        }
        self.beat.seen.turns.last().map(|(_, turn)| *turn)
    }

    fn velocity(&self) -> Vec3 {
        let of = |beat: &super::Beat<super::BlockState>| {
            beat.seen.world.vitals.velocity.map(|part| f32::from(part) * SPEED)
        };
        self.before().map_or(of(self.beat), |before| lerp(of(before), of(self.beat), self.part))
    }

    /// The bob of the head with the steps.
    fn bob(&self) -> f32 {
        let cycle = (self.clock / 0.6).rem_euclid(1.0) as f32;
        let turn = if cycle < 0.5 { cycle * 360.0 } else { 180.0 + (cycle - 0.5) * 360.0 };
        let [x, y, _] = self.velocity();
        let speed = libm::sqrtf(x * x + y * y) * 0.02;
        (speed * 0.3 + speed * 0.7 * sin(turn)).clamp(-7.0, 4.0)
    }

    /// The angles by which the head rolls when the player strafes, and is kicked by hits.
    fn roll_and_kick(&self, place: Vec3, body: Vec3) -> Vec3 {
        let [forward, right, _] = axes([-body[0], body[1], body[2]]);
        let side = dot(self.velocity(), right);
        let lean = (side.abs() * 2.0 / 200.0).min(2.0);
        let mut angles = [0.0, 0.0, if side < 0.0 { -lean } else { lean }];
        let Some((when, damage)) = self.world().damage else { return angles };
        let left = 1.0 - (self.clock - f64::from(when.value())) / KICK.0;
        if (0.0..=1.0).contains(&left) {
            let from = unit(sub(super::point(&damage.origin), place));
            let strength = super::tints::strength(&damage) * left as f32 * KICK.1;
            angles[2] += strength * dot(from, right);
            angles[0] += strength * dot(from, forward);
        }
        angles
    }

    /// The sway of the view while the game rests.
    fn idle(&self) -> Vec3 {
        let wave = |cycle: f64, level: f32| libm::sin(self.clock * cycle) as f32 * level;
        [wave(1.0, 0.3), wave(2.0, 0.3), wave(0.5, 0.1)]
    }

    /// The distance by which the eyes lag behind a player who climbs stairs.
    fn stairs(&self, now: f32) -> f32 {
        let mut last: Option<(f64, f32)> = None;
        for (_, beat) in self.window.since(self.place, self.now, 1.0) {
            let Some(eyes) = &beat.seen.eyes else { continue };
            let (at, z) =
                if beat.block == self.beat.block { (self.now, now) } else { (beat.at, eyes.place[2]) };
            let height = match last {
                Some((before, height)) if beat.seen.world.vitals.on_ground && z > height => {
                    (height + (at - before) as f32 * STAIRS.0).min(z).max(z - STAIRS.1)
                }
                _ => z,
            };
            last = Some((at, height));
        }
        last.map_or(0.0, |(_, height)| now - height).clamp(0.0, STAIRS.1)
    }
}
