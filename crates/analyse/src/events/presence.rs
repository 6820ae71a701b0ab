//! Players who join and leave: a print and the list of players are two signs of the same event, in either
//! order.

use super::queue::{EventQueue, WaitEnd};
use crate::{Event, EventKind, EventPlayer, Evidence, GameText, PassPosition};

/// Whether a slot of this name is free, or its player's name is not known yet.
fn is_nobody(name: &[u8]) -> bool {
    // The engine's own name for a client that has not sent its name.
    name.trim_ascii().is_empty() || name == b"unconnected"
}

/// Handles the names of a slot, before and now: a player joined, left, or has another name. Returns whether a player was there
/// and still is.
pub(crate) fn slot_changed(
    out: &mut EventQueue,
    before: EventPlayer,
    now: &EventPlayer,
    here: &PassPosition,
    delay: u64,
) -> bool {
    match (is_nobody(before.name.bytes()), is_nobody(now.name.bytes())) {
        (true, true) => return false,
        (true, false) => joins(out, now.clone(), Evidence::PLAYERS, here, delay),
        (false, true) => leaves(out, before, None, Evidence::PLAYERS, here, delay),
        (false, false) => {
            if before.name != now.name {
                renames(out, now.clone(), before.name, here, delay);
            }
            return true;
        }
    }
    false
}

/// Handles a changed name in a slot. It is a rename, unless a print within `delay` blocks says that a player left or
/// joined.
fn renames(out: &mut EventQueue, player: EventPlayer, before: GameText, here: &PassPosition, delay: u64) {
    let until = here.block.saturating_add(delay);
    out.hold(here, EventKind::Rename { player, before }, Evidence::PLAYERS, until, WaitEnd::Stands);
}

/// Turns a rename into two events, if the slot went to another player.
fn replaced(event: &mut Event, is_it: impl Fn(&EventPlayer, &GameText) -> bool, frags: Option<i32>) -> bool {
    match &event.kind {
        EventKind::Rename { player, before } if is_it(player, before) => {
            let player = EventPlayer { slot: player.slot, name: before.clone() };
            (event.kind, event.evidence) =
                (EventKind::Leave { player, frags }, event.evidence | Evidence::PRINT);
            true
        }
        _ => false,
    }
}

/// Handles a player who joins. The other sign of the same event may come `delay` blocks later.
pub(crate) fn joins(
    out: &mut EventQueue,
    who: EventPlayer,
    evidence: Evidence,
    here: &PassPosition,
    delay: u64,
) {
    if evidence.has(Evidence::PRINT) {
        out.amend(|event| replaced(event, |player, _| player.name == who.name, None));
    }
    let was_amended = out.amend(|event| match &mut event.kind {
        EventKind::Join { player } if player.name == who.name && !event.evidence.has(evidence) => {
            event.evidence |= evidence;
            player.slot = player.slot.or(who.slot);
            true
        }
        _ => false,
    });
    if !was_amended {
        out.hold(
            here,
            EventKind::Join { player: who },
            evidence,
            here.block.saturating_add(delay),
            WaitEnd::Stands,
        );
    }
}

/// Handles a player who leaves; the number of frags is known if it was printed.
pub(crate) fn leaves(
    out: &mut EventQueue,
    who: EventPlayer,
    score: Option<i32>,
    evidence: Evidence,
    here: &PassPosition,
    delay: u64,
) {
    if evidence.has(Evidence::PRINT)
        && out.amend(|event| replaced(event, |_, before| *before == who.name, score))
    {
        return;
    }
    let was_amended = out.amend(|event| match &mut event.kind {
        EventKind::Leave { player, frags } if player.name == who.name && !event.evidence.has(evidence) => {
            event.evidence |= evidence;
            player.slot = player.slot.or(who.slot);
            *frags = frags.or(score);
            true
        }
        _ => false,
    });
    if !was_amended {
        let kind = EventKind::Leave { player: who, frags: score };
        out.hold(here, kind, evidence, here.block.saturating_add(delay), WaitEnd::Stands);
    }
}
