//! The steps of the clock, against what id's engines make: at most 72 frames a second, none longer than a tenth.

use super::super::book::{Book, Held};
use super::super::findings::{Code, Severity};
use super::super::rules::{Play, Rules};
use super::Pair;

/// Judges the clock.
#[derive(Debug, Default)]
pub(super) struct Clock {
    long: Held,
    window: Window,
    /// How many windows were full of short steps, and how many of those had steps of the very same length.
    slow: Held,
    exact: u64,
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
}

impl Window {
    fn add(&mut self, step: f64) {
        self.least = if self.steps == 0 { step } else { self.least.min(step) };
        self.most = self.most.max(step);
        self.sum += step;
        self.steps = self.steps.saturating_add(1);
        self.short = self.short.saturating_add(u32::from(step < SHORT));
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

impl Clock {
    pub(super) fn judge(&mut self, pair: &Pair<'_>) {
        let step = pair.step();
        // Networks lose frames; and a clock that stands still is a pause or an open console.
        if pair.rules.play != Play::Solo || step <= 0.0 || pair.age < 1.0 {
            return;
        }
        if step > LONG && step < LEAP {
            let says = format!("a frame of {step:.4} seconds");
            self.long.add(|| pair.proof(says, &[("seconds", step)]));
        }
        self.window.add(step);
        if self.window.steps < WINDOW {
            return;
        }
        let window = std::mem::take(&mut self.window);
        let rate = f64::from(window.short) / f64::from(window.steps);
        if rate > 0.9 {
            let says = format!("frames of {step:.4} seconds, {:.0} a second", 1.0 / step);
            self.slow.add(|| pair.proof(says, &[("seconds", step)]));
            self.exact = self.exact.saturating_add(u64::from(window.most - window.least < EVEN));
        } else if rate < 0.1 {
            self.usual = self.usual.saturating_add(1);
            let limited = window.sum <= AT_LIMIT * f64::from(window.steps);
            self.limited = self.limited.saturating_add(u64::from(limited));
        }
    }

    /// The level is over; `clocked` is whether its clock is the game's own.
    pub(super) fn leave(&mut self, rules: Rules, clocked: bool, book: &mut Book) {
        if !clocked {
            *self = Self::default();
            return;
        }
        if self.long.count >= LONG_FRAMES && !rules.lossy {
            self.long.enter(book, Code::LongSteps, Severity::Suspicious);
        }
        if self.slow.count >= REGIME {
            // Engines without id's limit run as fast as the scene lets them: only where the usual frames keep to the
            // limit, or the short ones are all alike, it is the clock that was slowed down.
            let even = self.exact >= REGIME && self.usual >= REGIME;
            let mixed = even || self.limited >= REGIME;
            let code = if mixed { Code::SlowMotion } else { Code::ManyFrames };
            self.slow.enter(book, code, code.severity());
        }
        *self = Self::default();
    }
}
