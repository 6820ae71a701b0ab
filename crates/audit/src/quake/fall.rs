//! What pulls in the air, against the gravity of the game.
//!
//! id's game code sets `sv_gravity` to 800 as each level begins, but for `e1m8` with its 100, and nothing in it changes
//! that. The speed up or down is told in steps of 16, so a fall of a fifth of a second tells gravity to a tenth.

use super::super::book::{Book, Proof};
use super::super::findings::Code;
use super::super::rules::{GameCode, Play, Rules};
use super::tempo::Gait;
use super::{Pair, SPEED_UNIT, Tick};
use moviola_analyse::Severity;

/// Judges falls.
#[derive(Debug, Default)]
pub(super) struct Fall {
    /// The part of a fall that is being measured: its frames, and how far up or down they led by their speeds.
    part: Vec<Moment>,
    led: f64,
    /// How many times the player was in the air so far.
    flights: u32,
    /// Parts in a row that are pulled otherwise.
    run: Run,
    /// The longest such row.
    worst: Option<(Run, Proof)>,
    /// Whose game code it is, is known, and the level has the usual gravity.
    known: Option<bool>,
}

/// What is measured of a frame.
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: f64,
    up: f64,
    height: f64,
}

/// Parts of falls in a row that agree on another gravity.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    parts: u32,
    flights: u32,
    /// In which flight the last one was.
    last: u32,
    sum: f64,
    /// The direction at its beginning, and by how much it turned.
    heading: Option<f64>,
    turned: f64,
}

impl Run {
    fn pull(&self) -> f64 {
        self.sum / f64::from(self.parts.max(1))
    }

    /// Steep slopes let players slide, so where something pulls it takes several flights; where nothing does, one. Winds
    /// that nobody hears, since they were taken out, blow straight on.
    fn is_sure(&self, heard: bool) -> bool {
        let (pull, parts) = (self.pull(), self.parts);
        let sure = if pull.abs() < NONE {
            parts >= LONG && (heard || self.turned >= TURN)
        } else {
            parts >= PARTS && self.flights >= FLIGHTS
        };
        sure && (pull - GRAVITY).abs() > OTHER
    }
}

const GRAVITY: f64 = 800.0;
/// So much a part may miss, and a row of them.
const MISS: f64 = 110.0;
const OTHER: f64 = 150.0;
/// Less than this is no pull.
const NONE: f64 = 120.0;
/// So long is a part, and of so many frames.
const PART: f64 = 0.2;
const FRAMES: usize = 3;
/// So many parts in a row, in so many flights.
const PARTS: u32 = 9;
const FLIGHTS: u32 = 3;
/// So many parts in one flight, in which nothing pulls.
const LONG: u32 = 12;
/// No wind turns so far, in degrees.
const TURN: f64 = 60.0;
/// Who is stuck or stands on a monster does not move; and who falls so fast is not pulled any more.
const MOVING: f64 = 100.0;
const FASTEST: f64 = 1900.0;
/// The level with a gravity of its own.
const LIGHT: &[u8] = b"maps/e1m8.bsp";

impl Fall {
    /// The fall is over, or something else than gravity pulls.
    pub(super) fn stop(&mut self) {
        if !self.part.is_empty() {
            self.part.clear();
            self.flights = self.flights.saturating_add(1);
        }
    }

    pub(super) fn judge(&mut self, pair: &Pair<'_>, carried: bool, heard: bool) {
        let (before, now) = (pair.before, pair.now);
        let model = || pair.world.level.models.get(1);
        let known = *self.known.get_or_insert_with(|| {
            let code = pair.rules.original || pair.rules.code == GameCode::Modified;
            code && pair.rules.play != Play::Deathmatch && model() != LIGHT
        });
        let pushed = before.health.saturating_sub(now.health) > 1 || pair.signs.blow.is_some();
        let clocked = pair.gait.and_then(|gait: Gait| gait.fits()) != Some(false);
        let falls = known && !carried && !pushed && clocked && falls(before) && falls(now);
        let Some([_, _, height]) = now.origin.filter(|_| falls && pair.step() > 0.0) else {
            return self.stop();
        };
        let [_, _, up] = now.velocity;
        let led = self.part.last().map_or(0.0, |last| f64::midpoint(last.up, up) * pair.step());
        self.led += led;
        self.part.push(Moment { time: now.time, up, height });
        self.measure(pair, heard);
    }

    /// The part is long enough: what pulled in it?
    fn measure(&mut self, pair: &Pair<'_>, heard: bool) {
        let (Some(first), Some(last)) = (self.part.first().copied(), self.part.last().copied()) else {
            return;
        };
        let span = last.time - first.time;
        if span < PART - 0.001 || self.part.len() < FRAMES {
            if self.part.len() == 1 {
                self.led = 0.0;
            }
            return;
        }
        let pull = (first.up - last.up) / span;
        let straight =
            |it: &Moment| (it.up - first.up + pull * (it.time - first.time)).abs() <= 2.0 * SPEED_UNIT;
        let even = self.part.iter().all(straight);
        let way = last.height - first.height;
        let agrees = (way - self.led).abs() <= SPEED_UNIT * span + 4.0;
        self.led = 0.0;
        self.part = vec![last];
        if even && agrees {
            self.add(pair, pull, heard);
        }
    }

    fn add(&mut self, pair: &Pair<'_>, pull: f64, heard: bool) {
        if (pull - GRAVITY).abs() <= MISS {
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
        run.turned = run.turned.max(turn.min(360.0 - turn));
        if run.is_sure(heard) && self.worst.as_ref().is_none_or(|(worst, _)| worst.parts < run.parts) {
            let pull = run.pull();
            let says = format!(
                "in {:.1} seconds of {} flights what pulls is {:.0}, not {GRAVITY}",
                f64::from(run.parts) * PART,
                run.flights,
                pull
            );
            let numbers = [("pull", pull), ("seconds", f64::from(run.parts) * PART)];
            self.worst = Some((*run, pair.proof(says, &numbers)));
        }
    }

    /// The level is over; `clocked` is whether its clock is the game's own.
    pub(super) fn leave(&mut self, rules: Rules, clocked: bool, book: &mut Book) {
        let worst = std::mem::take(self).worst.filter(|_| clocked);
        if let (Some((_, proof)), Some(_)) = (worst, rules.weight(Severity::Strong)) {
            // Modified games have gravities of their own.
            let modified = rules.code == GameCode::Modified;
            let weight = if modified { Severity::Note } else { Code::Gravity.severity() };
            book.weigh(Code::Gravity, weight, || proof);
        }
    }
}

/// In the air, moving, and not yet as fast as one falls at most.
fn falls(tick: &Tick) -> bool {
    let [_, _, up] = tick.velocity;
    let air = !tick.vitals.on_ground && !tick.vitals.in_water && tick.in_play();
    air && up > -FASTEST && tick.speed() >= MOVING
}
