//! Frames: each is told by its difference from an earlier one, which the client must still hold.
//!
//! The rules are those of id's `CL_ParseFrame` and `CL_ParsePacketEntities`: sixteen frames are held, by the lowest
//! bits of their numbers. A difference from a frame that is gone is no error: the frame is taken in, is marked,
//! and is not drawn. One frame without reference heals it.

use super::{Entity, PlayerState};
use crate::hash::{Fold, Hash64, folds};
use crate::pages::Pages;
use moviola_format::dm2::{PacketEntities, PlayerInfo, SpawnBaseline};
use moviola_format::{Delta, Flags, FrameForm, FrameHead};
use std::sync::Arc;

/// How many frames a client holds.
const RING: usize = 16;

/// How many entities' states a client holds for its frames, less what it keeps free.
const ENTITIES: u32 = 1024 - 128;

/// Whether a frame can be relied on.
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
    /// It stands for itself: "full frame".
    Full,
    /// It builds on a frame that is there.
    Delta,
    /// It builds on a frame that is there but was not valid itself. Engines say "Delta from invalid frame" and go on.
    FromInvalid,
    /// It builds on a frame that is not held: "Delta frame too old".
    TooOld,
    /// It builds on a frame of which the entities are overwritten: "Delta `parse_entities` too old".
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its number.
    pub number: i32,
    /// The frame that it builds on; 0 and below is none.
    pub base: i32,
    /// Which form its head has.
    pub form: FrameForm,
    /// Whether it can be relied on.
    pub validity: Validity,
    /// How many packets the server held back.
    pub suppressed: u8,
    /// Which areas of the level can be seen, a bit each.
    pub areas: Vec<u8>,
    /// The numbers of the players who are connected (Relay).
    pub connected: Vec<u8>,
    /// The players' states: of the recording player, who is `None`, or in Relay recordings of each client.
    pub players: Vec<(Option<u8>, PlayerState)>,
    /// The entities, in the order of their numbers where the recording keeps it.
    pub entities: Vec<Entity>,
    /// How many entities were taken in before its own.
    first_entity: u32,
    /// Whether its entities have come; without them it is no frame.
    whole: bool,
}

folds! {
    Frame {
        number, base, form, validity, suppressed, areas, connected, players, entities, first_entity, whole,
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
        // They are few, and a damaged recording has them in no order.
        self.entities.iter().find(|entity| entity.number == number)
    }

    /// The state of the recording player, or of a Relay recording's client.
    pub fn player(&self, client: Option<u8>) -> Option<&PlayerState> {
        self.players.iter().find(|(of, _)| *of == client).map(|(_, state)| state)
    }

    /// Takes over nothing but the memory.
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

/// What of the entities on the screen is not as it was in the frame that was drawn before. Of all others it is known
/// that they are still there, and what they were; only their events are over.
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
/// assert_eq!((&changes.told[..], &changes.gone[..]), (&[1][..], &[7][..]));
/// assert_eq!(head.world.drawn().entities[1].number, 6);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Those of which something was said: their places among the frame's entities.
    pub told: Vec<u32>,
    /// The numbers of those that are there no more.
    pub gone: Vec<u16>,
}

/// The frames that a client holds, and the one that is being taken in.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    ring: [Arc<Frame>; RING],
    /// How many frames were drawn. It is no part of the state.
    pub(super) count: u64,
    /// What the last frame changed, and the count from which on that is known. No part of the state either.
    changes: Changes,
    known: Option<u64>,
    /// The last frame.
    pub(super) last: Arc<Frame>,
    /// The last frame that was drawn.
    pub(super) drawn: Arc<Frame>,
    /// The frame that is being taken in, and what it builds on.
    open: Option<(Arc<Frame>, Arc<Frame>)>,
    /// How many entities were taken in.
    entities: u32,
    /// A frame that was thrown away, for its memory.
    spare: Arc<Frame>,
}

/// Takes entities over of which nothing is said.
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
    /// None of them, but for how many there were.
    pub(super) fn begin_anew(&self) -> Self {
        Self { count: self.count, ..Self::default() }
    }

    /// Forgets on what frames build, of those that could be resolved.
    pub(super) fn forget_bases(&mut self) {
        for frame in self.ring.iter_mut().chain([&mut self.last, &mut self.drawn]) {
            if matches!(frame.validity, Validity::Full | Validity::Delta) {
                let frame = Arc::make_mut(frame);
                (frame.base, frame.validity) = (0, Validity::Full);
            }
        }
    }

    /// A frame begins.
    pub(super) fn begin(&mut self, head: &FrameHead<'_>) {
        self.finish();
        let nothing = || Arc::new(Frame::default());
        let base = match (head.form, head.seq2) {
            (FrameForm::Server, _) | (_, ..=0) => None,
            (_, base) => self.ring.get(slot(base)).cloned(),
        };
        let validity = match &base {
            None => Validity::Full,
            Some(base) if base.number != head.seq2 => Validity::TooOld,
            Some(base) if self.entities.wrapping_sub(base.first_entity) > ENTITIES => {
                Validity::EntitiesTooOld
            }
            Some(base) if !base.validity.is_drawn() => Validity::FromInvalid,
            Some(_) => Validity::Delta,
        };
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

    /// A player's state of the frame; false where there is no frame.
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

    /// The frame's entities; false where there is no frame.
    pub(super) fn entities(&mut self, it: &PacketEntities<'_>, baselines: &Pages<Entity>) -> bool {
        let Some((frame, base)) = &mut self.open else { return false };
        let new = Arc::make_mut(frame);
        new.whole = true;
        new.entities.clear();
        let Changes { told, gone } = &mut self.changes;
        told.clear();
        gone.clear();
        // Only of the frame on the screen it is known what is new on it.
        self.known = Arc::ptr_eq(base, &self.drawn).then_some(self.count);
        let mut old = &base.entities[..];
        // How many of them go on as they are: those of which nothing is said, and those of which it is said.
        let mut kept = 0;
        for delta in it.entities.deltas() {
            let (flags, number) = delta.head();
            while old.get(kept).is_some_and(|entity| entity.number < number) {
                kept += 1;
            }
            let is_same = old.get(kept).is_some_and(|entity| entity.number == number);
            let is_removed = flags.has(SpawnBaseline::remove);
            if is_same && !is_removed && matches!(delta, Delta::Bare(..)) {
                kept += 1;
                continue;
            }
            let (before, rest) = old.split_at_checked(kept).unwrap_or((old, &[]));
            keep(&mut new.entities, before);
            (old, kept) = (rest, 0);
            let from = old.first().filter(|_| is_same);
            if is_removed {
                // What is removed is the next old entity whichever it is, as in engines.
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
            told.push(new.entities.len() as u32);
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

    /// What is not as it was when so many frames had been drawn, if that is known.
    pub(super) fn changes(&self, since: u64) -> Option<&Changes> {
        (self.known == Some(since) && self.count == since.wrapping_add(1)).then_some(&self.changes)
    }

    /// The frame is over, if there is one.
    pub(super) fn finish(&mut self) {
        let Some((frame, base)) = self.open.take() else { return };
        drop(base);
        if !frame.whole {
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
