//! The things seen in the level: items, dying monsters and players, and bodies.

use super::Files;
use super::recorder::place;
use super::tables::{BACKPACK, ItemKind, ModelMeaning, PLAYER_DEATHS};
use crate::events::chat::Roster;
use crate::events::queue::EventQueue;
use crate::numbered::Numbered;
use crate::space::distance;
use crate::{EventKind, Evidence, PassPosition};
use moviola_format::Coord;
use moviola_state::quake::{Entity, PLAYING, World};

/// The state of the items, monsters and bodies in the level.
#[derive(Debug, Default)]
pub(super) struct LevelItems {
    /// Whether the baselines were examined.
    ready: bool,
    /// The current frame, as the clock's bits, and the number of frames.
    clock: Option<u32>,
    frame: u64,
    items: Vec<Item>,
    /// The places in `items` of each entity, so that only the entities that are shown are examined.
    places: Numbered<Vec<usize>>,
    /// The indexes of the items that are shown; a field only to reuse the memory.
    shown: Vec<usize>,
    /// The model of backpacks.
    backpack: Option<u16>,
    /// The monsters' entities, and whether they are dead.
    monsters: Vec<(u16, bool)>,
    players: Vec<LastSeen>,
}

/// An item in the level.
#[derive(Debug)]
struct Item {
    number: u16,
    model: u16,
    name: &'static str,
    sort: ItemKind,
    origin: [f64; 3],
    /// The last frame in which the item was there; `None` before the first one.
    seen: Option<u64>,
    taken: Presence,
    /// Whether its return was heard.
    return_heard: bool,
    /// Whether it is a dying player's item. A later one at the same place is a different item.
    brief: bool,
}

impl Item {
    /// An item that was not seen yet.
    fn new(number: u16, model: u16, (name, sort): (&'static str, ItemKind), origin: [f64; 3]) -> Self {
        Self {
            number,
            model,
            name,
            sort,
            origin,
            seen: None,
            taken: Presence::No,
            return_heard: false,
            brief: false,
        }
    }
}

/// Whether an item was taken, and the time, if there was one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Presence {
    #[default]
    No,
    At(Option<f64>),
}

/// The last seen state of a player.
#[derive(Clone, Copy, Debug, Default)]
struct LastSeen {
    is_alive: Option<bool>,
    origin: [f64; 3],
}

/// The highest number of the entities with which levels begin.
const MAX_ENTITY: u16 = 8192;

/// The number of frames between searches for backpacks.
const LOOK: u64 = 8;

/// The greatest distance of an item from the player who takes it: an item's position is one of its corners.
const MAX_DISTANCE: f64 = 128.0;

/// The number of entities after the players that may be bodies.
const BODIES: u16 = 8;

impl LevelItems {
    fn prepare(&mut self, world: &World, files: &Files) {
        self.ready = true;
        for number in 1..MAX_ENTITY {
            let base = world.baseline(number);
            let seen = files.model(base.look.model);
            if let ModelMeaning::Monster(_) = seen {
                self.monsters.push((number, false));
            }
            if let Some((name, sort)) = seen.item(base.look.skin) {
                let origin = base.place.origin.map(Coord::value);
                let model = base.look.model;
                self.add(Item::new(number, model, (name, sort), origin));
            }
        }
        let backpack = world.level.models.iter().position(|name| name.bytes() == BACKPACK);
        self.backpack = backpack.and_then(|number| u16::try_from(number).ok());
        self.players = vec![LastSeen::default(); usize::from(world.level.max_clients)];
    }

    fn add(&mut self, item: Item) {
        let place = self.items.len();
        match self.places.get_mut(item.number) {
            Some(places) => places.push(place),
            None => drop(self.places.insert(item.number, vec![place])),
        }
        self.items.push(item);
    }

    /// Examines a block, which may contain a frame.
    pub(super) fn observe(
        &mut self,
        world: &World,
        here: &PassPosition,
        files: &Files,
        roster: &Roster,
        out: &mut EventQueue,
    ) {
        if world.signon < PLAYING || self.clock == Some(world.clock.now.0) {
            return;
        }
        if !self.ready {
            self.prepare(world, files);
        }
        self.clock = Some(world.clock.now.0);
        self.frame = self.frame.saturating_add(1);
        if self.frame.is_multiple_of(LOOK) {
            self.find_backpacks(world, files);
        }
        self.observe_items(world, here, out);
        self.observe_players(world, here, files, roster, out);
    }

    /// Searches for new backpacks from time to time, since they stay for two minutes.
    fn find_backpacks(&mut self, world: &World, files: &Files) {
        let Some(model) = self.backpack else { return };
        let Some((name, sort)) = files.model(model).item(0) else { return };
        for (number, entity) in world.shown().filter(|(_, entity)| entity.look.model == model) {
            let places = self.places.get(number).map(Vec::as_slice).unwrap_or_default();
            if places.iter().any(|place| self.items.get(*place).is_some_and(|item| item.model == model)) {
                continue;
            }
            let origin = place(entity);
            self.add(Item { brief: true, ..Item::new(number, model, (name, sort), origin) });
        }
    }

