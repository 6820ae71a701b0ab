//! Compares the clock with movements: a player who runs straight covers the distance that speed and time
//! give, unless somebody rewrote the clock.
//!
//! Each component of the speed is sent in steps of 16 units, rounded towards zero, so the distance lies
//! between the one by the sent speed and the one by a step more. In nearly all honest recordings three
//! quarters of the runs do. If a single frame looks like a cheat with the clock, its own distance shows
//! whether the game ran by that clock.

use super::super::book::{FindingList, PendingEvidence, Proof};
use super::super::findings::AuditCode;
use super::super::rules::{GameCode, Rules};
use super::{FramePair, SPEED_UNIT, Tick};
use moviola_analyse::AuditSeverity;
use moviola_analyse::space::flat;

/// Judges whether clock and movements agree.
#[derive(Debug, Default)]
pub(super) struct Tempo {
    run: Option<Run>,
    /// For each run, its distance divided by the least and by the greatest distance that its speed allows.
    shares: Vec<[f64; 2]>,
    first_proof: Option<Proof>,
    /// The events that look like a cheat, but in which distance and clock disagree.
    doubts: PendingEvidence,
}

/// A player's distance from one frame to the next, and the distances that clock and speed allow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameDistance {
    pub(super) distance: f64,
    /// The distance by the speed as sent, and by a speed that is one step higher.
    pub(super) least: f64,
    pub(super) max_speed: f64,
}

/// A movement at a lower speed is not evidence about the clock.
const MIN_EVIDENCE_SPEED: f64 = 48.0;
/// The tolerated error of a distance, as a share and in units.
const MAX_ERROR: f64 = 0.1;
const PLACE: f64 = 0.5;
/// Shorter distances are within the rounding error of positions.
const LONG_ENOUGH: f64 = 2.0;

impl FrameDistance {
    /// Compares two frames: the engine sends the speed with which it has just moved the player, as long as nothing
    /// stopped the player.
    pub(super) fn of(before: &Tick, now: &Tick) -> Option<Self> {
        let (was, is) = (flat(before.origin?), flat(now.origin?));
        let step = now.time - before.time;
        let speed = flat(now.velocity).map(f64::abs);
        let least = length(speed) * step;
        let walks = step > 0.0 && length(speed) >= MIN_EVIDENCE_SPEED && before.in_play() && now.in_play();
        let way = length([is[0] - was[0], is[1] - was[1]]);
        walks.then(|| Self {
            distance: way,
            least,
            max_speed: length(speed.map(|part| part + SPEED_UNIT)) * step,
        })
    }

    /// Whether the distance fits the clock; `None` if it is too short to decide.
    pub(super) fn fits(&self) -> Option<bool> {
        let fits = (self.least * (1.0 - MAX_ERROR) - PLACE..=self.max_speed * (1.0 + MAX_ERROR) + PLACE)
            .contains(&self.distance);
        (!fits || self.least >= LONG_ENOUGH).then_some(fits)
    }

    /// The distance divided by the distance that speed and time give.
    pub(super) fn share(&self) -> f64 {
        self.distance / self.least
    }
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

/// A run of frames with exactly the same velocity.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: [f64; 2],
    to: [f64; 2],
    speed: [f64; 2],
    seconds: f64,
    steps: u32,
}

/// The rounding error of a lower speed is too large.
const MIN_SPEED: f64 = 200.0;
/// The least duration and the least number of steps of a run.
const MIN_SECONDS: f64 = 0.06;
const STEPS: u32 = 3;
/// The number of runs that a verdict needs, and the greatest number that is kept.
const RUNS: usize = 8;
const MAX_RUNS: usize = 512;
/// An error that the rounding of speeds and positions does not explain, and the share below which a player is
/// stuck.
const TOLERANCE: f64 = 0.03;
const STUCK: f64 = 0.2;
/// The greatest spread of the middle half of the runs: a rewritten clock changes all of them by the same factor.
const SPREAD: f64 = 0.12;
/// The number of doubtful events that are not chance; they must also exceed the certain events divided by `CERTAIN_PER_DOUBT`.
const DOUBTS: u64 = 3;
const CERTAIN_PER_DOUBT: u64 = 4;

impl Tempo {
    /// Ends the run, since a frame is missing or the player was moved elsewhere.
    pub(super) fn stop(&mut self) {
        if let Some(run) = self.run.take()
            && run.seconds >= MIN_SECONDS
            && run.steps >= STEPS
            && self.shares.len() < MAX_RUNS
        {
            self.shares.push(run.shares());
        }
    }

