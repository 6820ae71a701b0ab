//! `QuakeWorld`: removes the messages of a block at which clients stop, and writes a list of entities in full if the
//! packet on which it builds is lost: `ezQuake` would show the entities at old places until the next full list.

use super::RepairedDamage;
use crate::machinery::block_writer::is_open;
use crate::machinery::bridge::quakeworld as bridge;
use crate::{EditOutput, Error};
use moviola_check::{CheckCode, Engine, EngineReaction, HeldPackets, StopJudge};
use moviola_format::names::{quakeworld, value_name};
use moviola_format::qw::Message;
use moviola_format::{
    Block, ClientRecords, Context, Entry, Game, Hidden, QuakeWorld, Stamp, Str, Table, client, qw,
    write_message,
};
use moviola_state::World as _;
use moviola_state::quakeworld::World;

/// The engine for which recordings of QuakeWorld are mended: it was tried on odd ones.
const ENGINE: &str = "ezquake";

/// If at least this many lists build on missing packets, the recording is damaged. Fewer can be normal loss of packets.
const MANY: u64 = 8;

/// The command with which a client begins to play.
const SKINS: &[u8] = b"skins\n\0"; // not from SCHEMA: a command of the console

/// The state of a recording of `QuakeWorld` as it is written.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each says another thing of what was read")]
pub(super) struct Mender {
    world: World,
    context: Context,
    held: HeldPackets,
    stops: StopJudge,
    /// The number of the last packet whose list the world has.
    listed: Option<u32>,
    /// Whether any damage was found so far, or is known from a first pass.
    is_hurt: bool,
    /// The lists that build on packets which are not there.
    baseless: u64,
    /// The numbers of the client's next packet and of the server's last one, to be set before the block: lost commands
    /// made the client count wrong.
    count: Option<(u32, u32)>,
    is_mvd: bool,
    /// The number of the last packet, and the last time with the seconds by which it is later than it was: another
    /// recording may follow in the file.
    last_number: Option<u32>,
    last_time: Option<f32>,
    shift: f32,
    /// The lists of the level: whether the last part of the models was read, and whether the client was asked to begin.
    has_models: bool,
    begins_level: bool,
    /// The end of the recording was read.
    pub(super) ends: bool,
    time: u32,
}

impl Default for Mender {
    fn default() -> Self {
        Self {
            world: World::new(),
            context: Context::quakeworld(),
            held: HeldPackets::default(),
            stops: StopJudge::new(Game::QuakeWorld),
            listed: None,
            is_hurt: false,
            baseless: 0,
            count: None,
            is_mvd: false,
            last_number: None,
            last_time: None,
            shift: 0.0,
            has_models: false,
            begins_level: false,
            ends: false,
            time: 0,
        }
    }
}

/// The packet with which a server accepts a client.
const GREETING: &[u8] = b"\xff\xff\xff\xffj";

/// The time between the last block of a recording and the first of the next one in the file.
const SEAM_SECONDS: f32 = 0.1;

/// A block that is being repaired.
struct MendedBlock {
    data: Vec<u8>,
    is_changed: bool,
}

impl MendedBlock {
    fn keep(&mut self, bytes: &[u8]) {
        self.data.extend_from_slice(bytes);
    }
}

impl Mender {
    /// A mender for a second pass, when it is known whether the recording is damaged at all.
    pub(super) fn second_pass(is_hurt: bool) -> Self {
        Self { is_hurt, ..Self::default() }
    }

    /// Whether anything read so far is damaged, or many packets are missing. A client drops one now and then.
    pub(super) fn is_hurt(&self) -> bool {
        self.is_hurt || self.baseless >= MANY
    }

    /// Whether a level was announced, with its models.
    pub(super) fn lacks_level(&self) -> bool {
        self.world.level.map().is_empty()
    }

