//! Frames: each is sent as a delta from an earlier one, which the client must still hold.
//!
//! The rules are those of id's `CL_ParseFrame` and `CL_ParsePacketEntities`. Clients hold sixteen frames, by
//! the lowest bits of their numbers. A delta from a frame that is gone is not an error: the new frame is kept and
//! marked, but not drawn. The next frame without a base restores the picture.

use super::{Entity, PlayerState};
use crate::hash::{Fold, Hash64, folds};
use crate::pages::Pages;
use moviola_format::dm2::{PacketEntities, PlayerInfo, SpawnBaseline};
use moviola_format::{Delta, Flags, FrameForm, FrameHead};
use std::sync::Arc;

/// The number of frames that a client holds.
const RING: usize = 16;

/// How many states of entities a client keeps for all its frames together, less the ones that it keeps free.
const ENTITIES: u32 = 1024 - 128;

/// Whether a frame is valid.
///
/// ```
/// use moviola_state::quake2::Validity;
/// assert!(Validity::Full.is_drawn() && !Validity::TooOld.is_drawn());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Validity {
    /// There is no frame yet.
    #[default]
    None,
    /// It builds on no other frame: "full frame".
    Full,
    /// It builds on a valid frame that the client holds.
    Delta,
    /// It builds on a frame that is still held, but is not valid itself. Engines print "Delta from invalid frame" and
    /// continue.
    FromInvalid,
    /// It builds on a frame that is not held: "Delta frame too old".
    TooOld,
    /// It builds on a frame whose entities are overwritten: "Delta `parse_entities` too old".
    EntitiesTooOld,
}

impl Validity {
    /// Whether a client draws the frame.
    pub fn is_drawn(self) -> bool {
        matches!(self, Self::Full | Self::Delta | Self::FromInvalid)
    }
}

/// A frame of the game: a tenth of a second.
///
/// ```
/// use moviola_state::quake2::World;
/// let world = World::new();
/// assert_eq!((world.frame().number, world.frame().entities.len()), (0, 0));
/// assert!(world.frame().player(None).is_none());
/// ```
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its number.
    pub number: i32,
    /// The frame that it builds on; 0 and below stand for none.
    pub base: i32,
    /// The form of its head.
    pub form: FrameForm,
    /// Whether the frame is valid.
    pub validity: Validity,
    /// The number of packets that the server held back.
    pub suppressed: u8,
    /// The areas of the level that can be seen, a bit each.
    pub areas: Vec<u8>,
    /// The numbers of the players who are connected (Relay).
    pub connected: Vec<u8>,
    /// The players' states: the recorder's has the key `None`; in Relay recordings each client has
    /// one.
    pub players: Vec<(Option<u8>, PlayerState)>,
    /// The entities, in the order of their numbers if the recording keeps it.
    pub entities: Vec<Entity>,
    /// The number of entities in all frames before it.
    first_entity: u32,
    /// Whether its list of entities was read; a frame without one does not count.
    has_entities: bool,
}

folds! {
    Frame {
        number, base, form, validity, suppressed, areas, connected, players, entities, first_entity, has_entities,
    }
}

impl Clone for Frame {
    fn clone(&self) -> Self {
        let mut new = Self::default();
        new.clone_from(self);
        new
    }

    /// Reuses the memory of the frame that is overwritten, which a derived implementation would not do.
    fn clone_from(&mut self, from: &Self) {
        let Self {
            number,
            base,
            form,
            validity,
            suppressed,
            areas,
            connected,
            players,
            entities,
            first_entity,
            has_entities: whole,
        } = from;
        (self.number, self.base, self.form, self.validity) = (*number, *base, *form, *validity);
        (self.suppressed, self.first_entity, self.has_entities) = (*suppressed, *first_entity, *whole);
        self.areas.clone_from(areas);
        self.connected.clone_from(connected);
        self.players.clone_from(players);
        self.entities.clone_from(entities);
    }
}

impl Fold for FrameForm {
    fn fold(&self, hash: &mut Hash64) {
        hash.add(*self as u64);
    }
}

impl Fold for Validity {
    fn fold(&self, hash: &mut Hash64) {
        hash.add(*self as u64);
    }
}

impl Frame {
    /// An entity.
    pub fn entity(&self, number: u16) -> Option<&Entity> {
        // The list is short, and a damaged recording may have it in any order.
        self.entities.iter().find(|entity| entity.number == number)
    }

    /// The state of the recorder, or of a Relay recording's client.
    pub fn player(&self, client: Option<u8>) -> Option<&PlayerState> {
        self.players.iter().find(|(of, _)| *of == client).map(|(_, state)| state)
    }

