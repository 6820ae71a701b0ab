//! Which monsters died, and who hurt the recording player: Quake II tells neither, but it shows both.
//!
//! A dead monster can be walked through: its entity is no longer solid (`SVF_DEADMONSTER`), becomes a piece of meat,
//! or is gone in an explosion. A blow turns the view, to the side that it came from (`P_DamageFeedback`).

use crate::numbered::Numbered;
use crate::space::{distance, spot};
use moviola_format::Quarters;
use moviola_format::names::quake2::{EVENT, TEMP_ENTITY};
use moviola_format::names::value;
use moviola_state::quake2::{Entity, PlayerState, What, World};

/// What is kept of monsters and of those who shot.
#[derive(Debug, Default)]
pub(super) struct Fights {
    monsters: Numbered<Monster>,
    /// Who shot, and in which frame last.
    shots: Numbered<u64>,
    frame: u64,
    dead: Vec<(&'static str, [f64; 3])>,
}

/// A monster as it was seen last.
#[derive(Clone, Copy, Debug)]
struct Monster {
    name: &'static str,
    origin: [f64; 3],
    /// The frame in which something was said of it last.
    frame: u64,
    /// The last frame in which it was there; none where it is still.
    last: Option<u64>,
    alive: bool,
}

/// For so many frames a shot may be on its way.
const FLIGHT: u64 = 20;
/// Who does not shoot must be so near.
const REACH: f64 = 128.0;
/// How far beside the direction of a blow its giver may stand, in degrees.
const BESIDE: f64 = 30.0;

impl Fights {
    /// A frame begins.
    pub(super) fn begin(&mut self) {
        self.frame = self.frame.saturating_add(1);
    }

    /// A monster is there.
    pub(super) fn see(&mut self, entity: &Entity, name: &'static str) {
        let (origin, alive) = (spot(entity.origin), entity.solid != 0);
        let now = Monster { name, origin, frame: self.frame, last: None, alive };
        let before = self.monsters.insert(entity.number, now);
        if before.is_some_and(|it| it.alive && it.name == name && it.frame < self.frame) && !now.alive {
            self.dead.push((name, now.origin));
        }
    }

    /// No monster has this number any more.
    pub(super) fn miss(&mut self, number: u16) {
        let last = self.frame.saturating_sub(1);
        if let Some(monster) = self.monsters.get_mut(number) {
            monster.last = monster.last.or(Some(last));
        }
    }

    /// No monster is there, but for those that are seen now.
    pub(super) fn miss_all(&mut self) {
        let last = self.frame.saturating_sub(1);
        for (_, monster) in self.monsters.iter_mut() {
            monster.last = monster.last.or(Some(last));
        }
    }

    /// A piece of meat is there, perhaps where a monster was: it keeps the entity.
    pub(super) fn see_piece(&mut self, entity: &Entity) {
        if let Some(monster) = self.monsters.remove(entity.number).filter(|it| it.alive) {
            self.dead.push((monster.name, spot(entity.origin)));
        }
    }

    /// The frame was seen whole: gives the monsters that died in it, each with its place.
    pub(super) fn end(&mut self, world: &World) -> Vec<(&'static str, [f64; 3])> {
        let last = Some(self.frame.saturating_sub(1));
        let gone = |monster: &Monster| monster.alive && monster.last == last;
        for (_, monster) in self.monsters.iter_mut().filter(|(_, it)| gone(it)) {
            if explodes(world, monster.origin) {
                monster.alive = false;
                self.dead.push((monster.name, monster.origin));
            }
        }
        std::mem::take(&mut self.dead)
    }

    /// Somebody shoots.
    pub(super) fn shot(&mut self, entity: i16) {
        if let Ok(entity) = u16::try_from(entity) {
            self.shots.insert(entity, self.frame);
        }
    }

    /// Whether this entity shot in the frame at hand.
    fn shoots(&self, entity: Option<u16>) -> bool {
        entity.and_then(|entity| self.shots.get(entity)) == Some(&self.frame)
    }

    /// From which side a blow came, in degrees to the left of where the player looks.
    pub(super) fn direction(&self, world: &World, now: &PlayerState) -> Option<f64> {
        /// Less than this, in degrees, is how the view sways when one walks; and so much one's own weapon kicks.
        const SWAY: f64 = 1.5;
        const KICK: f64 = 6.0;
        if fell(world) {
            return None;
        }
        let least = if self.shoots(world.own_entity()) { KICK } else { SWAY };
        let [pitch, _, roll] = now.kick_angles.map(Quarters::value);
        (pitch.hypot(roll) >= least).then(|| (-roll).atan2(-pitch).to_degrees())
    }

    /// Who gave a blow from this side: who stands there and shot lately, or is near.
    pub(super) fn attacker(&self, world: &World, now: &PlayerState, direction: f64) -> Option<Giver> {
        let eyes = spot(now.origin);
        let yaw = now.view_angles[1].value();
        let own = world.own_entity();
        let players = 1..=u16::from(world.config.max_clients());
        let others = world.drawn().entities.iter().filter(|it| Some(it.number) != own);
        let givers = others.filter_map(|entity| {
            let monster = self.monsters.get(entity.number).filter(|it| it.alive && it.last.is_none());
            let giver = match monster {
                Some(monster) => Giver::Monster(monster.name),
                None if players.contains(&entity.number) => {
                    Giver::Player(u8::try_from(entity.number.saturating_sub(1)).ok()?)
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
            ((shot || distance(place, eyes) <= REACH) && beside <= BESIDE).then_some((beside, giver))
        });
        givers.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, giver)| giver)
    }
}

/// Who gave a blow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Giver {
    /// A monster, by its name.
    Monster(&'static str),
    /// A player, by the slot.
    Player(u8),
}

/// Whether the recording player lands hard enough to be hurt.
pub(super) fn fell(world: &World) -> bool {
    let event = world.own_entity().and_then(|own| world.drawn().entity(own)).map(|it| it.event);
    let falls = [value(EVENT, "EV_FALL"), value(EVENT, "EV_FALLFAR")];
    event.is_some_and(|event| falls.contains(&i64::from(event)))
}

/// Whether something explodes there.
fn explodes(world: &World, at: [f64; 3]) -> bool {
    const NEAR: f64 = 64.0;
    let kinds = [value(TEMP_ENTITY, "TE_EXPLOSION1"), value(TEMP_ENTITY, "TE_EXPLOSION2")];
    world.moment.iter().any(|happening| match &happening.what {
        What::Effect(it) => kinds.contains(&i64::from(it.kind)) && distance(spot(it.origin), at) <= NEAR,
        _ => false,
    })
}
