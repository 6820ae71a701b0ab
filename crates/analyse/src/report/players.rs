//! Identifies the players of a report: a renamed player keeps the statistics, and a player who returns is recognized.

use super::facts::PlayerReport;
use crate::{EventPlayer, GameText, Standing};

/// The number of a player's earlier names that are kept.
const EARLIER: usize = 16;

/// The index of the player in a row of the scores: the one in the slot, or else one of this name without a slot, or
/// else one of this name who has left.
pub(super) fn place(players: &[PlayerReport], row: &Standing) -> Option<usize> {
    let named = |it: &PlayerReport| it.name == row.name || it.earlier.contains(&row.name);
    let of = |slot: Option<u8>| players.iter().position(|it| it.slot == slot && named(it));
    of(Some(row.slot)).or_else(|| of(None)).or_else(|| players.iter().position(|it| it.away && named(it)))
}

/// Returns the player, and adds it if the slot has no player of this name. There are at most `most` players.
pub(super) fn find<'p>(
    players: &'p mut Vec<PlayerReport>,
    who: &EventPlayer,
    most: usize,
) -> Option<&'p mut PlayerReport> {
    let name = who.name.as_line();
    let of_name =
        |is: &dyn Fn(&PlayerReport) -> bool| players.iter().position(|it| it.name == name && is(it));
    let found = of_name(&|it| it.slot == who.slot).or_else(|| of_name(&|it| it.away));
    let at = match found {
        Some(at) => at,
        None if players.len() < most => {
            let name_hex = who.name.line_hex();
            let name = name.into_owned();
            players.push(PlayerReport { name, name_hex, slot: who.slot, ..PlayerReport::default() });
            players.len().saturating_sub(1)
        }
        None => return None,
    };
    let player = players.get_mut(at)?;
    player.slot = who.slot.or(player.slot);
    player.away = false;
    Some(player)
}

/// Marks a player who leaves, or all at the start of a level: they may return in another slot.
pub(super) fn away(players: &mut [PlayerReport], who: Option<&EventPlayer>) {
    let leaves = |it: &PlayerReport| {
        who.is_none_or(|who| it.name == who.name.as_line() && (who.slot.is_none() || it.slot == who.slot))
    };
    players.iter_mut().filter(|it| leaves(it)).for_each(|it| it.away = true);
}

/// Gives a player a new name.
pub(super) fn rename(players: &mut [PlayerReport], who: &EventPlayer, before: &GameText) {
    let before = before.as_line();
    let same = players.iter_mut().find(|it| it.name == before && it.slot.is_some() && it.slot == who.slot);
    if let Some(player) = same {
        let before = std::mem::replace(&mut player.name, who.name.line());
        player.name_hex = who.name.line_hex();
        if player.earlier.len() < EARLIER && !player.earlier.contains(&before) {
            player.earlier.push(before);
        }
    }
}
