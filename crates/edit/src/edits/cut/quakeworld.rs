//! `QuakeWorld`: the beginning of a level as it was recorded, then parts of it, each after a whole moment.
//!
//! In an MVD a moment is the players with their stats, and one list of all entities, on which the changes that follow
//! build. In a QWD changes build on packets by their numbers, so each list of changes since a packet that was left out
//! is written as a whole one.

use crate::machinery::bridge::{Blocks, quakeworld as bridge};
use crate::machinery::level_change::leaves_level;
use crate::{BlockWriter, EditOutput, Error};
use moviola_format::names::quakeworld::WHOLE_INFO;
use moviola_format::{Audience, Block, Context, Entry, Stamp, client, hidden, qw};
use moviola_state::Playhead;
use moviola_state::quakeworld::World;

/// Cuts a recording of `QuakeWorld`.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each says another thing of what was read or written")]
pub(super) struct Cutter {
    /// The state after the current block, and before it.
    head: Playhead<World>,
    before: Playhead<World>,
    /// The blocks with which the level begins.
    beginning: Vec<(Stamp, Vec<u8>)>,
    size: usize,
    /// Whether the level is still beginning, whether any block of that is kept, and whether it was written.
    is_beginning: bool,
    /// Whether a level was announced: the blocks before the first announcement belong to that level.
    is_announced: bool,
    any: bool,
    is_begun: bool,
    /// Whether all blocks since the beginning were kept.
    is_whole: bool,
    /// Whether the last block was kept.
    goes_on: bool,
    /// The audience of the last block that names one.
    audience: (u8, u32),
    /// The number of the next packet to the server.
    outgoing: Option<i32>,
    /// The numbers of the part's first packet and of the last packet that was written.
    first: u32,
    last_packet: u32,
    /// The seconds of a QWD that were left out so far, and the time of the last block that was written.
    omitted_seconds: f32,
    time: Option<f32>,
    /// Blocks with KTX's statistics of the match. They are kept even outside of the parts.
    statistics: Vec<(Stamp, Vec<u8>)>,
    /// The number of these blocks that are of earlier levels.
    earlier_statistics: usize,
    has_statistics: bool,
    is_mvd: bool,
}

/// A limit on the bytes of a level's beginning, which no level reaches.
const MAX_BEGINNING: usize = 1 << 22;

/// The time between the last block before a gap and the first one after it.
const GAP_SECONDS: f32 = 0.05;

impl Default for Cutter {
    fn default() -> Self {
        Self {
            head: Playhead::new(),
            before: Playhead::new(),
            beginning: Vec::new(),
            size: 0,
            is_beginning: true,
            is_announced: false,
            any: false,
            is_begun: false,
            is_whole: false,
            goes_on: false,
            audience: (Audience::All.kind(0), 0),
            outgoing: None,
            first: 0,
            last_packet: 0,
            omitted_seconds: 0.0,
            time: None,
            statistics: Vec::new(),
            earlier_statistics: 0,
            has_statistics: false,
            is_mvd: false,
        }
    }
}

impl Cutter {
    /// Begins a block.
    pub(super) fn begin(&mut self, block: &Block<'_>) {
        self.before.clone_from(&self.head);
        self.head.step(block);
        self.has_statistics = false;
        self.is_mvd = block.stamp.is_mvd();
        if let Stamp::Mvd { kind, players, .. } = block.stamp
            && Audience::of(kind) != Some(Audience::Same)
        {
            self.audience = (kind, players);
        }
    }

    /// Takes a message of the server; returns false if it is dropped.
    pub(super) fn message(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) -> bool {
        match &entry.message {
            qw::Message::ServerData(_) if std::mem::replace(&mut self.is_announced, true) => {
                self.end_level();
                (self.is_beginning, self.is_begun, self.any, self.goes_on) = (true, false, false, false);
                self.beginning.clear();
                self.size = 0;
            }
            // The edited recording gets its own end.
            qw::Message::Disconnect(_) => return false,
            qw::Message::Connless(it) if it.packet.ends() => return false,
            // `ezQuake` runs commands at the end of a picture. If the recording ended in the same one, they find no
            // connection, and the playback ends with an error; a level's beginning does not need them.
            qw::Message::StuffText(it) if leaves_level(it.string) => return false,
            qw::Message::DeltaPacketEntities(it)
                if !self.is_mvd && !self.is_known(it.frame, writer.block()) =>
            {
                writer.put_bytes(&bridge::entities(&self.head.world, writer.context()));
                return false;
            }
            _ => {}
        }
        true
    }

    /// Whether changes since the packet with this low byte can be understood.
    fn is_known(&self, low: u8, block: &Block<'_>) -> bool {
        let Some(number) = number(block.stamp) else { return true };
        // A list that could not be understood before cannot be made whole.
        if self.head.world.entities.is_stale() || self.is_whole {
            return true;
        }
        let behind = u32::from((number as u8).wrapping_sub(low));
        self.goes_on && number.checked_sub(behind).is_some_and(|base| base >= self.first)
    }

