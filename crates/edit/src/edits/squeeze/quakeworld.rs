//! `QuakeWorld`: leaves out values that a client already has, and lists only the entities that changed.
//!
//! Changes of entities build on a list that the client holds at that moment. In an MVD that is the list of the moment
//! before; in a QWD it is the list that the client's own packet of the same number asked for, which `ezQuake` compares.

use crate::BlockWriter;
use moviola_format::qw::{Message, PlayerState, SpawnBaseline2};
use moviola_format::{
    Bits16, Block, Context, Entry, Flags, PacketBits, PacketNumber, Scalar, Stamp, client, write_message,
};
use moviola_state::World as _;
use moviola_state::quakeworld::{Entity, Recipients, SLOTS, World};

type List = Vec<(u16, Entity)>;

/// Squeezes a recording of `QuakeWorld`.
#[derive(Clone)]
pub(super) struct Squeezer {
    world: World,
    /// The number of the current moment of an MVD, and of the moment of its last list of entities.
    moment: u64,
    listed: Option<u64>,
    /// The last lists of a QWD, by the low bits of their packets' numbers.
    lists: Vec<Option<(u32, List)>>,
    /// The number of the client's next packet, and for its last packets the list since which they ask for changes.
    outgoing: Option<u32>,
    asked: [u32; KEPT_LISTS],
    /// The number of the last packet whose list the client understood; 0 is none.
    valid: u32,
    /// The moment in which each player of an MVD was last seen.
    seen: [Option<u64>; SLOTS],
    /// For each slot, whether the known stats belong to the player who is in it now.
    has_stats: [bool; SLOTS],
    spare: Vec<u8>,
}

/// The number of lists that a client keeps.
const KEPT_LISTS: usize = 64;

/// A client forgets a player of an MVD who was not there for 63 moments.
const REMEMBERED: u64 = 32;

impl Default for Squeezer {
    fn default() -> Self {
        Self {
            world: World::new(),
            moment: 0,
            listed: None,
            lists: vec![None; KEPT_LISTS],
            outgoing: None,
            asked: [0; KEPT_LISTS],
            valid: 0,
            seen: [None; SLOTS],
            has_stats: [true; SLOTS],
            spare: Vec::new(),
        }
    }
}

fn slot(number: u32) -> usize {
    number as usize % KEPT_LISTS
}

impl Squeezer {
    /// Begins a block.
    pub(super) fn begin(&mut self, block: &Block<'_>) {
        if matches!(block.stamp, Stamp::Mvd { msec: 1.., .. }) {
            self.moment = self.moment.saturating_add(1);
        }
        self.world.begin_block(block);
    }

    /// Handles a record of a QWD.
    pub(super) fn record(&mut self, record: &client::Message<'_>) {
        match record {
            client::Message::SetSequence(it) => self.outgoing = u32::try_from(it.seq1).ok(),
            client::Message::Command(_) => {
                let Some(number) = self.outgoing else { return };
                if let Some(asked) = self.asked.get_mut(slot(number)) {
                    *asked = self.valid;
                }
                self.outgoing = number.checked_add(1);
            }
        }
    }

    /// Handles a message of the server.
    pub(super) fn message(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        let is_known = self.is_known(&entry.message);
        let baselines = self.world.baselines.len();
        let body = match &entry.message {
            Message::PlayerState(it) => self.lesser_state(it),
            _ => None,
        };
        let before = match &entry.message {
            Message::PacketEntities(_) | Message::DeltaPacketEntities(_) => {
                self.world.entities.all().to_vec()
            }
            _ => List::new(),
        };
        self.world.apply(entry);
        self.remember(&entry.message);
        let context = *writer.context();
        self.spare.clear();
        match &entry.message {
            Message::PacketEntities(_) => self.list(None, &before, writer.block().stamp, &context),
            Message::DeltaPacketEntities(it) => {
                self.list(Some(it.frame), &before, writer.block().stamp, &context);
            }
            Message::PlayerState(_) => {
                if let Some(body) = body {
                    write_message(&Message::from(body), &mut self.spare, &context);
                }
            }
            // A baseline of zeros is the same as no baseline, and the world keeps none for it.
            Message::SpawnBaseline(it) if self.is_blank(u16::try_from(it.entity).ok(), baselines) => return,
            Message::SpawnBaseline2(it) if self.is_blank(Some(it.entity.0), baselines) => return,
            Message::UpdateStatLong(it) => {
                if let Ok(value) = u8::try_from(it.value) {
                    let short = moviola_format::qw::UpdateStat { index: it.index, value };
                    write_message(&Message::from(short), &mut self.spare, &context);
                }
            }
            _ => {}
        }
        let is_truncated = writer.block().is_truncated();
        if is_known && !is_truncated {
            return;
        }
        if is_truncated || self.spare.is_empty() || self.spare.len() >= writer.bytes().len() {
            writer.keep();
        } else {
            writer.put_bytes(&self.spare);
        }
    }

