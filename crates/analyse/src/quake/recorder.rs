//! The recorder: items, damage and position.

use super::Files;
use super::tables::{ItemKind, ModelMeaning};
use crate::events::queue::EventQueue;
use crate::space::distance;
use crate::{EventKind, EventPlayer, Evidence, GameText, PassPosition};
use moviola_format::Coord;
use moviola_format::names::{bit_names, value_name};
use moviola_state::quake::{Damage, Entity, MissionPack, Stat, World};

/// The player's state after the last block.
#[derive(Debug, Default)]
pub(super) struct RecorderState {
    now: State,
    /// `None` before the player's first state in this level.
    alive: Option<bool>,
    origin: Option<[f64; 3]>,
    set: Option<[i64; 3]>,
    /// The blocks of the last gains.
    gains: Gains,
    /// The last block in which ammunition was used.
    spent: Option<u64>,
    /// The player's powerups, a bit each, and their start.
    powerups: Vec<(u32, Option<f64>)>,
    /// The positions of teleport sparkles in the block.
    pub(super) sparkles: Vec<[f64; 3]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    health: i32,
    armor: i32,
    items: u32,
    ammo: [i32; 4],
    weapon: i32,
    model: i32,
}

impl State {
    fn of(world: &World) -> Self {
        let get = |stat| world.stats.get(stat);
        Self {
            health: get(Stat::Health),
            armor: get(Stat::Armor),
            items: world.vitals.items,
            ammo: [Stat::Shells, Stat::Nails, Stat::Rockets, Stat::Cells].map(get),
            weapon: get(Stat::Weapon),
            model: get(Stat::WeaponModel),
        }
    }
}

/// For each of these numbers, the last block in which it rose.
#[derive(Clone, Copy, Debug, Default)]
struct Gains {
    health: Option<u64>,
    armor: Option<u64>,
    items: Option<u64>,
    ammo: Option<u64>,
}

/// The number of blocks by which a line may follow a gain.
const MAX_GAIN_AGE: u64 = 3;

/// A position as numbers.
pub(super) fn place(entity: &Entity) -> [f64; 3] {
    entity.place.origin.map(Coord::value)
}

impl RecorderState {
    /// Notes the gains and losses of the block, before its texts are read.
    pub(super) fn gain(&mut self, world: &World, _: MissionPack, here: &PassPosition) {
        let (old, new) = (self.now, State::of(world));
        let block = Some(here.block);
        if old == new || self.alive.is_none() {
            return;
        }
        if new.health > old.health {
            self.gains.health = block;
        }
        if new.armor > old.armor {
            self.gains.armor = block;
        }
        if new.items & !old.items != 0 {
            self.gains.items = block;
        }
        let ammo = || new.ammo.iter().zip(old.ammo);
        if ammo().any(|(new, old)| *new > old) {
            self.gains.ammo = block;
        }
        if ammo().any(|(new, old)| *new < old) {
            self.spent = block;
        }
    }

    /// The numbers that rose recently and so are evidence of a pickup of this sort.
    pub(super) fn gained(&self, sort: ItemKind, here: &PassPosition) -> Evidence {
        let recent =
            |block: Option<u64>| block.is_some_and(|it| it.saturating_add(MAX_GAIN_AGE) >= here.block);
        let Gains { health, armor, items, ammo } = self.gains;
        let (stats, bits) = match sort {
            ItemKind::Health => (recent(health), false),
            ItemKind::Armor => (recent(armor), recent(items)),
            ItemKind::Weapon => (recent(ammo), recent(items)),
            ItemKind::Ammo => (recent(ammo), false),
            ItemKind::Key | ItemKind::Powerup => (false, recent(items)),
        };
        Evidence::NONE.with(Evidence::STATS, stats).with(Evidence::ITEMS, bits)
    }

    /// Whether ammunition was used in this block.
    pub(super) fn spent(&self, here: &PassPosition) -> bool {
        self.spent == Some(here.block)
    }

    /// Adds the events of the block's changes.
    pub(super) fn observe(
        &mut self,
        world: &World,
        here: &PassPosition,
        files: &Files,
        out: &mut EventQueue,
    ) {
        let (old, new) = (self.now, State::of(world));
        if old != new {
            self.now = new;
            self.observe_weapon(world, here, files, (old, new), out);
            self.observe_powerups(new.items, here, files, out);
            self.observe_life(world, new.health, here, out);
        }
        self.observe_place(world, here, out);
    }