    pub(super) fn judge(&mut self, pair: &FramePair<'_>) {
        let (before, now) = (pair.before, pair.now);
        let speed = flat(now.velocity);
        let places = before.origin.zip(now.origin).map(|(was, is)| (flat(was), flat(is)));
        let ([was_x, was_y, _], [x, y, _]) = (before.vitals.velocity, now.vitals.velocity);
        let goes_on = was_x == x && was_y == y && now.ground_speed() >= MIN_SPEED && pair.step() > 0.0;
        let Some((was, is)) = places.filter(|_| goes_on && before.in_play() && now.in_play()) else {
            return self.stop();
        };
        let run = self.run.get_or_insert(Run { from: was, to: was, speed, seconds: 0.0, steps: 0 });
        run.to = is;
        run.seconds += pair.step();
        run.steps = run.steps.saturating_add(1);
        if self.first_proof.is_none() {
            self.first_proof = Some(pair.proof(String::new(), &[]));
        }
    }

    /// Something that looks like a cheat counts as `times` signs of an edited clock, because its distance does not fit
    /// speed and time.
    pub(super) fn count_as_edited_clock(&mut self, pair: &FramePair<'_>, share: f64, times: u64) {
        for _ in 0..times {
            self.doubts.add(|| {
                let description = format!("the distance is {share:.2} times that of speed and time");
                pair.proof(description, &[("share", share)])
            });
        }
    }

    /// Judges the level at its end. Returns whether its clock was rewritten, so that it proves nothing else.
    /// `sure` is the number of apparent cheats whose distances do fit the clock.
    pub(super) fn leave(&mut self, rules: Rules, sure: u64, book: &mut FindingList) -> bool {
        self.stop();
        let Self { shares, first_proof: first, mut doubts, .. } = std::mem::take(self);
        // Modified games may move players in other ways.
        let modified = rules.code == GameCode::Modified;
        let weight = if modified { AuditSeverity::Note } else { AuditCode::ClockEdited.severity() };
        if let Some(proof) = proof_of_level(shares, first.filter(|_| !rules.lossy)) {
            book.weigh(AuditCode::ClockEdited, weight, || proof);
            return true;
        }
        if doubts.count < DOUBTS || doubts.count.saturating_mul(CERTAIN_PER_DOUBT) <= sure {
            return false;
        }
        doubts.enter(book, AuditCode::ClockEdited, weight);
        true
    }
}

/// The proof from all runs of the level, at the place of the first run; `None` if they fit the clock.
fn proof_of_level(mut shares: Vec<[f64; 2]>, first: Option<Proof>) -> Option<Proof> {
    let mut proof = first.filter(|_| shares.len() >= RUNS)?;
    let [low, middle, high] = [1, 2, 3].map(|quarter| quartile(&mut shares, 1, quarter));
    // A player who is stuck has a speed, but covers hardly any distance.
    let slow = quartile(&mut shares, 0, 3) < 1.0 - TOLERANCE && low > STUCK;
    if (low <= 1.0 + TOLERANCE && !slow) || high - low > SPREAD * middle {
        return None;
    }
    proof.description =
        format!("the distance is {middle:.2} times that of speed and time, in {} runs", shares.len());
    proof.numbers.0 = vec![("share", middle), ("runs", shares.len() as f64)];
    Some(proof)
}

impl Run {
    /// The distance as a share of the least and of the greatest that the speed allows.
    fn shares(&self) -> [f64; 2] {
        let [[from_x, from_y], [to_x, to_y]] = [self.from, self.to];
        let way = (to_x - from_x).hypot(to_y - from_y);
        let [x, y] = self.speed.map(f64::abs);
        let least = x.hypot(y) * self.seconds;
        let most = (x + SPEED_UNIT).hypot(y + SPEED_UNIT) * self.seconds;
        [way / least, way / most]
    }
}

/// The first, second or third quartile of the runs' shares.
fn quartile(shares: &mut [[f64; 2]], of: usize, quarter: usize) -> f64 {
    let share = |it: &[f64; 2]| it.get(of).copied().unwrap_or_default();
    shares.sort_by(|one, other| share(one).total_cmp(&share(other)));
    shares.get(shares.len().saturating_sub(1).saturating_mul(quarter) / 4).map_or(0.0, share)
}
