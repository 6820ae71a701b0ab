//! The temporary entities that `DarkPlaces` added, as functions of the message and its age. The numbers are those of
//! that engine's own effects, with `cl_particles_quake 1` for effects that have such a variant; pictures of smoke and
//! fire become dots in the same colors. Particles do not bounce, and walls get no scorch marks.

use super::burst::{self, GRAVITY};
use super::{Maker, point};
use crate::dice::Dice;
use crate::vector::{add, along, bounded, is_finite, scale, sub, unit};
use crate::{Beam, DynamicLight, Particle, Scene, Vec3};
use moviola_format::DarkPlacesEffectValues;
use moviola_format::names::{quake, value};
use moviola_state::quake::Happening;

/// The particles of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EffectParticles {
    Nothing,
    /// A number of gray particles, as where a shot hits a wall.
    Dust(u32),
    Blood,
    BloodShower,
    Sparks,
    Explosion,
    Cube,
    Rain,
    Snow,
    Flames,
    Smoke,
    Plasma,
    Beam,
}

/// A light: its radius, its color in the engine's measure, and the units that it loses per second.
#[derive(Clone, Copy, Debug)]
enum Flash {
    None,
    Of(f32, Vec3, f32),
    /// An explosion's, in the message's color.
    Colored,
    /// All of it is in the message.
    Custom,
}

const fn kind(name: &str) -> u8 {
    value(quake::TEMP_ENTITY, name) as u8
}

const QUAD: Flash = Flash::Of(100.0, [0.15, 0.15, 1.5], 500.0);

/// Each kind with its particles and its light.
const EFFECTS: &[(u8, EffectParticles, Flash)] = &[
    (kind("TE_BLOOD"), EffectParticles::Blood, Flash::None),
    (kind("TE_SPARK"), EffectParticles::Sparks, Flash::None),
    (kind("TE_BLOODSHOWER"), EffectParticles::BloodShower, Flash::None),
    (kind("TE_EXPLOSIONRGB"), EffectParticles::Explosion, Flash::Colored),
    (kind("TE_PARTICLECUBE"), EffectParticles::Cube, Flash::None),
    (kind("TE_PARTICLERAIN"), EffectParticles::Rain, Flash::None),
    (kind("TE_PARTICLESNOW"), EffectParticles::Snow, Flash::None),
    (kind("TE_GUNSHOTQUAD"), EffectParticles::Dust(20), QUAD),
    (kind("TE_SPIKEQUAD"), EffectParticles::Dust(10), QUAD),
    (kind("TE_SUPERSPIKEQUAD"), EffectParticles::Dust(20), QUAD),
    (kind("TE_EXPLOSIONQUAD"), EffectParticles::Explosion, Flash::Of(350.0, [2.5, 2.0, 4.0], 700.0)),
    (kind("TE_SMALLFLASH"), EffectParticles::Nothing, Flash::Of(200.0, [2.0; 3], 1000.0)),
    (kind("TE_CUSTOMFLASH"), EffectParticles::Nothing, Flash::Custom),
    (kind("TE_FLAMEJET"), EffectParticles::Flames, Flash::None),
    (kind("TE_PLASMABURN"), EffectParticles::Nothing, Flash::Of(200.0, [1.0; 3], 1000.0)),
    (kind("TE_TEI_G3"), EffectParticles::Beam, Flash::None),
    (kind("TE_TEI_SMOKE"), EffectParticles::Smoke, Flash::None),
    (kind("TE_TEI_BIGEXPLOSION"), EffectParticles::Explosion, Flash::Of(500.0, [2.5, 2.0, 1.0], 500.0)),
    (kind("TE_TEI_PLASMAHIT"), EffectParticles::Plasma, Flash::Of(500.0, [0.6, 1.2, 2.0], 2000.0)),
];

/// Lights of this engine are weaker than Quake's with the same numbers.
const STRENGTH: f32 = 0.8;

/// Seconds after which no part of an effect is left. Rain would fall for longer.
const LONGEST: f64 = 4.0;

/// The engine's `sv_gravity`: its particles fall as fast as players.
const FALL: f32 = 800.0;

/// A spark is drawn as a line as long as the distance that it covers in twice this many seconds.
const STREAK: f32 = 0.04;

/// The colors of sparks, flames, smoke and plasma; nearest to the engine's.
const SPARKS: &[u8] = &[0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f];
const FLAMES: &[u8] = &[0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec];
const SMOKE: &[u8] = &[8, 9, 10, 11, 12];
const PLASMA: &[u8] = &[0xd0, 0xd2, 0xf4];
const WHITE: u8 = 0xfe;

/// The greatest number of particles, since damaged recordings may ask for any number.
const MAX_PARTICLES: u32 = 4096;

