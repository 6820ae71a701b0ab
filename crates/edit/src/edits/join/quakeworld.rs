//! `QuakeWorld`: each recording begins with its own `serverdata`, which takes a client to another level. A QWD's packets
//! are counted anew, and its clock goes on from the recording before.

use crate::machinery::bridge::quakeworld::numbers;
use crate::{BlockWriter, EditOutput, Error};
use moviola_format::{Format, Stamp};

/// The state that is kept from one recording to the next.
#[derive(Default)]
pub(super) struct Seam {
    format: Option<Format>,
    /// The seconds by which a QWD is later than it was, and its last time.
    shift: f32,
    last_time: Option<f32>,
}

/// The time between the last block of a recording and the first of the next.
const SEAM_SECONDS: f32 = 0.1;

impl Seam {
    /// Notes that another recording begins. Returns its container's name if that is not the first
    /// recording's.
    pub(super) fn turn(&mut self, format: Format) -> Option<&'static str> {
        let first = *self.format.get_or_insert(format);
        let is_mismatch = matches!((first, format), (Format::Qwd, Format::Mvd) | (Format::Mvd, Format::Qwd));
        is_mismatch.then(|| format.name())
    }

    pub(super) fn block(
        &mut self,
        is_new: bool,
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        let Some(now) = block.clock().0 else {
            // An MVD, whose blocks have the time since the one before.
            return writer.write(out);
        };
        if is_new {
            self.shift = self.last_time.map_or(0.0, |last| last + SEAM_SECONDS - now);
            // Written before the first packet, which clients would otherwise drop as outdated.
            out.stamped(Stamp::Record { mvd: false }, &numbers(now + self.shift, 1, 0))?;
        }
        let time = now + self.shift;
        self.last_time = Some(self.last_time.map_or(time, |last| last.max(time)));
        if self.shift != 0.0 {
            writer.set_time(time);
        }
        writer.write(out)
    }
}
