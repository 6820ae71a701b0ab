//! The clock against the ways: who runs straight on gets as far as speed and time say, unless somebody wrote the clock
//! anew.
//!
//! The speed is told in steps of 16 units, cut towards zero, in each direction; so the way lies between what is told and
//! one step more. In nearly all honest recordings three quarters of the runs do. Where a single frame looks like a cheat
//! with the clock, its own way says whether the game ran by that clock.

use super::super::book::{Book, Held, Proof};
use super::super::findings::Code;
use super::super::rules::{GameCode, Rules};
use super::{Pair, SPEED_UNIT, Tick};
use moviola_analyse::Severity;
use moviola_analyse::space::flat;

/// Judges how clock and ways agree.
#[derive(Debug, Default)]
pub(super) struct Tempo {
    run: Option<Run>,
    /// The runs so far: their ways by the least and by the most that their speed allows.
    shares: Vec<[f64; 2]>,
    first: Option<Proof>,
    /// What would be a cheat, but that way and clock disagree there.
    doubts: Held,
}

/// The way of a player from one frame to the next, and what clock and speed make of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gait {
    pub(super) way: f64,
    /// By the speed as it is told, and by one step more.
    pub(super) least: f64,
    pub(super) most: f64,
}

/// Slower steps say nothing of a clock.
const WALKING: f64 = 48.0;
/// By what share, and by how much, a way may miss.
const MISS: f64 = 0.1;
const PLACE: f64 = 0.5;
/// Shorter ways are nothing but what was cut off of places.
const TOLD: f64 = 2.0;

impl Gait {
    /// The engine moves a player by the speed that it tells afterwards, as long as nothing stops him.
    pub(super) fn of(before: &Tick, now: &Tick) -> Option<Self> {
        let (was, is) = (flat(before.origin?), flat(now.origin?));
        let step = now.time - before.time;
        let speed = flat(now.velocity).map(f64::abs);
        let least = length(speed) * step;
        let walks = step > 0.0 && length(speed) >= WALKING && before.in_play() && now.in_play();
        let way = length([is[0] - was[0], is[1] - was[1]]);
        walks.then(|| Self { way, least, most: length(speed.map(|part| part + SPEED_UNIT)) * step })
    }

    /// The way is the one that the clock makes, or it is not; none where it is too short to tell.
    pub(super) fn fits(&self) -> Option<bool> {
        let fits = (self.least * (1.0 - MISS) - PLACE..=self.most * (1.0 + MISS) + PLACE).contains(&self.way);
        (!fits || self.least >= TOLD).then_some(fits)
    }

    /// How many times as far as speed and time say.
    pub(super) fn share(&self) -> f64 {
        self.way / self.least
    }
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

/// A span in which the speed stays the very same.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: [f64; 2],
    to: [f64; 2],
    speed: [f64; 2],
    seconds: f64,
    steps: u32,
}

/// Slower ways are told too roughly.
const FAST: f64 = 200.0;
/// So long and in so many steps a run is measured well.
const LASTING: f64 = 0.06;
const STEPS: u32 = 3;
/// So many runs of a level are enough; more are not kept.
const RUNS: usize = 8;
const MOST: usize = 512;
/// What neither the steps of the speed nor those of places explain.
const SLACK: f64 = 0.03;
const STUCK: f64 = 0.2;
/// The middle half of the runs must agree so well: another clock changes all of them alike.
const SPREAD: f64 = 0.12;
/// So many doubts, and more than a share of what is beyond doubt, are no accident.
const DOUBTS: u64 = 3;
const RATHER: u64 = 4;

impl Tempo {
    /// A frame is missing, or somebody was set elsewhere: nothing goes on.
    pub(super) fn stop(&mut self) {
        if let Some(run) = self.run.take()
            && run.seconds >= LASTING
            && run.steps >= STEPS
            && self.shares.len() < MOST
        {
            self.shares.push(run.shares());
        }
    }