    fn observe_weapon(
        &self,
        world: &World,
        here: &PassPosition,
        files: &Files,
        states: (State, State),
        out: &mut EventQueue,
    ) {
        let (old, new) = states;
        let playing = world.is_played() && self.alive == Some(true) && new.health > 0;
        if !playing || old.weapon == new.weapon {
            return;
        }
        let name = |state: State| {
            let name = value_name(files.pack.weapons(), state.weapon.into());
            let model = || world.level.models.get(usize::try_from(state.model).unwrap_or_default());
            name.map_or_else(|| GameText::new(model()), |name| GameText::new(name.as_bytes()))
        };
        let kind = EventKind::Weapon { weapon: name(new), before: name(old) };
        out.push(here, kind, Evidence::WEAPON);
    }

    fn observe_powerups(&mut self, items: u32, here: &PassPosition, files: &Files, out: &mut EventQueue) {
        let has = items & files.pack.powerups();
        let had = self.powerups.iter().fold(0, |sum, (bit, _)| sum | bit);
        if has == had {
            return;
        }
        for bit in (0..u32::BITS).map(|bit| 1u32 << bit).filter(|bit| (has ^ had) & bit != 0) {
            let powerup = bit_names(files.pack.items(), bit.into()).next().unwrap_or("powerup");
            if has & bit != 0 {
                self.powerups.push((bit, here.time));
                out.push(here, EventKind::PowerupStart { powerup }, Evidence::ITEMS);
                continue;
            }
            let since = self.powerups.iter().find(|(it, _)| *it == bit).and_then(|(_, since)| *since);
            let seconds = here.time.zip(since).map(|(now, since)| now - since);
            self.powerups.retain(|(it, _)| *it != bit);
            out.push(here, EventKind::PowerupEnd { powerup, seconds }, Evidence::ITEMS);
        }
    }

    fn observe_life(&mut self, world: &World, health: i32, here: &PassPosition, out: &mut EventQueue) {
        let alive = health > 0;
        // Before the first state of a level all numbers are zero.
        if self.alive == Some(alive) || (self.alive.is_none() && !alive) {
            return;
        }
        self.alive = Some(alive);
        let player = who(world);
        let origin = world.eyes().filter(|it| it.is_shown(&world.clock)).map(place);
        let kind = if alive {
            EventKind::Spawn { player, origin, own: true }
        } else {
            EventKind::Death { player, origin, own: true }
        };
        out.push(here, kind, Evidence::STATS);
        // The new position of a respawn is not a teleport.
        self.origin = None;
    }

    fn observe_place(&mut self, world: &World, here: &PassPosition, out: &mut EventQueue) {
        /// A distance that no player can walk in one block.
        const JUMP: f64 = 64.0;
        /// The greatest distance of the sparkles from a teleported player.
        const NEAR: f64 = 96.0;
        let sparkles = std::mem::take(&mut self.sparkles);
        let set = world.view.set.map(|angles| angles.map(|it| i64::from(it.raw())));
        let has_turned = std::mem::replace(&mut self.set, set) != set;
        let Some(entity) = world.eyes().filter(|it| it.is_shown(&world.clock)) else { return };
        let origin = place(entity);
        let old_origin = self.origin.replace(origin);
        let playing = world.is_played() && self.alive == Some(true);
        let Some(from) = old_origin.filter(|from| playing && distance(*from, origin) > JUMP) else { return };
        let sparkle_at = |place: [f64; 3]| sparkles.iter().any(|it| distance(*it, place) <= NEAR);
        let evidence = Evidence::EFFECT | Evidence::ENTITY;
        let evidence = evidence.with(Evidence::VIEW, has_turned);
        if sparkle_at(from) {
            out.push(here, EventKind::Teleport { from, to: origin }, evidence);
        } else if sparkle_at(origin) {
            // Only a respawn has no sparkles at the old position. A suicide and the respawn may happen at once, so no
            // death is seen before it.
            let kind = EventKind::Spawn { player: who(world), origin: Some(origin), own: true };
            out.push(here, kind, evidence);
        }
    }
}

