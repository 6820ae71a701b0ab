//! Compares scores with deaths: a changed score proves who killed, and distinguishes players of the same name.

use crate::events::chat::Roster;
use crate::events::queue::EventQueue;
use crate::{Event, EventKind, EventPlayer, Evidence};

/// Compares a change of a score with the deaths that are not confirmed by a score yet.
pub(crate) fn settle(out: &mut EventQueue, roster: &Roster, slot: u8, change: i32) {
    choose_namesake(out, roster, slot, change);
    let mut expected = 0i32;
    let mut open = false;
    out.amend(|event| {
        if let Some(part) = at_stake(event, slot) {
            expected = expected.saturating_add(part);
            open = true;
        }
        false
    });
    if !open || expected == 0 {
        return;
    }
    // The rules of a mod may give more points, so only the sign must agree.
    let fits = expected.signum() == change.signum();
    out.amend(|event| {
        if at_stake(event, slot).is_some() {
            event.evidence |= if fits { Evidence::FRAGS } else { Evidence::FRAGS_DIFFER };
        }
        false
    });
}

/// If several players have the same name, finds the one whose score changed.
fn choose_namesake(out: &mut EventQueue, roster: &Roster, slot: u8, change: i32) {
    let player = roster.slot(slot);
    let mut others = roster.namesakes(player.name.bytes(), slot);
    let Some(other) = others.next() else { return };
    let is_only = others.next().is_none();
    let is_he =
        |it: &Option<EventPlayer>| it.as_ref().is_some_and(|it| it.slot.is_none() && it.name == player.name);
    // One event for each point that was won. A player who loses points died once.
    let mut left = change.max(1);
    out.amend(|event| {
        let EventKind::Kill { victim, attacker, class, .. } = &mut event.kind else { return false };
        // not from SCHEMA: a kind of death
        let wins = *class == "kill";
        let found = if wins { change > 0 && is_he(attacker) } else { change < 0 && is_he(victim) };
        if !found {
            return false;
        }
        if wins && is_he(victim) && is_only {
            *victim = Some(EventPlayer { slot: Some(other), ..player.clone() });
        }
        *(if wins { attacker } else { victim }) = Some(player.clone());
        left = left.saturating_sub(1);
        left == 0
    });
}

/// The change that a death requires in the score of a slot, if the change was not seen yet.
fn at_stake(event: &Event, slot: u8) -> Option<i32> {
    let EventKind::Kill { victim, attacker, class, weapon, .. } = &event.kind else { return None };
    if event.evidence.has(Evidence::FRAGS) || event.evidence.has(Evidence::FRAGS_DIFFER) {
        return None;
    }
    let (who, change) = match *class {
        "kill" => (attacker, 1),
        "teamkill" => (attacker, -1),
        "suicide" if *weapon == "kill command" => (victim, -2),
        _ => (victim, -1),
    };
    (who.as_ref()?.slot == Some(slot)).then_some(change)
}
