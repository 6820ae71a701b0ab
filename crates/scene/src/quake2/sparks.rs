//! Particles of Quake II as functions of their age, as in id's client, and the bursts that consist of them.

use crate::dice::Dice;
use crate::vector::{across, add, along, is_finite, length, scale, sub, unit};
use crate::{Particle, Vec3};

/// The pull on falling particles along the z axis.
pub(super) const FALLS: f32 = -40.0;

/// The colors of big teleports and of the Widow.
pub(super) const PORTAL: [u8; 4] = [16, 104, 168, 144];

/// A particle at its birth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spark {
    pub(super) place: Vec3,
    pub(super) velocity: Vec3,
    pub(super) pull: Vec3,
    pub(super) color: u8,
    pub(super) alpha: f32,
    /// The alpha that it loses per second.
    pub(super) fades: f32,
}

impl Spark {
    /// A particle that is shown at this moment only.
    pub(super) fn now(place: Vec3, color: u8, alpha: f32) -> Self {
        Self { place, velocity: [0.0; 3], pull: [0.0; 3], color, alpha, fades: 0.0 }
    }

    /// The particle at this age, if it is still visible.
    pub(super) fn after(&self, age: f32) -> Option<Particle> {
        let alpha = (self.alpha - age * self.fades).min(1.0);
        let way = add(scale(self.velocity, age), scale(self.pull, age * age));
        let place = add(self.place, way);
        (age >= 0.0 && alpha > 0.0 && is_finite(place)).then_some(Particle {
            place,
            color: self.color,
            alpha,
        })
    }
}

fn downward(pull: f32) -> Vec3 {
    [0.0, 0.0, pull]
}

/// One of `count` colors from `first` on, at random.
pub(super) fn one_of(dice: &mut Dice, first: u8, many: u32) -> u8 {
    first.wrapping_add(dice.below(many) as u8)
}

/// A kind of burst.
#[derive(Clone, Copy, Debug)]
pub(super) enum Burst {
    /// Blood, dust and sparks: the first color, the number of colors, the number of particles, the greatest distance of
    /// their start along the direction, and their gravity.
    Dust {
        color: u8,
        row: u32,
        count: u32,
        reach: u32,
        pull: f32,
    },
    /// The hit of a blaster on a wall.
    Blaster {
        color: u8,
    },
    Explosion {
        color: u8,
    },
    /// A tracker's explosion: the first color, and the number of colors.
    Colored {
        color: u8,
        row: u32,
    },
    /// A player joins, leaves or respawns: the first of eight colors.
    Player {
        color: u8,
    },
    Item,
    Teleport,
    BigTeleport,
    Steam {
        color: u8,
        row: u32,
        many: u32,
        speed: f32,
        pull: f32,
    },
    Widow,
}

