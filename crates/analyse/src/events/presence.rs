//! Who comes and who goes: a print and the list of players are two signs of the same, in either order.

use super::out::{Doubt, Out};
use crate::{Evidence, Here, Kind, Who};

/// Somebody joins; the other sign of it may be `late` blocks behind.
pub(crate) fn joins(out: &mut Out, who: Who, evidence: Evidence, here: &Here, late: u64) {
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

/// Somebody leaves, with so many frags, if that is said.
pub(crate) fn leaves(
    out: &mut Out,
    who: Who,
    score: Option<i32>,
    evidence: Evidence,
    here: &Here,
    late: u64,
) {
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