    /// Whether a message has only values that the client knows. A first value counts as new, even if it is 0 or empty.
    fn is_known(&self, message: &Message<'_>) -> bool {
        let player = |slot: u8| self.world.players.get(usize::from(slot));
        match message {
            Message::Nop(_) => true,
            Message::UpdateStat(it) => self.has_stat(it.index, it.value.into()),
            Message::UpdateStatLong(it) => self.has_stat(it.index, it.value),
            Message::UpdateFrags(it) => player(it.player).is_some_and(|known| known.frags == it.frags),
            Message::UpdatePing(it) => player(it.player).is_some_and(|known| known.ping == it.ping),
            Message::UpdatePl(it) => player(it.player).is_some_and(|known| known.loss == it.loss),
            Message::SetInfo(it) => player(it.player)
                .and_then(|known| known.info.get(it.name.bytes()))
                .is_some_and(|known| known.bytes() == it.string.bytes()),
            Message::LightStyle(it) => {
                self.world.lights.get(&it.style).is_some_and(|known| known.bytes() == it.string.bytes())
            }
            _ => false,
        }
    }

    /// Whether the latest baseline has only zeros, and the entity had no baseline before.
    fn is_blank(&self, number: Option<u16>, before: usize) -> bool {
        let is_none = number.is_some_and(|it| !self.world.baselines.contains_key(&it));
        is_none && self.world.baselines.len() == before
    }

    /// Whether the client of the player to whom the block is addressed has this value of a stat already.
    fn has_stat(&self, index: u8, value: i32) -> bool {
        let slot = match (self.world.audience(), self.world.recorder) {
            (Recipients::Player(slot), _) | (_, Some((slot, _))) => usize::from(slot),
            _ => return false,
        };
        let known = self.world.stats.get(slot).and_then(|stats| stats.get(usize::from(index)));
        known == Some(&value) && self.has_stats.get(slot) == Some(&true)
    }

    /// Remembers values that the world does not have.
    fn remember(&mut self, message: &Message<'_>) {
        match message {
            Message::ServerData(_) => {
                *self = Self {
                    world: std::mem::take(&mut self.world),
                    outgoing: self.outgoing,
                    moment: self.moment,
                    spare: std::mem::take(&mut self.spare),
                    ..Self::default()
                };
            }
            // A client may forget the stats of a player who leaves.
            Message::UpdateUserInfo(it) => {
                let is_first = self.world.stats.is_empty();
                if let Some(has) = self.has_stats.get_mut(usize::from(it.player)) {
                    *has &= is_first;
                }
            }
            Message::PlayerState(it) => {
                if let Some(seen) = self.seen.get_mut(usize::from(it.player)) {
                    *seen = Some(self.moment);
                }
            }
            _ => {}
        }
    }

