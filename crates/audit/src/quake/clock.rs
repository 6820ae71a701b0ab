//! The steps of the clock, against what id's engines make: at most 72 frames a second, none longer than a tenth.
//!
//! A game that runs by such a clock moves its players by it. Where the ways are others, the clock was written anew; where
//! nobody moves, nothing tells the one from the other.

use super::super::book::{Book, Held};
use super::super::findings::Code;
use super::super::rules::{Play, Rules};
use super::Pair;
use super::tempo::Tempo;
use moviola_analyse::Severity;

/// Judges the clock.
#[derive(Debug, Default)]
pub(super) struct Clock {
    long: Held,
    /// How many long frames have the way of a long frame.
    long_ways: u64,
    /// The step before.
    last: f64,
    /// How many steps there were so far.
    steps: u64,
    window: Window,
    /// How many windows were full of short steps, and how many of those had steps of the very same length.
    slow: Held,
    exact: u64,
    /// How many of them have the ways of short steps.
    slow_ways: u64,
    /// How many had hardly any, and how many of those ran at the limit of id's engines.
    usual: u64,
    limited: u64,
}

/// The steps of a part of the level: how many, those that are shorter than a 72nd of a second, and their lengths.
#[derive(Debug, Default)]
struct Window {
    steps: u32,
    short: u32,
    least: f64,
    most: f64,
    sum: f64,
    /// How far the player got, and how far he gets at most by clock and speed.
    way: f64,
    reach: f64,
}

impl Window {
    fn add(&mut self, pair: &Pair<'_>) {
        let step = pair.step();
        if let Some(gait) = pair.gait {
            self.way += gait.way;
            self.reach += gait.most;
        }
        self.least = if self.steps == 0 { step } else { self.least.min(step) };
        self.most = self.most.max(step);
        self.sum += step;
        self.steps = self.steps.saturating_add(1);
        self.short = self.short.saturating_add(u32::from(step < SHORT));
    }

    /// Whether the ways are those of short steps; none where there are hardly any.
    fn fits(&self) -> Option<bool> {
        (self.reach >= REACH).then_some(self.way <= self.reach * (1.0 + MISS))
    }
}

/// Longer than any frame of the engines; `DarkPlaces` has a ninth.
const LONG: f64 = 0.125;
/// A leap is no long frame, but a part that is missing.
const LEAP: f64 = 0.5;
/// So many long frames are no accident.
const LONG_FRAMES: u64 = 8;
/// A 72nd of a second, less what a timer of milliseconds cuts off, and some.
const SHORT: f64 = 0.0125;
const WINDOW: u32 = 100;
/// Steps of a machine that makes 72 frames a second are no longer on average.
const AT_LIMIT: f64 = 0.0157;
/// No timer is as even as `host_framerate`; what is left is the precision of the clock.
const EVEN: f64 = 0.000_15;
/// So many windows make a regime.
const REGIME: u64 = 2;
/// Shorter ways of a window say nothing; others may be longer by so much of them.
const REACH: f64 = 48.0;
const MISS: f64 = 0.03;
/// So many long frames with their ways are beyond doubt.
const SURE: u64 = 3;
/// The first moments of a level have steps of their own.
const SETTLED: f64 = 1.0;
const FIRST: u64 = 100;

impl Clock {
    pub(super) fn judge(&mut self, pair: &Pair<'_>, tempo: &mut Tempo) {
        let step = pair.step();
        // Networks lose frames; and a clock that stands still is a pause or an open console.
        if pair.rules.play != Play::Solo || step <= 0.0 {
            return;
        }
        self.steps = self.steps.saturating_add(1);
        if pair.age < SETTLED && self.steps < FIRST {
            return;
        }
        let last = std::mem::replace(&mut self.last, step);
        // One long frame may be two, between which others were cut out.
        if [last, step].iter().all(|step| (LONG..LEAP).contains(step)) {
            self.long(pair, tempo);
        }
        self.window.add(pair);
        if self.window.steps < WINDOW {
            return;
        }
        let window = std::mem::take(&mut self.window);
        let rate = f64::from(window.short) / f64::from(window.steps);
        if rate > 0.9 {
            let fits = window.fits();
            if fits == Some(false) {
                return tempo.doubt(pair, window.way / window.reach, 2);
            }
            let says = format!("frames of {step:.4} seconds, {:.0} a second", 1.0 / step);
            self.slow.add(|| pair.proof(says, &[("seconds", step)]));
            self.slow_ways = self.slow_ways.saturating_add(u64::from(fits.is_some()));
            self.exact = self.exact.saturating_add(u64::from(window.most - window.least < EVEN));
        } else if rate < 0.1 {
            self.usual = self.usual.saturating_add(1);
            let limited = window.sum <= AT_LIMIT * f64::from(window.steps);
            self.limited = self.limited.saturating_add(u64::from(limited));
        }
    }

    fn long(&mut self, pair: &Pair<'_>, tempo: &mut Tempo) {
        let step = pair.step();
        let fits = pair.gait.and_then(|gait| gait.fits().map(|fits| (fits, gait.share())));
        if let Some((false, share)) = fits {
            return tempo.doubt(pair, share, 1);
        }
        self.long_ways = self.long_ways.saturating_add(u64::from(fits.is_some()));
        let says = format!("a frame of {step:.4} seconds");
        self.long.add(|| pair.proof(says, &[("seconds", step)]));
    }

    /// How many steps are beyond doubt.
    pub(super) fn sure(&self) -> u64 {
        self.long_ways.saturating_add(self.slow_ways)
    }

    /// The level is over; `clocked` is whether its clock is the game's own.
    pub(super) fn leave(&mut self, rules: Rules, clocked: bool, book: &mut Book) {
        if !clocked {
            *self = Self::default();
            return;
        }
        if self.long.count >= LONG_FRAMES && !rules.lossy {
            let sure = self.long_ways >= SURE;
            let weight = if sure { Code::LongSteps.severity() } else { Severity::Note };
            self.long.enter(book, Code::LongSteps, weight);
        }
        if self.slow.count >= REGIME {
            // Engines without id's limit run as fast as the scene lets them: only where the usual frames keep to the
            // limit, or the short ones are all alike, it is the clock that was slowed down.
            let even = self.exact >= REGIME && self.usual >= REGIME;
            let mixed = (even || self.limited >= REGIME) && self.slow_ways > 0;
            let code = if mixed { Code::SlowMotion } else { Code::ManyFrames };
            self.slow.enter(book, code, code.severity());
        }
        *self = Self::default();
    }
}
