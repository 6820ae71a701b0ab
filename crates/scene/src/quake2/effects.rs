//! Effects of Quake II without an entity: one row lists everything that is visible and audible of a kind.

use super::explosions::{self, Boom};
use super::flashes::flash_light;
use super::sparks::{self, Burst, FALLS, PORTAL, Row, Spark};
use super::{Maker, point};
use crate::dice::Dice;
use crate::vector::{add, along, angles_of, axes, length, scale, sub, unit};
use crate::{Beam, DynamicLight, Model, Pose, Scene, Shade, Vec3};
use moviola_format::names::{quake2, value};
use moviola_state::quake2::{Effect, MomentKind};
use std::collections::BTreeMap;

const fn kind(name: &str) -> u8 {
    value(quake2::TEMP_ENTITY, name) as u8
}

/// A part of an effect.
#[derive(Clone, Copy, Debug)]
pub(super) enum EffectPart {
    Burst(Burst),
    /// Dust with the count and the color of the message, and this pull.
    Given(f32),
    /// A splash with the count of the message, in the color of its style.
    Splash,
    /// Steam with the values of the message.
    Steam,
    Boom(Boom),
    /// A puff of smoke and a flash.
    Smoke,
    Rail,
    Row(Row),
    /// A curtain of particles in the color of the message.
    Curtain,
    /// A flickering ball: the number of points, their colors, the radius at its beginning and at its end, and the
    /// seconds between.
    Ball(u32, &'static [u8], [f32; 2], f64),
    /// Radius, color, seconds.
    Light(f32, [f32; 3], f64),
    /// A sound, and the share of its volume that is lost per unit of distance.
    Heard(&'static str, f32),
    /// One of three ricochets, in three of sixteen cases.
    Ricochet,
    /// Pieces of a model between two places: the file, the length of a piece, and whether it is at full
    /// brightness.
    Cable(&'static str, f32, bool),
    /// A thin green beam.
    Laser,
}

/// The share of a sound's volume that is lost per unit of distance: for usual sounds, near ones, and those heard
/// everywhere.
pub(super) const NORMAL: f32 = 0.0005;
pub(super) const STATIC: f32 = 0.003;
const EVERYWHERE: f32 = 0.0;

const fn dust(color: u8, many: u32) -> EffectPart {
    EffectPart::Burst(Burst::Dust { color, row: 8, count: many, reach: 32, pull: FALLS })
}

const fn streak(color: u8, many: u32) -> EffectPart {
    EffectPart::Burst(Burst::Dust { color, row: 1, count: many, reach: 8, pull: FALLS })
}

const fn steam(color: u8, many: u32, speed: f32, pull: f32) -> EffectPart {
    EffectPart::Burst(Burst::Steam { color, row: 8, many, speed, pull })
}

const LASHIT: EffectPart = EffectPart::Heard("weapons/lashit.wav", NORMAL);
const ROCKET: EffectPart = EffectPart::Heard("weapons/rocklx1a.wav", NORMAL);
const GRENADE: EffectPart = EffectPart::Heard("weapons/grenlx1a.wav", NORMAL);
const WATER: EffectPart = EffectPart::Heard("weapons/xpld_wat.wav", NORMAL);
const FIRE: EffectPart = EffectPart::Burst(Burst::Explosion { color: 0xe0 });

/// Pieces of the parasite's tongue.
const TONGUE: EffectPart = EffectPart::Cable("models/monsters/parasite/segment/tris.md2", 30.0, false);

const ROWS: &[(u8, &[EffectPart])] = &[
    (kind("TE_GUNSHOT"), &[dust(0, 40), EffectPart::Smoke, EffectPart::Ricochet]),
    (kind("TE_BLOOD"), &[dust(0xe8, 60)]),
    (
        kind("TE_BLASTER"),
        &[EffectPart::Burst(Burst::Blaster { color: 0xe0 }), EffectPart::Boom(explosions::HIT), LASHIT],
    ),
    (kind("TE_RAILTRAIL"), &[EffectPart::Rail, EffectPart::Heard("weapons/railgf1a.wav", NORMAL)]),
    (kind("TE_SHOTGUN"), &[dust(0, 20), EffectPart::Smoke]),
    (kind("TE_EXPLOSION1"), &[FIRE, EffectPart::Boom(explosions::SHORT), ROCKET]),
    (kind("TE_EXPLOSION2"), &[FIRE, EffectPart::Boom(explosions::LONG), GRENADE]),
    (kind("TE_ROCKET_EXPLOSION"), &[FIRE, EffectPart::Boom(explosions::SHORT), ROCKET]),
    (kind("TE_GRENADE_EXPLOSION"), &[FIRE, EffectPart::Boom(explosions::LONG), GRENADE]),
    (kind("TE_SPARKS"), &[dust(0xe0, 6)]),
    (kind("TE_SPLASH"), &[EffectPart::Splash]),
    (kind("TE_BUBBLETRAIL"), &[EffectPart::Row(Row::Bubbles)]),
    (kind("TE_SCREEN_SPARKS"), &[dust(0xd0, 40), LASHIT]),
    (kind("TE_SHIELD_SPARKS"), &[dust(0xb0, 40), LASHIT]),
    (kind("TE_BULLET_SPARKS"), &[dust(0xe0, 6), EffectPart::Smoke, EffectPart::Ricochet]),
    (kind("TE_LASER_SPARKS"), &[EffectPart::Given(FALLS)]),
    (kind("TE_PARASITE_ATTACK"), &[TONGUE]),
    (kind("TE_ROCKET_EXPLOSION_WATER"), &[FIRE, EffectPart::Boom(explosions::SHORT), WATER]),
    (kind("TE_GRENADE_EXPLOSION_WATER"), &[FIRE, EffectPart::Boom(explosions::LONG), WATER]),
    (kind("TE_MEDIC_CABLE_ATTACK"), &[TONGUE]),
    (kind("TE_BFG_EXPLOSION"), &[EffectPart::Boom(explosions::BFG)]),
    (kind("TE_BFG_BIGEXPLOSION"), &[EffectPart::Burst(Burst::Explosion { color: 0xd0 })]),
    (
        kind("TE_BOSSTPORT"),
        &[EffectPart::Burst(Burst::BigTeleport), EffectPart::Heard("misc/bigtele.wav", EVERYWHERE)],
    ),
    (kind("TE_BFG_LASER"), &[EffectPart::Laser]),
    (kind("TE_GRAPPLE_CABLE"), &[EffectPart::Cable("models/ctf/segment/tris.md2", 30.0, false)]),
    (kind("TE_WELDING_SPARKS"), &[EffectPart::Given(FALLS), EffectPart::Light(137.0, [1.0, 1.0, 0.3], 0.1)]),
    (kind("TE_GREENBLOOD"), &[streak(0xdf, 30)]),
    (kind("TE_PLASMA_EXPLOSION"), &[FIRE, EffectPart::Boom(explosions::SHORT), ROCKET]),
    (kind("TE_TUNNEL_SPARKS"), &[EffectPart::Given(-FALLS)]),
    (
        kind("TE_BLASTER2"),
        &[EffectPart::Burst(Burst::Blaster { color: 0xd0 }), EffectPart::Boom(explosions::HIT2), LASHIT],
    ),
    (kind("TE_RAILTRAIL2"), &[EffectPart::Rail, EffectPart::Heard("weapons/railgf1a.wav", NORMAL)]),
    (
        kind("TE_LIGHTNING"),
        &[
            EffectPart::Cable("models/proj/lightning/tris.md2", 35.0, true),
            EffectPart::Heard("weapons/tesla.wav", NORMAL),
        ],
    ),
    (kind("TE_DEBUGTRAIL"), &[EffectPart::Row(Row::Debug)]),
    (kind("TE_PLAIN_EXPLOSION"), &[EffectPart::Boom(explosions::SHORT), ROCKET]),
    (kind("TE_FLASHLIGHT"), &[EffectPart::Light(400.0, [1.0; 3], 0.1)]),
    (kind("TE_FORCEWALL"), &[EffectPart::Curtain]),
    (kind("TE_HEATBEAM"), &[EffectPart::Cable("models/proj/beam/tris.md2", 32.0, true)]),
    (
        kind("TE_MONSTER_HEATBEAM"),
        &[
            EffectPart::Cable("models/proj/beam/tris.md2", 32.0, true),
            EffectPart::Ball(40, &[0xe0], [10.0, 10.0], CABLE),
        ],
    ),
    (kind("TE_STEAM"), &[EffectPart::Steam]),
    (kind("TE_BUBBLETRAIL2"), &[EffectPart::Row(Row::FastBubbles), LASHIT]),
    (kind("TE_MOREBLOOD"), &[dust(0xe8, 250)]),
    (kind("TE_HEATBEAM_SPARKS"), &[steam(8, 50, 60.0, -20.0), LASHIT]),
    (kind("TE_HEATBEAM_STEAM"), &[steam(0xe0, 20, 60.0, -20.0), LASHIT]),
    (kind("TE_CHAINFIST_SMOKE"), &[steam(0, 20, 20.0, 0.0)]),
    (kind("TE_ELECTRIC_SPARKS"), &[dust(0x75, 40), LASHIT]),
    (
        kind("TE_TRACKER_EXPLOSION"),
        &[
            EffectPart::Burst(Burst::Colored { color: 0, row: 1 }),
            EffectPart::Light(150.0, [-1.0; 3], 0.1),
            EffectPart::Heard("weapons/disrupthit.wav", NORMAL),
        ],
    ),
    (kind("TE_TELEPORT_EFFECT"), &[EffectPart::Burst(Burst::Teleport)]),
    (kind("TE_DBALL_GOAL"), &[EffectPart::Burst(Burst::Teleport)]),
    (kind("TE_WIDOWBEAMOUT"), &[EffectPart::Ball(300, &PORTAL, [0.0, 45.0], 2.1)]),
    (kind("TE_NUKEBLAST"), &[EffectPart::Ball(700, &[110, 112, 114, 116], [0.0, 200.0], 1.0)]),
    (kind("TE_WIDOWSPLASH"), &[EffectPart::Burst(Burst::Widow)]),
    (kind("TE_EXPLOSION1_BIG"), &[EffectPart::Boom(explosions::BIG), ROCKET]),
    (kind("TE_EXPLOSION1_NP"), &[EffectPart::Boom(explosions::SHORT), ROCKET]),
    (
        kind("TE_FLECHETTE"),
        &[EffectPart::Burst(Burst::Blaster { color: 0x6f }), EffectPart::Boom(explosions::HIT3), LASHIT],
    ),
];

/// The colors of splashes by their style.
const SPLASHES: [u8; 7] = [0x00, 0xe0, 0xb0, 0x50, 0xd0, 0xe0, 0xe8];

/// Seconds after which no effect is left.
const LONGEST: f64 = 3.0;

/// For how many seconds a cable stays: two frames. A laser stays for one.
const CABLE: f64 = 0.2;

/// Pieces of cables are added only up to this number of models.
const MOST_PIECES: usize = 512;

const MAX_PARTICLES: usize = 49_152;

/// The parts of an effect of this kind.
pub(super) fn parts(kind: u8) -> &'static [EffectPart] {
    ROWS.iter().find(|(of, _)| *of == kind).map_or(&[], |(_, parts)| parts)
}

impl Maker<'_> {
    pub(super) fn start_effects(&self, scene: &mut Scene) {
        let mut cables: BTreeMap<(u8, i16), (&Effect, &EffectPart)> = BTreeMap::new();
        for (_, beat) in self.window.since(self.place, self.now, LONGEST) {
            let age = self.age(beat);
            for (happening, number) in beat.seen.moment.iter().zip(0u64..) {
                let dice = &mut Dice::of(beat.block, number);
                match &happening.what {
                    MomentKind::Effect(it) => {
                        for part in parts(it.kind) {
                            if matches!(part, EffectPart::Cable(..)) && age <= CABLE {
                                cables.insert((it.kind, it.entities[0]), (it, part));
                            }
                            self.show(part, it, age, dice, scene);
                        }
                    }
                    MomentKind::PlayerFlash(entity, weapon) => {
                        let entity = beat.seen.entity(*entity as u16);
                        self.flash(entity, *weapon, age, dice, scene);
                    }
                    MomentKind::MonsterFlash(entity, weapon) => {
                        let entity = beat.seen.entity(*entity as u16);
                        self.monster_flash(entity, *weapon, age, dice, scene);
                    }
                    _ => {}
                }
            }
            for it in &beat.seen.frame.entities {
                self.event(it, beat, age as f32, scene);
            }
        }
        for (it, part) in cables.into_values() {
            self.add_cable(it, part, scene);
        }
        if self.options.particles {
            self.leave_trails(scene);
            self.add_swarms(scene);
            scene.particles.truncate(MAX_PARTICLES);
        } else {
            scene.particles.clear();
        }
        scene.lights.truncate(MOST_LIGHTS);
    }

    /// The age of a block's effects in seconds. Without interpolation they are those of an engine that shows each frame
    /// once, as for `timedemo`: its clock is at the start of the frame, although everything that moves is already where
    /// it is at the end.
    fn age(&self, beat: &super::Beat<super::BlockState>) -> f64 {
        let age = self.now - beat.from;
        if self.options.interpolate { age } else { (age / super::FRAME - 1.0).round() * super::FRAME }
    }

    /// Whether an effect that lasts for one picture of an engine is visible at this age.
    pub(super) fn is_first(&self, age: f64) -> bool {
        if self.options.interpolate { age <= super::FRAME } else { age < super::FRAME / 2.0 }
    }

    /// The age of a model in frames, and the progress from its last frame to the current one, from 0 to 1.
    fn frames(&self, age: f64) -> (f32, f32) {
        let frames = (age / super::FRAME) as f32;
        if self.options.interpolate { (frames, frames - libm::floorf(frames)) } else { (frames, 1.0) }
    }

    pub(super) fn boom(
        &self,
        boom: &Boom,
        origin: Vec3,
        direction: Vec3,
        age: f64,
        dice: &mut Dice,
        scene: &mut Scene,
    ) {
        boom.show(origin, direction, self.frames(age), dice, scene);
    }

    pub(super) fn smoke(&self, at: Vec3, way: Vec3, age: f64, dice: &mut Dice, scene: &mut Scene) {
        for boom in [explosions::SMOKE, explosions::FLASH] {
            self.boom(&boom, at, way, age, dice, scene);
        }
    }

    pub(super) fn burst(
        &self,
        burst: Burst,
        origin: Vec3,
        direction: Vec3,
        age: f64,
        dice: &mut Dice,
        scene: &mut Scene,
    ) {
        if self.options.particles && scene.particles.len() < MAX_PARTICLES {
            burst.make(dice, origin, direction, |spark| scene.particles.extend(spark.after(age as f32)));
        }
    }

    fn row(&self, row: Row, [from, to]: [Vec3; 2], age: f64, dice: &mut Dice, scene: &mut Scene) {
        if self.options.particles && scene.particles.len() < MAX_PARTICLES {
            row.make(dice, from, to, |spark| scene.particles.extend(spark.after(age as f32)));
        }
    }

    /// Adds a ball whose points change in each picture.
    fn add_ball(&self, at: Vec3, radius: f32, many: u32, colors: &[u8], dice: &mut Dice, scene: &mut Scene) {
        if self.options.particles && scene.particles.len() < MAX_PARTICLES {
            let mut dice = Dice::of((self.now.max(0.0) * 60.0) as u64, u64::from(dice.below(u32::MAX)));
            let out = |spark: Spark| scene.particles.extend(spark.after(0.0));
            sparks::ball(&mut dice, at, radius, many, colors, out);
        }
    }

    fn show(&self, part: &EffectPart, it: &Effect, age: f64, dice: &mut Dice, scene: &mut Scene) {
        let (at, end) = (point(it.origin), point(it.end));
        let direction = it.direction.vector().unwrap_or_default();
        let many = u32::from(it.count.max(0) as u16).min(1024);
        match *part {
            EffectPart::Burst(burst) => self.burst(burst, at, direction, age, dice, scene),
            EffectPart::Given(pull) => {
                self.burst(
                    Burst::Dust { color: it.style, row: 1, count: many, reach: 8, pull },
                    at,
                    direction,
                    age,
                    dice,
                    scene,
                );
            }
            EffectPart::Splash => {
                let color = SPLASHES.get(usize::from(it.style)).copied().unwrap_or(0);
                let burst = Burst::Dust { color, row: 8, count: many, reach: 32, pull: FALLS };
                self.burst(burst, at, direction, age, dice, scene);
            }
            EffectPart::Steam => {
                let speed = f32::from(it.number);
                let burst = Burst::Steam { color: it.style, row: 8, many, speed, pull: -20.0 };
                self.burst(burst, at, direction, age, dice, scene);
            }
            EffectPart::Boom(boom) => self.boom(&boom, at, direction, age, dice, scene),
            EffectPart::Smoke => self.smoke(at, direction, age, dice, scene),
            EffectPart::Rail if self.options.particles && scene.particles.len() < MAX_PARTICLES => {
                sparks::rail(dice, at, end, |spark| scene.particles.extend(spark.after(age as f32)));
            }
            EffectPart::Row(row) => self.row(row, [at, end], age, dice, scene),
            EffectPart::Curtain => self.row(Row::Curtain(it.style), [at, end], age, dice, scene),
            EffectPart::Ball(many, colors, [from, to], lasts) if age <= lasts => {
                let radius = from + (to - from) * (age / lasts) as f32;
                self.add_ball(at, radius, many, colors, dice, scene);
            }
            EffectPart::Light(radius, color, seconds) if age <= seconds => {
                scene.lights.push(DynamicLight { place: at, radius, least: 0.0, color });
            }
            EffectPart::Laser if age <= super::FRAME => {
                let color = 0xd0 + dice.below(4) as u8;
                scene.beams.push(Beam { from: at, to: end, radius: 2.0, color, alpha: 0.3 });
            }
            _ => {}
        }
    }

    /// Adds a row of models from an entity to the place to which its cable is attached.
    fn add_cable(&self, it: &Effect, part: &EffectPart, scene: &mut Scene) {
        let EffectPart::Cable(file, piece, bright) = *part else { return };
        // The first of the two ends of lightning is its source, and lightning ends before its target.
        let is_lightning = it.kind == kind("TE_LIGHTNING");
        let (source, start, to, gap) = if is_lightning {
            (it.entities[1], it.end, it.origin, 20.0)
        } else {
            (it.entities[0], it.origin, it.end, 0.0)
        };
        let own = self.beat.seen.recorder_entity.is_some_and(|own| i32::from(own) == i32::from(source));
        let from = if own { add(scene.camera.eye, [0.0, 0.0, -22.0]) } else { point(start) };
        let to = point(to);
        let far = length(sub(to, from)) - gap;
        let direction = unit(sub(to, from));
        let (pitch, yaw) = angles_of(direction);
        let pieces = libm::ceilf(far / piece).clamp(1.0, 256.0);
        let spacing = if pieces > 1.0 { (far - piece) / (pieces - 1.0) } else { 0.0 };
        let mut dice = Dice::of((self.now * 60.0) as u64, it.entities[0] as u64);
        for number in 0..pieces as u32 {
            if scene.models.len() > MOST_PIECES {
                break;
            }
            let place = along(from, spacing * number as f32, direction);
            scene.models.push(Model {
                file: file.into(),
                pose: Pose::still(0, self.clock),
                place,
                angles: [-pitch, yaw, dice.whole_number(360)],
                shade: if bright { Shade::Full } else { Shade::default() },
                lit_at: place,
                ..Model::default()
            });
        }
    }

    /// Adds the effect of an entity's event, which is in one frame only.
    fn event(
        &self,
        entity: &moviola_state::quake2::Entity,
        beat: &super::Beat<super::BlockState>,
        age: f32,
        scene: &mut Scene,
    ) {
        const ITEM: u8 = value(quake2::EVENT, "EV_ITEM_RESPAWN") as u8;
        const TELEPORTER: u32 = super::entities::fx("EF_TELEPORTER");
        const TRAP: u32 = super::entities::fx("EF_TRAP");
        const TELEPORT: u8 = value(quake2::EVENT, "EV_PLAYER_TELEPORT") as u8;
        let dice = &mut Dice::of(beat.block, u64::from(entity.number) | 1 << 32);
        match entity.event {
            ITEM => self.burst(Burst::Item, point(entity.origin), [0.0; 3], f64::from(age), dice, scene),
            TELEPORT => {
                self.burst(Burst::Teleport, point(entity.origin), [0.0; 3], f64::from(age), dice, scene);
            }
            _ => {}
        }
        if entity.effects & TRAP != 0 && self.options.particles && age < 0.6 {
            // Engines add these in each drawn frame; some thirty a second are as dense.
            for third in [0.0, 1.0, 2.0] {
                let age = age - third / 3.0 * super::FRAME as f32;
                let at = add(point(entity.origin), [0.0, 0.0, 32.0]);
                sparks::trap(dice, at, |spark| scene.particles.extend(spark.after(age)));
            }
        }
        if entity.effects & TELEPORTER != 0 && self.options.particles && scene.particles.len() < MAX_PARTICLES
        {
            for _ in 0..8 {
                let place = add(
                    point(entity.origin),
                    [dice.whole_number(32) - 16.0, dice.whole_number(32) - 16.0, dice.whole_number(8) - 8.0],
                );
                let velocity =
                    [dice.signed_unit() * 14.0, dice.signed_unit() * 14.0, 80.0 + dice.whole_number(8)];
                let pull = [0.0, 0.0, FALLS];
                let spark = Spark { velocity, pull, fades: 0.5, ..Spark::now(place, 0xdb, 1.0) };
                scene.particles.extend(spark.after(age));
            }
        }
    }

    /// Adds dots that swarm around entities: flies, the ball of a BFG, and the shell of a tracker.
    fn add_swarms(&self, scene: &mut Scene) {
        use super::entities::fx;
        for it in &self.beat.seen.frame.entities {
            if it.effects & fx("EF_TRACKERTRAIL") != 0 && it.effects & fx("EF_TRACKER") == 0 {
                let dice = &mut Dice::of(u64::from(it.number), 0x7472_6b72);
                self.add_ball(self.between(it).place, 40.0, 300, &[0], dice, scene);
            }
            let flies = it.effects & fx("EF_FLIES") != 0;
            let ball = it.effects & fx("EF_BFG") != 0 && it.effects & fx("EF_ANIM_ALLFAST") != 0;
            if !(flies || ball) || scene.particles.len() > MAX_PARTICLES {
                continue;
            }
            let place = self.between(it).place;
            let speeds = &mut Dice::of(0, 0x6276_656c);
            for number in 0..=u8::MAX {
                let Some(normal) = moviola_format::Direction(number).vector() else { break };
                let turn = |speed: u32| (self.clock * f64::from(speed) * 0.01) as f32;
                let (yaw, pitch) = (turn(speeds.below(256)), turn(speeds.below(256)));
                if flies && number % 2 == 1 {
                    continue;
                }
                let far = 64.0 * libm::sin(self.clock + f64::from(number)) as f32;
                let (cp, cy) = (libm::cosf(pitch), libm::cosf(yaw));
                let way = [cp * cy, cp * libm::sinf(yaw), -libm::sinf(pitch)];
                let offset = add(scale(normal, far), scale(way, 16.0));
                let dist = (length(offset) / 90.0).min(1.0);
                let (color, alpha) = if ball { (0xd0 + (7.0 * dist) as u8, 1.0 - dist) } else { (0, 1.0) };
                scene.particles.extend(Spark::now(add(place, offset), color, alpha).after(0.0));
            }
        }
    }

    /// Adds the light of a shot, ahead of the shooter.
    pub(super) fn shot_light(place: Vec3, weapon: u8, dice: &mut Dice, scene: &mut Scene) {
        let (radius, color) = flash_light(weapon);
        let radius = radius + dice.whole_number(32);
        scene.lights.push(DynamicLight { place, radius, least: 0.0, color });
    }

    /// The place of a muzzle by its offset forward, right and up from an entity.
    pub(super) fn muzzle_of(it: &moviola_state::quake2::Entity, offset: Vec3) -> Vec3 {
        let [forward, right, _] = axes(it.angles.map(|angle| angle.value() as f32));
        let place = along(along(point(it.origin), offset[0], forward), offset[1], right);
        add(place, [0.0, 0.0, offset[2]])
    }
}

const MOST_LIGHTS: usize = 64;