    pub(super) fn judge(&mut self, pair: &Pair<'_>) {
        let (before, now) = (pair.before, pair.now);
        let speed = flat(now.velocity);
        let places = before.origin.zip(now.origin).map(|(was, is)| (flat(was), flat(is)));
        let ([was_x, was_y, _], [x, y, _]) = (before.vitals.velocity, now.vitals.velocity);
        let goes_on = was_x == x && was_y == y && now.ground_speed() >= FAST && pair.step() > 0.0;
        let Some((was, is)) = places.filter(|_| goes_on && before.in_play() && now.in_play()) else {
            return self.stop();
        };
        let run = self.run.get_or_insert(Run { from: was, to: was, speed, seconds: 0.0, steps: 0 });
        run.to = is;
        run.seconds += pair.step();
        run.steps = run.steps.saturating_add(1);
        if self.first.is_none() {
            self.first = Some(pair.proof(String::new(), &[]));
        }
    }

    /// What looks like a cheat with the clock, so often, but that the way there is another one than by this clock.
    pub(super) fn doubt(&mut self, pair: &Pair<'_>, share: f64, times: u64) {
        for _ in 0..times {
            self.doubts.add(|| {
                let says = format!("the way is {share:.2} times as far as speed and time say");
                pair.proof(says, &[("share", share)])
            });
        }
    }

    /// The level is over: whether its clock was written anew, so that it proves nothing else. Of what would be cheats
    /// with the clock, so many are beyond doubt.
    pub(super) fn leave(&mut self, rules: Rules, sure: u64, book: &mut Book) -> bool {
        self.stop();
        let Self { shares, first, mut doubts, .. } = std::mem::take(self);
        // Modified games may carry players in ways of their own.
        let modified = rules.code == GameCode::Modified;
        let weight = if modified { Severity::Note } else { Code::ClockEdited.severity() };
        if let Some(proof) = whole(shares, first.filter(|_| !rules.lossy)) {
            book.weigh(Code::ClockEdited, weight, || proof);
            return true;
        }
        if doubts.count < DOUBTS || doubts.count.saturating_mul(RATHER) <= sure {
            return false;
        }
        doubts.enter(book, Code::ClockEdited, weight);
        true
    }
}

/// What the runs of a whole level prove, of which the first is told.
fn whole(mut shares: Vec<[f64; 2]>, first: Option<Proof>) -> Option<Proof> {
    let mut proof = first.filter(|_| shares.len() >= RUNS)?;
    let [low, middle, high] = [1, 2, 3].map(|quarter| quartile(&mut shares, 1, quarter));
    // Who is stuck has a speed, and hardly any way.
    let slow = quartile(&mut shares, 0, 3) < 1.0 - SLACK && low > STUCK;
    if (low <= 1.0 + SLACK && !slow) || high - low > SPREAD * middle {
        return None;
    }
    proof.says =
        format!("who runs gets {middle:.2} times as far as speed and time say, in {} runs", shares.len());
    proof.numbers.0 = vec![("share", middle), ("runs", shares.len() as f64)];
    Some(proof)
}

impl Run {
    /// The way as a share of what the least and the most of the speed make.
    fn shares(&self) -> [f64; 2] {
        let [[from_x, from_y], [to_x, to_y]] = [self.from, self.to];
        let way = (to_x - from_x).hypot(to_y - from_y);
        let [x, y] = self.speed.map(f64::abs);
        let least = x.hypot(y) * self.seconds;
        let most = (x + SPEED_UNIT).hypot(y + SPEED_UNIT) * self.seconds;
        [way / least, way / most]
    }
}

/// What a quarter, half or three quarters of the runs stay below.
fn quartile(shares: &mut [[f64; 2]], of: usize, quarter: usize) -> f64 {
    let share = |it: &[f64; 2]| it.get(of).copied().unwrap_or_default();
    shares.sort_by(|one, other| share(one).total_cmp(&share(other)));
    shares.get(shares.len().saturating_sub(1).saturating_mul(quarter) / 4).map_or(0.0, share)
}
