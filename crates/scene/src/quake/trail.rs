//! Trails of rockets, grenades, gibs and monsters' shots: particles along the path of an entity.
//!
//! Engines add them in each drawn frame. Here the way between two updates is divided into steps of a 72nd of a second,
//! so that a trail does not depend on the frame rate.

use super::burst::{BurstParticle, Motion, RAMP3};
use super::{Beat, BlockState, Maker, Thing};
use crate::dice::Dice;
use crate::vector::{add, along, length, lerp, scale, sub, unit};
use crate::{Scene, Vec3};

/// The trails by the flags in the head of an MDL; the first that matches counts.
const TRAILS: &[(u32, Trail)] = &[
    (4, Trail::Blood),
    (32, Trail::SlightBlood),
    (16, Trail::Tracer { first: 52 }),
    (64, Trail::Tracer { first: 230 }),
    (ROCKET, Trail::Rocket),
    (2, Trail::Smoke),
    (128, Trail::Voor),
];

/// The flag of models that leave a rocket's trail and shine.
pub(super) const ROCKET: u32 = 1;

#[derive(Clone, Copy, Debug)]
enum Trail {
    Rocket,
    Smoke,
    Blood,
    SlightBlood,
    /// Two lines beside the path, in alternating colors.
    Tracer {
        first: u8,
    },
    Voor,
}

/// Seconds after which no trail is left.
const LONGEST: f64 = 2.0;

/// The distance between two particles, in units.
const PARTICLE_SPACING: f32 = 3.0;

/// The frames per second of an engine.
const FRAMES: f64 = 72.0;

/// The most particles of trails in a scene; a damaged recording may move any number of entities.
const MAX_PARTICLES: usize = 16_384;

impl Maker<'_> {
    pub(super) fn leave_trails(&self, scene: &mut Scene) {
        let mut flags = std::collections::BTreeMap::new();
        for (before, beat) in self.window.since(self.place, self.now, LONGEST) {
            for thing in &beat.seen.entities {
                let model = thing.look.model;
                let flags =
                    *flags.entry(model).or_insert_with(|| self.files.model_flags(&self.model_name(model)));
                let trail = TRAILS.iter().find(|(flag, _)| flags & flag != 0);
                let old =
                    before.and_then(|before| before.seen.find_thing(thing.number)).filter(|_| !thing.jumps);
                if let (Some((_, trail)), Some(old)) = (trail, old) {
                    self.add_trail(*trail, old, thing, beat, scene);
                }
                if scene.particles.len() > MAX_PARTICLES {
                    return;
                }
            }
        }
    }

    fn add_trail(
        &self,
        trail: Trail,
        old: &Thing,
        thing: &Thing,
        beat: &Beat<BlockState>,
        scene: &mut Scene,
    ) {
        let movement = sub(thing.place, old.place);
        let distance = length(movement);
        if distance == 0.0 || movement.iter().any(|part| part.abs() > super::entities::JUMP) {
            return;
        }
        let takes = beat.at - beat.from;
        let steps = (takes * FRAMES + 0.5).clamp(1.0, 16.0) as u32;
        let mut dice = Dice::of(beat.block, u64::from(thing.number) | 1 << 20);
        let direction = unit(movement);
        // Engines count on from trail to trail, and the color depends on the count.
        let mut count = (beat.block as u32).wrapping_mul(libm::ceilf(distance / PARTICLE_SPACING) as u32);
        for step in 0..steps {
            let from = lerp(old.place, thing.place, step as f32 / steps as f32);
            let born = beat.from + takes * f64::from(step + 1) / f64::from(steps);
            let age = (self.now - born) as f32;
            let mut left = distance / steps as f32;
            let mut at = from;
            while left > 0.0 {
                left -= if matches!(trail, Trail::SlightBlood) {
                    2.0 * PARTICLE_SPACING
                } else {
                    PARTICLE_SPACING
                };
                count = count.wrapping_add(1);
                let particle = particle(trail, &mut dice, at, direction, count);
                scene.particles.extend(particle.after(age));
                at = along(at, 1.0, direction);
            }
        }
    }
}

fn particle(trail: Trail, dice: &mut Dice, at: Vec3, way: Vec3, count: u32) -> BurstParticle {
    let near = |dice: &mut Dice| add(at, dice.box_of(6));
    let base = BurstParticle {
        place: at,
        velocity: [0.0; 3],
        color: 0,
        ramp: 0.0,
        lives: 2.0,
        motion: Motion::Fire,
    };
    let color = |ramp: f32| RAMP3.get(ramp as usize).copied().unwrap_or_default();
    match trail {
        Trail::Rocket | Trail::Smoke => {
            let ramp = dice.whole_number(4) + if matches!(trail, Trail::Smoke) { 2.0 } else { 0.0 };
            BurstParticle { place: near(dice), color: color(ramp), ramp, ..base }
        }
        Trail::Blood | Trail::SlightBlood => {
            let color = 67 + dice.below(4) as u8;
            BurstParticle { place: near(dice), color, motion: Motion::Falls, ..base }
        }
        Trail::Tracer { first } => {
            let side = if count % 2 == 1 { 30.0 } else { -30.0 };
            let color = first + ((count & 4) << 1) as u8;
            BurstParticle {
                velocity: scale([way[1], -way[0], 0.0], side),
                color,
                lives: 0.5,
                motion: Motion::Static,
                ..base
            }
        }
        Trail::Voor => {
            let color = 152 + dice.below(4) as u8;
            BurstParticle {
                place: add(at, dice.box_of(16)),
                color,
                lives: 0.3,
                motion: Motion::Static,
                ..base
            }
        }
    }
}
