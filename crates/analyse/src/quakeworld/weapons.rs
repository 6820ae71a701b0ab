//! The weapons that the players of an MVD get. Not every player lets the game print lines about items, but an MVD has
//! the items that all players carry.

use moviola_state::quake::{MissionPack, Stat};
use moviola_state::quakeworld::{Recipients, World};
use std::collections::BTreeMap;

/// The weapons of all players at their last stats.
#[derive(Debug, Default)]
pub(super) struct CarriedWeapons {
    carried: BTreeMap<u8, Carried>,
    /// The weapons with which every life so far began; `None` before the first one.
    start: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Carried {
    weapons: u32,
    is_alive: bool,
}

/// The most weapons that a player gets at one moment; more are those of another kind of match.
const MAX_AT_ONCE: u32 = 2;

impl CarriedWeapons {
    /// If the block has a player's stats: the player, and the weapons that are new. A life begins with weapons that
    /// were not picked up; what no other life began with was.
    pub(super) fn look(&mut self, world: &World) -> Option<(u8, impl Iterator<Item = &'static str> + use<>)> {
        // Most blocks contain only positions.
        if !world.is_mvd || !world.has_stats() {
            return None;
        }
        let Recipients::Player(slot) = world.audience() else { return None };
        let stats = world.stats.get(usize::from(slot))?;
        let stat = |which: Stat| stats.get(which as usize).copied().unwrap_or_default();
        let weapons = MissionPack::default().weapons();
        let all =
            weapons.iter().filter_map(|(bit, _)| u32::try_from(*bit).ok()).fold(0, |all, bit| all | bit);
        let now = Carried { weapons: stat(Stat::Items) as u32 & all, is_alive: stat(Stat::Health) > 0 };
        let before = self.carried.insert(slot, now)?;
        let before_weapons = match (before.is_alive, now.is_alive) {
            (true, _) => Some(before.weapons),
            (false, true) => self.start.replace(now.weapons & self.start.unwrap_or(u32::MAX)),
            (false, false) => None,
        };
        let new = now.weapons & !before_weapons.unwrap_or(u32::MAX);
        let is_got = (1..=MAX_AT_ONCE).contains(&new.count_ones());
        let named = move |(bit, name): &(i64, &'static str)| (i64::from(new) & bit != 0).then_some(*name);
        is_got.then(|| (slot, weapons.iter().filter_map(named)))
    }
}
