//! Measures gravity in falls, and compares it with the game's.
//!
//! id's game code sets `sv_gravity` to 800 at the start of each level, except `e1m8` with 100, and never
//! changes it. The vertical speed is sent in steps of 16, so a fall of a fifth of a second gives gravity to a
//! tenth of its value.

use super::super::book::{FindingList, Proof};
use super::super::findings::AuditCode;
use super::super::rules::{GameCode, GameMode, Rules};
use super::tempo::FrameDistance;
use super::{FramePair, SPEED_UNIT, Tick};
use moviola_analyse::AuditSeverity;

/// Judges falls.
#[derive(Debug, Default)]
pub(super) struct FallJudge {
    /// The part of a fall that is being measured: its frames, and the height difference by their speeds.
    part: Vec<Moment>,
    led: f64,
    /// The number of flights so far.
    flights: u32,
    /// The current run of parts with another gravity.
    run: Run,
    /// The longest run.
    worst: Option<(Run, Proof)>,
    /// Whether the game code is known and the level has the usual gravity.
    known: Option<bool>,
}

/// The measured values of a frame.
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: f64,
    vertical_speed: f64,
    height: f64,
}

/// A run of parts of falls that agree on another gravity.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    parts: u32,
    flights: u32,
    /// The number of the flight with the last part.
    last: u32,
    sum: f64,
    /// The heading at the start of the run, and the greatest turn since then.
    heading: Option<f64>,
    turn: f64,
}

impl Run {
    fn pull(&self) -> f64 {
        self.sum / f64::from(self.parts.max(1))
    }

    /// Players slide on steep slopes, so a wrong gravity must occur in several flights, and missing gravity
    /// in one. A wind whose sounds were removed blows straight, so without sounds the player must also have
    /// turned.
    fn is_sure(&self, heard: bool) -> bool {
        let (pull, parts) = (self.pull(), self.parts);
        let sure = if pull.abs() < NONE {
            parts >= MIN_PARTS_WITHOUT_GRAVITY && (heard || self.turn >= MIN_TURN)
        } else {
            parts >= MIN_PARTS && self.flights >= MIN_FLIGHTS
        };
        sure && (pull - GRAVITY).abs() > MAX_RUN_ERROR
    }
}

const GRAVITY: f64 = 800.0;
/// The tolerated error of the gravity in a part.
const MAX_PART_ERROR: f64 = 110.0;
/// The tolerated error of the gravity in a run of parts.
const MAX_RUN_ERROR: f64 = 150.0;
/// A gravity below this counts as none.
const NONE: f64 = 120.0;
/// The least duration of a part, in seconds.
const MIN_PART_SECONDS: f64 = 0.2;
/// The least number of frames in a part.
const MIN_PART_FRAMES: usize = 3;
/// The least number of parts in a run with another gravity.
const MIN_PARTS: u32 = 9;
/// The least number of flights to which these parts must belong.
const MIN_FLIGHTS: u32 = 3;
/// The least number of parts in a run without gravity.
const MIN_PARTS_WITHOUT_GRAVITY: u32 = 12;
/// The least turn in degrees that a wind cannot cause.
const MIN_TURN: f64 = 60.0;
/// The least speed that counts as moving: a slower player may be stuck or stand on a monster.
const MOVING: f64 = 100.0;
/// The greatest speed of a fall: a faster one is not accelerated any more.
const FASTEST: f64 = 1900.0;
/// The level whose gravity is different.
const LOW_GRAVITY_LEVEL: &[u8] = b"maps/e1m8.bsp";

impl FallJudge {
    /// Ends a fall: the player has landed, or another force acts.
    pub(super) fn stop(&mut self) {
        if !self.part.is_empty() {
            self.part.clear();
            self.flights = self.flights.saturating_add(1);
        }
    }