/// A particle at its birth.
#[derive(Clone, Copy, Debug)]
struct NewParticle {
    place: Vec3,
    velocity: Vec3,
    color: u8,
    /// The opacity of 255, and how much of it is lost per second.
    alpha: [f32; 2],
    /// Seconds after which it vanishes, however opaque it is.
    lives: f32,
    /// Its downward acceleration.
    falls: f32,
    /// The share of its speed that air resistance takes per second.
    drag: f32,
}

const MOTE: NewParticle = NewParticle {
    place: [0.0; 3],
    velocity: [0.0; 3],
    color: 0,
    alpha: [255.0, 0.0],
    lives: LONGEST as f32,
    falls: 0.0,
    drag: 0.0,
};

impl NewParticle {
    /// Its place, velocity and opacity at this age, if it still lives.
    fn after(&self, age: f32) -> Option<(Vec3, Vec3, f32)> {
        let [alpha, fade] = self.alpha;
        let alpha = (alpha - fade * age) / 255.0;
        if !(age >= 0.0 && age <= self.lives && alpha > 0.0) {
            return None;
        }
        // Speed decreases as exp(-drag * age); the distance is the integral of that.
        let rest = libm::expf(-self.drag * age);
        let (way, down) = if self.drag > 0.0 {
            let way = (1.0 - rest) / self.drag;
            (way, [(age - way) / self.drag, way])
        } else {
            (age, [age * age / 2.0, age])
        };
        let place = sub(along(self.place, way, self.velocity), [0.0, 0.0, self.falls * down[0]]);
        let velocity = sub(scale(self.velocity, rest), [0.0, 0.0, self.falls * down[1]]);
        is_finite(place).then_some((place, velocity, alpha.min(1.0)))
    }

    fn dot(&self, age: f32) -> Option<Particle> {
        let (place, _, alpha) = self.after(age)?;
        Some(Particle { place, color: self.color, alpha })
    }

    /// The particle as a line in the direction of its movement.
    fn streak(&self, age: f32, radius: f32) -> Option<Beam> {
        let (place, velocity, alpha) = self.after(age)?;
        let [from, to] = [-STREAK, STREAK].map(|part| along(place, part, velocity));
        (is_finite(from) && is_finite(to)).then_some(Beam { from, to, radius, color: self.color, alpha })
    }
}

/// The row of a kind.
fn row(kind: u8) -> Option<(EffectParticles, Flash)> {
    EFFECTS.iter().find(|row| row.0 == kind).map(|(_, show, flash)| (*show, *flash))
}

/// A place between two corners of a box.
fn inside(dice: &mut Dice, [low, high]: [Vec3; 2]) -> Vec3 {
    let parts = [dice.part(), dice.part(), dice.part()];
    std::array::from_fn(|axis| {
        let at = |it: Vec3| it.get(axis).copied().unwrap_or_default();
        at(low) + (at(high) - at(low)) * at(parts)
    })
}

/// A direction with a length of up to 1.
fn ball(dice: &mut Dice) -> Vec3 {
    let length = dice.part();
    scale(unit(dice.cube()), length)
}

fn one_of(dice: &mut Dice, colors: &[u8]) -> u8 {
    colors.get(dice.below(colors.len() as u32) as usize).copied().unwrap_or_default()
}

/// A random number between two numbers.
fn from_to(dice: &mut Dice, from: f32, to: f32) -> f32 {
    from + (to - from) * dice.part()
}

impl Maker<'_> {
    /// The effects of the last seconds, each with its age and its random numbers.
    fn added(&self, seconds: f64) -> impl Iterator<Item = (&DarkPlacesEffectValues, f32, Dice)> {
        self.window.since(self.place, self.now, seconds).flat_map(|(_, beat)| {
            let age = (self.now - beat.from) as f32;
            beat.seen.world.moment.iter().zip(0u64..).filter_map(move |(happening, number)| {
                let Happening::DarkPlacesEffect(it) = happening else { return None };
                Some((it, age, Dice::of(beat.block, number)))
            })
        })
    }

    /// Adds their particles and lines.
    pub(super) fn add_darkplaces(&self, scene: &mut Scene) {
        for (it, age, mut dice) in self.added(LONGEST) {
            if scene.particles.len() > burst::MAX_SCENE_PARTICLES
                || scene.beams.len() > burst::MAX_SCENE_PARTICLES
            {
                return;
            }
            if let Some((show, _)) = row(it.kind) {
                draw(show, it, age, &mut dice, scene);
            }
        }
    }

    /// Adds the lights of the effects.
    pub(super) fn shine_darkplaces(&self, scene: &mut Scene) {
        for (it, age, _) in self.added(LONGEST) {
            let bytes = it.rgb.map(|part| f32::from(part) * 2.0 / 255.0);
            let (radius, color, fade) = match row(it.kind) {
                Some((_, Flash::Of(radius, color, fade))) => (radius, color, fade),
                Some((_, Flash::Colored)) => (350.0, bytes, 700.0),
                Some((_, Flash::Custom)) => {
                    let radius = (f32::from(it.radius) + 1.0) * 8.0;
                    (radius, bytes, radius * 256.0 / (f32::from(it.duration) + 1.0))
                }
                Some((_, Flash::None)) | None => continue,
            };
            let radius = radius - fade * age;
            if age >= 0.0 && radius > 0.0 {
                let (place, color) = (point(&it.origin), scale(color, STRENGTH));
                scene.lights.push(DynamicLight { place, radius, least: 0.0, color });
            }
        }
    }
}

