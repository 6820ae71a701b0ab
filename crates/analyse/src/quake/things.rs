//! What is seen in the level: items that lie there, monsters and players that die, bodies that stay.

use super::Files;
use super::own::place;
use super::tables::{BACKPACK, PLAYER_DEATHS, Seen, Sort};
use crate::events::out::Out;
use crate::events::talk::Roster;
use crate::numbered::Numbered;
use crate::space::distance;
use crate::{Evidence, Here, Kind};
use moviola_format::Coord;
use moviola_state::quake::{Entity, World};

/// What is kept of the level's things.
#[derive(Debug, Default)]
pub(super) struct Things {
    /// The baselines were looked through.
    ready: bool,
    /// The frame at hand, as the clock's bits, and how many there were.
    clock: Option<u32>,
    frame: u64,
    items: Vec<Item>,
    /// Where among them those of an entity are, so that only entities that are shown are looked at.
    places: Numbered<Vec<usize>>,
    /// The places of those that are shown; for its memory.
    shown: Vec<usize>,
    /// The model of backpacks.
    backpack: Option<u16>,
    /// The monsters' entities, and whether they are dead.
    monsters: Vec<(u16, bool)>,
    players: Vec<Life>,
}

/// A thing to pick up.
#[derive(Debug)]
struct Item {
    number: u16,
    model: u16,
    name: &'static str,
    sort: Sort,
    origin: [f64; 3],
    /// The last frame in which it was there; none if it was never.
    seen: Option<u64>,
    taken: Taken,
    /// Its return was heard.
    heard: bool,
    /// It was left by somebody who died: what comes later in its place is another one.
    brief: bool,
}

impl Item {
    /// One of which nothing was seen yet.
    fn new(number: u16, model: u16, (name, sort): (&'static str, Sort), origin: [f64; 3]) -> Self {
        Self { number, model, name, sort, origin, seen: None, taken: Taken::No, heard: false, brief: false }
    }
}

/// Whether an item was taken, and at which time, if there was one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Taken {
    #[default]
    No,
    At(Option<f64>),
}

/// A player as he was seen last.
#[derive(Clone, Copy, Debug, Default)]
struct Life {
    alive: Option<bool>,
    origin: [f64; 3],
}

/// How high entities are numbered that levels begin with.
const MOST: u16 = 8192;

/// In every so many frames backpacks are looked for.
const LOOK: u64 = 8;

/// How far from an item a player may be who picks it up: an item's place is a corner of it.
const REACH: f64 = 128.0;

/// How many entities behind the players may be bodies.
const BODIES: u16 = 8;

