//! The things seen in the level: items, dying players, and bodies.

use super::fights::Fights;
use super::tables::{ModelMeaning, OWN_MODEL, PLAYER_DEATHS, seen};
use crate::events::chat::Roster;
use crate::events::queue::EventQueue;
use crate::numbered::Numbered;
use crate::space::{distance, spot};
use crate::{EventKind, Evidence, PassPosition};
use moviola_format::Short8;
use moviola_format::names::quake2::EVENT;
use moviola_format::names::value;
use moviola_state::quake2::{Config, Entity, World};

/// The state of the items, players and bodies in the level.
#[derive(Debug, Default)]
pub(super) struct LevelItems {
    /// Each model's file, and its meaning.
    models: Vec<(Box<[u8]>, ModelMeaning)>,
    /// Monsters, and players and monsters that shoot.
    pub(super) fights: Fights,
    frame: u64,
    /// The number of frames drawn at the last examination; `None` if all entities must be examined.
    looked: Option<u64>,
    items: Numbered<Item>,
    players: Numbered<LastSeen>,
}

/// An item in the level.
#[derive(Debug)]
struct Item {
    name: &'static str,
    /// The model's number, by which it is recognized quickly, frame after frame.
    model: u8,
    origin: [Short8; 3],
    /// The last frame in which the item was there; `None` if it is still there.
    last: Option<u64>,
    taken: Presence,
}

/// Whether an item was taken, and the time, if there was one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Presence {
    #[default]
    No,
    At(Option<f64>),
}

/// The last seen state of a player.
#[derive(Clone, Copy, Debug)]
struct LastSeen {
    is_alive: bool,
    origin: [f64; 3],
}

/// The event of an item that is back.
const RESPAWN: u8 = value(EVENT, "EV_ITEM_RESPAWN") as u8;

impl LevelItems {
    /// Examines all entities in the next frame, also those that do not change.
    pub(super) fn examine_all(&mut self) {
        self.looked = None;
    }

    /// Reads the names of models in changed config strings.
    pub(super) fn name_models(&mut self, config: &Config) {
        self.examine_all();
        self.models.resize_with(1 << 8, Default::default);
        // While the client connects, each block names a few more models.
        for (number, (file, what)) in (0..=u8::MAX).zip(&mut self.models) {
            let now = config.model(number);
            // Two empty names are not compared: on some processors that comparison is slow.
            if (!file.is_empty() || !now.is_empty()) && **file != *now {
                (*file, *what) = (now.into(), seen(now));
            }
        }
    }

    /// Examines a frame. Entities without a delta are unchanged.
    pub(super) fn observe(
        &mut self,
        world: &World,
        here: &PassPosition,
        roster: &Roster,
        out: &mut EventQueue,
    ) {
        let last = Some(self.frame);
        self.frame = self.frame.saturating_add(1);
        self.fights.begin();
        let looked = self.looked.replace(world.frames_drawn());
        let entities = &world.drawn().entities;
        if let Some(changes) = looked.and_then(|looked| world.changes(looked)) {
            for number in &changes.gone {
                self.miss(*number);
                self.fights.miss(*number);
            }
            for entity in changes.updated.iter().filter_map(|place| entities.get(*place as usize)) {
                self.observe_entity(world, entity, here, roster, out);
            }
            return;
        }
        for (_, item) in self.items.iter_mut() {
            item.last = item.last.or(last);
        }
        self.fights.miss_all();
        for entity in entities {
            self.observe_entity(world, entity, here, roster, out);
        }
    }

    fn observe_entity(
        &mut self,
        world: &World,
        entity: &Entity,
        here: &PassPosition,
        roster: &Roster,
        out: &mut EventQueue,
    ) {
        let [model, ..] = entity.models;
        let meaning = match self.models.get(usize::from(model)) {
            _ if model == OWN_MODEL => ModelMeaning::Player,
            Some((_, what)) => *what,
            None => ModelMeaning::Nothing,
        };
        if !matches!(meaning, ModelMeaning::Item(_)) {
            self.miss(entity.number);
        }
        if !matches!(meaning, ModelMeaning::Monster(_)) {
            self.fights.miss(entity.number);
        }
        match meaning {
            ModelMeaning::Nothing => {}
            ModelMeaning::Player => self.observe_player(world, entity, here, roster, out),
            ModelMeaning::Item(name) => self.observe_item(entity, name, here, out),
            ModelMeaning::Monster(name) => self.fights.observe(entity, name),
            ModelMeaning::Piece => self.fights.observe_piece(entity),
        }
    }

