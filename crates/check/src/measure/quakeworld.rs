//! Measures QuakeWorld's messages: limits of its clients, and the packets on which the entities of a QWD build.

use super::Measure;
use crate::findings::CheckCode;
use crate::judge::Judge;
use crate::place::ReaderPosition;
use crate::scan::SeenMessage;
use moviola_format::names::{bit, quakeworld as names};
use moviola_format::qw::Message;
use moviola_format::{
    Audience, Block, Context, Message as _, PacketBits, Schema, Stamp, Str, client, hidden,
};

/// How many entities a packet has room for: without and with FTE's extension, and in an MVD.
const MAX_ENTITIES: [i64; 3] = [64, 256, 300];
const MANY_ENTITIES: u32 = bit(names::FTE, "256PACKETENTITIES") as u32;

/// The bit of a packet's number that says that it is reliable.
const RELIABLE: u32 = 1 << 31;

/// How many packets a client keeps.
const KEPT_PACKETS: usize = 64;

/// The packets whose entities a client of a QWD keeps, in the way of `ezQuake`: the changes in a packet build on the
/// list that the client requested in its own packet of the same number.
///
/// ```
/// use moviola_check::HeldPackets;
/// let mut held = HeldPackets::default();
/// held.set(1, 0);
/// assert!(held.take(1, None));
/// // The client's next packet asks for the changes since packet 1.
/// held.command();
/// held.command();
/// assert!(held.take(2, Some(1)));
/// held.command();
/// assert!(!held.take(3, Some(1)));
/// ```
#[derive(Clone, Debug)]
pub struct HeldPackets {
    outgoing: Option<u32>,
    last_packet: Option<u32>,
    asked: [u32; KEPT_PACKETS],
    lists: [u32; KEPT_PACKETS],
    valid: u32,
}

impl Default for HeldPackets {
    fn default() -> Self {
        Self {
            outgoing: None,
            last_packet: None,
            asked: [0; KEPT_PACKETS],
            lists: [0; KEPT_PACKETS],
            valid: 0,
        }
    }
}

fn slot(number: u32) -> usize {
    number as usize % KEPT_PACKETS
}

impl HeldPackets {
    /// The number of the last packet that the client took.
    pub fn last(&self) -> Option<u32> {
        self.last_packet
    }

    /// Handles a record that sets the numbers of the client's next packet and of the server's last one.
    pub fn set(&mut self, next: i32, last: i32) {
        (self.outgoing, self.last_packet) = (u32::try_from(next).ok(), u32::try_from(last).ok());
    }

    /// Handles a command of the client, in which it requests the changes since the last list that it understood.
    pub fn command(&mut self) {
        let Some(number) = self.outgoing else { return };
        if let Some(asked) = self.asked.get_mut(slot(number)) {
            *asked = self.valid;
        }
        self.outgoing = number.checked_add(1);
    }

    /// Handles a packet. Returns false if the client drops it.
    pub fn take_packet(&mut self, number: u32) -> bool {
        let is_new = self.last_packet.is_none_or(|last| number > last);
        if is_new {
            self.last_packet = Some(number);
        }
        is_new
    }

    /// Handles the list of a packet: a whole one, or changes since the packet with this low byte. Returns whether the
    /// client understands it.
    pub fn take(&mut self, number: u32, since: Option<u8>) -> bool {
        let is_known = since.is_none_or(|low| self.knows(number, low));
        self.valid = if is_known { number } else { 0 };
        if let Some(list) = self.lists.get_mut(slot(number)) {
            *list = self.valid;
        }
        is_known
    }

    /// Whether the client understands a list in this packet of changes since the packet with this low byte.
    pub fn knows(&self, number: u32, low: u8) -> bool {
        let asked = self.asked.get(slot(number)).copied().unwrap_or_default();
        let is_held = asked > 0 && self.lists.get(slot(asked)) == Some(&asked);
        self.outgoing.is_none() || (is_held && low == asked as u8)
    }

    /// The number that the client's next packet must have so that it has requested the changes since the packet with
    /// this low byte. If commands are missing in a recording, the client's count is too low.
    ///
    /// ```
    /// use moviola_check::HeldPackets;
    /// let mut held = HeldPackets::default();
    /// held.set(2, 0);
    /// assert!(held.take(1, None));
    /// // Packet 4 answers the third command, of which one is lost.
    /// held.command();
    /// held.command();
    /// assert_eq!((held.knows(4, 1), held.next_by(4, 1)), (false, Some(5)));
    /// ```
    pub fn next_by(&self, number: u32, low: u8) -> Option<u32> {
        let outgoing = self.outgoing?;
        let is_it = |slot_of: u32| {
            let asked = self.asked.get(slot(slot_of)).copied().unwrap_or_default();
            asked > 0 && asked as u8 == low && self.lists.get(slot(asked)) == Some(&asked)
        };
        (1..KEPT_PACKETS as u32 / 2).find_map(|count| {
            if is_it(number.wrapping_sub(count)) {
                return outgoing.checked_add(count);
            }
            is_it(number.wrapping_add(count)).then(|| outgoing.checked_sub(count)).flatten()
        })
    }

    /// Begins a level, at which the client forgets all lists.
    pub fn forget(&mut self) {
        (self.asked, self.lists, self.valid) = ([0; KEPT_PACKETS], [0; KEPT_PACKETS], 0);
    }
}

/// The state after earlier messages.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    held: HeldPackets,
    packet: Option<u32>,
    is_mvd: bool,
    /// Whether the last block was a hidden one.
    was_hidden: bool,
}

