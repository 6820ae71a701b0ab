//! Effects without an entity, and lights: functions of the events of the last seconds and their age.

use super::burst::{self, BurstParticle, MAX_SCENE_PARTICLES};
use super::trail::ROCKET;
use super::{Maker, Thing, point};
use crate::dice::Dice;
use crate::vector::{add, along, angles_of, axes, length, sub, unit};
use crate::{DynamicLight, Model, Pose, Scene, Vec3};
use moviola_format::names::{bit, quake, value};
use moviola_state::quake::{Effect, Happening};
use moviola_state::quakeworld::AsQuake;
use std::collections::BTreeMap;

const fn effect(name: &str) -> u8 {
    bit(quake::EFFECTS, name) as u8
}

const fn kind(name: &str) -> u8 {
    value(quake::TEMP_ENTITY, name) as u8
}

/// The look of an effect.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// The first color and the number of particles.
    Puff(u8, u32),
    Explosion,
    Tar,
    /// An explosion in the colors that the message names.
    Colored,
    Lava,
    Teleport,
    /// A lightning bolt: copies of this model in a row.
    Bolt(&'static str),
}

/// The kinds that are drawn; other kinds are left out.
const SHAPES: &[(u8, Shape)] = &[
    (kind("TE_SPIKE"), Shape::Puff(0, 10)),
    (kind("TE_SUPERSPIKE"), Shape::Puff(0, 20)),
    (kind("TE_GUNSHOT"), Shape::Puff(0, 20)),
    (kind("TE_EXPLOSION"), Shape::Explosion),
    (kind("TE_TAREXPLOSION"), Shape::Tar),
    (kind("TE_LIGHTNING1"), Shape::Bolt("progs/bolt.mdl")),
    (kind("TE_LIGHTNING2"), Shape::Bolt("progs/bolt2.mdl")),
    (kind("TE_WIZSPIKE"), Shape::Puff(20, 30)),
    (kind("TE_KNIGHTSPIKE"), Shape::Puff(226, 20)),
    (kind("TE_LIGHTNING3"), Shape::Bolt("progs/bolt3.mdl")),
    (kind("TE_LAVASPLASH"), Shape::Lava),
    (kind("TE_TELEPORT"), Shape::Teleport),
    (kind("TE_EXPLOSION2"), Shape::Colored),
    (kind("TE_BEAM"), Shape::Bolt("progs/beam.mdl")),
    (kind("TE_EXPLOSION3"), Shape::Explosion),
    (kind("TE_LIGHTNING4"), Shape::Bolt("")),
];

/// Seconds that a bolt is shown, the distance between its pieces, and the most pieces of all bolts.
const BOLT: (f64, f32, usize) = (0.2, 30.0, 64);

/// An explosion's light: radius, units lost per second, duration in seconds.
const BLAST: (f32, f32, f64) = (350.0, 300.0, 0.5);

/// Seconds that a muzzle flash lights its surroundings.
const SHOT: f64 = 0.1;

/// Seconds after which no particle of an effect is left.
const LONGEST: f64 = 3.0;

/// A `particle` message with this count is an explosion.
const IS_EXPLOSION: u8 = value(quake::PARTICLE_COUNT, "explosion, 1024") as u8;