    /// Keeps only the allocated memory.
    fn clear(&mut self) {
        let Self { areas, connected, players, entities, .. } = self;
        areas.clear();
        connected.clear();
        players.clear();
        entities.clear();
        let [areas, connected] = [areas, connected].map(std::mem::take);
        let (players, entities) = (std::mem::take(players), std::mem::take(entities));
        *self = Self { areas, connected, players, entities, ..Self::default() };
    }
}

/// The differences between the entities on the screen and those of the frame drawn before. All other entities are
/// unchanged, except that their events are over.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// let frame = |frame: u8, base: u8, entities: &[u8]| {
///     let head = [0x14, frame, 0, 0, 0, base, 0, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0x12];
///     [&head[..], entities, &[0, 0]].concat()
/// };
/// // Entities 5, 6 and 7, each at x = 1; then one moves, and one is gone.
/// head.step(&Block::new(&frame(1, 0, &[1, 5, 8, 0, 1, 6, 8, 0, 1, 7, 8, 0])));
/// assert!(head.world.changes(0).is_none());
/// head.step(&Block::new(&frame(2, 1, &[1, 6, 9, 0, 0x40, 7])));
/// let changes = head.world.changes(1).unwrap();
/// assert_eq!((&changes.updated[..], &changes.gone[..]), (&[1][..], &[7][..]));
/// assert_eq!(head.world.drawn().entities[1].number, 6);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The entities with a delta, as indexes into the frame's entities.
    pub updated: Vec<u32>,
    /// The numbers of the entities that were removed.
    pub gone: Vec<u16>,
}

/// The frames that a client holds, and the one that is being read.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    ring: [Arc<Frame>; RING],
    /// The number of frames drawn. It is not part of the state.
    pub(super) count: u64,
    /// The changes by the last frame, and the count of frames since which changes are known. Not a part of the state.
    changes: Changes,
    known: Option<u64>,
    /// The last frame.
    pub(super) last: Arc<Frame>,
    /// The last frame that was drawn.
    pub(super) drawn: Arc<Frame>,
    /// The frame that is being read, and its base.
    open: Option<(Arc<Frame>, Arc<Frame>)>,
    /// The number of entities taken in.
    entities: u32,
    /// A discarded frame, kept to reuse its memory.
    spare: Arc<Frame>,
}

/// Copies the entities that have no delta.
fn keep(entities: &mut Vec<Entity>, old: &[Entity]) {
    let first = entities.len();
    entities.extend_from_slice(old);
    entities.iter_mut().skip(first).for_each(Entity::stay);
}

/// The place of a frame's number in the ring.
fn slot(number: i32) -> usize {
    (number & (RING as i32 - 1)) as usize
}

impl Frames {
    /// An empty set that only keeps the number of frames drawn, for a new level.
    pub(super) fn begin_anew(&self) -> Self {
        Self { count: self.count, ..Self::default() }
    }

    /// Clears the base numbers of the frames whose base was found.
    pub(super) fn forget_bases(&mut self) {
        for frame in self.ring.iter_mut().chain([&mut self.last, &mut self.drawn]) {
            if matches!(frame.validity, Validity::Full | Validity::Delta) {
                let frame = Arc::make_mut(frame);
                (frame.base, frame.validity) = (0, Validity::Full);
            }
        }
    }

    /// Begins a frame.
    pub(super) fn begin(&mut self, head: &FrameHead<'_>) {
        self.finish();
        let nothing = || Arc::new(Frame::default());
        let validity = self.validity(head);
        let base = self.base(head).cloned();
        let mut frame = std::mem::replace(&mut self.spare, Arc::clone(&self.last));
        if Arc::get_mut(&mut frame).is_none() {
            frame = nothing();
        }
        if let Some(new) = Arc::get_mut(&mut frame) {
            new.clear();
            new.number = head.seq1;
            new.base = head.seq2;
            new.form = head.form;
            new.validity = validity;
            new.suppressed = head.uk_b1.unwrap_or_default();
            new.areas.extend_from_slice(head.areas);
            new.connected.extend_from_slice(head.connected);
            new.first_entity = self.entities;
        }
        self.open = Some((frame, base.unwrap_or_else(nothing)));
    }

    /// The frame at the index where a client looks for the base of a frame with this head; `None` if the frame has no
    /// base.
    fn base(&self, head: &FrameHead<'_>) -> Option<&Arc<Frame>> {
        match (head.form, head.seq2) {
            (FrameForm::Server, _) | (_, ..=0) => None,
            (_, base) => self.ring.get(slot(base)),
        }
    }