    /// The repaired block; `None` if it needs no repair. `may_end` says whether it may be the last one.
    pub(super) fn mend(
        &mut self,
        block: &Block<'_>,
        may_end: bool,
        damage: &mut RepairedDamage,
    ) -> Option<Vec<u8>> {
        self.is_mvd = block.stamp.is_mvd();
        self.connect(block, damage);
        self.world.begin_block(block);
        let mended = match block.table(Game::QuakeWorld) {
            Table::Client => {
                self.record(block);
                return None;
            }
            Table::Hidden => self.hidden(block, damage),
            _ => {
                self.ends &= block.data.is_empty();
                self.messages(block, may_end, damage)
            }
        };
        if let Stamp::Qwd { time, .. } = block.stamp {
            self.time = (f32::from_bits(time) + self.shift).to_bits();
        }
        self.world.end_block();
        let written = if mended.is_changed { &mended.data } else { block.data };
        self.context =
            self.stops.play(&Block { stamp: block.stamp, ..Block::new(written) }, &self.context).after;
        self.is_hurt |= mended.is_changed;
        mended.is_changed.then_some(mended.data)
    }

    /// Lets the clock and the numbers of another recording in the file go on from those of the recording before it:
    /// clients drop packets whose numbers are not above the last one.
    fn connect(&mut self, block: &Block<'_>, damage: &mut RepairedDamage) {
        let Some(now) = block.clock().0 else { return };
        let greets = block.data.starts_with(GREETING);
        let is_level = matches!(block.stamp, Stamp::Qwd { numbers: Some(_), .. })
            && block.data.first() == Some(&qw::ServerData::OP);
        if let Some(last) = self.last_time
            && (greets || is_level)
            && now + self.shift < last
        {
            self.shift = last + SEAM_SECONDS - now;
            damage.clocks = damage.clocks.saturating_add(1);
        }
        self.last_time = Some(self.last_time.map_or(now, |last| last.max(now + self.shift)));
        if greets {
            // Clients count anew by themselves.
            self.last_number = None;
        }
        let Some(number) = packet_number(block.stamp) else { return };
        if is_level && self.last_number.is_some_and(|last| number <= last) {
            let last = number.saturating_sub(1);
            self.count = Some((number, last));
            self.held.set(number.try_into().unwrap_or(i32::MAX), last.try_into().unwrap_or(i32::MAX));
            self.last_number = None;
            damage.stages = damage.stages.saturating_add(1);
        }
        self.last_number = self.last_number.max(Some(number));
    }

    /// The time of a QWD's block on the clock of the recording that is written; `None` if it stays.
    pub(super) fn moved(&self, block: &Block<'_>) -> Option<f32> {
        block.clock().0.filter(|_| self.shift != 0.0).map(|now| now + self.shift)
    }

    fn record(&mut self, block: &Block<'_>) {
        for entry in block.messages::<ClientRecords>(self.context) {
            match entry.message {
                client::Message::Command(_) => self.held.command(),
                client::Message::SetSequence(it) => {
                    self.last_number = u32::try_from(it.seq2).ok();
                    self.held.set(it.seq1, it.seq2);
                }
            }
        }
    }

    fn hidden(&self, block: &Block<'_>, damage: &mut RepairedDamage) -> MendedBlock {
        let mut messages = block.messages::<Hidden>(self.context);
        messages.by_ref().for_each(drop);
        let lost = messages.rest().len();
        count_lost(lost, damage);
        let kept = block.data.len().saturating_sub(lost);
        MendedBlock { data: block.data.get(..kept).unwrap_or_default().to_vec(), is_changed: lost > 0 }
    }

