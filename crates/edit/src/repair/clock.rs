//! A clock that goes back within its level, so far that engines crash: from there on it goes on from where it was.

use moviola_format::{Context, Messages, Quake, Seconds, dem, write_message};

/// Follows the clock of what is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// What it was in the last block, from 0 on, where engines begin a level; and how long a block took.
    last: f64,
    step: f64,
    /// By how much it is set forward.
    ahead: f64,
}

impl Clock {
    /// A block with its clock set forward; none where that stays as it is.
    pub(super) fn set(&self, data: &[u8], context: &Context) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let (mut messages, mut at, mut is_set) = (Messages::<Quake>::new(data, *context), 0, false);
        let mut ahead = self.ahead;
        while let Some(entry) = &messages.next() {
            let bytes = data.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            match &entry.message {
                dem::Message::ServerInfo(_) => ahead = 0.0,
                // Where it is not behind any more, nothing needs to be done.
                dem::Message::Time(it) if ahead > 0.0 && f64::from(it.time.value()) < self.last => {
                    let time = Seconds::new((f64::from(it.time.value()) + ahead) as f32);
                    let set = dem::Message::from(dem::Time { time });
                    write_message(&set, &mut out, messages.context());
                    is_set = true;
                    continue;
                }
                _ => {}
            }
            out.extend_from_slice(bytes);
        }
        out.extend_from_slice(data.get(at..).unwrap_or_default());
        is_set.then_some(out)
    }

    /// By how much the clock of a block is behind, which begins with it; none where it is not.
    pub(super) fn behind(&self, data: &[u8], context: &Context) -> Option<f64> {
        let first = Messages::<Quake>::new(data, *context).next()?;
        let dem::Message::Time(it) = first.message else { return None };
        Some(self.last - f64::from(it.time.value())).filter(|behind| *behind > 0.0)
    }

    /// The clock is behind by this, still: from here on it goes on from where it was.
    pub(super) fn go_on(&mut self, behind: f64) {
        self.ahead += behind + self.step;
    }

    /// A block was written.
    pub(super) fn play(&mut self, data: &[u8], context: &Context) {
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
