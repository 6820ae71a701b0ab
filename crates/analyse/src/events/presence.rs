//! Players who join and leave: a print and the list of players are two signs of the same event, in either
//! order.

use super::out::{Doubt, Out};
use crate::{Event, Evidence, GameText, Here, Kind, Who};

/// Whether a slot of this name is free, or its player's name is not known yet.
pub(crate) fn is_nobody(name: &[u8]) -> bool {
    // The engine's own name for a client that has not sent its name.
    name.trim_ascii().is_empty() || name == b"unconnected"
}

/// A slot has another name: its player's, unless a print within `late` blocks says that a player left or
/// joined.
pub(crate) fn renames(out: &mut Out, player: Who, before: GameText, here: &Here, late: u64) {
    let until = here.block.saturating_add(late);
    out.hold(here, Kind::Rename { player, before }, Evidence::PLAYERS, until, Doubt::Stands);
}

/// Turns a rename into the event of a slot that went to another player.
fn replaced(event: &mut Event, is_it: impl Fn(&Who, &GameText) -> bool, frags: Option<i32>) -> bool {
    match &event.kind {
        Kind::Rename { player, before } if is_it(player, before) => {
            let player = Who { slot: player.slot, name: before.clone() };
            (event.kind, event.evidence) = (Kind::Leave { player, frags }, event.evidence | Evidence::PRINT);
            true
        }
        _ => false,
    }
}

/// A player joins; the other sign of it may come `late` blocks later.
pub(crate) fn joins(out: &mut Out, who: Who, evidence: Evidence, here: &Here, late: u64) {
    if evidence.has(Evidence::PRINT) {
        out.amend(|event| replaced(event, |player, _| player.name == who.name, None));
    }
    let same = out.amend(|event| match &mut event.kind {
        Kind::Join { player } if player.name == who.name && !event.evidence.has(evidence) => {
            event.evidence |= evidence;
            player.slot = player.slot.or(who.slot);
            true
        }
        _ => false,
    });
    if !same {
        out.hold(here, Kind::Join { player: who }, evidence, here.block.saturating_add(late), Doubt::Stands);
    }
}

/// A player leaves, with this number of frags, if it was printed.
pub(crate) fn leaves(
    out: &mut Out,
    who: Who,
    score: Option<i32>,
    evidence: Evidence,
    here: &Here,
    late: u64,
) {
    if evidence.has(Evidence::PRINT)
        && out.amend(|event| replaced(event, |_, before| *before == who.name, score))
    {
        return;
    }
    let same = out.amend(|event| match &mut event.kind {
        Kind::Leave { player, frags } if player.name == who.name && !event.evidence.has(evidence) => {
            event.evidence |= evidence;
            player.slot = player.slot.or(who.slot);
            *frags = frags.or(score);
            true
        }
        _ => false,
    });
    if !same {
        let kind = Kind::Leave { player: who, frags: score };
        out.hold(here, kind, evidence, here.block.saturating_add(late), Doubt::Stands);
    }
}
