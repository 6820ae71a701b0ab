//! The items in the level of an MVD: when each is taken, by whom, and when it comes back. An MVD has all entities in
//! all frames, so a missing item was taken. KTX names the players who took the important items; for the others, a line
//! that only one player received may show it.

use super::pickups::is_one;
use crate::events::queue::{EventQueue, WaitEnd};
use crate::quake::tables::{BACKPACK, ModelMeaning};
use crate::{EventKind, EventPlayer, Evidence, PassPosition};
use moviola_format::Coord;
use moviola_state::quakeworld::{Level, World};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The items of a level.
#[derive(Debug, Default)]
pub(super) struct Items {
    lying: BTreeMap<u16, Item>,
    /// The level, and for each of its model numbers the item that the model shows.
    level: Arc<Level>,
    models: Vec<Option<ModelMeaning>>,
    /// The players who recently took something according to a line, while the entity was not gone yet.
    recent: VecDeque<TakeLine>,
    /// The counter of the entities' looks ([`Entities::looks`]) at the last search.
    looks: u64,
}

#[derive(Debug)]
struct Item {
    name: &'static str,
    origin: [f64; 3],
    lies: Lies,
    /// Whether the current packet contains it.
    is_there: bool,
}

/// Whether an item is at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lies {
    Yes,
    /// It was taken at this time.
    TakenAt(f64),
    /// It was taken before the moment that a cut restores.
    TakenBefore,
}

/// A line about an item that a player took.
#[derive(Debug)]
struct TakeLine {
    time: f64,
    who: EventPlayer,
    slot: Option<u8>,
    /// The entity, if the line is KTX's; other lines have only the name.
    entity: Option<u16>,
    name: Box<str>,
}

/// The greatest number of seconds between a line and the change of the entity.
const NEAR: f64 = 0.25;
/// The greatest distance of the player who takes an item, in units.
const MAX_DISTANCE: f64 = 128.0;
/// How many lines are remembered.
const MAX_LINES: usize = 32;
/// The greatest number of items of a level; further ones are not tracked.
const MAX_ITEMS: usize = 1024;

impl Items {
    /// Compares the items with the entities, if these have changed. When a cut restores a moment, a missing item was
    /// not taken just then.
    pub(super) fn look(
        &mut self,
        world: &World,
        is_restored: bool,
        (here, until): (&PassPosition, u64),
        out: &mut EventQueue,
    ) {
        // Most packets only move entities.
        let looks = world.entities.looks();
        if !world.is_mvd || looks == self.looks {
            return;
        }
        self.looks = looks;
        self.know(&world.level);
        for item in self.lying.values_mut() {
            item.is_there = false;
        }
        let mut room = MAX_ITEMS.saturating_sub(self.lying.len());
        for (number, entity) in world.entities.all() {
            let Some(Some(seen)) = self.models.get(usize::from(entity.model())) else { continue };
            let Some((name, _)) = seen.item(entity.skin()) else { continue };
            let origin = entity.place().origin.map(Coord::value);
            match self.lying.get_mut(number) {
                Some(item) if item.name == name => {
                    item.is_there = true;
                    item.origin = origin;
                    let before = std::mem::replace(&mut item.lies, Lies::Yes);
                    if before != Lies::Yes && !is_restored {
                        let gone = if let Lies::TakenAt(gone) = before { Some(gone) } else { None };
                        let seconds = here.time.zip(gone).map(|(now, gone)| now - gone);
                        let kind = EventKind::ItemBack { entity: *number, item: name, origin, seconds };
                        out.push(here, kind, Evidence::ENTITY);
                    }
                }
                _ if room > 0 => {
                    room = room.saturating_sub(1);
                    self.lying.insert(*number, Item { name, origin, lies: Lies::Yes, is_there: true });
                    let kind = EventKind::ItemSeen { entity: *number, item: name, origin };
                    out.push(here, kind, Evidence::ENTITY);
                }
                _ => {}
            }
        }
        let Self { lying, recent, .. } = self;
        for (number, item) in lying.iter_mut().filter(|(_, item)| !item.is_there && item.lies == Lies::Yes) {
            let now = here.time.unwrap_or_default();
            item.lies = if is_restored { Lies::TakenBefore } else { Lies::TakenAt(now) };
            if is_restored {
                continue;
            }
            let places = &out.seen;
            let found = recent.iter().rposition(|take| {
                (now - take.time).abs() <= NEAR && take.is_of(*number, item.name, item.origin, places)
            });
            let player = found.and_then(|at| recent.remove(at)).map(|take| take.who);
            let evidence =
                Evidence::ENTITY | if player.is_some() { Evidence::MESSAGE } else { Evidence::NONE };
            let (entity, origin) = (*number, item.origin);
            let kind = EventKind::ItemTaken { entity, item: item.name, origin, own: None, player };
            out.hold(here, kind, evidence, until, WaitEnd::Stands);
        }
    }

    /// Handles a line that says that a player took this entity, or an item of this name.
    pub(super) fn taken(
        &mut self,
        who: EventPlayer,
        (entity, name): (Option<u16>, &str),
        here: &PassPosition,
        out: &mut EventQueue,
    ) {
        let Some(time) = here.time else { return };
        let take = TakeLine { time, slot: who.slot, who, entity, name: name.into() };
        let places = std::mem::take(&mut out.seen);
        let is_amended = out.amend(|event| {
            let EventKind::ItemTaken { entity, item, origin, player: player @ None, .. } = &mut event.kind
            else {
                return false;
            };
            let is_near = event.time.is_some_and(|then| (time - then).abs() <= NEAR);
            let is_it = is_near && take.is_of(*entity, item, *origin, &places);
            if is_it {
                *player = Some(take.who.clone());
                event.evidence |= Evidence::MESSAGE;
            }
            is_it
        });
        out.seen = places;
        if !is_amended {
            if self.recent.len() >= MAX_LINES {
                self.recent.pop_front();
            }
            self.recent.push_back(take);
        }
    }

    /// Finds the item for each of the level's models once, since a packet has hundreds of entities.
    fn know(&mut self, level: &Arc<Level>) {
        if Arc::ptr_eq(level, &self.level) {
            return;
        }
        self.level = Arc::clone(level);
        let item = |name: &[u8]| {
            let seen = ModelMeaning::of(name);
            (name != BACKPACK && seen.item(0).is_some()).then_some(seen)
        };
        self.models = level.models.iter().map(|name| item(name.bytes())).collect();
    }
}

impl TakeLine {
    fn is_of(&self, number: u16, name: &str, origin: [f64; 3], places: &[(u8, [f32; 3])]) -> bool {
        if let Some(entity) = self.entity {
            return entity == number;
        }
        let at = places.iter().find(|(slot, _)| Some(*slot) == self.slot).map(|(_, at)| *at);
        let is_near = at.is_some_and(|at| {
            let apart = at.iter().zip(origin).map(|(one, other)| (f64::from(*one) - other).powi(2));
            apart.sum::<f64>() <= MAX_DISTANCE * MAX_DISTANCE
        });
        is_near && is_one(&self.name, name)
    }
}