    pub(super) fn judge(&mut self, pair: &FramePair<'_>, carried: bool, heard: bool) {
        let (before, now) = (pair.before, pair.now);
        let model = || pair.world.level.models.get(1);
        let known = *self.known.get_or_insert_with(|| {
            let code = pair.rules.original || pair.rules.code == GameCode::Modified;
            code && pair.rules.play != GameMode::Deathmatch && model() != LOW_GRAVITY_LEVEL
        });
        let pushed = before.health.saturating_sub(now.health) > 1 || pair.signs.blow.is_some();
        let clocked = pair.gait.and_then(|gait: FrameDistance| gait.fits()) != Some(false);
        let falls = known && !carried && !pushed && clocked && falls(before) && falls(now);
        let Some([_, _, height]) = now.origin.filter(|_| falls && pair.step() > 0.0) else {
            return self.stop();
        };
        let [_, _, up] = now.velocity;
        let led = self.part.last().map_or(0.0, |last| f64::midpoint(last.vertical_speed, up) * pair.step());
        self.led += led;
        self.part.push(Moment { time: now.time, vertical_speed: up, height });
        self.measure(pair, heard);
    }

    /// Measures the gravity of a part once it is long enough.
    fn measure(&mut self, pair: &FramePair<'_>, heard: bool) {
        let (Some(first), Some(last)) = (self.part.first().copied(), self.part.last().copied()) else {
            return;
        };
        let span = last.time - first.time;
        if span < MIN_PART_SECONDS - 0.001 || self.part.len() < MIN_PART_FRAMES {
            if self.part.len() == 1 {
                self.led = 0.0;
            }
            return;
        }
        let pull = (first.vertical_speed - last.vertical_speed) / span;
        let straight = |it: &Moment| {
            (it.vertical_speed - first.vertical_speed + pull * (it.time - first.time)).abs()
                <= 2.0 * SPEED_UNIT
        };
        let even = self.part.iter().all(straight);
        let way = last.height - first.height;
        let agrees = (way - self.led).abs() <= SPEED_UNIT * span + 4.0;
        self.led = 0.0;
        self.part = vec![last];
        if even && agrees {
            self.add(pair, pull, heard);
        }
    }

    fn add(&mut self, pair: &FramePair<'_>, pull: f64, heard: bool) {
        if (pull - GRAVITY).abs() <= MAX_PART_ERROR {
            self.run = Run::default();
            return;
        }
        if pull.abs() < NONE && super::motion::supported(pair) {
            return;
        }
        let run = &mut self.run;
        if run.parts == 0 || run.last != self.flights {
            run.flights = run.flights.saturating_add(1);
        }
        run.last = self.flights;
        run.parts = run.parts.saturating_add(1);
        run.sum += pull;
        let [x, y, _] = pair.now.velocity;
        let heading = y.atan2(x).to_degrees();
        let turn = (heading - *run.heading.get_or_insert(heading)).rem_euclid(360.0);
        run.turn = run.turn.max(turn.min(360.0 - turn));
        if run.is_sure(heard) && self.worst.as_ref().is_none_or(|(worst, _)| worst.parts < run.parts) {
            let pull = run.pull();
            let description = format!(
                "in {:.1} seconds of {} flights gravity is {:.0}, not {GRAVITY}",
                f64::from(run.parts) * MIN_PART_SECONDS,
                run.flights,
                pull
            );
            let numbers = [("pull", pull), ("seconds", f64::from(run.parts) * MIN_PART_SECONDS)];
            self.worst = Some((*run, pair.proof(description, &numbers)));
        }
    }

    /// Judges the level at its end. `clocked` is true if its clock is the game's own.
    pub(super) fn leave(&mut self, rules: Rules, clocked: bool, book: &mut FindingList) {
        let worst = std::mem::take(self).worst.filter(|_| clocked);
        if let (Some((_, proof)), Some(_)) = (worst, rules.weight(AuditSeverity::Strong)) {
            // Mods may have another gravity.
            let modified = rules.code == GameCode::Modified;
            let weight = if modified { AuditSeverity::Note } else { AuditCode::Gravity.severity() };
            book.weigh(AuditCode::Gravity, weight, || proof);
        }
    }
}

/// Whether the player is in the air, moves, and is slower than the engine's fastest fall.
fn falls(tick: &Tick) -> bool {
    let [_, _, up] = tick.velocity;
    let air = !tick.vitals.on_ground && !tick.vitals.in_water && tick.in_play();
    air && up > -FASTEST && tick.speed() >= MOVING
}
