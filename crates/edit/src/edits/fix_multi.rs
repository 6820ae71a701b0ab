//! Mends recordings of several levels, between which players stop.
//!
//! It removes what stops players there: a disconnect that is not the end, and blocks without messages; in
//! Quake II also messages that make a client reconnect to the player itself, and pieces of files that no
//! client requested. The levels, and everything else in them, stay as they are.

use crate::machinery::level_change::leaves_level;
use crate::{BlockWriter, EditOutput, Error, Rewrite};
use moviola_format::{Block, Entry, Fault, Game, Piece, Stamp, dem, dm2};

/// The number of removed messages and blocks.
///
/// ```
/// use moviola_edit::{FixMulti, RemovedStops};
/// assert_eq!(FixMulti::default().fixed(), RemovedStops::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedStops {
    /// Messages that stop players.
    pub messages: u64,
    /// Blocks that were empty, or of which nothing was left.
    pub blocks: u64,
}

/// Removes the messages and blocks at which players stop between the levels of a recording.
///
/// ```
/// use moviola_edit::{FixMulti, RemovedStops, rewrite};
/// let recording = [&[1, 0, 0, 0, 6][..], &[0; 4], &[1, 0, 0, 0, 6], &[0xff; 4]].concat();
/// let (mut fix, mut mended) = (FixMulti::default(), Vec::new());
/// rewrite(&recording[..], &mut fix, &mut mended).unwrap();
/// assert_eq!(fix.fixed(), RemovedStops { messages: 0, blocks: 1 });
/// ```
#[derive(Clone, Debug, Default)]
pub struct FixMulti {
    fixed: RemovedStops,
    /// The current block.
    now: PendingBlock,
    /// The block before it, until it is known whether it is the last.
    held: Option<PendingBlock>,
}

/// How a message affects a playback at a change of level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlaybackEffect {
    Plays,
    /// Stops playback anywhere in a recording.
    Stops,
    /// Ends the recording: it is right only in the last block.
    Ends,
}

/// The finished next block, kept back until it is known whether another block follows.
#[derive(Clone, Debug, Default)]
struct PendingBlock {
    angles: [u32; 3],
    /// The messages to write if another block follows: those that stop a playback and the end mark are left
    /// out.
    inside: Vec<u8>,
    /// The messages to write if this is the last block: those of `inside`, and the end mark.
    last: Vec<u8>,
    stops: u64,
    ends: u64,
}

impl PendingBlock {
    fn add(&mut self, effect: PlaybackEffect, bytes: &[u8]) {
        match effect {
            PlaybackEffect::Plays => self.inside.extend_from_slice(bytes),
            PlaybackEffect::Stops => self.stops += 1,
            PlaybackEffect::Ends => self.ends += 1,
        }
        if effect != PlaybackEffect::Stops {
            self.last.extend_from_slice(bytes);
        }
    }

    fn write(&self, is_last: bool, fixed: &mut RemovedStops, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let data = if is_last { &self.last } else { &self.inside };
        fixed.messages += self.stops + if is_last { 0 } else { self.ends };
        if data.is_empty() {
            fixed.blocks += 1;
            return Ok(());
        }
        let block = Block { angles: self.angles, ..Block::new(data) };
        if self.stops == 0 && (is_last || self.ends == 0) { out.same(&block) } else { out.changed(&block) }
    }
}

impl FixMulti {
    /// The counts of removed messages and blocks so far.
    pub fn fixed(&self) -> RemovedStops {
        self.fixed
    }

    fn release(&mut self, is_last: bool, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.held.take().map_or(Ok(()), |held| held.write(is_last, &mut self.fixed, out))
    }
}

impl Rewrite for FixMulti {
    /// In a recording of QuakeWorld only an early end is to be mended, which the driver moves.
    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn moves_end(&self) -> bool {
        true
    }

    /// An MVD2 has nothing to mend either.
    fn knows_mvd2(&self) -> bool {
        true
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.release(true, out)?;
        out.piece(piece)
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let effect = match &entry.message {
            dem::Message::Disconnect(_) => PlaybackEffect::Ends,
            _ => PlaybackEffect::Plays,
        };
        self.now.add(effect, writer.bytes());
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let effect = match &entry.message {
            dm2::Message::StuffText(it) if leaves_level(it.string) => PlaybackEffect::Stops,
            dm2::Message::Reconnect(_) | dm2::Message::Download(_) => PlaybackEffect::Stops,
            dm2::Message::Disconnect(_) => PlaybackEffect::Ends,
            _ => PlaybackEffect::Plays,
        };
        self.now.add(effect, writer.bytes());
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        self.now.add(PlaybackEffect::Plays, writer.bytes());
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if writer.context().game == Game::QuakeWorld || writer.block().stamp == Stamp::Mvd2 {
            return writer.write(out);
        }
        let now = PendingBlock { angles: writer.block().angles, ..std::mem::take(&mut self.now) };
        if writer.block().is_truncated() || writer.block().is_from_client() {
            self.release(false, out)?;
            return out.same(writer.block());
        }
        if writer.block().data.is_empty() {
            self.fixed.blocks += 1;
            return Ok(());
        }
        self.release(false, out)?;
        self.held = Some(now);
        Ok(())
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.release(true, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::recordings_of_blocks::{quake, quake2};
    use crate::rewrite;

    fn fix(file: &[u8]) -> (Vec<u8>, RemovedStops) {
        let mut out = Vec::new();
        let mut fix = FixMulti::default();
        rewrite(file, &mut fix, &mut out).unwrap();
        (out, fix.fixed)
    }

    #[test]
    fn quake_goes_through_the_change_of_level() {
        let file = quake(&[b"\x01\x09reconnect\n\0", b"\x02", b"", b"\x01", b"\x01\x02"]);
        let (out, fixed) = fix(&file);
        assert_eq!(out, quake(&[b"\x01\x09reconnect\n\0", b"\x01", b"\x01\x02"]));
        assert_eq!(fixed, RemovedStops { messages: 1, blocks: 2 });
    }

    #[test]
    fn quake2_goes_through_the_change_of_level() {
        let file = quake2(&[
            b"\x06\x0bchanging\n\0",
            b"\x08",
            b"",
            b"\x06\x0breconnect\n\0\x06",
            b"\x10\x02\0\x32ab",
            b"\x0bbf\n\0",
        ]);
        let (out, fixed) = fix(&file);
        assert_eq!(out, quake2(&[b"\x06", b"\x06\x06", b"\x0bbf\n\0"]));
        assert_eq!(fixed, RemovedStops { messages: 4, blocks: 3 });
    }

    #[test]
    fn files_without_early_stops_stay_the_same() {
        for file in [
            quake(&[b"\x01", b"\x01\x02"]),
            quake2(&[b"\x06", b"\x07"]),
            b"no recording".to_vec(),
            Vec::new(),
        ] {
            assert_eq!(fix(&file), (file, RemovedStops::default()));
        }
    }

    #[test]
    fn a_second_time_changes_nothing() {
        let (once, _) = fix(&quake2(&[b"\x06\x07", b"", b"\x06", b"\x3c?", b"\x06"]));
        assert_eq!(fix(&once), (once, RemovedStops::default()));
    }
}