/// Draws an effect at its age.
fn draw(show: EffectParticles, it: &DarkPlacesEffectValues, age: f32, dice: &mut Dice, scene: &mut Scene) {
    let (at, way) = (point(&it.origin), point(&it.direction));
    let corners = [at, point(&it.end)];
    let count = u32::from(it.count).min(MAX_PARTICLES);
    let dots = &mut scene.particles;
    match show {
        EffectParticles::Nothing => {}
        EffectParticles::Dust(many) => {
            burst::puff(dice, at, [0.0; 3], 0, many, |born| dots.extend(born.after(age)));
        }
        EffectParticles::Explosion => burst::explosion(dice, at, |born| dots.extend(born.after(age))),
        EffectParticles::Blood | EffectParticles::BloodShower => {
            for _ in 0..2 * count {
                let (place, velocity) = match show {
                    EffectParticles::Blood => (at, way),
                    _ => (inside(dice, corners), scale(dice.cube(), point(&[it.speed; 3])[0])),
                };
                dots.extend(blood(dice, place, velocity).dot(age));
            }
        }
        EffectParticles::Cube => {
            let falls = if it.falls { FALL } else { 0.0 };
            let [speed, ..] = point(&[it.speed; 3]);
            for _ in 0..count {
                let place = inside(dice, corners);
                let velocity = add(way, scale(ball(dice), speed));
                let color = it.color.wrapping_add(dice.below(4) as u8);
                dots.extend(
                    NewParticle { place, velocity, color, alpha: [255.0, 128.0], falls, ..MOTE }.dot(age),
                );
            }
        }
        EffectParticles::Flames => {
            for _ in 0..count {
                let velocity = add(way, scale(ball(dice), 128.0));
                // The engine's are pictures of fire, large and faint; points have to be more opaque.
                let (color, alpha) = (one_of(dice, FLAMES), [from_to(dice, 160.0, 320.0), 960.0]);
                let mote = NewParticle { place: at, velocity, color, alpha, falls: -FALL, drag: 1.0, ..MOTE };
                dots.extend(mote.dot(age));
            }
        }
        EffectParticles::Smoke => {
            dots.extend((0..count / 4).filter_map(|_| smoke(dice, [at, way], [1.5, 6.0]).dot(age)));
        }
        EffectParticles::Plasma => {
            dots.extend((0..count / 4).filter_map(|_| smoke(dice, [at, way], [20.0, 155.0]).dot(age)));
            for _ in 0..count {
                let velocity = along(way, 465.0, ball(dice));
                let (color, alpha) = (one_of(dice, PLASMA), [from_to(dice, 64.0, 255.0), 512.0]);
                scene
                    .beams
                    .extend(NewParticle { place: at, velocity, color, alpha, ..MOTE }.streak(age, 1.0));
            }
        }
        EffectParticles::Sparks => {
            // Sparks start upwards.
            let way = add(way, [0.0, 0.0, FALL * 0.1]);
            for _ in 0..count {
                let velocity = along(way, 64.0, ball(dice));
                let (color, alpha) = (one_of(dice, SPARKS), [from_to(dice, 64.0, 255.0), 512.0]);
                let mote = NewParticle { place: at, velocity, color, alpha, falls: FALL, ..MOTE };
                scene.beams.extend(mote.streak(age, 0.4));
            }
        }
        EffectParticles::Beam => {
            // The engine's picture of a beam is thin and uneven.
            let alpha = (1.0 - age) * 0.5;
            if (0.0..1.0).contains(&age) {
                let [from, to] = corners;
                scene.beams.push(Beam { from, to, radius: 2.0, color: WHITE, alpha });
            }
        }
        EffectParticles::Rain | EffectParticles::Snow => {
            let drops = if show == EffectParticles::Rain { 4 * count } else { count };
            for _ in 0..drops {
                let mut mote = drop(it, corners, dice);
                if show == EffectParticles::Rain {
                    mote.alpha = [from_to(dice, 32.0, 64.0), 0.0];
                    scene.beams.extend(mote.streak(age, 0.25));
                } else {
                    mote.alpha = [from_to(dice, 64.0, 128.0), 0.0];
                    // A flake flutters from side to side.
                    let [x, y] = [(); 2].map(|()| {
                        let (turn, speed) = (dice.part() * 6.0, 4.0 + 4.0 * dice.part());
                        32.0 / speed * (libm::sinf(turn + speed * age) - libm::sinf(turn))
                    });
                    mote.place = add(mote.place, [x, y, 0.0]);
                    dots.extend(mote.dot(age));
                }
            }
        }
    }
}