impl Burst {
    /// Makes all particles of a burst at a place in a direction.
    #[allow(clippy::too_many_lines)] // One arm a kind.
    pub(super) fn make(self, dice: &mut Dice, at: Vec3, way: Vec3, mut out: impl FnMut(Spark)) {
        let spark = |place, velocity, color, fades| Spark {
            place,
            velocity,
            pull: downward(FALLS),
            color,
            alpha: 1.0,
            fades,
        };
        match self {
            Self::Dust { color, row, count: many, reach, pull } => {
                for _ in 0..many {
                    let jitter = add(dice.box_of(8), scale(way, dice.whole_number(reach)));
                    let place = add(at, jitter);
                    let velocity = scale(dice.cube(), 20.0);
                    let fades = 1.0 / (0.5 + 0.3 * dice.part());
                    out(Spark {
                        pull: downward(pull),
                        ..spark(place, velocity, one_of(dice, color, row), fades)
                    });
                }
            }
            Self::Blaster { color } => {
                for _ in 0..40 {
                    let place = add(at, add(dice.box_of(8), scale(way, dice.whole_number(16))));
                    let velocity = add(scale(way, 30.0), scale(dice.cube(), 40.0));
                    out(spark(place, velocity, one_of(dice, color, 8), 1.0 / (0.5 + 0.3 * dice.part())));
                }
            }
            Self::Explosion { color } => {
                for _ in 0..256 {
                    let place = add(at, dice.box_of(32));
                    let velocity = dice.box_of(384);
                    out(spark(place, velocity, one_of(dice, color, 8), 0.8 / (0.5 + 0.3 * dice.part())));
                }
            }
            Self::Colored { color, row } => {
                for _ in 0..128 {
                    let place = add(at, dice.box_of(32));
                    let velocity = dice.box_of(256);
                    out(spark(place, velocity, one_of(dice, color, row), 0.4 / (0.6 + 0.2 * dice.part())));
                }
            }
            Self::Player { color } => {
                for _ in 0..500 {
                    let [x, y, z] = [dice.part(), dice.part(), dice.part()];
                    let place = add(at, [32.0 * x - 16.0, 32.0 * y - 16.0, 56.0 * z - 24.0]);
                    let velocity = scale(dice.cube(), 20.0);
                    out(spark(place, velocity, one_of(dice, color, 8), 1.0 / (1.0 + 0.3 * dice.part())));
                }
            }
            Self::Item => {
                for _ in 0..64 {
                    let place = add(at, scale(dice.cube(), 8.0));
                    let velocity = scale(dice.cube(), 8.0);
                    let it = spark(place, velocity, one_of(dice, 0xd4, 4), 1.0 / (1.0 + 0.3 * dice.part()));
                    out(Spark { pull: downward(-8.0), ..it });
                }
            }
            Self::Teleport => teleport(dice, at, out),
            Self::BigTeleport => {
                for _ in 0..4096 {
                    let turn = dice.part() * std::f32::consts::TAU;
                    let (cos, sin) = (libm::cosf(turn), libm::sinf(turn));
                    let (far, speed) = (dice.whole_number(32), 70.0 + dice.whole_number(64));
                    let place = add(at, [cos * far, sin * far, 8.0 + dice.whole_number(90)]);
                    let velocity = [cos * speed, sin * speed, -100.0 + dice.whole_number(32)];
                    let pull = [-100.0 * cos, -100.0 * sin, 160.0];
                    let it = spark(place, velocity, portal(dice), 0.3 / (0.5 + 0.3 * dice.part()));
                    out(Spark { pull, ..it });
                }
            }
            Self::Steam { color, row, many, speed, pull } => {
                let [right, up] = across(way);
                for _ in 0..many {
                    let place = add(at, scale(dice.cube(), 0.1 * speed));
                    let (a, b) = (dice.signed_unit() * speed / 3.0, dice.signed_unit() * speed / 3.0);
                    let velocity = add(scale(way, speed), add(scale(right, a), scale(up, b)));
                    let it =
                        spark(place, velocity, one_of(dice, color, row), 1.0 / (0.5 + 0.3 * dice.part()));
                    out(Spark { pull: downward(pull), ..it });
                }
            }
            Self::Widow => {
                for _ in 0..256 {
                    let way = unit(dice.cube());
                    let it = spark(
                        along(at, 45.0, way),
                        scale(way, 40.0),
                        portal(dice),
                        0.8 / (0.5 + 0.3 * dice.part()),
                    );
                    out(Spark { pull: [0.0; 3], ..it });
                }
            }
        }
    }
}

fn portal(dice: &mut Dice) -> u8 {
    PORTAL.get(dice.below(4) as usize).copied().unwrap_or_default()
}

fn teleport(dice: &mut Dice, at: Vec3, mut out: impl FnMut(Spark)) {
    for i in (-16i16..=16).step_by(4) {
        for j in (-16i16..=16).step_by(4) {
            for k in (-16i16..=32).step_by(4) {
                let [i, j, k] = [i, j, k].map(f32::from);
                let jitter = [dice.whole_number(4), dice.whole_number(4), dice.whole_number(4)];
                let velocity = scale(unit([j * 8.0, i * 8.0, k * 8.0]), 50.0 + dice.whole_number(64));
                out(Spark {
                    place: add(at, add([i, j, k], jitter)),
                    velocity,
                    pull: downward(FALLS),
                    color: one_of(dice, 7, 8),
                    alpha: 1.0,
                    fades: 1.0 / (0.3 + 0.02 * dice.whole_number(8)),
                });
            }
        }
    }
}

/// The longest line of particles, in units; no level is longer.
const LONGEST: f32 = 8192.0;

/// The spiral and the core of a rail shot.
pub(super) fn rail(dice: &mut Dice, from: Vec3, to: Vec3, mut out: impl FnMut(Spark)) {
    let distance = length(sub(to, from)).min(LONGEST);
    let direction = unit(sub(to, from));
    let [right, up] = across(direction);
    let base = Spark::now(from, 0, 1.0);
    for step in 0..distance as u32 {
        let turn = step as f32 * 0.1;
        let side = add(scale(right, libm::cosf(turn)), scale(up, libm::sinf(turn)));
        let place = along(along(from, step as f32, direction), 3.0, side);
        let (color, fades) = (one_of(dice, 0x74, 8), 1.0 / (1.0 + 0.2 * dice.part()));
        out(Spark { place, velocity: scale(side, 6.0), color, fades, ..base });
    }
    for step in 0..(distance / 0.75) as u32 {
        let place = add(along(from, step as f32 * 0.75, direction), scale(dice.cube(), 3.0));
        let (color, fades) = (one_of(dice, 0, 16), 1.0 / (0.6 + 0.2 * dice.part()));
        out(Spark { place, velocity: scale(dice.cube(), 3.0), color, fades, ..base });
    }
}

