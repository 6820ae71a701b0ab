//! A clock that leaps, or goes back so far that engines crash: from there on it goes on from where it was. A time that
//! is torn, between two that agree, is told by them.

use moviola_check::Code;
use moviola_format::{Context, Messages, Quake, Seconds, dem, is_time, write_message};
use std::collections::{BTreeSet, VecDeque};

/// Follows the clock of what is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// What it was in the last block, from 0 on, where engines begin a level; and how long a block took.
    last: f64,
    step: f64,
    /// By how much it is set forward, or back where that is below 0.
    ahead: f64,
    /// The block at hand says no time.
    is_lost: bool,
    /// How many blocks were written, and the times of the last of them.
    blocks: u64,
    recent: VecDeque<(u64, f64)>,
    /// Blocks whose time is torn.
    torn: BTreeSet<u64>,
}

/// What engines mind of a clock.
pub(super) const MINDED: [Code; 3] = [Code::ClockBack, Code::ClockLeap, Code::ClockSparks];

impl Clock {
    /// Before a second pass, which knows what this one found.
    pub(super) fn knowing(self) -> Self {
        Self { torn: self.torn, ..Self::default() }
    }

    /// Engines mind the time of this block. Where that is because some right before it are torn, and it follows on the one
    /// before them: the message of that one's time. They are mended when they are written.
    pub(super) fn torn_before(&mut self, data: &[u8], context: &Context) -> Option<Vec<u8>> {
        let time = first_time(data, context)?;
        let pairs = self.recent.iter().zip(self.recent.iter().skip(1));
        let mut rises = pairs.map(|((_, from), (_, to))| to - from >= LONG);
        let at = rises.rposition(|rises| rises)?;
        let (_, base) = *self.recent.get(at)?;
        let behind = self.recent.range(at + 1..);
        let torn = behind.take_while(|(_, time)| time - base >= LONG).count();
        if !(0.0..2.0 * LONG).contains(&(time - base)) {
            return None;
        }
        self.torn.extend(self.recent.drain(at + 1..at + 1 + torn).map(|(block, _)| block));
        let (_, last) = *self.recent.back()?;
        self.last = last;
        let mut out = Vec::new();
        write_message(&dem::Message::from(dem::Time { time: Seconds::new(last as f32) }), &mut out, context);
        Some(out)
    }

    /// The time of the next block is torn, and that of the block before it is not.
    pub(super) fn begins_torn(&self) -> bool {
        let before = self.blocks.checked_sub(1);
        self.is_torn() && before.is_none_or(|before| !self.torn.contains(&before))
    }

    fn is_torn(&self) -> bool {
        self.torn.contains(&self.blocks)
    }

    /// A block with its clock set; none where that stays as it is.
    pub(super) fn set(&self, data: &[u8], context: &Context) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let (mut messages, mut at, mut is_set) = (Messages::<Quake>::new(data, *context), 0, false);
        let mut ahead = self.ahead;
        while let Some(entry) = &messages.next() {
            let bytes = data.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            match &entry.message {
                dem::Message::ServerInfo(_) => ahead = 0.0,
                dem::Message::Time(it) => {
                    if let Some(time) = self.moved(it.time, ahead) {
                        write_message(&dem::Message::from(dem::Time { time }), &mut out, messages.context());
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

    /// A time as it is to be; none where it is so already.
    fn moved(&self, time: Seconds, ahead: f64) -> Option<Seconds> {
        let time = f64::from(time.value());
        let is_lost = self.is_torn() || self.is_lost && !is_time(time);
        let moved = if is_lost { self.last + self.step } else { time + ahead };
        // Where it is back by itself, nothing needs to be done.
        let is_back = (0.0..LONG).contains(&(time - self.last));
        let is_nearer = !is_back && (moved - self.last).abs() < (time - self.last).abs();
        let is_nearer = is_lost || !is_time(time) || is_nearer;
        (is_time(moved) && is_nearer).then(|| Seconds::new(moved as f32))
    }

    /// How far from the time of the block before is the one with which a block begins; none where they are the same.
    pub(super) fn off(&self, data: &[u8], context: &Context) -> Option<f64> {
        first_time(data, context).map(|time| self.last - time).filter(|off| *off != 0.0)
    }

    /// The clock is off by this, still: from here on it goes on from where it was.
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
                    self.step = if step > 0.0 && step < LONG { step } else { self.step };
                    self.last = time.max(0.0);
                    self.recent.push_back((self.blocks, time));
                }
                _ => {}
            }
        }
        let old = self.recent.len().saturating_sub(RECENT);
        self.recent.drain(..old);
        self.blocks = self.blocks.saturating_add(1);
    }
}

/// The time with which a block begins.
fn first_time(data: &[u8], context: &Context) -> Option<f64> {
    match Messages::<Quake>::new(data, *context).next()?.message {
        dem::Message::Time(it) => Some(f64::from(it.time.value())),
        _ => None,
    }
}

/// Between two blocks of a play lies less time than this.
const LONG: f64 = 1.0;

/// How many blocks with a torn time are told from a clock that was set anew.
const RECENT: usize = 16;