/// Adds the event of damage.
pub(super) fn damage(
    world: &World,
    damage: &Damage,
    here: &PassPosition,
    files: &Files,
    out: &mut EventQueue,
) {
    let origin = damage.origin.map(Coord::value);
    // Damage by the world has the position 0 0 0, and so has damage by an entity that was removed already. Neither has
    // a direction.
    let unplaced = damage.origin.iter().all(|it| it.raw() == 0);
    let eyes = world.eyes().map(place);
    let yaw = world.view.angles.get(1).map_or(0.0, |it| f64::from(it.value()));
    let direction = eyes.filter(|_| !unplaced).map(|[x, y, _]| {
        let [to_x, to_y, _] = origin;
        ((to_y - y).atan2(to_x - x).to_degrees() - yaw + 180.0).rem_euclid(360.0) - 180.0
    });
    let attacker = if unplaced { from_nowhere(world, damage, files) } else { suspect(world, origin, files) };
    let kind = EventKind::Damage {
        health: damage.health.into(),
        armor: damage.armor.into(),
        health_left: world.stats.get(Stat::Health),
        armor_left: world.stats.get(Stat::Armor),
        direction: direction.filter(|it| it.is_finite()),
        origin: (!unplaced).then_some(origin),
        attacker,
    };
    out.push(here, kind, Evidence::DAMAGE);
}

/// The recorder.
fn who(world: &World) -> EventPlayer {
    let slot = world.view.entity.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
    let player = slot.and_then(|slot| world.players.get(usize::from(slot)));
    EventPlayer::new(slot, player.map(|player| player.name.bytes()).unwrap_or_default())
}

/// The cause of damage without a position. Spikes and lasers are removed when they hit, which clears their origin; a
/// rocket explodes at its position. Damage by the world has different amounts: 5 for falls, even numbers up to 14 for
/// water, multiples of four for slime and of ten for lava.
fn from_nowhere(world: &World, damage: &Damage, files: &Files) -> Option<GameText> {
    /// The speed of the fastest missiles, in units a second, and the distance from the player's center at which a
    /// missile hits.
    const SPEED: f64 = 1000.0;
    const HIT_DISTANCE: f64 = 64.0;
    /// The damage of a nail or a monster's spike, and of a laser; lava deals as much as two lasers to a
    /// player fully inside it.
    const SPIKE: u16 = 9;
    const LASER: u16 = 15;
    const LAVA: u16 = 30;
    let clock = &world.clock;
    let step = f64::from(clock.now.value()) - f64::from(clock.before.value());
    let near = |it: [f64; 3]| {
        world.eyes().is_some_and(|eyes| distance(place(eyes), it) <= SPEED * step + HIT_DISTANCE)
    };
    // The entity was shown in the frame before, and is gone in this one.
    let gone = world.entities().filter(|(_, it)| it.seen == clock.before && !it.is_shown(clock));
    let missile =
        gone.filter(|(_, it)| near(place(it))).find_map(|(_, it)| match files.model(it.look.model) {
            ModelMeaning::Missile(whose) => Some(whose),
            _ => None,
        });
    let points = u16::from(damage.health).saturating_add(damage.armor.into());
    let whose = match missile {
        Some(whose) => whose,
        None if points == 0 => return None,
        None if points % SPIKE == 0 => "a nail or spike",
        None if points % LASER == 0 && !(world.vitals.in_water && points == LAVA) => "a laser",
        None => "world",
    };
    Some(GameText::new(whose.as_bytes()))
}

/// The monster or player at the position that the damage came from. Missiles are excluded, because the recording does
/// not show who fired them.
fn suspect(world: &World, origin: [f64; 3], files: &Files) -> Option<GameText> {
    /// The greatest distance from the middle of a body to its entity's position.
    const NEAR: f64 = 48.0;
    let own = u16::try_from(world.view.entity).unwrap_or_default();
    let near = world.shown().filter(|(number, _)| *number != own).filter_map(|(number, entity)| {
        let name = match files.model(entity.look.model) {
            ModelMeaning::Monster(monster) => GameText::new(monster.name.as_bytes()),
            ModelMeaning::Player | ModelMeaning::Eyes => {
                let player = world.players.get(usize::from(number.checked_sub(1)?))?;
                GameText::new(player.name.bytes())
            }
            _ => return None,
        };
        Some((distance(place(entity), origin), name)).filter(|(far, _)| *far <= NEAR)
    });
    near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, name)| name)
}