/// Calls `one` at every `step` units of a line.
pub(super) fn line(from: Vec3, to: Vec3, step: f32, mut one: impl FnMut(Vec3)) {
    let far = length(sub(to, from)).min(LONGEST);
    let way = unit(sub(to, from));
    let mut at = 0.0;
    while at < far {
        one(along(from, at, way));
        at += step;
    }
}

/// The kind of a line of particles.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    Bubbles,
    /// Bubbles that rise faster, and closer to each other.
    FastBubbles,
    /// Points that stay, for debugging of games.
    Debug,
    /// A curtain that falls.
    Curtain(u8),
}

impl Row {
    /// The particles from one place to another.
    pub(super) fn make(self, dice: &mut Dice, from: Vec3, to: Vec3, mut out: impl FnMut(Spark)) {
        let step = match self {
            Self::Bubbles => 32.0,
            Self::FastBubbles => 8.0,
            Self::Debug => 3.0,
            Self::Curtain(_) => 4.0,
        };
        line(from, to, step, |at| {
            let base = Spark::now(at, 0, 1.0);
            let mut near = |by: f32, z: f32| add(scale(dice.cube(), by), [0.0, 0.0, z]);
            out(match self {
                Self::Bubbles => {
                    let (place, velocity) = (add(at, near(2.0, 0.0)), near(5.0, 6.0));
                    let (color, fades) = (one_of(dice, 4, 8), 1.0 / (1.0 + 0.2 * dice.part()));
                    Spark { place, velocity, color, fades, ..base }
                }
                Self::FastBubbles => {
                    let (place, velocity) = (add(at, near(2.0, -4.0)), near(10.0, 20.0));
                    let (color, fades) = (one_of(dice, 4, 8), 1.0 / (1.0 + 0.1 * dice.part()));
                    Spark { place, velocity, color, fades, ..base }
                }
                Self::Debug => Spark { color: one_of(dice, 0x74, 8), fades: 0.1, ..base },
                Self::Curtain(color) => {
                    let place = add(at, near(3.0, 0.0));
                    let velocity = [0.0, 0.0, -40.0 - 10.0 * dice.signed_unit()];
                    let is_gap = dice.part() <= 0.3;
                    let fades = 1.0 / (3.0 + 0.5 * dice.part());
                    Spark { place, velocity, color, fades, alpha: if is_gap { 0.0 } else { 1.0 }, ..base }
                }
            });
        });
    }
}

/// Points on a sphere, new ones in each picture, so that the sphere flickers.
pub(super) fn ball(
    dice: &mut Dice,
    origin: Vec3,
    radius: f32,
    count: u32,
    colors: &[u8],
    mut out: impl FnMut(Spark),
) {
    for _ in 0..count {
        let color = colors.get(dice.below(colors.len() as u32) as usize).copied().unwrap_or_default();
        out(Spark::now(along(origin, radius, unit(dice.cube())), color, 1.0));
    }
}

/// The fountain of a trap: a column that rises, and eight sparks.
pub(super) fn trap(dice: &mut Dice, at: Vec3, mut out: impl FnMut(Spark)) {
    let base = Spark::now(at, 0, 1.0);
    line(add(at, [0.0, 0.0, -14.0]), add(at, [0.0, 0.0, 50.0]), 5.0, |at| {
        let (place, velocity) = (add(at, dice.cube()), scale(dice.cube(), 15.0));
        let (pull, fades) = (downward(-FALLS), 1.0 / (0.3 + 0.2 * dice.part()));
        out(Spark { place, velocity, pull, color: 0xe0, fades, ..base });
    });
    for corner in 0..8u8 {
        let [i, j, k] = [0, 1, 2].map(|bit| if corner >> bit & 1 == 1 { 2.0 } else { -2.0 });
        let jitter = [(); 3].map(|()| dice.whole_number(24) * dice.signed_unit());
        let velocity = scale(unit([j, i, k]), 50.0 + dice.whole_number(64));
        let (color, fades) = (one_of(dice, 0xe0, 4), 1.0 / (0.3 + 0.02 * dice.whole_number(8)));
        out(Spark {
            place: add(at, add([i, j, k], jitter)),
            velocity,
            pull: downward(FALLS),
            color,
            fades,
            ..base
        });
    }
}
