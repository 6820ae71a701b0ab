//! Finds the victim if the game's line does not name one: "Bob mows down a teammate". In an MVD the health of all
//! players shows who died. Finds the killer in the victim's team: "Bob was telefragged by his teammate".

use crate::events::queue::EventQueue;
use crate::{EventKind, EventPlayer, Evidence};
use moviola_state::quake::Stat;
use moviola_state::quakeworld::{Player, Recipients, World};

/// The health of all players, and the deaths of the last moments.
#[derive(Debug, Default)]
pub(super) struct PlayerDeaths {
    health: Vec<i32>,
    /// Players whose health fell to zero, with the time, and whose death no line has reported yet.
    fell: Vec<(u8, f64)>,
    /// Players whose death a line has reported, but whose health is not zero yet.
    named: Vec<(u8, f64)>,
}

/// The greatest number of seconds between a line and the change of the health.
const NEAR: f64 = 0.5;

fn take_recent(list: &mut Vec<(u8, f64)>, now: f64, is_it: impl Fn(u8) -> bool) -> Option<u8> {
    list.retain(|(_, then)| (now - then).abs() <= NEAR);
    let at = list.iter().rposition(|(slot, _)| is_it(*slot))?;
    Some(list.remove(at).0)
}

/// Whether two players are different and in the same team.
fn are_mates(world: &World, one: u8, other: u8) -> bool {
    let team = |slot: u8| world.players.get(usize::from(slot)).map(Player::team).filter(|it| !it.is_empty());
    one != other && team(one).is_some_and(|it| team(other) == Some(it))
}

/// The teammate who killed a player, if the game's line does not name him: the only one, or the only one whose score
/// fell by one in the same block.
pub(super) fn killer_in_team(
    world: &World,
    victim: Option<u8>,
    changes: impl Iterator<Item = (u8, i32)>,
) -> Option<(u8, Evidence)> {
    let victim = victim?;
    let plays = |slot: &u8| {
        world.players.get(usize::from(*slot)).is_some_and(|it| it.is_here() && !it.is_spectator())
    };
    let mates = || {
        (0..=u8::MAX).take(world.players.len()).filter(|slot| plays(slot) && are_mates(world, victim, *slot))
    };
    let only = |slot: u8, evidence: Evidence, mut others: std::vec::IntoIter<u8>| {
        others.next().is_none().then_some((slot, evidence))
    };
    let mut all = mates().collect::<Vec<_>>().into_iter();
    let first = all.next()?;
    only(first, Evidence::PLAYERS, all).or_else(|| {
        let fell = changes.filter(|(slot, change)| *change == -1 && mates().any(|mate| mate == *slot));
        let mut fell = fell.map(|(slot, _)| slot).collect::<Vec<_>>().into_iter();
        only(fell.next()?, Evidence::FRAGS, fell)
    })
}

/// Names the teammate whose score fell by one as the killer, if the line of the same time does not name one.
pub(super) fn name_killer(out: &mut EventQueue, world: &World, who: &EventPlayer, now: Option<f64>) {
    let Some(slot) = who.slot else { return };
    out.amend(|event| {
        // not from SCHEMA: a kind of death
        let EventKind::Kill { victim: Some(victim), attacker: attacker @ None, class: "teamkill", .. } =
            &mut event.kind
        else {
            return false;
        };
        let is_it = event.time == now && victim.slot.is_some_and(|victim| are_mates(world, victim, slot));
        if is_it {
            *attacker = Some(who.clone());
        }
        is_it
    });
}

impl PlayerDeaths {
    /// Compares the health of all players, and names the victims of lines that lack one.
    pub(super) fn look(
        &mut self,
        world: &World,
        name: impl Fn(u8) -> EventPlayer,
        now: f64,
        out: &mut EventQueue,
    ) {
        let Some((slot, before, health)) = self.change(world) else { return };
        let fell = before > 0 && health <= 0;
        if !fell || take_recent(&mut self.named, now, |it| it == slot).is_some() {
            return;
        }
        let is_amended = out.amend(|event| {
            let EventKind::Kill { victim: victim @ None, attacker: Some(attacker), .. } = &mut event.kind
            else {
                return false;
            };
            let is_near = event.time.is_some_and(|then| (now - then).abs() <= NEAR);
            let is_it = is_near && attacker.slot.is_some_and(|it| are_mates(world, it, slot));
            if is_it {
                *victim = Some(name(slot));
                event.evidence |= Evidence::STATS;
            }
            is_it
        });
        if !is_amended {
            self.fell.push((slot, now));
        }
    }

    /// Adopts the health that a cut restores.
    pub(super) fn restore(&mut self, world: &World) {
        self.change(world);
    }

    /// If the block has a player's stats: the player, with the old and the new health.
    fn change(&mut self, world: &World) -> Option<(u8, i32, i32)> {
        // Most blocks contain only positions.
        if !world.is_mvd || !world.has_stats() {
            return None;
        }
        // Such a block has the stats of one player.
        let Recipients::Player(slot) = world.audience() else { return None };
        let stats = world.stats.get(usize::from(slot)).into_iter().flatten();
        let health = stats.copied().nth(Stat::Health as usize).unwrap_or_default();
        self.health.resize(world.stats.len(), 0);
        let before = std::mem::replace(self.health.get_mut(usize::from(slot))?, health);
        Some((slot, before, health))
    }

    /// Handles a line about a death. Returns the victim's slot if the line does not name the victim.
    pub(super) fn line(
        &mut self,
        world: &World,
        (victim, attacker): (Option<&EventPlayer>, Option<&EventPlayer>),
        now: f64,
    ) -> Option<u8> {
        if let Some(slot) = victim.and_then(|who| who.slot) {
            if take_recent(&mut self.fell, now, |it| it == slot).is_none() {
                self.named.push((slot, now));
            }
            return None;
        }
        let attacker = attacker.filter(|_| victim.is_none())?.slot?;
        take_recent(&mut self.fell, now, |it| are_mates(world, attacker, it))
    }
}
