//! A clock that leaps, or goes back so far that engines crash: from there on it goes on from where it was.

use moviola_format::{Context, Messages, Quake, Seconds, dem, is_time, write_message};

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
}

impl Clock {
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
        let moved = if self.is_lost && !is_time(time) { self.last + self.step } else { time + ahead };
        // Where it is back by itself, nothing needs to be done.
        let is_nearer = !is_time(time) || (moved - self.last).abs() < (time - self.last).abs();
        (is_time(moved) && is_nearer).then(|| Seconds::new(moved as f32))
    }

    /// How far from the time of the block before is the one with which a block begins; none where they are the same.
    pub(super) fn off(&self, data: &[u8], context: &Context) -> Option<f64> {
        let first = Messages::<Quake>::new(data, *context).next()?;
        let dem::Message::Time(it) = first.message else { return None };
        Some(self.last - f64::from(it.time.value())).filter(|off| *off != 0.0)
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
                dem::Message::ServerInfo(_) => *self = Self::default(),
                dem::Message::Time(it) if it.time.value().is_finite() => {
                    let time = f64::from(it.time.value());
                    let step = time - self.last;
                    self.step = if step > 0.0 && step < LONG { step } else { self.step };
                    self.last = time.max(0.0);
                }
                _ => {}
            }
        }
    }
}

/// Between two blocks of a play lies less time than this.
const LONG: f64 = 1.0;