    /// The state of a player of an MVD without its unchanged fields.
    fn lesser_state(&self, it: &PlayerState) -> Option<PlayerState> {
        let place = usize::from(it.player);
        let seen = self.seen.get(place).copied().flatten()?;
        let body = self.world.bodies.get(place)?;
        if self.moment.saturating_sub(seen) > REMEMBERED {
            return None;
        }
        let ([x, y, z], [pitch, yaw, roll]) = (body.origin, body.angles);
        let same = [
            (PlayerState::origin_x, it.origin_x == x),
            (PlayerState::origin_y, it.origin_y == y),
            (PlayerState::origin_z, it.origin_z == z),
            (PlayerState::angles_1, it.angles_1 == pitch),
            (PlayerState::angles_2, it.angles_2 == yaw),
            (PlayerState::angles_3, it.angles_3 == roll),
            (PlayerState::modelindex, u16::from(it.modelindex) == body.model),
            (PlayerState::skin, it.skin == body.skin),
            (PlayerState::effects, it.effects == body.effects),
            (PlayerState::weaponframe, it.weaponframe == body.weapon_frame),
        ];
        let gone = same.iter().filter(|(bit, is_same)| *is_same && it.flags.has(*bit));
        let gone = gone.fold(0, |all, (bit, _)| all | bit);
        let context = Context::quakeworld();
        (gone != 0)
            .then(|| PlayerState { flags: Bits16::canonical(it.flags.bits() & !gone, &context), ..*it })
    }

    /// Writes the list of entities anew: as changes since the list that the client builds on.
    fn list(&mut self, since: Option<u8>, before: &List, stamp: Stamp, context: &Context) {
        if self.world.entities.is_stale() {
            self.valid = 0;
            return;
        }
        let now = self.world.entities.all();
        let Some(number) = self.world.packet() else {
            let follows = self.listed.and_then(|last| last.checked_add(1)) == Some(self.moment);
            self.listed = Some(self.moment);
            if stamp.is_mvd() && (follows || since.is_some()) {
                // No client reads this number in an MVD; servers count the moments with it.
                let low = since.unwrap_or((self.moment as u8).wrapping_sub(1));
                changes(now, before, low, &self.world, context, &mut self.spare);
            }
            return;
        };
        let requested = self.asked.get(slot(number)).copied().unwrap_or_default();
        let is_held = self.outgoing.is_some_and(|next| {
            requested > 0
                && next > number
                && next.saturating_sub(requested) < KEPT_LISTS as u32 - 2
                && requested < number
        });
        let base = self.lists.get(slot(requested)).and_then(Option::as_ref);
        let base = base.filter(|(known, _)| is_held && *known == requested);
        match (base, since) {
            (Some((_, base)), None) => {
                changes(now, base, requested as u8, &self.world, context, &mut self.spare);
            }
            (Some((_, base)), Some(low)) if low == requested as u8 => {
                changes(now, base, low, &self.world, context, &mut self.spare);
            }
            _ => {}
        }
        let is_understood = since.is_none_or(|low| self.outgoing.is_none() || low == requested as u8);
        self.valid = if is_understood { number } else { 0 };
        let list = now.to_vec();
        if let Some(place) = self.lists.get_mut(slot(number)) {
            *place = Some((number, list));
        }
    }
}

/// Writes the changes of entities since another list.
fn changes(now: &[(u16, Entity)], base: &List, low: u8, world: &World, context: &Context, out: &mut Vec<u8>) {
    use moviola_format::Message as _;
    let empty_entity = Entity::default();
    out.push(Message::from(moviola_format::qw::DeltaPacketEntities::default()).op());
    out.push(low);
    let mut one = Vec::new();
    let mut write_baseline = |message: SpawnBaseline2, out: &mut Vec<u8>| {
        one.clear();
        write_message(&Message::from(message), &mut one, context);
        out.extend_from_slice(one.get(1..).unwrap_or_default());
    };
    let removed = |number: u16| {
        let number = PacketNumber(number);
        let flags = PacketBits::canonical(number.implied(PacketBits::REMOVE, context), context);
        SpawnBaseline2 { flags, entity: number, ..SpawnBaseline2::default() }
    };
    let mut old = base.iter().peekable();
    for (number, entity) in now {
        while let Some((gone, _)) = old.next_if(|(old, _)| old < number) {
            write_baseline(removed(*gone), out);
        }
        if let Some((_, before)) = old.next_if(|(old, _)| old == number) {
            let change = entity.since(before, *number, context);
            if change.flags.changes() {
                write_baseline(change, out);
            }
        } else {
            let baseline = world.baselines.get(number).unwrap_or(&empty_entity);
            write_baseline(entity.since(baseline, *number, context), out);
        }
    }
    old.for_each(|(gone, _)| write_baseline(removed(*gone), out));
    out.extend([0, 0]);
}
