//! The steps of the clock, against what id's engines make: at most 72 frames a second, none longer than a tenth.

use super::super::book::{Book, Held};
use super::super::findings::{Code, Severity};
use super::super::rules::{Play, Rules};
use super::Pair;

/// Judges the clock.
#[derive(Debug, Default)]
pub(super) struct Clock {
    long: Held,
    /// Steps of the window at hand: all, and those that are shorter than a 72nd of a second.
    window: u32,
    short: u32,
    /// How many windows were full of short steps, and how many had hardly any.
    slow: Held,
    usual: u64,
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
        self.window = self.window.saturating_add(1);
        self.short = self.short.saturating_add(u32::from(step < SHORT));
        if self.window < WINDOW {
            return;
        }
        let rate = f64::from(self.short) / f64::from(self.window);
        if rate > 0.9 {
            let says = format!("frames of {step:.4} seconds, {:.0} a second", 1.0 / step);
            self.slow.add(|| pair.proof(says, &[("seconds", step)]));
        } else if rate < 0.1 {
            self.usual = self.usual.saturating_add(1);
        }
        (self.window, self.short) = (0, 0);
    }

    pub(super) fn leave(&mut self, rules: Rules, book: &mut Book) {
        if self.long.count >= LONG_FRAMES && !rules.lossy {
            self.long.enter(book, Code::LongSteps, Severity::Suspicious);
        }
        if self.slow.count >= REGIME {
            let mixed = self.usual >= REGIME;
            let code = if mixed { Code::SlowMotion } else { Code::ManyFrames };
            self.slow.enter(book, code, code.severity());
        }
        *self = Self::default();
    }
}