    /// The level is over. If nothing of it was kept, its statistics are not needed.
    fn end_level(&mut self) {
        if !self.is_begun && !self.any {
            self.statistics.truncate(self.earlier_statistics);
        }
        self.earlier_statistics = self.statistics.len();
    }

    /// Whether blocks behind the last part are read too: the statistics of a match come at its end.
    pub(super) fn reads_on(&self) -> bool {
        self.is_mvd && self.is_begun && !self.is_beginning
    }

    /// Handles a hidden message.
    pub(super) fn hidden(&mut self, message: &hidden::Message<'_>) {
        self.has_statistics |= matches!(message, hidden::Message::DemoInfo(_));
    }

    /// Handles a record.
    pub(super) fn record(&mut self, message: &client::Message<'_>) {
        match message {
            client::Message::SetSequence(it) => self.outgoing = Some(it.seq1),
            client::Message::Command(_) => self.outgoing = self.outgoing.map(|it| it.saturating_add(1)),
        }
    }

    /// Finishes a block.
    pub(super) fn block(
        &mut self,
        writer: &mut BlockWriter<'_>,
        is_kept: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<bool, Error> {
        let block = *writer.block();
        if self.is_beginning {
            self.any |= is_kept;
            if !matches!(block.stamp, Stamp::Record { .. }) && !writer.written().is_empty() {
                self.size = self.size.saturating_add(writer.written().len());
                self.beginning.push((self.resolved(block.stamp), writer.written().to_vec()));
            }
            if self.is_ready() || self.size > MAX_BEGINNING {
                (self.is_beginning, self.is_whole) = (false, true);
            }
            return Ok(false);
        }
        if !is_kept {
            if self.has_statistics {
                self.statistics.push((self.resolved(block.stamp), block.data.to_vec()));
            }
            (self.goes_on, self.is_whole) = (false, false);
            return Ok(false);
        }
        if !self.goes_on {
            self.resume(&block, out)?;
        }
        self.goes_on = true;
        self.shift(writer);
        self.last_packet = number(block.stamp).unwrap_or(self.last_packet);
        writer.write(out)?;
        Ok(false)
    }

    /// Whether the level's beginning is over: its last message makes the client ask to begin.
    fn is_ready(&self) -> bool {
        use moviola_state::quakeworld::Happening;
        let skins = |it: &Happening| matches!(it, Happening::Command { text, .. } if text.bytes().starts_with(b"skins"));
        self.head.world.moment.iter().any(skins) || !self.head.world.entities.all().is_empty()
    }

    /// The head of the block with its audience written out, and with a time step of 0.
    fn resolved(&self, stamp: Stamp) -> Stamp {
        match stamp {
            Stamp::Mvd { .. } => Stamp::Mvd { msec: 0, kind: self.audience.0, players: self.audience.1 },
            stamp => stamp,
        }
    }

    /// Begins a part: writes the beginning of its level, unless that was written already, and the moment before the
    /// part.
    fn resume(&mut self, block: &Block<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let now = block.clock().0.unwrap_or_default();
        if !self.is_whole || self.is_begun {
            self.omitted_seconds = self.time.map_or(0.0, |time| now - time - GAP_SECONDS);
        } else if let Some(time) = self
            .time
            .filter(|time| now - self.omitted_seconds < *time || now - self.omitted_seconds > time + 60.0)
        {
            self.omitted_seconds = now - time - GAP_SECONDS;
        }
        if !self.is_begun {
            self.start(
                out,
                (!self.is_whole || self.omitted_seconds != 0.0).then_some(now - self.omitted_seconds),
            )?;
            self.count(block, now - self.omitted_seconds, out)?;
        }
        self.first = number(block.stamp).unwrap_or(self.last_packet);
        if self.is_whole {
            return Ok(());
        }
        if self.is_mvd { self.moment(out) } else { self.packets(block, now - self.omitted_seconds, out) }
    }

    /// Lets the client of a QWD count right after a later level's beginning, which is written without its commands.
    fn count(&self, block: &Block<'_>, time: f32, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let Some(outgoing) = self.outgoing.filter(|_| self.is_whole && !self.is_mvd) else { return Ok(()) };
        let is_set = block.data.get(4) == Some(&client::SetSequence::OP);
        if matches!(block.stamp, Stamp::Record { .. }) && is_set {
            return Ok(());
        }
        // The command in this block was counted already.
        let own = i32::from(matches!(block.stamp, Stamp::Record { .. }));
        let record = bridge::numbers(time, outgoing.saturating_sub(own), self.last_packet);
        out.stamped(Stamp::Record { mvd: false }, &record)
    }

    /// Writes the blocks with which the level begins, all with the same time.
    fn start(&mut self, out: &mut EditOutput<'_>, at: Option<f32>) -> Result<(), Error> {
        self.is_begun = true;
        for (stamp, mut data) in std::mem::take(&mut self.beginning) {
            if !self.is_whole {
                self.renew_info(&mut data);
            }
            let stamp = match (stamp, at) {
                (Stamp::Qwd { numbers, .. }, Some(at)) => Stamp::Qwd { time: at.to_bits(), numbers },
                (stamp, _) => stamp,
            };
            self.last_packet = number(stamp).unwrap_or(self.last_packet);
            out.stamped(stamp, &data)?;
        }
        Ok(())
    }

    /// Puts the server's info of the moment into the beginning of the level: clients take the clock of a match from the
    /// first one.
    fn renew_info(&self, data: &mut Vec<u8>) {
        let world = &self.before.world;
        let head = [&[qw::StuffText::SCHEMA.op][..], WHOLE_INFO].concat();
        let Some(from) = data.windows(head.len()).position(|bytes| bytes == head) else { return };
        let rest = data.get(from..).unwrap_or_default();
        let Some(size) = rest.iter().position(|byte| *byte == 0).filter(|_| !world.info.is_empty()) else {
            return;
        };
        let mut message = Vec::new();
        bridge::whole_info(world, &self.before.context, &mut message);
        data.splice(from..from.saturating_add(size).saturating_add(1), message);
    }

    /// Writes the moment before a part of an MVD.
    fn moment(&self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let (world, context) = (&self.before.world, self.before.context);
        let stamp = |audience: Audience, slot| Stamp::Mvd { msec: 0, kind: audience.kind(slot), players: 0 };
        let all = stamp(Audience::All, 0);
        let mut blocks = Blocks::new(context, bridge::LONGEST);
        bridge::common(world, &mut blocks);
        blocks.end_block();
        blocks.put_bytes(&bridge::entities(world, &context));
        blocks.end_block();
        bridge::bodies(world, &mut blocks);
        blocks.finish().iter().try_for_each(|messages| out.stamped(all, messages))?;
        for (slot, player) in (0..=u8::MAX).zip(world.players.iter()) {
            if player.is_here() && !player.is_spectator() {
                let mut blocks = Blocks::new(context, bridge::LONGEST);
                bridge::stats(world, slot, &mut blocks);
                let head = stamp(Audience::Stats, slot);
                blocks.finish().iter().try_for_each(|messages| out.stamped(head, messages))?;
            }
        }
        Ok(())
    }

    /// Writes packets that bring a client to the state before the first packet of a part of a QWD.
    fn packets(&mut self, block: &Block<'_>, time: f32, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let (world, context): (&World, Context) = (&self.before.world, self.before.context);
        let mut blocks = Blocks::new(context, bridge::LONGEST_PACKET);
        bridge::common(world, &mut blocks);
        if let Some((slot, _)) = world.recorder {
            bridge::stats(world, slot, &mut blocks);
        }
        let packets = blocks.finish();
        let (next, ack) = match block.stamp {
            Stamp::Qwd { numbers: Some([number, ack]), .. } => {
                (number & !bridge::RELIABLE, ack & !bridge::RELIABLE)
            }
            // A command of the player, before the player's next packet.
            _ => (self.last_read(), self.last_read()),
        };
        // The packets that were left out have freed these numbers below that of the next packet.
        let room = next.saturating_sub(self.last_packet).saturating_sub(1);
        let count = u32::try_from(packets.len()).unwrap_or(u32::MAX);
        let packets = if count <= room { packets } else { vec![packets.concat()] };
        let count = u32::try_from(packets.len()).unwrap_or(u32::MAX);
        let from = next.saturating_sub(count).max(1);
        let outgoing = self.outgoing.unwrap_or(ack.saturating_add(1) as i32);
        let record = bridge::numbers(time, outgoing, from.saturating_sub(1));
        out.stamped(Stamp::Record { mvd: false }, &record)?;
        for (number, messages) in (from..).zip(&packets) {
            out.stamped(Stamp::Qwd { time: time.to_bits(), numbers: Some([number, ack]) }, messages)?;
            self.last_packet = number;
        }
        Ok(())
    }

    /// The number that follows that of the last packet that was read.
    fn last_read(&self) -> u32 {
        self.before.world.packet().unwrap_or(self.last_packet).saturating_add(1)
    }

    /// Sets the time of a QWD's block back by the time that was left out.
    fn shift(&mut self, writer: &mut BlockWriter<'_>) {
        let Some(now) = writer.block().clock().0 else { return };
        let time = now - self.omitted_seconds;
        self.time = Some(time);
        if self.omitted_seconds == 0.0 {
            return;
        }
        writer.set_time(time);
    }

    pub(super) fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.any && !self.is_begun {
            self.start(out, None)?;
        }
        if out.blocks() == 0 {
            return Ok(());
        }
        self.end_level();
        for (stamp, data) in std::mem::take(&mut self.statistics) {
            out.stamped(stamp, &data)?;
        }
        let (stamp, data) = bridge::last_block(self.is_mvd, self.time.unwrap_or_default().to_bits());
        out.stamped(stamp, &data)
    }
}

/// The number of a packet.
fn number(stamp: Stamp) -> Option<u32> {
    match stamp {
        Stamp::Qwd { numbers: Some([number, _]), .. } => Some(number & !bridge::RELIABLE),
        _ => None,
    }
}
