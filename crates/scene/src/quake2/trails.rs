//! Trails of Quake II: particles along the path of each entity in the frames of the last seconds.

use super::entities::fx;
use super::sparks::{Spark, line, one_of};
use super::{Maker, point};
use crate::dice::Dice;
use crate::vector::{add, along, length, scale, sub, unit};
use crate::{Scene, Vec3};
use moviola_state::quake2::Entity;

/// Seconds after which no trail is left.
const LONGEST: f64 = 1.6;

/// An entity that moves farther than this in a frame jumps there.
const JUMP: f32 = 512.0;

const MAX_PARTICLES: usize = 32_768;

#[derive(Clone, Copy, Debug)]
enum Trail {
    Blaster(u8),
    Flag(u8),
    /// A trail that thins out: its first color, and whether it is a gib's.
    Thinning(u8, bool),
    /// Smoke that thins out, with fire in it.
    Rocket,
    Ripper,
    Tracker,
}

/// Trails by precedence: an entity leaves the first trail whose bits it has all.
const TRAILS: &[(u32, Trail)] = &[
    (fx("EF_ROCKET"), Trail::Rocket),
    (fx("EF_BLASTER"), Trail::Blaster(0xe0)),
    (fx("EF_HYPERBLASTER"), Trail::Blaster(NONE)),
    (fx("EF_GIB"), Trail::Thinning(0xe8, true)),
    (fx("EF_GRENADE"), Trail::Thinning(4, false)),
    (fx("EF_FLAG1"), Trail::Flag(242)),
    (fx("EF_FLAG2"), Trail::Flag(115)),
    (fx("EF_TAGTRAIL"), Trail::Flag(220)),
    (fx("EF_TRACKER"), Trail::Tracker),
    (fx("EF_GREENGIB"), Trail::Thinning(0xdb, true)),
    (fx("EF_IONRIPPER"), Trail::Ripper),
    (fx("EF_PLASMA") | fx("EF_ANIM_ALLFAST"), Trail::Blaster(0xe0)),
];

/// The color of a trail without particles, which still prevents all other trails.
const NONE: u8 = 0;

impl Maker<'_> {
    pub(super) fn leave_trails(&self, scene: &mut Scene) {
        for (before, beat) in self.window.since(self.place, self.now, LONGEST) {
            for it in &beat.seen.frame.entities {
                if scene.particles.len() > MAX_PARTICLES {
                    return;
                }
                let Some((_, trail)) = TRAILS.iter().find(|(bits, _)| it.effects & bits == *bits) else {
                    continue;
                };
                let old = before.and_then(|before| before.seen.entity(it.number));
                let old = old.filter(|old| old.models == it.models);
                let from = old.map_or(point(it.old_origin), |old| point(old.origin));
                let to = point(it.origin);
                let far = length(sub(to, from));
                if far > 0.0 && far < JUMP && beat.from < self.now {
                    let dice = Dice::of(beat.block, u64::from(it.number) | 1 << 20);
                    let trail =
                        Leaving { trail: *trail, entity: it, start: from, end: to, length: far, dice };
                    // At `now` the entity has not covered the rest of this step yet, so particles there do not exist
                    // yet.
                    trail.add_sparks(|spark, part| {
                        let born = beat.from + (beat.at - beat.from) * f64::from(part);
                        scene.particles.extend(spark.after((self.now - born) as f32));
                    });
                }
            }
        }
    }
}

struct Leaving<'a> {
    trail: Trail,
    entity: &'a Entity,
    start: Vec3,
    end: Vec3,
    length: f32,
    dice: Dice,
}

impl Leaving<'_> {
    fn add_sparks(mut self, mut out: impl FnMut(Spark, f32)) {
        let (from, to, far) = (self.start, self.end, self.length);
        let part = |at: Vec3| (length(sub(at, from)) / far).min(1.0);
        let dice = &mut self.dice;
        let base = Spark::now(from, 0, 1.0);
        match self.trail {
            Trail::Blaster(NONE) => {}
            Trail::Blaster(color) => {
                let color = if self.entity.effects & fx("EF_TRACKER") != 0 { 0xd0 } else { color };
                line(from, to, 5.0, |at| {
                    let (place, velocity) = (add(at, dice.cube()), scale(dice.cube(), 5.0));
                    let fades = 1.0 / (0.3 + 0.2 * dice.part());
                    out(Spark { place, velocity, color, fades, ..base }, part(at));
                });
            }
            Trail::Flag(color) => line(from, to, 5.0, |at| {
                let (place, velocity) = (add(at, scale(dice.cube(), 16.0)), scale(dice.cube(), 5.0));
                let fades = 1.0 / (0.8 + 0.2 * dice.part());
                out(Spark { place, velocity, color, fades, ..base }, part(at));
            }),
            Trail::Thinning(color, gib) => {
                thinning(dice, [from, to], color, gib, |spark, at| out(spark, part(at)));
            }
            Trail::Rocket => {
                thinning(dice, [from, to], 4, false, |spark, at| out(spark, part(at)));
                line(from, to, 1.0, |at| {
                    if dice.below(8) == 0 {
                        let (place, velocity) = (add(at, scale(dice.cube(), 5.0)), scale(dice.cube(), 20.0));
                        let (color, fades) = (one_of(dice, 0xdc, 4), 1.0 / (1.0 + 0.2 * dice.part()));
                        let pull = [0.0, 0.0, super::sparks::FALLS];
                        out(Spark { place, velocity, pull, color, fades, ..base }, part(at));
                    }
                });
            }
            Trail::Ripper => {
                let mut left = false;
                line(from, to, 5.0, |at| {
                    left = !left;
                    let velocity = [if left { 10.0 } else { -10.0 }, 0.0, 0.0];
                    let (color, fades) = (one_of(dice, 0xe4, 4), 1.0 / (0.3 + 0.2 * dice.part()));
                    out(Spark { place: at, velocity, color, fades, alpha: 0.5, ..base }, part(at));
                });
            }
            Trail::Tracker => {
                let way = unit(sub(to, from));
                let [_, up] = crate::vector::across(way);
                line(from, to, 3.0, |at| {
                    let wave = 8.0 * libm::cosf(crate::vector::dot(at, way));
                    let velocity = [0.0, 0.0, 5.0];
                    out(Spark { place: along(at, wave, up), velocity, fades: 2.0, ..base }, part(at));
                });
            }
        }
    }
}

/// Smoke and blood. Engines make these trails thinner along the whole path. The path before this frame is not known
/// here, so each frame's piece is as dense as the middle of an engine's trail.
fn thinning(dice: &mut Dice, [from, to]: [Vec3; 2], color: u8, gib: bool, mut out: impl FnMut(Spark, Vec3)) {
    /// In one of this many steps there is a particle, and a step is half a unit.
    const CHANCE: u32 = 4;
    let base = Spark::now(from, 0, 1.0);
    line(from, to, 0.5, |at| {
        if dice.below(CHANCE) == 0 {
            let place = add(at, dice.cube());
            let velocity = scale(dice.cube(), 5.0);
            let (rise, lasts) = if gib { ([0.0; 3], 0.4) } else { ([0.0, 0.0, 20.0], 0.2) };
            let velocity = if gib { add(velocity, [0.0, 0.0, super::sparks::FALLS]) } else { velocity };
            let (color, fades) = (one_of(dice, color, 8), 1.0 / (1.0 + lasts * dice.part()));
            out(Spark { place, velocity, pull: rise, color, fades, ..base }, at);
        }
    });
}