    /// The messages of a block without those at which the engine stops.
    fn messages(&mut self, block: &Block<'_>, may_end: bool, damage: &mut RepairedDamage) -> MendedBlock {
        let packet = packet_number(block.stamp);
        if let Some(number) = packet {
            self.held.take_packet(number);
        }
        let damaged = self.damaged(block);
        let mut out = MendedBlock { data: Vec::new(), is_changed: false };
        let mut messages = block.messages::<QuakeWorld>(self.context);
        let (mut at, mut last) = (0, None);
        loop {
            let start_context = *messages.context();
            let Some(entry) = messages.next() else { break };
            let bytes = block.data.get(at..messages.pos()).unwrap_or_default();
            if self.is_no_level(&entry.message) {
                count_lost(block.data.len().saturating_sub(at), damage);
                out.is_changed = true;
                return out;
            }
            let is_damaged = damaged.contains(&at);
            at = messages.pos();
            last = None;
            if is_damaged {
                damage.stops = damage.stops.saturating_add(1);
                out.is_changed = true;
                continue;
            }
            let from = out.data.len();
            self.message(&entry, bytes, packet, may_end, messages.context(), &mut out, damage);
            // The text of a packet without a connection ends with the packet, without a NUL.
            let is_text = !matches!(entry.message, Message::Connless(_));
            last = (is_text && out.data.len() > from).then_some((from, start_context));
        }
        let unread = messages.rest().len();
        if unread > 0 {
            out.is_changed = true;
            count_lost(unread, damage);
        } else if let Some((from, context)) = last
            && is_open(out.data.get(from..).unwrap_or_default(), context)
        {
            out.data.push(0);
            out.is_changed = true;
            damage.strings = damage.strings.saturating_add(1);
        }
        out
    }

    /// Whether a message announces a level with a protocol that does not exist: then it is damage that looks like an
    /// announcement.
    fn is_no_level(&self, message: &Message<'_>) -> bool {
        let is_known = |number: i32| value_name(quakeworld::PROTOCOL, number.into()).is_some();
        matches!(message, Message::ServerData(it) if self.world.level.protocol != 0 && !is_known(it.flags.0))
    }

    /// The offsets of messages in the block that can only be damage.
    fn damaged(&mut self, block: &Block<'_>) -> Vec<usize> {
        let Some(engine) = Engine::find(ENGINE) else { return Vec::new() };
        let played = self.stops.look(&Block { stamp: block.stamp, ..Block::new(block.data) }, &self.context);
        let problems = played.problems(engine).iter();
        let is_damage = |code: CheckCode| code.is_always_damage() && code != CheckCode::UnterminatedString;
        problems
            .filter(|it| it.effect == EngineReaction::Breaks && is_damage(it.code))
            .map(|it| it.at)
            .collect()
    }

    #[expect(clippy::too_many_arguments, reason = "a message with all that surrounds it")]
    fn message(
        &mut self,
        entry: &Entry<Message<'_>>,
        bytes: &[u8],
        packet: Option<u32>,
        may_end: bool,
        context: &Context,
        out: &mut MendedBlock,
        damage: &mut RepairedDamage,
    ) {
        let is_end = match &entry.message {
            Message::Disconnect(_) => true,
            Message::Connless(it) => it.packet.ends(),
            _ => false,
        };
        if is_end && !may_end {
            damage.stops = damage.stops.saturating_add(1);
            out.is_changed = true;
            return;
        }
        self.ends |= is_end;
        match &entry.message {
            Message::ServerData(_) => {
                (self.has_models, self.begins_level, self.listed) = (false, false, None);
                self.held.forget();
            }
            Message::ModelList(it) => self.has_models = it.list.next.unwrap_or_default() == 0,
            Message::ModelListShort(it) => self.has_models = it.list.next.unwrap_or_default() == 0,
            Message::StuffText(it) => self.begins_level |= it.string.bytes().starts_with(b"skins"),
            Message::PlayerInfo(_) => self.begin(context, out, damage),
            Message::PacketEntities(_) => {
                self.begin(context, out, damage);
                if let Some(number) = packet {
                    self.held.take(number, None);
                    self.listed = Some(number);
                }
            }
            Message::DeltaPacketEntities(it) => {
                self.begin(context, out, damage);
                if let Some(number) = packet {
                    return self.changes(entry, it, bytes, number, context, out, damage);
                }
            }
            _ => {}
        }
        self.world.apply(entry);
        out.keep(bytes);
    }

