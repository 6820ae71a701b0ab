//! Bursts of particles as functions of their age. Engines move particles frame by frame; here their motion is a formula
//! for any time, so that a seek and a playthrough give the same scene.

use crate::dice::Dice;
use crate::vector::{is_finite, unit};
use crate::{Particle, Vec3};

/// Gravity on particles, in units per second squared.
pub(super) const GRAVITY: f32 = 40.0;

/// The most particles in a scene; an engine has room for 2048.
pub(super) const MAX_SCENE_PARTICLES: usize = 32_768;

const RAMP1: &[u8] = &[0x6f, 0x6d, 0x6b, 0x69, 0x67, 0x65, 0x63, 0x61];
const RAMP2: &[u8] = &[0x6f, 0x6e, 0x6d, 0x6c, 0x6b, 0x6a, 0x68, 0x66];
pub(super) const RAMP3: &[u8] = &[0x6d, 0x6b, 0x06, 0x05, 0x04, 0x03];

/// The motion and colors of a kind of particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Static,
    Falls,
    /// Rises and cools.
    Fire,
    /// Flies faster and faster.
    Explode,
    /// Slows down.
    Explode2,
    Blob,
    Blob2,
}

/// A particle at its birth.
#[derive(Clone, Copy, Debug)]
pub(super) struct BurstParticle {
    pub(super) place: Vec3,
    pub(super) velocity: Vec3,
    pub(super) color: u8,
    /// Its start on the color ramp.
    pub(super) ramp: f32,
    pub(super) lives: f32,
    pub(super) motion: Motion,
}

impl BurstParticle {
    /// The particle at this age, if it still lives.
    pub(super) fn after(&self, age: f32) -> Option<Particle> {
        if age < 0.0 || age > self.lives {
            return None;
        }
        let on_ramp = |ramp: &[u8], speed: f32| ramp.get((self.ramp + speed * age) as usize).copied();
        let color = match self.motion {
            Motion::Fire => on_ramp(RAMP3, 5.0)?,
            Motion::Explode => on_ramp(RAMP1, 10.0)?,
            Motion::Explode2 => on_ramp(RAMP2, 15.0)?,
            _ => self.color,
        };
        let fall = GRAVITY * age * age * 0.5;
        // The distance covered by a velocity that starts at 1 and grows by the factor `rate` of itself per second.
        let grown = |rate: f32| (libm::expf(rate * age) - 1.0) / rate;
        let [way, drop] = match self.motion {
            Motion::Static => [age, 0.0],
            Motion::Falls => [age, -fall],
            Motion::Fire => [age, fall],
            Motion::Explode | Motion::Blob => [grown(4.0), -GRAVITY / 4.0 * (grown(4.0) - age)],
            Motion::Explode2 => [grown(-1.0), GRAVITY * (grown(-1.0) - age)],
            Motion::Blob2 => [grown(-4.0), -fall],
        };
        let up = if self.motion == Motion::Blob2 { age } else { way };
        let [x, y, z] = self.velocity;
        let place = crate::vector::add(self.place, [x * way, y * way, z * up + drop]);
        is_finite(place).then_some(Particle { place, color, alpha: 1.0 })
    }
}

/// A rocket's explosion.
pub(super) fn explosion(dice: &mut Dice, at: Vec3, mut out: impl FnMut(BurstParticle)) {
    for number in 0..1024 {
        let ramp = dice.whole_number(4);
        let place = crate::vector::add(at, dice.box_of(32));
        let velocity = dice.box_of(512);
        let motion = if number % 2 == 1 { Motion::Explode } else { Motion::Explode2 };
        out(BurstParticle { place, velocity, color: 0x6f, ramp, lives: 5.0, motion });
    }
}

/// An explosion in a range of colors.
pub(super) fn colored(dice: &mut Dice, at: Vec3, colors: [u8; 2], mut out: impl FnMut(BurstParticle)) {
    let [first, many] = colors;
    for number in 0..512u16 {
        let color = first.wrapping_add((number % u16::from(many.max(1))) as u8);
        let place = crate::vector::add(at, dice.box_of(32));
        out(BurstParticle {
            place,
            velocity: dice.box_of(512),
            color,
            ramp: 0.0,
            lives: 0.3,
            motion: Motion::Blob,
        });
    }
}

