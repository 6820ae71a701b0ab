//! Finds the monsters that died, and the attackers of the recorder: Quake II sends no message about
//! either, but its entities show both.
//!
//! A dead monster can be walked through: its entity is no longer solid (`SVF_DEADMONSTER`), becomes a piece
//! of meat, or is gone in an explosion. A hit turns the view to the side that it came from
//! (`P_DamageFeedback`).

use crate::numbered::Numbered;
use crate::space::{distance, spot};
use moviola_format::Quarters;
use moviola_format::names::quake2::{EVENT, TEMP_ENTITY};
use moviola_format::names::value;
use moviola_state::quake2::{Entity, MomentKind, PlayerState, World};

/// The state of monsters, and of entities that shot.
#[derive(Debug, Default)]
pub(super) struct Fights {
    monsters: Numbered<Monster>,
    /// The entities that shot, with the last frame in which they did.
    shots: Numbered<u64>,
    frame: u64,
    dead: Vec<(&'static str, [f64; 3])>,
}

/// The last seen state of a monster.
#[derive(Clone, Copy, Debug)]
struct Monster {
    name: &'static str,
    origin: [f64; 3],
    /// The last frame with a delta for it.
    frame: u64,
    /// The last frame in which the entity was there; `None` if it is still there.
    last: Option<u64>,
    is_alive: bool,
}

/// The number of frames that a shot may be on its way.
const FLIGHT: u64 = 20;
/// The greatest distance of an attacker that does not shoot.
const MAX_REACH: f64 = 128.0;
/// The greatest angle between the direction of a hit and its attacker, in degrees.
const BESIDE: f64 = 30.0;

impl Fights {
    /// Begins a frame.
    pub(super) fn begin(&mut self) {
        self.frame = self.frame.saturating_add(1);
    }

    /// Notes a living monster.
    pub(super) fn observe(&mut self, entity: &Entity, name: &'static str) {
        let (origin, alive) = (spot(entity.origin), entity.solid != 0);
        let now = Monster { name, origin, frame: self.frame, last: None, is_alive: alive };
        let before = self.monsters.insert(entity.number, now);
        if before.is_some_and(|it| it.is_alive && it.name == name && it.frame < self.frame) && !now.is_alive {
            self.dead.push((name, now.origin));
        }
    }

    /// Notes that no monster has this number any more.
    pub(super) fn miss(&mut self, number: u16) {
        let last = self.frame.saturating_sub(1);
        if let Some(monster) = self.monsters.get_mut(number) {
            monster.last = monster.last.or(Some(last));
        }
    }

    /// Marks all monsters as gone, except those seen from now on.
    pub(super) fn miss_all(&mut self) {
        let last = self.frame.saturating_sub(1);
        for (_, monster) in self.monsters.iter_mut() {
            monster.last = monster.last.or(Some(last));
        }
    }

    /// Notes a piece of meat: a dead monster may turn into one and keep its entity.
    pub(super) fn observe_piece(&mut self, entity: &Entity) {
        if let Some(monster) = self.monsters.remove(entity.number).filter(|it| it.is_alive) {
            self.dead.push((monster.name, spot(entity.origin)));
        }
    }

    /// Ends a frame: returns the monsters that died in it, each with its position.
    pub(super) fn end(&mut self, world: &World) -> Vec<(&'static str, [f64; 3])> {
        let last = Some(self.frame.saturating_sub(1));
        let gone = |monster: &Monster| monster.is_alive && monster.last == last;
        for (_, monster) in self.monsters.iter_mut().filter(|(_, it)| gone(it)) {
            if explodes(world, monster.origin) {
                monster.is_alive = false;
                self.dead.push((monster.name, monster.origin));
            }
        }
        std::mem::take(&mut self.dead)
    }

    /// Notes a shot.
    pub(super) fn shot(&mut self, entity: i16) {
        if let Ok(entity) = u16::try_from(entity) {
            self.shots.insert(entity, self.frame);
        }
    }

    /// Whether this entity shot in the current frame.
    fn shoots(&self, entity: Option<u16>) -> bool {
        entity.and_then(|entity| self.shots.get(entity)) == Some(&self.frame)
    }

    /// The direction that a hit came from, in degrees to the left of the player's view.
    pub(super) fn direction(&self, world: &World, now: &PlayerState) -> Option<f64> {
        /// The greatest turn of the view, in degrees, that walking causes; and the greatest that firing a weapon
        /// causes.
        const SWAY: f64 = 1.5;
        const KICK: f64 = 6.0;
        if fell(world) {
            return None;
        }
        let least = if self.shoots(world.own_entity()) { KICK } else { SWAY };
        let [pitch, _, roll] = now.kick_angles.map(Quarters::value);
        (pitch.hypot(roll) >= least).then(|| (-roll).atan2(-pitch).to_degrees())
    }

    /// The attacker in this direction: a player or monster there that shot recently, or is near.
    pub(super) fn attacker(&self, world: &World, now: &PlayerState, direction: f64) -> Option<Attacker> {
        let eyes = spot(now.origin);
        let yaw = now.view_angles[1].value();
        let own = world.own_entity();
        let players = 1..=u16::from(world.config.max_clients());
        let others = world.drawn().entities.iter().filter(|it| Some(it.number) != own);
        let attackers = others.filter_map(|entity| {
            let monster = self.monsters.get(entity.number).filter(|it| it.is_alive && it.last.is_none());
            let attacker = match monster {
                Some(monster) => Attacker::Monster(monster.name),
                None if players.contains(&entity.number) => {
                    Attacker::Player(u8::try_from(entity.number.saturating_sub(1)).ok()?)
                }
                None => return None,
            };
            let place = spot(entity.origin);
            let shot =
                self.shots.get(entity.number).is_some_and(|it| it.saturating_add(FLIGHT) >= self.frame);
            let [x, y, _] = place;
            let [from_x, from_y, _] = eyes;
            let side = (y - from_y).atan2(x - from_x).to_degrees() - yaw;
            let beside = ((side - direction + 180.0).rem_euclid(360.0) - 180.0).abs();
            ((shot || distance(place, eyes) <= MAX_REACH) && beside <= BESIDE).then_some((beside, attacker))
        });
        attackers.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, attacker)| attacker)
    }
}

/// The attacker of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attacker {
    /// A monster, by its name.
    Monster(&'static str),
    /// A player, by the slot.
    Player(u8),
}

/// Whether the recorder lands hard enough to be hurt.
pub(super) fn fell(world: &World) -> bool {
    let event = world.own_entity().and_then(|own| world.drawn().entity(own)).map(|it| it.event);
    let falls = [value(EVENT, "EV_FALL"), value(EVENT, "EV_FALLFAR")];
    event.is_some_and(|event| falls.contains(&i64::from(event)))
}

/// Whether there is an explosion at a position.
fn explodes(world: &World, at: [f64; 3]) -> bool {
    const MAX_DISTANCE: f64 = 64.0;
    let kinds = [value(TEMP_ENTITY, "TE_EXPLOSION1"), value(TEMP_ENTITY, "TE_EXPLOSION2")];
    world.moment.iter().any(|happening| match &happening.what {
        MomentKind::Effect(it) => {
            kinds.contains(&i64::from(it.kind)) && distance(spot(it.origin), at) <= MAX_DISTANCE
        }
        _ => false,
    })
}