    /// A list of changes in a QWD. Where the client does not have the list on which it builds, all entities are written.
    #[expect(clippy::too_many_arguments, reason = "a message with all that surrounds it")]
    fn changes(
        &mut self,
        entry: &Entry<Message<'_>>,
        packet: &qw::DeltaPacketEntities<'_>,
        bytes: &[u8],
        number: u32,
        context: &Context,
        out: &mut MendedBlock,
        damage: &mut RepairedDamage,
    ) {
        let is_held = self.held.knows(number, packet.frame);
        self.world.apply(entry);
        let is_stale = self.world.entities.is_stale();
        self.baseless = self.baseless.saturating_add(u64::from(is_stale));
        if is_held || (is_stale && !self.is_hurt) {
            self.held.take(number, Some(packet.frame));
            self.listed = if is_stale { self.listed } else { Some(number) };
            return out.keep(bytes);
        }
        if is_stale && let Some(last) = self.listed {
            // The list on which it builds is lost; the last list is the most similar.
            let message = Message::from(qw::DeltaPacketEntities { frame: last as u8, ..*packet });
            self.world.apply(&Entry { at: entry.at, unicast: entry.unicast, message });
        }
        self.listed = Some(number);
        self.count = self.held.next_by(number, packet.frame).zip(number.checked_sub(1));
        if let Some((next, last)) = self.count {
            self.held.set(next.try_into().unwrap_or(i32::MAX), last.try_into().unwrap_or(i32::MAX));
            self.held.take_packet(number);
        }
        self.held.take(number, None);
        out.keep(&bridge::entities(&self.world, context));
        out.is_changed = true;
        damage.frames = damage.frames.saturating_add(1);
    }

    /// Adds the messages that a client needs to begin to play, before the first players and entities of a level.
    fn begin(&mut self, context: &Context, out: &mut MendedBlock, damage: &mut RepairedDamage) {
        if std::mem::replace(&mut self.begins_level, true) || !self.is_hurt || self.world.level.protocol == 0
        {
            return;
        }
        if !std::mem::replace(&mut self.has_models, true) {
            // A part without names, which marks the end of the list.
            out.data.extend([qw::ModelList::SCHEMA.op, 0, 0, 0]);
            damage.stages = damage.stages.saturating_add(1);
        }
        write_message(&Message::from(qw::StuffText { string: Str::new(SKINS) }), &mut out.data, context);
        out.is_changed = true;
        damage.stages = damage.stages.saturating_add(1);
    }

    /// The record that corrects the client's count of packets from the next block on, if the count is wrong.
    pub(super) fn take_count(&mut self) -> Option<(Stamp, Vec<u8>)> {
        let (next, last) = self.count.take()?;
        let next = i32::try_from(next).ok()?;
        let record = bridge::numbers(f32::from_bits(self.time), next, last);
        Some((Stamp::Record { mvd: false }, record))
    }

    /// The block that ends a recording.
    pub(super) fn end(&self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let (stamp, data) = bridge::last_block(self.is_mvd, self.time);
        out.stamped(stamp, &data)
    }
}

/// The number of a packet.
fn packet_number(stamp: Stamp) -> Option<u32> {
    match stamp {
        Stamp::Qwd { numbers: Some([number, _]), .. } => Some(number & !bridge::RELIABLE),
        _ => None,
    }
}

/// Counts bytes of a block that cannot be read.
fn count_lost(lost: usize, damage: &mut RepairedDamage) {
    damage.bytes = damage.bytes.saturating_add(lost as u64);
    damage.blocks = damage.blocks.saturating_add(u64::from(lost > 0));
}
