//! Compares the steps of the clock with those of id's engines: at most 72 frames per second, and no frame
//! longer than a tenth of a second.
//!
//! A game with such a clock moves its players by it. If the distances differ, somebody rewrote the clock
//! later. Without movement the two cases cannot be distinguished.

use super::super::book::{FindingList, PendingEvidence};
use super::super::findings::AuditCode;
use super::super::rules::{GameMode, Rules};
use super::FramePair;
use super::tempo::Tempo;
use moviola_analyse::AuditSeverity;

/// Judges the clock.
#[derive(Debug, Default)]
pub(super) struct Clock {
    long: PendingEvidence,
    /// The number of long frames in which the player also moved as far as in a frame of that length.
    long_ways: u64,
    /// The step before.
    last: f64,
    /// The number of steps so far.
    steps: u64,
    window: Window,
    /// The windows full of short steps, and how many of them have steps of equal length.
    slow: PendingEvidence,
    exact: u64,
    /// The number of these windows with distances to match.
    slow_ways: u64,
    /// The number of windows with hardly any short steps, and of those at the frame rate limit of id's
    /// engines.
    usual_windows: u64,
    limited: u64,
}

/// The steps of a part of the level: their number, the number of those shorter than a 72nd of a second, and
/// their lengths.
#[derive(Debug, Default)]
struct Window {
    steps: u32,
    short_steps: u32,
    shortest: f64,
    longest: f64,
    sum: f64,
    /// The distance that the player covered, and the greatest distance that clock and speed allow.
    distance: f64,
    reach: f64,
}

impl Window {
    fn add(&mut self, pair: &FramePair<'_>) {
        let step = pair.step();
        if let Some(gait) = pair.gait {
            self.distance += gait.distance;
            self.reach += gait.max_speed;
        }
        self.shortest = if self.steps == 0 { step } else { self.shortest.min(step) };
        self.longest = self.longest.max(step);
        self.sum += step;
        self.steps = self.steps.saturating_add(1);
        self.short_steps = self.short_steps.saturating_add(u32::from(step < SHORT_STEP));
    }

    /// Whether the distances fit short steps; `None` if the player hardly moved.
    fn fits(&self) -> Option<bool> {
        (self.reach >= MIN_DISTANCE).then_some(self.distance <= self.reach * (1.0 + MAX_ERROR))
    }
}

/// Longer than any frame of the engines; `DarkPlaces` makes frames of a ninth of a second.
const LONG_STEP: f64 = 0.125;
/// A step of this length is not a long frame, but a missing part.
const MISSING_PART: f64 = 0.5;
/// This many long frames are not chance.
const LONG_FRAMES: u64 = 8;
/// A 72nd of a second, minus the error of a timer of milliseconds and some tolerance.
const SHORT_STEP: f64 = 0.0125;
const WINDOW: u32 = 100;
/// The greatest average step of a machine that makes 72 frames per second.
const AT_LIMIT: f64 = 0.0157;
/// The precision of the clock: only `host_framerate` makes steps as equal as this.
const EQUAL_STEPS: f64 = 0.000_15;
/// This many windows of one kind are not chance.
const REGIME: u64 = 2;
/// The least distance of a window that can be judged, and the tolerated error as a share of it.
const MIN_DISTANCE: f64 = 48.0;
const MAX_ERROR: f64 = 0.03;
/// This many long frames in which the player covers a long distance are certain.
const CERTAIN_FRAMES: u64 = 3;
/// The steps in the first second of a level are irregular.
const UNSETTLED_SECONDS: f64 = 1.0;
const FIRST_STEPS: u64 = 100;

impl Clock {
    pub(super) fn judge(&mut self, pair: &FramePair<'_>, tempo: &mut Tempo) {
        let step = pair.step();
        // Networks lose frames, and the clock stands still in a pause or with an open console.
        if pair.rules.play != GameMode::Solo || step <= 0.0 {
            return;
        }
        self.steps = self.steps.saturating_add(1);
        if pair.age < UNSETTLED_SECONDS && self.steps < FIRST_STEPS {
            return;
        }
        let last = std::mem::replace(&mut self.last, step);
        // A single long frame may be two frames, between which others were cut out.
        if [last, step].iter().all(|step| (LONG_STEP..MISSING_PART).contains(step)) {
            self.judge_long_step(pair, tempo);
        }
        self.window.add(pair);
        if self.window.steps < WINDOW {
            return;
        }
        let window = std::mem::take(&mut self.window);
        let rate = f64::from(window.short_steps) / f64::from(window.steps);
        if rate > 0.9 {
            let fits = window.fits();
            if fits == Some(false) {
                return tempo.count_as_edited_clock(pair, window.distance / window.reach, 2);
            }
            let description = format!("frames of {step:.4} seconds, {:.0} a second", 1.0 / step);
            self.slow.add(|| pair.proof(description, &[("seconds", step)]));
            self.slow_ways = self.slow_ways.saturating_add(u64::from(fits.is_some()));
            self.exact = self.exact.saturating_add(u64::from(window.longest - window.shortest < EQUAL_STEPS));
        } else if rate < 0.1 {
            self.usual_windows = self.usual_windows.saturating_add(1);
            let limited = window.sum <= AT_LIMIT * f64::from(window.steps);
            self.limited = self.limited.saturating_add(u64::from(limited));
        }
    }

    fn judge_long_step(&mut self, pair: &FramePair<'_>, tempo: &mut Tempo) {
        let step = pair.step();
        let fits = pair.gait.and_then(|gait| gait.fits().map(|fits| (fits, gait.share())));
        if let Some((false, share)) = fits {
            return tempo.count_as_edited_clock(pair, share, 1);
        }
        self.long_ways = self.long_ways.saturating_add(u64::from(fits.is_some()));
        let description = format!("a frame of {step:.4} seconds");
        self.long.add(|| pair.proof(description, &[("seconds", step)]));
    }

    /// The number of suspicious steps with a distance to match.
    pub(super) fn sure(&self) -> u64 {
        self.long_ways.saturating_add(self.slow_ways)
    }

    /// Judges the level at its end. `clocked` is true if its clock is the game's own.
    pub(super) fn leave(&mut self, rules: Rules, clocked: bool, book: &mut FindingList) {
        if !clocked {
            *self = Self::default();
            return;
        }
        if self.long.count >= LONG_FRAMES && !rules.lossy {
            let sure = self.long_ways >= CERTAIN_FRAMES;
            let weight = if sure { AuditCode::LongSteps.severity() } else { AuditSeverity::Note };
            self.long.enter(book, AuditCode::LongSteps, weight);
        }
        if self.slow.count >= REGIME {
            // Engines without id's limit run as fast as the scene allows. The clock was slowed down only if
            // the usual frames keep the limit, or if the short frames are all equally long.
            let even = self.exact >= REGIME && self.usual_windows >= REGIME;
            let mixed = (even || self.limited >= REGIME) && self.slow_ways > 0;
            let code = if mixed { AuditCode::SlowMotion } else { AuditCode::ManyFrames };
            self.slow.enter(book, code, code.severity());
        }
        *self = Self::default();
    }
}
