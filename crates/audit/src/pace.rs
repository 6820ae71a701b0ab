//! Compares position and speed, for both games: the change of one must follow from the other.

/// The distance between two consecutive frames, and the speeds at both ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) length: f64,
    pub(super) speeds: [f64; 2],
    pub(super) seconds: f64,
    /// The rounding errors of a speed and of a position on the wire.
    pub(super) blur: f64,
    pub(super) grain: f64,
}

/// A leap is a distance that is this many times greater than speed and time explain.
const LEAP_FACTOR: f64 = 1.5;
/// The greatest speed at which lifts and trains carry players, in units per second.
const CARRIED: f64 = 800.0;
/// A wall stops a player and takes the speed away, so a speed above this must lead to some distance.
const MIN_SPEED: f64 = 600.0;
const MIN_SHARE: f64 = 0.25;

impl Step {
    /// The greater of the two speeds.
    pub(super) fn most(&self) -> f64 {
        self.speeds.into_iter().fold(0.0, f64::max)
    }

    /// Whether the distance is greater than `far` and than the speed explains.
    pub(super) fn is_leap(&self, far: f64) -> bool {
        self.length > far && self.length > LEAP_FACTOR * (self.most() + self.blur) * self.seconds + self.grain
    }

    /// Whether the distance is longer than speed, time and a carrying lift explain.
    pub(super) fn is_too_far(&self) -> bool {
        self.length > (self.most() + self.blur + CARRIED) * self.seconds + self.grain
    }

    /// Whether there is hardly any distance despite a great speed.
    pub(super) fn hardly_moves(&self) -> bool {
        let least = self.speeds.into_iter().fold(f64::MAX, f64::min);
        least > MIN_SPEED && self.length < MIN_SHARE * least * self.seconds
    }
}

/// A run of frames that meet a condition.
#[derive(Debug, Default)]
pub(super) struct Span {
    since: Option<f64>,
    pub(super) frames: u32,
    reported: bool,
}

impl Span {
    /// Continues or ends the run; returns its duration so far, or `None` if the condition is not met.
    pub(super) fn go_on(&mut self, is_so: bool, from: f64, now: f64) -> Option<f64> {
        if !is_so {
            *self = Self::default();
            return None;
        }
        self.frames = self.frames.saturating_add(1);
        Some(now - *self.since.get_or_insert(from))
    }

    /// True once in each run.
    pub(super) fn is_first(&mut self) -> bool {
        !std::mem::replace(&mut self.reported, true)
    }
}

/// Judges whether position and speed agree.
#[derive(Debug, Default)]
pub(super) struct PaceJudge(Span);

/// A disagreement of this duration and number of frames is neither a step of stairs nor a hitch of the
/// machine.
const MIN_SECONDS: f64 = 0.4;
const CERTAIN_STEPS: u32 = 4;

/// The description of a finding, and its numbers.
pub(super) type Description = (String, [(&'static str, f64); 3]);

impl PaceJudge {
    /// Judges two consecutive frames. Returns the finding once in each run of frames that disagree.
    pub(super) fn judge(&mut self, way: &Step, disagree: bool, [from, now]: [f64; 2]) -> Option<Description> {
        let span = self.0.go_on(disagree, from, now)?;
        if span < MIN_SECONDS - 0.001 || self.0.frames < CERTAIN_STEPS || !self.0.is_first() {
            return None;
        }
        let (sent, moved) = (way.most().round(), (way.length / way.seconds).round());
        let description =
            format!("a speed of {sent} units a second, a movement of {moved}, for {span:.1} seconds");
        Some((description, [("sent", sent), ("moved", moved), ("seconds", span)]))
    }

    /// Ends the run: after a teleport, a leap, or a missing frame.
    pub(super) fn stop(&mut self) {
        self.0 = Span::default();
    }
}
