//! Repairs one block in rounds, since removing a message can reveal damage after it.

use super::clean::BlockFacts;
use super::connect::Connection;
use super::engines::Origin;
use super::filter::{MessageKind, StopFilter};
use super::{Repair, header};
use moviola_check::PlayedBlock;
use moviola_format::{Block, Context, Game};

/// The greatest number of rounds for a block.
const ROUNDS: usize = 16;

/// A block as it was read.
struct Original<'b> {
    data: &'b [u8],
    around: BlockFacts<'b>,
    kind: MessageKind,
}

/// The results of the rounds. A finding of several rounds is counted once.
struct RoundResults {
    connection: Connection,
    origin: Origin,
    lost: u64,
    put_in: u64,
    frames: u64,
    /// Whether the block has messages of Nehahra or damage, which the first pass cannot distinguish.
    is_strange: bool,
}

impl Repair {
    /// The repaired block; `None` if it needs no repair.
    pub(super) fn mend(&mut self, block: &Block<'_>, mut origin: Origin, may_end: bool) -> Option<Vec<u8>> {
        let start_context = self.pass.context.unwrap_or(Context::quake());
        let [clients, others] = self.kinds;
        let kind = MessageKind { is_clients: clients > others, is_nehahra: self.is_nehahra || !self.writes };
        let around = BlockFacts { context: &start_context, is_truncated: block.is_truncated(), may_end };
        let original = Original { data: block.data, around, kind };
        origin.is_mended = self.framing_fixes.blocks.binary_search(&origin.offset).is_ok();
        let connection = Connection::default();
        let mut found = RoundResults { connection, origin, lost: 0, put_in: 0, frames: 0, is_strange: false };
        self.filter = StopFilter::default();
        let mut mended = self.set_clock(block.data, &start_context);
        for _ in 0..ROUNDS {
            let now = mended.as_deref().unwrap_or(block.data);
            let Some(data) = self.round(now, &original, &mut found) else { break };
            mended = Some(data);
        }
        self.play_written(mended.as_deref().unwrap_or(block.data), &start_context, found);
        mended
    }

    /// The block after one round; `None` if the round changed nothing.
    fn round(&mut self, now: &[u8], original: &Original<'_>, found: &mut RoundResults) -> Option<Vec<u8>> {
        let (around, before) = (&original.around, original.around.context);
        let clean = around.clean(now);
        let mut has_changed = clean.data != now;
        let mut data = clean.data;
        found.origin.is_mended |= has_changed;
        self.pass.ends = clean.ends;
        self.count(clean.stops, u64::from(clean.is_ended));
        found.lost = found.lost.saturating_add(clean.lost);
        if let Some(connected) = self.connect(&data, before, found) {
            (data, has_changed) = (connected, true);
        }
        // The engine has already seen the block, if no round has changed it.
        let is_silent = self.filter.was_without_objection() && !has_changed;
        let filtered =
            if is_silent { None } else { self.filter.filter(&mut self.stops, &data, around, original.kind) };
        let is_silent = is_silent || self.filter.was_without_objection();
        if let Some(filtered) = filtered {
            self.count(filtered.removed, filtered.ended);
            found.lost = found.lost.saturating_add(filtered.lost);
            (data, has_changed, found.origin.is_mended) = (filtered.kept, true, true);
        }
        // In Quake the time that an engine objects to may be judged otherwise when later times are known.
        let is_settled = before.game == Game::Quake2 && !self.filter.depends_on_end();
        self.is_plain &= (is_silent || is_settled) && !has_changed;
        if !self.writes && !is_silent {
            let strict = MessageKind { is_nehahra: false, ..original.kind };
            found.is_strange |= self.filter.filter(&mut self.stops, &data, around, strict).is_some();
            found.origin.is_mended |= found.is_strange;
        }
        let junk = self.required.rejects(&mut self.stops, &data, before, found.origin.is_mended);
        if let Some(filtered) = StopFilter::remove_stops(&data, around, &junk) {
            self.count(filtered.removed, 0);
            (data, has_changed) = (filtered.kept, true);
        }
        if has_changed {
            return Some(data);
        }
        // Frames are compared with the written frames, so everything else is repaired first.
        (before.game == Game::Quake2).then(|| self.mend_quake2(&data, original, found))?
    }

    /// Counts messages at which engines stop, and texts without their NUL.
    fn count(&mut self, stops: u64, strings: u64) {
        self.damage.stops = self.damage.stops.saturating_add(stops);
        self.damage.strings = self.damage.strings.saturating_add(strings);
    }

    /// The block with the stages of the connection that it lacks.
    fn connect(&self, data: &[u8], before: &Context, found: &mut RoundResults) -> Option<Vec<u8>> {
        let lacks_level = found.connection.lacks_level;
        found.connection = self.pass.connection.clone();
        found.connection.lacks_level |= lacks_level;
        let (connected, stages) = found.connection.connect(data, before)?;
        found.put_in = found.put_in.max(stages);
        Some(connected)
    }

    /// Repairs the name of the level's file, and frames whose base is lost.
    fn mend_quake2(
        &mut self,
        data: &[u8],
        original: &Original<'_>,
        found: &mut RoundResults,
    ) -> Option<Vec<u8>> {
        let before = original.around.context;
        if found.origin.is_mended
            && found.connection.lacks_name()
            && let Some(named) = header::named(data, original.data, before)
        {
            return Some(named);
        }
        let (mended, count) = self.frames.mend(data, before)?;
        found.frames = found.frames.max(count);
        Some(mended)
    }

    /// Applies the block in its written form, before the next one is read.
    fn play_written(&mut self, now: &[u8], before: &Context, found: RoundResults) {
        let RoundResults { connection, origin, lost, put_in, frames, is_strange } = found;
        self.damage.bytes = self.damage.bytes.saturating_add(lost);
        self.damage.blocks = self.damage.blocks.saturating_add(u64::from(lost > 0));
        self.damage.stages = self.damage.stages.saturating_add(put_in);
        self.damage.frames = self.damage.frames.saturating_add(frames);
        self.pass.connection = connection;
        let played = self.stops.play(&Block::new(now), before);
        self.played(now, before, &played, origin);
        let mut next = played.after;
        if is_strange {
            self.strange = self.strange.saturating_add(1);
            // A message that may be damage is no evidence of the engine that made the recording.
            next.nehahra = before.nehahra;
        }
        self.pass.context = Some(next);
    }

    /// Handles a block that was checked against the engines.
    pub(super) fn played(&mut self, now: &[u8], before: &Context, played: &PlayedBlock, origin: Origin) {
        self.required.play(played, before, origin);
        self.engines.play(played, before, origin);
        match before.game {
            Game::Quake | Game::QuakeWorld => self.clock.play(now, before),
            Game::Quake2 => self.frames.play(now, before),
        }
    }
}