impl Things {
    fn prepare(&mut self, world: &World, files: &Files) {
        self.ready = true;
        for number in 1..MOST {
            let base = world.baseline(number);
            let seen = files.model(base.look.model);
            if let Seen::Monster(_) = seen {
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
        self.players = vec![Life::default(); usize::from(world.level.max_clients)];
    }

    fn add(&mut self, item: Item) {
        let place = self.items.len();
        match self.places.get_mut(item.number) {
            Some(places) => places.push(place),
            None => drop(self.places.insert(item.number, vec![place])),
        }
        self.items.push(item);
    }

    /// A frame may have come.
    pub(super) fn see(&mut self, world: &World, here: &Here, files: &Files, roster: &Roster, out: &mut Out) {
        if world.signon < 4 || self.clock == Some(world.clock.now.0) {
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
        self.see_items(world, here, out);
        self.see_players(world, here, files, roster, out);
    }

    /// Backpacks that are new are looked for now and then; they lie there for two minutes.
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

    fn see_items(&mut self, world: &World, here: &Here, out: &mut Out) {
        let mut shown = std::mem::take(&mut self.shown);
        shown.extend(world.shown().filter_map(|(number, _)| self.places.get(number)).flatten());
        // Backpacks stand behind what the level begins with.
        shown.sort_unstable();
        for at in shown.drain(..) {
            let Some(item) = self.items.get_mut(at) else { continue };
            let Some(entity) = world.entity(item.number) else { continue };
            if entity.look.model != item.model {
                continue;
            }
            let (number, name) = (item.number, item.name);
            if item.brief {
                let at = place(entity);
                if item.taken != Taken::No || distance(at, item.origin) > REACH {
                    (item.seen, item.taken) = (None, Taken::No);
                }
                // It falls, and slides on.
                item.origin = at;
            }
            if item.seen.is_none() {
                item.origin = place(entity);
                let kind = Kind::ItemSeen { entity: number, item: name, origin: item.origin };
                out.push(here, kind, Evidence::ENTITY);
            }
            if let Taken::At(since) = std::mem::take(&mut item.taken) {
                let seconds = here.time.zip(since).map(|(now, since)| now - since);
                let kind = Kind::ItemBack { entity: number, item: name, origin: item.origin, seconds };
                let heard = std::mem::take(&mut item.heard);
                out.push(here, kind, Evidence::ENTITY.with(Evidence::SOUND, heard));
            }
            item.seen = Some(self.frame);
        }
        self.shown = shown;
    }

    /// Somebody picks something of a sort up: the nearest that was there a frame ago and is not now.
    pub(super) fn taken(&mut self, here: &Here, sort: Sort, at: [f64; 3], own: Option<bool>, out: &mut Out) {
        let frame = self.frame;
        let gone = self.items.iter_mut().filter(|item| {
            item.sort == sort
                && item.taken == Taken::No
                && item.seen.is_some_and(|seen| seen.saturating_add(1) == frame)
        });
        let near = gone.map(|item| (distance(item.origin, at), item)).filter(|(far, _)| *far < REACH);
        if let Some((_, item)) = near.min_by(|one, other| one.0.total_cmp(&other.0)) {
            item.taken = Taken::At(here.time);
            let kind = Kind::ItemTaken { entity: item.number, item: item.name, origin: item.origin, own };
            out.push(here, kind, Evidence::SOUND | Evidence::ENTITY);
        }
    }

    /// The sound of a returning item came from this entity.
    pub(super) fn heard_back(&mut self, entity: u16) {
        if let Some(item) = self.items.iter_mut().find(|item| item.number == entity) {
            item.heard = true;
        }
    }

    /// A monster was killed: the one that begins to die in sight, if there is one.
    pub(super) fn monster(
        &mut self,
        world: &World,
        here: &Here,
        files: &Files,
        (kills, total): (i32, Option<i32>),
        out: &mut Out,
    ) {
        let found = self.monsters.iter_mut().filter(|(_, dead)| !dead).find_map(|(number, dead)| {
            let entity = world.entity(*number).filter(|it| it.is_shown(&world.clock))?;
            let name = match files.model(entity.look.model) {
                Seen::Monster(monster) if monster.is_dying(entity.look.frame) => monster.name,
                Seen::Head(monster) => monster.name,
                _ => return None,
            };
            *dead = true;
            Some((name, place(entity)))
        });
        let evidence = Evidence::MESSAGE.with(Evidence::ENTITY, found.is_some());
        let (name, origin) = found.unzip();
        out.push(here, Kind::Monster { kills, total, name, origin }, evidence);
    }

    fn see_players(&mut self, world: &World, here: &Here, files: &Files, roster: &Roster, out: &mut Out) {
        let own = u16::try_from(world.view.entity).unwrap_or_default();
        for (slot, life) in (0..=u8::MAX).zip(&mut self.players) {
            let number = u16::from(slot).saturating_add(1);
            let Some(entity) = world.entity(number).filter(|it| it.is_shown(&world.clock)) else { continue };
            let alive = match files.model(entity.look.model) {
                Seen::Player => !PLAYER_DEATHS.contains(&entity.look.frame),
                Seen::Eyes => true,
                Seen::PlayerHead => false,
                _ => continue,
            };
            let before = std::mem::replace(life, Life { alive: Some(alive), origin: place(entity) });
            if before.alive.is_none_or(|it| it == alive) {
                continue;
            }
            let player = roster.slot(slot);
            if alive && let Some((entity, origin)) = body(world, files, before.origin) {
                out.push(here, Kind::Body { entity, player: player.clone(), origin }, Evidence::ENTITY);
            }
            // The recording player's own life is told by his health.
            if number == own {
                continue;
            }
            let origin = Some(life.origin);
            let kind = if alive {
                Kind::Spawn { player, origin, own: false }
            } else {
                Kind::Death { player, origin, own: false }
            };
            out.push(here, kind, Evidence::ENTITY);
        }
    }
}

/// The body that lies where a dead player lay.
fn body(world: &World, files: &Files, at: [f64; 3]) -> Option<(u16, [f64; 3])> {
    /// It may have slid on in the meantime.
    const NEAR: f64 = 32.0;
    let first = u16::from(world.level.max_clients).saturating_add(1);
    let is_body = |entity: &&Entity| {
        entity.is_shown(&world.clock)
            && match files.model(entity.look.model) {
                Seen::Player => PLAYER_DEATHS.contains(&entity.look.frame),
                Seen::PlayerHead => true,
                _ => false,
            }
            && distance(place(entity), at) <= NEAR
    };
    (first..first.saturating_add(BODIES))
        .find_map(|number| Some((number, place(world.entity(number).filter(is_body)?))))
}