    fn observe_items(&mut self, world: &World, here: &PassPosition, out: &mut EventQueue) {
        let mut shown_items = std::mem::take(&mut self.shown);
        shown_items.extend(world.shown().filter_map(|(number, _)| self.places.get(number)).flatten());
        // Backpacks get higher numbers than the entities with which the level begins.
        shown_items.sort_unstable();
        for at in shown_items.drain(..) {
            let Some(item) = self.items.get_mut(at) else { continue };
            let Some(entity) = world.entity(item.number) else { continue };
            if entity.look.model != item.model {
                continue;
            }
            let (number, name) = (item.number, item.name);
            if item.brief {
                let at = place(entity);
                if item.taken != Presence::No || distance(at, item.origin) > MAX_DISTANCE {
                    (item.seen, item.taken) = (None, Presence::No);
                }
                // A backpack falls and slides on.
                item.origin = at;
            }
            if item.seen.is_none() {
                item.origin = place(entity);
                let kind = EventKind::ItemSeen { entity: number, item: name, origin: item.origin };
                out.push(here, kind, Evidence::ENTITY);
            }
            if let Presence::At(since) = std::mem::take(&mut item.taken) {
                let seconds = here.time.zip(since).map(|(now, since)| now - since);
                let kind = EventKind::ItemBack { entity: number, item: name, origin: item.origin, seconds };
                let return_heard = std::mem::take(&mut item.return_heard);
                out.push(here, kind, Evidence::ENTITY.with(Evidence::SOUND, return_heard));
            }
            item.seen = Some(self.frame);
        }
        self.shown = shown_items;
    }

    /// A player picks up an item of this sort: the nearest one that was there a frame ago and is gone now.
    pub(super) fn taken(
        &mut self,
        here: &PassPosition,
        sort: ItemKind,
        at: [f64; 3],
        is_recorder: Option<bool>,
        out: &mut EventQueue,
    ) {
        let frame = self.frame;
        let gone = self.items.iter_mut().filter(|item| {
            item.sort == sort
                && item.taken == Presence::No
                && item.seen.is_some_and(|seen| seen.saturating_add(1) == frame)
        });
        let near = gone.map(|item| (distance(item.origin, at), item)).filter(|(far, _)| *far < MAX_DISTANCE);
        if let Some((_, item)) = near.min_by(|one, other| one.0.total_cmp(&other.0)) {
            item.taken = Presence::At(here.time);
            let kind = EventKind::ItemTaken {
                entity: item.number,
                item: item.name,
                origin: item.origin,
                own: is_recorder,
                player: None,
            };
            out.push(here, kind, Evidence::SOUND | Evidence::ENTITY);
        }
    }

    /// Notes that the sound of a returning item came from this entity.
    pub(super) fn mark_return(&mut self, entity: u16) {
        if let Some(item) = self.items.iter_mut().find(|item| item.number == entity) {
            item.return_heard = true;
        }
    }

    /// A monster was killed: takes the one that begins to die in sight, if there is one.
    pub(super) fn monster(
        &mut self,
        world: &World,
        here: &PassPosition,
        files: &Files,
        (kills, total): (i32, Option<i32>),
        out: &mut EventQueue,
    ) {
        let found = self.monsters.iter_mut().filter(|(_, dead)| !dead).find_map(|(number, dead)| {
            let entity = world.entity(*number).filter(|it| it.is_shown(&world.clock))?;
            let name = match files.model(entity.look.model) {
                ModelMeaning::Monster(monster) if monster.is_dying(entity.look.frame) => monster.name,
                ModelMeaning::Head(monster) => monster.name,
                _ => return None,
            };
            *dead = true;
            Some((name, place(entity)))
        });
        let evidence = Evidence::MESSAGE.with(Evidence::ENTITY, found.is_some());
        let (name, origin) = found.unzip();
        out.push(here, EventKind::Monster { kills, total, name, origin }, evidence);
    }

    fn observe_players(
        &mut self,
        world: &World,
        here: &PassPosition,
        files: &Files,
        roster: &Roster,
        out: &mut EventQueue,
    ) {
        let recorder_entity = u16::try_from(world.view.entity).unwrap_or_default();
        for (slot, life) in (0..=u8::MAX).zip(&mut self.players) {
            let number = u16::from(slot).saturating_add(1);
            let Some(entity) = world.entity(number).filter(|it| it.is_shown(&world.clock)) else { continue };
            let alive = match files.model(entity.look.model) {
                ModelMeaning::Player => !PLAYER_DEATHS.contains(&entity.look.frame),
                ModelMeaning::Eyes => true,
                ModelMeaning::PlayerHead => false,
                _ => continue,
            };
            let before = std::mem::replace(life, LastSeen { is_alive: Some(alive), origin: place(entity) });
            if before.is_alive.is_none_or(|it| it == alive) {
                continue;
            }
            let player = roster.slot(slot);
            if alive && let Some((entity, origin)) = body(world, files, before.origin) {
                out.push(here, EventKind::Body { entity, player: player.clone(), origin }, Evidence::ENTITY);
            }
            // The recorder's death is known from the health.
            if number == recorder_entity {
                continue;
            }
            let origin = Some(life.origin);
            let kind = if alive {
                EventKind::Spawn { player, origin, own: false }
            } else {
                EventKind::Death { player, origin, own: false }
            };
            out.push(here, kind, Evidence::ENTITY);
        }
    }
}

/// The body at the position of a dead player.
fn body(world: &World, files: &Files, at: [f64; 3]) -> Option<(u16, [f64; 3])> {
    /// The distance that it may have slid since.
    const NEAR: f64 = 32.0;
    let first = u16::from(world.level.max_clients).saturating_add(1);
    let is_body = |entity: &&Entity| {
        entity.is_shown(&world.clock)
            && match files.model(entity.look.model) {
                ModelMeaning::Player => PLAYER_DEATHS.contains(&entity.look.frame),
                ModelMeaning::PlayerHead => true,
                _ => false,
            }
            && distance(place(entity), at) <= NEAR
    };
    (first..first.saturating_add(BODIES))
        .find_map(|number| Some((number, place(world.entity(number).filter(is_body)?))))
}