impl State {
    pub(super) fn begin_block(&mut self, judge: &mut Judge, block: &Block<'_>, here: &ReaderPosition) {
        self.is_mvd = block.stamp.is_mvd();
        self.packet = None;
        match block.stamp {
            Stamp::Qwd { numbers: Some([number, _]), .. } => {
                let number = number & !RELIABLE;
                if !self.held.take_packet(number) {
                    judge.observe(CheckCode::PacketOrder, number.into(), here.piece());
                }
                self.packet = Some(number);
            }
            Stamp::Mvd { kind, .. } => {
                let is_same = Audience::of(kind) == Some(Audience::Same);
                if is_same && self.was_hidden && !block.data.is_empty() {
                    judge.observe(CheckCode::HiddenAudience, 0, here.piece());
                }
                self.was_hidden = block.stamp.is_hidden() || is_same && self.was_hidden;
            }
            _ => {}
        }
    }

    pub(super) fn record(&mut self, message: &client::Message<'_>) {
        match message {
            client::Message::Command(_) => self.held.command(),
            client::Message::SetSequence(it) => self.held.set(it.seq1, it.seq2),
        }
    }

    pub(super) fn measure_message(
        &mut self,
        judge: &mut Judge,
        seen: &SeenMessage<'_>,
        message: &Message<'_>,
    ) {
        let here = seen.here;
        let mut player = |slot: u8| judge.number(CheckCode::PlayerSlot, i64::from(slot), || here.message());
        match message {
            Message::PlayerState(it) => player(it.player),
            Message::PlayerInfo(it) => player(it.player),
            Message::UpdateFrags(it) => player(it.player),
            Message::UpdatePing(it) => player(it.player),
            Message::UpdatePl(it) => player(it.player),
            Message::UpdateEnterTime(it) => player(it.player),
            Message::UpdateUserInfo(it) => player(it.player),
            Message::SetInfo(it) => player(it.player),
            Message::UpdateStat(it) => {
                judge.number(CheckCode::StatIndex, i64::from(it.index), || here.message());
            }
            Message::UpdateStatLong(it) => {
                judge.number(CheckCode::StatIndex, i64::from(it.index), || here.message());
            }
            Message::PacketEntities(it) => {
                self.list(judge, seen, it.entities.iter().map(|it| it.flags), None);
            }
            Message::DeltaPacketEntities(it) => {
                self.list(judge, seen, it.entities.iter().map(|it| it.flags), Some(it.frame));
            }
            _ => self.measure_rare(judge, seen, message),
        }
    }

    fn measure_rare(&mut self, judge: &mut Judge, seen: &SeenMessage<'_>, message: &Message<'_>) {
        let here = seen.here;
        let mut text = |string: Str<'_>| Measure::string(judge, seen, string);
        match message {
            Message::Print(it) => text(it.string),
            Message::StuffText(it) => text(it.string),
            Message::CenterPrint(it) => text(it.string),
            Message::LightStyle(it) => {
                text(it.string);
                judge.number(CheckCode::LightStyles, i64::from(it.style), || here.message());
            }
            Message::ServerData(it) => {
                self.held.forget();
                judge.observe(CheckCode::ProtocolSpoken, i64::from(it.flags.0), here.message());
                if let Some(bits) = it.extensions.all().unnamed() {
                    judge.observe(CheckCode::UnknownExtension, i64::from(bits), here.message());
                }
            }
            Message::TempEntity(it) => {
                judge.observe(CheckCode::TempEntityKnown, i64::from(it.flags.number()), here.message());
            }
            Message::SpawnBaseline2(it) if is_recolored(it.flags) => {
                judge.observe(CheckCode::ColorMod, 0, here.message());
            }
            Message::SpawnStatic2(it) if is_recolored(it.flags) => {
                judge.observe(CheckCode::ColorMod, 0, here.message());
            }
            Message::CsqcEntities(_) => {
                judge.observe(
                    CheckCode::MessageKnown,
                    i64::from(moviola_format::Message::op(message)),
                    here.message(),
                );
            }
            _ => {}
        }
    }

    /// Measures a list of entities.
    fn list(
        &mut self,
        judge: &mut Judge,
        seen: &SeenMessage<'_>,
        entities: impl Iterator<Item = PacketBits>,
        delta_from: Option<u8>,
    ) {
        let here = seen.here;
        let (mut count, mut is_colored) = (0, false);
        for flags in entities {
            count += 1;
            is_colored |= is_recolored(flags);
        }
        if is_colored {
            judge.observe(CheckCode::ColorMod, 0, here.message());
        }
        if count > self.room(seen.context) {
            judge.observe(CheckCode::PacketRoom, count, here.message());
        }
        if let Some(number) = self.packet
            && !self.held.take(number, delta_from)
        {
            judge.observe(CheckCode::DeltaMissing, delta_from.map_or(0, i64::from), here.message());
        }
    }

    fn room(&self, context: &Context) -> i64 {
        let [usual, many, mvd] = MAX_ENTITIES;
        match () {
            () if self.is_mvd => mvd,
            () if context.extensions.fte & MANY_ENTITIES != 0 => many,
            () => usual,
        }
    }
}

/// Reports hidden messages that no row of the table reads.
pub(super) fn measure_hidden(judge: &mut Judge, seen: &SeenMessage<'_>, message: &hidden::Message<'_>) {
    let hidden::Message::UnknownHidden(it) = message else { return };
    let kind = it.message.kind;
    let has_row = |row: &Schema| row.op < hidden::PausedBare::OP && u32::from(row.op) == kind;
    let is_known = hidden::Message::SCHEMA.iter().any(has_row);
    let code = if is_known { CheckCode::OddHidden } else { CheckCode::UnknownHidden };
    judge.observe(code, i64::from(kind), seen.here.message());
}

fn is_recolored(flags: PacketBits) -> bool {
    use moviola_format::Flags;
    flags.has(moviola_format::qw::SpawnBaseline2::colormod)
}