/// The explosion of a Spawn, in the colors of tar.
pub(super) fn tar(dice: &mut Dice, at: Vec3, mut out: impl FnMut(BurstParticle)) {
    for number in 0..1024 {
        let lives = if dice.below(2) == 1 { 1.4 } else { 1.0 };
        let place = crate::vector::add(at, dice.box_of(32));
        let velocity = dice.box_of(512);
        let (first, motion) = if number % 2 == 1 { (66, Motion::Blob) } else { (150, Motion::Blob2) };
        let color = first + dice.below(6) as u8;
        out(BurstParticle { place, velocity, color, ramp: 0.0, lives, motion });
    }
}

/// Blood, sparks and dust.
pub(super) fn puff(
    dice: &mut Dice,
    origin: Vec3,
    direction: Vec3,
    color: u8,
    count: u32,
    mut out: impl FnMut(BurstParticle),
) {
    for _ in 0..count {
        let lives = 0.1 * dice.whole_number(5);
        let color = (color & !7).wrapping_add(dice.below(8) as u8);
        let place = crate::vector::add(origin, dice.box_of(16));
        let velocity = crate::vector::scale(direction, 15.0);
        out(BurstParticle { place, velocity, color, ramp: 0.0, lives, motion: Motion::Falls });
    }
}

/// The lava splash as Chthon rises.
pub(super) fn lava(dice: &mut Dice, at: Vec3, mut out: impl FnMut(BurstParticle)) {
    for i in -16i16..16 {
        for j in -16i16..16 {
            let lives = 2.0 + dice.whole_number(32) * 0.02;
            let color = 224 + dice.below(8) as u8;
            let [x, y] =
                [f32::from(j) * 8.0 + dice.whole_number(8), f32::from(i) * 8.0 + dice.whole_number(8)];
            let place = crate::vector::add(at, [x, y, dice.whole_number(64)]);
            let velocity = crate::vector::scale(unit([x, y, 256.0]), 50.0 + dice.whole_number(64));
            out(BurstParticle { place, velocity, color, ramp: 0.0, lives, motion: Motion::Falls });
        }
    }
}

/// The burst of a teleporter.
pub(super) fn teleport(dice: &mut Dice, at: Vec3, mut out: impl FnMut(BurstParticle)) {
    for i in (-16i16..16).step_by(4) {
        for j in (-16i16..16).step_by(4) {
            for k in (-24i16..32).step_by(4) {
                let lives = 0.2 + dice.whole_number(8) * 0.02;
                let color = 7 + dice.below(8) as u8;
                let [i, j, k] = [i, j, k].map(f32::from);
                let jitter = [dice.whole_number(4), dice.whole_number(4), dice.whole_number(4)];
                let place = crate::vector::add(at, crate::vector::add([i, j, k], jitter));
                let velocity =
                    crate::vector::scale(unit([j * 8.0, i * 8.0, k * 8.0]), 50.0 + dice.whole_number(64));
                out(BurstParticle { place, velocity, color, ramp: 0.0, lives, motion: Motion::Falls });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine's own steps, made very small, lead to the place that the formula gives.
    #[test]
    fn formulas_are_the_limit_of_the_engines_steps() {
        for motion in
            [Motion::Falls, Motion::Fire, Motion::Explode, Motion::Explode2, Motion::Blob, Motion::Blob2]
        {
            let born = BurstParticle {
                place: [0.0; 3],
                velocity: [100.0, -50.0, 30.0],
                color: 1,
                ramp: 0.0,
                lives: 9.0,
                motion,
            };
            let (mut place, mut velocity) = ([0.0f64; 3], [100.0f64, -50.0, 30.0]);
            let step = 1e-5;
            let age = 0.4;
            for _ in 0..(age / step) as u32 {
                for axis in 0..3 {
                    place[axis] += velocity[axis] * step;
                }
                let [x, y, z] = velocity;
                velocity = match motion {
                    Motion::Explode | Motion::Blob => [x, y, z].map(|it| it + it * 4.0 * step),
                    Motion::Explode2 => [x, y, z].map(|it| it - it * step),
                    Motion::Blob2 => [x - x * 4.0 * step, y - y * 4.0 * step, z],
                    _ => velocity,
                };
                velocity[2] += f64::from(GRAVITY) * step * if motion == Motion::Fire { 1.0 } else { -1.0 };
            }
            let there = born.after(age as f32).unwrap();
            for axis in 0..3 {
                let way = f64::from(there.place[axis]) - place[axis];
                assert!(way.abs() < 0.05, "{motion:?} {axis}: {:?} is not {place:?}", there.place);
            }
        }
    }
}