    /// Notes that no item has this number any more.
    fn miss(&mut self, number: u16) {
        if let Some(item) = self.items.get_mut(number) {
            item.last = item.last.or(Some(self.frame.saturating_sub(1)));
        }
    }

    fn observe_item(
        &mut self,
        entity: &Entity,
        name: &'static str,
        here: &PassPosition,
        out: &mut EventQueue,
    ) {
        let Entity { number, origin, models: [model, ..], .. } = *entity;
        let known = self.items.get_mut(number).filter(|item| item.model == model || item.name == name);
        let Some(item) = known else {
            self.items.insert(number, Item { name, model, origin, last: None, taken: Presence::No });
            let kind = EventKind::ItemSeen { entity: number, item: name, origin: spot(origin) };
            return out.push(here, kind, Evidence::ENTITY);
        };
        (item.last, item.origin) = (None, origin);
        if let Presence::At(since) = item.taken {
            item.taken = Presence::No;
            let seconds = here.time.zip(since).map(|(now, since)| now - since);
            let kind = EventKind::ItemBack { entity: number, item: name, origin: spot(origin), seconds };
            // The event states that the item is back.
            let evidence = Evidence::ENTITY.with(Evidence::MESSAGE, entity.event == RESPAWN);
            out.push(here, kind, evidence);
        }
    }

    /// A player picks up an item: the nearest one that was there a frame ago and is gone now.
    pub(super) fn taken(
        &mut self,
        here: &PassPosition,
        at: [f64; 3],
        is_recorder: Option<bool>,
        out: &mut EventQueue,
    ) {
        /// The greatest distance of an item from the player who picks it up.
        const MAX_REACH: f64 = 96.0;
        let last = Some(self.frame.saturating_sub(1));
        let gone = self.items.iter_mut().filter(|(_, item)| item.taken == Presence::No && item.last == last);
        let near = gone.map(|(number, item)| (distance(spot(item.origin), at), number, item));
        let near = near.filter(|(far, ..)| *far < MAX_REACH);
        if let Some((_, entity, item)) = near.min_by(|one, other| one.0.total_cmp(&other.0)) {
            item.taken = Presence::At(here.time);
            let kind = EventKind::ItemTaken {
                entity,
                item: item.name,
                origin: spot(item.origin),
                own: is_recorder,
                player: None,
            };
            out.push(here, kind, Evidence::SOUND | Evidence::ENTITY);
        }
    }

    fn observe_player(
        &mut self,
        world: &World,
        entity: &Entity,
        here: &PassPosition,
        roster: &Roster,
        out: &mut EventQueue,
    ) {
        let number = entity.number;
        let max_clients = u16::from(world.config.max_clients());
        let Some(slot) = number.checked_sub(1).filter(|_| number <= max_clients) else { return };
        let alive = !PLAYER_DEATHS.contains(&entity.frame);
        let now = LastSeen { is_alive: alive, origin: spot(entity.origin) };
        let Some(before) = self.players.insert(number, now).filter(|before| before.is_alive != alive) else {
            return;
        };
        let player = roster.slot(u8::try_from(slot).unwrap_or(u8::MAX));
        if alive && let Some((entity, origin)) = corpse(world, max_clients, before.origin) {
            out.push(here, EventKind::Body { entity, player: player.clone(), origin }, Evidence::ENTITY);
        }
        // The recorder's death is known from the health.
        if Some(number) == world.own_entity() {
            return;
        }
        let origin = Some(now.origin);
        let kind = if alive {
            EventKind::Spawn { player, origin, own: false }
        } else {
            EventKind::Death { player, origin, own: false }
        };
        out.push(here, kind, Evidence::ENTITY);
    }
}

/// The corpse at the position of a dead player.
fn corpse(world: &World, max_clients: u16, at: [f64; 3]) -> Option<(u16, [f64; 3])> {
    const MAX_DISTANCE: f64 = 32.0;
    let bodies = world.drawn().entities.iter().filter(|entity| {
        entity.number > max_clients && entity.models[0] == OWN_MODEL && PLAYER_DEATHS.contains(&entity.frame)
    });
    let mut near = bodies.map(|entity| (entity.number, spot(entity.origin)));
    near.find(|(_, origin)| distance(*origin, at) <= MAX_DISTANCE)
}
