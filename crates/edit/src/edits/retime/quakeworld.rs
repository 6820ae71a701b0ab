//! `QuakeWorld`: the times in the heads of blocks are encoded again, those of a QWD's records too.

use crate::{BlockWriter, EditOutput, Error};
use moviola_format::{Audience, Stamp};

/// Computes the new times of a recording.
#[derive(Clone)]
pub(super) struct Timer {
    speed: f64,
    /// The last time, and whether it was in a span.
    before: Option<(f64, bool)>,
    /// The seconds by which the current time is later than it was.
    shift: f64,
    /// The milliseconds of an MVD that were written so far.
    written: u64,
    /// The length of the spans before and after the edit.
    taken: (f64, f64),
}

impl Timer {
    pub(super) fn new(speed: f64) -> Self {
        Self { speed, before: None, shift: 0.0, written: 0, taken: (0.0, 0.0) }
    }

    pub(super) fn block(
        &mut self,
        writer: &mut BlockWriter<'_>,
        is_inside: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let Some(now) = writer.place().time else { return writer.write(out) };
        if let Some((then, true)) = self.before.filter(|_| is_inside)
            && now > then
        {
            let (was, is) = (now - then, (now - then) / self.speed);
            self.shift += is - was;
            self.taken = (self.taken.0 + was, self.taken.1 + is);
        }
        self.before = Some((now, is_inside));
        if !writer.block().stamp.is_mvd() {
            if let (Some(time), true) = (writer.block().clock().0, self.shift != 0.0) {
                writer.set_time((f64::from(time) + self.shift) as f32);
            }
            return writer.write(out);
        }
        let wanted = ((now + self.shift) * 1000.0).round().max(0.0) as u64;
        let mut step = wanted.saturating_sub(self.written);
        self.written = self.written.max(wanted);
        // The time field of a block is one byte, so empty blocks carry the rest of a longer time.
        while step > u64::from(u8::MAX) {
            let stamp = Stamp::Mvd { msec: u8::MAX, kind: Audience::All.kind(0), players: 0 };
            out.stamped(stamp, &[])?;
            step = step.saturating_sub(u8::MAX.into());
        }
        writer.set_step(step as u8);
        writer.write(out)
    }

    /// The length of the spans in seconds, before and after the edit.
    pub(super) fn taken(&self) -> (f64, f64) {
        self.taken
    }
}
