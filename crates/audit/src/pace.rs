//! Place against speed, for both games: the one follows from the other.

/// The way from one frame to the next, and the speeds that are told at its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) length: f64,
    pub(super) speeds: [f64; 2],
    pub(super) seconds: f64,
    /// What the recording may have cut off of a speed, and of a place.
    pub(super) blur: f64,
    pub(super) grain: f64,
}

/// A leap is farther than so many times what speed and time explain.
const STRETCH: f64 = 1.5;
/// Faster than lifts and trains carry players, in units a second.
const CARRIED: f64 = 800.0;
/// Who is stopped has no speed left: of a speed like this some way must come.
const FAST: f64 = 600.0;
const PART: f64 = 0.25;

impl Way {
    /// The most that is told of the speed.
    pub(super) fn most(&self) -> f64 {
        self.speeds.into_iter().fold(0.0, f64::max)
    }

    /// Farther than `far`, and than the speed explains.
    pub(super) fn is_leap(&self, far: f64) -> bool {
        self.length > far && self.length > STRETCH * (self.most() + self.blur) * self.seconds + self.grain
    }

    /// Longer than the speed makes it.
    pub(super) fn outruns(&self) -> bool {
        self.length > (self.most() + self.blur + CARRIED) * self.seconds + self.grain
    }

    /// Of much speed there is hardly any way.
    pub(super) fn is_stuck(&self) -> bool {
        let least = self.speeds.into_iter().fold(f64::MAX, f64::min);
        least > FAST && self.length < PART * least * self.seconds
    }
}

/// A span of frames with something in common.
#[derive(Debug, Default)]
pub(super) struct Span {
    since: Option<f64>,
    pub(super) frames: u32,
    told: bool,
}

impl Span {
    /// How long it has been so; none when it is not so.
    pub(super) fn go_on(&mut self, is_so: bool, from: f64, now: f64) -> Option<f64> {
        if !is_so {
            *self = Self::default();
            return None;
        }
        self.frames = self.frames.saturating_add(1);
        Some(now - *self.since.get_or_insert(from))
    }

    /// Once in each span.
    pub(super) fn tell(&mut self) -> bool {
        !std::mem::replace(&mut self.told, true)
    }
}

/// Judges how place and speed agree.
#[derive(Debug, Default)]
pub(super) struct Pace(Span);

/// So long, and in so many frames, it is no step of stairs and no hitch of a machine.
const LASTING: f64 = 0.4;
const SURE: u32 = 4;

/// What a finding says, and its numbers.
pub(super) type Told = (String, [(&'static str, f64); 3]);

impl Pace {
    /// Two frames that follow each other: whether they disagree, and what is to be told of it, once in a row of them.
    pub(super) fn judge(&mut self, way: &Way, disagree: bool, [from, now]: [f64; 2]) -> Option<Told> {
        let span = self.0.go_on(disagree, from, now)?;
        if span < LASTING - 0.001 || self.0.frames < SURE || !self.0.tell() {
            return None;
        }
        let (told, made) = (way.most().round(), (way.length / way.seconds).round());
        let says = format!("{told} units a second are told, {made} are made, for {span:.1} seconds");
        Some((says, [("told", told), ("made", made), ("seconds", span)]))
    }

    /// Nothing goes on: a teleport, a leap, a missing frame.
    pub(super) fn stop(&mut self) {
        self.0 = Span::default();
    }
}