    /// Whether a frame with this head would be valid, if no other frame is being read.
    pub(super) fn validity(&self, head: &FrameHead<'_>) -> Validity {
        match self.base(head) {
            None => Validity::Full,
            Some(base) if base.number != head.seq2 => Validity::TooOld,
            Some(base) if self.entities.wrapping_sub(base.first_entity) > ENTITIES => {
                Validity::EntitiesTooOld
            }
            Some(base) if !base.validity.is_drawn() => Validity::FromInvalid,
            Some(_) => Validity::Delta,
        }
    }

    /// Applies a player's state to the open frame; returns false if no frame is open.
    pub(super) fn player(&mut self, client: Option<u8>, it: &PlayerInfo<'_>) -> bool {
        let Some((frame, base)) = &mut self.open else { return false };
        let mut state = base.player(client).copied().unwrap_or_default();
        state.change(it);
        let players = &mut Arc::make_mut(frame).players;
        match players.iter_mut().find(|(of, _)| *of == client) {
            Some((_, place)) => *place = state,
            None => players.push((client, state)),
        }
        true
    }

    /// Applies the list of entities to the open frame; returns false if no frame is open.
    pub(super) fn entities(&mut self, it: &PacketEntities<'_>, baselines: &Pages<Entity>) -> bool {
        let Some((frame, base)) = &mut self.open else { return false };
        let new = Arc::make_mut(frame);
        new.has_entities = true;
        new.entities.clear();
        let Changes { updated, gone } = &mut self.changes;
        updated.clear();
        gone.clear();
        // The differences are known only if the base is the frame on the screen.
        self.known = Arc::ptr_eq(base, &self.drawn).then_some(self.count);
        let mut old = &base.entities[..];
        // The number of the next old entities that stay unchanged: those without a delta, and those whose
        // delta is empty.
        let mut unchanged = 0;
        for delta in it.entities.deltas() {
            let (flags, number) = delta.head();
            while old.get(unchanged).is_some_and(|entity| entity.number < number) {
                unchanged += 1;
            }
            let is_same = old.get(unchanged).is_some_and(|entity| entity.number == number);
            let is_removed = flags.has(SpawnBaseline::remove);
            if is_same && !is_removed && matches!(delta, Delta::Bare(..)) {
                unchanged += 1;
                continue;
            }
            let (before, rest) = old.split_at_checked(unchanged).unwrap_or((old, &[]));
            keep(&mut new.entities, before);
            (old, unchanged) = (rest, 0);
            let from = old.first().filter(|_| is_same);
            if is_removed {
                // As in engines, a removal takes the next old entity, whatever its number is.
                gone.extend(old.first().map(|entity| entity.number));
            }
            if is_same || is_removed {
                old = old.get(1..).unwrap_or_default();
            }
            if is_removed {
                continue;
            }
            let from = match from {
                None if new.form != FrameForm::Server => baselines.get(number),
                from => from,
            };
            updated.push(new.entities.len() as u32);
            new.entities.push(from.copied().unwrap_or_default());
            match (new.entities.last_mut(), &delta) {
                (Some(entity), Delta::Full(it)) => entity.change(it),
                (Some(entity), Delta::Bare(..)) => {
                    entity.stay();
                    entity.number = number;
                }
                (None, _) => {}
            }
        }
        keep(&mut new.entities, old);
        self.entities = self.entities.wrapping_add(new.entities.len() as u32);
        true
    }

    /// The changes since `since` frames had been drawn, if they are known.
    pub(super) fn changes(&self, since: u64) -> Option<&Changes> {
        (self.known == Some(since) && self.count == since.wrapping_add(1)).then_some(&self.changes)
    }

    /// Ends the open frame, if there is one.
    pub(super) fn finish(&mut self) {
        let Some((frame, base)) = self.open.take() else { return };
        drop(base);
        if !frame.has_entities {
            return;
        }
        if frame.validity.is_drawn() {
            self.drawn = Arc::clone(&frame);
            self.count = self.count.wrapping_add(1);
        } else {
            self.known = None;
        }
        if let Some(place) = self.ring.get_mut(slot(frame.number)) {
            self.spare = std::mem::replace(place, Arc::clone(&frame));
        }
        self.last = frame;
    }
}

impl Fold for Frames {
    fn fold(&self, hash: &mut Hash64) {
        let Self { ring, count: _, changes: _, known: _, last, drawn, open, entities, spare: _ } = self;
        ring.fold(hash);
        last.fold(hash);
        drawn.fold(hash);
        hash.add(u64::from(open.is_some()));
        entities.fold(hash);
    }
}
