//! Corrects a clock that leaps, or goes back so far that engines crash: later times continue from the last
//! right one. A damaged time between two consistent ones is computed from these.

use moviola_check::CheckCode;
use moviola_format::{Context, Messages, Quake, Seconds, dem, is_time, write_message};
use std::collections::{BTreeSet, VecDeque};

/// Follows the clock of the written blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// The time of the last block (engines begin a level at 0), and the duration of a block.
    last: f64,
    step: f64,
    /// The seconds that are added to every time.
    ahead: f64,
    /// Whether the current block has no time.
    is_lost: bool,
    /// The number of written blocks, and the times of the last ones.
    blocks: u64,
    recent: VecDeque<(u64, f64)>,
    /// The blocks with a damaged time.
    torn: BTreeSet<u64>,
}

/// The findings about the clock at which engines crash or stop.
pub(super) const MINDED: [CheckCode; 3] =
    [CheckCode::ClockBack, CheckCode::ClockLeap, CheckCode::ClockSparks];

impl Clock {
    /// The clock of a second pass, which knows the damaged times that this pass found.
    pub(super) fn second_pass(self) -> Self {
        Self { torn: self.torn, ..Self::default() }
    }

    /// Called when engines object to the time of this block. If the objection is due to damaged times right
    /// before it, and the block continues the times before those, it marks the damaged times, which are
    /// mended when they are written, and returns a message with the last right time.
    pub(super) fn correct_before(&mut self, data: &[u8], context: &Context) -> Option<Vec<u8>> {
        let time = first_time(data, context)?;
        let pairs = self.recent.iter().zip(self.recent.iter().skip(1));
        let mut rises = pairs.map(|((_, from), (_, to))| to - from >= MAX_STEP);
        let at = rises.rposition(|rises| rises)?;
        let (_, base) = *self.recent.get(at)?;
        let behind = self.recent.range(at + 1..);
        let torn = behind.take_while(|(_, time)| time - base >= MAX_STEP).count();
        if !(0.0..2.0 * MAX_STEP).contains(&(time - base)) {
            return None;
        }
        self.torn.extend(self.recent.drain(at + 1..at + 1 + torn).map(|(block, _)| block));
        let (_, last) = *self.recent.back()?;
        self.last = last;
        let mut out = Vec::new();
        write_message(
            &dem::Message::from(dem::Time { time: Seconds::new(last as f32).into() }),
            &mut out,
            context,
        );
        Some(out)
    }

    /// Whether the next block is the first of a run of damaged times.
    pub(super) fn begins_torn(&self) -> bool {
        let before = self.blocks.checked_sub(1);
        self.is_torn() && before.is_none_or(|before| !self.torn.contains(&before))
    }

    fn is_torn(&self) -> bool {
        self.torn.contains(&self.blocks)
    }

    /// The block with its clock corrected; `None` if it is right already.
    pub(super) fn set(&self, data: &[u8], context: &Context) -> Option<Vec<u8>> {
        if self.ahead == 0.0 && !self.is_lost && !self.is_torn() {
            return None;
        }
        let mut out = Vec::new();
        let (mut messages, mut at, mut is_set) = (Messages::<Quake>::new(data, *context), 0, false);
        let mut ahead = self.ahead;
        while let Some(entry) = &messages.next() {
            let bytes = data.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            match &entry.message {
                dem::Message::ServerInfo(_) => ahead = 0.0,
                dem::Message::Time(it) => {
                    if let Some(time) = self.moved(it.time.seconds, ahead) {
                        write_message(
                            &dem::Message::from(dem::Time { time: it.time.at(time) }),
                            &mut out,
                            messages.context(),
                        );
                        is_set = true;
                        continue;
                    }
                }
                _ => {}
            }
            out.extend_from_slice(bytes);
        }
        out.extend_from_slice(data.get(at..).unwrap_or_default());
        is_set.then_some(out)
    }

    /// The corrected time; `None` if it is right already.
    fn moved(&self, time: Seconds, ahead: f64) -> Option<Seconds> {
        let time = f64::from(time.value());
        let is_lost = self.is_torn() || self.is_lost && !is_time(time);
        let moved = if is_lost { self.last + self.step } else { time + ahead };
        // The clock has returned to its old course.
        let is_back = (0.0..MAX_STEP).contains(&(time - self.last));
        let is_nearer = !is_back && (moved - self.last).abs() < (time - self.last).abs();
        let is_nearer = is_lost || !is_time(time) || is_nearer;
        (is_time(moved) && is_nearer).then(|| Seconds::new(moved as f32))
    }

    /// The difference between the last time and the first time of a block; `None` if they are equal.
    pub(super) fn time_difference(&self, data: &[u8], context: &Context) -> Option<f64> {
        first_time(data, context).map(|time| self.last - time).filter(|off| *off != 0.0)
    }

    /// Adds this difference to all later times.
    pub(super) fn go_on(&mut self, off: f64) {
        self.is_lost = !is_time(off);
        if !self.is_lost {
            self.ahead += off + self.step;
        }
    }

    /// A block was written.
    pub(super) fn play(&mut self, data: &[u8], context: &Context) {
        self.is_lost = false;
        for entry in Messages::<Quake>::new(data, *context) {
            match entry.message {
                dem::Message::ServerInfo(_) => {
                    (self.last, self.step, self.ahead) = (0.0, 0.0, 0.0);
                    self.recent.clear();
                }
                dem::Message::Time(it) if it.time.value().is_finite() => {
                    let time = f64::from(it.time.value());
                    let step = time - self.last;
                    self.step = if step > 0.0 && step < MAX_STEP { step } else { self.step };
                    self.last = time.max(0.0);
                    self.recent.push_back((self.blocks, time));
                }
                _ => {}
            }
        }
        let old = self.recent.len().saturating_sub(MAX_WRONG_TIMES);
        self.recent.drain(..old);
        self.blocks = self.blocks.saturating_add(1);
    }
}

/// The first time in a block.
fn first_time(data: &[u8], context: &Context) -> Option<f64> {
    match Messages::<Quake>::new(data, *context).next()?.message {
        dem::Message::Time(it) => Some(f64::from(it.time.value())),
        _ => None,
    }
}

/// Consecutive blocks of a game are less than this many seconds apart.
const MAX_STEP: f64 = 1.0;

/// At most this many wrong times in a row are damage; after a longer run, the clock was set to another time.
const MAX_WRONG_TIMES: usize = 16;