/// A puff of smoke beside a place and a velocity: at most this far away from each.
fn smoke(dice: &mut Dice, [at, way]: [Vec3; 2], [far, fast]: [f32; 2]) -> NewParticle {
    let jitter = ball(dice);
    let (place, velocity) = (along(at, far, jitter), along(way, fast, jitter));
    NewParticle { place, velocity, color: one_of(dice, SMOKE), alpha: [255.0, 512.0], ..MOTE }
}

/// A drop of blood: it lives for as long as other particles of Quake.
fn blood(dice: &mut Dice, place: Vec3, velocity: Vec3) -> NewParticle {
    let lives = from_to(dice, 0.1, 0.5);
    let color = 72 + dice.below(8) as u8;
    let place = add(place, scale(ball(dice), 8.0));
    NewParticle { place, velocity, color, lives, falls: GRAVITY, ..MOTE }
}

/// A drop of rain or a flake of snow, which starts at that side of the box from which it falls or rises.
fn drop(it: &DarkPlacesEffectValues, [low, high]: [Vec3; 2], dice: &mut Dice) -> NewParticle {
    let [x, y, z] = bounded(point(&it.direction));
    let [bottom, top] = [low[2].min(high[2]), low[2].max(high[2])];
    let start = if z < 0.0 { top } else { bottom };
    let [from, to] = [-0.1, 0.1].map(|part| (start + z.abs() * part).clamp(bottom, top));
    let place = inside(dice, [[low[0], low[1], from], [high[0], high[1], to]]);
    // A particle of rain or snow falls through the box once.
    let left = if z < 0.0 { place[2] - bottom } else { top - place[2] };
    let lives = if z == 0.0 { 2.0 } else { (left / z.abs()).min(LONGEST as f32) };
    let color = it.color.wrapping_add(dice.below(4) as u8);
    NewParticle { place, velocity: [x, y, z], color, lives, ..MOTE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine's own steps, made very small, lead to the place that the formula gives.
    #[test]
    fn formulas_are_the_limit_of_the_engines_steps() {
        for (falls, drag) in [(0.0, 0.0), (800.0, 0.0), (-800.0, 1.0), (0.0, 3.0)] {
            let mote = NewParticle { velocity: [100.0, -50.0, 30.0], falls, drag, ..MOTE };
            let (mut place, mut velocity) = ([0.0f64; 3], [100.0f64, -50.0, 30.0]);
            let (step, age) = (1e-5, 0.4);
            for _ in 0..(age / step) as u32 {
                for axis in 0..3 {
                    place[axis] += velocity[axis] * step;
                    velocity[axis] -= velocity[axis] * f64::from(drag) * step;
                }
                velocity[2] -= f64::from(falls) * step;
            }
            let (there, speed, _) = mote.after(age as f32).unwrap();
            for axis in 0..3 {
                assert!((f64::from(there[axis]) - place[axis]).abs() < 0.05, "{there:?} is not {place:?}");
                assert!((f64::from(speed[axis]) - velocity[axis]).abs() < 0.5, "{speed:?}: not {velocity:?}");
            }
        }
    }

    #[test]
    fn every_kind_that_was_added_is_drawn_and_ends() {
        for (number, name) in quake::TEMP_ENTITY.iter().filter(|row| row.0 >= 50) {
            let (show, flash) = row(*number as u8).unwrap_or_else(|| panic!("{name} has no row"));
            let shows = |age: f32| {
                let coord = |value| moviola_format::Coord::nearest(moviola_format::CoordKind::Float, value);
                let it = DarkPlacesEffectValues {
                    end: [100.0; 3].map(coord),
                    direction: [0.0, 0.0, -50.0].map(coord),
                    count: 40,
                    color: 40,
                    ..DarkPlacesEffectValues::default()
                };
                let mut scene = Scene::default();
                draw(show, &it, age, &mut Dice::of(1, 1), &mut scene);
                scene.particles.len() + scene.beams.len()
            };
            assert_eq!(shows(0.05) > 0, show != EffectParticles::Nothing, "{name}");
            // A particle of an explosion would live for five seconds, but after one second it has passed through all of
            // its colors.
            assert_eq!(shows(4.5), 0, "{name}");
            assert!(
                show != EffectParticles::Nothing || !matches!(flash, Flash::None),
                "{name} has neither particles nor light"
            );
        }
    }
}