impl Maker<'_> {
    pub(super) fn start_effects(&self, scene: &mut Scene) {
        self.add_lights(scene);
        self.add_lightning(scene);
        if self.options.particles {
            self.leave_trails(scene);
            self.burst(scene);
            self.add_darkplaces(scene);
            self.add_brightfields(scene);
        }
    }

    fn shape(effect: &Effect) -> Option<Shape> {
        SHAPES.iter().find(|(kind, _)| *kind == effect.kind).map(|(_, shape)| *shape)
    }

    fn burst(&self, scene: &mut Scene) {
        for (_, beat) in self.window.since(self.place, self.now, LONGEST) {
            let age = (self.now - beat.from) as f32;
            for (happening, number) in beat.seen.world.moment.iter().zip(0..) {
                if scene.particles.len() > MAX_SCENE_PARTICLES {
                    return;
                }
                let dice = &mut Dice::of(beat.block, number);
                let out = |born: BurstParticle| scene.particles.extend(born.after(age));
                match happening {
                    Happening::Particles(it) if it.count == IS_EXPLOSION => {
                        burst::explosion(dice, point(&it.origin), out);
                    }
                    Happening::Particles(it) => {
                        let way = it.velocity.map(|part| part.value() as f32);
                        burst::puff(dice, point(&it.origin), way, it.color, u32::from(it.count), out);
                    }
                    Happening::Effect(it) => {
                        let at = point(&it.origin);
                        match Self::shape(it) {
                            Some(Shape::Puff(color, many)) => {
                                burst::puff(dice, at, [0.0; 3], color, many, out);
                            }
                            Some(Shape::Explosion) => burst::explosion(dice, at, out),
                            Some(Shape::Tar) => burst::tar(dice, at, out),
                            Some(Shape::Colored) => burst::colored(dice, at, it.colors, out),
                            Some(Shape::Lava) => burst::lava(dice, at, out),
                            Some(Shape::Teleport) => burst::teleport(dice, at, out),
                            Some(Shape::Bolt(_)) | None => {}
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Adds the shell of dots around entities with `EF_BRIGHTFIELD`.
    fn add_brightfields(&self, scene: &mut Scene) {
        for thing in &self.beat.seen.entities {
            if thing.look.effects & effect("EF_BRIGHTFIELD") == 0
                || scene.particles.len() > MAX_SCENE_PARTICLES
            {
                continue;
            }
            let (place, _) = self.between(thing);
            let speeds = &mut Dice::of(0, 0x6276_656c);
            for number in 0..=u8::MAX {
                let Some(normal) = moviola_format::Direction(number).vector() else { break };
                let turn = |speed: u32| (self.clock * f64::from(speed) * 0.01) as f32;
                let (yaw, pitch) = (turn(speeds.below(256)), turn(speeds.below(256)));
                let (cp, cy, sp, sy) =
                    (libm::cosf(pitch), libm::cosf(yaw), libm::sinf(pitch), libm::sinf(yaw));
                let way = [cp * cy, cp * sy, -sp];
                let place = along(along(place, 64.0, normal), 16.0, way);
                scene.particles.push(crate::Particle { place, color: 0x6f, alpha: 1.0 });
            }
        }
    }

    /// Adds the lights: at most one for each entity, and one for each explosion.
    fn add_lights(&self, scene: &mut Scene) {
        let mut lights: BTreeMap<u16, DynamicLight> = BTreeMap::new();
        for (_, beat) in self.window.since(self.place, self.now, SHOT) {
            for thing in &beat.seen.entities {
                if thing.look.effects & effect("EF_MUZZLEFLASH") != 0 && self.now - beat.from <= SHOT {
                    let radius = 200.0 + Dice::of(beat.block, u64::from(thing.number)).whole_number(32);
                    let forward = axes([-thing.angles[0], thing.angles[1], thing.angles[2]])[0];
                    let place = along(add(thing.place, [0.0, 0.0, 16.0]), 18.0, forward);
                    lights.insert(thing.number, light(place, radius, 32.0));
                }
            }
        }
        for thing in &self.beat.seen.entities {
            self.glow(thing, &mut lights);
        }
        scene.lights.extend(lights.into_values());
        for (_, beat) in self.window.since(self.place, self.now, BLAST.2) {
            let age = self.now - beat.from;
            for happening in &beat.seen.world.moment {
                let Happening::Effect(it) = happening else { continue };
                let explodes = matches!(Self::shape(it), Some(Shape::Explosion | Shape::Colored));
                if explodes && age <= BLAST.2 {
                    let color = if it.end.is_color {
                        it.end.parts.map(|part| part.value() as f32 / 255.0)
                    } else {
                        [1.0; 3]
                    };
                    let color = color.map(|part| if part.is_finite() { part.clamp(0.0, 4.0) } else { 1.0 });
                    let radius = BLAST.0 - BLAST.1 * age as f32;
                    scene.lights.push(DynamicLight { color, ..light(point(&it.origin), radius, 0.0) });
                }
            }
        }
        self.shine_darkplaces(scene);
        scene.lights.truncate(MOST_LIGHTS);
    }

    fn glow(&self, thing: &Thing, lights: &mut BTreeMap<u16, DynamicLight>) {
        let effects = thing.look.effects;
        let is_rocket = || self.files.model_flags(&self.model_name(thing.look.model)) & ROCKET != 0;
        let flicker = Dice::of((self.now * 72.0) as u64, u64::from(thing.number)).whole_number(32);
        let (place, _) = self.between(thing);
        if effects & effect("EF_BRIGHTLIGHT") != 0 {
            let above = add(place, [0.0, 0.0, 16.0]);
            lights.insert(thing.number, light(above, 400.0 + flicker, 0.0));
        }
        if effects & effect("EF_DIMLIGHT") != 0 {
            let color = glow(effects);
            lights.insert(thing.number, DynamicLight { color, ..light(place, 200.0 + flicker, 0.0) });
        }
        if is_rocket() {
            lights.insert(thing.number, light(place, 200.0, 0.0));
        }
    }

    /// Adds lightning: the newest bolt of each entity.
    fn add_lightning(&self, scene: &mut Scene) {
        let mut bolts: BTreeMap<i16, (&Effect, &str, u64)> = BTreeMap::new();
        for (_, beat) in self.window.since(self.place, self.now, BOLT.0) {
            for happening in beat.seen.world.moment.iter().filter(|_| self.now - beat.from <= BOLT.0) {
                if let Happening::Effect(it) = happening
                    && let Some(Shape::Bolt(file)) = Self::shape(it)
                {
                    bolts.insert(it.entity, (it, file, beat.block));
                }
            }
        }
        let mut pieces = 0;
        for (bolt, file, block) in bolts.into_values() {
            let model = String::from_utf8_lossy(bolt.model.bytes()).into_owned();
            let file = if file.is_empty() { model.as_str() } else { file };
            let is_own = bolt.entity == self.world().view.entity;
            let eyes = self.beat.seen.eyes.as_ref().filter(|_| is_own);
            let start = eyes.map_or(point(&bolt.origin), |thing| self.between(thing).0);
            let end = point(&bolt.end.parts);
            let (pitch, yaw) = angles_of(sub(end, start));
            let direction = unit(sub(end, start));
            let mut left = length(sub(end, start));
            let mut at: Vec3 = start;
            let mut dice = Dice::of(block, (self.now * 72.0) as u64 ^ 1 << 40);
            while left > 0.0 && pieces < BOLT.2 {
                let angles = [libm::truncf(pitch), libm::truncf(yaw), dice.whole_number(360)];
                scene.models.push(Model {
                    file: file.into(),
                    pose: Pose::still(0, self.clock),
                    place: at,
                    angles,
                    lit_at: at,
                    ..Model::default()
                });
                at = along(at, BOLT.1, direction);
                left -= BOLT.1;
                pieces += 1;
            }
        }
    }
}

/// The most lights in a scene, as in today's engines.
const MOST_LIGHTS: usize = 64;

/// The color of the light around a player, white but for QuakeWorld's powers.
fn glow(effects: u8) -> Vec3 {
    const WEAK_GLOW: f32 = 0.25;
    let is = |bit: u8| effects & bit != 0;
    match (is(AsQuake::BLUE), is(AsQuake::RED)) {
        (true, false) => [WEAK_GLOW, WEAK_GLOW, 1.0],
        (false, true) => [1.0, WEAK_GLOW, WEAK_GLOW],
        (true, true) => [1.0, WEAK_GLOW, 1.0],
        (false, false) => [1.0; 3],
    }
}

fn light(place: Vec3, radius: f32, least: f32) -> DynamicLight {
    DynamicLight { place, radius, least, color: [1.0; 3] }
}
